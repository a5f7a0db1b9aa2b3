"""The errors a user can meet. Each message is one sentence fit to be shown to a player."""


class NumduelError(Exception):
    """The base of all errors; the text says what was wrong and what was expected."""


class UnknownGame(NumduelError, LookupError):
    """There is no game of that name."""


class BadVariant(NumduelError, ValueError):
    """A variant, a deck or a first seat that the game cannot be played with."""


class IllegalMove(NumduelError, ValueError):
    """A move that breaks the rules here; the text is the sentence shown to the player."""


class NotAMove(IllegalMove):
    """Input that is not a move, such as ``abc``: no rulebook penalises it."""


class BadGame(NumduelError):
    """A game file that breaks its contract; the text says how."""


class BadLesson(NumduelError, ValueError):
    """A lesson that is not written as it should be, or says what is not true."""


class BadRecord(NumduelError, ValueError):
    """A record that is broken, cut short, too large, or not legal play."""


class BadEvent(NumduelError, ValueError):
    """Something that an event does not allow, or not now; the text says why."""


for _error in (NumduelError, *NumduelError.__subclasses__(), NotAMove):
    _error.__module__ = "numduel"  # where people import them from
