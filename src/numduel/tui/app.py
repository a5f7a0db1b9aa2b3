"""The app: its theme, its keys and its commands."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from rich.theme import Theme
from textual.app import App, SuspendNotSupported, SystemCommand
from textual.binding import Binding
from textual.command import CommandPalette
from textual.screen import Screen
from textual.theme import ThemeProvider

from numduel.files import read_json, write_json
from numduel.system import suspend
from numduel.tui.colours import readable
from numduel.tui.hosting import OWN
from numduel.tui.page import Choice, Page

FILE = "app.json"
"""What the app remembers: its theme, and the name of the person."""
TERMINAL_CHECK = 1.0
"""Seconds between two looks whether the terminal is still there."""

KEPT = "The game is saved: start numduel again and press c to go on with it."
NO_SCORE = (
    "The game is saved: start numduel again and press c to go on with it. The score of the earlier"
    " games is not."
)
STOPS = "Your server stops when you leave. Games on it are saved, and go on when you continue them."


MARKDOWN = Theme(
    {
        "markdown.code": "bold",
        "markdown.item.bullet": "bold",
        "markdown.item.number": "bold",
        "markdown.hr": "dim",
        "markdown.h1": "bold underline",
        "markdown.h2": "bold",
        "markdown.link": "underline",
        "markdown.link_url": "underline",
    }
)
"""Rules have the colours of the theme: Rich's own cannot be read on every background."""


class NumduelApp(App[None]):
    """Number games for two, on the whole terminal."""

    TITLE = "numduel"
    CSS_PATH = "app.tcss"

    COMMAND_PALETTE_DISPLAY = "^p"
    BINDINGS = [
        Binding("ctrl+c,ctrl+q", "quit", "Leave", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", "Suspend", show=False, priority=True),
    ]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (70, "-medium"), (110, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (20, "-middle"), (34, "-high")]

    def __init__(self, link: str | None = None, name: str = "") -> None:
        """With a link, begin at that game on a server; with an empty one, ask for it."""
        super().__init__()
        self.console.push_theme(MARKDOWN)
        self._link = link
        found = read_json(FILE)
        self.remembered: dict[str, Any] = found if isinstance(found, dict) else {}
        if name:
            self.remember("name", name)

    def get_css_variables(self) -> dict[str, str]:
        """The colours of the theme, made readable."""
        self.theme_variables = readable(super().get_css_variables())
        return self.theme_variables

    def on_mount(self) -> None:
        """Begin at home, in the colours that were chosen last."""
        from numduel.tui.home import Home

        theme = self.remembered.get("theme")
        if theme in self.available_themes:
            self.theme = theme
        self.theme_changed_signal.subscribe(self, lambda theme: self.remember("theme", theme.name))
        self.push_screen(Home())
        if self._link is not None:
            from numduel.tui.lobby import Lobby

            self.push_screen(Lobby(self._link))
        self.call_after_refresh(self._drawn)
        if not self.is_headless:
            self.set_interval(TERMINAL_CHECK, self._leave_a_closed_window)

    @staticmethod
    def _leave_a_closed_window() -> None:
        """End when the terminal is gone: not everybody who starts the app passes on that it was
        closed (make does not), and Textual would read from nowhere, as fast as it can, for ever.
        Nothing is lost: games are saved at every move. Leaving in order would wait for a last
        frame to be drawn."""
        if not os.isatty(sys.__stderr__.fileno()):  # type: ignore[union-attr]
            OWN.stop()
            os._exit(1)

    @staticmethod
    def _drawn() -> None:
        """Collect garbage again, if that was put off; what was imported stays for good."""
        if not gc.isenabled():
            gc.freeze()
            gc.enable()

    def on_unmount(self) -> None:
        """Stop the server, if there is one of this app's own."""
        OWN.stop()

    def remember(self, key: str, value: object) -> None:
        """Keep something for the next start of the app, if anything can be kept here."""
        if self.remembered.get(key) != value:
            self.remembered[key] = value
            with suppress(OSError):
                write_json(FILE, self.remembered)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """The command palette: the keys of the screen, and the themes."""
        if isinstance(screen, Page):
            yield from screen.commands()
        yield SystemCommand("Theme", "Choose other colours", self.action_change_theme)
        yield SystemCommand("Leave", "Every move is saved (^q)", self.action_quit)

    def action_command_palette(self) -> None:
        """Search the commands, in the language spoken."""
        if not isinstance(self.screen, CommandPalette):
            self.push_screen(
                CommandPalette(placeholder="Search for commands…", id="--command-palette")
            )

    def search_themes(self) -> None:
        """Search the themes, in the language spoken."""
        self.push_screen(
            CommandPalette(providers=[ThemeProvider], placeholder="Search for themes…")
        )

    def action_suspend_process(self) -> None:
        """Suspend, together with what started the app, such as make, so that the shell is back."""
        with suppress(SuspendNotSupported), self.suspend():
            suspend()

    async def action_quit(self) -> None:
        """Leave; every move is saved already. While a server of this app's own runs, ask first;
        who asks to leave again is let go."""
        if OWN.running and not isinstance(self.screen, Choice):
            answers = {"no": "Stay", "yes": "Leave"}
            self.push_screen(Choice(STOPS, answers), self._answered)
        else:
            self._leave()

    def _answered(self, answer: str | None) -> None:
        if answer == "yes":
            self._leave()

    def _leave(self) -> None:
        from numduel.tui.play import Play

        left = [screen for screen in self.screen_stack if getattr(screen, "kept", False)]
        scored = any(screen.activity.score.games for screen in left if isinstance(screen, Play))
        self.exit(message=(NO_SCORE if scored else KEPT) if left else None)
