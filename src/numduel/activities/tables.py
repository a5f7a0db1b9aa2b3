"""Tables and charts of a scene, and how they are written with letters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

BLOCKS = "▁▂▃▄▅▆▇█"
INDENT = "  "


@dataclass(frozen=True)
class Row:
    """A row of a table."""

    label: str
    cells: tuple[str, ...] = ()
    """A text for each column, empty where there is none; without columns, one text or none."""
    share: float | None = None
    """From 0 to 1, to be drawn as a bar."""


@dataclass(frozen=True)
class Table:
    """Numbers in rows."""

    title: str
    columns: tuple[str, ...] = ()
    """Their titles, if there are several."""
    rows: tuple[Row, ...] = ()
    levels: tuple[float, ...] = ()
    """From 0 to 1, one after the other in time, to be drawn as a chart."""

    def lines(self, width: int) -> list[Row]:
        """The rows as lines that fit: in columns, or else with the cells below the label. A line is
        a row without cells."""
        head = [Row("", self.columns)] if self.columns else []
        rows = [*head, *self.rows]
        wide = [max(map(len, column)) for column in zip(*map(_texts, rows), strict=True)]
        if len(INDENT) + sum(wide) + len(INDENT) * (len(wide) - 1) <= width:
            return [Row(_aligned(row, wide), share=row.share) for row in rows]
        return [Row(line) for row in self.rows for line in self._below(row)]

    def _below(self, row: Row) -> list[str]:
        """A row on two lines, each cell with the title of its column."""
        pairs = zip(self.columns or [""] * len(row.cells), row.cells, strict=True)
        told = ", ".join(f"{title} {cell}".strip() for title, cell in pairs if cell)
        return [INDENT + row.label, *([2 * INDENT + told] if told else [])]


def blocks(levels: Iterable[float]) -> str:
    """A chart of blocks, one for each level from 0 to 1."""
    return "".join(BLOCKS[min(len(BLOCKS) - 1, int(level * len(BLOCKS)))] for level in levels)


def _texts(row: Row) -> Sequence[str]:
    return (row.label, *row.cells)


def _aligned(row: Row, wide: Sequence[int]) -> str:
    pairs = zip(_texts(row), wide, strict=True)
    return INDENT + INDENT.join(f"{text:{size}}" for text, size in pairs).rstrip()
