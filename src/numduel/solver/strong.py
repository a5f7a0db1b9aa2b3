"""Strong solutions: every position of a game without luck, each with its value."""

from __future__ import annotations

from collections.abc import Callable
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
from numduel.solver.values import TooLarge, Value

SMALLEST = 1 << 12
FULL = 0.6
"""A table fuller than this is made anew, four times as large."""


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


def solve(game: Game, limit: int, report: Callable[[int], None]) -> StrongSolution:
    """Find every value by looking at every position once; `TooLarge` past the limit in bytes."""
    check_bounds(game)
    kernel = search_kernel(type(game))
    start = game.rules.start(game.variant)
    size = SMALLEST
    while size * ENTRY <= limit:
        keys, scores, kinds = new_table(size)
        room = int(FULL * size)
        _, nodes, stored = kernel(
            *start, game.variant, game.bounds.plies, False, room, size, keys, scores, kinds
        )
        if nodes == TOO_DEEP:
            raise too_deep(game)
        report(int(stored))
        if stored <= room:
            used = kinds != 0
            found = np.column_stack((keys[used], scores[used].astype(np.int64)))
            return StrongSolution(game, found[np.lexsort((found[:, 1], found[:, 0]))])
        size *= 4
    raise TooLarge
