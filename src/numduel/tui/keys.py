"""What the keys of a screen do."""

from __future__ import annotations

from textual.app import App
from textual.widgets import Static

from numduel.tui.page import Drawer

EVERYWHERE = (
    ("ctrl+p", "Commands and themes"),
    ("ctrl+z", "Suspend; fg goes on"),
    ("ctrl+q", "Leave: every move is kept"),
)
ON_A_BOARD = (
    ("click", "Play there"),
    ("arrows, Enter", "Choose a cell and play it"),
    ("digits, letters", "Type a move; Enter plays it"),
    ("tab", "Board, or moves"),
)


def keys(app: App[None]) -> Drawer:
    """A page with the keys of the screen that is shown."""
    screen = app.screen
    board = ON_A_BOARD if screen.query("#board") else ()
    more = getattr(screen, "MORE_KEYS", ())
    rows = [
        (app.get_key_display(active.binding), active.binding.tooltip or active.binding.description)
        for active in screen.active_bindings.values()
        if active.binding.show and active.binding.description and active.enabled
    ]
    rows = list(dict.fromkeys((*rows, *more, *board, *EVERYWHERE)))
    wide = max(len(key) for key, _ in rows)
    text = "\n".join(f"{key:<{wide}}  {what}" for key, what in rows)
    return Drawer("Keys", Static(text, markup=False))
