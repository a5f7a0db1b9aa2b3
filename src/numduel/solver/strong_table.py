"""The table of a strong solution, which is read without the compiler: that takes a while to
load."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Any

import numpy as np

from numduel.core.game import Game
from numduel.core.state import Position
from numduel.solver.search import read
from numduel.solver.values import Lookup, Value, scores


class StrongSolution:
    """Every reachable position and its score, sorted."""

    nodes_left = 0

    def __init__(self, game: Game, values: Any) -> None:
        self.game = game
        self.values = values

    def value(self, position: Position) -> Value:
        """The value of a position for the player to move."""
        a, b = position
        firsts, seconds = self.values[:, 0], self.values[:, 1]
        begin, end = bisect_left(firsts, a), bisect_right(firsts, a)  # NumPy would copy them all
        at = bisect_left(seconds, b, begin, end)
        if at == end or seconds[at] != b:
            raise KeyError(position)
        return read(self.game, int(self.values[at, 2]))

    def lookup(self) -> Lookup:
        """How compiled code reads the values."""
        return scores(_score, tuple(np.ascontiguousarray(part) for part in self.values.T))


def _score(a: Any, b: Any, table: Any) -> Any:
    firsts, seconds, scores = table
    low, high = 0, len(scores)
    while low < high:
        middle = (low + high) >> 1
        first = firsts[middle]
        if first < a or (first == a and seconds[middle] < b):
            low = middle + 1
        else:
            high = middle
    return scores[low]
