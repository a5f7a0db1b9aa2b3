"""The games as an environment of verifiers, offline.

Where ``numduel[verifiers]`` is installed, it runs on verifiers; elsewhere on a stand-in (see
`standins`), and tests that need the whole of it are skipped.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest

import numduel
from numduel import State
from numduel.agents.asking import Asking
from numduel.games import tested as to_test
from numduel.lab.dataset.decisions import credit, decisions
from numduel.solver import analyse
from tests.agents.prompts import position
from tests.agents.standins import environment

DOCS = Path(__file__).parents[2] / "docs"
SAMPLE = DOCS / "dataset"
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
"""Those of verifiers."""


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
def numduel_v1() -> Iterator[Any]:
    with environment() as found:
        yield found


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
    return position(talk[0]["content"])


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
