"""Measurements in a process of their own: ``python -m bench.tasks TASK ARGUMENT...``.

Each task prints lines of JSON. `run` starts one and reads them, up to a time limit. Seconds are
processor time, so that other programs disturb little; nothing here waits.
"""

import gc
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from numduel import Game, analyse, game
from numduel.core.state import State
from numduel.solver.search import Search

Found = dict[str, Any]


def run(*words: object, limit: float, environment: Mapping[str, str] | None = None) -> list[Found]:
    """What a task printed until it ended or its time was up."""
    with subprocess.Popen(
        [sys.executable, "-m", "bench.tasks", *map(str, words)],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            said, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            said, _ = process.communicate()
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    if process.returncode not in (0, -signal.SIGKILL):
        raise RuntimeError(f"The task {' '.join(map(str, words))!r} failed.")
    return [read(line) for line in said.splitlines(keepends=True) if line.endswith("\n")]


def read(line: str) -> Found:
    """One result of a task."""
    found: Found = json.loads(line)
    return found


def peak() -> float:
    """The most memory that this process has had, in megabytes.

    Not by `getrusage`: there, a process begins with the peak of the one that started it.
    """
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("The system does not tell how much memory this process has had.")


def first(name: str) -> Iterator[Found]:
    """The first answer of a process: every move of a start position, and a hint."""
    from numduel.learn.coach import hint

    state = opening(game(name), seed=0)
    found = analyse(state)
    assert found
    assert all(option.exact for option in found)
    assert hint(state)
    yield {"moves": len(found), "processor": process_time()}


def warm(name: str, count: str) -> Iterator[Found]:
    """Milliseconds of each analysis, and of each hint after it, for different positions of random
    games in random order."""
    from numduel.learn.coach import hint

    played = game(name)
    chance = random.Random(0)
    states: dict[tuple[int, int], State] = {}
    seed = 0
    while len(states) < int(count):
        state = played.start(seed=seed)
        while moves := state.legal_moves:
            states.setdefault(state.position, state.public)
            state = state.play(chance.choice(moves))
        seed += 1
    hint(opening(played, seed=0))
    chosen = list(states.values())
    chance.shuffle(chosen)
    times, hints = [], []
    for state in chosen[: int(count)]:
        begin = process_time()
        found = analyse(state)
        times.append((process_time() - begin) * 1000)
        assert len(found) == len(state.legal_moves)
        assert all(option.exact for option in found)
        begin = process_time()
        hint(state)
        hints.append((process_time() - begin) * 1000)
    yield {"times": times, "hints": hints}


def strong(name: str) -> Iterator[Found]:
    """Solve a default game as a whole, and keep the table."""
    from numduel import solver

    solved(game(name, n=5))  # loads the code
    played = game(name)
    begin, begun = process_time(), perf_counter()
    solver.solve(played)
    yield {
        "seconds": process_time() - begin,
        "elapsed": perf_counter() - begun,
        "memory": peak(),
        "positions": solver.plan(played).positions,
    }


def ours(n: str, times: str = "1") -> Iterator[Found]:
    """Seconds to solve Number Capture as a whole, again and again; nothing is kept."""
    from numduel import solver
    from numduel.solver.values import unreported

    solved(game("capture", n=4))
    played = game("capture", n=int(n))
    for _ in range(int(times)):
        begin = process_time()
        found = solver.plan(played).solved(solver.memory(), unreported)
        seconds = process_time() - begin
        value = found.value((0, 0))
        sign = 1 if value.win_probability else -1
        yield {"seconds": seconds, "score": value.margin + sign}
        del found
        gc.collect()


def ours_deck(n: str) -> Iterator[Found]:
    """Seconds to solve Sequence Build as a whole, and the chance of the start in millionths."""
    from numduel import solver
    from numduel.solver.values import unreported

    solved(game("build", n=4, k=3))
    played = game("build", n=int(n))
    begin = process_time()
    found = solver.plan(played).solved(solver.memory(), unreported)
    seconds = process_time() - begin
    chance = found.value(played.rules.start(played.variant)).win_probability
    yield {"seconds": seconds, "score": int(1e6 * chance + 0.5)}


def start_value(n: str) -> Iterator[Found]:
    """Seconds to find the value of the start of Number Capture, with the code loaded."""
    analyse(game("capture", n=20).start())
    board = game("capture", n=int(n)).start()
    begin = process_time()
    value = Search(board.game).value(board.position)
    seconds = process_time() - begin
    assert value.margin is not None
    yield {"seconds": seconds, "score": value.margin + (1 if value.win_probability else -1)}


def openings(n: str) -> Iterator[Found]:
    """Seconds to find the value of every opening of Number Capture, with the code loaded."""
    analyse(game("capture", n=20).start())
    begin = process_time()
    best = analyse(game("capture", n=int(n)).start())[0]
    seconds = process_time() - begin
    assert best.margin is not None
    yield {"seconds": seconds, "score": best.margin + (1 if best.win_probability else -1)}


def solved(played: Game) -> str:
    """Solve a game as a whole, unless that is too large."""
    from numduel import solver
    from numduel.solver.values import unreported

    try:
        how = solver.plan(played)
        if how.size > solver.memory():
            return ""
        how.solved(solver.memory(), unreported)
    except solver.TooLarge:
        return ""
    return "every position"


def opening(played: Game, seed: int) -> State:
    """A start position in which a move is due: with a deck, the first card has been drawn."""
    return played.start(seed=seed).public


MANY = 4096
"""Games in a batch on one core."""
VERY_MANY = 1 << 23
"""Games in a batch on a GPU."""
STEPS = 50
"""Random moves in each game between two looks at the clock; twice as many on a GPU."""


def one_core() -> None:
    """Restrict this process to one core."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def rate(
    work: Callable[[], int], seconds: float = 1.5, clock: Callable[[], float] = process_time
) -> float:
    """How many of something are done in a second of processor time, or by another clock."""
    work()
    begin, done = clock(), 0
    while (spent := clock() - begin) < seconds:
        done += work()
    return done / spent


def batch(name: str) -> Iterator[Found]:
    """Random moves a second, with masks, rewards, resets and observations, and without these."""
    one_core()
    from numduel.lab.batch import Batch

    def moves(observe: bool) -> float:
        games = Batch(name, MANY, threads=1, observe=observe)

        def work() -> int:
            games.random(STEPS)
            return STEPS * MANY

        return rate(work)

    yield {"rate": moves(observe=True), "unobserved": moves(observe=False)}


def batch_gpu(name: str) -> Iterator[Found]:
    """As `batch`, on a GPU; `stepping` is one move for each start of a kernel, not many."""
    import numba.cuda

    from numduel.lab.batch import Batch

    device: Any = numba.cuda

    def moves(observe: bool, steps: int) -> float:
        games = Batch(name, VERY_MANY, device="cuda", observe=observe)

        def work() -> int:
            for _ in range(2 * STEPS // steps):
                games.random(steps)
            device.synchronize()
            return 2 * STEPS * VERY_MANY

        return rate(work, clock=perf_counter)

    yield {
        "rate": moves(observe=True, steps=2 * STEPS),
        "unobserved": moves(observe=False, steps=2 * STEPS),
        "stepping": moves(observe=True, steps=1),
    }


TASKS: dict[str, Callable[..., Iterator[Found]]] = {
    task.__name__: task
    for task in (
        first, warm, strong, ours, ours_deck, start_value, openings, batch, batch_gpu,
    )
}  # fmt: skip

if __name__ == "__main__":
    for line in TASKS[sys.argv[1]](*sys.argv[2:]):
        print(json.dumps(line), flush=True)
