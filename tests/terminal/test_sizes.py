"""The prompt in tmux, at the sizes of a phone, an old terminal and a large window."""

import re
import shutil
from pathlib import Path

import pytest

from tests.cli import NUMDUEL, Tmux
from tests.plugins.limit import remaining

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="there is no tmux")


def shows(window: Tmux, *words: str) -> str:
    """Wait until these words, which a line may break, were shown in this order, and nothing after
    them; all that was shown."""
    pattern = re.compile(
        ".*".join(r"\s+".join(map(re.escape, w.split())) for w in words) + "$", re.S
    )
    while not pattern.search(seen := window.ask("capture-pane", "-p", "-S", "-").rstrip()):
        assert remaining(), f"no {words!r} in {seen!r}"
    return seen


@pytest.mark.parametrize(("columns", "lines"), [(40, 12), (80, 24), (120, 40)])
def test_a_game_is_played_in_a_window_of_any_size(tmp_path: Path, columns: int, lines: int) -> None:
    command = [*NUMDUEL, "play", "capture", "--p2", "hard"]
    with Tmux(tmp_path, columns, lines, *command) as window:
        shows(window, "number:")
        window.press("15", "Enter")
        shows(window, "number: 15", "number:")
        window.press("board", "Enter")
        seen = shows(window, "number: board", "number:")
        line, _, below = seen.rpartition("Number Line:\n")[2].partition("\n\n")
        words = [word.partition("[")[0] for word in line.split()]
        assert words == [str(number) for number in range(1, 22)]
        assert below.split("\n")[0] == "Player 1's Claimed Numbers: 15"
        assert (len(line.splitlines()) > 1) == (columns == 40)
        window.press("nonsense", "Enter")
        shows(window, "number: nonsense", "Please type a whole number from 1 to 21.", "number:")
