"""How fast games are solved and positions analysed, each in processes of their own."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

from bench import tasks
from bench.table import Rounds, Row, Run
from numduel import games

PROCESS_LIMIT = 120.0
"""Seconds after which a process is stopped."""
REACHABLE = 46_081_169
"""Positions of the default Number Capture that can be reached; its table has others, too."""
LONGER = 24
"""The board of Number Capture that is searched, not swept."""
FLOOR = str(Path(__file__).with_name("floor.cpp"))
SMALL_GAMES = {"line", "duel", "factors"}
"""Games whose first answer needs no compiler."""


@contextmanager
def clean() -> Iterator[dict[str, str]]:
    """An environment in which nothing is solved or compiled yet."""
    with tempfile.TemporaryDirectory() as folder:
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        yield inherited | {"XDG_CACHE_HOME": os.path.join(folder, "cache")}


def warm(run: Run) -> list[Row]:
    """How long `analyse` and `hint` take in a process that has analysed before."""
    rows = []
    names = [kind.name for kind in games()]
    with clean() as environment:
        for name in run.bar.track(names, "analyse"):
            count = 300 if run.quick else 1000
            (found,) = tasks.run("warm", name, count, limit=PROCESS_LIMIT, environment=environment)
            times = found["times"]
            rows += [
                Row.under(f"{name}, analyse, median", median(times), "ms", 10),
                Row.under(f"{name}, analyse, 99 of 100", quantiles(times, n=100)[98], "ms", 100),
                Row.under(f"{name}, hint, slowest", max(found["hints"]), "ms", 50),
            ]
    return rows


def first(run: Run) -> list[Row]:
    """How long a new process takes to its first exact answer, when the code is already compiled."""
    names = [kind.name for kind in games()]
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    with clean() as environment:
        for name in names:
            answering(name, environment)
        for _ in run.rounds("first answer", full=5, quick=1):
            for name in names:
                times[name].append(answering(name, environment))
    limits = {name: 0.3 if name in SMALL_GAMES else 2 for name in names}
    return [answer(f"{name}, first answer", times[name], limits[name]) for name in names]


def very_first(run: Run) -> list[Row]:
    """The same where nothing has been compiled yet."""
    rows = []
    names = [kind.name for kind in games()]
    for name in run.bar.track(names, "compiling"):
        with clean() as environment:
            rows.append(answer(f"{name}, compiling first", [answering(name, environment)], 20))
    return rows


def answer(what: str, times: list[tuple[float, float]], limit: float) -> Row:
    """A row of waiting; processor time tells a slow program from a busy machine."""
    waited, worked = (median(side) for side in zip(*times, strict=True))
    return Row.under(f"{what} (processor {worked:.2g} s)", waited, "s", limit)


def answering(name: str, environment: dict[str, str]) -> tuple[float, float]:
    """Seconds from the start of a process to its first answer, and its processor seconds."""
    command = [sys.executable, "-m", "bench.tasks", "first", name]
    start = perf_counter()
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        waited = perf_counter() - start
    if not said:
        raise RuntimeError(f"There was no answer about {name}.")
    return waited, tasks.read(said)["processor"]


def strong(run: Run) -> list[Row]:
    """What it takes to solve a whole game and keep it."""
    rows = []
    for name in run.bar.track(["capture", "build"], "solving"):
        with clean() as environment:
            solve = partial(tasks.run, "strong", name, limit=PROCESS_LIMIT, environment=environment)
            found = [solve()[0] for _ in range(1 if run.quick else 3)]
        seconds, elapsed, memory = (
            median(one[key] for one in found) for key in ("seconds", "elapsed", "memory")
        )
        positions = REACHABLE if name == "capture" else found[0]["positions"]
        what = f"{name}, every position"
        rows += [
            Row.under(f"{what} ({elapsed:.2g} s by the clock)", seconds, "s", 10),
            Row.under(f"{what}, memory", memory, "MB", 1024),
            Row(f"{what} of {positions:,}", positions / seconds, unit="positions/s"),
        ]
    return rows


def against_cpp(run: Run) -> list[Row]:
    """Number Capture and Sequence Build, against a program written for nothing else."""
    compiler = shutil.which("g++")
    if compiler is None:
        return [Row("capture by hand in C++", "g++ is not installed", goal="at most 3")]
    rounds = {
        ("start", "start_value", LONGER): Rounds(f"capture, start of 1-{LONGER}, to C++", "s"),
        ("openings", "openings", LONGER): Rounds(f"capture, openings of 1-{LONGER}, to C++", "s"),
        ("every", "ours", 21): Rounds("capture, every position, to C++", "s"),
        ("deck", "ours_deck", 10): Rounds("build, every position, to C++", "s"),
    }
    with clean() as environment, tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "floor")
        subprocess.run([compiler, "-O3", "-march=native", "-o", program, FLOOR], check=True)
        for _ in run.rounds("C++", full=5, quick=1):
            for (theirs, ours, n), found in rounds.items():
                said = subprocess.run([program, theirs, str(n)], capture_output=True, check=True)
                score, seconds = said.stdout.split()
                (told,) = tasks.run(ours, n, limit=PROCESS_LIMIT, environment=environment)
                if told["score"] != int(score):
                    raise RuntimeError("The program in C++ has found another value.")
                found.add(told["seconds"], float(seconds))
    return [found.row(at_most=3) for found in rounds.values()]
