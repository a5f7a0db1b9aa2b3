"""Language models under Inspect: told everything, asked fairly, judged exactly."""

from __future__ import annotations

import gc
import json
import os
import random
import re
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import numduel
from numduel import Game, State
from numduel.core.state import _ORDERS, settled
from numduel.lab.dataset.decisions import at_stake, random_regret
from numduel.lab.tournament.ratings import wilson
from numduel.play.record import parse
from numduel.solver import Value
from tests.agents.prompts import position
from tests.games import naive
from tests.solver import brute

if TYPE_CHECKING:  # It takes long to be imported, which only those who run these tests should do.
    from inspect_ai.log import EvalLog, EvalSample
    from inspect_ai.model import ChatMessage

pytestmark = [
    pytest.mark.skipif(find_spec("inspect_ai") is None, reason="Inspect is not installed"),
    pytest.mark.filterwarnings("ignore:The 'initial' parameter:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:Unclosed <MemoryObject:ResourceWarning"),
]
"""Inspect's own."""
SMALL: dict[str, dict[str, Any]] = {
    "number_capture": {"n": 8, "gaps": "none"},
    "sequence_build": {"n": 4, "copies": 2, "k": 3},
    "sequence_capture_line": {"n": 7, "k": 3},
    "sequence_capture_factors": {"n": 12},
    "sequence_duel": {"n": 7},
}
"""Tasks on small boards."""
QUIETLY: dict[str, Any] = {"display": "none", "log_realtime": False, "log_buffer": 1000}
"""Options of Inspect: shows nothing, and writes the log once."""
Choice = Callable[[State], str]
Answer = Callable[["list[ChatMessage]"], str]


Shared = Callable[[str], "EvalLog"]


@pytest.fixture(scope="module", autouse=True)
def _libraries() -> Iterator[None]:
    """Inspect stays loaded, so the garbage collector need not look through it again. What it leaves
    unclosed is collected at the end, outside the tests. Its table of results, which it draws even
    if it shows nothing, is not drawn."""
    import_module("numduel.agents.inspect")
    gc.collect()
    gc.freeze()
    gc.disable()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rich.live.Live.refresh", lambda _: None)
        yield
    with warnings.catch_warnings(action="ignore"):
        gc.collect()
    gc.enable()


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Where Inspect logs."""
    return tmp_path


@pytest.fixture(scope="module")
def perfect_games(tmp_path_factory: pytest.TempPathFactory) -> Shared:
    """The log of five games of a perfect model against a perfect opponent."""
    return cache(
        lambda name: judged(name, chosen(name, best), tmp_path_factory.mktemp(name), games=5)
    )


@pytest.fixture(scope="module")
def random_games(tmp_path_factory: pytest.TempPathFactory) -> Shared:
    """The log of ten games of a model that moves at random against a perfect opponent."""
    return cache(
        lambda name: judged(name, chosen(name, blind), tmp_path_factory.mktemp(name), games=10)
    )


@pytest.fixture(scope="module")
def random_decisions(tmp_path_factory: pytest.TempPathFactory) -> Shared:
    """The log of forty decisions of a model that moves at random."""
    return cache(lambda name: decided(name, chosen(name, blind), tmp_path_factory.mktemp(name)))


def chosen(name: str, choose: Choice, **variant: Any) -> Answer:
    """A model that plays the chosen move in the position of its prompt, of one game."""
    game = numduel.game(name.replace("_", "-"), **(variant or SMALL[name]))

    def answer(talk: list[Any]) -> str:
        state = position(talk[-1].text)
        assert state.game == game
        return f"I have thought about it.\n\n**MOVE: {choose(state)}**"

    return answer


def best(state: State) -> str:
    return state.game.label(numduel.analyse(state)[0].move)


def worst(state: State) -> str:
    return state.game.label(numduel.analyse(state)[-1].move)


def blind(state: State) -> str:
    return state.game.label(random.Random(state.text).choice(state.legal_moves))


def judged(name: str, answer: Answer, log_dir: Path, **options: Any) -> EvalLog:
    """The log of whole games with a mock model that gives these answers."""
    options = {"games": 4, "opponent": "perfect", **SMALL[name], **options}
    return evaluated(tasks()[f"{name}_games"](**options), answer, log_dir)


def decided(name: str, answer: Answer, log_dir: Path, **options: Any) -> EvalLog:
    """The log of single decisions."""
    options = {"decisions": 40, **SMALL[name], **options}
    return evaluated(tasks()[name](**options), answer, log_dir)


def evaluated(task: Any, answer: Answer, log_dir: Path) -> EvalLog:
    log = run(task, answer, log_dir, log_format="json")
    assert log.status == "success", log.error
    return log


def run(task: Any, answer: Answer, log_dir: Path, *, tokens: int = 0, **options: Any) -> EvalLog:
    """The log of a task with a mock model that gives these answers. Their tokens are given too, or
    Inspect would fetch a table to count them."""
    from inspect_ai import eval as inspect_eval
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    def output(talk: list[ChatMessage], *_: Any) -> ModelOutput:
        said = ModelOutput.from_content("mockllm/model", answer(talk))
        said.usage = ModelUsage(output_tokens=tokens, total_tokens=tokens)
        return said

    model = get_model("mockllm/model", custom_outputs=output, memoize=False)
    options = {**QUIETLY, "max_samples": 1, **options}
    [log] = inspect_eval(task, model=model, log_dir=str(log_dir), **options)
    return log


def tasks() -> dict[str, Callable[..., Any]]:
    from numduel.agents.inspect import TASKS

    return TASKS


def metrics(log: EvalLog) -> dict[str, float]:
    assert log.results
    return {name: metric.value for name, metric in log.results.scores[0].metrics.items()}


def samples(log: EvalLog) -> list[EvalSample]:
    assert log.samples
    return log.samples


def told(log: EvalLog) -> list[dict[str, Any]]:
    """The metadata of each game's score."""
    return [next(iter((sample.scores or {}).values())).metadata or {} for sample in samples(log)]


def score(sample: EvalSample) -> dict[str, float]:
    return next(iter((sample.scores or {}).values())).value  # type: ignore[return-value]


def prompts(log: EvalLog) -> list[str]:
    return [
        message.text
        for sample in samples(log)
        for message in sample.messages
        if message.role == "user"
    ]


# -- decisions ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SMALL)
def test_perfect_decisions_have_a_skill_of_1(name: str, logs: Path) -> None:
    found = metrics(decided(name, chosen(name, best), logs, decisions=9))
    assert found["skill"] == pytest.approx(1)
    assert found["accuracy"] == 1
    assert found["fault_rate"] == found["rethinks"] == 0


@pytest.mark.parametrize("name", ["number_capture", "sequence_build"])
def test_random_decisions_have_a_skill_around_0(name: str, random_decisions: Shared) -> None:
    found = metrics(random_decisions(name))
    assert abs(found["skill"]) < 0.5
    assert found["skill_low"] < found["skill"] < found["skill_high"] < 1
    phases = ("early", "middle") if name == "number_capture" else ("early", "middle", "late")
    for phase in phases:  # when most numbers of a short line are claimed, nothing is at stake
        assert found[f"skill_{phase}_low"] < found[f"skill_{phase}"] < 1


def test_intervals_stay_within_what_is_possible(logs: Path) -> None:
    choices = iter([worst])
    once = chosen("number_capture", lambda state: next(choices, best)(state))
    found = metrics(decided("number_capture", once, logs, decisions=9))
    assert 0 < found["regret_points_low"] < found["regret_points"] < found["regret_points_high"]
    assert found["accuracy"] == pytest.approx(8 / 9)
    assert (found["accuracy_low"], found["accuracy_high"]) == wilson(8, 9)
    assert found["skill"] < found["skill_high"] < 1


def test_few_decisions_have_no_interval(logs: Path, caplog: pytest.LogCaptureFixture) -> None:
    found = metrics(decided("sequence_duel", chosen("sequence_duel", best), logs, decisions=4))
    assert {"skill", "accuracy", "fault_rate"} <= found.keys()
    assert not [name for name in found if name.endswith(("_low", "_high"))]
    assert "Fewer than 5 samples are too few for intervals." in caplog.text


@pytest.mark.parametrize(("name", "even"), [("number_capture", False), ("sequence_build", True)])
def test_phases_that_are_not_even_are_told(
    name: str, even: bool, caplog: pytest.LogCaptureFixture
) -> None:
    task = tasks()[name](decisions=9, **SMALL[name])
    count = Counter(sample.metadata["phase"] for sample in task.dataset)
    told = (
        f"{count['early']} are early, {count['middle']} in the middle and {count['late']} late:"
        " figures count them as they are."
    )
    assert (told in caplog.text, "are early" in caplog.text) == (not even, not even)


def test_a_game_that_one_rule_solves_is_tested_with_another_variant() -> None:
    """In the rulebook's Number Capture the highest number is always best."""
    for name, asked in (("", {"decisions": 20}), ("_games", {"games": 1})):
        task = tasks()[f"number_capture{name}"]
        [usual] = {str(one.metadata["variant"]) for one in task(**asked).dataset}
        assert usual == str({"n": 21, "gaps": "square"})
        [plain] = {str(one.metadata["variant"]) for one in task(gaps="none", **asked).dataset}
        assert plain == str({"n": 21, "gaps": "none"})


def listed(prompt: str) -> list[str]:
    """The legal moves as a prompt lists them."""
    found = re.search(r"egal moves: (.*)", prompt)
    assert found, prompt
    return found[1].split(", ")


def test_another_seed_lists_legal_moves_in_another_order(logs: Path) -> None:
    """As in the sample, so in the question that the model is asked."""
    orders = []
    for seed in (0, 1):
        log = decided("sequence_duel", chosen("sequence_duel", best), logs, seed=seed)
        assert [str(sample.input) for sample in samples(log)] == prompts(log)
        orders.append({one.metadata["moves"]: listed(str(one.input)) for one in samples(log)})
    first, other = orders
    shared = [moves for moves in first if moves in other]
    assert shared
    assert any(first[moves] != other[moves] for moves in shared)
    assert all(sorted(first[moves]) == sorted(other[moves]) for moves in shared)


def test_a_decision_is_scored_by_what_it_lost_and_what_a_random_move_would(
    random_decisions: Shared,
) -> None:
    log = random_decisions("number_capture")
    lost = expected = 0.0
    for sample in samples(log):
        state = position(str(sample.input))
        assert state.text == sample.metadata["moves"]
        losses = {str(option.move): option.loss for option in numduel.analyse(state)}
        value = score(sample)
        assert value["regret"] == losses[blind(state)]
        assert value["random"] == pytest.approx(sum(losses.values()) / len(losses))
        assert value["skill"] == pytest.approx(1 - value["regret"] / value["random"])
        assert set(sample.target) == {move for move, loss in losses.items() if loss == 0}
        lost, expected = lost + value["regret"], expected + value["random"]
    found = metrics(log)
    assert lost > 0
    assert found["regret_points"] == pytest.approx(lost / len(samples(log)))
    assert found["skill"] == pytest.approx(1 - lost / expected)
    assert found["regret_points_low"] < found["regret_points"] < found["regret_points_high"]


def test_no_two_samples_are_equal_and_a_seed_repeats_them() -> None:
    def asked(seed: int) -> list[str]:
        task = tasks()["sequence_build"](40, seed=seed, n=4, copies=2, k=3)
        return [str(sample.input) for sample in task.dataset]

    once = asked(0)
    assert len(set(once)) == len(once) == 40
    assert once == asked(0) != asked(1)


def test_an_answer_without_a_move_counts_as_the_worst_one(logs: Path) -> None:
    log = decided("number_capture", lambda _: "I cannot choose from 1 to 8.", logs, decisions=9)
    assert metrics(log)["fault_rate"] == metrics(log)["rethinks"] == 1
    for sample, said in zip(samples(log), told(log), strict=True):
        assert score(sample)["regret"] == sample.metadata["worst_regret"] > 0
        assert len(said["refusals"]) == 2
        assert len(sample.messages) == 4


def test_a_decision_gets_one_rethink(logs: Path) -> None:
    log = decided("sequence_duel", after("MOVE: 99", then=rethought), logs, decisions=9)
    assert metrics(log)["rethinks"] == pytest.approx(1 / 9)
    assert (metrics(log)["fault_rate"], metrics(log)["skill"]) == (0, 1)


def test_decisions_are_judged_whatever_solver_of_inspect_asked_for_them(logs: Path) -> None:
    task = tasks()["sequence_duel"](decisions=9, n=7)
    task.solver = import_module("inspect_ai.solver").generate()
    found = metrics(evaluated(task, chosen("sequence_duel", best), logs))
    assert (found["skill"], found["fault_rate"]) == (1, 0)


# -- whole games ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", SMALL)
def test_a_perfect_model_loses_nothing_and_wins_what_can_be_won(
    name: str, perfect_games: Shared
) -> None:
    log = perfect_games(name)
    found = metrics(log)
    assert found.get("skill", 1) == pytest.approx(1)
    assert found["fault_rate"] == found["rethinks"] == 0
    if name != "sequence_build":
        pars = [sample.metadata["par"] for sample in samples(log)]
        assert set(pars) <= {0, 1}
        assert found["win_rate"] == found["par"] == sum(pars) / len(pars)
        assert found["win_rate_low"] < found["win_rate"] < found["win_rate_high"]


def test_something_is_at_stake_in_both_seats_against_the_usual_opponent(logs: Path) -> None:
    name = "sequence_capture_line"
    task = tasks()[f"{name}_games"](games=12)
    log = evaluated(task, chosen(name, best, n=10, k=4), logs)
    stakes = {1: 0.0, 2: 0.0}
    for sample in samples(log):
        assert sample.metadata["opponent"] == "medium"
        stakes[sample.metadata["seat"]] += score(sample)["decisions"]
    assert stakes[1] > 5
    assert stakes[2] > 5


def test_par_is_the_value_of_the_start_for_the_seat() -> None:
    task = tasks()["sequence_build_games"](games=2, n=3, copies=2, k=3)
    first = brute.best_chance((), 3, 2, 3)
    one, two = (sample.metadata["par"] for sample in task.dataset)
    assert (one, two) == (pytest.approx(first), pytest.approx(1 - first))


def test_there_is_no_par_where_it_is_only_estimated(
    logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numduel.agents.inspect.evaluate", lambda _: Value(0.5, exact=False))
    found = metrics(judged("sequence_duel", chosen("sequence_duel", best), logs, games=1))
    assert "win_rate" in found
    assert "par" not in found


def test_regret_is_what_trying_everything_finds(logs: Path) -> None:
    name = "sequence_capture_factors"
    log = judged(name, chosen(name, blind), logs, games=8, opponent="random")

    def legal(moves: brute.Moves) -> set[int | str]:
        return set(naive.factors_moves(moves, 12, 0))

    @cache
    def value(moves: brute.Moves) -> int:
        """1 if the player to move wins, else 0; a player who cannot move has lost."""
        return int(brute.best(moves, legal, lambda end: naive.factors_winner(end, 12, 0))[0] > 0)

    lost = expected = kept = decisions = won = 0.0
    for sample, said in zip(samples(log), told(log), strict=True):
        state = parse(said["record"]).state
        won += state.winner == sample.metadata["seat"]
        for at in range(sample.metadata["seat"] - 1, len(state.moves), 2):
            before, after = value(state.moves[:at]), 1 - value(state.moves[: at + 1])
            others = [1 - value((*state.moves[:at], move)) for move in legal(state.moves[:at])]
            if len(set(others)) > 1:
                decisions += 1
                lost += before - after
                kept += before == after
                expected += before - sum(others) / len(others)
    found = metrics(log)
    assert lost > 0
    assert found["regret_chance"] == pytest.approx(lost / decisions)
    assert found["skill"] == pytest.approx(1 - lost / expected)
    assert found["accuracy"] == pytest.approx(kept / decisions)
    assert found["win_rate"] == won / 8


def test_points_are_counted_where_the_game_is(random_games: Shared) -> None:
    log = random_games("number_capture")
    lost = decisions = 0
    for sample, said in zip(samples(log), told(log), strict=True):
        moves = parse(said["record"]).state.moves
        for at in range(sample.metadata["seat"] - 1, len(moves), 2):
            margins = {
                brute.best_margin((*moves[:at], move), 8)
                for move in naive.capture_moves(moves[:at], 8, 0)
            }
            if len(margins) > 1:
                decisions += 1
                lost += brute.best_margin(moves[:at], 8) + brute.best_margin(moves[: at + 1], 8)
    assert lost > 0
    assert metrics(log)["regret_points"] == pytest.approx(lost / decisions)


def test_every_move_is_in_the_score_with_its_values(random_games: Shared) -> None:
    said = told(random_games("sequence_duel"))[1]
    state = parse(said["record"]).state
    assert [move["move"] for move in said["moves"]] == [str(m) for m in state.moves[1::2]]
    for move in said["moves"]:
        before = numduel.game("duel", n=7).replay(state.moves[: move["number"] - 1])
        options = {str(option.move): option for option in numduel.analyse(before)}
        assert move["before"] == max(option.win_probability for option in options.values())
        assert move["after"] == options[move["move"]].win_probability
        assert move["best"] == [name for name, option in options.items() if option.best]
        assert move["regret"] == move["before"] - move["after"]
        assert move["at_stake"] == (len({o.win_probability for o in options.values()}) > 1)


def test_seats_alternate_and_are_told_apart(perfect_games: Shared, logs: Path) -> None:
    name = "number_capture"
    log = perfect_games(name)
    assert [sample.metadata["seat"] for sample in samples(log)] == [1, 2, 1, 2, 1]
    found = metrics(log)
    assert (found["win_rate_seat_1"], found["win_rate_seat_2"]) == (1, 0)
    assert found["win_rate"] == 3 / 5
    fixed = judged(name, chosen(name, best), logs, games=2, seat=2)
    assert [sample.metadata["seat"] for sample in samples(fixed)] == [2, 2]
    assert "win_rate_seat_1" not in metrics(fixed)


# -- answers --------------------------------------------------------------------------------


def after(first: str, *, then: Answer) -> Answer:
    """A model that says one thing to the very first question."""
    said = [first]
    return lambda talk: said.pop() if said else then(talk)


def rethought(talk: list[ChatMessage]) -> str:
    return chosen("sequence_duel", best)(talk[:1])


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ("MOVE: 99", "99 is out of range: the numbers are 1 to 7."),
        ("I cannot decide.", "Please type a whole number from 1 to 7."),
        ("", "Please type a whole number from 1 to 7."),
    ],
)
def test_an_answer_without_a_move_gets_one_rethink(wrong: str, sentence: str, logs: Path) -> None:
    log = judged("sequence_duel", after(wrong, then=rethought), logs, games=1, seat=1)
    assert metrics(log)["rethinks"] == 1
    assert metrics(log)["fault_rate"] == 0
    assert told(log)[0]["rethinks"] == [{"move": 1, "why": sentence}]
    [sample] = samples(log)
    assert sample.messages[2].text.startswith(sentence)
    assert parse(told(log)[0]["record"]).state.winner is not None


def test_a_second_one_forfeits_the_game_and_counts_as_the_worst_move(logs: Path) -> None:
    log = judged("number_capture", lambda _: "MOVE: 0", logs, games=2)
    found = metrics(log)
    assert found["fault_rate"] == found["rethinks"] == 1
    assert found["win_rate"] == 0
    for sample, said in zip(samples(log), told(log), strict=True):
        assert said["fault"][0]["why"] == "0 is out of range: the numbers are 1 to 8."
        assert parse(said["record"]).state.winner == 3 - sample.metadata["seat"]
        assert len(sample.messages) == 4
        before = parse(said["record"]).states[-2]
        options = numduel.analyse(before)
        stake = at_stake(options)
        assert score(sample)["decisions"] == stake
        assert score(sample)["regret"] == stake * max(option.loss for option in options)
        assert score(sample)["random"] == stake * random_regret(options)


def test_a_rethink_is_given_in_strict_games_too(logs: Path) -> None:
    name = "sequence_capture_factors"
    log = judged(
        name,
        after("MOVE: 13", then=lambda talk: chosen(name, best)(talk[:1])),
        logs,
        games=1,
        seat=1,
    )
    assert (metrics(log)["rethinks"], metrics(log)["fault_rate"]) == (1, 0)


def test_moves_may_be_numbered_by_indices(logs: Path) -> None:
    def index(state: State) -> str:
        return str(state.game.code(numduel.analyse(state)[0].move) - 1)

    for name in ("sequence_build", "number_capture"):
        for play in (judged, decided):
            size = {"games": 2} if play is judged else {"decisions": 6}
            found = metrics(play(name, chosen(name, index), logs, notation="indices", **size))
            assert found["skill"] == pytest.approx(1)
            assert found["rethinks"] == 0


# -- prompts --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SMALL)
def test_a_prompt_says_all_there_is_to_know(name: str, perfect_games: Shared) -> None:
    log = perfect_games(name)
    game = numduel.game(name.replace("_", "-"), **SMALL[name])
    for sample in samples(log):
        asked = [message.text for message in sample.messages if message.role == "user"]
        record = parse(sample.store["record"]).state
        for prompt in asked:
            state = position(prompt)
            assert state.to_move == sample.metadata["seat"]
            assert f"You are Player {state.to_move} in a game of {game.display_name}" in prompt
            assert state.moves == record.moves[: len(state.moves)]
            assert str(state) in prompt
            assert prompt.startswith(game.rulebook)
            assert sorted(listed(prompt)) == sorted(map(game.label, state.legal_moves))


def test_legal_moves_and_rules_are_left_out_when_asked(logs: Path) -> None:
    name = "sequence_duel"
    log = judged(name, chosen(name, best), logs, games=1, legal=False, rules=False)
    assert prompts(log)
    for prompt in prompts(log):
        assert "egal moves:" not in prompt
        assert "## " not in prompt


def test_a_seed_repeats_the_games_and_another_does_not(logs: Path) -> None:
    name = "sequence_build"

    def records(seed: int) -> list[str]:
        log = judged(name, chosen(name, blind), logs, games=2, opponent="medium", seed=seed)
        return [said["record"] for said in told(log)]

    once = records(7)
    assert once == records(7) != records(8)
    assert len(set(once)) > 1


def deck(game: Game, luck: Callable[[], float]) -> list[int]:
    """The order in which luck would draw all cards."""
    state = settled(game.start(), luck)
    while state.winner is None:
        state = settled(state.play("discard"), luck)
    return list(game.drawn(state))


def numbers(data: object) -> Iterator[list[int]]:
    """Every list of whole numbers in a JSON document, and the numbers of every text."""
    if isinstance(data, str):
        yield [int(number) for number in re.findall(r"\d{1,9}", data)]
    elif isinstance(data, dict):
        for value in data.values():
            yield from numbers(value)
    elif isinstance(data, list):
        yield [value for value in data if isinstance(value, int)]
        for value in data:
            yield from numbers(value)


def test_no_card_is_in_the_log_before_it_is_drawn(logs: Path) -> None:
    name, decks = "sequence_build", set()

    def watched(state: State) -> str:
        decks.add(len(_ORDERS))
        return blind(state)

    before, early = len(_ORDERS), 0
    log = judged(name, chosen(name, watched), logs, games=6, seed=3)
    assert decks == {before}, "a deck was shuffled ahead"
    data = json.loads(Path(log.location).read_text())
    for sample, said in zip(data["samples"], told(log), strict=True):
        state = parse(said["record"]).state
        luck = random.Random(f"3 {sample['id']} 1").random
        luck()
        order, drawn = deck(state.game, luck), state.game.drawn(state)
        assert order[: len(drawn)] == list(drawn)
        rest = order[len(drawn) :]
        if len(rest) > 2:
            early += 1
            for found in numbers(sample):
                for at in range(len(found)):
                    assert found[at : at + len(rest)] != rest
    assert early


# -- Inspect around it ----------------------------------------------------------------------


def test_there_are_two_tasks_for_every_game() -> None:
    names = {kind.id.replace("-", "_") for kind in numduel.games()}
    assert set(tasks()) == {name + kind for name in names for kind in ("", "_games")}
    assert names >= set(SMALL)


@pytest.mark.parametrize(
    ("task", "options", "sentence"),
    [
        ("_games", {"opponent": "human"}, "opponent must be one of random, easy, medium, hard,"),
        ("_games", {"seat": 3}, "seat must be one of 1, 2, both"),
        ("_games", {"games": 0}, "games must be a whole number from 1 to"),
        ("_games", {"games": True}, "games must be a whole number from 1 to"),
        ("_games", {"notation": "words"}, "notation must be one of numbers, indices"),
        ("_games", {"seed": "x"}, "seed must be a whole number"),
        ("_games", {"k": 99}, "of 99 does not fit"),
        ("_games", {"oponent": "easy"}, "Sequence Duel has no setting 'oponent'; it has n, k."),
        ("", {"decisions": 0}, "decisions must be a whole number from 1 to"),
        ("", {"notation": "words"}, "notation must be one of numbers, indices"),
        ("", {"seed": "x"}, "seed must be a whole number"),
        ("", {"n": 3, "k": 1}, "no move ever matters"),
        ("", {"opponent": "easy"}, "Sequence Duel has no setting 'opponent'; it has n, k."),
    ],
)
def test_a_wrong_option_is_one_sentence(task: str, options: dict[str, Any], sentence: str) -> None:
    refusal = import_module("inspect_ai._util.error").PrerequisiteError
    with pytest.raises(refusal, match=re.escape(sentence)) as refused:
        tasks()[f"sequence_duel{task}"](**options)
    assert "\n" not in str(refused.value)


def test_a_game_that_a_limit_cuts_off_counts_as_not_won(logs: Path) -> None:
    task, answer = tasks()["number_capture_games"], chosen("number_capture", best)
    one = task(games=1, seat=1, **SMALL["number_capture"])
    log = run(one, answer, logs, tokens=10, token_limit=15)
    found = metrics(log)
    assert (found["win_rate"], found["fault_rate"], found["regret_points"]) == (0, 0, 0)
    [told] = (samples(log)[0].scores or {}).values()
    assert str(told.explanation).startswith("The game did not end")


def test_inspect_finds_the_tasks_by_an_entry_point() -> None:
    """By which it finds those of its command line, and those that are named in a log."""
    [told] = entry_points(group="inspect_ai", name="numduel")
    assert told.load() is import_module("numduel.agents.inspect")


@pytest.mark.proof
def test_inspect_finds_and_runs_a_task_by_its_name(tmp_path: Path) -> None:
    # There is no network in a test: a table to count tokens with could not be fetched.
    (tmp_path / "tiktoken.py").write_text("raise OSError('no network')\n")
    done = subprocess.run(
        [sys.executable, "-m", "inspect_ai", "eval", "numduel/sequence_duel", "--model",
         "mockllm/model", "-T", "decisions=2", "-T", "n=5", "--log-dir", str(tmp_path),
         "--log-format", "json", "--display", "none"],
        capture_output=True, text=True, cwd=tmp_path, check=False,
        env={
            "PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PYTHONPATH": str(tmp_path),
            "XDG_CACHE_HOME": os.environ["XDG_CACHE_HOME"],
        },
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    [path] = tmp_path.glob("*.json")
    log = json.loads(path.read_text())
    assert log["status"] == "success"
    assert log["eval"]["task"] == "numduel/sequence_duel"
    assert log["results"]["scores"][0]["metrics"]["fault_rate"]["value"] == 1


def down_for_player_2(talk: list[ChatMessage]) -> str:
    if "You are Player 2" in talk[0].text:
        raise RuntimeError("The provider is down.")
    return chosen("sequence_duel", best)(talk)


def test_a_run_that_broke_off_is_resumed(logs: Path) -> None:
    name = "sequence_duel"

    log = run(
        f"numduel/{name}_games",
        down_for_player_2,
        logs,
        task_args={**SMALL[name], "games": 2, "opponent": "perfect"},
    )
    assert log.status == "error"
    eval_retry = import_module("inspect_ai").eval_retry
    [again] = eval_retry(log.location, log_dir=str(logs), display="none")
    assert again.status == "success", again.error
    assert again.eval.task_args["n"] == 7
    kept, made = map(score, samples(again))
    assert (kept["regret"], kept["fault"]) == (0, 0)
    assert made["fault"] == 1
