"""The prompt in tmux, at the sizes of a phone, an old terminal and a large window."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli import NUMDUEL, environment
from tests.plugins.limit import remaining

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="there is no tmux")


class Tmux:
    """A window of tmux, in a server of its own."""

    def __init__(self, home: Path, columns: int, lines: int, *arguments: str) -> None:
        self._socket = str(home / "tmux")
        self._env = environment(home)
        self._home = home
        size = ["-x", str(columns), "-y", str(lines)]
        self.run("-f", "/dev/null", "new-session", "-d", *size, *NUMDUEL, *arguments)

    def run(self, *arguments: str) -> str:
        """The output of a command of tmux."""
        words = ["tmux", "-S", self._socket, *arguments]
        return subprocess.run(
            words, env=self._env, cwd=self._home, capture_output=True, text=True, check=False
        ).stdout

    def shows(self, *words: str) -> str:
        """Wait until these words, which a line may break, were shown in this order, and nothing
        after them; all that was shown."""
        pattern = re.compile(
            ".*".join(r"\s+".join(map(re.escape, w.split())) for w in words) + "$", re.S
        )
        while not pattern.search(seen := self.run("capture-pane", "-p", "-S", "-").rstrip()):
            assert remaining(), f"no {words!r} in {seen!r}"
        return seen

    def types(self, text: str) -> None:
        """Type a line."""
        self.run("send-keys", text, "Enter")


@pytest.mark.parametrize(("columns", "lines"), [(40, 12), (80, 24), (120, 40)])
def test_a_game_is_played_in_a_window_of_any_size(tmp_path: Path, columns: int, lines: int) -> None:
    window = Tmux(tmp_path, columns, lines, "play", "capture", "--p2", "hard")
    try:
        window.shows("number:")
        window.types("15")
        window.shows("number: 15", "number:")
        window.types("board")
        seen = window.shows("number: board", "number:")
        line, _, below = seen.rpartition("Number Line:\n")[2].partition("\n\n")
        words = [word.partition("[")[0] for word in line.split()]
        assert words == [str(number) for number in range(1, 22)]
        assert below.split("\n")[0] == "Player 1's Claimed Numbers: 15"
        assert (len(line.splitlines()) > 1) == (columns == 40)
        window.types("nonsense")
        window.shows("number: nonsense", "Please type a whole number from 1 to 21.", "number:")
        window.types("quit")
    finally:
        window.run("kill-server")
