"""A report as one HTML page that needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from numduel.figures.charts import BarChart, IntervalChart
from numduel.figures.render import render


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    template: ClassVar = "text.html"

    text: str


@dataclass(frozen=True)
class Code:
    """A command line, or anything else that is shown letter by letter."""

    template: ClassVar = "code.html"

    text: str


@dataclass(frozen=True)
class Table:
    """A table with its title; the first cell of a row is its name."""

    template: ClassVar = "table.html"

    title: str
    rows: Sequence[Sequence[str]]
    head: Sequence[str] = ()
    note: str = ""
    """A sentence between the title and the table."""

    @property
    def numbers(self) -> bool:
        """Whether the cells are figures under headings, and not texts."""
        return bool(self.head)


Block = Text | Code | Table | BarChart | IntervalChart


def page(title: str, blocks: Sequence[Block], *, generator: str) -> str:
    """A page with a title, and the command that made it as its generator."""
    return render("page.html", title=title, blocks=blocks, generator=generator)
