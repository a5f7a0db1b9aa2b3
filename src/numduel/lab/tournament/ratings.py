"""Confidence intervals of rates, and Elo ratings by Bradley and Terry's model."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

Z_95 = 1.959963984540054
"""Standard deviations on either side of the mean that cover 95 %."""
ELO_PER_LOG_ODDS = 400 / math.log(10)
"""400 Elo points are odds of 10 to 1."""
PRIOR = 1.0
"""Draws against an average player that everyone is given, so that ratings are finite."""
MAX_STEPS = 100
"""The most steps of Newton's method."""
TOLERANCE = 1e-10
"""A smaller step ends it."""


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a win rate, by Wilson's score; 0 to 1 if there are no games."""
    if not games:
        return 0.0, 1.0
    rate, z = wins / games, Z_95
    middle = (rate + z * z / (2 * games)) / (1 + z * z / games)
    half = math.sqrt(rate * (1 - rate) / games + (z / (2 * games)) ** 2) * z / (1 + z * z / games)
    # Rounding must not put a rate of 0 or 1 outside its own interval.
    return middle - half if wins else 0.0, middle + half if wins < games else 1.0


class Mean(NamedTuple):
    """A mean, and half the width of its 95 % interval, which a single game does not have."""

    value: float
    spread: float | None

    def within(self, low: float, high: float) -> tuple[float, float] | tuple[None, None]:
        """The interval, cut off at the lowest and highest possible value; None if there is none."""
        if self.spread is None:
            return None, None
        return max(low, self.value - self.spread), min(high, self.value + self.spread)


def mean(parts: Sequence[tuple[float, float]]) -> Mean | None:
    """The mean per unit, given a sum and a number of units for each game (such as the regret of its
    decisions, and their number); None if there are no units.

    Decisions of one game depend on each other, so the games are the sample: this is the ratio
    estimator of survey sampling, with its linearised variance.
    """
    size, units = len(parts), sum(unit for _, unit in parts)
    if not units:
        return None
    value = sum(part for part, _ in parts) / units
    if size < 2:
        return Mean(value, None)
    squares = sum((part - value * unit) ** 2 for part, unit in parts)
    return Mean(value, Z_95 * math.sqrt(squares * size / (size - 1)) / units)


class Rating(NamedTuple):
    """A strength in Elo points, and half the width of its 95 % interval."""

    points: float
    spread: float


class Game(NamedTuple):
    """A game as ratings see it: the players in the better and the other seat, which game it was,
    and who won."""

    one: str
    two: str
    what: str
    won: bool
    """Whether the better seat won."""


def rate(
    games: Iterable[Game], *, prior: float = PRIOR
) -> tuple[dict[str, Rating], dict[str, Rating]]:
    """The ratings of the players, and what the better seat is worth in each game.

    The model is Bradley and Terry's with an advantage for the better seat: its log-odds of winning
    are the difference of the ratings plus what the seat is worth in that game. The ratings are the
    most likely ones, with a weak prior that all are equal, and their mean is 0. The intervals come
    from the information matrix.
    """
    import numpy as np

    counts = Counter(games)
    if not counts:
        return {}, {}
    names = sorted({name for game in counts for name in game[:2]})
    tables = sorted({game.what for game in counts})
    size = len(names) + len(tables)
    # The design matrix: a row for each kind of game.
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
    for _ in range(MAX_STEPS):
        chance = 1 / (1 + np.exp(-(rows @ at)))
        average = 1 / (1 + np.exp(-at))
        slope = rows.T @ (weight * (won - chance)) + prior * (0.5 - average)
        bend = (rows.T * (weight * chance * (1 - chance))) @ rows
        inverse = np.linalg.pinv(bend + prior * np.diag(average * (1 - average)), hermitian=True)
        step = inverse @ slope
        # A Newton step may go too far, but its direction is always uphill.
        while likely(at + step) < likely(at) and np.abs(step).max() > TOLERANCE:
            step /= 2
        at = at + step
        if np.abs(step).max() < TOLERANCE:
            break
    # Ratings and their intervals are relative to the mean of all players.
    centre = np.eye(size)
    centre[: len(names), : len(names)] -= 1 / len(names)
    at = centre @ at
    spread = Z_95 * np.sqrt(np.maximum(np.diag(centre @ inverse @ centre.T), 0))
    found = [
        Rating(float(a * ELO_PER_LOG_ODDS), float(b * ELO_PER_LOG_ODDS))
        for a, b in zip(at, spread, strict=True)
    ]
    return (
        dict(zip(names, found, strict=False)),
        dict(zip(tables, found[len(names) :], strict=True)),
    )
