"""Exact results of vertex geography, on boards too large to search: a token moves along edges and
never returns to a vertex."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numduel.core.game import Game, numbers
from numduel.core.matching import missed
from numduel.core.state import Position
from numduel.solver.values import Value


class Geography:
    """Finds who wins, by matchings, but not in how many moves."""

    def __init__(self, game: Game, edges: Callable[[int, Any], int]) -> None:
        self.game = game
        self.edges = edges

    def values(self, position: Position) -> dict[int, Value]:
        """The result of every legal move, for the player who makes it."""
        rules, v = self.game.rules, self.game.variant
        used, current = position
        left = [
            number for number in range(1, self.game.bounds.actions + 1) if not used >> number & 1
        ]
        near = {number: self.edges(number, v) & ~used & ~(1 << number) for number in left}
        winning = missed({number: list(numbers(near[number])) for number in left})
        return {
            choice: Value(1.0 if choice in winning else 0.0)
            for choice in numbers(rules.legal(used, current, v))
        }
