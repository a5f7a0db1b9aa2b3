"""Confidence intervals of rates and means, and Elo ratings by Bradley and Terry's model."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple, cast

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Z_95 = 1.959963984540054
"""Standard deviations on either side of the mean that cover 95 %."""
COVERED = 0.95
"""How often an interval should hold the truth."""
LEAST = 5
"""Fewer observations have no interval."""
DRAWS = 2000
"""How often a bootstrap weighs the observations anew."""
AT_ONCE = 1000
"""Observations that are weighed at once, to bound the memory."""
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


Rows = Sequence[Sequence[float]]


class Estimate(NamedTuple):
    """A figure with its 95 % interval; None for the ends if there are too few observations."""

    value: float
    low: float | None
    high: float | None


def _weighed(observed: Rows, luck: np.random.Generator) -> NDArray[np.float64]:
    """The sums of each column, for each time that the observations are weighed."""
    import numpy as np

    rows = np.array(sorted(map(tuple, observed)), float)  # in another order, draws would differ
    sums = np.zeros((rows.shape[1], DRAWS))
    for at in range(0, len(rows), AT_ONCE):
        part = rows[at : at + AT_ONCE]
        sums += part.T @ luck.standard_exponential((len(part), DRAWS))
    return sums


def _extreme(
    further: np.ufunc,
    sums: NDArray[np.float64],
    unseen: NDArray[np.float64],
    possible: Rows,
) -> NDArray[np.float64]:
    """The mean with the observation that was not seen, whichever takes it furthest."""
    import numpy as np

    rows = np.unique(np.array(possible, float), axis=0)
    found = [(sums[0] + total * unseen) / (sums[1] + units * unseen) for total, units in rows]
    return cast("NDArray[np.float64]", reduce(further, found))


class Part(NamedTuple):
    """One observation of a mean: several decisions of a game, if these depend on each other."""

    total: float
    """The sum over its units, such as what its decisions lost."""
    units: float
    """How many these are; or a weight of theirs."""
    least: float
    """The least and the most that the sum can be."""
    most: float


def mean(parts: Iterable[Part]) -> Estimate | None:
    """The mean per unit, with its interval; None if there are no units.

    Decisions of one game depend on each other, so the games are the sample. The interval is a
    bootstrap that weighs them at random. One that was not seen is added, because what is rare may
    not have happened yet: for the lower end whichever of those seen, at its least, makes the mean
    lowest, and for the upper end, at its most, highest. This is Gaffke's interval; for a share it
    is Clopper and Pearson's. It covers at least 95 % even if losses are rare and large, and if some
    observations can lose more than others: the bound is the most extreme of them, as large losses
    would exceed a bound of average size.
    """
    import numpy as np

    counted = [part for part in parts if part.units]
    if not counted:
        return None
    total, units = np.array([part[:2] for part in counted], float).sum(axis=0)
    value = float(total / units)
    if len(counted) < LEAST:
        return Estimate(value, None, None)
    luck = np.random.default_rng(0)
    sums = _weighed([part[:2] for part in counted], luck)
    unseen = luck.standard_exponential(DRAWS)
    low = _extreme(np.minimum, sums, unseen, [(part.least, part.units) for part in counted])
    high = _extreme(np.maximum, sums, unseen, [(part.most, part.units) for part in counted])
    ends = (
        float(np.quantile(found, place))
        for found, place in ((low, (1 - COVERED) / 2), (high, (1 + COVERED) / 2))
    )
    return Estimate(value, min(next(ends), value), max(next(ends), value))


def share(parts: Sequence[tuple[float, float]]) -> Estimate | None:
    """A share, given for each observation how many there are of a kind, and how many in all: with
    Wilson's interval if each observation is a single one."""
    found = mean(Part(part, size, 0.0, size) for part, size in parts)
    if found is None or found.low is None or any(size != 1 for _, size in parts):
        return found
    return Estimate(found.value, *wilson(found.value * len(parts), len(parts)))


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
