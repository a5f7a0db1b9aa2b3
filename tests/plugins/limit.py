"""The limit of a whole run: the only clock that decides anything.

A test waits for what should happen, for as long as that takes: on a busy machine that is long.
When the time of the run is over, whatever still waits fails and says for what; and a little later
the run ends, also where something waits that cannot say so. It ends earlier if nothing has finished
for a quarter of its time: what runs then waits for something that never comes.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

RUN_LIMIT = float(os.environ.get("NUMDUEL_TESTS_SECONDS", 75 * 60))
"""Seconds that a whole run may take. With few, a test that waits for what never comes soon says
so."""
GRACE = 120.0
"""Seconds that the tests which wait then have to fail."""
LONG = 300.0
"""Seconds after which a test that still runs is named: on a quiet machine it waits for something
that never comes, such as a text that was changed."""
LAST_WORDS = 3.0
"""Seconds that the workers have to say where they are, before they are ended."""
END = "NUMDUEL_TESTS_END"
"""The variable that tells the workers when the run ends, on the clock that they all share."""


def remaining() -> float:
    """Seconds until the run ends: the timeout for whatever wants one."""
    return max(0.0, float(os.environ[END]) - time.monotonic())


def children(pid: int) -> list[int]:
    """The processes that a process has started, where the system tells."""
    with suppress(OSError):
        threads = [
            Path(f"/proc/{pid}/task/{one}/children") for one in os.listdir(f"/proc/{pid}/task")
        ]
        return [int(child) for thread in threads for child in thread.read_text().split()]
    return []


def descendants(pid: int) -> Iterator[int]:
    """The processes that a process has started, and those that these have started, and so on."""
    for child in children(pid):
        yield child
        yield from descendants(child)


class Limit:
    """Ends the run when its time is over, whatever it waits for."""

    def __init__(self, seconds: float) -> None:
        self._running: dict[str, float] = {}
        self._named: set[str] = set()
        self._silence = seconds / 4
        """Seconds without a finished test after which the run ends."""
        self._finished = time.monotonic()
        """When a test has finished last."""
        self._over = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()
        os.environ[END] = str(time.monotonic() + seconds)
        self._timer = threading.Timer(seconds + GRACE, self._end)
        self._timer.daemon = True
        self._timer.start()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._running[nodeid] = time.monotonic()

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self._running.pop(nodeid, None)
        self._finished = time.monotonic()

    def pytest_unconfigure(self) -> None:
        self._timer.cancel()
        self._over.set()

    def _watch(self) -> None:
        while not self._over.wait(LONG / 10):
            for test in self.waiting(time.monotonic()):
                print(f"\nStill running after {LONG:.0f} s: {test}", file=sys.stderr)
            if time.monotonic() - self._finished > self._silence:
                self._end()

    def waiting(self, now: float) -> list[str]:
        """The tests that have run for long, each once."""
        running = [*self._running.items()]
        late = [test for test, started in running if now - started > LONG]
        new = [test for test in late if test not in self._named]
        self._named.update(new)
        return new

    def _end(self) -> None:
        below = [*descendants(os.getpid())]
        for worker in children(os.getpid()):
            os.kill(worker, signal.SIGUSR1)
        threading.Event().wait(LAST_WORDS)
        for pid in below:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        print("\nThe run has taken too long. It was waiting for:", file=sys.stderr)
        for test, started in list(self._running.items()):
            print(f"{time.monotonic() - started:8.0f} s  {test}", file=sys.stderr)
        os._exit(1)


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):
        if hasattr(faulthandler, "register"):  # not on Windows
            faulthandler.register(signal.SIGUSR1, 2)
    else:
        config.pluginmanager.register(Limit(RUN_LIMIT))
