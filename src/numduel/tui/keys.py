"""The keys that work on a screen now, and what they do."""

from __future__ import annotations

from typing import Any

from rich.table import Table as Grid
from rich.text import Text
from textual.app import App
from textual.screen import Screen
from textual.widgets import Input, OptionList, Select, Static

from numduel.tui.board import Board
from numduel.tui.board_screen import BoardScreen
from numduel.tui.footer import OURS
from numduel.tui.page import Drawer

EVERYWHERE = {
    "^p": "Commands and themes",
    "^z": "Suspend (fg brings it back)",
    "^q": "Leave; every move is saved",
}
IN = {
    OptionList: ("Choose from the list", "↑, ↓, j, k"),
    Select: ("Open the list and choose", "enter"),
    Input: ("Type, then go on", "letters, enter"),
}
"""What the keys do in Textual's own widgets, when they have the focus."""


def keys(app: App[None]) -> Drawer:
    """A drawer with the keys of the current screen."""
    rows = Grid.grid(padding=(0, 2, 0, 0))
    rows.add_column(max_width=15)
    for what, key in working(app, app.screen).items():
        rows.add_row(Text(key), Text(what))
    return Drawer("Keys", Static(rows))


def working(app: App[None], screen: Screen[Any]) -> dict[str, str]:
    """What can be done on a screen now, and the keys that do it."""
    found: dict[str, list[str]] = {}
    for active in screen.active_bindings.values():
        binding = active.binding
        what = binding.tooltip or (binding.description if binding.show else "")
        what = OURS.get(what, what)
        if binding.action == "press" and isinstance(screen, BoardScreen):
            what = screen.enter
        if what and active.enabled and active.node is not app:
            found.setdefault(what, []).append(app.get_key_display(binding))
    rows = {what: ", ".join(dict.fromkeys(names)) for what, names in found.items()}
    focused = screen.focused
    if isinstance(screen, BoardScreen) and screen.asked:
        rows["Play where you click"] = "click"
        if isinstance(focused, Board):
            rows["Type a move"] = "digits, letters"
    for kind, (what, names) in IN.items():
        if isinstance(focused, kind):
            rows[what] = names
    if len(screen.focus_chain) > 1:
        rows["Go to the next part of the screen"] = "tab"
    return rows | {what: key for key, what in EVERYWHERE.items()}
