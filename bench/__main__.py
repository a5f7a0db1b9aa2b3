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
from time import perf_counter

from rich.console import Console

from bench import batches, solving
from bench.table import Rounds, Row, Run, table
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


# -- the table ------------------------------------------------------------------------------

BENCHMARKS: list[Callable[[Run], list[Row]]] = [
    starting,
    solving.warm,
    solving.first,
    solving.very_first,
    solving.strong,
    solving.against_cpp,
    batches.batches,
    batches.on_gpu,
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
    if options.json:
        print(json.dumps([row._asdict() | {"mark": row.mark} for row in rows], indent=2))
    else:
        console = Console()
        if not console.is_terminal:
            console.width = WIDTH
        console.print(table(rows))


if __name__ == "__main__":
    main()
