"""Who plays whom: a matching of least cost among the players who are free.

What counts, in this order: that as many as possible are paired; that players have met as seldom as
possible; that everyone begins as often as their opponents, give or take one game; and that their
scores are close. NetworkX finds the matching by Edmonds' blossom algorithm, over whole numbers, so
it is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import NamedTuple

from numduel.events.event import COMPUTER


class Candidate(NamedTuple):
    """Somebody who could be paired."""

    number: int
    wins: int
    """The computer has as few as the weakest player, so that it plays those who are behind."""
    balance: int
    """How many more games they have begun than their opponents."""


class Cost(NamedTuple):
    """The cost of a pair; the first field that differs decides."""

    met: int
    """How often the two have met."""
    seats: int
    """By how many games more than one they would be out of balance."""
    apart: int
    """The square of the distance between their scores."""


def pairs(
    candidates: Sequence[Candidate],
    met: Callable[[int, int], int],
    allowed: Callable[[int, int], bool],
) -> list[tuple[int, int]]:
    """The pairs of least cost, the player who begins first in each. `met` says how often two have
    met, `allowed` whether they may be paired now. The order of candidates breaks ties."""
    from networkx import Graph, max_weight_matching

    costs = {
        (one.number, two.number): cost(one, two, met(one.number, two.number))
        for one, two in combinations(candidates, 2)
        if allowed(one.number, two.number)
    }
    graph = Graph()
    graph.add_weighted_edges_from((*pair, -total) for pair, total in _totals(costs).items())
    known = {one.number: one for one in candidates}
    matched = max_weight_matching(graph, maxcardinality=True)
    return sorted(_seated(known[one], known[two]) for one, two in matched)


def cost(one: Candidate, two: Candidate, met: int) -> Cost:
    """The cost of pairing two players who have met so often."""
    known = {one.number: one, two.number: two}
    first, second = (known[number] for number in _seated(one, two))
    seats = _excess(first, first.balance + 1) + _excess(second, second.balance - 1)
    return Cost(met, seats, (one.wins - two.wins) ** 2)


def _seated(one: Candidate, two: Candidate) -> tuple[int, int]:
    """Two players, first the one who begins: who has begun less often, or a person rather than the
    computer."""
    first, second = sorted(
        (one, two), key=lambda player: (player.balance, player.number == COMPUTER, player.number)
    )
    return first.number, second.number


def _excess(player: Candidate, balance: int) -> int:
    """By how many games more than one a balance is off; the computer's does not count."""
    return 0 if player.number == COMPUTER else max(0, abs(balance) - 1)


def _totals(costs: dict[tuple[int, int], Cost]) -> dict[tuple[int, int], int]:
    """Every cost as one number, such that sums of them compare as the costs do."""
    seats = 1 + sum(one.seats for one in costs.values())
    apart = 1 + sum(one.apart for one in costs.values())
    return {pair: (one.met * seats + one.seats) * apart + one.apart for pair, one in costs.items()}
