"""How time and memory grow with the board, and how far each game is exact."""

import math
from typing import NamedTuple

from rich.box import SIMPLE
from rich.table import Table

from bench import tasks
from bench.solving import PROCESS_LIMIT, clean, gpu_here
from bench.table import Run

LADDERS: list[tuple[str, str, list[int]]] = [
    ("line", "start", list(range(4, 63))),
    ("factors", "start", [*range(8, 61, 4), 100, 200, 400, 700, 999]),
    ("capture", "start", list(range(4, 63))),
    ("capture", "all", list(range(4, 63))),
    ("build", "all", list(range(5, 99))),
    ("duel", "start", list(range(4, 63))),
]
"""Games, whether the start or every position is solved, and the boards."""
GPU_LADDERS: list[tuple[str, list[int]]] = [
    ("capture", list(range(16, 46))),
    ("build", list(range(7, 99))),
]
"""Games that a GPU solves, every position, and the boards."""
SHOWN = 5
"""How many boards of a ladder the table shows, the largest; JSON has all."""
LEAST = 0.003
"""Times below so many seconds say little about growth."""


class Board(NamedTuple):
    """What a board of 1 to n took."""

    n: int
    seconds: float
    memory: float


class Ladder(NamedTuple):
    """The boards of a game that were solved, from small to large."""

    game: str
    known: str
    """What was found: the values of the start's moves, who wins, or every position."""
    boards: list[Board]
    end: str
    """Why there is no larger board."""

    @property
    def law(self) -> str:
        """Seconds as a function of n, fitted to the boards that took long enough to tell."""
        boards = [board for board in self.boards if board.seconds >= LEAST][-6:]
        if len(boards) < 3:
            return ""
        power = self.known == "who wins"
        places = [math.log(board.n) if power else board.n for board in boards]
        slope, base = fitted(places, [math.log(board.seconds) for board in boards])
        if power:
            return f"{math.exp(base):.1e} · n^{slope:.2f}"
        return f"{math.exp(base):.1e} · {math.exp(slope):.2f}^n"

    def json(self) -> dict[str, object]:
        """The ladder as JSON has it."""
        boards = [board._asdict() for board in self.boards]
        largest = self.boards[-1].n
        return self._asdict() | {"boards": boards, "law": self.law, "largest": largest}


def ladders(run: Run) -> list[Ladder]:
    """Solve larger boards of every game until time or memory runs out."""
    budget = 3.0 if run.quick else 20.0
    found: list[Ladder] = []
    for name, how, sizes in run.bar.track(LADDERS, "growth"):
        with clean() as environment:
            words = ("growing", name, how, budget, *sizes)
            said = tasks.run(*words, limit=budget + 60, environment=environment)
        found += climbed(name, said, f"{budget:g} s spent")
    if gpu_here():
        for name, boards in run.bar.track(GPU_LADDERS, "growth on a GPU"):
            said = tasks.run("growing_gpu", name, *boards, limit=PROCESS_LIMIT)
            found += climbed(name, said, "no time for more")
    return found


def climbed(name: str, said: list[tasks.Found], spent: str) -> list[Ladder]:
    """The ladders of a game by what its boards said, one for each thing that was found."""
    found = []
    end = "largest tried"
    if said[-1]["known"] in ("", "no time"):
        end = spent if said.pop()["known"] else "too large beyond"
    for known in dict.fromkeys(one["known"] for one in said):
        boards = [
            Board(one["n"], one["seconds"], one["memory"])
            for one in said
            # Up to 62, the time for who wins includes a search that was given up.
            if one["known"] == known and (known != "who wins" or one["n"] > 62)
        ]
        if boards:
            last = known == said[-1]["known"]
            found.append(Ladder(name, known, boards, end if last else "search given up"))
    return found


def fitted(xs: list[float], ys: list[float]) -> tuple[float, float]:
    """The slope and the base of the straight line through points, by least squares."""
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    slope = sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True))
    slope /= sum((a - x) ** 2 for a in xs)
    return slope, y - slope * x


def table(found: list[Ladder]) -> Table:
    """The ladders as people read them: the largest boards of each, and the law of growth."""
    rows = Table(
        box=SIMPLE,
        padding=(0, 1, 0, 0),
        caption="Growth: processor seconds and peak memory of a process, on boards of 1 to n;"
        " on a GPU, seconds by the clock and its memory.",
    )
    rows.add_column("game")
    rows.add_column("exact")
    for heading in ("n", "seconds", "MB"):
        rows.add_column(heading, justify="right")
    rows.add_column("seconds grow as")
    rows.add_column("largest")
    for ladder in found:
        for board in ladder.boards[-SHOWN:]:
            last = board is ladder.boards[-1]
            rows.add_row(
                ladder.game,
                ladder.known,
                str(board.n),
                f"{board.seconds:.3g}",
                f"{board.memory:.0f}",
                ladder.law if last else "",
                f"{board.n} ({ladder.end})" if last else "",
                end_section=last,
            )
    return rows
