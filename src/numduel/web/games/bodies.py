"""The bodies of requests to the API; every field has a limit."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core.core_schema import CoreSchema, literal_schema

from numduel.activities import activities
from numduel.core.language import N_
from numduel.core.text import MAX_NAME
from numduel.play.players import COMPUTERS
from numduel.web.http.described import about
from numduel.web.http.routes import Body, examples
from numduel.web.people.proof import Newcomer, Secret

Name = Annotated[str, StringConstraints(max_length=MAX_NAME)]
Moves = Annotated[str, StringConstraints(max_length=1_000)]
Setting = (
    Annotated[int, Field(ge=-(10**9), le=10**9)] | Annotated[str, StringConstraints(max_length=20)]
)
After = Annotated[
    int, Field(ge=0, le=1_000_000, description="The `number` of the game as you saw it.")
]


class _OneOf:
    """A `Literal` of words that are not known to the type checker."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def __get_pydantic_core_schema__(self, *_: object) -> CoreSchema:
        """The schema of that `Literal`."""
        return literal_schema(list(self.words))


Level = Annotated[str, _OneOf(*COMPUTERS)]
Opponent = Annotated[str, _OneOf("friend", "here", *COMPUTERS)]
ActivityName = Annotated[str, _OneOf(*activities())]
Remark = Literal["😀", "😮", "😎", "😢", "Good luck!", "Well played!", "Thank you!"]
"""Everything that players can say to each other: there is no free chat."""
REMARKS = N_("Good luck!"), N_("Well played!"), N_("Thank you!")
"""What of it is words, which the page says in its language."""


MAX_DEPTH, MAX_PARTS, MAX_TEXT = 6, 150, 4_000
"""How deep, how long and how wordy the state of an activity may be."""
MAX_NUMBER = 2**32
"""Numbers in it are less than this, as checksums are."""


def _bounded(value: Any, depth: int = 0) -> Any:
    """The state of an activity, if it is small enough to read and write quickly."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if depth > MAX_DEPTH or len(parts) > MAX_PARTS:
        raise ValueError("a state is too large")
    for part in parts:
        _bounded(part, depth + 1)
    if isinstance(value, int | float) and not abs(value) < MAX_NUMBER:
        raise ValueError("a number is too large")
    if isinstance(value, str) and (len(value) > MAX_TEXT or not value.isprintable()):
        value.encode("utf-8")  # Raises if half of a surrogate pair is in it.
        if len(value) > MAX_TEXT:
            raise ValueError("a text is too long")
    return value


class New(Newcomer):
    """A new game."""

    model_config = examples(
        {"game": "number-capture", "opponent": "friend", "name": "Ada"},
        {"game": "duel", "opponent": "perfect", "first": 2},
        {"game": "line", "variant": {"n": 12, "k": 5}, "opponent": "easy"},
        {"game": "duel", "opponent": "here", "name": "Ada", "name2": "Bo"},
    )
    game: Annotated[str, StringConstraints(min_length=1, max_length=80)]
    variant: Annotated[dict[str, Setting], Field(max_length=8)] = {}
    opponent: Annotated[
        Opponent,
        about("A level of the computer, `friend`, or `here` for two people on one screen."),
    ]
    seat: Annotated[Literal[1, 2], about("Your seat.")] = 1
    first: Annotated[Literal[1, 2, "random"], about("The seat that moves first.")] = 1
    forgiving: Annotated[
        bool, about("In a strict game, a move that breaks a rule may be chosen again.")
    ] = False  # fmt: skip
    name: Name = ""
    name2: Annotated[Name, about("The other player on this screen.")] = ""
    moves: Annotated[Moves, about("Begin from the position after these moves.")] = ""
    nonce: Annotated[
        str,
        StringConstraints(pattern="^[A-Za-z0-9_-]{0,64}$"),
        about(
            "A new text for each game. The same `key` and `nonce` again give you the same game,"
            " not a second one."
        ),
    ] = ""


class Join(Newcomer):
    """Taking the free seat with an invitation."""

    model_config = examples({"invite": "q2yVh0C0aJv2v1mB3m1D3g", "name": "Bo"})
    invite: Secret
    name: Name = ""


class SeatRequest(Newcomer):
    """Asking for the free seat without an invitation."""

    model_config = examples({"name": "Bo"})
    name: Annotated[Name, StringConstraints(min_length=1)]


class Offer(Body):
    """Offering the other seat."""

    model_config = examples({"after": 1})
    after: After


class RequestAnswer(Body):
    """The answer to a request for the free seat."""

    model_config = examples({"say": "accept"}, {"say": "refuse"})
    say: Literal["accept", "refuse"]


class Move(Body):
    """A move in the notation."""

    model_config = examples({"move": "21", "after": 0}, {"move": "7e", "after": 3})
    move: Annotated[str, StringConstraints(min_length=1, max_length=40)]
    after: After


class Resign(Body):
    """Resigning."""

    model_config = examples({"after": 4})
    after: After


class Undo(Body):
    """Asking to take a move back, or answering that."""

    model_config = examples({"say": "ask", "after": 4})
    say: Literal["ask", "accept", "refuse"]
    after: After


class Link(Body):
    """A link that becomes a QR code."""

    model_config = examples({"link": "https://example.org/play/V3b1tq0k9Zfx#q2yVh0C"})
    link: Annotated[str, StringConstraints(max_length=300, pattern=r"^https?://[!-~]+$")]


class Say(Body):
    """Something to say to the other player."""

    model_config = examples({"what": "Well played!"}, {"what": "😀"})
    what: Remark


class Rematch(Body):
    """Offering or accepting a rematch."""

    model_config = examples({})


class Act(Body):
    """An action in an activity."""

    model_config = examples({"action": "begin", "given": "game=duel&seed=9&grade=3"})

    state: Annotated[
        dict[str, Any],
        AfterValidator(lambda state: _bounded(state)),
        about(
            "The `state` of the last answer; leave it out to begin. `today` may be the day where"
            " you are."
        ),
    ] = {}
    action: Annotated[str, StringConstraints(max_length=20)]
    given: Annotated[
        str,
        StringConstraints(max_length=2_000),
        about("With `move` the move; with `begin` what to begin with, as in an address."),
    ] = ""
    passed: Annotated[
        float,
        Field(ge=0, le=86_400),
        about("Seconds since the last answer, if a clock runs. `tick` only passes them on."),
    ] = 0
