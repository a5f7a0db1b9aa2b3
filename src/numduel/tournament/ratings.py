"""How sure a win rate is, and ratings from who beat whom."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

SURE = 1.959963984540054
"""Standard deviations on either side that hold 95 %."""
POINTS = 400 / math.log(10)
"""Elo points of one unit of log-odds: 400 points are odds of 10 to 1."""
PRIOR = 1.0
"""Games that everybody is taken to have drawn against an average player."""
STEPS = 100
CLOSE = 1e-10


def wilson(wins: int, games: int) -> tuple[float, float]:
    """The 95 % interval of a win rate, by Wilson's score; everything if there are no games."""
    if not games:
        return 0.0, 1.0
    rate, z = wins / games, SURE
    middle = (rate + z * z / (2 * games)) / (1 + z * z / games)
    half = math.sqrt(rate * (1 - rate) / games + (z / (2 * games)) ** 2) * z / (1 + z * z / games)
    # Exact where it is known: rounding must not put the rate itself outside.
    return middle - half if wins else 0.0, middle + half if wins < games else 1.0


class Rating(NamedTuple):
    """A strength in Elo points, and how far it may be off at 95 %."""

    points: float
    spread: float


class Game(NamedTuple):
    """Who met whom, for a rating: the players in seats 1 and 2, what was played, who won."""

    one: str
    two: str
    what: str
    won: bool
    """Whether seat 1 won."""


def rate(
    games: Iterable[Game], *, prior: float = PRIOR
) -> tuple[dict[str, Rating], dict[str, Rating]]:
    """The ratings of the players, and what seat 1 is worth in each game.

    The model is Bradley and Terry's with a seat: the log-odds of a win are the difference of the
    ratings, and in seat 1 what that seat is worth in that game. The ratings are the most likely
    ones, given a little belief that all are equal (so that they are finite even for who always
    wins), and their mean is 0. Spreads come from the information matrix.
    """
    import numpy as np

    counts = Counter(games)
    if not counts:
        return {}, {}
    names = sorted({name for game in counts for name in game[:2]})
    tables = sorted({game.what for game in counts})
    size = len(names) + len(tables)
    # A row for each kind of game: what its log-odds are the sum of.
    rows = np.zeros((len(counts), size))
    for row, game in zip(rows, counts, strict=True):
        row[names.index(game.one)] += 1
        row[names.index(game.two)] -= 1
        row[len(names) + tables.index(game.what)] = 1
    won = np.array([game.won for game in counts], float)
    weight = np.array([*counts.values()], float)

    def likely(at: np.ndarray) -> float:
        odds = rows @ at
        lost = np.logaddexp(0, np.where(won, -odds, odds))
        equal = np.logaddexp(0, at) + np.logaddexp(0, -at)
        return float(-(weight @ lost) - prior / 2 * equal.sum())

    at = np.zeros(size)
    inverse: Any = None
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-(rows @ at)))
        average = 1 / (1 + np.exp(-at))
        slope = rows.T @ (weight * (won - chance)) + prior * (0.5 - average)
        bend = (rows.T * (weight * chance * (1 - chance))) @ rows
        inverse = np.linalg.pinv(bend + prior * np.diag(average * (1 - average)), hermitian=True)
        step = inverse @ slope
        # Newton's step may go too far while the ratings are far off; uphill it is for certain.
        while likely(at + step) < likely(at) and np.abs(step).max() > CLOSE:
            step /= 2
        at = at + step
        if np.abs(step).max() < CLOSE:
            break
    # Ratings are told from their mean, and so is how far they may be off.
    centre = np.eye(size)
    centre[: len(names), : len(names)] -= 1 / len(names)
    at = centre @ at
    spread = SURE * np.sqrt(np.maximum(np.diag(centre @ inverse @ centre.T), 0))
    found = [Rating(float(a * POINTS), float(b * POINTS)) for a, b in zip(at, spread, strict=True)]
    return (
        dict(zip(names, found, strict=False)),
        dict(zip(tables, found[len(names) :], strict=True)),
    )
