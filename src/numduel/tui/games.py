"""The saved games: go on with one, replay it, or see its report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option as Row

from numduel.play.record import Record, read
from numduel.play.store import remove, saved_games
from numduel.tui.footer import Footer
from numduel.tui.listing import Listing
from numduel.tui.page import Page, refill
from numduel.tui.words import REPORT, summary

MAX_LISTED = 500
"""Games in the list, the latest first."""


class Games(Page):
    """The saved games of this user, unfinished ones first."""

    BINDINGS = [
        Binding("a", "report", "Report", tooltip=REPORT),
        Binding("delete,d", "remove", "Remove", tooltip="Remove the game", key_display="d"),
    ]
    AUTO_FOCUS = "OptionList"

    def __init__(self) -> None:
        super().__init__()
        self._games: list[tuple[Path, Record]] = []

    def compose(self) -> ComposeResult:
        """The list."""
        yield Static("My games", id="title")
        yield Listing(id="list", markup=False)
        yield Footer()

    def on_screen_resume(self) -> None:
        """Read the games, which may have changed."""
        self.attempt(self._list)

    def _list(self) -> None:
        found = [*saved_games(finished=False), *saved_games(finished=True)]
        self._games = found[:MAX_LISTED]
        none = Row("No games yet. Press Esc, then p, to start one.", disabled=True)
        rows = [f" {_mark(record)} {summary(record)}" for _, record in self._games]
        refill(self.query_one(OptionList), rows or [none])

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Go on with an unfinished game; replay a finished one."""
        path, record = self._games[event.option_index]
        self.attempt(lambda: self.app.push_screen(_opened(path, record)))

    @property
    def _chosen(self) -> tuple[Path, Record] | None:
        """The highlighted game."""
        at = self.query_one(OptionList).highlighted
        return self._games[at] if at is not None and at < len(self._games) else None

    def action_remove(self) -> None:
        """Remove the highlighted game, after asking."""
        if self._chosen is None:
            return
        path, record = self._chosen
        question = f"Remove this game for good? {summary(record)}"
        self.confirm(question, "Keep it", "Remove it", lambda: self.attempt(lambda: remove(path)))

    def action_report(self) -> None:
        """Show the report of the highlighted game."""
        if self._chosen is None:
            return
        record = self._chosen[1]
        if record.state.winner is None:
            self.fail("That game is not over yet.")
            return
        from numduel.tui.after import After

        self.app.push_screen(After(record))


def _opened(path: Path, record: Record) -> Screen[Any]:
    if record.state.winner is None:
        from numduel.tui.seats import continued

        return continued(path)
    from numduel.tui.study import Study

    return Study(read(path))


def _mark(record: Record) -> str:
    """Whether the person has won or lost; a dot if two people played, or none."""
    if record.state.winner is None:
        return "…"
    if record.person is None:
        return "·"
    return "✓" if record.state.winner == record.person else "✗"
