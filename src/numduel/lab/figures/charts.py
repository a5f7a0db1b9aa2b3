"""The charts: what they show, and where each part goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import ClassVar, NamedTuple
from unicodedata import east_asian_width

from numduel.lab.figures.render import render

WIDE_LETTERS = frozenset("MWmw@%…—")


def room(text: str) -> float:
    """Pixels that a text of a chart fits into, in any usual font."""
    return sum(
        13.5 if char in WIDE_LETTERS or east_asian_width(char) in "WF"
        else 10 if char.isupper()
        else 8.5
        for char in text
    )  # fmt: skip


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
    def width(self) -> int:
        """How far the picture reaches to the right, where the numbers are."""
        widest = max((room(row.text) for row in self.rows), default=0)
        return max(640, self.right + 12 + ceil(widest))

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


class SvgFile:
    """A chart that is a file of its own."""

    template: ClassVar[str]

    def svg(self) -> str:
        """The chart as an SVG file."""
        return render(self.template, chart=self)


class Point(NamedTuple):
    """One point of a scatter chart."""

    x: float
    y: float
    name: str
    kind: str
    """A program is drawn as a dot, a model as a ring, people as a square."""


class Label(NamedTuple):
    """A point with its place, and that of its name."""

    point: Point
    x: float
    y: float
    text_y: float
    is_before: bool
    """Whether the name stands before the point, because there is no room behind it."""

    @property
    def text_x(self) -> float:
        """Where the name begins, or ends if it stands before the point."""
        return self.x - 10 if self.is_before else self.x + 10

    @property
    def span(self) -> tuple[float, float]:
        """Where the name begins and ends."""
        long = room(self.point.name)
        return (
            (self.text_x - long, self.text_x)
            if self.is_before
            else (self.text_x, self.text_x + long)
        )


@dataclass(frozen=True)
class ScatterChart(SvgFile):
    """Points by two numbers, the first on a scale of powers of ten."""

    template: ClassVar = "scatter.svg"
    width: ClassVar = 720
    height: ClassVar = 460
    left: ClassVar = 52
    right: ClassVar = 600
    """Where the last power of ten is; names have room beyond."""
    top: ClassVar = 44
    bottom: ClassVar = 400
    line_height: ClassVar = 15

    title: str
    """What the upward scale is."""
    across: str
    """What the other one is."""
    description: str
    """The chart in words, for those who cannot see it."""
    points: Sequence[Point]

    @property
    def powers(self) -> range:
        """The powers of ten on the scale."""
        values = [log10(point.x) for point in self.points]
        return range(floor(min(values)), max(ceil(max(values)), floor(min(values)) + 1) + 1)

    @property
    def levels(self) -> list[float]:
        """The values on the upward scale, each half: up to 1."""
        lowest = floor(2 * min(0.0, *(point.y for point in self.points))) / 2
        return [lowest + number / 2 for number in range(round(2 * (1 - lowest)) + 1)]

    def x(self, power: float) -> float:
        """Where a power of ten is."""
        first, last = self.powers[0], self.powers[-1]
        return self.left + (self.right - self.left) * (power - first) / (last - first)

    def label(self, power: int) -> str:
        """A power of ten as it is read: ``0.001``."""
        return f"{10.0**power:.{max(0, -power)}f}"

    def y(self, value: float) -> float:
        """Where a value is."""
        lowest = self.levels[0]
        return self.bottom - (self.bottom - self.top) * (value - lowest) / (1 - lowest)

    def placed(self) -> list[Label]:
        """The points from the top down; a name that would cover another stands lower."""
        labels: list[Label] = []
        for point in sorted(self.points, key=lambda point: (-point.y, point.x)):
            x, y = self.x(log10(point.x)), self.y(point.y)
            label = Label(point, x, y, y + 4, x + 10 + room(point.name) > self.width)
            for other in sorted(labels, key=lambda label: label.text_y):
                beside = label.span[1] < other.span[0] or other.span[1] < label.span[0]
                if not beside and abs(label.text_y - other.text_y) < self.line_height:
                    label = label._replace(text_y=other.text_y + self.line_height)
            labels.append(label)
        return labels
