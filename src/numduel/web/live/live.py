"""A log that is folded in memory, with its lock and its watchers.

Memory is a cache. A fold can be dropped at any time and made again, and a watcher who reconnects is
sent the whole state. Nobody is ever sent anything that is not durable.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from math import inf
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from numduel.core.language import N_, language, speaking
from numduel.web.http.errors import Refusal, Unavailable
from numduel.web.people.keys import Proof, digest

if TYPE_CHECKING:
    from numduel.web.live.bus import Bus

Send = Callable[[str], bool]
CANNOT_BE_REACHED = {
    "game": N_("The game cannot be reached just now; try again."),
    "event": N_("The event cannot be reached just now; try again."),
}
"""What is said about something that must be read again first, by its kind."""


class Fold(Protocol):
    """What a log is folded into: a game, or an event."""

    number: int

    def apply(self, entry: Any) -> None:
        """Apply the next entry of the log, which has the next number."""


T = TypeVar("T", bound=Fold)
L = TypeVar("L", bound="Live[Any]")


class Watcher:
    """A live channel. It queues no states: a slow client gets the newest one."""

    def __init__(
        self,
        live: Live[Any],
        you: int | None,
        proof: Proof = (),
        send: Send | None = None,
        *,
        aside: bool = False,
    ) -> None:
        self.language = language()
        """What they are told everything in."""
        self.you = you
        """The seat or player that watches; None for a spectator. It may change."""
        self.aside = aside
        """Whether they look elsewhere, and so do not count as present."""
        self.hashes = frozenset(map(digest, proof))
        """The hashes of the client's secrets."""
        self.concern: object = None
        """What concerned them in the state they were last sent, if the rest can wait."""
        self.rests_until = -inf
        """When they may next be sent news that does not concern them."""
        self.due = True
        """Whether there is a state that the client has not been sent."""
        self._live = live
        self._send = send
        """Sends a text at once, if the client can take it, and returns whether it could. Waking the
        task of the channel would take longer than sending."""
        self._refusal: Refusal | None = None
        """Why the channel is to be closed."""
        self._changed: asyncio.Future[None] | None = None
        """Set while the task of the channel waits for the next state."""

    def push(self) -> None:
        """Send the newest state to the client, or note that it is due."""
        waiting = self._changed is not None and not self._changed.done()
        if waiting and self._send is not None:  # Its task is not sending an older one.
            self.due = not self._send(self._text())
        else:
            self.due = True
        if self.due:
            self._wake()

    def _text(self) -> str:
        if self.language == language():
            return self._live.json(self.you)
        with speaking(self.language):
            return self._live.json(self.you)

    def end(self, refusal: Refusal) -> None:
        """Close the channel."""
        self._refusal = refusal
        self._wake()

    def _wake(self) -> None:
        if self._changed is not None and not self._changed.done():
            self._changed.set_result(None)

    async def next(self) -> str:
        """Wait for a state that the client has not been sent. Raises the reason when the channel is
        to be closed."""
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
    """A game or an event in memory. A subclass says how it is serialised, and when it is pushed."""

    kind: str
    """Its name in sentences and in JSON."""

    def __init__(self, id: str, bus: Bus) -> None:
        self.id = id
        self.lock = asyncio.Lock()
        self.loaded: T | None = None
        """None if it must be loaded from the database before it is used."""
        self.watchers: set[Watcher] = set()
        self.users = 0
        """How many tasks hold the lock or wait for it."""
        self.here: set[int] = set()
        """Who is connected to this process, as the other processes have been told."""
        self._presence = bus.presence
        self._states: dict[str, str] = {}
        """The fold, serialised, by language."""
        self._made: dict[tuple[str, str], bytes] = {}
        """What else was made of the fold, by language and name."""
        self._made_of = 0
        """The number of the fold of which that was made."""

    @property
    def fold(self) -> T:
        """The fold, which must be loaded."""
        if self.loaded is None:
            raise Unavailable(CANNOT_BE_REACHED[self.kind])
        return self.loaded

    @property
    def state(self) -> str:
        """The fold as JSON, serialised once for all who share a language, when it is first
        needed."""
        code = language()
        if code not in self._states:
            self._states[code] = self.serialise()
        return self._states[code]

    def serialise_again(self) -> None:
        """Note that what was serialised is old, or that nobody needs it any more."""
        self._states = {}

    def json(self, you: int | None) -> str:
        """What one client is sent: who they are, and the state."""
        return f'{{"you":{you or "null"},"{self.kind}":{self.state}}}'

    def once(self, name: str, make: Callable[[T], bytes]) -> bytes:
        """Something that is made of the fold and nothing else, once after each change."""
        if self._made_of != self.fold.number:
            self._made_of, self._made = self.fold.number, {}
        key = language(), name
        if key not in self._made:
            self._made[key] = make(self.fold)
        return self._made[key]

    @property
    def watching(self) -> set[int]:
        """The seats or players that watch over this process, and look."""
        return {
            watcher.you
            for watcher in self.watchers
            if watcher.you is not None and not watcher.aside
        }

    @property
    def elsewhere(self) -> set[int]:
        """The seats or players that are connected to another process."""
        return self._presence.seats(self.id)

    @property
    def idle(self) -> bool:
        """Whether it can be evicted."""
        return not (self.watchers or self.users or self.busy)

    @property
    def group(self) -> str:
        """The id of the event or class whose people these are; empty for others."""
        return self.id

    @property
    @abstractmethod
    def busy(self) -> bool:
        """Whether something goes on in it even if nobody watches."""

    @abstractmethod
    def serialise(self) -> str:
        """The fold as the JSON that everybody is sent, in the language spoken."""

    @abstractmethod
    def who(self, proof: Proof) -> int | None:
        """The seat or player that a proof is for."""

    @abstractmethod
    def changed(self) -> None:
        """Send the newest state to every watcher."""

    def apply_remote(self, entry: Any) -> None:
        """Apply an entry that another process wrote."""
        self.fold.apply(entry)

    def welcome(self, watcher: Watcher) -> None:
        """Add a watcher."""
        self.watchers.add(watcher)

    def sent(self) -> None:
        """A watcher was sent the newest state."""


class Locked(Generic[L]):
    """Holds the lock of something live, and loads it first if need be. (A generator would take as
    long as making a move.)"""

    def __init__(
        self,
        live: L,
        load: Callable[[L], Awaitable[object]] | None = None,
        forget: Callable[[L], None] | None = None,
    ) -> None:
        self._live = live
        self._load = load
        self._forget = forget
        """Called when it could not be locked or loaded."""

    async def __aenter__(self) -> L:
        live = self._live
        live.users += 1
        try:
            await live.lock.acquire()
            try:
                if live.loaded is None and self._load is not None:
                    await self._load(live)
            except BaseException:
                live.lock.release()
                raise
        except BaseException:
            live.users -= 1
            if self._forget is not None:
                self._forget(live)
            raise
        return live

    async def __aexit__(self, *_: object) -> None:
        self._live.lock.release()
        self._live.users -= 1
