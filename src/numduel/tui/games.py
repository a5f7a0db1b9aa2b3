"""The kept games: go on with one, replay it, or look at its report."""

from __future__ import annotations

from pathlib import Path

from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option as Row

from numduel.core.errors import NumduelError
from numduel.record import Record, read
from numduel.store import saved_games
from numduel.tui.page import Page
from numduel.tui.words import summary

MAX_LISTED = 500
"""Games in the list, the latest first."""


class Games(Page):
    """The kept games of this user: first those that are not over."""

    BINDINGS = [Binding("a", "report", "Report", tooltip="Why, the chart, and the mistakes")]
    AUTO_FOCUS = "OptionList"

    def __init__(self) -> None:
        super().__init__()
        self._games: list[tuple[Path, Record]] = []

    def compose(self) -> ComposeResult:
        """The list."""
        yield Static("My games", id="title")
        yield OptionList(id="list", markup=False)
        yield Footer()

    def on_screen_resume(self) -> None:
        """Read the games, which may have changed."""
        try:
            found = [*saved_games(finished=False), *saved_games(finished=True)]
        except NumduelError as error:
            self.fail(str(error))
            return
        self._games = found[:MAX_LISTED]
        listing = self.query_one(OptionList)
        at = listing.highlighted
        listing.clear_options()
        for _, record in self._games:
            mark = "✓" if record.state.winner else "…"
            listing.add_option(Row(f" {mark} {summary(record)}"))
        if not self._games:
            listing.add_option(Row("No game is kept yet: Esc, then p, begins one.", disabled=True))
        listing.highlighted = min(at or 0, max(0, len(self._games) - 1))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Go on with a game, or replay it."""
        path, record = self._games[event.option_index]
        try:
            if record.state.winner is None:
                from numduel.tui.play import resumed

                self.app.push_screen(resumed(path))
            else:
                from numduel.tui.study import Study

                self.app.push_screen(Study(read(path)))
        except NumduelError as error:
            self.fail(str(error))

    def action_report(self) -> None:
        """The report of the game that is highlighted."""
        at = self.query_one(OptionList).highlighted
        if at is None or at >= len(self._games):
            return
        record = self._games[at][1]
        if record.state.winner is None:
            self.fail("That game is not over yet.")
            return
        from numduel.tui.after import After

        self.app.push_screen(After(record))
