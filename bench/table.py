"""The rows of the benchmark, how their figures are put together, and how people read them."""

from collections.abc import Iterator
from statistics import median
from typing import NamedTuple

from rich.box import SIMPLE
from rich.table import Table

from numduel.terminal.progress import ProgressBar


class Row(NamedTuple):
    """One line of the table. Without a goal, nothing is ok or missed."""

    what: str
    measured: float | str
    yardstick: float | None = None
    unit: str = ""
    ratio: float | None = None
    goal: str = ""
    ok: bool | None = None

    @classmethod
    def under(cls, what: str, measured: float, unit: str, limit: float) -> "Row":
        """A figure that should stay below a limit."""
        return cls(what, measured, None, unit, None, f"under {limit:g} {unit}", measured < limit)

    @property
    def mark(self) -> str:
        """``ok``, ``MISSED``, or nothing."""
        return {True: "ok", False: "MISSED", None: ""}[self.ok]


class Run(NamedTuple):
    """How much to measure, and where to show how far it has come."""

    quick: bool
    bar: ProgressBar

    def rounds(self, what: str, full: int, quick: int) -> Iterator[int]:
        """Count the rounds of a benchmark, showing its progress."""
        yield from self.bar.track(range(quick if self.quick else full), what)


class Rounds:
    """Paired measurements of one subject and its yardstick."""

    def __init__(self, what: str, unit: str) -> None:
        self.what = what
        self.unit = unit
        self.pairs: list[tuple[float, float]] = []

    def add(self, measured: float, yardstick: float) -> None:
        """Add the two figures of a round."""
        self.pairs.append((measured, yardstick))

    def row(self, *, at_most: float | None = None) -> Row:
        """The medians, and whether the ratio is what it should be."""
        measured, yardstick = (median(side) for side in zip(*self.pairs, strict=True))
        ratio = median(measured / yardstick for measured, yardstick in self.pairs)
        goal, ok = "", None
        if at_most is not None:
            goal, ok = f"at most {at_most:g}", ratio <= at_most
        return Row(self.what, measured, yardstick, self.unit, ratio, goal, ok)


def table(rows: list[Row]) -> Table:
    """The rows as people read them."""
    found = Table(
        box=SIMPLE,
        padding=(0, 1, 0, 0),
        caption="Each figure is a median; the ratio is the median of the ratios of all rounds.",
    )
    found.add_column("what", no_wrap=True)
    for heading in ("measured", "yardstick", "ratio"):
        found.add_column(heading, justify="right")
    found.add_column("goal")
    found.add_column("")
    for row in rows:
        found.add_row(
            row.what,
            figure(row.measured, row.unit),
            figure(row.yardstick, row.unit),
            "" if row.ratio is None else f"{row.ratio:.2f}",
            row.goal,
            row.mark,
        )
    return found


def figure(value: float | str | None, unit: str) -> str:
    """A figure with its unit, to three places."""
    if value is None or isinstance(value, str):
        return value or ""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.3g}{letter} {unit}"
    return f"{value:.3g} {unit}"
