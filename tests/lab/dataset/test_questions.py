"""Questions about positions are graded exactly: judged here by trying everything."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest

import numduel
from numduel import BadVariant, State
from numduel.agents.asking import Asking
from numduel.lab.dataset.questions import KINDS, Question, question, questions
from numduel.lab.dataset.splits import split_of
from tests.games import naive
from tests.solver import brute

SMALL: dict[str, dict[str, Any]] = {
    "line": {"n": 7, "k": 3}, "duel": {"n": 8, "k": 3}, "factors": {"n": 12},
    "capture": {"n": 9, "gaps": "square"}, "build": {"n": 4, "copies": 2, "k": 3},
}  # fmt: skip
RULES = {
    "line": (naive.line_moves, naive.line_winner),
    "duel": (naive.duel_moves, naive.duel_winner),
    "factors": (naive.factors_moves, naive.factors_winner),
}
"""Rules written apart from the games."""


@cache
def asked(name: str) -> list[Question]:
    return questions(numduel.game(name, **SMALL[name]), 40, 1)


def said(text: str) -> str:
    return f"Let me think: 1, 2 or 3?\n\n**ANSWER: {text}**"


def truth(state: State) -> tuple[int, int]:
    """Who wins for the player to move, and after how many moves, by trying everything."""
    legal, winner = RULES[state.game.name]
    sign, plies = brute.best(
        state.moves,
        lambda moves: {*legal(moves, *state.game.variant)},
        lambda moves: winner(moves, *state.game.variant),
    )
    return sign, plies


@pytest.mark.parametrize("name", SMALL)
def test_the_right_answer_is_worth_1_and_silence_nothing(name: str) -> None:
    for one in asked(name):
        assert one.grade(said(one.right)) == 1.0, one
        assert one.grade(f"It is {one.right}, of course.") == 0.0
        assert 0 <= one.guess < 1


@pytest.mark.parametrize("name", RULES)
def test_who_wins_and_when_is_known_by_trying_everything(name: str) -> None:
    for one in asked(name):
        sign, plies = truth(one.state)
        mover = one.state.to_move
        if one.kind.name == "winner":
            assert one.right == str(mover if sign > 0 else 3 - mover)
        if one.kind.name == "length":
            assert one.right == str(plies)


@pytest.mark.parametrize("name", RULES)
def test_the_best_moves_are_all_that_win(name: str) -> None:
    for one in asked(name):
        if one.kind.name == "best":
            winning = {move for move in one.state.legal_moves if truth(one.state.play(move))[0] < 0}
            assert {*one.right.split(", ")} == {*map(str, winning)}
            some, *_ = winning
            other = next(move for move in one.state.legal_moves if move not in winning)
            assert one.grade(said(f"{one.right}, {other}")) < 1
            assert (one.grade(said(str(some))) == 1.0) == (len(winning) == 1)
            assert one.grade(said(str(other))) == 0.0


def test_points_at_the_end_are_known_by_trying_everything() -> None:
    lengths = [one for one in asked("capture") if one.kind.name == "length"]
    assert lengths
    for one in lengths:
        assert one.right == str(brute.best_margin(one.state.moves, 9, 1))


@pytest.mark.parametrize("name", ["line", "duel", "factors", "capture"])
def test_a_refutation_keeps_to_the_rule_and_is_lost(name: str) -> None:
    found = [one for one in asked(name) if one.kind.name == "refute"]
    lines = [one for one in found if one.right != "yes"]
    assert lines
    for one in lines:
        state, mine = one.state, one.state.to_move
        for word in one.right.split():
            if state.to_move == mine and word != "pass":
                assert int(word) == max(state.legal_moves), "the largest number"
            state = state.play(word)
        assert state.winner == 3 - mine
        assert one.grade(said("yes")) == 0.0
        assert one.grade(said(one.right.rpartition(" ")[0])) == 0.0, "the game is not over"
        smallest = str(min(one.state.legal_moves))
        assert one.grade(said(smallest + " " + one.right)) == 0.0, "that is not the rule"
    for one in found:
        if one.right == "yes":
            assert one.grade(said("1 2 3")) == 0.0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["line", "duel", "factors", "capture", "build"])
def test_nobody_gets_far_without_a_look_at_the_position(name: str, kind: str) -> None:
    found = [one for one in asked(name) if one.kind.name == kind]
    if name == "build" and kind not in ("best", "idea"):
        assert not found, "luck decides, too"
        return
    most = KINDS[kind].most + 1 / len(found)
    rights = Counter(one.right for one in found)
    assert max(rights.values()) / len(found) <= most, "always the same answer"
    scored: Counter[str] = Counter()
    for one in found:
        for rule, answer in one.kind.blind(one.state):
            scored[rule] += one.grade(said(answer))  # type: ignore[assignment]
    assert max(scored.values()) / len(found) <= most
    best = max([*scored.values(), *rights.values()]) / len(found)
    assert all(one.guess == pytest.approx(best) for one in found)


def test_answers_without_a_look_at_the_position_say_what_they_would() -> None:
    state = numduel.game("duel").replay("5 9")
    assert dict(KINDS["winner"].blind(state)) == {
        "the player to move": "1",
        "the other player": "2",
    }
    best = dict(KINDS["best"].blind(state))
    assert best["all but the highest"] == "1, 2, 3, 4, 6, 7"
    assert dict(KINDS["length"].blind(state)) == {"the number of legal moves": "7"}
    refuting = dict(KINDS["refute"].blind(state))
    assert refuting["the opponent takes the lowest"] == "8 1 7 2 6", "5, 6, 7 is a progression"


def test_questions_are_about_positions_to_test_with_and_as_deep_as_wanted() -> None:
    found = questions(numduel.game("line"), 30, 0, ["length"], depth=(4, 5))
    assert {one.right for one in found} <= {"4", "5"}
    assert {split_of(one.state) for one in found} == {"test"}
    for wrong in ({"kinds": ["taste"]}, {"depth": (99, 99)}):
        with pytest.raises(BadVariant):
            questions(numduel.game("line"), 5, 0, **wrong)
    with pytest.raises(BadVariant, match="Nobody hurries"):
        questions(numduel.game("capture", n=8), 5, 0, depth=(1, 9))


def test_a_prompt_has_the_rules_the_position_and_the_question() -> None:
    state = numduel.game("duel").replay("5 9")
    told = Asking().about(question("best", state))
    assert state.game.rulebook in told
    assert "MOVE:" not in told
    assert told.endswith("ANSWER: and then these moves, separated by commas.")
    assert set(KINDS) == {"winner", "best", "length", "refute", "idea"}
