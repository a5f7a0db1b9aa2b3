"""Games as plain data: what everybody is sent, and what a newcomer is sent besides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, NotRequired

import orjson
from typing_extensions import TypedDict

from numduel.core.language import language
from numduel.core.text import HUMAN
from numduel.web import positions
from numduel.web.games.room import Room
from numduel.web.http.described import about


class Again(TypedDict):
    """The rematch."""

    offered: Annotated[int | None, about("The seat that offers one.")]
    game: Annotated[str | None, about("Its id, once both have agreed.")]


class Said(TypedDict):
    """What a player said last."""

    what: str
    at: Annotated[float, about("When, in seconds since 1970: a later remark has a later time.")]


class GameClock(TypedDict):
    """How much time the players of a game have, in an event with a clock."""

    left: Annotated[
        tuple[float, float],
        about("Seconds that each seat had when the turn or a pause began."),
    ]
    ends: Annotated[
        float | None,
        about("When the player to move runs out of time; null while the clock stands still."),
    ]


class Asking(TypedDict):
    """Somebody who asks for the free seat."""

    number: Annotated[int, about("The number of the request.")]
    name: str


class Constant(positions.Constant):
    """The part of a game that no move changes."""

    id: str
    event: Annotated[str | None, about("The code of the event it belongs to.")]
    players: list[str]
    seats: Annotated[list[bool], about("Which seats are taken.")]
    brief: positions.Brief
    two_people: bool
    one_screen: Annotated[
        bool, about("Whether both play on one screen: one token then moves for either seat.")
    ]


class Changing(positions.Changing):
    """The part of a game that moves and other actions change."""

    number: Annotated[int, about("Goes up whenever something happens.")]
    present: Annotated[list[bool], about("Whether each player is connected.")]
    score: Annotated[
        tuple[int, ...],
        about("Games that each seat has won, in this one and those before it."),
    ]
    clock: Annotated[GameClock | None, about("In an event with a clock, until the game is over.")]
    estimated: Annotated[bool, about("Whether the computer plays by estimates.")]
    requests: Annotated[list[Asking], about("Requests for the free seat, until it is taken.")]
    remarks: Annotated[
        list[Said | None], about("What each seat said last; it is not kept for long.")
    ]
    newcomer: Annotated[
        int | None,
        about("The seat of a player who has joined but not moved yet: it can be offered again."),
    ]
    help: Annotated[
        list[str],
        about("The help that was used so far: hint, values, or undo for moves taken back."),
    ]
    undo: Annotated[int | None, about("The seat that asks to take a move back.")]
    undoable: Annotated[list[bool], about("Whether each seat has a move to take back.")]
    rematch: Again


class Game(Constant, Changing):
    """A game being played."""


class Snapshot(TypedDict):
    """A game and your seat in it, as the live channel sends them."""

    you: int | None
    game: Game


class Seated(Snapshot):
    """A game in which you have just taken a seat."""

    id: str
    seat: int
    token: Annotated[str | None, about("Proves your seat: send it as a bearer token.")]
    invite: NotRequired[Annotated[str | None, about("For one friend: `/play/{id}#{invite}`.")]]


class Invited(Snapshot):
    """A game whose other seat you offer."""

    invite: Annotated[str, about("For one friend: `/play/{id}#{invite}`.")]


class Requested(Snapshot):
    """A game whose free seat you have asked for."""

    request: Annotated[int, about("Its number, in `requests` until it is answered.")]
    token: Annotated[str | None, about("Proves your seat once you have it.")]


def serialise(
    room: Room,
    present: Iterable[int],
    remarks: Mapping[int, Said],
    clock: GameClock | None = None,
) -> str:
    """The JSON that players and spectators are sent. `present` are the seats of the people who are
    connected, `remarks` what each seat said last, `clock` is what its event adds."""
    connected = set(present)
    if room.one_screen and connected:
        connected = {1, 2}
    changing: Changing = {
        "number": room.number,
        **positions.changing(room.match.state, room.names),
        "present": [
            room.seats[number].player != HUMAN or number in connected for number in (1, 2)
        ],
        "score": room.score,
        "clock": clock,
        "estimated": room.estimated,
        "requests": [
            {"number": number, "name": request.name} for number, request in room.requests.items()
        ],
        "remarks": [remarks.get(number) for number in (1, 2)],
        "newcomer": None if room.over else room.newcomer,
        "help": sorted(room.match.help),
        "undo": room.undo_asked_by,
        "undoable": [room.undo_refusal(number) is None for number in (1, 2)],
        "rematch": {"offered": room.rematch_offered_by, "game": room.rematch},
    }  # fmt: skip
    return f"{orjson.dumps(changing).decode()[:-1]},{_constant_part(room)}"


def _constant_part(room: Room) -> str:
    """The JSON of what no move changes, which the room keeps in each language that is asked for."""
    kept, code = room.constant, language()
    if code not in kept:
        kept[code] = orjson.dumps(_constant(room)).decode()[1:]
    return kept[code]


def _constant(room: Room) -> Constant:
    game, seats = room.match.state.game, (room.seats[1], room.seats[2])
    return {
        "id": room.id,
        "event": room.event,
        **positions.constant(game, room.names, forgiving=room.header["forgiving"]),
        "players": [seat.player for seat in seats],
        "seats": [seat.taken for seat in seats],
        "brief": game.brief,
        "two_people": room.two_people,
        "one_screen": room.one_screen,
    }
