"""Games or events in memory: loaded from the database, changed through their logs, and pushed to
watchers."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from functools import wraps
from random import SystemRandom
from typing import Any, Generic, ParamSpec, TypeVar

from sqlalchemy import Connection, Select
from sqlalchemy.exc import SQLAlchemyError

from numduel.core.errors import BadVariant, IllegalMove, UnknownGame
from numduel.core.language import N_
from numduel.web.http.errors import (
    GOING_DOWN,
    Conflict,
    Damaged,
    NoGame,
    Refusal,
    Taken,
    Unavailable,
)
from numduel.web.live.bus import Bus
from numduel.web.live.live import L, Locked, Send, Watcher
from numduel.web.people.keys import Proof, digest

log = logging.getLogger(__name__)
RETRY_SECONDS = 2.0
"""Seconds before another attempt at something that failed."""
MAX_COLLISIONS = 8
"""Attempts at something that collides with other changes: a whole class may join at once."""
FIRST_WAIT = 0.005
"""The longest wait before the second attempt, in seconds; it doubles with each."""
MOVED_ON = {
    "game": N_("The game has moved on since you looked; look again."),
    "event": N_("The event has moved on since you looked; look again."),
}
"""What is said to somebody who was not quick enough, by the kind of what has changed."""
P = ParamSpec("P")
T = TypeVar("T")


class Registry(ABC, Generic[L]):
    """The games, or events, that somebody watches or has used lately. A subclass says how they are
    read and written."""

    live: type[L]
    limit: int
    """How many may be in memory before unused ones are evicted, least recently used first."""
    missing: type[NoGame]
    """The error for an id that does not exist."""
    exists: Select[Any]
    """The query for the row of an id."""

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self._database = bus.database
        self._lives: OrderedDict[str, L] = OrderedDict()
        bus.registries[self.live.kind] = self

    # -- what a subclass says ---------------------------------------------------------------

    @abstractmethod
    def fold(self, connection: Connection, id: str) -> Any:
        """The fold of a log. Raises `NoGame` if there is none."""

    @abstractmethod
    def entries(self, connection: Connection, id: str, after: int) -> list[Any]:
        """The entries of a log after a number."""

    @abstractmethod
    def write(self, live: L, entries: Sequence[Any], games: Sequence[Any]) -> Awaitable[bool]:
        """Write entries and the games that they begin, and notify the other processes, unless the
        number of the first is taken. Returns whether it was free."""

    @abstractmethod
    def written(self, live: L, entries: Sequence[Any], games: Sequence[Any]) -> None:
        """Called when entries have been written and applied, before they are published."""

    @abstractmethod
    def on_notification(self, id: str, payload: dict[str, Any]) -> None:
        """Handle what another process has changed."""

    def publish(self, live: L, *, elsewhere: bool = False) -> None:
        """Push a change to the watchers; `elsewhere` if another process made it."""
        live.changed()

    def due(self, live: L) -> None:
        """Do what is due by itself; also called when nothing has changed."""

    def channels_changed(self, live: L) -> None:
        """Called when somebody has begun to watch, or left."""

    def on_presence(self, id: str, *, elsewhere: bool) -> None:
        """Called when somebody came or went at another process, or it ended."""

    # -- reading ----------------------------------------------------------------------------

    def __contains__(self, id: str) -> bool:
        return id in self._lives

    def in_memory(self, id: str) -> L | None:
        """The game or event of an id, if it is in memory and loaded."""
        live = self._lives.get(id)
        return live if live is not None and live.loaded is not None else None

    def locked(self, id: str) -> Locked[L]:
        """The game or event of an id, loaded and with its lock held."""
        return Locked(self._live(id), self.load, self._forget_unloaded)

    async def who(self, live: L, proof: Proof) -> int | None:
        """The seat or player that a proof is for, perhaps since a moment ago at another process."""
        found = live.who(proof)
        if found is None and proof and await self.refresh(live):
            found = live.who(proof)
        if found is not None:
            self.proved(live, proof)
        return found

    def proved(self, live: L, proof: Proof) -> str:
        """Remember the key that has proved a seat or a player. Returns it; empty if too many have
        been remembered."""
        key = proof[0]
        if len(proof) > 1:
            key = next(key for key in proof if live.who((key,)) is not None)
        return self.bus.known.remember(digest(key), live.group)

    @asynccontextmanager
    async def watch(
        self, id: str, proof: Proof, send: Send | None = None, *, aside: bool = False
    ) -> AsyncIterator[Watcher]:
        """A live channel; `aside` if whoever has it looks elsewhere."""
        if self.bus.ending:
            raise Unavailable(GOING_DOWN)
        async with self.locked(id) as live:
            watcher = Watcher(live, await self.who(live, proof), proof, send, aside=aside)
            live.welcome(watcher)
        self.channels_changed(live)
        try:
            yield watcher
        finally:
            live.watchers.discard(watcher)
            self.channels_changed(live)

    def end_channels(self, refusal: Refusal) -> None:
        """Close all live channels."""
        for live in self._lives.values():
            for watcher in live.watchers:
                watcher.end(refusal)

    async def refresh(self, live: L) -> bool:
        """Read what other processes have written. Returns whether there was anything. The lock is
        held."""
        return self._database.postgresql and await self.load(live)

    async def load(self, live: L) -> bool:
        """Read the log, or the part of it that is not known here, and apply it. Returns whether
        there was anything. The lock is held."""
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
        except NoGame as error:
            self.discard(live, error)
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
        """Load something again for its watchers, however many attempts that takes. Drop it if it
        has been deleted, or cannot be read."""
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
                if not live.users:  # The next user loads it.
                    live.loaded = None
                return
            await asyncio.sleep(RETRY_SECONDS)

    # -- writing ----------------------------------------------------------------------------

    async def append(self, live: L, entries: Sequence[Any], games: Sequence[Any] = ()) -> None:
        """Write entries to the log, together with the games that they begin, and apply them. The
        lock is held.

        This is optimistic concurrency: if another process has used the number, its entries are
        applied, and `Conflict` is raised. When a write fails, nobody knows whether it became
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
            raise Conflict(MOVED_ON[live.kind])
        for entry in entries:
            live.fold.apply(entry)
        self.written(live, entries, games)
        self.publish(live)

    # -- memory -----------------------------------------------------------------------------

    def _live(self, id: str) -> L:
        live = self._lives.get(id)
        if live is None:
            live = self._lives[id] = self.live(id, self.bus)
        self._lives.move_to_end(id)
        return live

    def _forget_unloaded(self, live: L) -> None:
        """Drop something that could not be loaded and that nobody uses: with an invented id it is
        nothing, and there is no end of those."""
        if live.loaded is None and live.idle and self._lives.get(live.id) is live:
            self.drop(live.id)

    def evict(self) -> None:
        """Drop what nobody uses, least recently used first, beyond the limit."""
        if len(self._lives) > self.limit:
            for id, live in list(self._lives.items()):
                if live.idle:
                    self.drop(id)
                    if len(self._lives) <= self.limit:
                        return

    def in_use(self, id: str) -> bool:
        """Whether somebody watches it or changes it."""
        return id in self and not self._lives[id].idle

    def forget(self, id: str) -> None:
        """Drop something from memory, or read it again if it is in use."""
        if self.in_use(id):
            self.bus.background.spawn(self.reload(self._lives[id]))
        elif id in self:
            self.drop(id)

    def drop(self, id: str) -> None:
        """Drop something from memory."""
        del self._lives[id]
        self.bus.presence.drop(id)

    def discard(self, live: L, why: NoGame | None = None) -> None:
        """Drop something that has been deleted, or cannot be read, and close its channels."""
        live.loaded = None
        for watcher in live.watchers:
            watcher.end(why or self.missing())
        if self._lives.get(live.id) is live:
            self.drop(live.id)

    # -- other processes --------------------------------------------------------------------

    async def hear(self, live: L, entries: Sequence[Any]) -> None:
        """Apply entries that another process has sent; read the log if some are missing."""
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

    def hear_next(self, live: L, entry: Any) -> bool:
        """Apply an entry that another process has sent at once, if it is the next one and nobody
        holds the lock, as it usually is. Returns whether it was applied."""
        known = live.loaded
        if live.lock.locked() or known is None or entry.number != known.number + 1:
            return False
        live.apply_remote(entry)
        self.publish(live, elsewhere=True)
        return True

    def on_missed_notifications(self) -> None:
        """Drop or read again what is in memory: it may be old."""
        for id in list(self._lives):
            self.forget(id)

    def present(self) -> list[tuple[str, int]]:
        """Everybody who is connected to this process, each with the id they watch."""
        return [(live.id, who) for live in self._lives.values() for who in live.here]

    def announce(self, live: L, here: set[int]) -> bool:
        """Tell the other processes who has come here or gone. Returns whether anybody has."""
        news, live.here = live.here ^ here, here
        for who in news if self._database.postgresql else ():
            if self.bus.presence.note(live.id, who, here=who in here):
                self.bus.background.spawn(self.bus.presence.tell())
        return bool(news)


_damaged: set[tuple[str, str]] = set()
"""The kinds and ids of what could not be read, as has been logged."""


@contextmanager
def legible(kind: str, id: str) -> Iterator[None]:
    """Raise `Damaged` where stored text is not what was once written, whatever that leads to. It is
    logged once, until it can be read again: events look for their games every second. What is
    missing, is not installed here, or was played by other rules is not damaged."""
    try:
        yield
    except (SQLAlchemyError, NoGame, UnknownGame, BadVariant, IllegalMove):
        raise
    except Exception as error:
        if (kind, id) not in _damaged:
            log.error(f"the stored {kind} is damaged", extra={"id": id, "why": repr(error)[:200]})
        _damaged.add((kind, id))
        raise Damaged(kind) from None
    _damaged.discard((kind, id))


def retried(work: Callable[P, Awaitable[T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Decorates something that can simply be done again if it collides with another change."""

    @wraps(work)
    async def trying(*arguments: P.args, **named: P.kwargs) -> T:
        for attempt in range(MAX_COLLISIONS):
            try:
                return await work(*arguments, **named)
            except Taken:
                raise
            except Conflict:  # Another process was quicker. Not all may try again at once.
                await asyncio.sleep(SystemRandom().uniform(0, FIRST_WAIT * 2**attempt))
        raise Conflict(N_("Too much is happening here at once; try again."))

    return trying
