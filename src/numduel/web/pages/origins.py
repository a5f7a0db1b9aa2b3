"""The origins under which people know the server."""

from __future__ import annotations

import time
from collections.abc import Callable

MAX_ORIGINS = 20
"""Origins for which pages are rendered: a server has one or two."""
REPLACE_SECONDS = 10.0
"""Seconds after which another origin can take the place of one of those."""


class Origins:
    """The origins for which pages are rendered: a few, because anybody can invent ports. The ones
    that are in use stay; now and then a new one takes the place of the one that was not used for
    longest, so that whoever was first keeps nobody out."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._used: dict[str, None] = {}
        """From the one that was not used for longest to the one that was used last."""
        self._replaced = clock()

    def use(self, origin: str) -> bool:
        """Whether pages are rendered for an origin, which counts as used then."""
        if origin in self._used:
            del self._used[origin]
        elif len(self._used) >= MAX_ORIGINS:
            if self._clock() < self._replaced + REPLACE_SECONDS:
                return False
            self._replaced = self._clock()
            del self._used[next(iter(self._used))]
        self._used[origin] = None
        return True
