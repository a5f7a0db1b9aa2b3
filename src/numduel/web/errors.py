"""What the server refuses, and what that is called in HTTP."""

from numduel.core.errors import NumduelError


class Refusal(NumduelError):
    """A request that cannot be granted; its text says why in one sentence."""

    status = 422


class NoGame(Refusal):
    """There is no game of that id."""

    status = 404


class Forbidden(Refusal):
    """Somebody else's seat or turn, or not while the game goes on."""

    status = 403


class Conflict(Refusal):
    """The game has moved on, or the seat is taken: look again."""

    status = 409


class Taken(Conflict):
    """The seat is taken, for good."""


class Unavailable(Refusal):
    """The database cannot be reached, or has too much to do; nothing was acknowledged."""

    status = 503


class Busy(Refusal):
    """There is too much to solve, or this takes too long."""

    status = 503
