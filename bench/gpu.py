"""Check a GPU against the processor, bit for bit, and measure it: ``python -m bench.gpu``.

It needs NumPy, Numba, numba-cuda and platformdirs, and nothing else, so that it runs on a machine
without a package index. Nothing is begun after the time that is given (``--seconds``); what was
left out is said. It ends with an error if anything differs.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np

if not hasattr(np, "row_stack"):  # numba-cuda 0.30 asks for it, and NumPy 2.5 has none
    vars(np)["row_stack"] = np.vstack

from bench import tasks
from numduel import Game, games, solver
from numduel.lab.batch import Batch
from numduel.play.players import known
from numduel.solver.ported import cuda
from numduel.solver.values import unreported

PUBLIC = ("a", "b", "bits", "to_move", "mask", "rewards", "done", "illegal", "observations")
COUNT, STEPS = 4096, 40
"""Games that are compared, and moves in each."""
MANY = 1 << 20
"""Games of a vector environment that is measured."""
MEASURED = 2.0
"""Seconds by the clock for each measurement."""


def random_games(game: Game) -> dict[str, Any]:
    """Compare random games, here and on the GPU."""
    here, there = (Batch(game, COUNT, seed=3, observe=True, device=d) for d in solver.DEVICES)
    for _ in range(STEPS):
        for batch in (here, there):
            batch.random(1)
        compare(here, there)
    return {"games": here.finished}


def level_games(game: Game, level: str) -> dict[str, Any]:
    """Compare games against a level, here and on the GPU."""
    here, there = (Batch(game, COUNT, seed=4, observe=True, device=d) for d in solver.DEVICES)
    seats, ideas = (1 + np.arange(COUNT) % 2).astype(np.int8), known(game, level)
    for _ in range(STEPS):
        for batch in (here, there):
            batch.answer(seats, ideas)
        compare(here, there)
        actions = here.mask.argmax(axis=1)
        for batch in (here, there):
            batch.step(actions)
    return {"games": here.finished}


def compare(here: Batch, there: Batch) -> None:
    """An error if the games differ."""
    for name in PUBLIC:
        one, two = getattr(here, name), np.asarray(getattr(there, name))
        if one.dtype != two.dtype or (one != two).any():
            raise RuntimeError(f"{here.game}: {name} differs.")


def table(game: Game) -> dict[str, Any]:
    """Compare the whole table of a game."""
    tables = [
        solver.plan(game, device).solved(1 << 40, unreported).values for device in solver.DEVICES
    ]
    if tables[0].tobytes() != tables[1].tobytes():
        raise RuntimeError(f"The tables of {game} differ.")
    return {"bytes": tables[0].nbytes}


def against_level(game: Game, level: str) -> dict[str, Any]:
    """Steps a second of a vector environment on the GPU: the agent's first legal action, the
    opponent's answers, rewards and observations."""
    batch = Batch(game, MANY, device="cuda")
    seats = cuda.to_device((1 + np.arange(MANY) % 2).astype(np.int8))
    actions = cuda.to_device(np.zeros(MANY, np.int64))
    ideas = known(game, level) if level != "random" else ()

    def work() -> int:
        batch.answer(seats, ideas)
        first_legal[-(-MANY // 128), 128](batch._games.mask, actions)
        batch.step(actions)
        batch.observed_by(seats)
        cuda.synchronize()
        return MANY

    return {"steps": tasks.rate(work, MEASURED, perf_counter)}


@cuda.jit
def first_legal(mask, actions):  # type: ignore[no-untyped-def]
    """Find the first legal action in each game."""
    i = cuda.grid(1)
    if i < actions.shape[0]:
        action = 0
        while not mask[i, action]:
            action += 1
        actions[i] = action


def first(task: Callable[[str], Iterator[dict[str, Any]]], name: str) -> dict[str, Any]:
    """The first result of a task."""
    return next(task(name))


def jobs() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Everything to do, with its name; what matters most comes first."""
    kinds = [kind() for kind in games()]
    for game in kinds:
        yield f"same, {game.name}, random", partial(random_games, game)
    for game in kinds:
        if game.apart or game.has_deck:
            yield f"same table, {game.name}", partial(table, game)
    for game in kinds:
        yield f"same, {game.name}, medium", partial(level_games, game, "medium")
    for level in ("random", "medium"):
        for game in kinds:
            yield f"vector steps, {game.name}, {level}", partial(against_level, game, level)
    for game in kinds:
        yield f"moves, {game.name}", partial(first, tasks.batch_gpu, game.name)
    for game in kinds:
        if game.apart or game.has_deck:
            yield f"solve, {game.name}", partial(first, tasks.strong_gpu, game.name)
    for game in kinds:
        yield f"same, {game.name}, hard", partial(level_games, game, "hard")


def main() -> None:
    """Do everything that there is time for, and print each result as a line of JSON."""
    parser = argparse.ArgumentParser(prog="bench.gpu", description=__doc__)
    parser.add_argument("--seconds", type=float, default=330.0)
    options = parser.parse_args()
    begin, wrong = perf_counter(), False
    for name, job in jobs():
        started = perf_counter()
        if started - begin > options.seconds:
            print(json.dumps({"what": name, "left out": "no time"}), flush=True)
            continue
        try:
            found = job()
        except Exception as error:  # the others are still worth knowing
            found, wrong = {"error": f"{type(error).__name__}: {error}"[-600:]}, True
        took = round(perf_counter() - started, 1)
        print(json.dumps({"what": name, "took": took} | found), flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
