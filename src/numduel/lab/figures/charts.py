"""The charts: what they show, and where each part goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import ClassVar, NamedTuple
from unicodedata import east_asian_width

from numduel.lab.figures.render import render

LETTER_WIDTH = 7
"""Pixels that a letter takes, on average."""
WIDE_LETTERS = frozenset("MWmw@%…—")


def room(text: str) -> float:
    """Pixels that a text of a chart fits into, in any usual font."""
    return sum(
        13.5 if char in WIDE_LETTERS or east_asian_width(char) in "WF"
        else 10 if char.isupper()
        else 8.5
        for char in text
    )  # fmt: skip


class Bar(NamedTuple):
    """One bar of a bar chart."""

    name: str
    share: float


@dataclass(frozen=True)
class BarChart:
    """Shares side by side; every bar carries its name and its number."""

    template: ClassVar = "bars.html"
    width: ClassVar = 640
    height: ClassVar = 220
    base: ClassVar = 180
    """Where the bars stand."""
    top: ClassVar = 30
    """Where the highest bar ends."""

    title: str
    bars: Sequence[Bar]

    @property
    def step(self) -> float:
        """The width of a bar with the gap beside it."""
        return self.width / max(1, len(self.bars))

    def bar_height(self, share: float) -> float:
        """How high a bar is; the largest fills the chart."""
        largest = max((bar.share for bar in self.bars), default=0) or 1
        return (self.base - self.top) * share / largest

    @property
    def crowded(self) -> bool:
        """Whether the numbers need smaller letters."""
        return self.step < LETTER_WIDTH * len("100.0 %")


class Interval(NamedTuple):
    """One row of an interval chart: a value, the ends of its interval, and the value as text."""

    name: str
    low: float
    value: float
    high: float
    text: str
    hollow: bool = False
    """Whether the dot is drawn as a ring."""


@dataclass(frozen=True)
class IntervalChart:
    """Values with their intervals, one row each."""

    template: ClassVar = "intervals.html"
    width: ClassVar = 640
    row_height: ClassVar = 26
    left: ClassVar = 150
    right: ClassVar = 510
    """Where the scale begins and ends; names are left of it, numbers right."""

    title: str
    rows: Sequence[Interval]
    scale: tuple[float, float]
    dashed: float | None = None
    """A value that is marked over all rows."""
    ends: tuple[str, str] | None = None
    """The labels of the ends of the scale."""

    @property
    def base(self) -> int:
        """Where the rows end."""
        return self.row_height * len(self.rows) + 10

    @property
    def height(self) -> int:
        """The height of the picture."""
        return self.base + (self.row_height if self.ends else 0)

    @property
    def extra(self) -> int:
        """How much wider the picture is, on the left, for long names."""
        longest = max((room(row.name) for row in self.rows), default=0)
        return max(0, ceil(longest) - self.left + 12)

    def x(self, value: float) -> float:
        """Where a value is on the scale."""
        low, high = self.scale
        return self.left + (self.right - self.left) * (value - low) / ((high - low) or 1)

    def y(self, row: int) -> float:
        """The middle of a row."""
        return self.row_height * (row + 0.5) + 5


@dataclass(frozen=True)
class LineChart:
    """A line through levels from 0 to 1, as an SVG file of its own."""

    template: ClassVar = "line.svg"
    width: ClassVar = 480
    height: ClassVar = 180
    left: ClassVar = 52
    right: ClassVar = 466
    top: ClassVar = 34
    bottom: ClassVar = 148

    title: str
    description: str
    """The chart in words, for those who cannot see it."""
    labels: Sequence[str]
    """The labels of the scale, from the top down."""
    levels: Sequence[float]
    marks: Mapping[int, str]
    """Remarks on some of the points, by their number."""
    ends: tuple[str, str]
    """The labels of the first and the last point."""

    def point(self, number: int) -> tuple[float, float]:
        """Where a point of the line is."""
        x = self.left + (self.right - self.left) * number / max(1, len(self.levels) - 1)
        return x, self.bottom - (self.bottom - self.top) * self.levels[number]

    def label_y(self, number: int) -> float:
        """Where the line of a label is."""
        return self.top + (self.bottom - self.top) * number / max(1, len(self.labels) - 1)

    def svg(self) -> str:
        """The chart as an SVG file."""
        return render(self.template, chart=self)
