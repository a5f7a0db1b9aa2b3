"""A list to choose from, with the keys that people expect of one."""

from __future__ import annotations

from textual.binding import Binding
from textual.widgets import OptionList

from numduel.core.language import N_


class Listing(OptionList):
    """A list: arrows or j and k move in it, Enter chooses."""

    BINDINGS = [
        Binding("k", "cursor_up", N_("Up"), show=False),
        Binding("j", "cursor_down", N_("Down"), show=False),
        Binding(
            "enter",
            "select",
            N_("Open"),
            tooltip=N_("Open what is highlighted"),
            key_display="enter",
        ),
    ]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enter does something where there is something to open."""
        return action != "select" or any(not option.disabled for option in self.options)
