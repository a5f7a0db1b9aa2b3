"""The board: cells, hands, the drawn card and buttons, as large as fits.

Cells can be told apart without colour: a legal one has a round box (or brackets), a blocked one a
dashed box (or dashes), a taken one its owner's mark, the last one a double box (or an arrow), a
winning one a heavy box and a star.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar, NamedTuple

from textual import events
from textual.binding import Binding
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.widget import Widget

from numduel.core.errors import IllegalMove
from numduel.core.game import Game
from numduel.core.state import State
from numduel.core.text import name_told, titled
from numduel.core.view import Layout, View, view

DISCS = ("●", "○")
"""The marks of seats 1 and 2 in a game whose own markers are longer than a letter."""
BOXES = {
    "free": "╭─╮│╰╯",
    "blocked": "┌╌┐╎└┘",
    "taken": "┌─┐│└┘",
    "last": "╔═╗║╚╝",
    "winning": "┏━┓┃┗┛",
}
BOXED = (
    "A round box can be chosen now, a dashed one cannot. The double box is the last move; heavy"
    " boxes with a star have won."
)
BRACKETED = "[ ] can be chosen now, ╌ cannot. ◂ is the last move; ★ has won."
STYLES = {"free": "bold", "blocked": "dim", "taken": "", "last": "bold", "winning": "bold"}
SEATS = ("$text-primary on $primary-muted", "$text-warning on $warning-muted")
"""The colours of seats 1 and 2."""
LIT = ("$on-primary on $primary", "$on-warning on $warning")
"""The same for numbers that have won."""


def marks(game: Game) -> tuple[str, str]:
    """The one-letter marks of the seats: the game's own markers, or discs."""
    one, two = game.markers
    return (one, two) if len(one) == len(two) == 1 else DISCS


MAX_TYPED = 40
"""Characters of the longest move that can be typed."""
GOES_ON = " →"
"""Ends a row of a path that goes on."""
HEAD, LONGEST_CARD = 4, 2
"""Columns of a player's mark before a hand, and letters of a usual card."""
FEW = 5
"""Cells that a row should have at least."""
CURSOR = "bold $on-accent on $accent"
POINTS = re.compile(r"\*?[+−]\d+")
"""Points ahead or behind, with a star for the best."""
Line = list[tuple[str, str]]
"""Pieces of text, each with its style."""


class Spot(NamedTuple):
    """A cell or a button, which can be pressed."""

    label: str
    move: str
    """The move that it makes, in notation."""
    state: str
    """As in a `Cell`."""
    owner: int | None = None
    cell: bool = False
    """Whether it is a cell, not a button."""


class Value(NamedTuple):
    """What the move of a spot is worth."""

    text: str
    best: bool = False
    style: str = ""
    sign: str = ""
    """``+`` or ``-``, where there is no room for more."""
    short: str = ""
    """The text in fewer letters, with its unit: ``win 5``."""

    @property
    def told(self) -> str:
        """The text, with a star for the best."""
        return f"{'*' if self.best else ''}{self.text}"

    @property
    def mark(self) -> str:
        """One letter, or none."""
        return "*" if self.best else self.sign

    def within(self, width: int, *, brief: bool, bare: bool) -> str:
        """As much of it as there is room for; in `brief` in few letters at most, `bare` without the
        unit of points."""
        told = self._brief if brief else self.told
        ways = bare and self.bare, told, self._brief, self.tight, self.mark
        return next((text for text in ways if text and len(text) <= width), "")

    def whole_within(self, width: int) -> bool:
        """Whether there is room for more than a mark."""
        return len(self.bare or self.tight) <= width

    @property
    def tight(self) -> str:
        """The text in few letters and without blanks: ``win5``."""
        return self._brief.replace(" ", "")

    @property
    def bare(self) -> str:
        """Points without their unit: ``+11``; empty if it is not worth points."""
        found = POINTS.match(self._brief)
        return found[0] if found else ""

    @property
    def _brief(self) -> str:
        return f"{'*' if self.best else ''}{self.short or self.text}"


class Scale(NamedTuple):
    """How large spots are drawn."""

    width: int
    height: int
    gap: int = 0

    def fit(self, width: int) -> int:
        """How many there is room for side by side."""
        return (width + self.gap) // (self.width + self.gap)


def spots(state: State, seen: View) -> tuple[Spot, ...]:
    """Everything that can be pressed: the cells, then a button for each other move or card to
    draw."""
    cells = tuple(Spot(c.label, c.label, c.state, c.owner, True) for c in seen.cells)
    at_cells = {cell.move for cell in cells}
    game = state.game
    moves = {str(move): game.label(game.worded(move, state)) for move in state.legal_moves}
    others = moves or {str(card): str(card) for card in state.draws}
    buttons = tuple(
        Spot(label, move, "free") for move, label in others.items() if move not in at_cells
    )
    return cells + buttons


class Board(Widget, can_focus=True):
    """The board of a state, used with the mouse, or with arrows and Enter."""

    ID: ClassVar[str | None] = "board"
    TIGHT: ClassVar[tuple[int, ...]] = (2, 1)
    """Columns beside a label and its brackets, where a cell is one line."""
    BESIDE_CARD: ClassVar = 4
    """Columns of a card beside its label."""
    LEAN: ClassVar = 0
    """1 if cells end with a blank, so that an odd column of room belongs before them."""

    BINDINGS = [
        Binding("up", "step(0, -1)", show=False, tooltip="Choose a move"),
        Binding("down", "step(0, 1)", show=False, tooltip="Choose a move"),
        Binding("left", "step(-1, 0)", show=False, tooltip="Choose a move"),
        Binding("right", "step(1, 0)", show=False, tooltip="Choose a move"),
        Binding("k", "step(0, -1)", show=False),
        Binding("j", "step(0, 1)", show=False),
        Binding("enter", "press", "Play", show=False, tooltip="Play", key_display="enter"),
        Binding("enter", "play", "Play", tooltip="Play what you typed", key_display="enter"),
        Binding("escape", "forget", "Clear", tooltip="Clear what you typed"),
    ]

    class Pressed(Message):
        """A cell or a button was pressed."""

        def __init__(self, move: str) -> None:
            super().__init__()
            self.move = move

    class Typed(Message):
        """What is typed has changed."""

    def __init__(self) -> None:
        super().__init__(id=self.ID)
        self.seen: View | None = None
        self.design = Layout()
        self._game: Game | None = None
        self._words: tuple[str, ...] = ()
        self.marks = DISCS
        self.has_hands = False
        self.longest_value = self._longest_told = self._longest_tight = 0
        self.spots: tuple[Spot, ...] = ()
        self._draws: tuple[Spot, ...] = ()
        """The cards of which one has to be drawn; they are shown where a person chooses it."""
        self.regions: list[Region] = []
        """Where each spot is drawn."""
        self.values: Mapping[str, Value] = {}
        self.cursor = 0
        self.picked = False
        """Whether the person has moved the cursor in this position."""
        self.typed = ""
        """A move that is being typed."""
        self.asked = True
        """Whether a move can be made now."""
        self.theirs = False
        """Whether the computer moves: its buttons cannot be pressed."""
        self.arrows = True
        """Whether arrows choose a spot; otherwise they are left to the screen."""
        self._lines: list[Line] = []
        self._stale = True
        """Whether something has changed since the lines were drawn."""
        """Whether to keep room for a row of buttons that may appear."""
        self._fitted: tuple[Game | None, Size] = None, Size()
        self._scale = 0
        self._tallest = 0
        """The game and the room that the board was last fitted to; its scale, and its most lines so
        far. Both only grow during a game, so that the board stays where it is."""
        self.above = 0
        """Lines of room above the board."""

    def show(self, state: State, values: Mapping[str, Value] | None = None) -> None:
        """Draw a state, and what its moves are worth if that is given."""
        before, game = self.spots, state.game
        seen = view(state)
        self.picked = self.picked and seen == self.seen
        self.seen, self.design = seen, game.layout
        self.marks, self.has_hands = marks(game), game.has_hands
        self.longest_value = _longest_value(state)
        self._game, self._words = game, _words(state)
        self.spots, self.values = spots(state, seen), values or {}
        written = self.values.values()
        self._longest_told = max((len(value.told) for value in written), default=0)
        self._longest_tight = max((len(value.tight) for value in written), default=0)
        self._draws = self.spots if state.draws else ()
        self._offer_draws()
        here = self.spots[self.cursor : self.cursor + 1]
        if len(before) != len(self.spots) or not any(spot.cell for spot in here):
            self.cursor = next((i for i, s in enumerate(self.spots) if s.state == "free"), 0)
        self._redraw()

    def ask(self, on: bool) -> None:
        """Ask for a move, or not: then no cell can be chosen."""
        if self.asked != on:
            self.asked = on
            self._offer_draws()
            self._redraw()

    def _offer_draws(self) -> None:
        if self._draws:
            self.spots = tuple(spot for spot in self._draws if spot.cell or self.asked)

    def _redraw(self) -> None:
        self._stale = True
        self.refresh(layout=True)

    def legend(self, names: tuple[str, str]) -> str:
        """What the marks and boxes on the screen mean."""
        (one, two), (first, second) = self.marks, map(name_told, names)
        who = f"On this screen {one} is {first} and {two} is {second}."
        if not any(spot.cell for spot in self.spots):
            return who
        boxed = any(region.height > 2 for region in self.regions)
        return f"{who} {BOXED if boxed else BRACKETED}"

    def clear(self) -> None:
        """Draw nothing."""
        self.seen, self._game, self.spots, self.values = None, None, (), {}
        self._draws = ()
        self._redraw()

    # -- where everything is ----------------------------------------------------------------

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The height of the board at the largest scale that fits, with the room around it."""
        fitted = self._game, Size(width, container.height)
        if self._fitted != fitted:
            self._fitted, self._scale, self._tallest = fitted, 0, 0
        scales = self._scales(width)
        for at, scale in enumerate(scales[self._scale :], self._scale):
            self._draw(width, scale)
            lines = len(self._lines)
            whole = not self.design.places or self._hand(scale) <= width
            if (whole and lines <= container.height) or at + 1 == len(scales):
                break
        if at != self._scale:
            self._scale, self._tallest = at, 0
        self._tallest = max(self._tallest, lines)
        self.above = max(0, (container.height - self._tallest) // 2)
        self._lines[:0] = [[("", "")] for _ in range(self.above)]
        self.regions = [region.translate((0, self.above)) for region in self.regions]
        return max(container.height, len(self._lines))

    @property
    def says_all(self) -> bool:
        """Whether all values fit in full, not only as marks."""
        room = min((region.width for region in self.regions), default=0) - 2
        boxed = all(region.height > 2 for region in self.regions)
        return boxed and all(value.whole_within(room) for value in self.values.values())

    @property
    def _path(self) -> bool:
        return self.design.kind == "path"

    def _fit(self, scale: Scale, width: int, cells: int) -> int:
        """How many cells fit into a row."""
        most = min(self.design.columns or cells, scale.fit(width))
        return scale.fit(width - len(GOES_ON)) if self._path and most < cells else most

    def _columns(self, scale: Scale, width: int, cells: int) -> int:
        """How many cells each row has, if all rows but the last are alike."""
        rows = -(-cells // max(1, self._fit(scale, width, cells)))
        return -(-cells // rows)

    def _scales(self, width: int) -> list[Scale]:
        """Scales for the cells, the best first: those with all cells in a row, then those with
        several, then any. Scales with room for values come first, unless a path can stay in one
        row."""
        cells = [spot for spot in self.spots if spot.cell]
        inner = max([len(spot.label) for spot in cells], default=1) + 2
        roomy = max(inner, self.longest_value)
        sizes = [(8, 5, 2), (4, 5, 1), (6, 3, 1), (4, 3, 1), (2, 3, 1), (2, 3, 0)]
        if self._path:
            sizes += [(1, 5, 0), (1, 3, 0)]
        boxed, wider = (
            [Scale(least + more, height, gap) for more, height, gap in sizes]
            for least in (inner, roomy)
        )
        tight = [Scale(inner + more, 1) for more in self.TIGHT]

        def rank(scale: Scale) -> int:
            most = self.design.columns or len(cells)
            columns = self._fit(scale, width, len(cells))
            return (columns < most) + (columns < min(most, FEW))

        if self._path:
            return [*sorted([*wider, *boxed], key=rank), *tight]
        return [*sorted(wider, key=rank), *sorted(boxed, key=rank), *tight]

    def _draw(self, width: int, scale: Scale) -> None:
        self._lines, self.regions, self._stale = [], [], False
        cells = [spot for spot in self.spots if spot.cell]
        if not cells and self.seen is not None:
            self._draw_hands(self.seen, width, scale)
        if cells:
            columns = self._columns(scale, width, len(cells))
            goes_on = self._path and columns < len(cells)
            used = columns * (scale.width + scale.gap) - scale.gap + goes_on * len(GOES_ON)
            for start in range(0, len(cells), columns):
                row = cells[start : start + columns]
                self._draw_row(row, [scale] * len(row), max(0, (width - used + self.LEAN) // 2))
                if goes_on and start + columns < len(cells):
                    self._lines[-1 - scale.height // 2].append((GOES_ON, "dim"))
        buttons = [spot for spot in self.spots if not spot.cell]
        if buttons:
            self._draw_buttons(buttons, width, scale)

    def _draw_buttons(self, buttons: list[Spot], width: int, scale: Scale) -> None:
        """Draw buttons in rows, each as wide as its text."""
        row: list[Spot] = []
        sizes: list[Scale] = []
        for spot in buttons:
            boxed = scale.height > 2
            inner = max(len(spot.label), self.longest_value) + 4 if boxed else len(spot.label) + 2
            size = Scale(inner, min(scale.height, 3), 1)
            if row and sum(s.width + 1 for s in sizes) + size.width > width:
                self._draw_row(row, sizes, 0)
                row, sizes = [], []
            row.append(spot)
            sizes.append(size)
        used = sum(s.width + 1 for s in sizes) - 1
        below_hands = bool(self._lines) and not self.regions
        left = self._beside_hands(width, scale) + HEAD if below_hands else (width - used) // 2
        self._draw_row(row, sizes, max(0, min(left, width - used)))

    def _draw_row(self, row: list[Spot], sizes: list[Scale], left: int) -> None:
        top, height = len(self._lines), sizes[0].height
        lines: list[Line] = [[(" " * left, "")] for _ in range(height)]
        for spot, size in zip(row, sizes, strict=True):
            self.regions.append(Region(left, top, size.width, height))
            between = " " * size.gap if spot is not row[0] else ""
            for line, part in zip(lines, self._spot(spot, size), strict=True):
                line += [(between, ""), *part]
            left += size.width + size.gap
        self._lines += lines

    def _draw_hands(self, seen: View, width: int, scale: Scale) -> None:
        """Draw the hands, and the drawn card if there is room or nothing else to see."""
        if self.has_hands:
            for seat in (1, 2):
                cards = [str(card) for card in seen.hand(seat)]
                won = "winning" if seen.winning and seen.winner == seat else "taken"
                self._draw_cards(self.marks[seat - 1], cards, won, seat, width, scale)
        if seen.card is not None and seen.winner is None and (scale.height > 2 or not self.spots):
            self._draw_cards(" ", [str(seen.card)], "last", None, width, scale)
            line = self._lines[-1 - scale.height // 2]
            told = "  the drawn card"
            if sum(len(piece[0]) for piece in line) + len(told) <= width:
                line.append((told, ""))

    def _around(self, scale: Scale) -> int:
        """Columns of a card beside its label."""
        return self.BESIDE_CARD + (4 if scale.height > 3 else 0)

    def _hand(self, scale: Scale) -> int:
        """Columns of a whole hand, the same whatever is in it."""
        return HEAD + (self.design.places or FEW) * (LONGEST_CARD + self._around(scale))

    def _beside_hands(self, width: int, scale: Scale) -> int:
        """Columns to the left of the hands."""
        return max(0, (width - self._hand(scale)) // 2)

    def _draw_cards(
        self, head: str, cards: list[str], how: str, seat: int | None, width: int, scale: Scale
    ) -> None:
        """Draw a player's mark, cards and free places."""
        places, left = self.design.places if seat else None, self._beside_hands(width, scale)
        hands = (str(card) for hand in self.seen.hands for card in hand) if self.seen else ()
        longest = max(map(len, [*cards, *hands]), default=1)
        size = Scale(longest + self._around(scale), scale.height)
        fit = max(1, (width - left - HEAD) // size.width)
        for start in range(0, max(1, len(cards)), fit):
            row = [Spot(card, "", how) for card in cards[start : start + fit]]
            heads = [" " * (left + HEAD)] * size.height
            heads[size.height // 2] = f"{' ' * left} {head}  "
            lines = [[(text, "bold")] for text in heads]
            for spot in row:
                seats = LIT if how == "winning" else SEATS
                style = f"bold {seats[seat - 1]}" if seat else "bold"
                for line, part in zip(lines, self._spot(spot, size), strict=True):
                    line += [(text, style) for text, _ in part]
            free = (places or 0) - start - len(row)
            for spot in [Spot("·", "", "blocked")] * min(free, fit - len(row)):
                for line, part in zip(lines, self._spot(spot, size), strict=True):
                    line += part
            self._lines += lines

    # -- one spot ---------------------------------------------------------------------------

    def _spot(self, spot: Spot, size: Scale) -> list[Line]:
        style = STYLES[spot.state]
        if spot.owner is not None:
            seats = LIT if spot.state == "winning" else SEATS
            style = f"{style} {seats[spot.owner - 1]}"
        shown = self.has_focus and self.arrows and self.picked
        chosen = shown and self.spots[self.cursor : self.cursor + 1] == (spot,)
        if chosen:
            style = CURSOR
        value = self.values.get(spot.move, Value(""))
        if spot.state == "free" and not (self.asked and (spot.cell or not self.theirs)):
            spot, style = spot._replace(state="blocked"), STYLES["blocked"]
        if size.height > 2:
            return self._boxed(spot, size, value, style, chosen)
        return [[(self._tight(spot, size.width, value.mark), value.style or style)]]

    def _boxed(self, spot: Spot, size: Scale, value: Value, style: str, chosen: bool) -> list[Line]:
        left, flat, right, side, low_left, low_right = list(BOXES[spot.state])
        inner = size.width - 2
        label = self._label(spot, inner)
        label = f"▸{label}◂" if chosen and len(label) + 2 <= inner else label
        padding: list[Line] = [[(side + " " * inner + side, style)]] * ((size.height - 3) // 2)
        worth = value.within(
            inner, brief=self._longest_told > inner, bare=self._longest_tight > inner
        )
        if len(worth) == 1 and inner > 2:
            worth = f" {worth} "  # a minus would be a part of the box
        before = (inner - len(worth)) // 2
        low = flat * before, flat * (inner - before - len(worth))
        return [
            [(left + flat * inner + right, style)],
            *padding,
            [(side + label.center(inner) + side, style)],
            *padding,
            [(low_left + low[0], style), (worth, value.style or style),
             (low[1] + low_right, style)],
        ]  # fmt: skip

    def _label(self, spot: Spot, width: int) -> str:
        """The label of a spot and its mark; the star goes first, as the box says the same."""
        mark = self._mark(spot)
        ways = f"{spot.label} {mark}".rstrip(), f"{spot.label}{mark}"
        shortest = f"{spot.label}{mark.removesuffix('★')}"
        return next((way for way in ways if len(way) <= width), shortest)

    def _tight(self, spot: Spot, width: int, worth: str) -> str:
        """A spot on one line: ``[7]``, ``╌7╌``, ``●7``, ``●7◂`` or ``●7★``; or ``[7]+`` with what
        it is worth."""
        mark = self._mark(spot).removesuffix("★") or "["
        begin, end = {
            "free": ("[", f"]{worth}"),
            "blocked": ("╌", "╌"),
            "taken": (mark, " " if spot.owner else "]"),
            "last": (mark, "◂" if spot.owner else "]"),
            "winning": (mark, "★" if spot.owner else "]★"),
        }[spot.state]
        if not spot.cell:
            return f"{begin}{spot.label}{end}".ljust(width)
        wide = max(len(other.label) for other in self.spots if other.cell)
        return f"{begin}{spot.label:>{wide}}{end}".ljust(width)

    def _mark(self, spot: Spot) -> str:
        star = "★" if spot.state == "winning" else ""
        return (self.marks[spot.owner - 1] if spot.owner else "") + star

    def render(self) -> Content:
        """The board as it was laid out, or as it is now if that is not done yet."""
        if self._stale and self._fitted[1]:
            self.get_content_height(self._fitted[1], Size(), self._fitted[1].width)
        parts: list[tuple[str, str] | str] = []
        for line in self._lines:
            parts += [*line, "\n"]
        return Content.assemble(*parts[:-1])

    # -- keys and mouse ---------------------------------------------------------------------

    def on_focus(self) -> None:
        """Show the cursor."""
        self._redraw()

    def on_blur(self) -> None:
        """Hide the cursor."""
        self._redraw()

    def on_click(self, event: events.Click) -> None:
        """Press what is under the mouse."""
        for at, region in enumerate(self.regions):
            if region.contains(event.x, event.y):
                self.cursor = at
                self.type("")
                self.post_message(self.Pressed(self.spots[at].move))
                break

    def on_key(self, event: events.Key) -> None:
        """Type a move: its first letter, or a digit that is not a key of the screen, begins. A key
        that came before a dialog opened is left to the dialog."""
        if self.app.screen is not self.screen:
            return
        char = event.character or ""
        fits = bool(char) and self._fits(self.typed + char)
        if fits and (self.typed or self._begins(event.key, char)):
            self.type((self.typed + char)[:MAX_TYPED])
        elif self.typed and event.key == "backspace":
            self.type(self.typed[:-1])
        else:
            return
        event.stop()
        event.prevent_default()

    def _begins(self, key: str, char: str) -> bool:
        """Whether a key begins to type a move: not one that does something now, or is dimmed."""
        if not self.asked:
            return False
        letters = {s.label[:1].lower() for s in self.spots if not s.cell and s.state == "free"}
        return char in letters or key not in self.screen.active_bindings

    def _fits(self, text: str) -> bool:
        """Whether a move can begin so: a number, a cell, or a word of the game, perhaps behind a
        card; it need not be legal."""
        if self._game is None or not text.isprintable():
            return False
        words = {*self._words, *(part for s in self.spots for part in (s.label, s.move))}
        start = text.lower().lstrip("0123456789")
        return not start or any(
            word.lower().startswith(part) for word in words for part in (start, text.lower())
        )

    def type(self, text: str) -> None:
        """Set what is typed."""
        self.typed = text
        self.post_message(self.Typed())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Arrows need a move to choose; Enter and Escape depend on whether something is typed."""
        if action == "step":
            return self.arrows and self.asked and any(spot.state == "free" for spot in self.spots)
        return bool(self.typed) == (action in ("play", "forget"))

    def action_play(self) -> None:
        """Play what is typed."""
        self.action_press()

    def action_forget(self) -> None:
        """Clear what is typed."""
        self.type("")

    def action_press(self) -> None:
        """Play what is typed, or the spot at the cursor if the person has moved it; otherwise an
        empty move."""
        picked = self.arrows and self.picked and self.cursor < len(self.spots)
        move = self.typed.strip() or (self.spots[self.cursor].move if picked else "")
        if self.typed:
            self.type("")
        self.post_message(self.Pressed(move))

    def action_step(self, x: int, y: int) -> None:
        """Move the cursor to the nearest spot in a direction; sideways, on to the next row. The
        first step only shows the cursor, if its spot can be played."""
        if not self.regions:
            return
        if not self.picked:
            self.picked = True
            if self.spots[self.cursor].state == "free":
                x = y = 0
        here = self.regions[self.cursor].center
        ways = {
            at: (abs(dy), abs(dx))
            for at, region in enumerate(self.regions)
            for dx, dy in [(region.center[0] - here[0], region.center[1] - here[1])]
            if (x and dx * x > 0 and dy == 0) or (y and dy * y > 0)
        }
        if ways:
            self.cursor = min(ways, key=lambda at: ways[at])
        elif x:
            self.cursor = (self.cursor + x) % len(self.spots)
        self._redraw()
        if isinstance(self.parent, Widget):
            self.parent.scroll_to_region(self.regions[self.cursor], animate=False)


class SmallBoard(Board, can_focus=False):
    """A picture of a board: nothing can be pressed, and cells are as small as can be."""

    ID, TIGHT, BESIDE_CARD, LEAN = None, (0,), 2, 1

    def show(self, state: State, values: Mapping[str, Value] | None = None) -> None:
        """Draw the cells or cards of a state, and otherwise what is known of it."""
        super().show(state, values)
        self.spots = tuple(spot for spot in self.spots if spot.cell)
        self.longest_value = 0

    @property
    def _path(self) -> bool:
        return False

    def _draw(self, width: int, scale: Scale) -> None:
        super()._draw(width, scale)
        if not self._lines and self.seen is not None:
            facts = [titled(fact.label, fact.text) for fact in self.seen.facts]
            self._lines = [[(fact.center(width), "")] for fact in facts]

    def _tight(self, spot: Spot, width: int, worth: str) -> str:
        """A spot in as few columns as its label and mark have; labels stand below each other."""
        star = "★" if spot.state == "winning" else ""
        return f"{self._mark(spot).removesuffix('★') or ' '}{spot.label}{star}".ljust(width)


def _longest_value(state: State) -> int:
    """The usual length of what is written under a spot."""
    if state.draws:
        return len("100 %")
    return len("*loss 0" if state.game.rules.margin is None else "*+10pt")


def _words(state: State) -> tuple[str, ...]:
    """The words of a game in which moves are not numbers, of all that it says can be typed."""
    if state.game.numeric:
        return ()
    return tuple(word for word in re.findall(r"\w+", state.game.input_hint()) if _read(word, state))


def _read(word: str, state: State) -> bool:
    try:
        state.game.read(word, state)
    except IllegalMove:
        return False
    return True
