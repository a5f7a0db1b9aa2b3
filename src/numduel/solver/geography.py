"""Exact results of vertex geography on boards too large to search. (A token moves along edges and
never returns to a vertex.)"""

from __future__ import annotations

from numduel.core.game import Game, numbers
from numduel.core.matching import graph_of, missed
from numduel.core.state import Position
from numduel.solver.values import Value


def results(game: Game, position: Position) -> dict[int, Value]:
    """The result of every legal move, for the player who makes it. Matchings tell who wins, but not
    in how many moves."""
    winning = missed(graph_of(game, position[0]))
    return {
        choice: Value(1.0 if choice in winning else 0.0)
        for choice in numbers(game.rules.legal(*position, game.variant))
    }
