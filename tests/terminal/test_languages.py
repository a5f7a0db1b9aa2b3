"""The prompt in the language for tests, ⟦łike thisss⟧: what has no accents is not translated."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from numduel.activities.base import Activity
from numduel.activities.lesson import Lessons
from numduel.activities.mistakes import Mistakes
from numduel.activities.puzzle import Puzzles
from numduel.activities.storm import Storm
from numduel.core.language import PSEUDO, speaking
from numduel.games import game
from numduel.play.players import kind_typed
from numduel.terminal.choice import confirmed
from numduel.terminal.commands import COMMANDS
from numduel.terminal.play import COMMANDS as WORDS
from tests.cli import keep, run
from tests.games import NAMES

PLAIN = re.compile(
    r"(?:/\S+|[\w.]+=\w+)|([^\W\d_]*[aeiouyAEIOUY][^\W\d_]+|[^\W\d_]+[aeiouyAEIOUY])"
)
"""A word without accents; a path and a setting are none."""
TWICE = re.compile("⟦⟦[^⟦⟧]*⟧⟧")
"""A translation that was translated."""
KINDS: tuple[type[Activity], ...] = (Lessons, Mistakes, Puzzles, Storm)
TYPED = {
    *NAMES, *WORDS, *COMMANDS, *(choice.action for kind in KINDS for choice in kind.CHOICES),
    *(word for name in NAMES for one in game(name).parameters.values() for word in one.words),
    *("quit", "save", "copy", "numduel", "set", "keep"),
}  # fmt: skip
"""What is typed, and the name of a file; charts are drawn with letters o."""
NAMED = {"Juniper", "Green"}
HEAD = "Game: duel\nFirst: 1\nPlayer 1: human\nPlayer 2: {who}\nDate: 2026-01-31 12:00:00\n\n"
SAVED = {
    "open": f"{HEAD.format(who='human')}4 6\n",
    "lost": f"{HEAD.format(who='easy')}4 6 1 5 7\n",
    "between-people": f"{HEAD.format(who='human')}4 6 5 7 3\n",
}


@pytest.mark.parametrize(
    ("words", "typed"),
    [
        ("games", ""),
        ("learn", ""),
        ("play line --p2 random --seed 1",
         "help rules board hint hint values undo 99 x 5 undo 5 save save|copy.duel 6 quit"),
        ("play build --seed 3 --forgiving --set n=8", "rules keep hint e b d resign"),
        ("play factors --set first=even", "5"),
        ("play capture --match --seed 1", "21 18 resign"),
        ("resume", "quit"),
        ("replay 1", ""),
        ("review 2 --seat 1", "hint show next quit"),
        ("puzzle duel --seed 3", "hint hint hint 1 show quit"),
        ("puzzle --storm", "start 1 stop quit"),
        ("strategy line", ""),
        ("strategy factors", ""),
        ("analyse build --moves 7e", ""),
    ],
)  # fmt: skip
def test_everything_at_the_prompt_is_translated(words: str, typed: str, tmp_path: Path) -> None:
    for name, record in SAVED.items():
        keep(tmp_path, f"{name}.duel", record)
    lines = "".join(f"{line.replace('|', ' ')}\n" for line in typed.split())
    done = run(tmp_path, *words.split(), typed=lines, env={"NUMDUEL_LANG": PSEUDO})
    said = done.out + done.err
    assert "⟦" in said
    assert {word for word in PLAIN.findall(said) if word.strip("o")} <= TYPED | NAMED
    assert not TWICE.findall(said)


@pytest.mark.parametrize(
    ("code", "typed", "said"),
    [
        ("de", "ja", True), ("de", "J", True), ("de", "nein", False), ("fr", "o", True),
        ("fr", "non", False), ("fr", "yes", True), ("fr", "q", False),
    ],
)  # fmt: skip
def test_yes_and_no_can_be_typed_in_the_language_spoken_and_in_english(
    code: str, typed: str, said: bool
) -> None:
    screen: Any = SimpleNamespace(ask=lambda _question: typed)
    with speaking(code):
        assert confirmed(screen, "?", default=not said) is said


@pytest.mark.parametrize(
    "words", ["--lang de play duel", "play --lang=de duel", "play duel --lang de"]
)
def test_the_language_can_stand_anywhere_on_the_line(words: str, tmp_path: Path) -> None:
    done = run(tmp_path, *words.split(), typed="5\nquit\n")
    assert "Spieler 1 hat die 5 gewählt." in done.out, done.err


@pytest.mark.parametrize(
    "typed", ["--lang de --p2 schwer", "--lang fr --p2 Difficile", "--lang fr --p2 hard"]
)
def test_the_level_can_be_typed_in_the_language_spoken_and_in_english(
    typed: str, tmp_path: Path
) -> None:
    done = run(tmp_path, "play", "duel", *typed.split(), typed="5\nquit\n")
    assert re.search(r"Computer \(schwer\)|Ordinateur \(difficile\)", done.out), done.err


def test_a_level_with_an_accent_can_be_typed_without_it() -> None:
    with speaking("de"):
        assert [*map(kind_typed, ("Zufällig", "zufallig", "random", "search:9"))] == [
            "random", "random", "random", "search:9",
        ]  # fmt: skip
