"""Who begins: the players take turns, whatever the level of the computer."""

from pathlib import Path

import pytest

import numduel
from numduel.core.text import HUMAN
from numduel.files import write_json
from numduel.play.match import begin
from numduel.play.turns import FILE, in_turn, remember_turn


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def test_the_players_begin_in_turn_in_each_game_and_against_each_kind() -> None:
    duel, line = numduel.game("duel"), numduel.game("line")
    assert in_turn(duel, "hard") == 1
    remember_turn(begin(duel, first=1, players=(HUMAN, "hard")))
    assert in_turn(duel, "easy") == in_turn(numduel.game("duel", n=12), "perfect") == 2
    assert in_turn(duel, HUMAN) == in_turn(line, "hard") == 1
    remember_turn(begin(duel, first=2, players=(HUMAN, "easy")))
    assert in_turn(duel, "hard") == 1


def test_a_damaged_file_means_a_fresh_start() -> None:
    damaged: list[object] = [[], {"sequence-duel computer": 7}]
    for damage in damaged:
        write_json(FILE, damage)
        assert in_turn(numduel.game("duel"), "hard") == 1
