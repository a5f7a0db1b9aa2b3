"""The keys that work on a screen now, and what they do."""

from __future__ import annotations

from typing import Any

from rich.table import Table as Grid
from rich.text import Text
from textual.app import App
from textual.screen import Screen
from textual.widgets import Input, OptionList, Select, Static

from numduel.core.language import N_, Texts, _
from numduel.tui.board import Board
from numduel.tui.board_screen import BoardScreen
from numduel.tui.footer import Said, key_told, said
from numduel.tui.page import Drawer

EVERYWHERE = Texts(
    {
        "^p": N_("Commands and themes"),
        "^z": N_("Suspend (fg brings it back)"),
        "^q": N_("Leave; every move is saved"),
    }
)
IN = {
    OptionList: (N_("Choose from the list"), Said("↑, ↓, j, k")),
    Select: (N_("Open the list and choose"), N_("enter")),
    Input: (N_("Type, then go on"), N_("letters, enter")),
}
"""What the keys do in Textual's own widgets, when they have the focus."""


def keys(app: App[None]) -> Drawer:
    """A drawer with the keys of the current screen."""
    rows = Grid.grid(padding=(0, 2, 0, 0))
    rows.add_column(max_width=15)
    for what, key in working(app, app.screen).items():
        rows.add_row(Text(key), Text(what))
    return Drawer(_("Keys"), Static(rows))


def working(app: App[None], screen: Screen[Any]) -> dict[str, str]:
    """What can be done on a screen now, and the keys that do it."""
    found: dict[str, list[str]] = {}
    for active in screen.active_bindings.values():
        binding = active.binding
        what = said(binding.tooltip) or (said(binding.description) if binding.show else "")
        if binding.action == "press" and isinstance(screen, BoardScreen):
            what = screen.enter
        if what and active.enabled and active.node is not app:
            found.setdefault(what, []).append(key_told(app, binding))
    rows = {what: ", ".join(dict.fromkeys(names)) for what, names in found.items()}
    focused = screen.focused
    if isinstance(screen, BoardScreen) and screen.asked:
        rows[_("Play where you click")] = _("click")
        if isinstance(focused, Board):
            rows[_("Type a move")] = _("digits, letters")
    for kind, (what, names) in IN.items():
        if isinstance(focused, kind):
            rows[_(what)] = said(names)
    if len(screen.focus_chain) > 1:
        rows[_("Go to the next part of the screen")] = _("tab")
    return rows | {what: key for key, what in EVERYWHERE.items()}
