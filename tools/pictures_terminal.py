"""Draw the pictures of the full-screen app: ``python tools/pictures_terminal.py`` writes
``docs/pictures/terminal-*.svg``. Nothing of this user is read or written."""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
SIZE = (96, 30)
FONT = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)
"""A font from another host, which a picture does without."""
LOST = "Game: sequence-duel\nPlayer 2: hard\nName 1: Ada\n\n1 5 9 4 8 6\n"


async def draw() -> None:
    """Open each screen, wait until it is drawn, and keep it."""
    from textual.screen import Screen

    from numduel import game
    from numduel.activities.keeping import new_game
    from numduel.play.match import begin
    from numduel.play.record import parse
    from numduel.tui.after import After
    from numduel.tui.app import NumduelApp
    from numduel.tui.lessons import learn
    from numduel.tui.play import Play
    from numduel.tui.puzzles import solve
    from numduel.tui.study import Study

    def play() -> Play:
        match = begin(game("capture"), players=("human", "hard"), names=("Ada", "Player 2"), seed=1)
        return Play(new_game(match, 1))

    screens: dict[str, tuple[Callable[[], Screen[object]] | None, list[str]]] = {
        "home": (None, []),
        "play": (play, ["2", "1", "enter", "1", "7", "enter", "v"]),
        "after": (lambda: After(parse(LOST)), []),
        "analysis": (lambda: Study(parse(LOST), values=True), ["right", "right"]),
        "puzzle": (lambda: solve("game=factors&seed=12&grade=2"), []),
        "lesson": (lambda: learn("line", 3), []),
    }
    app = NumduelApp()
    async with app.run_test(size=SIZE) as pilot:
        for name, (make, keys) in screens.items():
            if make is not None:
                await app.push_screen(make())
            for key in ["", *keys]:
                await pilot.press(*filter(None, [key]))
                await app.workers.wait_for_complete()
                await pilot.pause()
            path = PICTURES / f"terminal-{name}.svg"
            await pilot.pause(0.2)
            drawn = app.export_screenshot(title="numduel", simplify=True)
            path.write_text(FONT.sub("", drawn), "utf-8")
            print(path.relative_to(PICTURES.parent.parent))
            if make is not None:
                await app.pop_screen()


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = folder
        asyncio.run(draw())
