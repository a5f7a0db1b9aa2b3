"""The app in a real terminal window."""

from pathlib import Path

from tests.cli import Terminal

DEAF = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)"
"""As under make, which is told that the window was closed, and waits for the app."""


def test_the_app_ends_when_its_window_is_closed_and_nobody_tells_it(tmp_path: Path) -> None:
    with Terminal(tmp_path, env={"TERM": "xterm-256color"}, before=(DEAF,)) as window:
        window.read(2000)  # something was drawn
        window.hang_up()
        assert window.process.wait() == 1
