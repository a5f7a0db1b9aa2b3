"""A report as one HTML page that needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from numduel.lab.figures.charts import IntervalChart
from numduel.lab.figures.render import render


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    template: ClassVar = "text.html"

    text: str


class Code(Text):
    """A command line."""

    template: ClassVar = "code.html"


@dataclass(frozen=True)
class Table:
    """A table; the first cell of a row is its name. A row of one cell is the heading of those that
    follow."""

    template: ClassVar = "table.html"

    title: str
    rows: Sequence[Sequence[str]]
    head: Sequence[str] = ()
    """Headings, if the cells are figures and not texts."""
    note: str = ""
    """A sentence between the title and the table."""

    @property
    def grouped(self) -> bool:
        """Whether some rows are headings."""
        return bool(self.head) and any(len(row) == 1 for row in self.rows)


NONE = "–"
"""Stands for a missing value."""
TOO_FEW = "too few"


def with_interval(
    value: float,
    ends: tuple[float | None, float | None],
    scale: int = 100,
    digits: int = 0,
    sign: str = " %",
) -> str:
    """``60 % [41–77]``, or ``60 % (too few)`` where there is no interval."""
    shown = [None if one is None else f"{scale * one:z.{digits}f}" for one in (value, *ends)]
    told, low, high = shown
    if low is None or high is None:
        return f"{told}{sign} ({TOO_FEW})"
    between = " to " if low.startswith("-") else "–"
    return f"{told}{sign} [{low}{between}{high}]"


Block = Text | Code | Table | IntervalChart


def page(title: str, blocks: Sequence[Block], *, generator: str) -> str:
    """A page; `generator` is the command that made it."""
    return render("page.html", title=title, blocks=blocks, generator=generator)
