"""The pairing that wins where a token moves along edges and never returns.

Whoever moves to a number that some maximum matching leaves single wins: they answer every move with
its partner. If the opponent could ever reach another single number, the path there would make
the matching larger. That no matching is larger is checked by the formula of Tutte and Berge:
without a set of numbers the others fall into pieces, and in each piece of odd size one number has
no partner but one of that set.
"""

from __future__ import annotations

from numduel.core.game import Game, numbers
from numduel.core.matching import Graph, graph_of, matching, missed
from numduel.learn.strategies.base import Strategy


def pairing(game: Game, seat: int) -> Strategy | None:
    """The pairing of a seat that wins; None if the game is of another kind."""
    if game.rules.edges is None:
        return None
    graph, v = graph_of(game), game.variant
    single = missed(graph)
    opening = None
    if seat == 1:
        legal = numbers(game.rules.legal(*game.rules.start(v), v))
        opening = next(number for number in legal if number in single)
    mate = matching(
        {k: [o for o in near if o != opening] for k, near in graph.items() if k != opening}
    )
    pairs = tuple(sorted((one, two) for one, two in mate.items() if one < two))
    apart = tuple(sorted({other for number in single for other in graph[number]} - single))
    if odd_pieces(graph, apart) - len(apart) != len(graph) - 2 * len(pairs):
        raise AssertionError("the pairs are not as many as can be")
    return Strategy(game, seat, opening, (), len(pairs), pairs=pairs, apart=apart)


def odd_pieces(graph: Graph, without: tuple[int, ...]) -> int:
    """How many pieces of odd size a graph falls into without some vertices."""
    left, odd = set(graph) - set(without), 0
    while left:
        waiting, size = [left.pop()], 0
        while waiting:
            size += 1
            near = left.intersection(graph[waiting.pop()])
            left -= near
            waiting += near
        odd += size % 2
    return odd
