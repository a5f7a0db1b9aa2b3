"""How far the measurement has come, drawn seldom enough to cost nothing."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

from bench.table import bars

PAUSE = 0.5
"""Seconds between two drawings."""


class Shown:
    """The bars of a measurement, one after another."""

    def __init__(self) -> None:
        self.title = ""
        self.progress = bars()
        self._drawn = 0.0

    @contextmanager
    def bar(self, what: str, total: int) -> Iterator[Callable[[], None]]:
        """A bar, and what moves it on by one."""
        task = self.progress.add_task(f"{self.title}: {what}", total=total)
        done = 0

        def step() -> None:
            nonlocal done
            done += 1
            if perf_counter() - self._drawn > PAUSE:
                self._drawn = perf_counter()
                self.progress.update(task, completed=done, refresh=True)

        self.progress.refresh()
        yield step
        self.progress.remove_task(task)
