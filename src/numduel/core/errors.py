"""The errors a user can meet. Each message is one sentence fit to be shown to a player."""


class NumduelError(Exception):
    """Anything numduel refuses; its text says what was wrong and what was expected."""

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
    """Input that is no move at all, such as ``abc``: no rulebook ever punishes it."""

    __module__ = "numduel"


class BadGame(NumduelError):
    """A game file that does not keep what it promises; the text says which promise."""

    __module__ = "numduel"


class BadRecord(NumduelError, ValueError):
    """A record that is broken, cut short, too large, or not legal play."""

    __module__ = "numduel"
