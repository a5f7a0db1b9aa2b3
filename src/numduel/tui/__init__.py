"""The full-screen app: ``numduel`` on a real terminal, or ``numduel tui``.

Textual is imported here and nowhere else, and each screen when it is first opened.
"""

from __future__ import annotations


def run() -> None:
    """Run the app until the person leaves."""
    from numduel.tui.app import NumduelApp

    NumduelApp().run()
