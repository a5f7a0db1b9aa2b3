"""A card to print: a title, a board, numbered sentences, and a footnote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Literal, NamedTuple

from numduel.core.language import language
from numduel.core.text import titled
from numduel.lab.figures.render import render

WIDTH, MARGIN = 840, 44
"""The size of the card in its own units; it is printed as wide as the paper."""
GAP = 8
LARGEST_TILE = 64
MOST_COLUMNS = 14
TITLE_SIZE, STEP_SIZE, SMALL_SIZE = 34, 25, 17
LETTER, BOLD_LETTER = 0.52, 0.62
"""The width of an average letter, by its height."""


TileKind = Literal["free", "mine", "theirs", "gone", "next"]
"""``next`` is the move to make."""


@dataclass(frozen=True)
class Tile:
    """A square of a card."""

    text: str
    kind: TileKind


class Line(NamedTuple):
    """A line of text at its place."""

    text: str
    y: float
    size: int
    x: float = MARGIN
    weight: int = 400


class Square(NamedTuple):
    """A tile at its place."""

    tile: Tile
    x: float
    y: float
    size: float


@dataclass(frozen=True)
class Card:
    """The content of a card."""

    title: str
    subtitle: str
    rows: Sequence[Sequence[Tile]]
    """Rows of tiles; long rows are broken."""
    caption: str
    """The sentence below the board."""
    steps: Sequence[str]
    footnote: str

    def svg(self) -> str:
        """The card as a picture."""
        squares, lines, height = self._placed()
        return render(
            "card.svg", card=self, squares=squares, lines=lines, width=WIDTH, height=height
        )

    def html(self) -> str:
        """The card as a page that prints on one sheet."""
        title = titled(self.title, self.subtitle)
        return render("card.html", language=language(), title=title, svg=self.svg())

    def _placed(self) -> tuple[list[Square], list[Line], float]:
        """Where everything goes, from the top down, and how high the card is."""
        y: float = MARGIN + TITLE_SIZE
        size = min(TITLE_SIZE, int((WIDTH - 2 * MARGIN) / (BOLD_LETTER * len(self.title))))
        lines = [Line(self.title, y, size, weight=800)]
        y += 1.1 * STEP_SIZE
        lines.append(Line(self.subtitle, y, STEP_SIZE - 4))
        y += 24
        squares, y = self._board(y)
        y = _write(lines, self.caption, y, SMALL_SIZE, MARGIN) + 10
        for number, step in enumerate(self.steps, 1):
            y += 10
            lines.append(Line(f"{number}", y + 1.2 * STEP_SIZE, STEP_SIZE, weight=800))
            y = _write(lines, step, y, STEP_SIZE, MARGIN + 40)
        y = _write(lines, self.footnote, y + 14, SMALL_SIZE, MARGIN)
        return squares, lines, y + MARGIN

    def _board(self, top: float) -> tuple[list[Square], float]:
        rows = [
            row[at : at + MOST_COLUMNS]
            for row in self.rows
            for at in range(0, len(row), MOST_COLUMNS)
        ]
        if not rows:
            return [], top
        widest = max(map(len, rows))
        size = min(LARGEST_TILE, (WIDTH - 2 * MARGIN + GAP) / widest - GAP)
        squares = [
            Square(tile, MARGIN + column * (size + GAP), top + row * (size + GAP), size)
            for row, tiles in enumerate(rows)
            for column, tile in enumerate(tiles)
        ]
        return squares, top + len(rows) * (size + GAP) + 6


def _write(lines: list[Line], text: str, y: float, size: int, x: float) -> float:
    """Add a text, broken into lines, below a height; returns the height below it."""
    for part in wrap(text, int((WIDTH - MARGIN - x) / (LETTER * size))):
        y += 1.3 * size
        lines.append(Line(part, y, size, x))
    return y
