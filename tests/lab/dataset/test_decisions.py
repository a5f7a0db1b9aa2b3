"""Positions to decide: different, balanced, reproducible, and something is at stake in each."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import chain, count, pairwise

import pytest

import numduel
from numduel import Game, State
from numduel.lab.dataset import decisions as decisions_module
from numduel.lab.dataset.decisions import (
    GRADES,
    PHASES,
    Decision,
    Known,
    at_stake,
    balanced,
    decisions,
    difficulty,
    gathered,
    in_turn,
    pools,
    random_regret,
    regret,
    worst_regret,
)
from numduel.lab.dataset.splits import split_of
from numduel.solver import Option, Value
from tests.games import NAMES, RULEBOOKS, WITHOUT_LUCK


@cache
def pool(name: str) -> list[Decision]:
    return gathered(numduel.game(name), 100, seed=3)


def found(name: str) -> list[Decision]:
    return balanced(pool(name))[:60]


@pytest.mark.parametrize("name", NAMES)
def test_something_is_at_stake_in_every_position_and_none_comes_twice(name: str) -> None:
    few = min(60, len(pool(name)))
    assert len({decision.state for decision in found(name)}) == len(found(name)) == few
    assert few == 60 or name not in RULEBOOKS, "a small game may have fewer"
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
    for third in PHASES:
        cells = [(third, grade) for grade in GRADES]
        used_up = all(taken[cell] == there[cell] for cell in cells)
        assert sum(taken[cell] for cell in cells) >= 20 or used_up
        most = max(taken[cell] for cell in cells)
        assert all(taken[cell] in (most, most - 1, there[cell]) for cell in cells)


@pytest.mark.parametrize("name", NAMES)
def test_they_come_from_many_games(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Positions of one game are alike: a few games would say less than so many samples seem to."""
    origin: dict[State, int] = {}
    met, games = decisions_module._met, count()

    def noted(game: Game, luck: Callable[[], float], known: Known) -> Iterator[Decision]:
        number = next(games)
        for decision in met(game, luck, known):
            origin.setdefault(decision.state, number)
            yield decision

    monkeypatch.setattr(decisions_module, "_met", noted)
    taken = [origin[one.state] for one in decisions(numduel.game(name), 30, seed=3)]
    assert len(set(taken)) >= (20 if name in RULEBOOKS else len(taken) // 3), "a small game repeats"


def test_a_seed_repeats_them_and_another_does_not() -> None:
    game = numduel.game("build", n=4, k=3)
    once = decisions(game, 10, seed=3)
    assert once == decisions(game, 10, seed=3) != decisions(game, 10, seed=4)
    assert {split_of(one.state) for one in once} == {"test"}


@pytest.mark.parametrize("name", WITHOUT_LUCK)
def test_difficulty_is_the_chance_that_a_random_move_loses_something(name: str) -> None:
    for decision in found(name):
        options = decision.options
        wrong = [option for option in options if option.loss > 0]
        assert difficulty(options) == len(wrong) / len(options)
        if numduel.game(name).rules.margin is None:
            assert random_regret(options) == difficulty(options)
            assert worst_regret(options) == 1


def decision(*losses: float, exact: bool = True) -> Decision:
    """A decision whose moves lose so much; the best one is 1."""
    options = tuple(
        Option(move, Value(1 - lost, exact=exact), not lost, lost)
        for move, lost in enumerate(losses, 1)
    )
    return Decision(numduel.game("duel").start(), options)


def test_a_decision_is_graded_by_the_share_of_moves_that_lose_something() -> None:
    graded = {
        "easy": [(0, 0, 1), (0, 0, 0, 1)],
        "medium": [(0, 1), (0, 0, 0, 1, 1)],
        "hard": [(0, 1, 1), (0, 0, 1, 1, 1)],
    }
    for grade, all_losses in graded.items():
        assert [decision(*losses).grade for losses in all_losses] == [grade, grade]


def test_something_is_at_stake_where_moves_differ_and_that_is_known() -> None:
    assert at_stake(decision(0, 0.25).options)
    assert not at_stake(decision(0, 0.25, exact=False).options)
    assert not at_stake(decision(0, 1e-12).options)
    assert not at_stake(decision(0).options)
    assert decision(0, 1, 1e-12).best == (1, 3)


@pytest.mark.parametrize(
    ("name", "moves", "phase"),
    [
        ("duel", "1 2", "early"),
        ("duel", "1 2 4", "middle"),
        ("duel", "1 2 4 5 8 7", "late"),
        ("capture", "1 3 5 7 9 11", "early"),
        ("capture", "1 3 5 7 9 11 13", "middle"),
        ("factors", "13", "early"),
        ("factors", "13 1 4 2 10", "middle"),  # 11, 17 and 19 cannot come up any more, either
        ("build", "5e 5e 4x 6", "early"),
        ("build", "2e 2e 5x 6x 6x 7x 7x 8x 8x 9x 9x 1e 1e 3", "late"),
    ],
)
def test_a_phase_is_a_third_of_the_numbers_or_cards_used_up(
    name: str, moves: str, phase: str
) -> None:
    state = numduel.game(name).replay(moves)
    assert Decision(state, numduel.analyse(state)).phase == phase


def test_things_of_every_kind_come_in_turn_until_all_are_used_up() -> None:
    words = ["b2", "a3", "a1", "a2", "c1", "a3"]
    assert in_turn(words, lambda word: word[0]) == ["a3", "b2", "c1", "a1", "a2", "a3"]
    assert in_turn(words, lambda word: word[0], lambda word: word[1]) == [
        "a1", "b2", "c1", "a2", "a3", "a3",
    ]  # fmt: skip


@pytest.mark.parametrize(("wanted", "games"), [(5, 100), (40, 171)])
def test_positions_are_looked_for_in_more_games_than_are_wanted(wanted: int, games: int) -> None:
    told: list[tuple[str, int, int | None]] = []
    assert pools(numduel.game("duel", n=7), {"train": wanted}, 1, lambda *done: told.append(done))
    what = "Sequence Duel: playing games"
    assert told == [(what, done, games) for done in range(1, games + 1)]


def test_a_player_makes_its_own_mistakes_and_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """One who never errs loses nothing against one who always moves at random, in either seat."""
    game, lost = numduel.game("duel", n=7), {0.0: 0.0, 1.0: 0.0}
    for shares in ((0.0, 1.0), (1.0, 0.0)):
        monkeypatch.setattr(decisions_module, "MISTAKES", shares)
        for number in range(100):
            # The first two numbers choose how often each player errs; the others are luck.
            luck = chain((0.0, 0.9), iter(random.Random(number).random, None))
            for before, after in pairwise(decisions_module._met(game, partial(next, luck), {})):
                move = after.state.moves[len(before.state.moves)]
                lost[shares[before.state.to_move - 1]] += regret(before.options, move)
    assert lost[0.0] == 0 < lost[1.0]


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
    monkeypatch.setattr("numduel.lab.dataset.decisions.evaluate", lambda _: estimate)
    with pytest.raises(numduel.BadVariant, match="too large for exact values"):
        decisions(numduel.game("capture", n=60), 5, seed=0)
