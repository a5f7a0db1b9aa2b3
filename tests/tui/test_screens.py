"""What every screen of the app looks like, and which keys work there.

``pytest tests/tui --rewrite`` rewrites the screens; look at the diff.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.screen import Screen

from numduel import activities
from numduel.play.record import parse
from numduel.tui.after import After
from numduel.tui.app import NumduelApp
from numduel.tui.games import Games
from numduel.tui.home import Home
from numduel.tui.keys import working
from numduel.tui.lessons import ChooseLesson, learn
from numduel.tui.lobby import Lobby
from numduel.tui.profile import show_profile
from numduel.tui.puzzles import ChoosePuzzles, solve
from numduel.tui.setup import Setup
from numduel.tui.study import Study
from tests.cli import keep
from tests.games import RULEBOOKS
from tests.tui.driving import (
    LARGE,
    LOST,
    PHONE,
    USUAL,
    drawn,
    running,
    settled,
    two_people,
    typed,
)

PUZZLE = "game=duel&seed=9&grade=3"
KEPT = Path(__file__).parent / "screens"
OPEN = "Game: sequence-build\nName 1: Ada\nDate: 2026-01-03 10:00:00\n\n7e 5e 6b 6e 8\n"


SCREENS: dict[str, tuple[Callable[[], Screen[Any]], list[str]]] = {
    "home": (Home, []),
    "set up": (Setup, []),
    **{f"play {name}": (partial(two_people, name), ["right", "enter"]) for name in RULEBOOKS},
    "values": (lambda: two_people("duel"), ["5", "enter", "v"]),
    "rules": (lambda: two_people("duel"), ["r"]),
    "keys": (lambda: two_people("duel"), ["?"]),
    "give up": (lambda: two_people("duel"), ["5", "enter", "g"]),
    "the end": (lambda: two_people("duel"), typed("4 6 5 7 3")),
    "after": (lambda: After(parse(LOST)), []),
    "try again": (lambda: After(parse(LOST)), ["enter", "3", "enter"]),
    "study": (lambda: Study(parse(LOST), values=True), ["right", "right"]),
    "branch": (lambda: Study(parse(LOST), values=True), ["right", "3", "enter"]),
    "jump": (lambda: Study(parse(LOST)), ["m"]),
    "study a deck": (lambda: Study(parse(OPEN), end=True), ["e", "enter"]),
    "puzzles": (ChoosePuzzles, []),
    "puzzle": (lambda: solve(PUZZLE), []),
    "puzzle solved": (lambda: solve(PUZZLE), ["3", "enter"]),
    "lessons": (ChooseLesson, []),
    "lesson": (lambda: learn("duel", 1), []),
    "lesson on a path": (lambda: learn("line", 1), []),
    "question": (lambda: learn("line", 9), ["1"]),
    "games": (Games, []),
    "profile": (show_profile, []),
    "online": (Lobby, []),
}
"""Every screen: how to open it, and the keys to press there."""
SPACIOUS = ("home", "set up", "play line", "play capture", "play build", "study", "after")
"""One of each kind of screen: what is arranged otherwise where there is much room."""


@pytest.fixture
def nothing_else(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """There are the games of the rulebooks and no others, and no activity that is listed: whoever
    adds one finds the screens as they were."""
    found = import_module("numduel.games")
    monkeypatch.setattr(found, "_files", lambda: frozenset(RULEBOOKS))
    monkeypatch.setattr(activities, "_LISTED", ())
    monkeypatch.setattr(activities, "_others", tuple)
    caches = (found.games, found.shipped, activities.listed)
    for one in caches:
        one.cache_clear()
    yield
    for one in caches:
        one.cache_clear()


class Golden:
    """A committed text with a part for every screen."""

    def __init__(self, name: str) -> None:
        self._path = KEPT / f"{name}.txt"
        text = self._path.read_text("utf-8") if self._path.exists() else ""
        _, *parts = re.split(r"^== (.+) ==\n", text, flags=re.MULTILINE)
        self._parts = dict(zip(parts[::2], parts[1::2], strict=True))

    def check(self, title: str, text: str, *, rewrite: bool) -> None:
        """Compare what is seen with what is kept, or keep it."""
        if rewrite:
            self._parts[title] = f"{text}\n\n"
            rows = [f"== {title} ==\n{self._parts.get(title, '')}" for title in SCREENS]
            self._path.write_text("".join(rows), "utf-8")
        assert text == self._parts[title].removesuffix("\n\n")


@pytest.mark.parametrize(
    ("title", "sizes"),
    [
        *((title, (USUAL, PHONE)) for title in SCREENS),
        *((title, (LARGE,)) for title in SPACIOUS),
        *(
            pytest.param(title, (LARGE,), marks=pytest.mark.proof)
            for title in SCREENS
            if title not in SPACIOUS
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{value[0][0]} columns",
)
@pytest.mark.usefixtures("painted", "nothing_else")
def test_a_screen_looks_and_is_used_as_it_was(
    title: str, sizes: tuple[tuple[int, int], ...], home: Path, request: pytest.FixtureRequest
) -> None:
    keep(home, "lost.duel", LOST)
    keep(home, "open.duel", OPEN)
    rewrite = request.config.getoption("--rewrite")
    make, keys = SCREENS[title]

    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await app.push_screen(make())
        await settled(app)
        for key in keys:  # What is below a question is not drawn again, so it has to be before.
            await pilot.press(key)
            await settled(app)
        if LARGE not in sizes:  # where there is less to read on
            listed = {key for keys in working(app, app.screen).values() for key in keys.split(", ")}
            Golden("keys").check(title, " ".join(sorted(listed)), rewrite=rewrite)
        for width, height in sizes:
            if app.size != (width, height):
                await pilot.resize_terminal(width, height)
                await settled(app)
            lines = drawn(app).split("\n")
            assert (len(lines), max(map(len, lines)) <= width) == (height, True)
            Golden(f"{width}x{height}").check(title, "\n".join(lines), rewrite=rewrite)

    running(steps, sizes[0])


def test_no_screen_is_kept_that_nothing_checks() -> None:
    for path in KEPT.glob("*.txt"):
        assert re.findall(r"^== (.+) ==$", path.read_text("utf-8"), re.MULTILINE) == [*SCREENS]


@pytest.mark.usefixtures("painted")
def test_below_a_screen_stand_the_keys_that_work_there_now() -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await app.push_screen(two_people("duel"))
        await settled(app)
        bottom = drawn(app).split("\n")[-1]
        assert "h Hint  g Resign  v Values  r Rules  ^p Commands" in bottom
        assert bottom.endswith("esc Back  ? Keys")
        await pilot.press("5")
        await settled(app)
        assert "Hint" not in drawn(app).split("\n")[-1]

    running(steps)
