"""Games as plain data: what everybody is sent, and what is added for who has just come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, NotRequired

import orjson
from typing_extensions import TypedDict

from numduel.core.text import HUMAN
from numduel.web import positions
from numduel.web.games.room import Room
from numduel.web.http.described import about


class Again(TypedDict):
    """Another game after this one."""

    offered: Annotated[int | None, about("The seat that wants one.")]
    game: Annotated[str | None, about("Its id, when both do.")]


class Said(TypedDict):
    """What a player said last."""

    what: str
    at: Annotated[float, about("When, in seconds: who has heard it knows it by this.")]


class Asking(TypedDict):
    """Somebody who asks for the free seat."""

    number: Annotated[int, about("The number of the request.")]
    name: str


class Constant(positions.Constant):
    """What no move changes in a game."""

    id: str
    event: Annotated[str | None, about("The code of the event that it belongs to.")]
    players: list[str]
    seats: Annotated[list[bool], about("Which seats are taken.")]
    brief: positions.Brief
    two_people: bool
    one_screen: Annotated[
        bool, about("Do both play on one screen? Then one token moves for either seat.")
    ]


class Changing(positions.Changing):
    """What changes in a game when something happens."""

    number: Annotated[int, about("Goes up with everything that happens.")]
    present: Annotated[list[bool], about("Who is looking on just now.")]
    score: Annotated[
        tuple[int, ...],
        about("Games that each seat won, this one and its earlier rematches."),
    ]
    estimated: Annotated[bool, about("Is the board too large for the computer to play perfectly?")]
    requests: Annotated[list[Asking], about("Those who ask for the free seat, until it is taken.")]
    remarks: Annotated[
        list[Said | None], about("What each seat said last; it is not kept for long.")
    ]
    newcomer: Annotated[
        int | None,
        about("A player who has joined and not moved yet: their seat can be offered again."),
    ]
    undo: Annotated[int | None, about("The seat that asks to take a move back.")]
    undoable: Annotated[list[bool], about("Which seats have a move that could be taken back.")]
    rematch: Again


class Game(Constant, Changing):
    """A game being played."""


class Snapshot(TypedDict):
    """A game, and your seat in it: what the live channel sends, again and again."""

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

    request: Annotated[int, about("In `requests` until it is answered.")]
    token: Annotated[str | None, about("Proves your seat as soon as it is given to you.")]


def serialise(room: Room, present: Iterable[int], remarks: Mapping[int, Said]) -> str:
    """The JSON that players and spectators are sent. `present` are the seats whose people are
    connected, `remarks` what was said last from each seat."""
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
        "estimated": room.estimated,
        "requests": [
            {"number": number, "name": request.name} for number, request in room.requests.items()
        ],
        "remarks": [remarks.get(number) for number in (1, 2)],
        "newcomer": None if room.over else room.newcomer,
        "undo": room.undo_asked_by,
        "undoable": [room.undo_refusal(number) is None for number in (1, 2)],
        "rematch": {"offered": room.rematch_offered_by, "game": room.rematch},
    }  # fmt: skip
    if not room.constant:
        room.constant = orjson.dumps(_constant(room)).decode()[1:]
    return f"{orjson.dumps(changing).decode()[:-1]},{room.constant}"


def _constant(room: Room) -> Constant:
    game, seats = room.match.state.game, (room.seats[1], room.seats[2])
    pie, forgiving = room.header["pie"], room.header["forgiving"]
    return {
        "id": room.id,
        "event": room.event,
        **positions.constant(game, room.names, pie=pie, forgiving=forgiving),
        "players": [seat.player for seat in seats],
        "seats": [seat.taken for seat in seats],
        "brief": game.brief,
        "two_people": room.two_people,
        "one_screen": room.one_screen,
    }
