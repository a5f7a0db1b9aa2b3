"""Exact values by search: for any game without luck, as far as memory and patience reach."""

from __future__ import annotations

from typing import Any

import numpy as np

from numduel.core.game import Game
from numduel.core.state import Position
from numduel.solver.compiled import WIN, search_kernel
from numduel.solver.values import PATIENCE, TooLarge, Value

ENTRY = 16 + 2 + 1
"""Bytes of a position in the table: its key, its score, and what is known of the score."""
PROBES = 8
WORD = 62
"""Bit sets of numbers up to this one fit into a machine word."""


class Search:
    """Values found when they are asked for, and remembered."""

    def __init__(self, game: Game, *, entries: int = 1 << 22) -> None:
        if game.variant.n > WORD:
            raise TooLarge
        self.game = game
        self.patience = PATIENCE
        self._kernel = search_kernel(type(game))
        size = 1 << min(entries.bit_length() - 1, 2 * game.variant.n + 4)
        self._table: tuple[Any, ...] = (
            np.zeros((size, 2), np.int64),
            np.zeros(size, np.int16),
            np.zeros(size, np.int8),
        )

    def value(self, position: Position) -> Value:
        """The value of a position; `TooLarge` if it takes more looks than patience is left."""
        a, b = position
        score, nodes, _ = self._kernel(
            a, b, self.game.variant, True, self.patience, PROBES, *self._table
        )
        self.patience -= nodes
        if self.patience < 0:
            raise TooLarge
        return read(self.game, int(score))


def read(game: Game, score: int) -> Value:
    """What a score means: points, or a distance, with the result as its sign."""
    sign = 1 if score > 0 else -1
    won = 1.0 if score > 0 else 0.0
    if game.rules.margin is not None:
        return Value(won, margin=score - sign)
    return Value(won, plies=WIN - abs(score))
