"""What is in memory: loaded from the database, changed through its log, pushed to watchers."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from functools import wraps
from random import SystemRandom
from typing import Any, Generic, ParamSpec, TypeVar

from sqlalchemy import Connection, Select

from numduel.web.http import metrics
from numduel.web.http.errors import GOING_DOWN, Conflict, NoGame, Refusal, Taken, Unavailable
from numduel.web.live.bus import Bus
from numduel.web.live.live import L, Locked, Send, Watcher
from numduel.web.people.keys import Proof

log = logging.getLogger(__name__)
RETRY_SECONDS = 2.0
"""Seconds before something that failed is tried again."""
MAX_COLLISIONS = 8
"""How often something is tried that collides with other changes: a whole class may join at once."""
FIRST_WAIT = 0.005
"""Seconds before it is tried again, at most; then twice as many each time."""
P = ParamSpec("P")
T = TypeVar("T")


class Registry(ABC, Generic[L]):
    """All of a kind that somebody watches, and those that were used lately. A subclass says how
    they are read and written."""

    live: type[L]
    limit: int
    """How many may be in memory before those that nobody uses are evicted, least recently used
    first."""
    missing: type[NoGame]
    """The refusal where there is nothing of an id."""
    exists: Select[Any]
    """Finds the row of an id."""

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self._database = bus.database
        self._lives: OrderedDict[str, L] = OrderedDict()
        bus.registries[self.live.kind] = self

    # -- what a subclass says ---------------------------------------------------------------

    @abstractmethod
    def fold(self, connection: Connection, id: str) -> Any:
        """What the log of an id makes; raises `NoGame` if there is none."""

    @abstractmethod
    def entries(self, connection: Connection, id: str, after: int) -> list[Any]:
        """The entries of a log after a number."""

    @abstractmethod
    def write(self, live: L, entries: Sequence[Any], games: Sequence[Any]) -> Awaitable[bool]:
        """Write entries and the games that begin by them, and notify the other processes, unless
        the number of the first is taken; whether that was done."""

    @abstractmethod
    def written(self, live: L, entries: Sequence[Any], games: Sequence[Any]) -> None:
        """Entries were written and applied, and are about to be published."""

    @abstractmethod
    def on_notification(self, id: str, payload: dict[str, Any]) -> None:
        """Another process changed something."""

    def publish(self, live: L, *, elsewhere: bool = False) -> None:
        """Push what has changed to its watchers; `elsewhere` if another process changed it."""
        live.changed()

    def due(self, live: L) -> None:
        """Do what is due by itself, if anything is; also called where nothing has changed."""

    def channels_changed(self, live: L) -> None:
        """Somebody has begun to watch, or left."""

    def on_presence(self, id: str, *, elsewhere: bool) -> None:
        """Somebody came to another process or went, or the process ended."""

    # -- reading ----------------------------------------------------------------------------

    def __contains__(self, id: str) -> bool:
        return id in self._lives

    def in_memory(self, id: str) -> L | None:
        """What is in memory and loaded."""
        live = self._lives.get(id)
        return live if live is not None and live.loaded is not None else None

    def locked(self, id: str) -> Locked[L]:
        """Something live, loaded, with its lock held."""
        return Locked(self._live(id), self.load)

    async def who(self, live: L, proof: Proof) -> int | None:
        """Who somebody can prove to be. It may have become true over another process just now."""
        found = live.who(proof)
        if found is None and proof and await self.refresh(live):
            found = live.who(proof)
        return found

    @asynccontextmanager
    async def watch(
        self, id: str, proof: Proof, send: Send | None = None
    ) -> AsyncIterator[Watcher]:
        """A live channel."""
        if self.bus.ending:
            raise Unavailable(GOING_DOWN)
        async with self.locked(id) as live:
            watcher = Watcher(live, await self.who(live, proof), proof, send)
            live.welcome(watcher)
        metrics.WATCHERS.inc()
        self.channels_changed(live)
        try:
            yield watcher
        finally:
            live.watchers.discard(watcher)
            metrics.WATCHERS.dec()
            self.channels_changed(live)

    def end_channels(self) -> None:
        """Close every live channel: the server is going down."""
        for live in self._lives.values():
            for watcher in live.watchers:
                watcher.end(Unavailable(GOING_DOWN))

    async def refresh(self, live: L) -> bool:
        """Read what other processes have written; whether that was anything. The lock is held."""
        return self._database.postgresql and await self.load(live)

    async def load(self, live: L) -> bool:
        """Fold a log from the database, or as much of it as is not known here; whether there was
        anything. The lock is held."""
        known, presence = live.loaded, self.bus.presence

        def read(connection: Connection) -> tuple[Any, list[Any], list[Any]]:
            if known is None:
                found, new = self.fold(connection, live.id), []
            elif connection.execute(self.exists, {"id": live.id}).first() is None:
                raise self.missing()
            else:
                found, new = known, self.entries(connection, live.id, known.number)
            return found, new, presence.read(connection, live.id)

        presence.expect(live.id)
        try:
            live.loaded, entries, present = await self._database.read(read)
        except NoGame:
            self.discard(live)
            raise
        for entry in entries:
            live.apply_remote(entry)
        moved = presence.load(live.id, present)
        if known is None or entries or moved:
            self.publish(live)
        else:
            self.due(live)
        self.evict()
        return known is None or bool(entries)

    async def reload(self, live: L) -> None:
        """Load something again for those who watch it, however often that takes. What is not there
        any more is dropped."""
        while True:
            try:
                async with self.bus.loading, Locked(live):
                    await self.load(live)
                    return
            except NoGame:
                return
            except Refusal as error:
                log.warning(
                    f"cannot load the {live.kind}", extra={"id": live.id, "why": str(error)}
                )
            if not live.watchers:
                if not live.users:  # Who needs it next loads it.
                    live.loaded = None
                return
            await asyncio.sleep(RETRY_SECONDS)

    # -- writing ----------------------------------------------------------------------------

    async def append(self, live: L, entries: Sequence[Any], games: Sequence[Any] = ()) -> None:
        """Write entries to the log, together with the games that begin by them, and apply them. The
        lock is held.

        This is optimistic concurrency: raises `Conflict` if another process has used the number;
        what that wrote is then applied. When the write fails nobody knows whether it became
        durable, for instance if the connection broke during the commit. Nothing is applied then,
        and everything is loaded again.
        """
        try:
            written = await self.write(live, entries, games)
            if not written:
                await self.load(live)
        except BaseException:
            live.loaded = None
            if live.watchers:
                self.bus.background.spawn(self.reload(live))
            raise
        if not written:
            raise Conflict(f"The {live.kind} has moved on since you looked; look again.")
        for entry in entries:
            live.fold.apply(entry)
        self.written(live, entries, games)
        self.publish(live)

    # -- memory -----------------------------------------------------------------------------

    def _live(self, id: str) -> L:
        live = self._lives.get(id)
        if live is None:
            live = self._lives[id] = self.live(id, self.bus.presence)
        self._lives.move_to_end(id)
        return live

    def evict(self) -> None:
        """Drop what nobody uses, least recently used first, if there is too much."""
        if len(self._lives) > self.limit:
            for id, live in list(self._lives.items()):
                if live.idle:
                    self.drop(id)
                    if len(self._lives) <= self.limit:
                        return

    def in_use(self, id: str) -> bool:
        """Whether somebody watches something, or changes it."""
        return id in self and not self._lives[id].idle

    def forget(self, id: str) -> None:
        """Drop from memory what is not in use; what is in use is read again, and dropped if it is
        not there any more."""
        if self.in_use(id):
            self.bus.background.spawn(self.reload(self._lives[id]))
        elif id in self:
            self.drop(id)

    def drop(self, id: str) -> None:
        """Drop something from memory."""
        del self._lives[id]
        self.bus.presence.drop(id)

    def discard(self, live: L) -> None:
        """Drop what is not there any more, and close its channels."""
        live.loaded = None
        for watcher in live.watchers:
            watcher.end(self.missing())
        if self._lives.get(live.id) is live:
            self.drop(live.id)

    # -- other processes --------------------------------------------------------------------

    async def hear(self, live: L, entries: Sequence[Any]) -> None:
        """Apply entries that another process wrote and told; read them if some are missing."""
        async with Locked(live):
            known = live.loaded
            if known is None or entries[-1].number <= known.number:
                return
            if entries[0].number == known.number + 1:
                for entry in entries:
                    live.apply_remote(entry)
                self.publish(live, elsewhere=True)
                return
        await self.reload(live)

    def on_missed_notifications(self) -> None:
        """What is in memory may be old."""
        for id in list(self._lives):
            self.forget(id)

    def present(self) -> list[tuple[str, int]]:
        """Everybody who is connected to this process, with the id of where they are."""
        return [(live.id, who) for live in self._lives.values() for who in live.here]

    def announce(self, live: L, here: set[int]) -> bool:
        """Tell the other processes who has come here or gone; whether anybody has."""
        news, live.here = live.here ^ here, here
        for who in news if self._database.postgresql else ():
            if self.bus.presence.note(live.id, who, here=who in here):
                self.bus.background.spawn(self.bus.presence.tell())
        return bool(news)


def retried(work: Callable[P, Awaitable[T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Does something that makes sense however things stand, again if they changed meanwhile."""

    @wraps(work)
    async def trying(*arguments: P.args, **named: P.kwargs) -> T:
        for attempt in range(MAX_COLLISIONS):
            try:
                return await work(*arguments, **named)
            except Taken:
                raise
            except Conflict:  # Another process was quicker: not all try again at the same moment.
                await asyncio.sleep(SystemRandom().uniform(0, FIRST_WAIT * 2**attempt))
        raise Conflict("Too much happens here at once; try again.")

    return trying
