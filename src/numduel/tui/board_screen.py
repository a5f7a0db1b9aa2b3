"""A screen with a board: what to do, the board, the players, the moves, and a line to type in.

Games, puzzles, lessons and the analysis board all use it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option as Row

from numduel.activities.analysis import values
from numduel.activities.play import hint_told, objection, verdict
from numduel.core.state import State
from numduel.core.text import DEFAULT_NAMES, either, percentage, titled
from numduel.core.view import View, view
from numduel.tui.board import SEATS, Board, Value, marks
from numduel.tui.footer import Footer
from numduel.tui.listing import Listing
from numduel.tui.page import Drawer, Page
from numduel.tui.paragraph import Paragraph
from numduel.tui.words import name

if TYPE_CHECKING:
    from numduel.learn.coach import Hint

NARROW = 70
"""A terminal with fewer columns shows only what matters most."""
HANGING = 10
"""Columns of facts at least."""
MOST_WORDS = 4
"""Up to so many moves that are words are named one by one."""
WIN, LOSS = ("bold $text-success", "+"), ("$text-error", "-")
"""The style of a value, and its sign where there is no room for more."""


class Field(VerticalScroll, inherit_bindings=False, can_focus=False):
    """Scrolls a board that is larger than the screen. The arrows, Home and End belong to the board
    and to the screen."""

    BINDINGS = [
        Binding("pageup", "page_up", "Up", show=False),
        Binding("pagedown", "page_down", "Down", show=False),
    ]


class Players(Static):
    """Who plays, and below what is known of the game; where lines break, those that go on are
    indented."""

    shared = ""

    def render(self) -> Content:
        """The players, and the facts as wide as there is room."""
        players = self.visual if isinstance(self.visual, Content) else Content()
        lines = [f"  {self.shared}"] if self.shared else []
        if self.styles.text_wrap == "wrap":
            room = max(HANGING, self.content_size.width)
            lines = wrap(self.shared, room, initial_indent="  ", subsequent_indent="  ")
        return Content("\n").join([players, *map(Content, lines)])


class BoardScreen(Page):
    """A board and all that stands around it."""

    BINDINGS = [
        Binding("h", "hint", "Hint", tooltip="What to look at; ask again for a move"),
        Binding("v", "values", "Values", tooltip="What every move is worth, on the cells"),
        Binding("v", "hide_values", "Hide values", tooltip="Hide what the moves are worth"),
        Binding("r", "rules", "Rules", tooltip="The rules of the game"),
        Binding("space", "more", "More", tooltip="Read the whole text", show=False),
    ]
    AUTO_FOCUS = "#board"

    def __init__(self) -> None:
        super().__init__()
        self.names = DEFAULT_NAMES
        self.you: int | None = None
        """Where the person sits, if there is only one."""
        self.state: State | None = None
        self.values_on = False
        self._said = ""
        self._warned: tuple[State, str] | None = None
        """A move that would break a rule and lose, and where the person was warned of it."""
        self._nudged: State | None = None
        """The position in which a hint was given."""
        self._sought: State | None = None
        """The position in which a hint was last asked for."""

    def compose(self) -> ComposeResult:
        """All parts, from top to bottom."""
        yield Static(id="title", markup=False)
        yield Paragraph(id="goal")
        with Horizontal(id="main"):
            with Vertical(id="left"):
                with Field(id="field"):
                    yield Board()
                yield Players(id="players", markup=False)
            with Vertical(id="side"):
                yield from self.beside()
        with Vertical(id="below"):
            yield Paragraph(id="told")
            yield Static(id="typed", markup=False)
        yield Footer()

    def beside(self) -> ComposeResult:
        """What is beside the board: the moves."""
        yield Static("Moves", classes="heading")
        yield Listing(id="moves", markup=False)

    # -- showing ----------------------------------------------------------------------------

    def show(self, state: State, values: Mapping[str, Value] | None = None) -> None:
        """Show a state, and what its moves are worth if that is given."""
        self.state = state.public
        seen = view(self.state, self.names)
        self.query_one(Board).show(self.state, values)
        self._show_players(self.state, seen)
        self.set_class(not seen.cells, "cards")
        self.set_class(state.game.layout.kind == "path", "path")
        self.set_class(any(fact.seat is None for fact in seen.facts), "shared")
        self.query_one("#title", Static).update(self.heading(self.state, seen))
        self.query_one("#goal", Static).update(self.goal(self.state, seen))
        self.on_board_typed()
        self.list_moves(state, seen)

    def clear(self) -> None:
        """Show no state."""
        self.state = None
        self.query_one(Board).clear()
        players = self.query_one(Players)
        players.shared = ""
        players.update("")

    def _show_players(self, state: State, seen: View) -> None:
        players = self.query_one(Players)
        players.shared = _shared(seen)
        players.update(_players(state, seen, self.app.size.width < NARROW, self.underway))

    def on_resize(self) -> None:
        """Say more of the players where there is more room."""
        if self.state is not None:
            self._show_players(self.state, view(self.state, self.names))

    @property
    def underway(self) -> bool:
        """Whether a move may still be made: then it is marked whose turn it is."""
        return True

    def heading(self, state: State, seen: View) -> str:
        """The line at the top."""
        return name(state.game)

    def goal(self, state: State, seen: View) -> str:
        """What to do now, or who has won."""
        return state.game.goal(seen, self.you) if seen.winner is None else self.verdict(seen)

    def verdict(self, seen: View) -> str:
        """Who has won, with stars unless it is the other player."""
        told = verdict(seen, self.you)
        return told if self._lost(seen) else f"★ {told} ★"

    def _lost(self, seen: View) -> bool:
        return seen.winner is not None and self.you not in (None, seen.winner)

    def finish(self, seen: View) -> None:
        """Show in colour that a game is won or lost."""
        self.set_class(seen.winner is not None and not self._lost(seen), "won")
        self.set_class(self._lost(seen), "lost")

    def tell(self, *sentences: str) -> None:
        """Say something below the board."""
        self._said = " ".join(sentences)
        self.query_one("#told", Static).update(self._said)

    def fail(self, sentence: str) -> None:
        """Say what went wrong, below the board."""
        told = self.query_one("#told", Static)
        told.update(Content.assemble(("! ", "bold $text-error"), (sentence, "$text-error")))

    def list_moves(self, state: State, seen: View) -> None:
        """List the moves so far at the side."""
        listing = self.query_one("#moves", OptionList)
        listing.clear_options()
        listing.add_options(_moves(state))
        if seen.moves:
            self.call_after_refresh(listing.scroll_end, animate=False)

    # -- keys -------------------------------------------------------------------------------

    def chosen(self, move: str) -> None:
        """Make the move that was pressed or typed; it is empty if Enter was pressed alone."""
        raise NotImplementedError

    @property
    def enter(self) -> str:
        """What Enter does now."""
        return "Play the move you typed or chose"

    def on_board_pressed(self, event: Board.Pressed) -> None:
        """Make the move that was pressed."""
        self.chosen(event.move)

    def on_board_typed(self) -> None:
        """Show what is typed, or what can be typed."""
        board = self.query_one(Board)
        typed = board.typed
        board.ask(bool(self.asked))
        self.query_one("#typed", Static).update(f"> {typed}▏" if typed else self.prompted)
        if self.has_class("typing") != bool(typed):
            self.set_class(bool(typed), "typing")
            self.refresh_bindings()

    @property
    def prompted(self) -> str:
        """What can be typed, or else which keys to press."""
        if not self.asked:
            return self.offer
        return f"Type {self.asked}" + (" · or ←↑↓→" if self.query_one(Board).arrows else "")

    @property
    def offer(self) -> str:
        """Which keys to press where no move can be made."""
        return ""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While a move is being typed, letters are not keys; what the keys do can be asked."""
        if action != "keys" and self.has_class("typing"):
            return False
        if action in ("values", "hide_values") and self.shows_values == (action == "values"):
            return False
        return self.action_enabled(action.removeprefix("hide_"), parameters)

    def action_enabled(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key does something now; None if it is only dimmed."""
        return True

    @property
    def asked(self) -> str:
        """What can be typed now, if anything."""
        if self.state is None or not (self.state.mask or self.state.draws):
            return ""
        game, moves = self.state.game, self.state.legal_moves
        if not moves:
            return "the card to draw"
        few = not game.numeric and len(moves) <= MOST_WORDS
        words = (game.label(game.worded(move, self.state)) for move in moves)
        return either(words) if few else game.input_hint()

    def action_rules(self) -> None:
        """Show the rules at the side."""
        if self.state is None:
            return
        from rich.markdown import Markdown

        game = self.state.game
        legend = self.query_one(Board).legend(self.names)
        brief = "\n".join(f"- {line}" for line in [*game.brief, *game.changes, legend])
        rules = game.page_at("You can choose these when you set up a new game (p):")
        page = Markdown(f"{brief}\n\n---\n\n{rules}")
        self.app.push_screen(Drawer(name(game), Static(page)))

    def action_more(self) -> None:
        """Show the goal and the message in full, if they were cut."""
        texts = [self.query_one(f"#{name}", Paragraph) for name in ("goal", "told")]
        if any(text.clipped for text in texts):
            whole = Content("\n\n").join(text.whole for text in texts)
            self.app.push_screen(Drawer("In full", Paragraph(whole)))

    def may(self, state: State, move: str, *, loses: bool) -> bool:
        """Whether a move can be made; if not, say why. A move that breaks a rule and loses must be
        made twice."""
        before, self._warned = self._warned, (state, move)
        why = objection(state, move, loses=loses, warned=before == self._warned)
        if why:
            self.fail(why)
        return not why

    # -- values and hints -------------------------------------------------------------------

    @property
    def shows_values(self) -> bool:
        """Whether the person wants to see what every move is worth."""
        return self.values_on

    def action_values(self) -> None:
        """Show or hide what every move is worth."""
        self.values_on = not self.values_on
        self.refresh_bindings()
        self.refresh_values()

    def action_hide_values(self) -> None:
        """Hide what every move is worth."""
        self.action_values()

    def refresh_values(self) -> None:
        """Write what the moves are worth on the cells, if that is wanted."""
        state = self.state
        if state is None or not state.mask or not self.values_on:
            if state is not None and self.query_one(Board).values:
                self.query_one(Board).show(state, percent_values(state))
            self.workers.cancel_group(self, "values")
            return

        def find() -> dict[str, Any]:
            self.note_help("values")
            return values(state)

        self.think(find, lambda found: self.write(state, found), group="values")

    def write(self, state: State, found: Mapping[str, Any]) -> None:
        """Write what the moves are worth on the cells, and what it means below the board; where the
        cells are too small, write it all there."""
        if state != self.state or not self.values_on:
            return
        board = self.query_one(Board)
        board.show(state, option_values(found["options"]) or percent_values(state))
        told = [self._said, found["legend"]]
        if not board.says_all:
            told.append(listed_values(state, board.values))
        self.query_one("#told", Paragraph).update("\n".join(filter(None, told)))

    def note_help(self, word: str) -> None:
        """Note one of `numduel.play.record.HELP` before it is found, in the thread that finds it;
        raises an error if it is refused."""

    def action_hint(self) -> None:
        """Say what to look at; asked again in the same position, a move and why."""
        state = self.state
        if state is None or not state.mask:
            return
        from numduel.learn.coach import hint

        if self._sought == state and any(
            worker.group == "hint" and worker.node is self for worker in self.app.workers
        ):
            return
        self._sought = state

        def find() -> Hint:
            self.note_help("hint")
            return hint(state, self.names)

        self.think(find, lambda found: self._hinted(state, found), group="hint")

    def _hinted(self, state: State, found: Hint) -> None:
        if self.state != state:
            return
        self.tell(*hint_told(found.nudge, list(found.lines), again=self._nudged == state))
        self._nudged = state


def percent_values(state: State) -> dict[str, Value]:
    """How likely each card is, where one must be drawn."""
    return {str(card): Value(percentage(chance)) for card, chance in state.draws.items()}


def option_values(options: Sequence[Mapping[str, Any]]) -> dict[str, Value]:
    """What every move is worth; if all are worth the same, none is marked as the best."""
    alike, found = all(option["best"] for option in options), {}
    for option in options:
        style, sign = WIN if option["win_probability"] >= 0.5 else LOSS
        best = option["best"] and not alike
        found[option["move"]] = Value(option["worth"], best, style, sign, option["short"])
    return found


def listed_values(state: State, values: Mapping[str, Value]) -> str:
    """The values one after the other: ``*wins in 3: 5 · loses in 2: 6, 7``."""
    groups: dict[str, list[str]] = {}
    for move, value in values.items():
        label = state.game.label(state.game.worded(move, state))
        groups.setdefault(value.told, []).append(label)
    return " · ".join(titled(told, ", ".join(moves)) for told, moves in groups.items())


def _players(state: State, seen: View, narrow: bool, underway: bool) -> Content:
    """Each player on a line: mark, name, facts, hand. On a narrow terminal the hand is seen on the
    cells alone."""
    game = state.game
    parts: list[Content] = []
    for seat in (1, 2):
        turn = "▸" if underway and seen.winner is None and seen.to_move == seat else " "
        won = " ★ won" if seen.winner == seat else ""
        facts = [f"{fact.label} {fact.text}" for fact in seen.facts if fact.seat == seat]
        hand = [", ".join(map(str, seen.hand(seat)))] if not (seen.cells and narrow) else []
        rest = " · ".join(filter(None, facts + hand))
        parts.append(
            Content.assemble(
                (f"{turn}", "bold"),
                (f" {marks(game)[seat - 1]} {seen.name(seat)} ", f"bold {SEATS[seat - 1]}"),
                (won, "bold"),
                (f"  {rest}", ""),
            )
        )
    return Content("\n").join(parts)


def _shared(seen: View) -> str:
    """The facts of both players, the shortest first."""
    facts = [titled(fact.label, fact.text) for fact in seen.facts if fact.seat is None]
    return " · ".join(sorted(facts, key=len))


def _moves(state: State) -> list[Row]:
    """The moves so far, one on each line, with the seat that made each."""
    mark = marks(state.game)
    made = zip(state.movers, state.game.worded_moves(state), strict=True)
    return [
        Row(f"{number:>3} {mark[seat - 1]} {state.game.label_played(move)}", id=str(number))
        for number, (seat, move) in enumerate(made, 1)
    ]
