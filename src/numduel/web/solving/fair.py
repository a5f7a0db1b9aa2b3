"""A queue that shares time: whoever has used least is next, however much they ask for.

This is start-time fair queueing. What counts is how long tasks took, not how many there were.
Nobody saves up: whoever comes back after a while begins where the others are.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Container
from contextlib import asynccontextmanager
from dataclasses import dataclass
from statistics import median
from typing import Generic, TypeVar

MAX_REMEMBERED = 1_000
"""Sharers without a task that are remembered because they have used more than others."""
T = TypeVar("T")


def half(most: int) -> int:
    """How many turns of one seat may wait if so many of its address may: somebody who fills the
    queue leaves room for the others there."""
    return (most + 1) // 2


@dataclass(eq=False, frozen=True, slots=True)
class Turn(Generic[T]):
    """A task that waits, and whose it is."""

    path: tuple[str, ...]
    """An address, and a seat there."""
    task: T


class FairQueue(Generic[T]):
    """Turns of several sharers, each of which is such a queue itself: addresses share evenly, and
    the seats of an address share what it gets."""

    def __init__(self) -> None:
        self.used = 0.0
        """Seconds that its turns have taken, among those it shares with."""
        self._reached = 0.0
        """What the sharer whose turn it was last had used."""
        self._sharers: dict[str, FairQueue[T]] = {}
        self._turns: deque[Turn[T]] = deque()
        """The turns that wait, at the end of a path."""
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def count(self, *path: str) -> int:
        """How many turns of a sharer wait: of an address, or of a seat there."""
        if not path:
            return self._length
        sharer = self._sharers.get(path[0])
        return 0 if sharer is None else sharer.count(*path[1:])

    def push(self, turn: Turn[T], depth: int = 0) -> None:
        """Add a turn after the others of its path."""
        self._length += 1
        if depth == len(turn.path):
            self._turns.append(turn)
            return
        sharer = self._sharers.setdefault(turn.path[depth], FairQueue())
        if not sharer:
            sharer.used = max(sharer.used, self._reached)
        sharer.push(turn, depth + 1)

    def remove(self, turn: Turn[T], depth: int = 0) -> None:
        """Remove a turn that waits."""
        self._length -= 1
        if depth == len(turn.path):
            self._turns.remove(turn)
        else:
            self._sharers[turn.path[depth]].remove(turn, depth + 1)

    def pop(self, without: Container[str] = ()) -> Turn[T] | None:
        """Remove and return the next turn, except of some sharers; None if there is none."""
        if self._turns:
            self._length -= 1
            return self._turns.popleft()
        waiting = [
            sharer for name, sharer in self._sharers.items() if sharer and name not in without
        ]
        if not waiting:
            return None
        following = min(waiting, key=lambda sharer: sharer.used)
        self._length -= 1
        self._reached = max(self._reached, following.used)
        return following.pop()

    def charge(self, turn: Turn[T], seconds: float) -> None:
        """Count what a turn has taken; negative seconds if it was less than was counted before."""
        level = self
        for name in turn.path:
            level = level._charged(name, seconds)

    def _charged(self, name: str, seconds: float) -> FairQueue[T]:
        if len(self._sharers) > MAX_REMEMBERED:
            self._forget()
        sharer = self._sharers.setdefault(name, FairQueue())
        sharer.used += seconds
        return sharer

    def _forget(self) -> None:
        """Forget who waits for nothing, at least half of them: those who have used least."""
        idle = {name: sharer.used for name, sharer in self._sharers.items() if not sharer}
        least = max(self._reached, median(idle.values())) if idle else 0.0
        for name, used in idle.items():
            if used <= least:
                del self._sharers[name]


class FairLock:
    """A lock that is held by one at a time; those who wait share the time in which it is held."""

    def __init__(self) -> None:
        self.waiting: FairQueue[asyncio.Future[None]] = FairQueue()
        self._held = False

    @asynccontextmanager
    async def held(self, path: tuple[str, ...]) -> AsyncIterator[None]:
        """Hold the lock, for whoever has this path."""
        turn = Turn(path, asyncio.get_running_loop().create_future())
        if self._held:
            self.waiting.push(turn)
            try:
                await turn.task
            except asyncio.CancelledError:
                if not turn.task.cancelled():  # The turn had just come.
                    self._release()
                raise
        self._held, began = True, time.monotonic()
        try:
            yield
        finally:
            self.waiting.charge(turn, time.monotonic() - began)
            self._release()

    def _release(self) -> None:
        while (turn := self.waiting.pop()) is not None:
            if not turn.task.cancelled():  # It is held on, now by the next.
                turn.task.set_result(None)
                return
        self._held = False
