"""A picture for the lobby, drawn from a view of the game, for games that have none."""

from __future__ import annotations

import math
import random
from typing import NamedTuple

from numduel.core.game import Game
from numduel.core.state import State, drawn
from numduel.core.view import Layout, View, view

SIZE = 160
MARGIN, GAP = 14, 6
MOST_TILES = 16
LARGEST_TILE = 46
COLOURS = {None: "#f7f1e3", 1: "#7fa4ff", 2: "#ffab80"}
TEMPLATE = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 160">
  <rect width="160" height="160" fill="#20304f"/>
  <g font-family="ui-rounded, system-ui, sans-serif" font-weight="700" text-anchor="middle">
{%- for tile in tiles %}
    <rect x="{{ tile.x }}" y="{{ tile.y }}" width="{{ tile.size }}" height="{{ tile.size }}" \
rx="{{ tile.size // 5 }}" fill="{{ tile.colour }}"/>
    <text x="{{ tile.x + tile.size / 2 }}" y="{{ tile.y + tile.size * 0.66 }}" \
font-size="{{ tile.size // 2 }}" fill="#1c2230">{{ tile.text }}</text>
{%- endfor %}
{%- for line in lines %}
    <text x="80" y="{{ line.y }}" font-size="15" fill="#f7f1e3">{{ line.text }}</text>
{%- endfor %}
  </g>
</svg>
"""


class Tile(NamedTuple):
    """A square with a short text."""

    text: str
    colour: str
    x: int
    y: int
    size: int


class Line(NamedTuple):
    """A text below the tiles."""

    text: str
    y: int


def picture(game: Game) -> str:
    """The picture of a game as SVG: its own, or one of a position in the middle of a game."""
    return game.picture or _drawn(view(middle(game)), game.layout)


def middle(game: Game) -> State:
    """A position some way into a random game, always the same one."""
    luck, state, before = random.Random(game.id), game.start(), game.start()
    for _ in range(2 + game.bounds.plies // 3):
        before, state = state, drawn(state, luck.random)
        state = state.play(luck.choice(state.legal_moves))
        if state.winner is not None:
            return before
    return drawn(state, luck.random)


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
        Tile(
            text,
            COLOURS[owner],
            left + at % columns * (size + GAP),
            top + at // columns * (size + GAP),
            size,
        )
        for at, (text, owner) in enumerate(words)
    ]
    below = [
        Line(f"{fact.label}: {fact.text}"[:22], SIZE - MARGIN - 22 * (len(lines) - 1 - at))
        for at, fact in enumerate(lines)
    ]
    from jinja2 import Template

    return str(Template(TEMPLATE, autoescape=True).render(tiles=tiles, lines=below))


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
