"""The requests and responses of the API; every field of a request has a limit."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, Field, StringConstraints
from pydantic_core.core_schema import CoreSchema, literal_schema

from numduel.activities import activities
from numduel.activities.base import Choice, Mark, Sentence
from numduel.core.text import MAX_NAME
from numduel.play.players import COMPUTERS
from numduel.web.http.routes import Body, about, examples
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
    """One of some words that are written elsewhere."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def __get_pydantic_core_schema__(self, *_: object) -> CoreSchema:
        """What a `Literal` of the words has."""
        return literal_schema(list(self.words))


Level = Annotated[str, _OneOf(*COMPUTERS)]
Opponent = Annotated[str, _OneOf("friend", "here", *COMPUTERS)]
ActivityName = Annotated[str, _OneOf(*activities())]
Remark = Literal["😀", "😮", "😎", "😢", "Good luck!", "Well played!", "Thank you!"]
"""All that players can say to each other: there is no free chat."""


MAX_DEPTH, MAX_PARTS, MAX_TEXT = 6, 150, 4_000
"""How deep, how long and how wordy the state of an activity may be."""


def _bounded(value: Any, depth: int = 0) -> Any:
    """Plain data of which nothing takes long to read or to write."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if depth > MAX_DEPTH or len(parts) > MAX_PARTS:
        raise ValueError("a state is too large")
    for part in parts:
        _bounded(part, depth + 1)
    if isinstance(value, int) and abs(value) >= 10**9:
        raise ValueError("a number is too large")
    if isinstance(value, str) and (len(value) > MAX_TEXT or not value.isprintable()):
        value.encode("utf-8")  # which half of a pair cannot be
        if len(value) > MAX_TEXT:
            raise ValueError("a text is too long")
    return value


class New(Newcomer):
    """A game to be created."""

    model_config = examples(
        {"game": "number-capture", "opponent": "friend", "name": "Ada"},
        {"game": "duel", "opponent": "perfect", "first": 2, "pie": True},
        {"game": "line", "variant": {"n": 12, "k": 5}, "opponent": "easy"},
        {"game": "duel", "opponent": "here", "name": "Ada", "name2": "Bo"},
    )
    game: Annotated[str, StringConstraints(min_length=1, max_length=80)]
    variant: Annotated[dict[str, Setting], Field(max_length=8)] = {}
    opponent: Annotated[
        Opponent,
        about("A level of the computer, a friend, or `here`: two on one screen."),
    ]
    seat: Annotated[Literal[1, 2], about("Where you sit.")] = 1
    first: Annotated[Literal[1, 2, "random"], about("The seat that moves first.")] = 1
    pie: Annotated[bool, about("May the first move be answered by `swap`?")] = False
    forgiving: Annotated[
        bool, about("In a strict game: may a broken rule be chosen again?")
    ] = False  # fmt: skip
    name: Name = ""
    name2: Annotated[Name, about("Who else plays on this screen.")] = ""
    moves: Annotated[Moves, about("Begin from the position after these moves.")] = ""
    nonce: Annotated[
        str,
        StringConstraints(pattern="^[A-Za-z0-9_-]{0,64}$"),
        about(
            "Anything, once for each game: the same `key` and `nonce` again are the"
            " same game, not a second."
        ),
    ] = ""


class Join(Newcomer):
    """A friend who takes the free seat."""

    model_config = examples({"invite": "q2yVh0C0aJv2v1mB3m1D3g", "name": "Bo"})
    invite: Secret
    name: Name = ""


class SeatRequest(Newcomer):
    """Somebody without an invitation who would like to have the free seat."""

    model_config = examples({"name": "Bo"})
    name: Annotated[Name, StringConstraints(min_length=1)]


class Offer(Body):
    """Offering the other seat, again if need be."""

    model_config = examples({"after": 1})
    after: After


class RequestAnswer(Body):
    """Whether who asks may have the seat."""

    model_config = examples({"say": "accept"}, {"say": "refuse"})
    say: Literal["accept", "refuse"]


class Move(Body):
    """A move in the notation."""

    model_config = examples({"move": "21", "after": 0}, {"move": "7e", "after": 3})
    move: Annotated[str, StringConstraints(min_length=1, max_length=40)]
    after: After


class Resign(Body):
    """Giving up."""

    model_config = examples({"after": 4})
    after: After


class Undo(Body):
    """Asking to take a move back, or an answer to that."""

    model_config = examples({"say": "ask", "after": 4})
    say: Literal["ask", "accept", "refuse"]
    after: After


class Link(Body):
    """A link to be scanned."""

    model_config = examples({"link": "https://example.org/play/V3b1tq0k9Zfx#q2yVh0C"})
    link: Annotated[str, StringConstraints(max_length=300, pattern=r"^https?://[!-~]+$")]


class Say(Body):
    """Something to say to the other player."""

    model_config = examples({"what": "Well played!"}, {"what": "😀"})
    what: Remark


class Rematch(Body):
    """Wanting another game."""

    model_config = examples({})


# -- responses ------------------------------------------------------------------------------


class QrCode(BaseModel):
    """A QR code, to be drawn as SVG: dark on light, whatever the colours of the page."""

    size: Annotated[int, about("Squares from side to side, with the light border.")]
    path: Annotated[str, about("The dark squares, as the `d` of an SVG path.")]


class Legal(BaseModel):
    """A legal move, and how a person says it."""

    move: str
    label: str


class Cell(BaseModel):
    """A number of the board."""

    label: str
    owner: int | None
    state: Literal["free", "blocked", "taken", "last", "winning"]


class Fact(BaseModel):
    """Something that a player must know: a sum, a pile, a log of what was selected."""

    label: str
    value: str | list[str]
    seat: Annotated[int | None, about("Whose fact it is; null is the table's.")]


class Outcome(BaseModel):
    """How a game ended."""

    winner: int
    reason: str


class Layout(BaseModel):
    """How a board likes to be drawn."""

    kind: Literal["grid", "path", "spokes", "rows"]
    columns: int | None
    places: Annotated[int | None, about("The places of each row of cards.")]
    ends: Annotated[
        tuple[str, str] | None,
        about("The labels of the moves that put a card before and behind a row."),
    ]


class Variant(BaseModel):
    """A variant of a game that somebody wishes for."""

    changes: Annotated[list[str], about("Unusual settings, in words.")]
    refusal: Annotated[str | None, about("Why it cannot be played; null if it can.")]


class Why(BaseModel):
    """Why a move is not allowed."""

    why: Annotated[str | None, about("A sentence; null if the move is allowed.")]


class Position(BaseModel):
    """A position as everybody may see it."""

    game: str
    name: str
    title: str
    called: Annotated[str, about("The name by which people know the game.")]
    variant: dict[str, int | str]
    changes: Annotated[list[str], about("Unusual settings, in words.")]
    layout: Layout
    first: int
    pie: bool
    strict: Annotated[bool, about("Does breaking a rule lose this game?")]
    deck: bool
    markers: list[str]
    names: list[str]
    moves: list[str]
    spoken: Annotated[list[str], about("The moves as people say them.")]
    movers: Annotated[list[int], about("The seat that made each move.")]
    text: Annotated[str, about("The moves, and the card that waits to be played.")]
    to_move: int | None
    legal: list[Legal]
    draws: Annotated[dict[str, float], about("Cards that may come, with their odds.")]
    cells: list[Cell]
    has_hands: Annotated[bool, about("Do players hold something in this game?")]
    hands: list[list[int]]
    card: int | None
    facts: Annotated[list[Fact], about("What else a player must know.")]
    goals: Annotated[
        list[str],
        about("What is to be done now: told to a bystander, to seat 1, to seat 2."),
    ]
    status: str
    said: str
    outcome: Outcome | None


class Again(BaseModel):
    """Another game after this one."""

    offered: Annotated[int | None, about("The seat that wants one.")]
    game: Annotated[str | None, about("Its id, when both do.")]


class Said(BaseModel):
    """What a player said last."""

    what: str
    at: Annotated[float, about("When, in seconds: who has heard it knows it by this.")]


class Asking(BaseModel):
    """Somebody who asks for the free seat."""

    number: Annotated[int, about("The number of the request.")]
    name: str


class Game(Position):
    """A game being played."""

    id: str
    number: Annotated[int, about("Goes up with everything that happens.")]
    event: Annotated[str | None, about("The code of the event that it belongs to.")]
    players: list[str]
    seats: Annotated[list[bool], about("Which seats are taken.")]
    present: Annotated[list[bool], about("Who is looking on just now.")]
    brief: Annotated[list[str], about("The rules in about three sentences.")]
    two_people: bool
    one_screen: Annotated[
        bool, about("Do both play on one screen? Then one token moves for either seat.")
    ]
    score: Annotated[
        list[int],
        about("Games that each seat won, this one and its earlier rematches."),
    ]
    estimated: Annotated[bool, about("Is the board too large for the computer to play perfectly?")]
    requests: Annotated[list[Asking], about("Who asks for the free seat, until it is taken.")]
    remarks: Annotated[
        list[Said | None], about("What each seat said last; it is not kept for long.")
    ]
    newcomer: Annotated[
        int | None,
        about("Who has joined and not moved yet: their seat can be offered again."),
    ]
    undo: Annotated[int | None, about("The seat that asks to take a move back.")]
    undoable: Annotated[list[bool], about("Which seats have a move that could be taken back.")]
    rematch: Again


class Snapshot(BaseModel):
    """A game, and your seat in it: what the live channel sends, again and again."""

    you: int | None
    game: Game


class Seated(Snapshot):
    """A game in which you have just taken a seat."""

    id: str
    seat: int
    token: Annotated[str | None, about("Proves your seat: send it as a bearer token.")]
    invite: Annotated[str | None, about("For one friend: `/play/{id}#{invite}`.")] = None


class Invited(Snapshot):
    """A game whose other seat you offer."""

    invite: Annotated[str, about("For one friend: `/play/{id}#{invite}`.")]


class Requested(Snapshot):
    """A game whose free seat you have asked for."""

    request: Annotated[int, about("In `requests` until it is answered.")]
    token: Annotated[str | None, about("Proves your seat as soon as it is given to you.")]


class Parameter(BaseModel):
    """A setting of a game."""

    name: str
    meaning: str
    low: int
    high: int
    words: list[str]
    value: int | str


class Rules(BaseModel):
    """A game that can be played."""

    id: str
    name: str
    title: str
    summary: str
    called: Annotated[str, about("The name by which people know the game.")]
    brief: Annotated[list[str], about("The rules in about three sentences.")]
    variant: dict[str, int | str]
    strict: bool
    deck: bool
    markers: list[str]
    parameters: list[Parameter]
    levels: Annotated[dict[str, str], about("Each strength of the computer, and what it sees.")]


class Option(BaseModel):
    """A legal move and what it is worth to who makes it."""

    move: str
    label: str
    worth: Annotated[str, Field(examples=["wins in 5", "+11 points", "58.0 %"])]
    short: Annotated[str, Field(examples=["win 5", "+11", "58.0 %"])]
    win_probability: float
    plies: int | None
    margin: int | None
    best: bool
    loss: float
    exact: bool


class Evaluation(BaseModel):
    """Who wins a position if both play their best."""

    chances: Annotated[list[float], about("The chance to win of each seat; 0 or 1 without luck.")]
    words: Annotated[
        list[str],
        Field(description="What becomes of each seat.", examples=[["wins in 5 moves", ""]]),
    ]
    exact: bool


class Values(BaseModel):
    """What every legal move is worth, best first, and what the position is."""

    options: list[Option]
    legend: str
    evaluation: Annotated[Evaluation | None, about("null when the game is over.")]


class LessonHint(BaseModel):
    """What is said to somebody who asks in a lesson."""

    lines: list[str]
    moves: Annotated[list[str], about("The right moves, where the lines name them.")]


class Hint(BaseModel):
    """What to look at, and a best move and why."""

    nudge: Annotated[str, about("What to look at, without the move.")]
    lines: Annotated[list[str], about("The move, and why.")]
    move: Annotated[str | None, about("The move; null in a game that is over.")]


class Report(BaseModel):
    """What became of a game."""

    title: str
    lines: list[str]
    spotless: Annotated[str, about("To who made no mistake, and why they lost; empty for others.")]
    labels: list[str]
    levels: list[float]
    names: list[str]
    exact: bool
    slips: Annotated[list[int], about("The moves that were mistakes or inaccuracies, yours first.")]
    turning: int | None
    accuracy: list[float | None]
    plies: list[dict[str, Any]]


class Puzzle(BaseModel):
    """A position with one right answer."""

    title: str
    task: str
    label: str
    """The beginning of a line to share."""
    link: str
    """The query of its address."""
    grade: int
    grades: int
    date: str | None
    """The day whose puzzle it is, if it is a daily one."""
    today: bool
    state: Position


class Theme(BaseModel):
    """An idea that puzzles of a game are about."""

    name: Annotated[str, Field(examples=["fork"])]
    instruction: Annotated[str, Field(examples=["Win at once if you can."])]
    grades: Annotated[list[int], about("The grades of the puzzles about it.")]


class PuzzleKinds(BaseModel):
    """Which puzzles a game has."""

    grades: Annotated[list[int], about("From 1 to 5.")]
    themes: list[Theme]


class Solution(BaseModel):
    """The answer to a puzzle, explained and played out."""

    move: str
    theme: str | None
    words: list[str]
    line: list[Position]


class Answer(BaseModel):
    """What became of an answer to a puzzle."""

    right: bool
    why: Annotated[str, about("What becomes of a wrong one, without the solution.")]
    nudges: list[str]
    """What to look at, without the move: one sentence for each wrong try."""
    solution: Solution | None


class Act(Body):
    """Something that is done in an activity."""

    model_config = examples({"action": "begin", "given": "game=duel&seed=9&grade=3"})

    state: Annotated[dict[str, Any], AfterValidator(lambda state: _bounded(state))] = {}
    """The `state` of the last answer; nothing to begin with."""
    action: Annotated[str, StringConstraints(max_length=20)]
    given: Annotated[str, StringConstraints(max_length=200)] = ""
    """With `begin` what an address names, with `move` the move."""


class Scene(BaseModel):
    """What is shown of an activity, and what can be done now."""

    title: str
    grade: str
    goal: str
    state: Position | None
    moves: Annotated[bool, about("Whether a move can be made.")]
    said: list[Sentence]
    notes: list[str]
    choices: list[Choice]
    line: Annotated[list[Position], about("What is played out.")]
    link: str
    text: list[str | list[str]]
    advised: list[str]
    steps: list[Mark]


class Performed(BaseModel):
    """An activity after an action."""

    state: dict[str, Any]
    scene: Scene


class LessonSummary(BaseModel):
    """A lesson, and how many steps it has."""

    name: str
    title: str
    called: Annotated[str, about("The name by which people know the game.")]
    steps: int


Text = Annotated[
    list[str | list[str]], about("Paragraphs; a list is the items of a numbered list.")
]


class LessonStep(BaseModel):
    """A step of a lesson: one thing to do in a position."""

    title: str
    text: Text
    task: str
    seat: Annotated[int, about("Where you sit.")]
    game: Annotated[bool, about("Is it a whole game against the computer?")]
    state: Position


class Lesson(BaseModel):
    """A game learnt step by step."""

    name: str
    title: str
    text: Text
    steps: list[LessonStep]


class Try(BaseModel):
    """What became of a move in a step of a lesson."""

    right: Annotated[bool, about("Is the step done?")]
    said: str
    state: Position


class Tile(BaseModel):
    """A square of a card."""

    text: str
    kind: Literal["free", "mine", "theirs", "gone", "next"]


class StrategyCard(BaseModel):
    """How to win a game, in a few sentences to remember."""

    title: str
    subtitle: str
    rows: list[list[Tile]]
    caption: Annotated[str, about("What the squares show.")]
    steps: list[str]
    footnote: Annotated[str, about("What was proved, or measured.")]


class Health(BaseModel):
    """The server can reach its database."""

    status: Literal["ok"]
    version: str
