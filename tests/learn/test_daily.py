"""The puzzle of a day: a line of only moves, the same for everybody."""

import json
import subprocess
import sys
from datetime import date, timedelta
from itertools import pairwise, permutations

import pytest

from numduel.core.errors import BadVariant
from numduel.core.text import DEFAULT_NAMES
from numduel.learn.daily import LONGEST, LONGEST_WAY, SHORTEST, VARIETY, daily, daily_game
from numduel.learn.ideas import preferred
from numduel.solver import analyse

TODAY = date(2026, 11, 17)
DAYS = [TODAY + timedelta(days) for days in range(4)]
"""One of each game."""


@pytest.mark.parametrize("day", DAYS, ids=str)
def test_every_move_of_a_line_is_the_only_right_one(day: date) -> None:
    line = daily(day)
    assert SHORTEST <= len(line.puzzles) <= LONGEST
    assert len(line.ways) == len(line.puzzles)
    for puzzle in line.puzzles:
        best, second, *_ = analyse(puzzle.state)
        assert best.move == puzzle.solution
        assert best.win_probability > second.win_probability
        assert puzzle.state.to_move == line.puzzles[0].state.to_move


@pytest.mark.parametrize("day", DAYS, ids=str)
def test_a_line_is_played_on_by_legal_moves_from_one_to_the_next(day: date) -> None:
    line = daily(day)
    for puzzle, way in zip(line.puzzles, line.ways, strict=True):
        after = puzzle.state.play(puzzle.solution)
        assert way[0].public == after.public
        for one, two in pairwise(way):
            assert two.moves[:-1] == one.moves
    for puzzle, way in zip(line.puzzles[1:], line.ways, strict=False):
        assert way[-1] == puzzle.state
        assert len(way) <= LONGEST_WAY + 1


def test_a_reason_is_one_sentence_about_the_right_move() -> None:
    for day in DAYS:
        for puzzle in daily(day).puzzles:
            assert puzzle.reason.count(". ") <= puzzle.state.game.has_deck  # the chances follow
            assert puzzle.reason.endswith(".")
            assert not any(name in puzzle.reason for name in DEFAULT_NAMES)


def test_the_games_take_turns_and_small_boards_grow() -> None:
    names = [daily_game(TODAY + timedelta(days)).name for days in range(8)]
    assert names[:4] == names[4:]
    assert len(set(names)) == 4
    assert "capture" not in names, "the only best move there is always the largest number"
    sizes = {daily_game(TODAY + timedelta(2 + 4 * turn)).settings["n"] for turn in range(6)}
    assert sizes == {9, 10, 11}
    offered = daily_game(TODAY)
    assert offered.settings == {"n": 20, "first": "even"}


def test_a_board_without_a_long_line_is_replaced_by_another_size() -> None:
    day = date(2027, 7, 21)
    line, usual = daily(day), daily_game(day)
    assert len(line.puzzles) >= SHORTEST
    found = line.puzzles[0].state.game
    assert (found.name, usual.settings["n"]) == (usual.name, 11)
    assert found.settings["n"] in (9, 10)


def test_a_day_on_which_nothing_is_found_is_an_error_in_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("numduel.learn.daily.MAX_POSITIONS", 0)
    with pytest.raises(BadVariant, match="No puzzle was found for 1 May 2031"):
        daily(date(2031, 5, 1))


def test_the_daily_puzzle_is_the_same_in_every_process() -> None:
    script = (
        "import json, sys; from datetime import date; from numduel.learn.daily import daily\n"
        "print(json.dumps([daily(date.fromisoformat(day)).json() for day in sys.argv[1:]]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *map(str, DAYS)], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == [daily(day).json() for day in DAYS]


def test_the_daily_puzzle_of_a_known_day_never_changes() -> None:
    assert daily(TODAY).json() == {
        "game": "sequence-capture-factors", "variant": {"n": 20, "first": "even"},
        "moves": "18 6 2 10", "to_move": 1, "task": "You are Player 1, and only one move wins.",
        "grade": 5, "theme": "pair", "ideas": ["pair"], "solution": "20", "date": "2026-11-17",
        "line": [
            {"moves": "18 6 2 10", "solution": "20"},
            {"moves": "18 6 2 10 20 4", "solution": "12"},
            {"moves": "18 6 2 10 20 4 12 3", "solution": "9"},
        ],
    }  # fmt: skip


def contradicted(day: date) -> bool:
    """Whether a move of the day goes against the idea that another one is about."""
    for one, other in permutations(daily(day).puzzles, 2):
        idea = other.theme
        if idea is not None and one.solution not in preferred(one.state, idea):
            return True
    return False


@pytest.mark.parametrize("after", range(0, 60, 6))
def test_no_reason_of_a_day_contradicts_another(after: int) -> None:
    assert not contradicted(date(2026, 11, 18) + timedelta(after))


def test_most_days_have_a_reason_for_every_move_and_not_always_the_same() -> None:
    days = [daily(date(2026, 11, 18) + timedelta(after)) for after in range(12)]
    unexplained = [day.day for day in days if any(one.theme is None for one in day.puzzles)]
    assert len(unexplained) <= 2
    monotonous = [day.day for day in days if len({one.theme for one in day.puzzles}) < VARIETY]
    assert len(monotonous) <= 2


@pytest.mark.proof
def test_no_reason_contradicts_another_for_many_days() -> None:
    assert not any(contradicted(date(2026, 11, 18) + timedelta(after)) for after in range(60))
