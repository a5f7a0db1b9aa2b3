"""Whose turn it is. However much one address sends at once, others come in between."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Hashable
from typing import NamedTuple

MAX_SERVED = 10_000
"""Known keys of which it is remembered when they last had a turn."""
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
    """Begins things at once or, if one address sends many, some in each round of the event loop:
    everybody else is heard once a round. Of the known keys there, whoever has not had a turn for
    longest is next: many who go on and on do not hold up one who comes now and then."""

    def __init__(self, a_round: int) -> None:
        self._a_round = a_round
        """How many of one line are begun in a round."""
        self._begun: Counter[tuple[str, bool]] = Counter()
        """How many of each line have begun in this round."""
        self._waiting: dict[tuple[str, bool], dict[str, dict[Turn, Callable[[], None]]]] = {}
        """Those that wait in each line, by their key."""
        self._round = 0
        self._served: dict[str, int] = {}
        """The round in which each key last had a turn."""

    def take(self, turn: Turn, begin: Callable[[], None], loop: asyncio.AbstractEventLoop) -> None:
        """Begin something now, or when its turn has come."""
        if not self._begun and not self._waiting:
            loop.call_soon(self._next_round, loop)
        line = turn.line
        if self._begun.get(line, 0) >= self._a_round:
            self._waiting.setdefault(line, {}).setdefault(turn.key, {})[turn] = begin
        else:
            self._serve(line, turn.key, begin)

    def count(self, turn: Turn) -> None:
        """Count one more for a turn that was as long as two."""
        self._begun[turn.line] += 1

    def leave(self, turn: Turn) -> None:
        """Forget something that still waits: its connection is closed."""
        of_key = self._waiting.get(turn.line, {})
        waiting = of_key.get(turn.key, {})
        if waiting.pop(turn, None) is not None and not waiting:
            del of_key[turn.key]

    def _next_round(self, loop: asyncio.AbstractEventLoop) -> None:
        self._begun.clear()
        self._round += 1
        try:
            self._begin_waiting()
        finally:  # Whatever has become of one of them, the others have their turns.
            if self._begun or self._waiting:
                loop.call_soon(self._next_round, loop)

    def _begin_waiting(self) -> None:
        for line, of_key in list(self._waiting.items()):
            while of_key and self._begun[line] < self._a_round:
                key = min(of_key, key=self._last_served)
                waiting = of_key[key]
                begin = waiting.pop(next(iter(waiting)))
                if not waiting:
                    del of_key[key]
                self._serve(line, key, begin)
            if not of_key:
                del self._waiting[line]

    def _last_served(self, key: str) -> int:
        return self._served.get(key, 0)

    def _serve(self, line: tuple[str, bool], key: str, begin: Callable[[], None]) -> None:
        self._begun[line] = self._begun.get(line, 0) + 1
        if key:
            if len(self._served) >= MAX_SERVED:
                self._served.clear()
            self._served[key] = self._round
        begin()


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
