"""A picture for the lobby, drawn from a view of the game, for games that have none."""

from __future__ import annotations

import math
from html import escape

from numduel.core.game import Game
from numduel.core.state import middle
from numduel.core.text import titled
from numduel.core.view import Layout, View, view

SIZE = 160
MARGIN, GAP = 14, 6
MOST_TILES = 16
LARGEST_TILE = 46
COLOURS = {None: "#f7f1e3", 1: "#7fa4ff", 2: "#ffab80"}
PICTURE = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 160">
  <rect width="160" height="160" fill="#20304f"/>
  <g font-family="ui-rounded, system-ui, sans-serif" font-weight="700" text-anchor="middle">
    {}
  </g>
</svg>
"""


def picture(game: Game) -> str:
    """The picture of a game as SVG: its own, or one of a position in the middle of a game."""
    return game.picture or _drawn(view(middle(game)), game.layout)


def _drawn(seen: View, layout: Layout) -> str:
    words = _words(seen)
    lines = [fact for fact in seen.facts if isinstance(fact.value, str) and not fact.seat][:3]
    room = SIZE - 2 * MARGIN - 22 * len(lines)
    fitting = math.ceil(math.sqrt(len(words) * (SIZE - 2 * MARGIN) / room))
    columns = min(layout.columns if seen.cells and layout.columns else fitting, len(words))
    rows = math.ceil(len(words) / columns)
    wide = (SIZE - 2 * MARGIN + GAP) // columns - GAP
    high = (room + GAP) // rows - GAP
    size = min(wide, high, LARGEST_TILE)
    left = (SIZE - columns * (size + GAP) + GAP) // 2
    top = (SIZE - 22 * len(lines) - rows * (size + GAP) + GAP) // 2
    tiles = [
        _tile(text, COLOURS[owner], left + column * (size + GAP), top + row * (size + GAP), size)
        for at, (text, owner) in enumerate(words)
        for row, column in [divmod(at, columns)]
    ]
    below = [
        _text(titled(fact.label, fact.text)[:22], 80, SIZE - MARGIN - 22 * up, 15, COLOURS[None])
        for up, fact in enumerate(reversed(lines))
    ]
    return PICTURE.format("\n    ".join([*tiles, *below]))


def _tile(text: str, colour: str, x: int, y: int, size: int) -> str:
    square = f'width="{size}" height="{size}" rx="{size // 5}" fill="{colour}"'
    letters = _text(text, x + size / 2, y + size * 0.66, size // 2, "#1c2230")
    return f'<rect x="{x}" y="{y}" {square}/>{letters}'


def _text(text: str, x: float, y: float, size: int, colour: str) -> str:
    return f'<text x="{x}" y="{y}" font-size="{size}" fill="{colour}">{escape(text)}</text>'


def _words(seen: View) -> list[tuple[str, int | None]]:
    """The texts of the tiles and their owners: cells, or else cards, hands and logs."""
    if seen.cells:
        return [(cell.label[:4], cell.owner) for cell in seen.cells[:MOST_TILES]]
    words: list[tuple[str, int | None]] = []
    words += [(str(card), seat) for seat in (1, 2) for card in seen.hand(seat)]
    words += [] if seen.card is None else [(str(seen.card), None)]
    for fact in seen.facts:
        if not isinstance(fact.value, str):
            words += [(text[:4], fact.seat) for text in fact.value]
    facts = [(fact.text[:4], fact.seat) for fact in seen.facts]
    return words[:MOST_TILES] or facts[:MOST_TILES] or [("?", None)]
