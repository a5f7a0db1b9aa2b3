"""Positions to decide: different, balanced, reproducible, and something is at stake in each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count

import pytest

import numduel
from numduel import Game, State
from numduel.dataset import decisions as decisions_module
from numduel.dataset.decisions import (
    GRADES,
    PHASES,
    Decision,
    at_stake,
    balanced,
    decisions,
    difficulty,
    gathered,
    random_regret,
    regret,
    worst_regret,
)
from numduel.solver import Value
from tests.games import NAMES, WITHOUT_LUCK


@cache
def pool(name: str) -> list[Decision]:
    return gathered(numduel.game(name), 100, seed=3)


def found(name: str) -> list[Decision]:
    return balanced(pool(name))[:60]


@pytest.mark.parametrize("name", NAMES)
def test_something_is_at_stake_in_every_position_and_none_comes_twice(name: str) -> None:
    assert len({decision.state for decision in found(name)}) == len(found(name)) == 60
    for decision in found(name):
        assert decision.options == numduel.analyse(decision.state)
        assert len(decision.state.legal_moves) > 1
        assert at_stake(decision.options)
        assert {option.move for option in decision.options} == set(decision.state.legal_moves)
        assert decision.state.game.replay(decision.state.text) == decision.state


@pytest.mark.parametrize("name", NAMES)
def test_phases_and_grades_are_as_even_as_the_game_allows(name: str) -> None:
    there = Counter((one.phase, one.grade) for one in pool(name))
    taken = Counter((one.phase, one.grade) for one in found(name))
    for phase in PHASES:
        cells = [(phase, grade) for grade in GRADES]
        used_up = all(taken[cell] == there[cell] for cell in cells)
        assert sum(taken[cell] for cell in cells) >= 20 or used_up
        most = max(taken[cell] for cell in cells)
        assert all(taken[cell] in (most, most - 1, there[cell]) for cell in cells)


@pytest.mark.parametrize("name", NAMES)
def test_they_come_from_many_games(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Positions of one game are alike: a few games would say less than so many samples seem to."""
    origin: dict[State, int] = {}
    met, games = decisions_module._met, count()

    def noted(game: Game, luck: Callable[[], float]) -> Iterator[Decision]:
        number = next(games)
        for decision in met(game, luck):
            origin.setdefault(decision.state, number)
            yield decision

    monkeypatch.setattr(decisions_module, "_met", noted)
    taken = [origin[one.state] for one in decisions(numduel.game(name), 30, seed=3)]
    assert len(set(taken)) >= 20


def test_a_seed_repeats_them_and_another_does_not() -> None:
    game = numduel.game("build", n=4, k=3)
    once = decisions(game, 10, seed=3)
    assert once == decisions(game, 10, seed=3) != decisions(game, 10, seed=4)
    assert once == balanced(gathered(game, 100, seed=3))[:10]


@pytest.mark.parametrize("name", WITHOUT_LUCK)
def test_difficulty_is_the_chance_that_a_random_move_loses_something(name: str) -> None:
    for decision in found(name):
        options = decision.options
        wrong = [option for option in options if option.loss > 0]
        assert difficulty(options) == len(wrong) / len(options)
        if numduel.game(name).rules.margin is None:
            assert random_regret(options) == difficulty(options)
            assert worst_regret(options) == 1


def test_regret_is_in_points_where_the_game_is_counted() -> None:
    options = numduel.analyse(numduel.game("capture").start())
    assert regret(options, 21) == 0
    margins = {option.move: option.margin or 0 for option in options}
    assert regret(options, 20) == margins[21] - margins[20] > 1
    assert regret(options, None) == worst_regret(options) == margins[21] - min(margins.values())


def test_what_cannot_be_decided_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(numduel.BadVariant, match="no move ever matters"):
        decisions(numduel.game("duel", n=3, k=1), 5, seed=0)
    estimate = Value(0.5, exact=False)
    monkeypatch.setattr("numduel.dataset.decisions.evaluate", lambda _: estimate)
    with pytest.raises(numduel.BadVariant, match="too large for exact values"):
        decisions(numduel.game("capture", n=60), 5, seed=0)
