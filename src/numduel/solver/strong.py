"""Strong solutions: every position of a game without luck, each with its value."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

import numpy as np

from numduel.core.game import Game
from numduel.core.state import Position
from numduel.solver.search import (
    ENTRY,
    TOO_DEEP,
    check_bounds,
    new_table,
    read,
    search_kernel,
    too_deep,
)
from numduel.solver.values import Lookup, Report, TooLarge, Value, unreported

SMALLEST = 1 << 12
FULL = 0.6
"""A table fuller than this is made anew, four times as large."""
WATCH_INTERVAL = 0.2
"""Seconds between two reports."""
SAMPLE = 1 << 16
"""Slots that are counted to tell how full a table is: positions are spread evenly over it."""


class StrongSolution:
    """Every reachable position and its score, sorted."""

    nodes_left = 0

    def __init__(self, game: Game, values: Any) -> None:
        self.game = game
        self.values = values

    def value(self, position: Position) -> Value:
        """The value of a position for the player to move."""
        a, b = position
        begin, end = np.searchsorted(self.values[:, 0], [a, a + 1])
        at = begin + np.searchsorted(self.values[begin:end, 1], b)
        if at >= end or self.values[at, 1] != b:
            raise KeyError(position)
        return read(self.game, int(self.values[at, 2]))

    def lookup(self) -> Lookup:
        """How compiled code reads the values."""
        return Lookup(_chance, tuple(np.ascontiguousarray(part) for part in self.values.T))


def _chance(a: Any, b: Any, table: Any) -> float:
    """The result for the player to move, by binary search."""
    firsts, seconds, scores = table
    low, high = 0, len(scores)
    while low < high:
        middle = (low + high) >> 1
        first = firsts[middle]
        if first < a or (first == a and seconds[middle] < b):
            low = middle + 1
        else:
            high = middle
    return 1.0 if scores[low] > 0 else 0.0


def solve(game: Game, limit: int, report: Report = unreported) -> StrongSolution:
    """Find every value by looking at every position once; `TooLarge` past the limit in bytes.

    Nobody knows before how many positions there are: `report` is told how many have room.
    """
    check_bounds(game)
    kernel = search_kernel(type(game))
    start = game.rules.start(game.variant)
    size = SMALLEST
    while size * ENTRY <= limit:
        keys, scores, kinds = new_table(size)
        room = int(FULL * size)
        with _watched(kinds, room, report):
            _, nodes, stored = kernel(
                *start, game.variant, game.bounds.plies, False, room, size, keys, scores, kinds
            )
        if nodes == TOO_DEEP:
            raise too_deep(game)
        report(int(stored), room)
        if stored <= room:
            used = kinds != 0
            found = np.column_stack((keys[used], scores[used].astype(np.int64)))
            return StrongSolution(game, found[np.lexsort((found[:, 1], found[:, 0]))])
        size *= 4
    raise TooLarge


@contextmanager
def _watched(kinds: Any, room: int, report: Report) -> Iterator[None]:
    """Report how full a table is while compiled code fills it."""
    ended = Event()

    def watch() -> None:
        while not ended.wait(WATCH_INTERVAL):
            share = np.count_nonzero(kinds[:SAMPLE]) / len(kinds[:SAMPLE])
            if share:  # until then, the code is being compiled
                report(min(int(share * len(kinds)), room), room)

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()
