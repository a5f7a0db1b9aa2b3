"""Puzzles: today's, or any number by game and grade."""

from __future__ import annotations

from random import SystemRandom
from urllib.parse import urlencode

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.widgets import Button, Select, Static

from numduel.activities.keeping import puzzles
from numduel.activities.puzzle import SEEDS, Puzzles
from numduel.games import games
from numduel.learn.puzzle import GRADES
from numduel.tui.activity import Activities
from numduel.tui.footer import Footer
from numduel.tui.page import Page
from numduel.tui.paragraph import Paragraph
from numduel.tui.setup import labelled, select
from numduel.tui.words import streak_line

ANY = "Any"


class ChoosePuzzles(Page):
    """The choice of puzzles."""

    AUTO_FOCUS = "Select"
    BINDINGS = [Binding("ctrl+s,f5", "start", "Start", priority=True)]

    def compose(self) -> ComposeResult:
        """A line for each choice, and the days in a row."""
        yield Static("Puzzles", id="title")
        with VerticalScroll(id="form", can_focus=False):
            yield Paragraph(id="days")
            kinds = {"": ANY} | {kind.name: kind().display_name for kind in games()}
            yield labelled("Game", select("game", kinds))
            grades = {"": ANY} | {str(grade): str(grade) for grade in GRADES}
            yield labelled("Grade", select("grade", grades))
            yield Button("Start", id="start", variant="primary")
        yield Footer()

    def on_screen_resume(self) -> None:
        """Tell the days in a row."""
        self.query_one("#days", Static).update(streak_line())

    def on_button_pressed(self) -> None:
        """Begin."""
        self.action_start()

    def action_start(self) -> None:
        """Begin with a puzzle of this choice."""
        wanted = {key: self._chosen(key) for key in ("game", "grade")}
        chosen = {key: value for key, value in wanted.items() if value}
        self.app.push_screen(
            solve(urlencode({"seed": int(SystemRandom().random() * SEEDS), **chosen}))
        )

    def _chosen(self, name: str) -> str:
        return str(self.query_one(f"#{name}", Select).value)


def solve(link: str = "") -> Activities[Puzzles]:
    """The screen of the puzzle that a link names, or of today's; others follow."""
    return Activities.of(puzzles(), link)
