"""How a game went for one of its players, move by move: drawn with letters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from numduel.core.language import _
from numduel.core.text import percentage
from numduel.learn.coach.words import ahead
from numduel.solver import Value

WIDTH = 72
"""Columns of a chart that is drawn with letters."""
TICK = 5
"""Columns between two numbers below it."""


class Chart(NamedTuple):
    """A line through the values of a game."""

    title: str
    seat: int
    """Whose values they are."""
    labels: tuple[str, str, str]
    """What the top, the middle and the bottom stand for."""
    levels: tuple[float, ...]
    """How high the line is at the start and after every move, from 0 to 1."""
    mistakes: frozenset[int]
    """The numbers of the moves that lost value."""

    def lines(self) -> list[str]:
        """The chart drawn with letters."""
        step = max(1, -(-len(self.levels) // WIDTH))
        moves = range(0, len(self.levels), step)
        below = _("Move")
        margin = max(map(len, self.labels))
        height = 2 * len(self.labels) - 1
        drawn = [self.title]
        for row in range(height):
            label = self.labels[row // 2] if row % 2 == 0 else ""
            marks = (
                "o" if round((1 - self.levels[move]) * (height - 1)) == row else " "
                for move in moves
            )
            drawn.append(f"{label:>{margin}} |{''.join(marks)}".rstrip())
        return [*drawn, f"{below:>{margin}}  {_ticks(moves)}"]


def _ticks(moves: range) -> str:
    """The numbers of some moves below the chart: of every fifth, and always of the last."""
    last, line = len(moves) - 1, ""
    for at in range(0, last, TICK):
        if at + len(f"{moves[at]} ") <= last:
            line = f"{line:{at}}{moves[at]}"
    return f"{line:{last}}{moves[last]}"


def chart(values: Sequence[Value], name: str, seat: int, mistakes: frozenset[int]) -> Chart:
    """The chart of a game, from a player's name, seat and values."""
    margins = [value.margin for value in values if value.margin is not None]
    scale = max([1, *map(abs, margins)])
    return Chart(
        _title(name, counted=bool(margins), exact=all(value.exact for value in values)),
        seat,
        (ahead(scale), _("equal"), ahead(-scale))
        if margins
        else (percentage(1), percentage(0.5), percentage(0)),
        tuple(_level(value, scale) for value in values),
        mistakes,
    )


def _title(name: str, *, counted: bool, exact: bool) -> str:
    if counted and exact:
        return _("{name}: points ahead with best play", name=name)
    if counted:
        return _("{name}: points ahead with best play, partly estimated", name=name)
    if exact:
        return _("{name}: chance to win", name=name)
    return _("{name}: chance to win, partly estimated", name=name)


def _level(value: Value, scale: int) -> float:
    """A value as a height from 0 to 1."""
    if value.margin is None:
        return value.win_probability
    return (1 + value.margin / scale) / 2
