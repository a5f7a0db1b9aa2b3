"""Puzzles: exactly one right move, the same for everyone, and fair at the prompt."""

import json
import subprocess
import sys
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import numduel
from numduel.core.errors import NumduelError
from numduel.puzzle import GRADES, MIN_LEAD, daily
from numduel.puzzle import puzzle as make
from numduel.terminal.puzzle import puzzle
from tests.games import NAMES, RULEBOOKS

app = typer.Typer()
app.command()(puzzle)
TODAY = date(2026, 11, 15)


def said(*words: str, typed: str = "") -> str:
    result = CliRunner().invoke(app, words, input=typed)
    if result.exception is not None:
        raise result.exception
    return result.stdout


def values(state: numduel.State) -> dict[str, float]:
    """The chance to win after every legal move, each from the position that it leads to."""
    return {
        str(move): 1 - numduel.evaluate(state.play(move)).win_probability
        for move in state.legal_moves
    }


@pytest.mark.parametrize("grade", GRADES)
@pytest.mark.parametrize("game", NAMES)
def test_exactly_one_move_is_right(game: str, grade: int) -> None:
    for seed in range(4):
        found = make(numduel.game(game), seed, grade)
        assert found.grade == grade
        state, right = found.state, str(found.solution)
        assert state == state.game.replay(state.text)
        assert state.moves
        chances = values(state)
        best = chances.pop(right)
        if state.game.has_deck:
            assert chances
            assert max(chances.values()) <= best - MIN_LEAD
        else:
            assert len(chances) >= 2
            assert best == 1
            assert set(chances.values()) == {0}


def test_a_seed_always_gives_the_same_puzzle_and_others_differ() -> None:
    game = numduel.game("line")
    found = [make(game, seed) for seed in range(20)]
    assert [make(game, seed) for seed in range(20)] == found
    assert len({puzzle.state for puzzle in found}) > 10
    assert {puzzle.grade for puzzle in found} == set(GRADES)


def test_without_a_game_the_seed_draws_one() -> None:
    assert {make(None, seed).state.game.name for seed in range(40)} == set(NAMES)


def test_every_day_has_a_puzzle_and_the_games_take_turns() -> None:
    week = [daily(TODAY + timedelta(days)) for days in range(2 * len(NAMES))]
    names = [puzzle.state.game.name for puzzle in week]
    assert set(names[: len(NAMES)]) == set(NAMES)
    assert names[: len(NAMES)] == names[len(NAMES) :]
    assert all(one.state != two.state for one, two in pairwise(week))


def test_the_daily_puzzle_is_the_same_in_every_process() -> None:
    days = [TODAY + timedelta(number) for number in range(len(NAMES))]
    script = (
        "import json, sys; from datetime import date; from numduel.puzzle import daily\n"
        "print(json.dumps([daily(date.fromisoformat(day)).json() for day in sys.argv[1:]]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *map(str, days)], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == [daily(day).json() for day in days]


def test_the_daily_puzzle_of_a_known_day_never_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = tuple(type(numduel.game(name)) for name in RULEBOOKS)
    monkeypatch.setattr("numduel.puzzle.games", lambda: kinds)
    assert daily(TODAY).json() == {
        "game": "sequence-capture-line", "variant": {"n": 10, "k": 4}, "moves": "9 7",
        "to_move": 1, "grade": 5, "solution": "2",
    }  # fmt: skip


@pytest.mark.parametrize(
    "words", [(), ("--date", "2026-11-15"), ("duel",), ("--level", "2"), ("build", "--seed", "3")]
)
def test_a_puzzle_as_data(words: tuple[str, ...]) -> None:
    found: dict[str, Any] = json.loads(said(*words, "--json"))
    game = numduel.game(found["game"], **found["variant"])
    state = game.replay(found["moves"])
    assert state.to_move == found["to_move"]
    assert found["solution"] in map(str, state.legal_moves)
    assert found["grade"] in GRADES
    assert ("date" in found) != ("seed" in found)


# -- at the prompt --------------------------------------------------------------------------

RIGHT, WRONG = "4", ["1", "2", "3", "5", "9"]
"""The moves of the puzzle that is asked for: a seed always gives the same."""
ASKED = ("duel", "--seed", "1", "--level", "4")


def test_the_right_move_is_praised_with_its_reason() -> None:
    out = said(*ASKED, typed=f"{RIGHT}\n")
    assert out.startswith("Puzzle 1: Sequence Duel, level 4 of 5\n")
    assert f"Right. {RIGHT} leaves them no answer that wins at once, and wins in 5" in out
    assert f"The line: {RIGHT} " in out
    assert "Wrong" not in out


def test_after_two_wrong_moves_the_right_one_is_told() -> None:
    out = said(*ASKED, typed=f"{WRONG[0]}\n{WRONG[1]}\n{RIGHT}\n")
    assert out.count("Wrong. ") == 2
    assert f"{WRONG[0]} loses" in out
    assert f"The right move was {RIGHT}." in out
    assert "Right. " not in out


def test_what_is_no_legal_move_is_no_try() -> None:
    out = said(*ASKED, typed=f"x\n99\n\n6\n{WRONG[0]}\n{RIGHT}\n")
    assert out.count("Wrong. ") == 1
    assert "Right. " in out


def test_hints_narrow_the_choice_and_never_rule_out_the_right_move() -> None:
    out = said(*ASKED, typed="hint\nhint\nhint\nquit\n")
    hints = [line for line in out.splitlines() if line.startswith("It is ")]
    choices = [set(hint[6:-1].replace(" or ", ", ").split(", ")) for hint in hints]
    assert len(choices) == 3
    assert all(RIGHT in choice and len(choice) >= 2 for choice in choices)
    assert choices[2] <= choices[1] < choices[0] < {RIGHT, *WRONG}


def test_leaving_is_clean() -> None:
    assert "Right" not in said(*ASKED, typed="quit\n")
    assert said(*ASKED, typed="").endswith("The puzzle is left unsolved.\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("chess",), "There is no game 'chess'"),
        (("--level", "6"), "--level must be a whole number from 1 to 5, not '6'"),
        (("--seed", "x"), "--seed must be a whole number"),
        (("--date", "tomorrow"), "A date is written 2026-11-15"),
        (("duel", "--date", "2026-11-15"), "--date is for the daily puzzle"),
    ],
)
def test_wrong_input_is_one_sentence(words: tuple[str, ...], message: str) -> None:
    with pytest.raises(NumduelError) as caught:
        said(*words)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
