"""Which players are connected to which process, if several serve together.

Each process writes who is connected to it, and renews a lease: when a process dies, its players are
away as soon as its lease expires. Clocks need not agree: leases in the database end by its clock,
and processes tell each other how long a lease lasts, not until when.
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from typing import Any

from sqlalchemy import (
    Connection,
    Float,
    bindparam,
    cast,
    delete,
    extract,
    func,
    insert,
    or_,
    select,
    text,
    update,
)

from numduel.web.http.errors import Unavailable
from numduel.web.storage.database import Database
from numduel.web.storage.schema import games, presence, processes

LEASE_SECONDS = 12.0
"""Seconds for which a process counts as alive after it has renewed its lease."""
MAX_NEWS = 100
"""People in one notification: PostgreSQL takes 8,000 bytes."""
News = dict[tuple[str, int], bool]
"""Whether somebody is there, by game and seat."""


class Presence:
    """What this process knows about the players who are connected to others."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._remote: defaultdict[str, set[tuple[int, str]]] = defaultdict(set)
        """For each game the seats that watch over other processes, with the process."""
        self._expected: dict[str, list[tuple[int, str, bool]]] = {}
        """For each game that is being read, who has come or gone meanwhile, and where."""
        self._leases: dict[str, float] = {}
        """Until when each process counts as alive, by the clock of this process."""
        self._news: News = {}
        """Who has come or gone here, and the other processes do not know yet."""
        self._telling = False
        """Whether they are being told, or will be in a moment."""

    def seats(self, game: str) -> set[int]:
        """The seats that watch a game over other processes."""
        return {seat for seat, process in self._remote.get(game, ()) if self._alive(process)}

    def _alive(self, process: str) -> bool:
        return self._leases.get(process, 0.0) > time.monotonic()

    def chosen(self, id: str) -> bool:
        """Whether this process does what only one has to do for a game. Each of those that are
        alive has its share of the games, and takes over a part of the share of one that dies
        (rendezvous hashing). For a moment two may differ about who is alive."""
        mine = self._database.process
        alive = (mine, *filter(self._alive, self._leases))
        return mine == max(alive, key=lambda process: blake2b(f"{process} {id}".encode()).digest())

    def read(self, connection: Connection, game: str) -> list[tuple[int, str, float]]:
        """The seats that watch a game, each with its process and the seconds left of its lease;
        none with SQLite, which only one process serves."""
        if not self._database.postgresql:
            return []
        return [(row[0], row[1], row[2]) for row in connection.execute(_PRESENT, {"id": game})]

    def watched(self, connection: Connection, event: str) -> set[str]:
        """The games of an event that are watched over another living process."""
        if not self._database.postgresql:
            return set()
        mine = self._database.process
        return set(connection.execute(_WATCHED, {"event": event, "mine": mine}).scalars())

    def expect(self, game: str) -> None:
        """Note that a game is about to be read: news until it is loaded may be newer."""
        self._expected[game] = []

    def load(self, game: str, rows: Iterable[tuple[int, str, float]]) -> bool:
        """Replace what is known of a game by what the database has. Returns whether it changed."""
        before = self.seats(game)
        self._remote.pop(game, None)
        for seat, process, left in rows:
            if process != self._database.process:
                self._remote[game].add((seat, process))
                until = time.monotonic() + left
                self._leases[process] = max(until, self._leases.get(process, 0.0))
        for seat, process, here in self._expected.pop(game, ()):
            self._move(game, seat, process, here)
        return self.seats(game) != before

    def _move(self, game: str, seat: int, process: str, here: bool) -> None:
        places = self._remote[game]
        (places.add if here else places.discard)((seat, process))

    def drop(self, game: str) -> None:
        """Forget a game that is no longer in memory."""
        self._remote.pop(game, None)
        self._expected.pop(game, None)

    def on_notification(self, payload: dict[str, Any], known: Callable[[str], bool]) -> set[str]:
        """Handle news from another process: it renewed its lease, or people came or went there.
        Returns the games that changed. `known` says whether a game is in memory here."""
        process, changed = payload["process"], set()
        if not self._alive(process):  # It was taken for dead: it or this one was paused.
            changed = {
                game for game, places in self._remote.items()
                if any(process == other for _, other in places)
            }  # fmt: skip
        self._leases[process] = time.monotonic() + payload["lease"]
        for game, seat, here in payload.get("news", ()):
            if known(game):
                self._move(game, seat, process, here)
                if game in self._expected:
                    self._expected[game].append((seat, process, here))
                changed.add(game)
        return changed

    def expired(self) -> list[str]:
        """The games that were watched over a process whose lease has expired since."""
        gone = {process for process in self._leases if not self._alive(process)}
        for process in gone:
            del self._leases[process]
        return [
            game for game, places in self._remote.items()
            if any(process in gone for _, process in places)
        ]  # fmt: skip

    def note(self, game: str, seat: int, *, here: bool) -> bool:
        """Note that somebody came or went here. Returns whether `tell` must be called."""
        self._news[game, seat] = here
        under_way, self._telling = self._telling, True
        return not under_way

    async def tell(self) -> None:
        """Tell the other processes who came or went, many at once: a class comes together."""
        try:
            while self._news:
                news, self._news = self._news, {}
                with suppress(Unavailable):  # A renewed lease, or its end, puts it right.
                    await self._database.write("", partial(self._write, news))
        finally:
            self._telling = False

    def _write(self, news: News, connection: Connection) -> None:
        for statement, wanted in ((_INSERT, True), (_DELETE, False)):
            rows = [
                {"game": game, "seat": seat}
                for (game, seat), here in news.items()
                if here is wanted
            ]
            if rows:
                told = {"rows": json.dumps(rows), "process": self._database.process}
                connection.execute(statement, told)
        changes = [(game, seat, here) for (game, seat), here in news.items()]
        for start in range(0, len(changes), MAX_NEWS):
            some = changes[start : start + MAX_NEWS]
            self._database.notify({"lease": LEASE_SECONDS, "news": some})

    async def renew_lease(self, present: list[tuple[str, int]]) -> None:
        """Renew the lease, and delete the rows of dead processes. If this one was taken for dead,
        because it could not reach the database, write again who is connected."""
        mine = self._database.process
        row = {"mine": mine, "lease": LEASE_SECONDS}

        def write(connection: Connection) -> None:
            if connection.execute(_RENEW, row).rowcount == 0:
                connection.execute(_REGISTER, row)
                self._write(dict.fromkeys(present, True), connection)
            connection.execute(_DELETE_EXPIRED, {"lease": LEASE_SECONDS})
            connection.execute(_DELETE_ORPHANS)
            self._database.notify({"lease": LEASE_SECONDS})

        await self._database.write("", write)

    async def release_lease(self) -> None:
        """Delete the rows of this process, which is shutting down."""

        def write(connection: Connection) -> None:
            connection.execute(delete(presence).where(presence.c.process == self._database.process))
            connection.execute(
                delete(processes).where(processes.c.process == self._database.process)
            )
            self._database.notify({"lease": 0.0})

        await self._database.write("", write)


_LEASE = bindparam("lease", type_=Float)
_NOW = cast(extract("epoch", func.clock_timestamp()), Float)
_PRESENT = (
    select(presence.c.seat, presence.c.process, processes.c.until - _NOW)
    .join(processes, processes.c.process == presence.c.process)
    .where(presence.c.game == bindparam("id"))
)
_WATCHED = (
    select(presence.c.game)
    .join(processes, processes.c.process == presence.c.process)
    .join(games, games.c.id == presence.c.game)
    .where(
        games.c.event == bindparam("event"),
        presence.c.process != bindparam("mine"),
        processes.c.until > _NOW,
    )
)
_ROWS = "json_to_recordset(:rows) AS rows (game text, seat int)"
_INSERT = text(
    "INSERT INTO presence (game, seat, process)"
    f" SELECT game, seat, :process FROM {_ROWS} ON CONFLICT DO NOTHING"
)
_DELETE = text(
    f"DELETE FROM presence USING {_ROWS} WHERE presence.process = :process"
    " AND presence.game = rows.game AND presence.seat = rows.seat"
)
_RENEW = (
    update(processes).where(processes.c.process == bindparam("mine")).values(until=_NOW + _LEASE)
)
_REGISTER = insert(processes).values(process=bindparam("mine"), until=_NOW + _LEASE)
_EXPIRED = select(processes.c.process).where(
    or_(
        processes.c.until < _NOW - _LEASE,
        # The clock of the database was put back since. Whoever is alive begins a new lease.
        processes.c.until > _NOW + _LEASE,
    )
)
_DELETE_EXPIRED = delete(processes).where(
    processes.c.process.in_(_EXPIRED.with_for_update(skip_locked=True))
)
_DELETE_ORPHANS = delete(presence).where(presence.c.process.not_in(select(processes.c.process)))
