"""The errors a user can meet. Each message is one sentence fit to be shown to a player."""


class NumduelError(Exception):
    """The base of all errors; the text says what was wrong and what was expected."""

    __module__ = "numduel"


class UnknownGame(NumduelError, LookupError):
    """There is no game of that name."""

    __module__ = "numduel"


class BadVariant(NumduelError, ValueError):
    """A variant, a deck or a first seat that the game cannot be played with."""

    __module__ = "numduel"


class IllegalMove(NumduelError, ValueError):
    """A move that breaks the rules here; the text is the sentence shown to the player."""

    __module__ = "numduel"


class NotAMove(IllegalMove):
    """Input that is not a move, such as ``abc``: no rulebook penalises it."""

    __module__ = "numduel"


class BadGame(NumduelError):
    """A game file that breaks its contract; the text says how."""

    __module__ = "numduel"


class BadLesson(NumduelError, ValueError):
    """A lesson that is not written as it should be, or says what is not true."""

    __module__ = "numduel"


class BadRecord(NumduelError, ValueError):
    """A record that is broken, cut short, too large, or not legal play."""

    __module__ = "numduel"


class BadEvent(NumduelError, ValueError):
    """Something that an event does not allow, or not now; the text says why."""

    __module__ = "numduel"
