"""The games where models are trained: verifiers, OpenEnv and TextArena, each offline.

Where ``numduel[training]`` is installed, the adapters run on the frameworks; elsewhere on stand-ins
(see `standins`), and tests that need a whole framework are skipped.
"""

from __future__ import annotations

import asyncio
import doctest
import importlib
import json
import re
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any
from unittest.mock import ANY

import pytest

import numduel
from numduel import BadVariant, State
from numduel.agents import rewards
from numduel.agents.asking import Asking, asked_in
from numduel.agents.common import env_name
from numduel.agents.rewards import above_trivial, trivial_rewards
from numduel.games import tested as to_test
from numduel.lab.dataset import split_of
from numduel.lab.dataset.decisions import credit, decisions
from numduel.lab.dataset.questions import question
from numduel.lab.dataset.trivial import Follower, rule
from numduel.solver import analyse, evaluate
from tests.agents.standins import adapter
from tests.lab.tournament.small import BOARDS

DOCS = Path(__file__).parents[2] / "docs"
SAMPLE = DOCS / "dataset"
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
"""Those of the frameworks."""


def best(state: State) -> str:
    return f"MOVE: {state.game.label(analyse(state)[0].move)}"


def worst(state: State) -> str:
    return f"MOVE: {state.game.label(analyse(state)[-1].move)}"


def test_the_reward_of_a_decision_is_1_less_its_regret() -> None:
    options = analyse(numduel.game("capture", n=9).start())
    rewards = [credit(options, option.move) for option in options]
    assert rewards[0] == 1
    assert min(rewards) == 0
    assert rewards == sorted(rewards, reverse=True)
    assert credit(options, None) == 0
    drawn = analyse(numduel.game("build", n=4, k=3).start().draw(3))
    assert credit(drawn, drawn[-1].move) == 1 - drawn[-1].loss > 0


@pytest.fixture
def openenv() -> Iterator[Any]:
    with adapter("numduel.agents.openenv", "openenv") as found:
        yield found


@pytest.fixture
def textarena() -> Iterator[Any]:
    with adapter("numduel.agents.textarena", "textarena"):
        yield importlib.import_module("textarena")


@pytest.fixture
def numduel_v1() -> Iterator[Any]:
    with adapter("numduel_v1", "verifiers") as found:
        yield found


@pytest.mark.parametrize("name", ["openenv", "textarena"])
def test_the_examples_of_an_adapter_run(name: str) -> None:
    with adapter(f"numduel.agents.{name}", name) as found:
        assert doctest.testmod(found).failed == 0


def test_the_examples_of_rewards_run() -> None:
    assert doctest.testmod(rewards).failed == 0


# -- OpenEnv --------------------------------------------------------------------------------


def test_a_perfect_model_gets_every_reward_of_an_openenv_episode(openenv: Any) -> None:
    for name in ("duel", "build:n=4,k=3", "capture:n=9"):
        env = openenv.NumduelEnvironment(name, opponent="random")
        for seed in range(3):
            seen = env.reset(seed=seed)
            assert seen.prompt == env.reset(seed=seed).prompt
            while not seen.done:
                labels = [env.game.label(move) for move in env.board.legal_moves]
                listed = re.search("Legal moves: (.*)", seen.prompt)
                assert listed
                assert listed[1].split(", ") == seen.legal_moves, "whose order tells nothing"
                assert sorted(seen.legal_moves) == sorted(labels)
                before = env.state.step_count
                seen = env.step(openenv.NumduelAction(message=best(env.board)))
                assert (seen.reward, env.state.step_count) == (1, before + 1)
            assert seen.metadata["won"] == (env.board.winner == seen.metadata["seat"])
            assert (seen.prompt, seen.legal_moves) == ("", [])


@pytest.mark.parametrize(
    ("name", "split"), [("line", "test"), ("build", "train"), ("duel:n=11,k=4", "transfer")]
)
def test_an_openenv_episode_of_a_split_is_one_decision_of_it(
    openenv: Any, name: str, split: str
) -> None:
    env = openenv.NumduelEnvironment(name, split=split)
    asked = set()
    for seed in range(12):
        seen = env.reset(seed=seed)
        assert split_of(env.board) == split
        asked.add(env.board)
        assert seen.prompt
        seen = env.step(openenv.NumduelAction(message=best(env.board)))
        assert (seen.reward, seen.done, seen.prompt, seen.legal_moves) == (1.0, True, "", [])
        assert seen.metadata["trivial"]
        assert env.step(openenv.NumduelAction(message="MOVE: 1")).reward == 0.0, "it is over"
    assert len(asked) > 5, "seeds draw different ones"


def test_decisions_are_asked_on_the_board_that_models_are_tested_with(
    openenv: Any, textarena: Any
) -> None:
    """On the rulebook's board one line of advice would be rewarded."""
    boards: list[tuple[str, dict[str, int], numduel.Game]] = [
        ("duel", {}, to_test("duel")),
        ("duel:n=9", {"n": 9}, numduel.game("duel")),
    ]
    for word, own, board in boards:
        env = openenv.NumduelEnvironment(word, split="test")
        assert env.game == textarena.make("SequenceDuel-v0", split="test", **own).game == board
        assert env.board in [one.state for one in decisions(board, 100, 0)]
    assert openenv.NumduelEnvironment("duel").game == numduel.game("duel"), "a whole game"


def test_an_openenv_decision_without_a_legal_answer_is_worth_nothing(openenv: Any) -> None:
    env = openenv.NumduelEnvironment("line", split="test")
    env.reset(seed=1)
    assert not env.step(openenv.NumduelAction(message="I pass")).done
    seen = env.step(openenv.NumduelAction(message="I pass"))
    assert (seen.reward, seen.done) == (0.0, True)
    with pytest.raises(BadVariant, match="split must be one of"):
        openenv.NumduelEnvironment("line", split="exam")


def test_openenv_begins_differently_each_time_without_a_seed(openenv: Any) -> None:
    """Before the first reset, too."""
    first = {openenv.NumduelEnvironment("build", seat=1).board.card for _ in range(20)}
    env = openenv.NumduelEnvironment("build", seat=1)
    later = set()
    for _ in range(20):
        env.reset()
        later.add(env.board.card)
    assert len(first) > 1 < len(later)


def test_seats_are_drawn_in_openenv_unless_one_is_asked_for(openenv: Any) -> None:
    def seats(**options: int) -> set[int]:
        env = openenv.NumduelEnvironment("duel:n=7", opponent="random", **options)
        return {env.reset(seed=seed).metadata["seat"] for seed in range(8)}

    assert (seats(), seats(seat=1), seats(seat=2)) == ({1, 2}, {1}, {2})


def test_a_model_without_a_legal_answer_loses_after_one_rethink(openenv: Any) -> None:
    env, said = openenv.NumduelEnvironment("duel", seat=1), openenv.NumduelAction
    again = env.step(said(message="I resign."))
    assert (again.done, again.reward) == (False, None)
    assert "not" in again.prompt
    assert not env.step(said(message="MOVE: 5")).done
    assert not env.step(said(message="MOVE: 98")).done, "every decision may be thought over once"
    lost = env.step(said(message="MOVE: 99"))
    assert (lost.done, lost.reward, lost.metadata["won"]) == (True, 0, False)
    assert env.step(said(message="MOVE: 5")).done
    with pytest.raises(numduel.BadVariant, match="opponent must be one of"):
        openenv.NumduelEnvironment("duel", opponent="god")
    with pytest.raises(numduel.BadVariant, match="seat must be 1 or 2"):
        openenv.NumduelEnvironment("duel", seat=3)


def test_trainers_connect_to_a_server_of_openenv() -> None:
    pytest.importorskip("openenv")
    from numduel.agents.openenv import app

    assert {"/reset", "/step"} <= {route.path for route in app().routes}


# -- TextArena ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", numduel.games(), ids=lambda kind: kind.name)
def test_two_players_finish_a_textarena_game(kind: type[numduel.Game], textarena: Any) -> None:
    env = textarena.make(f"{env_name(kind)}-v0", **BOARDS[kind.name])
    env.reset(num_players=2, seed=3)
    done = False
    while not done:
        player, seen = env.get_observation()
        assert player == env.board.to_move - 1
        assert f"You are Player {player + 1}" in seen[-1][1]
        options = analyse(env.board)
        done, info = env.step((best if player else worst)(env.board))
        assert info["credit"] == credit(options, options[0 if player else -1].move)
    rewards, _ = env.close()
    assert rewards[env.board.winner - 1] == 1


def test_a_second_illegal_answer_loses_a_textarena_game(textarena: Any) -> None:
    env = textarena.make("SequenceDuel-v0", n=7)
    env.reset(num_players=2, seed=3)
    assert env.step("MOVE: 9") == (False, {})
    done, info = env.step("I pass.")
    assert (done, info["credit"], env.close()[0]) == (True, 0, {0: -1, 1: 1})


@pytest.mark.parametrize("split", ["test", "train"])
def test_a_textarena_episode_of_a_split_is_one_decision_of_it(textarena: Any, split: str) -> None:
    env = textarena.make("SequenceCaptureLine-v0", split=split)
    asked = set()
    for seed in range(12):
        env.reset(num_players=1, seed=seed)
        assert split_of(env.board) == split
        asked.add(env.board)
        player, seen = env.get_observation()
        assert (player, f"You are Player {env.board.to_move}" in seen[-1][1]) == (0, True)
        options, answer = analyse(env.board), (best if seed % 2 else worst)(env.board)
        worth = credit(options, options[0 if seed % 2 else -1].move)
        trivial = trivial_rewards(env.board)
        assert env.step(answer) == (True, {"credit": worth, "trivial": trivial})
        assert env.close()[0] == {0: worth}
    assert len(asked) > 5, "seeds draw different ones"


@pytest.mark.parametrize("name", ["lowest", "win"])
def test_what_a_trivial_rule_is_rewarded_with_is_not_above_trivial(
    name: str, openenv: Any, textarena: Any
) -> None:
    game = numduel.game("line")
    env, other = (
        openenv.NumduelEnvironment("line", split="test"),
        textarena.make("SequenceCaptureLine-v0", split="test"),
    )
    seen: list[tuple[float, dict[str, float]]] = []
    perfect: list[tuple[float, dict[str, float]]] = []
    for seed in range(20):
        env.reset(seed=seed)
        follower = Follower(rule(game, name), seed)
        said = openenv.NumduelAction(message=f"MOVE: {follower.choose(env.board)}")
        told = env.step(said)
        seen.append((told.reward, told.metadata["trivial"]))
        other.reset(seed=seed)
        _, info = other.step(best(other.board))
        perfect.append((info["credit"], info["trivial"]))
    below, above = above_trivial(seen), above_trivial(perfect)
    assert below
    assert above
    assert below.value < 0.3, "but for luck among moves that the rule takes equally often"
    assert (below.low or 0) < 0 < 1 == above.value


def test_a_textarena_decision_without_a_legal_answer_is_worth_nothing(textarena: Any) -> None:
    env = textarena.make("SequenceCaptureLine-v0", split="test")
    env.reset(seed=1)
    first = env.get_observation()[1][-1][1]
    assert env.step("I pass.") == (False, {})
    assert env.get_observation()[1][-1][1] == first, "it is asked again"
    assert env.step("I pass.") == (True, {"credit": 0.0, "trivial": ANY})
    assert env.close()[0] == {0: 0.0}
    with pytest.raises(BadVariant, match="split must be one of"):
        textarena.make("SequenceCaptureLine-v0", split="exam")


# -- verifiers ------------------------------------------------------------------------------

Reply = Callable[[list[dict[str, str]]], str]


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Reply], Any]]:
    """A provider on this machine whose model answers as a function does; its context."""
    vf = pytest.importorskip("verifiers.v1")
    servers = []

    def serving(reply: Reply) -> Any:
        class Provider(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                message = {"role": "assistant", "content": reply(body["messages"])}
                choice = {"index": 0, "message": message, "finish_reason": "stop"}
                data = json.dumps(
                    {"id": "1", "object": "chat.completion", "created": 1, "model": "scripted",
                     "choices": [choice]}
                ).encode()  # fmt: skip
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
        servers.append(server)
        Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("SCRIPTED_KEY", "none")
        return vf.ModelContext(
            model="scripted",
            client=vf.EvalClientConfig(
                base_url=f"http://127.0.0.1:{server.server_port}/v1", api_key_var="SCRIPTED_KEY"
            ),
        )

    yield serving
    for server in servers:
        server.shutdown()
        server.server_close()


def told(talk: list[dict[str, str]]) -> State:
    """The position that the first message tells of."""
    [state] = asked_in(talk[0]["content"])
    return state


def episodes(context: Any, number: int, **settings: Any) -> list[Any]:
    vf = pytest.importorskip("verifiers.v1")
    from numduel_v1 import NumduelConfig, NumduelEnvConfig

    async def run() -> list[Any]:
        env = vf.load_environment(NumduelEnvConfig(taskset=NumduelConfig(**settings)))
        async with env.serving():
            return [
                await env.run_episode(task, context) for task in islice(iter(env.taskset), number)
            ]

    return asyncio.run(run())


def test_decisions_of_a_dataset_are_rewarded_exactly(scripted: Callable[[Reply], Any]) -> None:
    def reply(talk: list[dict[str, str]]) -> str:
        return "Let me think." if len(talk) == 1 else worst(told(talk))

    found = episodes(scripted(reply), 4, games=["duel"], data=str(SAMPLE), split="test")
    assert len(found) == 4
    for episode in found:
        [trace] = episode.traces
        assert (episode.ok, trace.num_turns) == (True, 2)
        assert (trace.reward, trace.metrics["fault"]) == (0, 0)


def test_a_game_has_a_trace_and_a_reward_for_each_decision(
    scripted: Callable[[Reply], Any],
) -> None:
    def reply(talk: list[dict[str, str]]) -> str:
        return best(told(talk))

    found = episodes(scripted(reply), 2, games=["duel:n=7"], opponent="perfect", count=2)
    for episode in found:
        assert episode.ok
        assert len(episode.traces) > 1
        assert {trace.reward for trace in episode.traces} == {1}
    assert [episode.traces[0].metrics["won"] for episode in found] == [1, 0]


def test_a_model_without_a_legal_answer_has_lost_but_a_broken_provider_has_not(
    scripted: Callable[[Reply], Any],
) -> None:
    [episode] = episodes(scripted(lambda _: "MOVE: 99"), 1, games=["duel"], opponent="easy")
    [trace] = episode.traces
    assert (trace.reward, trace.metrics) == (0, {"fault": 1, "won": 0})

    def broken(_: object) -> str:
        raise ConnectionError

    [episode] = episodes(scripted(broken), 1, games=["duel"], opponent="easy")
    assert not episode.ok
    assert "won" not in episode.traces[0].metrics


def test_verifiers_ask_about_the_boards_that_models_are_tested_with(numduel_v1: Any) -> None:
    config = numduel_v1.NumduelConfig(count=1, opponent="easy")
    asked = {task.data.game: task.data.variant for task in numduel_v1.NumduelTaskset(config)}
    assert len(asked) == len(numduel.games())
    assert asked["number-capture"]["gaps"] == "square", "else the highest number is always best"
    config = numduel_v1.NumduelConfig(games=["duel", "duel:n=9"], count=1, opponent="easy")
    named = [task.data.variant for task in numduel_v1.NumduelTaskset(config)]
    assert named == [asked["sequence-duel"], {"n": 9, "k": 3}]


def test_verifiers_test_with_the_positions_that_models_are_tested_with(numduel_v1: Any) -> None:
    """In others a trivial rule would be rewarded."""
    config = numduel_v1.NumduelConfig(games=["duel"], split="test", count=20, seed=3)
    asked = [task.data.board() for task in numduel_v1.NumduelTaskset(config)]
    assert asked == [one.state for one in decisions(to_test("duel"), 20, 3)]


def test_a_decision_is_rewarded_by_the_answer_alone(numduel_v1: Any) -> None:
    config = numduel_v1.NumduelConfig(games=["duel"], data=str(SAMPLE), split="test")
    tasks = [*numduel_v1.NumduelTaskset(config)]
    rows = (SAMPLE / "data" / "sequence-duel-n9-k3" / "test.jsonl").read_text("utf-8")
    assert len(tasks) == len(rows.splitlines()) > 0
    for task in tasks[:3]:
        board = task.data.board()
        assert (task.data.prompt, task.data.seat) == (Asking().prompt(board), board.to_move)
        for reply, reward, fault in (
            (best(board), 1, 0), (worst(board), credit(analyse(board), analyse(board)[-1].move), 0),
            ("I resign.", 0, 1),
        ):  # fmt: skip
            trace = SimpleNamespace(last_reply=reply)
            assert asyncio.run(task.kept(task.data, trace)) == reward
            assert asyncio.run(task.fault(task.data, trace)) == fault


def test_decisions_are_drawn_in_splits_that_share_nothing(numduel_v1: Any) -> None:
    def drawn(split: str, count: int) -> set[str]:
        config = numduel_v1.NumduelConfig(games=["duel:n=7"], count=count, split=split)
        return {task.data.moves for task in numduel_v1.NumduelTaskset(config)}

    train, test = drawn("train", 9), drawn("test", 2)
    assert (len(train), len(test)) == (9, 2)
    assert not train & test


def test_questions_are_as_hard_as_one_asks_for_and_are_graded_exactly(numduel_v1: Any) -> None:
    config = numduel_v1.NumduelConfig(
        games=["duel"], questions=["winner"], depth="1", split="test", count=40
    )
    tasks = [*numduel_v1.NumduelTaskset(config)]
    assert {evaluate(task.data.board()).plies for task in tasks} == {1}
    for task in tasks:
        right = question("winner", task.data.board()).right
        for said, reward in ((right, 1), (str(3 - int(right)), 0), ("both", 0)):
            trace = SimpleNamespace(last_reply=f"ANSWER: {said}")
            assert asyncio.run(task.kept(task.data, trace)) == reward


def test_a_position_of_another_split_is_left_out_whatever_its_file_is_called(
    numduel_v1: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    lines = [
        (SAMPLE / "data" / "sequence-duel-n9-k3" / f"{split}.jsonl").read_text("utf-8")
        for split in ("train", "test")
    ]
    (tmp_path / "data" / "mine").mkdir(parents=True)
    (tmp_path / "data" / "mine" / "train.jsonl").write_text("".join(lines), "utf-8")
    config = numduel_v1.NumduelConfig(data=str(tmp_path), split="train")
    found = [task.data.moves for task in numduel_v1.NumduelTaskset(config)]
    assert found == [json.loads(line)["history"] for line in lines[0].splitlines()]
    assert "4 positions in" in caplog.text
    assert "left out" in caplog.text
    (tmp_path / "data" / "mine" / "train.jsonl").write_text(lines[1], "utf-8")
    with pytest.raises(numduel.BadVariant, match="no such decisions in the split train"):
        next(iter(numduel_v1.NumduelTaskset(config)))


class Traces:
    """An agent that answers as a function does, and has a trace of each answer."""

    def __init__(self, reply: Callable[[State], str | None]) -> None:
        self.player, self.reply = self, reply
        self.made: list[Any] = []

    async def run(self, task: Any) -> Any:
        said, metrics = self.reply(task.data.board()), dict[str, float]()
        self.made.append(
            SimpleNamespace(
                last_reply=said, has_error=said is None, metrics=metrics,
                record_metric=metrics.__setitem__,
            )
        )  # fmt: skip
        return self.made[-1]


def test_beside_a_decision_stands_what_trivial_rules_would_get(numduel_v1: Any) -> None:
    config = numduel_v1.NumduelConfig(games=["duel"], data=str(SAMPLE), split="test")
    agent = Traces(best)
    for task in [*numduel_v1.NumduelTaskset(config)][:3]:
        asyncio.run(numduel_v1.NumduelEnv.run(None, task, agent))
        metrics, options = agent.made[-1].metrics, analyse(task.data.board())
        worths = [credit(options, option.move) for option in options]
        assert metrics["trivial_random"] == pytest.approx(sum(worths) / len(worths))
        lowest = min(options, key=lambda option: int(option.move))
        assert metrics["trivial_lowest"] == credit(options, lowest.move)


@pytest.mark.parametrize(
    ("reply", "traces", "told"),
    [
        (best, 3, [{"won": 1.0}, {"won": 0.0}]),
        (lambda _: "MOVE: 99", 1, [{"won": 0.0}, {"won": 0.0}]),
        (lambda _: None, 1, [{}, {}]),
    ],
    ids=["perfect", "illegal", "broken"],
)
def test_every_decision_of_a_game_has_a_trace_that_knows_who_won(
    reply: Callable[[State], str | None],
    traces: int,
    told: list[dict[str, float]],
    numduel_v1: Any,
) -> None:
    config = numduel_v1.NumduelConfig(games=["duel:n=7"], opponent="perfect", count=2)
    tasks = [*numduel_v1.NumduelTaskset(config)]
    assert [task.data.seat for task in tasks] == [1, 2]
    for task, metrics in zip(tasks, told, strict=True):
        agents = Traces(reply)
        asyncio.run(numduel_v1.NumduelEnv.run(None, task, agents))
        assert len(agents.made) >= min(traces, 2)
        assert [trace.metrics for trace in agents.made] == [metrics] * len(agents.made)


def test_a_taskset_says_what_it_cannot_load(numduel_v1: Any) -> None:
    for wrong in (
        {"opponent": "god"}, {"split": "all"}, {"games": ["duel:n=0"]}, {"data": "nowhere"},
        {"data": str(SAMPLE), "split": "../test"}, {"data": str(SAMPLE), "games": ["duel:n=12"]},
        {"games": ["duel"], "questions": ["all"], "depth": "deep"},
    ):  # fmt: skip
        with pytest.raises(numduel.NumduelError):
            next(iter(numduel_v1.NumduelTaskset(numduel_v1.NumduelConfig(**wrong))))


def test_the_examples_of_masked_ppo_train_and_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the page shows, with fewer steps."""
    pytest.importorskip("sb3_contrib")
    monkeypatch.chdir(tmp_path)
    snippets = re.findall(r"```py\n(.*?)```", (DOCS / "agents.md").read_text(), re.DOTALL)
    ours = [snippet for snippet in snippets if "MaskablePPO" in snippet]
    assert len(ours) == 2
    known: dict[str, Any] = {}
    for snippet in ours:
        exec(snippet.replace("200_000", "2_048"), known)
    state, player = numduel.game("capture").start(), known["Trained"]()
    while state.winner is None:
        state = state.play(player.choose(state))
