"""The full-screen app: ``numduel`` on a real terminal, or ``numduel tui``.

Textual is imported here and nowhere else, and each screen when it is first opened.
"""

from __future__ import annotations

import gc
import sys

from numduel.system import can_be_drawn_on


def full_screen() -> bool:
    """Whether there is a terminal that a whole screen can be drawn on; Textual draws on standard
    error."""
    ends = (sys.stdin, sys.stdout, sys.stderr)
    return can_be_drawn_on() and all(end and end.isatty() for end in ends)


def run(link: str | None = None, name: str = "") -> None:
    """Run the app until the person leaves. With a link it begins at that game on a server, with an
    empty one where a link is asked for. Until its first frame nothing is thrown away, so nobody
    waits for a search through everything that was imported."""
    gc.disable()
    from numduel.tui.app import NumduelApp

    NumduelApp(link, name).run()
