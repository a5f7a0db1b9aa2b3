"""The games in which somebody has a seat."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated

from sqlalchemy import Connection, String, bindparam, case, func, select, union
from typing_extensions import TypedDict

from numduel.core.errors import NumduelError
from numduel.core.language import N_, language
from numduel.core.text import name_told
from numduel.core.view import view
from numduel.play.record import Record
from numduel.play.statistics import Played, Statistics, statistics
from numduel.play.store import worth_listing
from numduel.web.games.live import LiveGames
from numduel.web.games.room import Room
from numduel.web.http.described import about
from numduel.web.http.errors import Overloaded
from numduel.web.http.middleware.client import current_address
from numduel.web.people.keys import Proof, digest, matching
from numduel.web.people.known import KnownKeys
from numduel.web.positions import Called
from numduel.web.solving.fair import FairLock, half
from numduel.web.storage import schema
from numduel.web.storage.database import Database

PAGE = 20
"""Games on a page: each has to be folded from its log."""
MAX_COUNTED = 1_000
"""The latest games of somebody, which are counted."""
BATCH = 100
"""Games that are folded for that in one turn."""
MAX_OVER = 10_000
"""Games that are over and need not be folded again."""
MAX_WAITING = 100
"""Lists that may wait."""
MAX_WAITING_OF_ADDRESS = 40
"""Lists of one address that may wait, half of them for one key; a class has one address."""


Seated = tuple[Room, int, float]
"""A game, the seat of who is asking, and when something last happened."""


class GameSummary(TypedDict):
    """A game in which you have a seat, in a few words."""

    id: str
    called: Called
    names: list[str]
    you: int
    one_screen: bool
    players: list[str]
    moves: Annotated[int, about("How many have been made.")]
    seats: Annotated[list[bool], about("Which seats are taken.")]
    to_move: int | None
    status: str
    winner: int | None
    closed: Annotated[bool, about("Whether its event ended first, so that it cannot go on.")]
    help: Annotated[list[str], about("The help that was used: hint, values, undo.")]
    at: Annotated[float, about("When something last happened, in seconds since 1970.")]


class MyGames(TypedDict):
    """Games in which you have a seat, the latest first, without those that nobody misses: games in
    which nobody has moved yet, and games against the computer that were left after one move."""

    games: list[GameSummary]
    unlisted: Annotated[list[str], about("The ids of those on this page that nobody misses.")]
    total: Annotated[int, about("How many there are, also those that are not listed.")]
    next: Annotated[int | None, about("How many to `skip` for the next page; null on the last.")]


class GameLists:
    """Reads lists of games one after the other: each takes long, and other readers of the database
    must not wait for them. Those who ask share the time."""

    def __init__(self, database: Database, known: KnownKeys) -> None:
        self._database = database
        self._known = known
        self._turns = FairLock()
        self._lists: dict[tuple[Proof, int, str], asyncio.Task[MyGames]] = {}
        """The pages that wait to be read, by whose they are and their language: for all who ask for
        the same."""
        self._over: dict[str, tuple[list[str | None], Played]] = {}
        """What counts of games that are over, which never changes, and the hashes of who sat
        there."""

    async def read(self, proof: Proof, skip: int) -> MyGames:
        """A page of somebody's games, the latest first. It is read after this was asked, once for
        everybody who asks for it while it waits."""
        if not proof:
            return {"games": [], "unlisted": [], "total": 0, "next": None}
        asked = proof, skip, language()
        if asked not in self._lists:
            path = self._path(proof)
            self._lists[asked] = asyncio.ensure_future(self._read(proof, skip, path))
        return await asyncio.shield(self._lists[asked])

    async def _read(self, proof: Proof, skip: int, path: tuple[str, str]) -> MyGames:
        hashes = [digest(secret) for secret in proof]

        def read(connection: Connection) -> MyGames:
            part = {"hashes": hashes, "skip": skip}
            found = connection.execute(_SOME, part).all()
            total = connection.execute(_COUNT, {"hashes": hashes}).scalar_one()
            folded = (_folded(connection, id, at, proof) for id, at in found)
            seated = [one for one in folded if one is not None]
            listed = list(worth_listing(seated, _record, from_latest=not skip))
            after = skip + len(found)
            running = _running(connection, [room.event for room, _, _ in listed if room.event])
            return {
                "games": [_summary(*one, running) for one in listed],
                "unlisted": [one[0].id for one in seated if one not in listed],
                "total": total,
                "next": after if found and after < total else None,
            }

        async with self._turns.held(path):
            del self._lists[proof, skip, language()]
            return await self._database.read(read)

    async def statistics(self, proof: Proof) -> Statistics:
        """What somebody's latest games add up to."""
        hashes = [digest(secret) for secret in proof]
        if not hashes:
            return Statistics()
        part = {"hashes": hashes}
        ids = await self._database.read(
            lambda connection: [id for id, _ in connection.execute(_COUNTED, part)]
        )
        played: list[Played] = []
        for start in range(0, len(ids), BATCH):
            read = partial(self._some_played, ids=ids[start : start + BATCH], proof=proof)
            async with self._turns.held(self._path(proof)):
                played += await self._database.read(read)
        return statistics(played)

    def _some_played(
        self, connection: Connection, ids: Sequence[str], proof: Proof
    ) -> list[Played]:
        found = (self._played(connection, id, proof) for id in ids)
        return [one for one in found if one is not None]

    def _played(self, connection: Connection, id: str, proof: Proof) -> Played | None:
        """What counts of a game; None if nothing does. A game that is over is folded once, except
        for those who have lost their seat."""
        tokens, known = self._over.get(id, ((), None))
        if any(matching(proof, token) for token in tokens):
            return known
        folded = _folded(connection, id, 0.0, proof)
        if folded is None:
            return None
        record = _record(folded)
        if record.unplayed or record.abandoned:
            return None
        played = Played.of(id, record)
        if played.winner is not None:
            if len(self._over) >= MAX_OVER:
                self._over.clear()
            self._over[id] = [seat.token for seat in folded[0].seats.values()], played
        return played

    def _path(self, proof: Proof) -> tuple[str, str]:
        """Whose turn it will be: an address, and a known key there. Raises `Overloaded` if there is
        no room for them to wait."""
        address, seat = path = current_address.get(), self._known.first_of(proof)
        waiting = self._turns.waiting
        if (
            waiting.count(address) >= MAX_WAITING_OF_ADDRESS
            or waiting.count(address, seat) >= half(MAX_WAITING_OF_ADDRESS)
            or len(waiting) >= MAX_WAITING
        ):
            raise Overloaded(
                N_("Too many people are looking at their games just now; try again in a moment.")
            )
        return path


async def has_games(database: Database, proof: Proof) -> bool:
    """Whether somebody has a seat in any game."""
    hashes = [digest(secret) for secret in proof]
    statement = _MINE.limit(1)
    return await database.read(
        lambda connection: connection.execute(statement, {"hashes": hashes}).first() is not None
    )


def _folded(connection: Connection, id: str, at: float, proof: Proof) -> Seated | None:
    """A game, and who is asking; None if it cannot be read, or the seat has been lost."""
    try:
        room = LiveGames.fold(connection, id)
    except NumduelError:
        return None
    seat = room.seat_of(proof)
    return None if seat is None else (room, seat, at)


def _record(seated: Seated) -> Record:
    """The record of a game; one against a friend is listed even before a move."""
    room = seated[0]
    return replace(room.record, online=room.id) if room.remote else room.record


def _running(connection: Connection, codes: Sequence[str]) -> frozenset[str]:
    """Which of these events have not ended."""
    found = connection.execute(_ENDED, {"codes": codes}).scalars() if codes else ()
    return frozenset(codes).difference(found)


def _summary(room: Room, seat: int, at: float, running: Collection[str]) -> GameSummary:
    """A game in a few words, and whether it can go on, as far as its event is concerned."""
    state, seats = room.match.state, sorted(room.seats.items())
    return {
        "id": room.id,
        "called": state.game.display_name,
        "names": [*map(name_told, room.names)],
        "you": seat,
        "one_screen": room.one_screen,
        "moves": state.ply,
        "players": [one.player for _, one in seats],
        "seats": [one.taken for _, one in seats],
        "to_move": None if room.over else state.to_move,
        "status": view(state, room.names).status,
        "winner": state.winner,
        "closed": not room.over and room.event is not None and room.event not in running,
        "help": sorted(room.match.help),
        "at": at,
    }


_hashes = bindparam("hashes", type_=String, expanding=True)
_found = union(
    select(schema.seats.c.game).where(schema.seats.c.token.in_(_hashes)),
    select(schema.log.c.game).where(
        schema.log.c.token.in_(_hashes), schema.log.c.kind.in_(("join", "key"))
    ),
).subquery()
_moved = case((schema.games.c.event.is_(None), schema.log.c.at))  # Events have their own clock.
_last = func.coalesce(func.max(_moved), func.max(schema.games.c.created)).label("last")
_COUNT = select(func.count()).select_from(_found)
_MINE = (
    select(_found.c.game, _last)
    .join(schema.games, schema.games.c.id == _found.c.game)
    .outerjoin(schema.log, schema.log.c.game == _found.c.game)
    .group_by(_found.c.game)
    .order_by(_last.desc(), _found.c.game)
)
_COUNTED = _MINE.limit(MAX_COUNTED)
_SOME = _MINE.limit(PAGE).offset(bindparam("skip"))
_ENDED = select(schema.event_log.c.event).where(
    schema.event_log.c.event.in_(bindparam("codes", type_=String, expanding=True)),
    schema.event_log.c.kind == "end",
)
