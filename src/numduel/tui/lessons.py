"""Lessons: learn a game in a few steps, each with a position and one thing to do."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option as Row

from numduel.activities import Lessons
from numduel.activities.keeping import lessons
from numduel.games import game as find
from numduel.learn.lesson import Lesson, progress
from numduel.learn.lesson import lessons as every_lesson
from numduel.tui.activity import Activities
from numduel.tui.footer import Footer
from numduel.tui.listing import Listing
from numduel.tui.page import Page, refill

NAME = 18
"""Columns of the name of a game, at least."""


class ChooseLesson(Page):
    """The lessons, and how many steps of each are done."""

    AUTO_FOCUS = "OptionList"

    def compose(self) -> ComposeResult:
        """A line for each game."""
        yield Static("Learn a game step by step", id="title")
        yield Listing(id="list", markup=False)
        yield Footer()

    def on_screen_resume(self) -> None:
        """Steps may have been done meanwhile."""
        self.think(every_lesson, self._fill)

    def _fill(self, found: Sequence[Lesson]) -> None:
        done, rows = progress.read(), []
        wide = max(NAME, *(len(one.game.display_name) for one in found))
        for one in found:
            steps = range(1, len(one.steps) + 1)
            known = len(done.get(one.game.name, frozenset()) & set(steps))
            told = f"{known} of {len(steps)} steps done"
            rows.append(Row(f" {one.game.display_name:{wide}} {told}", id=one.game.name))
        refill(self.query_one(OptionList), rows)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Begin or continue a lesson."""
        self.app.push_screen(learn(event.option_id or ""))


def learn(game: str, step: int = 0) -> Activities[Lessons]:
    """The screen of a lesson, at a step, or at the first one to do."""
    return Taught.of(lessons(game), f"{game} {step}")


class Taught(Activities[Lessons]):
    """A lesson, whose title says of which game it is."""

    @property
    def called(self) -> str:
        """The game and the step."""
        return f"{find(self.activity.game).display_name}, {super().called}"
