"""A stranger's program: every game that is installed, through every door of the library.

Run in a process of its own by `tests.project.test_examples`, with the names of
games from elsewhere. The door of Inspect is left out unless it is asked for: it takes longer to
be imported than all the others to be gone through, and is tested with games from here.
"""

import importlib
import sys
import warnings
from pathlib import Path

import gymnasium
import numpy as np
import pyspiel
from anyio.from_thread import start_blocking_portal
from gymnasium.utils.env_checker import check_env
from mcp.client import Client
from open_spiel.python.algorithms.random_agent import RandomAgent
from open_spiel.python.rl_environment import Environment
from pettingzoo.test import api_test

import numduel
import numduel.agents.gymnasium
import numduel.agents.openspiel
from numduel.agents import mcp, pettingzoo
from numduel.lab.batch import Batch
from numduel.learn.coach import report
from numduel.learn.puzzle import puzzle
from numduel.play.players import COMPUTERS, describe
from numduel.play.record import Record
from numduel.testing import check_game

SMALL = {"reach": {"high": 3, "suits": 2, "target": 6}}
"""Boards on which nothing has to be compiled to be quick."""


def short(name: str) -> str:
    return numduel.game(name).id.replace("-", "_")


def env_id(name: str) -> str:
    return f"numduel/{numduel.agents.common.env_name(numduel.game(name))}-v0"


def check_many_at_once(name: str) -> None:
    games = Batch(name, 64, seed=7)
    games.random(200)
    assert games.finished > 64
    many = gymnasium.make_vec(env_id(name), num_envs=8)
    many.reset(seed=1)
    for _ in range(20):
        mask = many.unwrapped._batch.mask  # type: ignore[attr-defined]
        many.step(np.asarray(mask).argmax(axis=1))


def check_gymnasium(name: str) -> None:
    check_env(gymnasium.make(env_id(name), seat=1).unwrapped, skip_render_check=True)


def check_pettingzoo(name: str) -> None:
    module = importlib.import_module(f"numduel.agents.pettingzoo.{short(name)}_v0")
    assert module is getattr(pettingzoo, f"{short(name)}_v0")
    api_test(module.env(), num_cycles=20)


def check_openspiel(name: str) -> None:
    game = pyspiel.load_game(f"python_numduel_{short(name)}")
    environment = Environment(game)
    agents = [RandomAgent(player, environment.action_spec()["num_actions"]) for player in (0, 1)]
    for _ in range(3):
        step = environment.reset()
        while not step.last():
            player = step.observations["current_player"]
            step = environment.step([agents[player].step(step).action])
        assert sorted(step.rewards) == [-1.0, 1.0]


def check_inspect(name: str, logs: Path) -> None:
    from inspect_ai import eval as run_task
    from inspect_ai.model import ModelOutput, get_model

    from numduel.agents import inspect

    legal = "Legal moves: "

    def answered(talk: object, *_: object) -> ModelOutput:
        prompt = talk[-1].text  # type: ignore[index]
        move = prompt.split(legal)[1].split("\n")[0].split(", ")[0]
        return ModelOutput.from_content("mockllm/model", f"MOVE: {move}")

    model = get_model("mockllm/model", custom_outputs=answered, memoize=False)
    for task in (
        inspect.TASKS[short(name)](decisions=2),
        inspect.TASKS[f"{short(name)}_games"](games=2, opponent="random"),
    ):
        (log,) = run_task(task, model=model, log_dir=str(logs), display="none")
        assert log.status == "success", log.error


def check_mcp(name: str) -> None:
    with start_blocking_portal() as portal:
        client = Client(mcp.server())
        with portal.wrap_async_context_manager(client):
            told = portal.call(client.call_tool, "start", {"game": name, "opponent": "random"})
            data = told.structured_content
            while data["winner"] is None:
                assert data["facts"] or data["board"]
                arguments = {"game_id": data["game_id"], "move": data["legal_moves"][0]}
                data = portal.call(client.call_tool, "move", arguments).structured_content


def check_library(name: str) -> None:
    game = numduel.game(name, **SMALL.get(name, {}))
    check_game(type(game), compiled=False)
    state = game.start(seed=3)
    states = [state.public]
    while state.winner is None:
        assert numduel.analyse(state.public)[0].exact
        state = state.play(state.legal_moves[0])
        states.append(state.public)
    told = report(Record(tuple(states)))
    assert told.exact
    assert told.lines()
    assert all(describe(game, kind) for kind in COMPUTERS)
    assert puzzle(game, "a seed").state.game == game


def main(logs: Path, inspected: bool, *names: str) -> None:
    warnings.simplefilter("ignore")
    check_many_at_once(names[0])
    for name in names:
        check_library(name)
        check_gymnasium(name)
        check_pettingzoo(name)
        check_openspiel(name)
        check_mcp(name)
        if inspected:
            check_inspect(name, logs)
        print(name, "is fine")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] == "inspect", *sys.argv[3:])
