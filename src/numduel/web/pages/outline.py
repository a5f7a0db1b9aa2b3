"""The shape of a board before its script has come: where its tiles will lie, nearly. The script
itself measures the screen (`page/board/shape.js`)."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any, NamedTuple

SCREENS = (358, 330), (744, 420)
"""The room for a board on a phone and on a desk."""
GAP, CARDS = 6, 5
COMFORTABLE, ACROSS, LARGEST = 96, 6, 128
MAX_TILES = 60
"""More than this scroll."""


class Outline(NamedTuple):
    """Squares in a picture of some size."""

    width: int
    height: int
    size: int
    places: list[tuple[int, int]]


def outlines(told: Mapping[str, Any]) -> list[Outline]:
    """The shape of the board of a position, for both screens."""
    layout, count = told["layout"], min(len(told["cells"]), MAX_TILES)
    return [_outline(layout, count, *screen) for screen in SCREENS]


def _outline(layout: Mapping[str, Any], count: int, width: int, height: int) -> Outline:
    def size(table: tuple[int, int]) -> int:
        columns, rows = table
        across, down = (width + GAP) // columns - GAP, (height + GAP) // rows - GAP
        return min(across, down, LARGEST)

    ring = layout["kind"] == "spokes"
    if not count:  # two rows of cards, and the deck between them
        tables = [(layout["places"] or CARDS, 3)]
        count = tables[0][0] * 3
    elif ring:
        half = max(6, ceil(count / 2) + 2)
        tables = [(half - rows, rows) for rows in range(3, half - 2)]
    elif columns := layout["columns"]:
        tables = [(columns, ceil(count / columns))]
    else:
        tables = [(ceil(count / rows), rows) for rows in range(1, count + 1)]
    if layout["kind"] == "path":  # in few rows, as long as they are comfortable
        least = min(COMFORTABLE, width / ACROSS)
        tables = [table for table in tables if size(table) >= least][:1] or tables
    columns, rows = best = max(tables, key=size)
    step, left = size(best) + GAP, (width - columns * (size(best) + GAP) + GAP) // 2
    places = [
        (left + column * step, row * step)
        for row, column in (divmod(at, columns) for at in range(columns * rows))
        if not ring or row in (0, rows - 1) or column in (0, columns - 1)
    ]
    return Outline(width, rows * step, size(best), places[:count])
