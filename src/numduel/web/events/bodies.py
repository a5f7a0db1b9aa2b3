"""The bodies of requests to the API of events; every field has a limit."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from numduel.events.settings import (
    MAX_GAME_MINUTES,
    MAX_GAMES,
    MAX_MINUTES,
    MAX_MOVE_SECONDS,
    MAX_ROUNDS,
    Format,
)
from numduel.web.games.bodies import Level, Setting
from numduel.web.http.described import about
from numduel.web.http.routes import Body, examples
from numduel.web.people.proof import Key, Newcomer

Player = Annotated[
    int, Field(ge=0, le=100_000, description="The number of a player; 0 is the computer.")
]
GameText = Annotated[str, StringConstraints(max_length=300)]


class GameChoice(Body):
    """A game of an event."""

    game: Annotated[str, StringConstraints(min_length=1, max_length=80)]
    variant: Annotated[dict[str, Setting], Field(max_length=8)] = {}


class NewEvent(Body):
    """A new event."""

    model_config = examples(
        {"games": [{"game": "factors", "variant": {"n": 20}}]},
        {"games": [{"game": "duel"}, {"game": "line"}], "format": "swiss", "rounds": 3},
    )
    games: Annotated[list[GameChoice], Field(min_length=1, max_length=MAX_GAMES)]
    format: Format = "arena"
    minutes: Annotated[int, Field(ge=1, le=MAX_MINUTES, description="For an arena.")] = 20
    rounds: Annotated[int, Field(ge=1, le=MAX_ROUNDS, description="For a Swiss.")] = 5
    level: Annotated[Level, about("The computer that plays an odd player.")] = "medium"
    forgiving: Annotated[
        bool, about("In a strict game, a move that breaks a rule may be chosen again.")
    ] = False  # fmt: skip
    own_names: Annotated[
        bool, about("Whether nicknames may be typed, instead of choosing an offered one.")
    ] = True  # fmt: skip
    teams: Annotated[bool, about("Two teams play each other; their points are added up.")] = False
    move_seconds: Annotated[
        int,
        Field(ge=0, le=MAX_MOVE_SECONDS, description="For each move; 0 means no such clock."),
    ] = 0
    game_minutes: Annotated[
        int,
        Field(ge=0, le=MAX_GAME_MINUTES, description="For each player and game; 0 means none."),
    ] = 0
    key: Annotated[
        Key | None,
        about("The host's secret, if you choose it; the same one again gives the same event."),
    ] = None


class JoinEvent(Newcomer):
    """Joining an event."""

    model_config = examples({"nickname": "Ada"})
    nickname: str


class ReturnToEvent(Newcomer):
    """Continuing in another browser."""

    model_config = examples({"nickname": "Ada", "code": "0471"})
    nickname: str
    code: Annotated[str, StringConstraints(pattern="^[0-9]{4}$")]


class Nothing(Body):
    """An empty body."""

    model_config = examples({})


class Minutes(Body):
    """More time for an arena."""

    model_config = examples({"minutes": 5})
    minutes: Annotated[int, Field(ge=1, le=MAX_MINUTES)]


class Lock(Body):
    """Whether the door is locked: nobody else can join."""

    model_config = examples({"locked": True})
    locked: bool


class Door(Body):
    """How people get in. What is left out stays as it is."""

    model_config = examples({"approval": True}, {"own_names": False})
    approval: Annotated[bool | None, about("Whether you let everybody in by hand.")] = None
    own_names: Annotated[bool | None, about("Whether nicknames may be typed.")] = None


class Asked(Body):
    """Somebody who waits to be let in, or everybody who does."""

    model_config = examples({"asked": 12}, {})
    asked: Annotated[
        int | None, Field(ge=1, le=1_000_000, description="The number of the request.")
    ] = None  # fmt: skip


class Line(Body):
    """A line for everybody; an empty one takes the last one away."""

    model_config = examples({"text": "Two minutes left!"})
    text: str


class Places(Body):
    """Which places of the table everybody sees."""

    model_config = examples({"top_only": True})
    top_only: Annotated[bool, about("Whether only you are shown places after the fifth.")]


class OnWall(Body):
    """A mistake of a game that is over, to be discussed on the wall."""

    model_config = examples({"game": "V3b1tq0k9Zfx", "ply": 7, "answer": False}, {})
    game: Annotated[
        str | None, StringConstraints(max_length=40), about("Without one, the wall is as before.")
    ] = None  # fmt: skip
    ply: Annotated[int, Field(ge=1, le=1000, description="Which move it was.")] = 1
    answer: Annotated[bool, about("Whether the better move is shown, too.")] = False


class Pair(Body):
    """Whom to pair: two players, or everybody who is free."""

    model_config = examples({}, {"players": [3, 7]})
    players: Annotated[
        tuple[Player, Player] | None, about("Two free players; the first one begins.")
    ] = None  # fmt: skip
    game: Annotated[GameText | None, about("The `text` of one of the event's games.")] = None


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
    nickname: Annotated[str, about("Without one, the name of its level.")] = ""
