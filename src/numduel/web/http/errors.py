"""The errors of the server, each with its HTTP status."""

from numduel.core.errors import NumduelError
from numduel.core.language import N_, _

NO_GAME = N_("There is no such game.")
NO_EVENT = N_("There is no such event.")
GOING_DOWN = N_("The server is shutting down.")
DAMAGED = {
    "game": N_("This game cannot be opened: what is stored of it is damaged."),
    "event": N_("This event cannot be opened: what is stored of it is damaged."),
}
"""What is said about something that cannot be read, by its kind."""
WRONG_FIELDS = {
    "missing": N_("{field} is missing."),
    "extra_forbidden": N_("There is no field {field} in this request."),
    "greater_than_equal": N_("{field} must be at least {ge}."),
    "less_than_equal": N_("{field} must be at most {le}."),
    "string_too_long": N_("{field} has at most {max_length} characters."),
    "int_type": N_("{field} must be a whole number."),
    "int_parsing": N_("{field} must be a whole number."),
    "int_from_float": N_("{field} must be a whole number."),
    "literal_error": N_("{field} must be {expected}."),
}
"""What is said about a field of a request, by the kind of error that Pydantic finds."""
WRONG_FIELD = N_("The value of {field} is not understood.")
NOT_AS_DESCRIBED = N_("The request is not one that is understood here.")


class Refusal(NumduelError):
    """A request that is refused; its text says why in one sentence. It is marked by `N_`, filled
    with values and told in the language of whoever reads it: it may have been raised in another
    thread."""

    status = 422

    def __init__(self, text: str, **values: object) -> None:
        super().__init__(text)
        self.values = values

    def __str__(self) -> str:
        return _(super().__str__(), **self.values)


class NoGame(Refusal):
    """No game has that id."""

    status = 404

    def __init__(self, text: str = NO_GAME) -> None:
        super().__init__(text)


class NoEvent(NoGame):
    """No event has that code."""

    def __init__(self, text: str = NO_EVENT) -> None:
        super().__init__(text)


class Damaged(NoGame):
    """What is stored of a game or an event cannot be read."""

    status = 410  # The server is well, and asking again does not help.

    def __init__(self, kind: str) -> None:
        super().__init__(DAMAGED[kind])


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
