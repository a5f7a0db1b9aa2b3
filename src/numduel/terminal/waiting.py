"""Waiting for an answer that takes long: it is said, and Ctrl-C is heard at once."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from shutil import get_terminal_size
from textwrap import fill
from threading import Event, Thread, Timer
from typing import Generic, TypeVar

Result = TypeVar("Result")
NOTICE_DELAY = 2.5
"""Seconds before the message; with compiled code at hand, answers come sooner."""
NOTICE = "This takes a moment; the first time, and on a large board, it takes longer."
HEARING_INTERVAL = 0.1
"""Seconds between two looks for Ctrl-C, on systems where a wait is not interrupted by it."""


class _Work(Thread, Generic[Result]):
    """A thread that does one piece of work."""

    def __init__(self, work: Callable[[], Result]) -> None:
        super().__init__(daemon=True)
        self.ended = Event()
        self.result: Result
        self.error: BaseException | None = None
        self._work = work

    def run(self) -> None:
        """Do the work, and keep what came of it."""
        try:
            self.result = self._work()
        except BaseException as error:
            self.error = error
        finally:
            self.ended.set()


_abandoned: list[_Work[object]] = []
"""The work that was interrupted: compiled code goes on until it is done."""


def waited(work: Callable[[], Result], *, quiet: bool = False, bar: bool = False) -> Result:
    """The result of some work. If it takes long, a message says so on standard error; if quiet,
    only on a terminal; and not there if a progress bar shows it.

    The work is done in a thread of its own, because Python does not hear Ctrl-C while compiled
    code runs. What was interrupted cannot be stopped; other work waits for it, as both may change
    the same tables.
    """
    told = sys.stderr is not None and sys.stderr.isatty()
    with _notice() if (not bar if told else not quiet) else nullcontext():
        for earlier in list(_abandoned):
            _join(earlier)
            _abandoned.remove(earlier)
        thread = _Work(work)
        thread.start()
        try:
            _join(thread)
        except KeyboardInterrupt:
            _abandoned.append(thread)  # type: ignore[arg-type]
            raise
    if thread.error is not None:
        raise thread.error
    return thread.result


def abandoned() -> bool:
    """Whether work that was interrupted still goes on: then the process must be ended without
    waiting for it."""
    return any(not work.ended.is_set() for work in _abandoned)


def _join(work: _Work[Result]) -> None:
    while not work.ended.wait(HEARING_INTERVAL):
        pass


@contextmanager
def _notice() -> Iterator[None]:
    """Print the message on standard error if the body takes long."""
    timer = Timer(NOTICE_DELAY, _tell)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _tell() -> None:
    told = fill(NOTICE, get_terminal_size().columns) if sys.stderr.isatty() else NOTICE
    print(told, file=sys.stderr, flush=True)
