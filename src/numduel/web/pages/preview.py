"""The picture of a position that goes with a link, drawn from its view."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from numduel.core.game import Game
from numduel.core.language import cached
from numduel.core.state import State
from numduel.core.text import titled
from numduel.core.view import Fact, View, view
from numduel.web.pages.about import PREVIEW_SIZE as SIZE

WIDTH, HEIGHT = SIZE
"""What social networks and messengers ask for."""
MARGIN, GAP = 60, 12
BOARD_TOP, BOARD_BOTTOM = 236, 520
"""Where the board is, below the name of the game and its goal."""
LARGE_TILE, LARGEST_TILE = 80, 150
MAX_CACHED = 200
"""Pictures in memory, about ten kilobytes each."""
SCALE = 2
"""Everything is drawn larger and then reduced, for smooth edges."""
PAPER, INK, PALE = "#20304f", "#1c2230", "#f7f1e3"
SOFT, GOLD = "#b9c3da", "#ffd773"
OWNERS = {None: PALE, 1: "#8db0ff", 2: "#ffab80"}
RINGS = {"last": "#ffffff", "winning": GOLD}
"""Tiles that stand out, by their state."""
FONT = Path(__file__).with_name("Inter.ttf")
"""Inter in one weight, with the letters of Western Europe: Pillow's own font has no ä or é. Its
licence is beside it."""


class Tile(NamedTuple):
    """A square with a short text, its owner, and its state in the view."""

    text: str
    owner: int | None
    state: str = "taken"


@cached(MAX_CACHED)
def preview(state: State) -> bytes:
    """A position as a PNG picture, without names and hidden cards."""
    picture = Image.new("RGB", (WIDTH * SCALE, HEIGHT * SCALE), PAPER)
    seen, pen, game = view(state), _Pen(picture), state.game
    _heading(pen, game.display_name, _sentence(seen, game))
    rows = _rows(seen, game.layout.columns)
    facts = [fact for fact in seen.facts if isinstance(fact.value, str)]
    if rows:
        _board(pen, rows)
    else:
        _large(pen, facts)
    _footing(pen, seen.status, facts if rows else ())
    file = BytesIO()
    picture.reduce(SCALE).save(file, "PNG")
    return file.getvalue()


def _sentence(seen: View, game: Game) -> str:
    """What to do now, or why the game ended."""
    return game.goal(seen) if seen.winner is None else " ".join(game.end_reason(seen, seen.winner))


def _rows(seen: View, columns: int | None) -> list[list[Tile]]:
    """The tiles of the board: its cells, or else the hands and the drawn card."""
    if seen.cells:
        tiles = [Tile(cell.label, cell.owner, cell.state) for cell in seen.cells]
        columns = columns or _columns(len(tiles))
        return [tiles[at : at + columns] for at in range(0, len(tiles), columns)]
    held = [[Tile(str(card), seat) for card in seen.hand(seat)] for seat in (1, 2)]
    card = [] if seen.card is None else [Tile(str(seen.card), None, "last")]
    return [row for row in (held[0], card, held[1]) if row]


def _columns(count: int) -> int:
    """How many tiles stand in a row: as many as stay large, or else as many as makes them
    largest."""
    sizes = {columns: _size(columns, math.ceil(count / columns)) for columns in range(1, count + 1)}
    large = [columns for columns, size in sizes.items() if size >= LARGE_TILE]
    return max(large, default=max(sizes, key=lambda columns: sizes[columns]))


def _size(columns: int, rows: int) -> float:
    """The size of the tiles of a board."""
    wide = (WIDTH - 2 * MARGIN + GAP) / columns - GAP
    high = (BOARD_BOTTOM - BOARD_TOP + GAP) / rows - GAP
    return min(wide, high, LARGEST_TILE)


# -- drawing --------------------------------------------------------------------------------


class _Pen:
    """Draws on the enlarged picture."""

    def __init__(self, picture: Image.Image) -> None:
        self._draw = ImageDraw.Draw(picture)

    def square(self, x: float, y: float, size: float, fill: str, ring: str = "") -> None:
        box = [SCALE * value for value in (x, y, x + size, y + size)]
        radius = SCALE * size / 6
        self._draw.rounded_rectangle(box, radius, fill)
        if ring:
            self._draw.rounded_rectangle(box, radius, outline=ring, width=round(SCALE * size / 16))

    def mark(self, x: float, y: float, radius: float, seat: int, fill: str) -> None:
        """The round mark of Player 1, or the diamond of Player 2."""
        x, y, radius = SCALE * x, SCALE * y, SCALE * radius
        if seat == 1:
            self._draw.ellipse([x - radius, y - radius, x + radius, y + radius], fill)
        else:
            radius *= 1.2
            corners = [(x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)]
            self._draw.polygon(corners, fill)

    def write(
        self, x: float, y: float, text: str, size: float, fill: str = PALE, anchor: str = "ls"
    ) -> float:
        """Write a line of text. Returns its width."""
        font = letters(round(SCALE * size))
        self._draw.text((SCALE * x, SCALE * y), text, fill, font, anchor)
        return font.getlength(text) / SCALE


@cache
def letters(size: int) -> ImageFont.FreeTypeFont:
    """The font in a size; it is laid out alike wherever Pillow comes from."""
    return ImageFont.truetype(FONT, size, layout_engine=ImageFont.Layout.BASIC)


def _heading(pen: _Pen, title: str, sentence: str) -> None:
    pen.mark(WIDTH - MARGIN - 176, 82, 14, 1, OWNERS[1])
    pen.mark(WIDTH - MARGIN - 150, 82, 14, 2, OWNERS[2])
    pen.write(WIDTH - MARGIN, 92, "numduel", 30, SOFT, "rs")
    pen.write(MARGIN, 104, title, min(60, 1500 / len(title)))
    for number, line in enumerate(wrap(sentence, 64)[:2]):
        pen.write(MARGIN, 160 + 42 * number, line, 32, SOFT)


def _board(pen: _Pen, rows: Sequence[Sequence[Tile]]) -> None:
    columns = max(map(len, rows))
    size = _size(columns, len(rows))
    step = size + GAP
    y = (BOARD_TOP + BOARD_BOTTOM - len(rows) * step + GAP) / 2
    left = (WIDTH - columns * step + GAP) / 2
    for row, tiles in enumerate(rows):
        for column, tile in enumerate(tiles):
            _tile(pen, left + column * step, y + row * step, size, tile)


def _tile(pen: _Pen, x: float, y: float, size: float, tile: Tile) -> None:
    pen.square(x, y, size, OWNERS[tile.owner], RINGS.get(tile.state, ""))
    middle, letters = x + size / 2, max(2, len(tile.text))
    pen.write(middle, y + size * 0.44, tile.text, min(0.5, 1.2 / letters) * size, INK, "mm")
    if tile.owner:
        pen.mark(middle, y + size * 0.8, size * 0.07, tile.owner, INK)


def _large(pen: _Pen, facts: Sequence[Fact]) -> None:
    """Show the facts in the place of the board, if there is none."""
    for number, fact in enumerate(facts[:3]):
        pen.write(WIDTH / 2, 320 + 90 * number, titled(fact.label, fact.text)[:32], 72, PALE, "ms")


def _footing(pen: _Pen, status: str, facts: Sequence[Fact]) -> None:
    x = MARGIN + pen.write(MARGIN, 584, status, 34) + 60
    for fact in facts[:3]:
        text = titled(fact.label, fact.text)[:30]
        if fact.seat:
            pen.mark(x + 14, 573, 12, fact.seat, OWNERS[fact.seat])
            x += 40
        x += pen.write(x, 584, text, 34, SOFT) + 50
