"""Who looks on over which process, where several serve together.

Each process writes down who is with it, and renews a lease on its own life: whoever was with
a process that died is away when the lease runs out.
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

LEASE = 12.0
"""Seconds for which a process counts as alive after it last said so."""


class Presence:
    """What this process knows of those who are with others."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._with: defaultdict[str, set[tuple[int, str]]] = defaultdict(set)
        """For each game, the seats that look on elsewhere and over which process."""
        self._alive: dict[str, float] = {}

    def seats(self, game: str) -> set[int]:
        """The seats that look on at a game over other processes."""
        now = time.time()
        return {
            seat
            for seat, process in self._with.get(game, ())
            if self._alive.get(process, 0.0) > now
        }

    def learn(self, game: str, rows: Iterable[tuple[int, str, float]]) -> None:
        """What the database says about a game."""
        self._with.pop(game, None)
        for seat, process, until in rows:
            if process != self._database.process:
                self._with[game].add((seat, process))
                self._alive[process] = max(until, self._alive.get(process, 0.0))

    def forget(self, game: str) -> None:
        """Nobody here asks about a game any more."""
        self._with.pop(game, None)

    def heard(self, what: dict[str, Any], *, known: bool) -> None:
        """A process says that it lives, or that somebody came or went at a game, which may be
        known here or not."""
        self._alive[what["process"]] = what["until"]
        if known:
            place = what["seat"], what["process"]
            there = self._with[what["game"]]
            (there.add if what["here"] else there.discard)(place)

    def dead(self) -> list[str]:
        """The games at which somebody looked on over a process that has died since."""
        now = time.time()
        gone = {process for process, until in self._alive.items() if until <= now}
        for process in gone:
            del self._alive[process]
        return [
            game for game, places in self._with.items()
            if any(process in gone for _, process in places)
        ]  # fmt: skip

    async def say(self, game: str, seat: int, *, here: bool) -> None:
        """Tell the other processes that somebody came or went."""
        row = {"game": game, "seat": seat, "process": self._database.process}

        def writing(connection: Connection) -> None:
            connection.execute(_COME if here else _GO, row)
            self._database.announce(connection, {**row, "here": here, "until": time.time() + LEASE})

        with suppress(Unavailable):  # Nobody need know: the lease is renewed, or runs out.
            await self._database.write(game, writing)

    async def live(self, present: list[tuple[str, int]]) -> None:
        """Renew the lease, and clear away what the dead left behind. Who was taken for dead, since
        the database was away, says again who is present here."""
        until = time.time() + LEASE
        row = {"process": self._database.process, "until": until}

        def writing(connection: Connection) -> None:
            if connection.execute(_RENEW, {"mine": row["process"], "until": until}).rowcount == 0:
                connection.execute(_LIVE, row)
                for game, seat in present:
                    place = {"game": game, "seat": seat, "process": row["process"]}
                    connection.execute(_COME, place)
                    self._database.announce(connection, {**place, "here": True, "until": until})
            connection.execute(_BURY, {"now": time.time() - LEASE})
            connection.execute(_CLEAR)
            self._database.announce(connection, row)

        await self._database.write("", writing)

    async def leave(self) -> None:
        """This process goes down in good order."""

        def writing(connection: Connection) -> None:
            connection.execute(delete(presence).where(presence.c.process == self._database.process))
            connection.execute(
                delete(processes).where(processes.c.process == self._database.process)
            )
            self._database.announce(connection, {"process": self._database.process, "until": 0.0})

        await self._database.write("", writing)


KNOWN = (
    select(presence.c.seat, presence.c.process, processes.c.until)
    .join(processes, processes.c.process == presence.c.process)
    .where(presence.c.game == bindparam("id"))
)
"""Who looks on at a game, over which process, and how long that is sure to live."""
_COME = postgresql.insert(presence).on_conflict_do_nothing()
_GO = delete(presence).where(
    presence.c.game == bindparam("game"),
    presence.c.seat == bindparam("seat"),
    presence.c.process == bindparam("process"),
)
_RENEW = (
    update(processes)
    .where(processes.c.process == bindparam("mine"))
    .values(until=bindparam("until"))
)
_LIVE = insert(processes)
_BURY = delete(processes).where(processes.c.until < bindparam("now"))
_CLEAR = delete(presence).where(presence.c.process.not_in(select(processes.c.process)))
