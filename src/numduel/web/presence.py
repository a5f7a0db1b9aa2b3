"""Which players are connected to which process, where several serve together.

Each process writes who is connected to it, and renews a lease: when a process dies, its players are
away as soon as its lease runs out. Clocks need not agree: leases in the database end by its clock,
and processes tell each other how long a lease lasts, not until when.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
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
    select,
    text,
    update,
)

from numduel.web.database import Database
from numduel.web.errors import Unavailable
from numduel.web.schema import presence, processes

LEASE_SECONDS = 12.0
"""How long a process counts as alive after it renewed its lease."""


class Presence:
    """What this process knows of the players who are connected to others."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._remote: defaultdict[str, set[tuple[int, str]]] = defaultdict(set)
        """For each game the seats that watch over other processes, and over which."""
        self._leases: dict[str, float] = {}
        """For each process until when it counts as alive, by the clock of this process."""

    def seats(self, game: str) -> set[int]:
        """The seats that watch a game over other processes."""
        return {seat for seat, process in self._remote.get(game, ()) if self._alive(process)}

    def _alive(self, process: str) -> bool:
        return self._leases.get(process, 0.0) > time.monotonic()

    def read(self, connection: Connection, game: str) -> list[tuple[int, str, float]]:
        """The seats that watch a game, each with its process and the seconds left of its lease;
        none in a SQLite file, which one process serves."""
        if not self._database.postgresql:
            return []
        return [(row[0], row[1], row[2]) for row in connection.execute(_PRESENT, {"id": game})]

    def load(self, game: str, rows: Iterable[tuple[int, str, float]]) -> None:
        """Replace what is known of a game by what the database says."""
        self._remote.pop(game, None)
        for seat, process, left in rows:
            if process != self._database.process:
                self._remote[game].add((seat, process))
                until = time.monotonic() + left
                self._leases[process] = max(until, self._leases.get(process, 0.0))

    def drop(self, game: str) -> None:
        """Drop what is known of a game that is not in memory any more."""
        self._remote.pop(game, None)

    def on_notification(self, payload: dict[str, Any], *, known: bool) -> set[str]:
        """Another process renewed its lease, or somebody came or went at a game there; the games
        that look different now. `known` says whether the game is in memory here."""
        process, changed = payload["process"], set()
        if not self._alive(process):  # It was taken for dead, because it or this one was paused.
            changed = {
                game for game, places in self._remote.items()
                if any(process == other for _, other in places)
            }  # fmt: skip
        self._leases[process] = time.monotonic() + payload["lease"]
        if known:
            places = self._remote[payload["game"]]
            (places.add if payload["here"] else places.discard)((payload["seat"], process))
            changed.add(payload["game"])
        return changed

    def expired(self) -> list[str]:
        """The games that were watched over a process whose lease has run out since."""
        gone = {process for process in self._leases if not self._alive(process)}
        for process in gone:
            del self._leases[process]
        return [
            game for game, places in self._remote.items()
            if any(process in gone for _, process in places)
        ]  # fmt: skip

    async def announce(self, game: str, seat: int, *, here: bool) -> None:
        """Tell the other processes that somebody came or went."""
        row = {"game": game, "seat": seat, "process": self._database.process}

        def write(connection: Connection) -> None:
            connection.execute(_INSERT if here else _DELETE, row)
            self._database.notify(connection, {**row, "here": here, "lease": LEASE_SECONDS})

        with suppress(Unavailable):  # The next renewal of the lease, or its end, puts it right.
            await self._database.write(game, write)

    async def renew_lease(self, present: list[tuple[str, int]]) -> None:
        """Renew the lease, and delete the rows of processes that died. If this process was taken
        for dead, because it could not reach the database, it writes again who is connected."""
        mine = self._database.process
        row = {"mine": mine, "lease": LEASE_SECONDS}

        def write(connection: Connection) -> None:
            if connection.execute(_RENEW, row).rowcount == 0:
                connection.execute(_REGISTER, row)
                for game, seat in present:
                    place = {"game": game, "seat": seat, "process": mine}
                    connection.execute(_INSERT, place)
                    self._database.notify(
                        connection, {**place, "here": True, "lease": LEASE_SECONDS}
                    )
            connection.execute(_DELETE_EXPIRED, {"lease": LEASE_SECONDS})
            connection.execute(_DELETE_ORPHANS)
            self._database.notify(connection, {"lease": LEASE_SECONDS})

        await self._database.write("", write)

    async def release_lease(self) -> None:
        """Delete the rows of this process, which is shutting down."""

        def write(connection: Connection) -> None:
            connection.execute(delete(presence).where(presence.c.process == self._database.process))
            connection.execute(
                delete(processes).where(processes.c.process == self._database.process)
            )
            self._database.notify(connection, {"lease": 0.0})

        await self._database.write("", write)


_LEASE = bindparam("lease", type_=Float)
_NOW = cast(extract("epoch", func.clock_timestamp()), Float)
_PRESENT = (
    select(presence.c.seat, presence.c.process, processes.c.until - _NOW)
    .join(processes, processes.c.process == presence.c.process)
    .where(presence.c.game == bindparam("id"))
)
_INSERT = text(
    "INSERT INTO presence (game, seat, process) VALUES (:game, :seat, :process)"
    " ON CONFLICT DO NOTHING"
)
_DELETE = delete(presence).where(
    presence.c.game == bindparam("game"),
    presence.c.seat == bindparam("seat"),
    presence.c.process == bindparam("process"),
)
_RENEW = (
    update(processes).where(processes.c.process == bindparam("mine")).values(until=_NOW + _LEASE)
)
_REGISTER = insert(processes).values(process=bindparam("mine"), until=_NOW + _LEASE)
_DELETE_EXPIRED = delete(processes).where(processes.c.until < _NOW - _LEASE)
_DELETE_ORPHANS = delete(presence).where(presence.c.process.not_in(select(processes.c.process)))
