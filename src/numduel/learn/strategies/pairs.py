"""Pairs of numbers: whoever answers every move with its partner wins.

Where a token moves along edges and never returns, whoever moves to a number that some maximum
matching leaves single wins. If the opponent could ever reach another single number, the path there
would make the matching larger. That no matching is larger is checked by the formula of Tutte and
Berge: without a set of numbers the others fall into pieces, and in each piece of odd size one
number has no partner but one of that set.

Elsewhere neighbours are paired, or numbers and their mirror images, and the pairing is played out
against every answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from numduel.core.game import Game, numbers
from numduel.core.matching import Graph, graph_of, matching, missed
from numduel.learn.strategies.base import Strategy
from numduel.learn.strategies.lists import play_out

MOST_POSITIONS = 20_000
"""Positions that the proof of one pairing may visit."""


def ruled_pairing(game: Game, seat: int, margin: int = 0) -> Strategy | None:
    """The first pairing by a rule that wins from a seat, in a counted game by a margin or more;
    None if there is none within the bounds."""
    if game.has_deck or not game.numeric or game.rules.edges is not None:
        return None
    for opening, pairs in _candidates(game, seat):
        paired = Strategy(game, seat, opening, (), 0, pairs=pairs, margin=margin or None)
        won, positions = play_out(paired, MOST_POSITIONS)
        if won:
            return replace(paired, positions=positions)
    return None


def _candidates(game: Game, seat: int) -> Iterator[tuple[int | None, tuple[tuple[int, int], ...]]]:
    """Openings, and the other numbers in pairs: neighbours from below or from above, or numbers and
    their mirror images."""
    n = game.bounds.actions
    start = numbers(game.rules.legal(*game.rules.start(game.variant), game.variant))
    for opening in start if seat == 1 else (None,):
        rest = [number for number in range(1, n + 1) if number != opening]
        for skipped in range(1 + len(rest) % 2):
            yield opening, tuple(zip(rest[skipped::2], rest[skipped + 1 :: 2], strict=False))
        mirror = ((one, n + 1 - one) for one in range(1, n // 2 + 1))
        yield opening, tuple(pair for pair in mirror if opening not in pair)


def pairing(game: Game, seat: int) -> Strategy | None:
    """The pairing of a seat that wins along edges; None if the game is of another kind."""
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
    paired = Strategy(game, seat, opening, (), 0, pairs=pairs, apart=apart)
    won, positions = play_out(paired, MOST_POSITIONS)
    if won is False:
        raise AssertionError("the pairs do not win")
    return replace(paired, positions=positions) if won else paired


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
