"""The app in a language for tests, ⟦łike thisss⟧: what has no accents is not translated, and what
has lost its last bracket is cut."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from numduel.core.language import ENGLISH, PSEUDO, choose, speaking
from numduel.tui.app import NumduelApp
from numduel.tui.home import Home
from tests.cli import keep
from tests.tui.driving import LARGE, LOST, USUAL, drawn, running, settled, told
from tests.tui.test_screens import OPEN, SCREENS

PLAIN = re.compile(r"[^\W\d_]*[aeiouyAEIOUY][^\W\d_]*")
"""A word without accents."""
TWICE = re.compile("⟦⟦[^⟦⟧]*⟧⟧")
"""A translation that was translated."""
OURS = {"Ada", "Juniper", "Green", "numduel", "play", "tab"}
"""Names, and what is typed."""
OVER = ("rules", "keys", "give up", "jump")
"""Screens with something over them, which hides a part."""
PAGES = ("rules", "lesson", "lesson on a path", "question")
"""Screens with a page that is a file of its own in each language."""
NOTES = ("home", "play factors", "study a deck")
"""Screens with notes that may end in dots: in the list at home, and numbers or moves in a list
beside the board that shows them too."""


@pytest.fixture
def strange() -> Iterator[None]:
    """Everything is said in the language for tests."""
    choose(PSEUDO)
    yield
    choose(ENGLISH)


def seen(title: str, home: Path, size: tuple[int, int]) -> str:
    """What is on a screen."""
    keep(home, "lost.duel", LOST)
    keep(home, "open.duel", OPEN)
    make, keys = SCREENS[title]
    found: list[str] = []

    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await app.push_screen(make())
        await settled(app)
        await pilot.press(*keys)
        await settled(app)
        found.append(drawn(app))

    running(steps, size)
    return found[0]


@pytest.mark.parametrize("title", [one for one in SCREENS if one not in PAGES])
@pytest.mark.usefixtures("painted", "strange")
def test_everything_on_a_screen_is_translated(title: str, home: Path) -> None:
    text = seen(title, home, USUAL)
    assert {word for word in PLAIN.findall(text) if len(word) > 1} <= OURS
    assert not TWICE.findall(text)


@pytest.mark.parametrize("title", [one for one in SCREENS if one not in (*OVER, *NOTES)])
@pytest.mark.usefixtures("painted", "strange")
def test_words_that_are_much_longer_fit(title: str, home: Path) -> None:
    text = seen(title, home, USUAL)
    read_on = "… ⟦špáçééé⟧" in text  # the end of a long text is a key away
    assert read_on or text.count("⟦") == text.count("⟧"), text


@pytest.mark.parametrize("code", ["de", "fr"])
@pytest.mark.parametrize("size", [USUAL, LARGE], ids=lambda size: f"{size[0]} columns")
@pytest.mark.usefixtures("painted")
def test_home_and_its_footer_fit(code: str, size: tuple[int, int], home: Path) -> None:
    choose(code)
    try:
        text = seen("home", home, size)
    finally:
        choose(ENGLISH)
    assert "…" not in text
    assert "?" in text.splitlines()[-1]


@pytest.mark.parametrize("code", ["de", "fr", PSEUDO])
@pytest.mark.usefixtures("home")
def test_the_letters_at_home_are_the_same_in_every_language(code: str) -> None:
    english = Home()._letters
    with speaking(code):
        assert Home()._letters == english


@pytest.mark.usefixtures("painted")
def test_a_game_is_played_in_german() -> None:
    choose("de")

    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await pilot.press("4")
        await settled(app)
        assert "Reihenbau" in drawn(app)
        await pilot.press("a")  # Anfang or ablegen
        assert "> a" in drawn(app)
        await pilot.press("escape", "question_mark")
        assert "Die Spielregeln" in drawn(app)
        await pilot.press("escape", "g", "y")
        await settled(app)
        assert "Du hast aufgegeben." in drawn(app) + told(app)

    try:
        running(steps)
    finally:
        choose(ENGLISH)
