"""The games in which somebody has a seat, found by what they can prove."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, String, bindparam, func, select, union

from numduel.core.errors import NumduelError
from numduel.core.view import view
from numduel.web import schema
from numduel.web.database import Database
from numduel.web.keys import Proof, digest
from numduel.web.registry import fold
from numduel.web.room import Room

PAGE = 50
"""Games that are told at once: each has to be folded from its log."""


async def my_games(database: Database, proof: Proof, skip: int) -> dict[str, Any]:
    """The games of somebody, the latest first, and how many there are."""
    hashes = [digest(secret) for secret in proof]

    def read(connection: Connection) -> dict[str, Any]:
        found = connection.execute(_MINE, {"hashes": hashes}).all()
        told = (_told(connection, id, at, proof) for id, at in found[skip : skip + PAGE])
        return {"games": [game for game in told if game is not None], "total": len(found)}

    return await database.read(read) if hashes else {"games": [], "total": 0}


async def has_games(database: Database, proof: Proof) -> bool:
    """Whether somebody has a seat in any game."""
    hashes = [digest(secret) for secret in proof]
    statement = _MINE.limit(1)
    return await database.read(
        lambda connection: connection.execute(statement, {"hashes": hashes}).first() is not None
    )


def _told(connection: Connection, id: str, at: float, proof: Proof) -> dict[str, Any] | None:
    """A game in a few words; None if it cannot be played here, or the seat is somebody else's."""
    try:
        room = fold(connection, id)
    except NumduelError:
        return None
    seat = room.seat_of(proof)
    return None if seat is None else _summary(room, seat, at)


def _summary(room: Room, seat: int, at: float) -> dict[str, Any]:
    state, seats = room.match.state, sorted(room.seats.items())
    return {
        "id": room.id,
        "called": state.game.called,
        "names": list(room.names),
        "you": seat,
        "one_screen": room.one_screen,
        "moves": len(state.moves),
        "players": [one.player for _, one in seats],
        "seats": [one.taken for _, one in seats],
        "to_move": None if room.over else state.to_move,
        "status": view(state, room.names).status,
        "winner": state.winner,
        "at": at,
    }


_hashes = bindparam("hashes", type_=String, expanding=True)
_found = union(
    select(schema.seats.c.game).where(schema.seats.c.token.in_(_hashes)),
    select(schema.log.c.game).where(
        schema.log.c.token.in_(_hashes), schema.log.c.kind.in_(("join", "key"))
    ),
).subquery()
_last = func.coalesce(func.max(schema.log.c.at), func.max(schema.games.c.created)).label("last")
_MINE = (
    select(_found.c.game, _last)
    .join(schema.games, schema.games.c.id == _found.c.game)
    .outerjoin(schema.log, schema.log.c.game == _found.c.game)
    .group_by(_found.c.game)
    .order_by(_last.desc(), _found.c.game)
)
