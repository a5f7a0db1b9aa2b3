"""The kept games: go on with one, replay it, or look at its report."""

from __future__ import annotations

from pathlib import Path

from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option as Row

from numduel.activities.keeping import resumed
from numduel.core.errors import NumduelError
from numduel.play.record import Record, read
from numduel.play.store import remove, saved_games
from numduel.tui.page import Choice, Page
from numduel.tui.words import summary

MAX_LISTED = 500
"""Games in the list, the latest first."""


class Games(Page):
    """The kept games of this user: first those that are not over."""

    BINDINGS = [
        Binding("a", "report", "Report", tooltip="Why, the chart, and the mistakes"),
        Binding("delete,d", "remove", "Remove", tooltip="Remove a game", key_display="d"),
    ]
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
            listing.add_option(Row(f" {_mark(record)} {summary(record)}"))
        if not self._games:
            listing.add_option(Row("No game is kept yet: Esc, then p, begins one.", disabled=True))
        listing.highlighted = min(at or 0, max(0, len(self._games) - 1))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Go on with a game, or replay it."""
        path, record = self._games[event.option_index]
        try:
            if record.state.winner is None:
                from numduel.tui.play import Play

                self.app.push_screen(Play(resumed(path)))
            else:
                from numduel.tui.study import Study

                self.app.push_screen(Study(read(path)))
        except NumduelError as error:
            self.fail(str(error))

    @property
    def _chosen(self) -> tuple[Path, Record] | None:
        """The game that is highlighted."""
        at = self.query_one(OptionList).highlighted
        return self._games[at] if at is not None and at < len(self._games) else None

    def action_remove(self) -> None:
        """Ask whether to remove the game that is highlighted, and do it."""
        if self._chosen is None:
            return
        path, record = self._chosen

        def answered(answer: str | None) -> None:
            if answer == "yes":
                try:
                    remove(path)
                except NumduelError as error:
                    self.fail(str(error))

        question = f"Remove this game for good? {summary(record)}"
        self.app.push_screen(Choice(question, {"no": "Keep it", "yes": "Remove it"}), answered)

    def action_report(self) -> None:
        """The report of the game that is highlighted."""
        if self._chosen is None:
            return
        record = self._chosen[1]
        if record.state.winner is None:
            self.fail("That game is not over yet.")
            return
        from numduel.tui.after import After

        self.app.push_screen(After(record))


def _mark(record: Record) -> str:
    """Whether the person has won or lost; a dot if there were two or none."""
    if record.state.winner is None:
        return "…"
    if record.person is None:
        return "·"
    return "✓" if record.state.winner == record.person else "✗"
