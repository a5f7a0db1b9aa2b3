"""Whose turn it is. However much one address asks for at once, others come in between."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Hashable
from typing import NamedTuple

A_ROUND = 4
"""Requests of one address that are begun in one round of the event loop; each takes a fraction of a
millisecond, and everybody else is heard once a round."""
MAX_PACED = 10_000
"""Addresses whose pace is remembered."""


class Turn(NamedTuple):
    """Whose turn a request is."""

    address: str
    key: str
    """The known key that came with it; empty if there is none."""
    connection: Hashable
    """Where it came from, and where no other one is begun before it is answered."""

    @property
    def line(self) -> tuple[str, bool]:
        """Where it waits: whoever proves nothing takes no turn of those who do."""
        return self.address, bool(self.key)


class Turns:
    """Begins requests at once or, if one address sends many, some in each round, of one known key
    after the other."""

    def __init__(self) -> None:
        self._begun: Counter[tuple[str, bool]] = Counter()
        """How many of each line have begun in this round."""
        self._waiting: dict[tuple[str, bool], dict[str, dict[Turn, Callable[[], None]]]] = {}
        """Those that wait in each line, by their key."""

    def take(self, turn: Turn, begin: Callable[[], None], loop: asyncio.AbstractEventLoop) -> None:
        """Begin a request now, or when its turn has come."""
        if not self._begun and not self._waiting:
            loop.call_soon(self._next_round, loop)
        if self._begun[turn.line] >= A_ROUND:
            self._waiting.setdefault(turn.line, {}).setdefault(turn.key, {})[turn] = begin
        else:
            self._begun[turn.line] += 1
            begin()

    def leave(self, turn: Turn) -> None:
        """Forget a request that still waits: its connection is closed."""
        of_key = self._waiting.get(turn.line, {})
        waiting = of_key.get(turn.key, {})
        if waiting.pop(turn, None) is not None and not waiting:
            del of_key[turn.key]

    def _next_round(self, loop: asyncio.AbstractEventLoop) -> None:
        self._begun.clear()
        for line, of_key in list(self._waiting.items()):
            while of_key and self._begun[line] < A_ROUND:
                key = next(iter(of_key))
                waiting = of_key.pop(key)
                begin = waiting.pop(next(iter(waiting)))
                if waiting:
                    of_key[key] = waiting  # Behind the other keys.
                self._begun[line] += 1
                begin()
            if not of_key:
                del self._waiting[line]
        if self._begun or self._waiting:
            loop.call_soon(self._next_round, loop)


class Pace:
    """How long an address has to wait that does something more often than so many times a second;
    some times at once are fine."""

    def __init__(
        self, rate: float, burst: int, longest: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._interval = 1 / rate
        self._burst = burst * self._interval
        self._longest = longest
        """Seconds to wait at most."""
        self._clock = clock
        self._due: dict[str, float] = {}
        """When each address would have done all that, at the steady rate."""

    def wait(self, address: str) -> float:
        """The seconds to wait before the next time, which counts from now on."""
        now = self._clock()
        latest = now + self._burst + self._longest
        due = min(latest, max(now, self._due.get(address, now)) + self._interval)
        if len(self._due) >= MAX_PACED:
            self._due = {one: then for one, then in self._due.items() if then > now}
        self._due[address] = due
        return max(0.0, due - now - self._burst)
