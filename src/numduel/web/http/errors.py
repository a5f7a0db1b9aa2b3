"""The errors of the server, each with its HTTP status."""

from numduel.core.errors import NumduelError

NO_GAME = "There is no such game."
NO_EVENT = "There is no such event."
NO_CLASS = "There is no such class."
GOING_DOWN = "The server is shutting down."


class Refusal(NumduelError):
    """A request that is refused; its text says why in one sentence."""

    status = 422


class NoGame(Refusal):
    """No game has that id."""

    status = 404

    def __init__(self, text: str = NO_GAME) -> None:
        super().__init__(text)


class NoEvent(NoGame):
    """No event has that code."""

    def __init__(self, text: str = NO_EVENT) -> None:
        super().__init__(text)


class NoClass(NoGame):
    """No class has that code."""

    def __init__(self, text: str = NO_CLASS) -> None:
        super().__init__(text)


class Damaged(NoGame):
    """What is stored of a game, an event or a class cannot be read."""

    status = 500

    def __init__(self, kind: str) -> None:
        word = "class" if kind == "classroom" else kind
        super().__init__(f"This {word} cannot be opened: what is stored of it is damaged.")


class Forbidden(Refusal):
    """It is not this client's seat or turn, or not allowed while the game goes on."""

    status = 403


class Conflict(Refusal):
    """The game has changed since the client looked."""

    status = 409


class Taken(Conflict):
    """The seat is taken or the game over: trying again does not help."""


class TooSoon(Refusal):
    """Too much at once from one player."""

    status = 429


class Unavailable(Refusal):
    """The database cannot be reached, or too many writes wait; nothing was acknowledged."""

    status = 503


class Busy(Refusal):
    """The solver cannot work this out, or takes too long."""

    status = 503


class Overloaded(Busy):
    """Too many tasks wait for the solver; trying again later helps."""
