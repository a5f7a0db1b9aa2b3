"""Which players are connected to which process, where several serve together.

Each process writes who is connected to it, and renews a lease: when a process dies, its players are
away as soon as its lease runs out.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update
from sqlalchemy.dialects import postgresql

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
        """For each process the time until which it counts as alive."""

    def seats(self, game: str) -> set[int]:
        """The seats that watch a game over other processes."""
        now = time.time()
        return {
            seat
            for seat, process in self._remote.get(game, ())
            if self._leases.get(process, 0.0) > now
        }

    def load(self, game: str, rows: Iterable[tuple[int, str, float]]) -> None:
        """Replace what is known of a game by what the database says."""
        self._remote.pop(game, None)
        for seat, process, until in rows:
            if process != self._database.process:
                self._remote[game].add((seat, process))
                self._leases[process] = max(until, self._leases.get(process, 0.0))

    def drop(self, game: str) -> None:
        """Drop what is known of a game that is not in memory any more."""
        self._remote.pop(game, None)

    def on_notification(self, payload: dict[str, Any], *, known: bool) -> None:
        """Another process renewed its lease, or somebody came or went at a game there. `known` says
        whether the game is in memory here."""
        self._leases[payload["process"]] = payload["until"]
        if known:
            place = payload["seat"], payload["process"]
            places = self._remote[payload["game"]]
            (places.add if payload["here"] else places.discard)(place)

    def expired(self) -> list[str]:
        """The games that were watched over a process whose lease has run out since."""
        now = time.time()
        gone = {process for process, until in self._leases.items() if until <= now}
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
            self._database.notify(
                connection, {**row, "here": here, "until": time.time() + LEASE_SECONDS}
            )

        with suppress(Unavailable):  # The next renewal of the lease, or its end, puts it right.
            await self._database.write(game, write)

    async def renew_lease(self, present: list[tuple[str, int]]) -> None:
        """Renew the lease, and delete the rows of processes that died. If this process was taken
        for dead, because it could not reach the database, it writes again who is connected."""
        until = time.time() + LEASE_SECONDS
        row = {"process": self._database.process, "until": until}

        def write(connection: Connection) -> None:
            if connection.execute(_RENEW, {"mine": row["process"], "until": until}).rowcount == 0:
                connection.execute(_REGISTER, row)
                for game, seat in present:
                    place = {"game": game, "seat": seat, "process": row["process"]}
                    connection.execute(_INSERT, place)
                    self._database.notify(connection, {**place, "here": True, "until": until})
            connection.execute(_DELETE_EXPIRED, {"now": time.time() - LEASE_SECONDS})
            connection.execute(_DELETE_ORPHANS)
            self._database.notify(connection, row)

        await self._database.write("", write)

    async def release_lease(self) -> None:
        """Delete the rows of this process, which is shutting down."""

        def write(connection: Connection) -> None:
            connection.execute(delete(presence).where(presence.c.process == self._database.process))
            connection.execute(
                delete(processes).where(processes.c.process == self._database.process)
            )
            self._database.notify(connection, {"process": self._database.process, "until": 0.0})

        await self._database.write("", write)


SEATS_PRESENT = (
    select(presence.c.seat, presence.c.process, processes.c.until)
    .join(processes, processes.c.process == presence.c.process)
    .where(presence.c.game == bindparam("id"))
)
"""The seats that watch a game, each with its process and the end of that process's lease."""
_INSERT = postgresql.insert(presence).on_conflict_do_nothing()
_DELETE = delete(presence).where(
    presence.c.game == bindparam("game"),
    presence.c.seat == bindparam("seat"),
    presence.c.process == bindparam("process"),
)
_RENEW = (
    update(processes)
    .where(processes.c.process == bindparam("mine"))
    .values(until=bindparam("until"))
)
_REGISTER = insert(processes)
_DELETE_EXPIRED = delete(processes).where(processes.c.until < bindparam("now"))
_DELETE_ORPHANS = delete(presence).where(presence.c.process.not_in(select(processes.c.process)))
