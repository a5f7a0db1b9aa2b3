"""Who begins: the players take turns, whatever the level of the computer."""

from dataclasses import replace
from pathlib import Path

import pytest

import numduel
from numduel.activities import Sitting, keeping
from numduel.activities.base import Place
from numduel.core.text import HUMAN
from numduel.files import write_json
from numduel.play.match import Match, begin
from numduel.play.turns import FILE, FRIEND, in_turn, remember_turn
from tests.everywhere import DATA_HOME


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DATA_HOME, str(tmp_path))


def test_the_players_begin_in_turn_in_each_game_and_against_each_kind() -> None:
    duel, line = numduel.game("duel"), numduel.game("line")
    assert in_turn(duel, "hard") == 1
    remember_turn(begin(duel, first=1, players=(HUMAN, "hard")).record)
    assert in_turn(duel, "easy") == in_turn(numduel.game("duel", n=12), "perfect") == 2
    assert in_turn(duel, HUMAN) == in_turn(line, "hard") == 1
    remember_turn(begin(duel, first=2, players=(HUMAN, "easy")).record)
    assert in_turn(duel, "hard") == 1


def test_the_person_may_have_sat_in_either_seat_here_or_online() -> None:
    duel = numduel.game("duel")
    remember_turn(begin(duel, first=2, players=("easy", HUMAN)).record)
    assert (in_turn(duel, "hard"), in_turn(duel, HUMAN)) == (2, 1)
    remember_turn(begin(duel, first=1, players=("easy", HUMAN)).record)
    assert in_turn(duel, "hard") == 1
    for you, first, then in ((1, 1, 2), (1, 2, 1), (2, 2, 2), (2, 1, 1)):
        remember_turn(replace(begin(duel, first=first).record, seat=you))
        assert in_turn(duel, FRIEND) == then
    assert in_turn(duel, HUMAN) == 1


def test_a_turn_is_over_once_the_person_has_moved() -> None:
    duel = numduel.game("duel")

    def saved(kept: keeping.KeptGame, match: Match, *moves: int) -> None:
        for move in moves:
            match.play(move)
            kept.keep(Sitting(match=match.copy()))

    match = begin(duel, first=2, players=(HUMAN, "hard"))
    remember_turn(begin(duel, first=1, players=(HUMAN, "hard")).record)
    kept = keeping.new_game(match.copy())
    saved(kept, match, 5)
    assert in_turn(duel, "hard") == 2, "the computer has moved, but not the person"
    saved(kept, match, 4)
    assert in_turn(duel, "hard") == 1
    remember_turn(begin(duel, first=1, players=(HUMAN, "hard")).record)
    match.undo()
    saved(kept, match, 6)
    assert in_turn(duel, "hard") == 2, "a game counts once"
    kept.close()


def test_what_the_profile_starts_is_begun_in_turn() -> None:
    for first in (1, 2):
        kept = keeping.against(Place("play", game="duel", level="hard"))
        assert kept.activity.match.state.first == first
        remember_turn(kept.activity.match.record)


def test_a_damaged_file_means_a_fresh_start() -> None:
    damaged: list[object] = [[], {"sequence-duel computer": 7}]
    for damage in damaged:
        write_json(FILE, damage)
        assert in_turn(numduel.game("duel"), "hard") == 1
