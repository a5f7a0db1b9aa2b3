"""Trivial rules: what they take, what they score, and positions that are no gift to them."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from numduel_examples.pile import Pile
from typer.testing import CliRunner

import numduel
from numduel import Game
from numduel.games import variant
from numduel.lab.dataset import short
from numduel.lab.dataset.answers import benchmark_games
from numduel.lab.dataset.decisions import Decision, balanced, decisions, pools, random_regret
from numduel.lab.dataset.looks import look_regrets
from numduel.lab.dataset.trivial import (
    MOST,
    best_look,
    best_trivial,
    chosen,
    regrets,
    rules,
    skills,
)
from numduel.learn.ideas import situation
from numduel.solver import analyse
from numduel.terminal.app import app
from tests.games import NAMES


def taken(state: numduel.State) -> dict[str, tuple[numduel.Move, ...]]:
    """The moves that each rule takes."""
    game, seen = state.game, situation(state)
    return {rule.name: game.moves(rule.takes(seen), state) for rule in rules(game)}


def test_the_rules_take_what_they_say() -> None:
    line = taken(numduel.game("line").replay("1 5 2 9"))
    assert line["random"] == (3, 4, 6, 7, 8, 10)
    assert (line["lowest"], line["highest"], line["middle"]) == ((3,), (10,), (7,))
    assert line["central"] == (6,)
    assert line["greedy"] == line["lengthen"] == (3,)
    capture = taken(numduel.game("capture", n=8).replay("7 8"))
    assert capture["points"] == capture["greedy"] == capture["highest"] == (5,)
    duel = taken(numduel.game("duel").replay("1 5 2 9"))
    assert duel["win"] == duel["greedy"] == (3,), "1, 2, 3 is a progression"
    build = taken(numduel.game("build").replay("5e 9e 6"))
    assert (build["lowest"], build["highest"]) == (("6b",), ("6x",))
    assert build["use"] == ("6b", "6e")


@pytest.mark.parametrize("name", NAMES)
def test_what_a_rule_loses_is_the_average_of_the_moves_it_takes(name: str) -> None:
    state = numduel.game(name).start() if name != "build" else numduel.game(name).replay("5e 9e 6")
    while state.draws:
        state = state.draw(next(iter(state.draws)))
    options = analyse(state)
    losses = {option.move: option.loss for option in options}
    found = regrets(state, options)
    assert found["random"] == pytest.approx(random_regret(options))
    for rule, moves in taken(state).items():
        assert found[rule] == pytest.approx(sum(losses[move] for move in moves) / len(moves))


def test_rules_that_go_by_looks_take_what_they_say() -> None:
    state = numduel.game("line").replay("1 6 2 9")
    options = analyse(state)
    losses = {option.move: option.loss for option in options}
    found = look_regrets(state, options)
    assert found["lowest prime"] == losses[3]
    assert found["highest even number"] == losses[10]
    assert found["second lowest"] == losses[4]
    assert found["third highest"] == losses[7]
    assert found["7 if possible"] == losses[7]
    assert found["6 if possible"] == pytest.approx(random_regret(options)), "it is taken"
    assert found["nearest to their last"] == (losses[8] + losses[10]) / 2
    assert found["nearest to the mirror image of your own last"] == (losses[8] + losses[10]) / 2, (
        "9 is taken"
    )
    assert found["1 modulo 4"] == losses[5], "1 and 9 are taken"
    assert found["nearest to 9"] == (losses[8] + losses[10]) / 2
    assert found["up to 4"] == (losses[3] + losses[4]) / 2
    assert found["between both last"] == sum(losses[one] for one in (3, 4, 5, 7, 8)) / 5
    assert found["nearest to the middle of both last"] == losses[5]
    assert found["nearest to the mean of your own numbers"] == losses[3], "1 and 2 are held"
    assert found["most of their numbers up to 2 away"] == (losses[7] + losses[8]) / 2, "6 and 9"


def test_rules_that_go_by_the_look_of_a_card_take_what_they_say() -> None:
    state = numduel.game("build").replay("5e 9e 6")
    options = analyse(state)
    losses = {option.move: option.loss for option in options}
    found = look_regrets(state, options)
    assert found["discard, else beginning, else end"] == losses["6x"]
    assert (
        found["discard if the card is up to 5, else another"] == (losses["6b"] + losses["6e"]) / 2
    )
    assert found["discard unless the card is up to 5, else another"] == losses["6x"]
    assert found["end if their row has up to 1, else discard"] == losses["6e"]
    assert found["end if your row has up to 0, else discard"] == losses["6x"]


def test_the_best_trivial_rule_has_the_most_skill_and_random_moves_none() -> None:
    found = skills([{"random": 1.0, "a": 0.5, "b": 1.5}, {"random": 3.0, "a": 2.5, "b": 0.0}])
    assert found == {"random": 0, "a": 0.25, "b": 0.625}
    pool = pools(numduel.game("capture", n=9), {"test": 20}, 0)["test"]
    best = best_trivial(pool)
    assert best
    assert best.skill == 1, "whoever takes the highest number loses nothing"
    assert best_trivial([]) is None


@pytest.mark.parametrize("game", benchmark_games(), ids=lambda game: game.name)
@pytest.mark.parametrize("seed", [0, pytest.param(7, marks=pytest.mark.proof)])
def test_no_trivial_rule_scores_in_the_positions_to_test_with(game: Game, seed: int) -> None:
    found = decisions(game, 100, seed)
    lost = [regrets(one.state, one.options) for one in found]
    assert max(skills(lost).values()) <= MOST
    best = best_look(found)
    assert best
    assert best.skill <= MOST, "the lowest prime, a favourite number, an order of places"
    assert len(found) == 100
    assert len({one.state.position for one in found}) == len(found)


def test_on_a_small_board_nothing_scores_but_ideas_that_look_at_the_answer() -> None:
    duel = variant("duel")
    found = decisions(duel, 100, 0)
    scores = skills(regrets(one.state, one.options) for one in found)
    assert {name for name, skill in scores.items() if skill > MOST} == {"deny", "chances", "spoil"}
    assert len(found) > 50


def test_games_are_played_once_where_no_more_can_be_played(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted: list[int] = []

    def counted(game: Game, split: Mapping[str, int], seed: int) -> dict[str, list[Decision]]:
        wanted.append(*split.values())
        return pools(game, {"test": 10}, seed)

    monkeypatch.setattr("numduel.lab.dataset.decisions.pools", counted)
    for count in (100, 1000, 2000):
        decisions(variant("duel"), count, 0)
    assert wanted == [100, 800, 1000, 2000]


def test_where_a_trivial_rule_is_always_right_positions_are_as_they_come() -> None:
    game = numduel.game("capture", n=10)
    pool = balanced(pools(game, {"test": 20}, 3)["test"])
    assert chosen(pool, 20) == []
    assert decisions(game, 20, 3) == pool[:20]


def followed(game: Game, moves: str) -> dict[str, list[numduel.Move]]:
    """The moves that each short heuristic takes."""
    state = game.replay(moves)
    found = {}
    for rule in short.heuristics(game):
        worth = {move: rule.worth(state, game.code(move)) for move in state.legal_moves}
        found[rule.name] = [move for move in worth if worth[move] == max(worth.values())]
    return found


def test_short_heuristics_take_what_they_say() -> None:
    line = followed(numduel.game("line"), "1 5 2 6 10 7")
    assert line == {"windows": [4], "balance": [4]}, "it blocks 5 to 7, and adds to 1 and 2"
    duel = followed(numduel.game("duel"), "1 3 9 4")
    assert duel == {"windows": [5], "balance": [5]}, "it wins, and blocks 3 and 4"
    capture = followed(numduel.game("capture", n=7), "6 3")
    assert capture == {"contested": [1], "net": [4]}, "1 costs 2, and 4 costs nothing"
    assert followed(numduel.game("factors", n=6), "2") == {"replies": [4]}, "only 1, then 3, 5, 6"
    assert followed(numduel.game("build"), "5e 9e 6") == {"growth": ["6b", "6e"]}


def test_a_short_heuristic_loses_what_its_moves_do_and_scores_by_that() -> None:
    """They are no trivial rules: positions are not chosen against them."""
    some = decisions(variant("duel:n=9,k=3"), 30, 0)
    lost = [short.regrets(*one)["windows"] for one in some]
    found = dict(short.skills(some))
    random = sum(random_regret(one.options) for one in some)
    assert found["windows"] == pytest.approx(1 - sum(lost) / random)
    assert found["windows"] > 0.5
    assert [*found.values()] == sorted(found.values(), reverse=True)


def test_games_of_other_packages_have_no_short_heuristics() -> None:
    assert short.heuristics(Pile()) == ()


def test_positions_are_exchanged_only_where_they_must_be() -> None:
    pool = balanced(pools(variant("line:n=9,k=3"), {"test": 80}, 1)["test"])
    first, fair = pool[:40], chosen(pool, 40)
    assert [one for one in pool if one in fair] == fair, "in the same order"
    kept = sum(one in first for one in fair)
    assert 20 < kept < 40
    fine: list[Decision] = chosen(fair, 40)
    assert fine == fair


def test_the_command_says_what_trivial_rules_would_score() -> None:
    words = ["dataset", "line", "--trivial", "--count", "40"]
    told = CliRunner().invoke(app, words).output
    assert "Four in a Row (n=10, k=4): 40 decisions" in told
    [found] = json.loads(CliRunner().invoke(app, [*words, "--json"]).output)
    best, *_ = found["rules"]
    assert best["skill"] <= MOST
    assert max(row["skill_as_they_come"] for row in found["rules"]) > MOST
    line = f"{best['rule']:14}  {best['skill']:5.2f}  {best['skill_as_they_come']:12.2f}"
    assert line in told
    assert f"{'looks':14}  {found['looks']['skill']:5.2f}" in told
    assert found["looks"]["skill"] <= MOST
    for row in found["short"]:
        assert f"{row['rule']:14}  {row['skill']:5.2f}" in told
    assert {row["rule"] for row in found["short"]} == {"windows", "balance"}
    names = [row["rule"] for row in found["rules"]]
    assert sorted(names) == sorted(rule.name for rule in rules(variant("line")))
