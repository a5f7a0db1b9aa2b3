"""The clock of events: the seconds for which servers have looked after the events of a database.

The clock of the machine is no use for that: somebody may set it, and it goes on while there is no
server. This one runs only while there is a server. It goes by the monotonic clock, and while an
event runs it is written every second, so that after a restart it goes on where it stopped. Of the
processes that serve one database, all keep to the one that is ahead. It began with the seconds
since 1970, so that the entries of older logs come before those of newer ones.
"""

from __future__ import annotations

import time

from sqlalchemy import Connection, bindparam, select, update

from numduel.web.storage.database import Database
from numduel.web.storage.schema import server

JUMP_SECONDS = 1.0
"""Seconds by which the clock may be put on without anybody who counts down noticing."""
GAP_SECONDS = 5.0
"""Seconds that may pass between two beats; what is longer does not count, because the process or
its database was away."""


class Uptime:
    """The clock of events, in one process."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._then = 0.0
        """What it said at the last beat."""
        self._beaten = time.monotonic()
        """When that was."""
        self._jumped = False

    def now(self) -> float:
        """What the clock says. It stands still if it has not been beaten for long."""
        return self._then + min(time.monotonic() - self._beaten, GAP_SECONDS)

    def beat(self) -> None:
        """Go on: the events are being looked after."""
        self._jumped |= time.monotonic() - self._beaten > GAP_SECONDS
        self._then, self._beaten = self.now(), time.monotonic()

    def reach(self, at: float) -> None:
        """Be no earlier than another process is, or an entry that has been written."""
        if (ahead := at - self.now()) > 0:
            self._jumped |= ahead > JUMP_SECONDS
            self._then, self._beaten = at, time.monotonic()

    def jumped(self) -> bool:
        """Whether it has stood still or been put on since this was last asked, so that whoever
        counts down has to be told the time again."""
        jumped, self._jumped = self._jumped, False
        return jumped

    async def load(self) -> None:
        """Go on where the last server ended."""
        self.reach(await self._database.read(_read))
        self._jumped = False

    async def save(self) -> None:
        """Go on, and write how far the clock has come, here or at another process."""
        now = self.now()

        def write(connection: Connection) -> float:
            connection.execute(_SAVE, {"now": now})
            self._database.notify({"uptime": now})
            return _read(connection)

        furthest = await self._database.write("", write)
        self.beat()
        self.reach(furthest)


def _read(connection: Connection) -> float:
    return float(connection.execute(_UPTIME).scalar_one())


_UPTIME = select(server.c.uptime)
_SAVE = update(server).where(server.c.uptime < bindparam("now")).values(uptime=bindparam("now"))
