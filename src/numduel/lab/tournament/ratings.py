"""Confidence intervals of rates and means, and Elo ratings by Bradley and Terry's model."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

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


class Estimate(NamedTuple):
    """A figure with its 95 % interval; None for the ends if there are too few observations."""

    value: float
    low: float | None
    high: float | None


def estimate(
    observed: Sequence[Sequence[float]],
    figure: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    lowest: Sequence[float],
    highest: Sequence[float],
) -> Estimate:
    """A figure made of sums over independent observations, with its interval.

    `figure` takes rows of sums; it must not change if a row is multiplied. The interval is a
    bootstrap that weighs the observations at random. One more is added that was not seen: the one
    with the `lowest` figure that is possible for the lower end, and the `highest` for the upper
    end, because what is rare may not have happened yet. This is Gaffke's interval; for a share it
    is Clopper and Pearson's. It covers at least 95 % even if losses are rare and large.
    """
    import numpy as np

    rows = np.array(sorted(map(tuple, observed)), float)  # in another order, draws would differ
    value = float(figure(rows.sum(axis=0)[None])[0])
    if len(rows) < LEAST:
        return Estimate(value, None, None)
    luck = np.random.default_rng(0)
    sums = np.zeros((DRAWS, rows.shape[1]))
    for at in range(0, len(rows), AT_ONCE):
        part = rows[at : at + AT_ONCE]
        sums += luck.standard_exponential((DRAWS, len(part))) @ part
    unseen = luck.standard_exponential((DRAWS, 1))
    low, high = (
        float(np.quantile(figure(sums + unseen * np.array(end)), place))
        for end, place in ((lowest, (1 - COVERED) / 2), (highest, (1 + COVERED) / 2))
    )
    return Estimate(value, min(low, value), max(high, value))


def mean(parts: Sequence[tuple[float, float]], possible: tuple[float, float]) -> Estimate | None:
    """The mean per unit, given a sum and a number of units for each game (such as the regret of its
    decisions, and their number), and the lowest and highest mean that a game can have; None if
    there are no units.

    Decisions of one game depend on each other, so the games are the sample.
    """
    counted = [part for part in parts if part[1]]
    if not counted:
        return None
    usual = sum(unit for _, unit in counted) / len(counted)
    ends = [(end * usual, usual) for end in possible]
    return estimate(counted, lambda sums: sums[:, 0] / sums[:, 1], *ends)


Losses = tuple[float, float, Sequence[float]]
"""Of one observation: its own loss, the most that could be lost, and what each of others lost."""


def above(*groups: Sequence[Losses]) -> Estimate | None:
    """How far somebody is above others: 1 less its own loss divided by that of the best of them. Of
    several groups of observations, such as games, it is the mean; None if in one of them somebody
    else loses nothing.

    Who is the best of them is found anew in each group whenever the observations are weighed. The
    best by luck looks better than it is, in what was seen and once more in what is weighed, so
    both lie below the truth: the interval goes up from the figure as far as it goes down, but not
    beyond 1.
    """
    usual = [_usual(parts) for parts in groups]
    if not usual or any(not lost[1:] or min(lost[1:]) <= 0 for lost in usual):
        return None
    widths = [len(lost) for lost in usual]
    starts = [sum(widths[:at]) for at in range(len(widths))]
    rows = [
        [0.0] * start + [own, *lost] + [0.0] * (sum(widths) - start - width)
        for start, width, parts in zip(starts, widths, groups, strict=True)
        for own, _, lost in parts
    ]

    def figure(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        shares: list[NDArray[np.float64]] = [
            1 - sums[:, start] / sums[:, start + 1 : start + width].min(axis=1)
            for start, width in zip(starts, widths, strict=True)
        ]
        return sum(shares[1:], shares[0]) / len(shares)

    lowest = [loss for lost in usual for loss in lost]
    highest = [loss for lost in usual for loss in (0.0, *lost[1:])]
    found = estimate(rows, figure, lowest, highest)
    if found.low is None or found.high is None or min(map(len, groups)) < LEAST:
        return Estimate(found.value, None, None)
    return found._replace(high=max(found.high, min(1.0, 2 * found.value - found.low)))


def _usual(parts: Sequence[Losses]) -> list[float]:
    """The average of the most that could be lost, and of what each of the others lost."""
    columns = zip(*((most, *lost) for _, most, lost in parts), strict=True)
    return [sum(column) / len(parts) for column in columns]


def share(parts: Sequence[tuple[float, float]]) -> Estimate | None:
    """A share, given for each observation how many there are of a kind, and how many in all: with
    Wilson's interval if each observation is a single one."""
    found = mean(parts, (0.0, 1.0))
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
