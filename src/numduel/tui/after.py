"""After a game: why it ended, how it went, and mistakes to try again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from textwrap import wrap
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option as Row

from numduel.activities import Mistakes
from numduel.activities.keeping import new_game, unkept
from numduel.activities.mistakes import EVERYTHING, to_try
from numduel.activities.play import verdict
from numduel.core.text import name_told
from numduel.core.view import view
from numduel.play.match import resume
from numduel.play.record import Record, parse
from numduel.play.score import Score
from numduel.tui.activity import Activities, binding
from numduel.tui.board import SmallBoard, marks
from numduel.tui.footer import Footer
from numduel.tui.listing import Listing
from numduel.tui.page import Page
from numduel.tui.paragraph import Paragraph
from numduel.tui.words import name, shown_names

if TYPE_CHECKING:
    from numduel.learn.coach import Chart, Report

HEIGHT = 5
"""Lines of the chart."""
LINES = ("$text-primary", "$text-warning")
"""The colours of the charts of seats 1 and 2, as on the board."""
SLIPS = {"": (" ", ""), "inaccuracy": ("?", "$text-warning"), "mistake": ("✗", "$text-error")}
"""The mark behind a move, and its colour."""


class Tries(Listing):
    """The mistakes to try again."""

    BINDINGS = [
        Binding("enter", "select", "Try", tooltip="Try the mistake again", key_display="enter")
    ]


class After(Page):
    """The report of a finished game."""

    BINDINGS = [
        Binding("pagedown,space", "scroll(5)", "More", tooltip="Read on", key_display="space"),
        Binding("pageup", "scroll(-5)", "Back", tooltip="Read back", show=False),
        Binding("n", "rematch", "Rematch", tooltip="Another game; the other player begins"),
        Binding("a", "analyse", "Analyse", tooltip="Step through the game, with values"),
        replace(binding(EVERYTHING), key="e", action="everything"),
    ]
    AUTO_FOCUS = "OptionList"

    def __init__(
        self,
        record: Record,
        score: Score | None = None,
        *,
        again: Callable[[], None] | None = None,
    ) -> None:
        """`again` begins a rematch."""
        super().__init__()
        self._record = replace(record, names=shown_names(record))
        self._score, self._again = score or Score(), again
        self._report: Report | None = None
        self._asked: set[int] = set()
        """The numbers of the mistakes to try before all is told."""
        self._retry: Activities[Mistakes] | None = None

    def compose(self) -> ComposeResult:
        """How it ended, the board and the moves, the chart, what is to be said, the mistakes."""
        yield Static(self._title, id="title", markup=False)
        with VerticalScroll(id="report", can_focus=False):
            yield Paragraph(self._why(), id="why")
            with Horizontal(id="how"):
                with Vertical(id="final"):
                    yield SmallBoard()
                yield Static(id="played")
            yield Static(id="chart")
            yield Paragraph(id="lines")
        yield Tries(id="mistakes", markup=False)
        yield Footer()

    @property
    def _title(self) -> str:
        return f"Report: {name(self._record.game)}"

    def _why(self) -> str:
        record = self._record
        seen = view(record.state, record.names)
        reasons = record.game.closing(seen, record.person)[:-1]
        score = [self._score.told(record.names)] if self._score.games > 1 else []
        return "\n".join([verdict(seen, record.person), *reasons, *score])

    def on_mount(self) -> None:
        """Show the last position, and judge every move."""
        from numduel.learn.coach import report

        lost = self._record.person not in (None, self._record.state.winner)
        self.add_class("lost" if lost else "won")
        self.query_one(SmallBoard).show(self._record.state)
        self.think(lambda: report(self._record), self._judged, "Looking at every move")

    def _judged(self, found: Report) -> None:
        self._report = found
        self._draw(found)
        self._asked = {ply.number for ply in to_try(found)}
        self._tell(found)
        listing = self.query_one(OptionList)
        for number, ply in enumerate(to_try(found), 1):
            told = f"↻ Try mistake {number} again: move {ply.number}"
            if ply.seat != self._record.person:
                told += f", by {name_told(self._record.names[ply.seat - 1])}"
            listing.add_option(told)
        if not listing.option_count:
            listing.add_option(Row("There are no mistakes to try again.", disabled=True))
        listing.highlighted = 0
        self.refresh_bindings()

    def _draw(self, found: Report) -> None:
        """Draw the moves and the chart, as wide as there is room for."""
        wide = max(20, self.query_one("#report").scrollable_content_region.width)
        beside = wide if self.has_class("-narrow") else wide // 2
        self.query_one("#played", Static).update(played(found, beside))
        self.query_one("#chart", Static).update(drawn(found.chart, wide))

    def _tell(self, found: Report) -> None:
        """Show the sentences; better moves only if none is asked for."""
        lines = filter(None, [found.spotless(), *found.lines(slips=not self._asked)])
        self.query_one("#lines", Static).update("\n".join(lines))
        self.on_resize()

    def on_screen_resume(self) -> None:
        """Once all mistakes were tried, all is told."""
        if self._report and self._retry:
            self._asked -= set(self._retry.activity.told)
            self._tell(self._report)

    def action_everything(self) -> None:
        """Tell all without asking, and bring it into view."""
        if self._report:
            self._asked.clear()
            self._tell(self._report)
            self.call_after_refresh(self.query_one("#lines").scroll_visible, animate=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Try a mistake again."""
        wrong = to_try(self._report) if self._report else []
        if event.option_index < len(wrong):
            mistakes = unkept(Mistakes(record=self._record.text()))
            self._retry = Retry.of(mistakes, str(event.option_index + 1))
            self.app.push_screen(self._retry)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A rematch needs a game that was just played; there may be no more to read."""
        if action == "scroll":
            return self.query_one("#report").max_scroll_y > 0
        if action == "everything":
            return bool(self._asked)
        if action == "rematch":
            return self._again is not None
        return True

    def on_resize(self) -> None:
        """There is more room now, or less."""
        self.call_after_refresh(self._fit)

    def _fit(self) -> None:
        if self._report:
            self._draw(self._report)
        self.call_after_refresh(self.refresh_bindings)

    def action_scroll(self, lines: int) -> None:
        """Read on, or back."""
        self.query_one("#report").scroll_relative(y=lines, animate=False)

    def action_rematch(self) -> None:
        """Play another game."""
        if self._again is not None:
            self.dismiss()
            self._again()

    def action_analyse(self) -> None:
        """Step through the game."""
        from numduel.tui.study import Study

        self.app.push_screen(Study(self._record, values=True))


class Retry(Activities[Mistakes]):
    """A mistake to try again, or to play on from as a new game."""

    BINDINGS = [
        Binding("p", "play", "Play on", tooltip="Play on from before the mistake, as a new game")
    ]

    def action_enabled(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Playing on has to wait until the mistakes are found."""
        return super().action_enabled(action, parameters) and (
            action != "play" or bool(self.activity.wrong)
        )

    def action_play(self) -> None:
        """Begin a new game from the position before the mistake; it counts as one with help."""
        from numduel.tui.play import Play

        mistakes = self.activity
        record = parse(mistakes.record)
        states = record.states[: mistakes.wrong[mistakes.place].number]
        now = datetime.now().replace(microsecond=0)
        match = resume(replace(record, states=states, seat=None, online="", date=now))
        match.note_help("undo")
        self.app.switch_screen(Play(new_game(match, record.seed)))


def played(found: Report, width: int) -> Content:
    """The moves in columns, each with who made it and a mark if it was a slip."""
    game = found.record.game
    spoken = game.worded_moves(found.record.state)
    moves = [
        (f"{ply.number:>3} {marks(game)[ply.seat - 1]} {game.label_played(str(move))}", ply)
        for ply, move in zip(found.plies, spoken, strict=True)
    ]
    wide = max((len(text) for text, _ in moves), default=0) + 3
    if wide > width:
        moves = [
            ("\n".join(wrap(text, width - 3, subsequent_indent=" " * 6)), ply)
            for text, ply in moves
        ]
    columns = max(1, width // wide)
    parts: list[tuple[str, str] | str] = []
    for at, (text, ply) in enumerate(moves, 1):
        sign, style = SLIPS[ply.slip]
        end = "\n" if at % columns == 0 else " " * (wide - len(text) - 2)
        parts += [text, (f" {sign}", style), end]
    return Content.assemble(*parts)


def drawn(chart: Chart, width: int) -> Content:
    """A chart as a line over the whole width, in the colour of its player; mistakes are crosses."""
    margin = max(map(len, chart.labels))
    step = max(1, -(-len(chart.levels) // max(1, width - margin - 2)))
    moves = range(0, len(chart.levels), step)
    room = max(1, (width - margin - 3) // max(1, len(moves) - 1))
    rows = [[" "] * (len(moves) * room) for _row in range(HEIGHT)]
    heights = [round((1 - chart.levels[move]) * (HEIGHT - 1)) for move in moves]
    for at, (move, high) in enumerate(zip(moves, heights, strict=True)):
        after = heights[at + 1] if at + 1 < len(heights) else high
        for x in range(at * room + 1, (at + 1) * room):
            rows[high][x] = "─" if at + 1 < len(heights) else " "
        if room > 1 and after != high:
            x, down = (at + 1) * room - 1, after > high
            for y in range(min(high, after) + 1, max(high, after)):
                rows[y][x] = "│"
            rows[high][x], rows[after][x] = "╮╰" if down else "╯╭"
        rows[high][at * room] = "✗" if move in chart.mistakes else "●"
    ends = f"start … move {len(chart.levels) - 1}"
    parts: list[tuple[str, str] | str] = [(f"{chart.title}\n", "bold")]
    for y, row in enumerate(rows):
        label = chart.labels[y // 2] if y % 2 == 0 else ""
        parts += [f"{label:>{margin}} │", ("".join(row).rstrip() + "\n", LINES[chart.seat - 1])]
    return Content.assemble(*parts, f"{'':>{margin}}  {ends}")
