"""A list to choose from, with the keys that people expect of one."""

from __future__ import annotations

from textual.binding import Binding
from textual.widgets import OptionList


class Listing(OptionList):
    """A list: arrows or j and k move in it, Enter chooses."""

    BINDINGS = [
        Binding("k", "cursor_up", "Up", show=False),
        Binding("j", "cursor_down", "Down", show=False),
        Binding(
            "enter",
            "select",
            "Open",
            tooltip="Open what is highlighted",
            key_display="enter",
        ),
    ]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enter does something where there is something to open."""
        return action != "select" or any(not option.disabled for option in self.options)
