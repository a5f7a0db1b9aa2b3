"""The progress bar, for whatever takes a while."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any, Self, TypeVar

from numduel.core.text import percentage

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

Item = TypeVar("Item")
COUNT_WIDTH = 70
"""Columns that it takes to show the count as well."""
UPDATE_INTERVAL = 0.1
"""Seconds between two updates of a bar that has a thread of its own."""
QUIET_INTERVAL = 0.5
"""Seconds between two updates of a bar without a thread: rare enough to disturb nothing."""


class ProgressBar:
    """A bar on standard error, for one task after another; without a terminal, nothing is drawn.

    With `threaded=False` it is drawn only inside the calls that move it on, so that a measurement
    between two calls is not disturbed.
    """

    def __init__(self, *, delay: float = 0.0, threaded: bool = True) -> None:
        self._watched = sys.stderr is not None and sys.stderr.isatty()
        self._appears = monotonic() + delay
        self._threaded = threaded
        self._interval = UPDATE_INTERVAL if threaded else QUIET_INTERVAL
        self._updated = float("-inf")
        self.title = ""
        """Shown before the description of every task."""
        self._what = ""
        self._total: int | None = None
        self._done = 0
        self._rich: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._watched = False  # work that was interrupted may go on to report
        if self._rich is not None:
            self._rich.stop()

    @property
    def drawn(self) -> bool:
        """Whether it is on the screen."""
        return self._rich is not None

    def begin(self, what: str, total: int | None, done: int = 0) -> None:
        """Show a task in place of the one before. The total is None if it is unknown; `done` steps
        were done earlier."""
        self._what, self._total, self._done = what, total, done
        self._task = None
        self._updated = float("-inf")
        self._update()

    def advance(self) -> None:
        """Note that one more step of the task is done."""
        self.reach(self._done + 1)

    def reach(self, done: int, total: int | None = None) -> None:
        """Note how many steps of the task are done, and of how many, if that is known by now."""
        self._done = done
        self._total = total or self._total
        self._update()

    def report(self, what: str, done: int, total: int | None) -> None:
        """Note how far a task is; another description begins another task."""
        if what != self._what:
            self.begin(what, total)
        self._total = total
        self.reach(done)

    def track(self, items: Sequence[Item], what: str) -> Iterator[Item]:
        """Go through a sequence, one step for each item."""
        self.begin(what, len(items))
        for item in items:
            yield item
            self.advance()

    def _update(self) -> None:
        now = monotonic()
        if not self._watched or now < self._appears or now - self._updated < self._interval:
            return
        self._updated = now
        if self._rich is None:
            self._rich = _rich_bar(self._threaded)
            self._rich.start()
        if self._task is None:
            for earlier in self._rich.task_ids:
                self._rich.remove_task(earlier)
            self._task = self._rich.add_task(f"{self.title}{self._what}", count="", share="")
        left, width = self._rich.tasks[0].time_remaining, self._rich.console.width
        fields = self._fields(left, width)
        self._rich.update(self._task, refresh=not self._threaded, **fields)

    def _fields(self, left: float | None, width: int) -> dict[str, Any]:
        """What the columns show, given the seconds that are left, if known, and the width of the
        terminal."""
        fields: dict[str, Any] = {"total": self._total, "completed": self._done}
        if not self._total:
            return fields | {
                "count": "",
                "share": f"{self._done:,} so far" if self._done else "",
            }
        share = percentage(self._done / self._total)
        count = f"{self._done:,} of {self._total:,}"
        return fields | {
            "count": count if width >= COUNT_WIDTH else "",
            "share": f"{share}, {_duration(left)} left" if left else share,
        }


def _duration(seconds: float) -> str:
    """A time as people say it: ``12 s``, ``3 min``, ``2 h``."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.0f} h"


def _rich_bar(threaded: bool) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=None),
        TextColumn("{task.fields[count]}"),
        TextColumn("{task.fields[share]}"),
        console=Console(stderr=True),
        expand=True,
        auto_refresh=threaded,
        transient=True,
    )
