"""Strong solutions: every position of a game without luck, each with its value."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

import numpy as np

from numduel.core.game import Game
from numduel.core.state import Position
from numduel.solver.compiled import shared
from numduel.solver.search import (
    EMPTY,
    ENTRY,
    TOO_DEEP,
    check_bounds,
    hash_of,
    new_table,
    read,
    search_kernel,
    too_deep,
)
from numduel.solver.values import Report, TooLarge, Value, unreported

SMALLEST = 1 << 12
FULL = 0.6
"""A table fuller than this is moved to one four times as large."""
WATCH_INTERVAL = 0.2
"""Seconds between two reports."""


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


def solve(game: Game, limit: int, report: Report = unreported) -> StrongSolution:
    """Find every value by looking at every position once; `TooLarge` past the limit in bytes.

    Nobody knows before how many positions there are: `report` is told how many have a value. A full
    table is moved to a larger one, and what it knows is not searched again.
    """
    check_bounds(game)
    kernel = search_kernel(type(game))
    start = game.rules.start(game.variant)
    table, known, size = new_table(0), 0, SMALLEST
    while size * ENTRY <= limit:
        table = _moved(table, new_table(size))
        room = int(FULL * size)
        with _watched(table[2], report):
            _, nodes, stored = kernel(
                *start, game.variant, game.bounds.plies, False, room - known, size, *table
            )
        if nodes == TOO_DEEP:
            raise too_deep(game)
        known += int(stored)
        report(known, None)
        if known <= room:
            return StrongSolution(game, _sorted(*table))
        size *= 4
    raise TooLarge


def _sorted(keys: Any, scores: Any, kinds: Any) -> Any:
    """The positions of a table and their scores, in order."""
    used = kinds != EMPTY
    found = np.column_stack((keys[used], scores[used].astype(np.int64)))
    return found[np.lexsort((found[:, 1], found[:, 0]))]


def _moved(old: tuple[Any, Any, Any], new: tuple[Any, Any, Any]) -> tuple[Any, Any, Any]:
    """A larger table with the positions of another one."""
    _move(*old, *new)
    return new


@shared
def _move(keys, scores, kinds, new_keys, new_scores, new_kinds):  # type: ignore[no-untyped-def]
    """Put every position of a table into a larger one."""
    last = np.uint64(len(new_scores) - 1)
    for at in range(len(scores)):
        if kinds[at] == EMPTY:
            continue
        slot = hash_of(keys[at, 0], keys[at, 1]) & last
        while new_kinds[slot] != EMPTY:
            slot = (slot + np.uint64(1)) & last
        new_keys[slot, 0], new_keys[slot, 1] = keys[at, 0], keys[at, 1]
        new_scores[slot], new_kinds[slot] = scores[at], kinds[at]


@contextmanager
def _watched(kinds: Any, report: Report) -> Iterator[None]:
    """Report how many positions a table has while compiled code fills it."""
    ended = Event()

    def watch() -> None:
        while not ended.wait(WATCH_INTERVAL):
            report(int(np.count_nonzero(kinds.view(np.bool_))), None)

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()
