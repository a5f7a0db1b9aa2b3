"""The requests and responses of the API of events; every field of a request has a limit."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints

from numduel.events.settings import MAX_GAMES, MAX_MINUTES, MAX_ROUNDS, Format
from numduel.web.games.models import Level, Setting
from numduel.web.http.routes import Body, about, examples
from numduel.web.people.proof import Key, Newcomer

Player = Annotated[
    int, Field(ge=0, le=100_000, description="The number of a player; 0 is the computer.")
]
GameText = Annotated[str, StringConstraints(max_length=300)]


# -- requests -------------------------------------------------------------------------------


class GameChoice(Body):
    """A game of an event."""

    game: Annotated[str, StringConstraints(min_length=1, max_length=80)]
    variant: Annotated[dict[str, Setting], Field(max_length=8)] = {}


class NewEvent(Body):
    """An event to be created."""

    model_config = examples(
        {"games": [{"game": "factors", "variant": {"n": 20}}]},
        {"games": [{"game": "duel"}, {"game": "line"}], "format": "swiss", "rounds": 3},
    )
    games: Annotated[list[GameChoice], Field(min_length=1, max_length=MAX_GAMES)]
    format: Format = "arena"
    minutes: Annotated[int, Field(ge=1, le=MAX_MINUTES, description="Of an arena.")] = 20
    rounds: Annotated[int, Field(ge=1, le=MAX_ROUNDS, description="Of a Swiss.")] = 5
    legs: Annotated[Literal[1, 2], about("Games of a pairing: two, with the seats exchanged.")] = 2
    level: Annotated[Level, about("Who plays an odd player.")] = "medium"
    forgiving: Annotated[
        bool, about("In a strict game: may a broken rule be chosen again?")
    ] = False  # fmt: skip
    key: Annotated[
        Key | None,
        about("The host's secret, if you bring it: again it is the same event."),
    ] = None


class JoinEvent(Newcomer):
    """Somebody who takes part."""

    model_config = examples({"nickname": "Ada"})
    nickname: str


class ReturnToEvent(Newcomer):
    """Somebody who goes on in another browser."""

    model_config = examples({"nickname": "Ada", "code": "0471"})
    nickname: str
    code: Annotated[str, StringConstraints(pattern="^[0-9]{4}$")]


class Nothing(Body):
    """Nothing else has to be said."""

    model_config = examples({})


class Minutes(Body):
    """More time for an arena."""

    model_config = examples({"minutes": 5})
    minutes: Annotated[int, Field(ge=1, le=MAX_MINUTES)]


class Lock(Body):
    """Whether nobody may join any more."""

    model_config = examples({"locked": True})
    locked: bool


class Line(Body):
    """A line for everybody; an empty one takes the last away."""

    model_config = examples({"text": "Two minutes left!"})
    text: str


class Pair(Body):
    """Whom to pair: two players, or everybody who is free."""

    model_config = examples({}, {"players": [3, 7]})
    players: Annotated[
        tuple[Player, Player] | None, about("Two who are free; the first begins.")
    ] = None  # fmt: skip
    game: Annotated[GameText | None, about("The `text` of one of the games.")] = None


class PairingNumber(Body):
    """A pairing."""

    model_config = examples({"pairing": 37})
    pairing: Annotated[int, Field(ge=1, le=1_000_000)]


class OnePlayer(Body):
    """A player."""

    model_config = examples({"player": 3})
    player: Player


class Rename(OnePlayer):
    """A player, and another nickname."""

    model_config = examples({"player": 3, "nickname": "Bo"})
    nickname: str


class AddLevel(Body):
    """A level of the computer that takes part."""

    model_config = examples({"level": "hard"}, {"level": "easy", "nickname": "Robo"})
    level: Level
    nickname: Annotated[str, about("Without one, its level.")] = ""


# -- responses ------------------------------------------------------------------------------


class EventGame(BaseModel):
    """A game that is played in an event."""

    text: Annotated[str, about("The game and its settings, as pairings name it.")]
    game: str
    name: str
    called: Annotated[str, about("The name by which people know the game.")]
    variant: dict[str, int | str]
    changes: Annotated[list[str], about("Unusual settings, in words.")]


class Clock(BaseModel):
    """The time of an arena."""

    ends: Annotated[float | None, about("When it is up, while it runs.")]
    remaining: Annotated[float | None, about("Seconds left, while it stands still.")]


class Standing(BaseModel):
    """A row of the table."""

    number: int
    nickname: str
    kind: Annotated[str, about("`human`, or a level of the computer.")]
    away: bool
    place: int
    wins: int
    games: Annotated[int, about("Games won or lost.")]
    with_computer: int
    forfeits: Annotated[int, about("Wins that were given by who went away.")]
    kept: Annotated[int, about("Decisions that kept the exact value.")]
    decisions: int
    accuracy: float | None
    seconds_per_move: float | None


class PlayerNow(Standing):
    """A row of the table, and what its player does now."""

    pairing: int | None
    game: Annotated[str | None, about("The id of the game to play now.")]
    seat: int | None
    opponent: Annotated[int | None, about("The number of a player; 0 is the computer.")]
    reason: Annotated[str | None, about("Why they do not play, in a sentence to them.")]


class Leg(BaseModel):
    """A game of a pairing."""

    id: str
    seats: list[int]
    end: Literal["played", "forfeit", "cancelled"] | None
    winner: int | None


class Pairing(BaseModel):
    """Two players and their games."""

    number: int
    round: int
    game: str
    players: list[int]
    legs: list[Leg]


class Event(BaseModel):
    """An event as everybody may see it."""

    code: str
    number: Annotated[int, about("Goes up with everything that happens.")]
    created: Annotated[float, about("When, by the clock of the server.")]
    phase: Literal["open", "running", "paused", "ended"]
    locked: bool
    message: str
    format: Format
    minutes: int
    rounds: int
    legs: int
    level: str
    forgiving: bool
    games: list[EventGame]
    room: Annotated[int, about("How many may take part.")]
    clock: Clock
    round: int
    players: Annotated[list[PlayerNow], about("In the order of the table.")]
    pairings: Annotated[list[Pairing], about("Those that are being played.")]
    podium: list[int]


class EventSnapshot(BaseModel):
    """An event, and who you are in it: what the live channel sends, again and again."""

    you: Annotated[int | None, about("Your number; null if you do not take part.")]
    now: Annotated[float, about("The clock of the server.")]
    event: Event


class CreatedEvent(EventSnapshot):
    """An event that you have created."""

    code: str
    host: Annotated[str, about("Your secret: send it as a bearer token.")]


class Joined(EventSnapshot):
    """An event in which you take part."""

    player: int
    nickname: str
    token: Annotated[str | None, about("Proves who you are: a bearer token.")]
    code: Annotated[str | None, about("Four digits, to go on in another browser.")]


class NewCode(EventSnapshot):
    """Another four digits for a player."""

    code: str


class OwnGame(BaseModel):
    """A game that you played in an event."""

    id: str
    pairing: int
    round: int
    game: str
    called: str
    seat: int
    opponent: str
    computer: bool
    end: str | None
    won: bool | None
    judged: bool


class OwnSlip(BaseModel):
    """A move of yours that gave something away."""

    id: Annotated[str, about("The id of the game.")]
    called: str
    opponent: str
    ply: int
    kind: Literal["broken", "mistake", "inaccuracy"]
    idea: str
    instruction: str


class Missed(BaseModel):
    """An idea that was missed, and where it can be learnt."""

    game: str
    idea: str
    instruction: str
    times: int
    players: int
    lesson: str
    name: str
    step: int | None


class OwnPage(BaseModel):
    """Your games in an event, and what to learn from them."""

    player: int
    nickname: str
    phase: str
    standing: Standing
    reason: str | None
    games: list[OwnGame]
    slips: Annotated[list[OwnSlip], about("Mistakes first.")]
    missed: Annotated[list[Missed], about("Those missed most often first.")]


class ClassPlayer(Standing):
    """A row of the table, and the idea that the player missed most often."""

    missed: Missed | None


class ClassPage(BaseModel):
    """What a class missed."""

    phase: str
    players: list[ClassPlayer]
    missed: list[Missed]
