"""Many games at once, on one core, against pgx and OpenSpiel in the same run."""

from importlib.util import find_spec

from bench import tasks
from bench.table import Rounds, Row, Run
from numduel import games

GOAL = 5e6
"""Random moves a second on one core, in every game."""
PROCESS_LIMIT = 120.0
"""Seconds after which a process is given up."""


def batches(run: Run) -> list[Row]:
    """Random moves a second with masks, rewards and resets; twice pgx's tic_tac_toe is asked."""
    found = [(Rounds(f"batch, {kind.name}, to pgx", "moves/s"), kind.name) for kind in games()]
    peer = find_spec("pgx") is not None
    alone = []
    for _ in run.rounds("batches", full=3, quick=1):
        theirs = tasks.run("pgx", limit=PROCESS_LIMIT)[0]["rate"] if peer else 0.0
        alone = [tasks.run("batch", name, limit=PROCESS_LIMIT)[0]["rate"] for _, name in found]
        for (rounds, _), rate in zip(found, alone, strict=True):
            rounds.add(rate, theirs or 1.0)
    if not peer:
        names = [name for _, name in found]
        pairs = zip(names, alone, strict=True)
        return [
            Row(f"batch, {name}", rate, None, "moves/s", None, "at least 5M", rate >= GOAL)
            for name, rate in pairs
        ]
    rows = []
    for rounds, _ in found:
        row = rounds.row(at_least=2)
        fast = isinstance(row.measured, float) and row.measured >= GOAL
        rows.append(row._replace(goal="at least 2 and 5M", ok=row.ok and fast))
    return rows


def adapters(run: Run) -> list[Row]:
    """One environment at a time, against OpenSpiel's tic_tac_toe in C++ through Python."""
    if find_spec("pyspiel") is None:
        return [Row("Gymnasium, one game", "open_spiel is not installed")]
    rounds = Rounds("Gymnasium, one capture, to OpenSpiel", "moves/s")
    for _ in run.rounds("adapters", full=3, quick=1):
        theirs = tasks.run("tictactoe", limit=PROCESS_LIMIT)[0]["rate"]
        rounds.add(tasks.run("single", "capture", limit=PROCESS_LIMIT)[0]["rate"], theirs)
    return [rounds.row()]
