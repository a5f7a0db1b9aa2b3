"""The texts of all doors keep to the words of the glossary in CONTRIBUTING.md."""

import re
from pathlib import Path

import pytest

from tests.texts.gather import DOORS

HERE = Path(__file__).parent
ROWS = re.findall(
    r"^\| (\w[\w ]*) \| [^|]+ \| ([^|]+) \|$",
    (HERE.parents[1] / "CONTRIBUTING.md").read_text("utf-8").split("## Words")[1].split("\n## ")[0],
    re.MULTILINE,
)[1:]
RULEBOOK = re.compile(
    r"'s Sequence: |starts a sequence: |completed a sequence of|sequence of {\w+} is longer"
    r"|^Both sequences|Welcome to Sequence Capture!|^Sequence (Build|Capture)|by hand"
)
"""What the rulebooks print, and so stays as it is."""
NOT_ENGLISH = re.compile(
    r"^Who (?!(else|is|begins|began|plays|moves|wins)\b)[^?]*$|[;,] who [a-z]+s\b"
    r"|\bin thought\b|\blet the win slip\b|\bWithout,|\bSomething cannot\b|\d!(?!\w)"
)
"""Sentences that nobody would say, and moves in notation."""
FIELD = re.compile(r"{\w+")
"""The name of what a text is filled with, which nobody reads."""


def said(door: str) -> list[tuple[str, str]]:
    """The texts of a door, each with the part that it comes from."""
    found, part = [], ""
    for line in (HERE / f"{door}.txt").read_text("utf-8").splitlines():
        part = line if line.startswith("== ") else part
        found += [(part, line)] if line and line != part and not RULEBOOK.search(line) else []
    return found


def test_the_glossary_has_about_twenty_words() -> None:
    assert 20 <= len(ROWS) <= 25


@pytest.mark.parametrize("door", DOORS)
def test_a_door_uses_the_words_of_the_glossary(door: str) -> None:
    for word, others in ROWS:
        for other in others.split(", "):
            name, scope = re.fullmatch(r"(.*?)(?: \(in (\w+)\))?", other).groups()  # type: ignore[union-attr]
            used = [
                line
                for part, line in said(door)
                if (not scope or f"{scope}" in part)
                and re.search(rf"(?i)\b{name}s?\b", FIELD.sub("", line))
            ]
            used = [line for line in used if not re.fullmatch(r"\w+", line)]  # a name in the code
            assert not used, f"say {word}, not {other}: {used[:3]}"


@pytest.mark.parametrize("door", DOORS)
def test_a_door_speaks_as_people_do_and_names_each_game_once(door: str) -> None:
    for part, line in said(door):
        assert not NOT_ENGLISH.search(line), line
        assert "Sequence Capture" not in line, (part, line)
