"""Draw the pictures of the terminal: ``python -m tools.pictures_terminal`` writes
``docs/pictures/terminal-*.svg``, a game at the prompt and one in the full-screen app. Nothing of
this user is read or written."""

from __future__ import annotations

import asyncio
import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
COLUMNS, ROWS = 80, 24
"""The size of a usual terminal."""
FONT = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)
"""A font from another host, which a picture does without."""


def at_the_prompt() -> str:
    """The end of a short game against the computer, as it is typed and answered."""
    from rich.console import Console

    command = [sys.executable, "-m", "numduel", "play", "line", "--p2", "easy", "--seed", "4"]
    done = subprocess.run(command, input="5\n6\n7\n4\n", capture_output=True, text=True, check=True)
    console = Console(width=COLUMNS, file=io.StringIO(), record=True)
    console.print(
        "\n".join(done.stdout.rstrip().split("\n")[-ROWS:]), markup=False, highlight=False
    )
    return console.export_svg(title="numduel play line --p2 easy")


async def in_the_app() -> str:
    """A game in the app, with the value of every move."""
    from numduel import game
    from numduel.activities.keeping import new_game
    from numduel.play.match import begin
    from numduel.tui.app import NumduelApp
    from numduel.tui.play import Play

    match = begin(game("capture"), players=("human", "hard"), names=("Ada", "Player 2"), seed=1)
    app = NumduelApp()
    async with app.run_test(size=(96, 30)) as pilot:
        await app.push_screen(Play(new_game(match, 1)))
        for key in ("2", "1", "enter", "1", "7", "enter", "v"):
            await pilot.press(key)
            await app.workers.wait_for_complete()
            await pilot.pause()
        await pilot.pause(0.2)
        return app.export_screenshot(title="numduel", simplify=True)


def main() -> None:
    """Draw both."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = folder
        drawn = {"prompt": at_the_prompt(), "play": asyncio.run(in_the_app())}
    for name, picture in drawn.items():
        (PICTURES / f"terminal-{name}.svg").write_text(FONT.sub("", picture), "utf-8")
        print(f"docs/pictures/terminal-{name}.svg")


if __name__ == "__main__":
    main()
