"""Many games at once, on one core and on a GPU, against pgx and OpenSpiel in the same run."""

from importlib.util import find_spec

from bench import tasks
from bench.solving import PROCESS_LIMIT, gpu_here
from bench.table import Rounds, Row, Run
from numduel import games

GOAL = 5e6
"""Random moves a second on one core, in every game."""


def batches(run: Run) -> list[Row]:
    """Random moves a second with masks, rewards, resets and observations: the goal is twice as many
    as pgx's tic_tac_toe, which has all of these, too. Without observations there is no goal."""
    rows = []
    for row in measured(run, "batch", "batch", "pgx", full=3):
        if row.what.endswith("unobserved"):
            rows.append(row._replace(goal="", ok=None))
            continue
        fast = isinstance(row.measured, float) and row.measured >= GOAL
        goal = "at least 5M" if row.ratio is None else "at least 2 and 5M"
        rows.append(row._replace(goal=goal, ok=row.ok is not False and fast))
    return rows


def on_gpu(run: Run) -> list[Row]:
    """The same on a GPU, eight million games at once, against pgx on the same one."""
    if not gpu_here():
        return [Row("batch on a GPU", "skipped: there is no NVIDIA GPU here")]
    return measured(run, "GPU batch", "batch_gpu", "pgx_gpu", full=2)


def measured(run: Run, what: str, task: str, peer: str, full: int) -> list[Row]:
    """Each way to play all games of a batch, and its ratio to a peer where there is one."""
    found: dict[str, Rounds] = {}
    theirs = None
    for _ in run.rounds(what, full=full, quick=1):
        told = tasks.run(peer, limit=PROCESS_LIMIT) if find_spec("pgx") else []
        theirs = told[0]["rate"] if told else None
        for kind in games():
            for way, ours in tasks.run(task, kind.name, limit=PROCESS_LIMIT)[0].items():
                title = f"{what}, {kind.name}" + ("" if way == "rate" else f", {way}")
                found.setdefault(title, Rounds(title, "moves/s")).add(ours, theirs or 1.0)
    rows = [rounds.row(at_least=2) for rounds in found.values()]
    if theirs:
        return rows
    return [row._replace(yardstick=None, ratio=None, goal="", ok=None) for row in rows]


def adapters(run: Run) -> list[Row]:
    """One environment at a time, against OpenSpiel's tic_tac_toe in C++ through Python."""
    if find_spec("pyspiel") is None:
        return [Row("Gymnasium, one game", "open_spiel is not installed")]
    rounds = Rounds("Gymnasium, one capture, to OpenSpiel", "moves/s")
    for _ in run.rounds("adapters", full=3, quick=1):
        theirs = tasks.run("tictactoe", limit=PROCESS_LIMIT)[0]["rate"]
        rounds.add(tasks.run("single", "capture", limit=PROCESS_LIMIT)[0]["rate"], theirs)
    return [rounds.row()]
