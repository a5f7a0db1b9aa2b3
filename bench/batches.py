"""Many games at once, on one core and on a GPU."""

from typing import Any

from bench import tasks
from bench.solving import PROCESS_LIMIT
from bench.table import Row, Run
from numduel import games

GOAL = 5e6
"""Random moves a second on one core, in every game."""


def batches(run: Run) -> list[Row]:
    """Random moves a second with masks, rewards, resets and observations, and without these."""
    return measured(run, "batch", "batch", GOAL)


def on_gpu(run: Run) -> list[Row]:
    """The same on a GPU, eight million games at once."""
    import numba.cuda

    device: Any = numba.cuda
    if not device.is_available():
        return [Row("batch on a GPU", "skipped: there is no NVIDIA GPU here")]
    return measured(run, "GPU batch", "batch_gpu", None)


def measured(run: Run, what: str, task: str, goal: float | None) -> list[Row]:
    """Each way to play all games of a batch; the goal is for the first, with everything."""
    rows = []
    for kind in run.bar.track(list(games()), what):
        for way, rate in tasks.run(task, kind.name, limit=PROCESS_LIMIT)[0].items():
            title = f"{what}, {kind.name}" + ("" if way == "rate" else f", {way}")
            row = Row(title, rate, unit="moves/s")
            if goal and way == "rate":
                row = row._replace(goal=f"at least {goal / 1e6:g}M", ok=rate >= goal)
            rows.append(row)
    return rows
