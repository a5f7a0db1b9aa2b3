"""Measure numduel against yardsticks in the same run: ``python -m bench [--quick] [--json]``, with
``--only NAME`` a part of it.

A benchmark is a function from a `Run` to rows of the table; `BENCHMARKS` lists them. What is
compared is measured in turns, round after round, and the ratio is the median of all rounds, so that
a noisy machine disturbs both sides alike. Nothing fails for being slow.
"""

import argparse
import fcntl
import json
import os
import pty
import random
import select
import struct
import subprocess
import sys
import sysconfig
import tempfile
import termios
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import perf_counter, process_time

from rich.console import Console

from bench import batches, growth, solving
from bench.table import Rounds, Row, Run, table
from bench.yardstick import ArrayDuel
from numduel import Game, games
from numduel.terminal.progress import ProgressBar

NUMDUEL = str(Path(sysconfig.get_path("scripts")) / "numduel")
PLAY = [NUMDUEL, "play", "duel"]
IMPORT_TYPER = [sys.executable, "-c", "import typer, rich"]
IMPORT_TEXTUAL = [sys.executable, "-c", "import textual"]
IMPORT_NUMDUEL = [sys.executable, "-c", "import numduel"]
END_OF_INPUT = b"\x04"
LEAVE = b"\x11"
"""What the keys ^D and ^Q send."""
WIDTH = 120
"""Columns of the table where there is no terminal to fit it into."""
OUTPUT_TIMEOUT = 60.0
"""Seconds without output after which a program is stopped."""


# -- starting -------------------------------------------------------------------------------


def starting(run: Run) -> list[Row]:
    """How long a player waits for the first prompt, and a program for the import."""
    subjects: list[tuple[Rounds, Callable[[], float]]] = [
        (Rounds("first prompt, pipe", "ms"), prompt_through_pipe),
        (Rounds("first prompt, pty", "ms"), prompt_on_terminal),
        (Rounds("import numduel", "ms"), lambda: finishing(IMPORT_NUMDUEL)),
    ]
    finishing(IMPORT_TYPER)
    for _, measure in subjects:
        measure()
    for _ in run.rounds("starting", full=21, quick=5):
        yardstick = finishing(IMPORT_TYPER)
        for rounds, measure in subjects:
            rounds.add(measure(), yardstick)
    pipe, terminal, imported = (rounds for rounds, _ in subjects)
    return [pipe.row(at_most=2), terminal.row(at_most=2), imported.row(), first_frame(run)]


def first_frame(run: Run) -> Row:
    """How long a player waits for the first screen of the app."""
    rounds = Rounds("first frame, pty", "ms")
    finishing(IMPORT_TEXTUAL)
    frame_on_terminal()
    for _ in run.rounds("first frame", full=21, quick=5):
        rounds.add(frame_on_terminal(), finishing(IMPORT_TEXTUAL))
    return rounds.row(at_most=3)


def finishing(command: list[str]) -> float:
    """Milliseconds from the start of a command to its end."""
    with surroundings() as environment:
        start = perf_counter()
        subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, check=True)
        return (perf_counter() - start) * 1000


def prompt_through_pipe() -> float:
    """Milliseconds to the first prompt of a game that is read and written through pipes."""
    with playing(subprocess.PIPE, subprocess.PIPE) as (process, start):
        assert process.stdin is not None
        assert process.stdout is not None
        read_until(process.stdout.fileno(), b"> ")
        waited = perf_counter() - start
        process.stdin.close()
        process.stdout.read()
    return waited * 1000


def prompt_on_terminal() -> float:
    """Milliseconds to the first prompt of a game on a terminal, with its colours and line editing.

    The game is left with the end-of-input key.
    """
    ours, theirs = pty.openpty()
    with playing(theirs, theirs) as (_, start):
        os.close(theirs)
        read_until(ours, b"> ")
        waited = perf_counter() - start
        os.write(ours, END_OF_INPUT)
    os.close(ours)
    return waited * 1000


def frame_on_terminal() -> float:
    """Milliseconds to the first screen of the app, which is left with a key. It is drawn on
    standard error."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    with playing(theirs, theirs, [NUMDUEL], stderr=theirs) as (_, start):
        os.close(theirs)
        read_until(ours, b"Profile")
        waited = perf_counter() - start
        os.write(ours, LEAVE)
        with suppress(OSError):
            while os.read(ours, 4096):
                pass
    os.close(ours)
    return waited * 1000


@contextmanager
def playing(
    stdin: int, stdout: int, command: Sequence[str] = PLAY, stderr: int | None = None
) -> Iterator[tuple[subprocess.Popen[bytes], float]]:
    """A game of duel, or the app, and when it was started; it is stopped if anything goes wrong."""
    with surroundings() as environment:
        start = perf_counter()
        with subprocess.Popen(
            command, env=environment, stdin=stdin, stdout=stdout, stderr=stderr
        ) as process:
            try:
                yield process, start
            except BaseException:
                process.kill()
                raise


def read_until(file: int, expected: bytes) -> None:
    """Read until a text arrives; an error if the program ends or falls silent before."""
    said = b""
    while expected not in said:
        ready, _, _ = select.select([file], [], [], OUTPUT_TIMEOUT)
        try:
            more = os.read(file, 4096) if ready else b""
        except OSError:
            more = b""
        if not more:
            raise RuntimeError(f"There was no {expected!r} in what numduel said: {said!r}")
        said += more


@contextmanager
def surroundings() -> Iterator[dict[str, str]]:
    """A player's environment variables: a colour terminal, default Python, no saved games."""
    with tempfile.TemporaryDirectory() as folder:
        inherited = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("PYTHON") and name != "NO_COLOR"
        }
        yield inherited | {"XDG_DATA_HOME": folder, "TERM": "xterm-256color"}


# -- what is imported -----------------------------------------------------------------------


PLAY_AND_LIST_MODULES = """
import sys
from numduel.terminal.app import main
sys.argv = ["numduel", "play", "duel"]
try:
    main()
finally:
    print(*sys.modules, file=sys.stderr)
"""


def imports(_: Run) -> list[Row]:
    """Whether a game between two people loads NumPy or Numba."""
    with surroundings() as environment:
        game = subprocess.run(
            [sys.executable, "-c", PLAY_AND_LIST_MODULES],
            env=environment,
            input="4\n1\n5\n2\n6\n",
            capture_output=True,
            text=True,
            check=True,
        )
    if "wins the game!" not in game.stdout:
        raise RuntimeError(f"The game did not end: {game.stdout!r}")
    loaded = ", ".join(sorted({"numba", "numpy"} & set(game.stderr.split()))) or "no"
    return [Row("numpy, numba loaded", loaded, goal="no", ok=loaded == "no")]


# -- the library ----------------------------------------------------------------------------


def library(run: Run) -> list[Row]:
    """Moves per second of random games, against an environment on a NumPy array."""
    rows = []
    for kind in games():
        rounds = Rounds(f"{kind.name}, at random", "moves/s")
        chance = random.Random(0)
        states, arrays = random_states(kind(), chance), random_arrays(chance)
        for _ in run.rounds(rounds.what, full=55, quick=9):
            rounds.add(moves_per_second(states), moves_per_second(arrays))
        rows.append(rounds.row(at_least=3))
    return rows


def moves_per_second(lengths: Iterator[int], seconds: float = 0.05) -> float:
    """How fast games are played, given the iterator that plays them and tells their lengths.

    It is processor time, and short, so that other programs disturb little of it.
    """
    moves = 0
    start = now = process_time()
    while now - start < seconds:
        moves += next(lengths)
        now = process_time()
    return moves / (now - start)


def random_states(game: Game, chance: random.Random) -> Iterator[int]:
    """Play random games with the library, one after another."""
    seed = 0
    while True:
        state = game.start(seed=seed)
        while moves := state.legal_moves:
            state = state.play(chance.choice(moves))
        assert state.winner
        yield len(state.moves)
        seed += 1


def random_arrays(chance: random.Random) -> Iterator[int]:
    """Play random games with the environment, one after another."""
    environment = ArrayDuel()
    while True:
        environment.reset()
        moves, done = 0, False
        while not done:
            _, _, done, _, _ = environment.step(chance.choice(environment.valid_moves()))
            moves += 1
        yield moves


# -- the table ------------------------------------------------------------------------------

BENCHMARKS: list[Callable[[Run], list[Row]]] = [
    starting,
    imports,
    library,
    solving.warm,
    solving.first,
    solving.very_first,
    solving.strong,
    solving.on_gpu,
    solving.against_cpp,
    solving.against_openspiel,
    batches.batches,
    batches.on_gpu,
    batches.adapters,
]


def main() -> None:
    """Run every benchmark and print what it found."""
    parser = argparse.ArgumentParser(prog="bench", description="How fast numduel is, as ratios.")
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    parser.add_argument(
        "--only",
        action="append",
        choices=[one.__name__ for one in BENCHMARKS],
        help="only this benchmark; several",
    )
    options = parser.parse_args()
    with ProgressBar(threaded=False) as bar:
        run = Run(options.quick, bar)
        chosen = [one for one in BENCHMARKS if one.__name__ in (options.only or [one.__name__])]
        rows = [row for benchmark in chosen for row in benchmark(run)]
        ladders = [] if options.only else growth.ladders(run)
    if options.json:
        found = {
            "rows": [row._asdict() | {"mark": row.mark} for row in rows],
            "growth": [ladder.json() for ladder in ladders],
        }
        print(json.dumps(found, indent=2))
    else:
        console = Console()
        if not console.is_terminal:
            console.width = WIDTH
        console.print(table(rows), *([growth.table(ladders)] if ladders else []))


if __name__ == "__main__":
    main()
