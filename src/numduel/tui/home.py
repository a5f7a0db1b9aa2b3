"""The first screen: today's puzzle, a game to go on with, and everything else."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from textual.app import ComposeResult, SystemCommand
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from numduel.activities import activities, listed
from numduel.core.errors import BadRecord, BadVariant
from numduel.learn import streaks
from numduel.play.record import Record
from numduel.play.store import saved_games
from numduel.tui.page import Page, refill
from numduel.tui.words import summary

LOGO = "n u m d u e l"


class Home(Page):
    """The first screen."""

    BINDINGS = [
        Binding("escape", "app.pop_nothing", show=False),
        Binding("q", "app.quit", "Leave"),
        Binding("d", "go('daily')", "Today", tooltip="Today's puzzle"),
        Binding("c", "go('continue')", "Continue", tooltip="Continue the last game"),
        Binding("p", "go('play')", "Play", tooltip="Set up a game"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._last: Path | None = None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Continuing needs an unfinished game."""
        return parameters != ("continue",) or self._last is not None

    def compose(self) -> ComposeResult:
        """The name, the list, and the keys."""
        with Vertical(id="home"):
            yield Static(LOGO, id="logo")
            yield Static("Number games for two, solved exactly.", id="motto")
            yield OptionList(id="menu")
        yield Footer()

    def on_screen_resume(self) -> None:
        """Games may have been played meanwhile."""
        listing = self.query_one(OptionList)
        refill(listing, self._rows())
        listing.focus()
        self.refresh_bindings()

    def _rows(self) -> list[Option]:
        places = self._places()
        width = max(15, *(len(name) + 1 for name, _ in places.values()))
        return [
            Option(Content.assemble((f" {name:{width}}", "bold"), (f" {text}", "dim")), id=key)
            for key, (name, text) in places.items()
        ]

    def commands(self) -> Iterator[SystemCommand]:
        """Every place of the list, and what the keys do."""
        yield from (command for command in super().commands() if command.title == "Keys")
        for key, (name, text) in self._places().items():
            yield SystemCommand(name, text, partial(self.action_go, key))

    def _places(self) -> dict[str, tuple[str, str]]:
        """The name of each place, and what is there."""
        unfinished, problem = _unfinished()
        self._last = unfinished[0][0] if unfinished else None
        today, found = date.today(), streaks.load()
        days = found.on(today)
        done = "solved ✓" if found.day == today else "find the one right move"
        streak = f" · {days} days in a row" if days > 1 else ""
        rows = {
            "daily": ("Today's puzzle", done + streak),
            "continue": (
                "Continue",
                summary(unfinished[0][1], short=True) if unfinished else problem,
            ),
            "play": ("Play", "a friend beside you, or the computer"),
            "learn": ("Learn", "a game in a few steps"),
            "puzzles": ("Puzzles", "by game and grade"),
            "analysis": ("Analysis board", "what every move is worth"),
            "games": ("My games", "go on, replay, review"),
            "statistics": ("Statistics", "wins, accuracy, streaks"),
            "online": ("Online", "join a game by its link, or host one"),
        }
        rows |= {f"do {kind.NAME}": (kind.TITLE, kind.ABOUT) for kind in listed()}
        return {key: row for key, row in rows.items() if row[1]}

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open what was chosen."""
        self.action_go(event.option_id or "")

    def action_go(self, where: str) -> None:
        """Open a screen."""
        self.attempt(lambda: self.app.push_screen(self._screen(where)))

    def _screen(self, where: str) -> Screen[Any]:
        if where == "continue":
            from numduel.activities.keeping import resumed
            from numduel.tui.play import Play

            if self._last is None:
                raise BadVariant("There is no game to go on with; p starts one.")
            return Play(resumed(self._last))
        if where not in SCREENS:
            return _activity(where.removeprefix("do "))
        module, screen = SCREENS[where]
        made: Screen[Any] = getattr(import_module(f"numduel.tui.{module}"), screen)()
        return made


def _activity(name: str) -> Screen[Any]:
    from numduel.activities.keeping import opened
    from numduel.tui.activity import Activities

    return Activities.of(opened(activities()[name]), "")


SCREENS = {
    "daily": ("puzzles", "solve"),
    "play": ("setup", "Setup"),
    "learn": ("lessons", "ChooseLesson"),
    "puzzles": ("puzzles", "ChoosePuzzles"),
    "analysis": ("setup", "analysis"),
    "games": ("games", "Games"),
    "statistics": ("stats", "Stats"),
    "online": ("lobby", "Lobby"),
}
"""The module of each screen, imported when it is first opened, and what makes the screen there."""


def _unfinished() -> tuple[list[tuple[Path, Record]], str]:
    """The unfinished games, or why they cannot be read."""
    try:
        return saved_games(finished=False), ""
    except BadRecord as error:
        return [], str(error)
