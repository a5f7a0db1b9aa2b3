"""The games where models are trained: verifiers, OpenEnv and TextArena, each offline.

They run where ``numduel[training]`` could be installed, and are skipped elsewhere.
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
from typing import Any

import pytest

import numduel
from numduel import State
from numduel.agents.common import env_name
from numduel.dataset.decisions import credit
from numduel.solver import analyse

DOCS = Path(__file__).parents[2] / "docs"

SAMPLE = Path(__file__).parents[2] / "docs" / "dataset"
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
"""Those of the frameworks."""


def best(state: State) -> str:
    return f"MOVE: {state.game.spoken(analyse(state)[0].move)}"


def worst(state: State) -> str:
    return f"MOVE: {state.game.spoken(analyse(state)[-1].move)}"


def test_the_reward_of_a_decision_is_1_less_its_regret() -> None:
    options = analyse(numduel.game("capture").start())
    rewards = [credit(options, option.move) for option in options]
    assert rewards[0] == 1
    assert min(rewards) == 0
    assert rewards == sorted(rewards, reverse=True)
    assert credit(options, None) == 0
    drawn = analyse(numduel.game("build").start().draw(7))
    assert credit(drawn, drawn[-1].move) == 1 - drawn[-1].loss > 0


@pytest.mark.parametrize("name", ["openenv", "textarena"])
def test_the_examples_of_an_adapter_run(name: str) -> None:
    pytest.importorskip(name)
    assert doctest.testmod(importlib.import_module(f"numduel.agents.{name}")).failed == 0


# -- OpenEnv --------------------------------------------------------------------------------


def test_a_perfect_model_gets_every_reward_of_an_openenv_episode() -> None:
    pytest.importorskip("openenv")
    from numduel.agents.openenv import NumduelAction, NumduelEnvironment

    for name in ("duel", "build:n=4,k=3", "capture:n=9"):
        env = NumduelEnvironment(name, opponent="random")
        for seed in range(3):
            seen = env.reset(seed=seed)
            assert seen.prompt == env.reset(seed=seed).prompt
            while not seen.done:
                seen = env.step(NumduelAction(message=best(env.board)))
                assert seen.reward == 1
            assert seen.metadata["won"] in (True, False)


def test_a_model_without_a_legal_answer_loses_after_one_rethink() -> None:
    pytest.importorskip("openenv")
    from numduel.agents.openenv import NumduelAction, NumduelEnvironment, app

    env = NumduelEnvironment("duel", seat=1)
    again = env.step(NumduelAction(message="I resign."))
    assert (again.done, again.reward) == (False, None)
    assert "not" in again.prompt
    lost = env.step(NumduelAction(message="MOVE: 99"))
    assert (lost.done, lost.reward, lost.metadata["won"]) == (True, 0, False)
    assert env.step(NumduelAction(message="MOVE: 5")).done
    assert {"/reset", "/step"} <= {route.path for route in app().routes}
    with pytest.raises(numduel.BadVariant, match="opponent must be one of"):
        NumduelEnvironment("duel", opponent="god")


# -- TextArena ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", numduel.games(), ids=lambda kind: kind.name)
def test_two_players_finish_a_textarena_game(kind: type[numduel.Game]) -> None:
    ta = pytest.importorskip("textarena")
    importlib.import_module("numduel.agents.textarena")
    env = ta.make(f"{env_name(kind)}-v0")
    env.reset(num_players=2, seed=3)
    done = False
    while not done:
        player, seen = env.get_observation()
        assert player == env.board.to_move - 1
        assert f"You are Player {player + 1}" in seen[-1][1]
        done, info = env.step((best if player else worst)(env.board))
        assert 0 <= info["credit"] <= 1
    rewards, _ = env.close()
    assert rewards[env.board.winner - 1] == 1


def test_a_second_illegal_answer_loses_a_textarena_game() -> None:
    ta = pytest.importorskip("textarena")
    importlib.import_module("numduel.agents.textarena")
    env = ta.make("SequenceDuel-v0", n=7)
    env.reset(num_players=2, seed=3)
    assert env.step("MOVE: 9") == (False, {})
    done, info = env.step("I pass.")
    assert (done, info["credit"], env.close()[0]) == (True, 0, {0: -1, 1: 1})


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


def told(talk: list[dict[str, str]], game: numduel.Game) -> State:
    """The position that the first message tells of."""
    moves = talk[0]["content"].split("Moves so far, in order: ")[1].split("\n")[0]
    return game.replay("" if moves == "none" else moves)


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
        return "Let me think." if len(talk) == 1 else worst(told(talk, numduel.game("duel")))

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
        return best(told(talk, numduel.game("duel", n=7)))

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


def test_a_taskset_says_what_it_cannot_load() -> None:
    pytest.importorskip("verifiers.v1")
    from numduel_v1 import NumduelConfig, NumduelTaskset

    for wrong in (
        {"opponent": "god"}, {"split": "all"}, {"games": ["duel:n=0"]}, {"data": "nowhere"},
        {"data": str(SAMPLE), "split": "../test"}, {"data": str(SAMPLE), "games": ["duel:n=12"]},
    ):  # fmt: skip
        with pytest.raises(numduel.NumduelError):
            next(iter(NumduelTaskset(NumduelConfig(**wrong))))


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
