"""A log folded in memory, the lock under which it changes, and those who watch it.

Memory is a cache. A fold can be dropped at any time and made again, and a watcher who reconnects is
sent the whole state. Nobody is ever sent anything that is not durable.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from math import inf
from typing import Any, Generic, Protocol, TypeVar

from numduel.web.http.errors import Refusal, Unavailable
from numduel.web.live.presence import Presence
from numduel.web.people.keys import Proof, digest

Send = Callable[[str], bool]


class Fold(Protocol):
    """What a log makes: a game, or an event."""

    number: int

    def apply(self, entry: Any) -> None:
        """Change as the next entry of the log says, which has the next number."""


T = TypeVar("T", bound=Fold)
L = TypeVar("L", bound="Live[Any]")


class Watcher:
    """A live channel. It holds no state: a slow client skips those between."""

    def __init__(
        self, live: Live[Any], you: int | None, proof: Proof = (), send: Send | None = None
    ) -> None:
        self.you = you
        """Who watches, if they have a part in it; that may change."""
        self.hashes = frozenset(map(digest, proof))
        """The hashes of what the client brought."""
        self.concern: object = None
        """What concerned them in what they were last sent, where some of it can wait."""
        self.rests_until = -inf
        """When they may next be sent what does not concern them."""
        self.due = True
        """Whether there is a state that the client has not been sent."""
        self._live = live
        self._send = send
        """Sends a text at once if the client can take it, and says whether it could. Waking the
        task of the channel for each state would take longer than sending it."""
        self._refusal: Refusal | None = None
        """Why the channel is to be closed."""
        self._changed: asyncio.Future[None] | None = None
        """While somebody waits for the next state."""

    def push(self) -> None:
        """Have the client sent the newest state."""
        waiting = self._changed is not None and not self._changed.done()
        if waiting and self._send is not None:  # Its task is not sending anything older.
            self.due = not self._send(self._live.json(self.you))
        else:
            self.due = True
        if self.due:
            self._wake()

    def end(self, refusal: Refusal) -> None:
        """Have the channel closed."""
        self._refusal = refusal
        self._wake()

    def _wake(self) -> None:
        if self._changed is not None and not self._changed.done():
            self._changed.set_result(None)

    async def next(self) -> str:
        """Wait for a state that the client has not seen; raises why there are no more."""
        while not (self._refusal or (self.due and self._live.loaded is not None)):
            self._changed = asyncio.get_running_loop().create_future()
            await self._changed
        if self._refusal is not None:
            raise self._refusal
        self.due = False
        text = self._live.json(self.you)
        self._live.sent()
        return text


class Live(ABC, Generic[T]):
    """Something in memory. A subclass says how it is serialised, and when watchers are told."""

    kind: str
    """What it is called, in sentences and in JSON."""

    def __init__(self, id: str, presence: Presence) -> None:
        self.id = id
        self.lock = asyncio.Lock()
        self.loaded: T | None = None
        """None if it must be loaded from the database before it is used."""
        self.watchers: set[Watcher] = set()
        self.users = 0
        """How many hold the lock or wait for it."""
        self.here: set[int] = set()
        """Who is connected to this process, as the others know."""
        self._presence = presence
        self._state = ""
        """The fold, serialised; empty if that must be done again."""

    @property
    def fold(self) -> T:
        """The fold, which must be loaded."""
        if self.loaded is None:
            raise Unavailable(f"The {self.kind} cannot be reached just now; try again.")
        return self.loaded

    @property
    def state(self) -> str:
        """The fold, serialised once for everybody who is sent it, and not before somebody is."""
        if not self._state:
            self._state = self.serialise()
        return self._state

    def json(self, you: int | None) -> str:
        """What one client is sent: who they are, and the state that everybody is sent."""
        return f'{{"you":{you or "null"},"{self.kind}":{self.state}}}'

    @property
    def watching(self) -> set[int]:
        """Who has a part in it, and watches over this process."""
        return {watcher.you for watcher in self.watchers if watcher.you is not None}

    @property
    def elsewhere(self) -> set[int]:
        """Who is connected to another process."""
        return self._presence.seats(self.id)

    @property
    def idle(self) -> bool:
        """Whether it can be evicted."""
        return not (self.watchers or self.users or self.busy)

    @property
    @abstractmethod
    def busy(self) -> bool:
        """Whether something goes on in it, though nobody watches."""

    @abstractmethod
    def serialise(self) -> str:
        """The fold as the JSON that everybody is sent."""

    @abstractmethod
    def who(self, proof: Proof) -> int | None:
        """Who somebody can prove to be."""

    @abstractmethod
    def changed(self) -> None:
        """Have all who watch sent the newest state."""

    def apply_remote(self, entry: Any) -> None:
        """Apply an entry that another process wrote."""
        self.fold.apply(entry)

    def welcome(self, watcher: Watcher) -> None:
        """Let somebody watch."""
        self.watchers.add(watcher)

    def sent(self) -> None:
        """A watcher was sent the newest state."""


class Locked(Generic[L]):
    """Holds the lock of something live, which is loaded first if it must be. (As a generator it
    would take as long as making a move.)"""

    def __init__(self, live: L, load: Callable[[L], Awaitable[object]] | None = None) -> None:
        self._live = live
        self._load = load

    async def __aenter__(self) -> L:
        live = self._live
        live.users += 1
        try:
            await live.lock.acquire()
        except BaseException:
            live.users -= 1
            raise
        if live.loaded is None and self._load is not None:
            try:
                await self._load(live)
            except BaseException:
                self._release()
                raise
        return live

    async def __aexit__(self, *_: object) -> None:
        self._release()

    def _release(self) -> None:
        self._live.lock.release()
        self._live.users -= 1
