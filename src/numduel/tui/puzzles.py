"""Puzzles: today's, or any number by game, grade and theme."""

from __future__ import annotations

from functools import partial
from random import SystemRandom
from typing import Any
from urllib.parse import urlencode

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.widgets import Button, Select, Static

from numduel.activities.keeping import puzzles
from numduel.activities.puzzle import SEEDS, Puzzles, puzzle_kinds
from numduel.games import games
from numduel.learn.puzzle import GRADES
from numduel.tui.activity import Activities
from numduel.tui.footer import Footer
from numduel.tui.page import Page
from numduel.tui.paragraph import Paragraph
from numduel.tui.setup import labelled, select
from numduel.tui.words import streak_line

ANY = "Any"
ALL_KINDS: dict[str, Any] = {"grades": GRADES, "themes": []}


class ChoosePuzzles(Page):
    """The choice of puzzles."""

    AUTO_FOCUS = "Select"
    BINDINGS = [Binding("ctrl+s,f5", "start", "Start", priority=True)]

    def __init__(self) -> None:
        super().__init__()
        self._kinds = ALL_KINDS
        """The puzzles that there are to choose from."""

    def compose(self) -> ComposeResult:
        """A line for each choice, and the streaks."""
        yield Static("Puzzles", id="title")
        with VerticalScroll(id="form", can_focus=False):
            yield Paragraph(id="streaks")
            kinds = {"": ANY} | {kind.name: kind().display_name for kind in games()}
            yield labelled("Game", select("game", kinds))
            grades = {"": ANY} | {str(grade): str(grade) for grade in GRADES}
            yield labelled("Grade", select("grade", grades))
            yield labelled("Theme", select("theme", {"": ANY}))
            yield Button("Start", id="start", variant="primary")
        yield Footer()

    def on_screen_resume(self) -> None:
        """Tell the streaks."""
        self.query_one("#streaks", Static).update(streak_line())

    def on_select_changed(self, event: Select.Changed) -> None:
        """Offer only the themes and grades that the chosen game has."""
        if event.select.id == "game":
            self._offer(ALL_KINDS)
            if game := self._chosen("game"):
                self.think(partial(puzzle_kinds, game), self._offer, "Looking for puzzles")
        elif event.select.id == "theme":
            self._offer_grades()

    def _offer(self, kinds: dict[str, Any]) -> None:
        self._kinds = kinds
        rows = [(theme["title"], theme["name"]) for theme in kinds["themes"]]
        self.query_one("#theme", Select).set_options([(ANY, ""), *rows])
        self.query_one("#theme", Select).value = ""
        self._offer_grades()

    def _offer_grades(self) -> None:
        """Offer the grades of the theme; keep the chosen one if it is among them."""
        theme, before = self._chosen("theme"), self._chosen("grade")
        of_theme = (one for one in self._kinds["themes"] if one["name"] == theme)
        grades = [str(grade) for grade in next(of_theme, self._kinds)["grades"]]
        self.query_one("#grade", Select).set_options(
            [(ANY, ""), *((grade, grade) for grade in grades)]
        )
        self.query_one("#grade", Select).value = before if before in grades else ""

    def on_button_pressed(self) -> None:
        """Begin."""
        self.action_start()

    def action_start(self) -> None:
        """Begin with a puzzle of this choice."""
        wanted = {key: self._chosen(key) for key in ("game", "grade", "theme")}
        chosen = {key: value for key, value in wanted.items() if value}
        self.app.push_screen(
            solve(urlencode({"seed": int(SystemRandom().random() * SEEDS), **chosen}))
        )

    def _chosen(self, name: str) -> str:
        return str(self.query_one(f"#{name}", Select).value)


def solve(link: str = "") -> Activities[Puzzles]:
    """The screen of the puzzle that a link names, or of today's; others follow."""
    return Activities.of(puzzles(), link)
