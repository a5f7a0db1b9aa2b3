"""What the tests cost: processor time of every test, with all processes that it has started.

Wall-clock time says more about what else a machine does than about a test; processor time is nearly
the same on a busy one. A process that outlives a test (a server, a browser, a database) counts for
whichever test runs while it works.
"""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.plugins.limit import descendants

TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 1  # not on Windows
SELDOM = 0.1
"""Seconds between two looks at other processes, at least."""
FEW, MANY = 10, 150
"""How many of the slowest are named, and in `make test-profile`."""


class Meter:
    """Measures in the process that runs tests, and writes what it measured into their reports."""

    def __init__(self) -> None:
        self._known: dict[int, str] = {}
        """When each process was started that this one has started, by their ids."""
        self._own = time.process_time()
        self._others = self._of_others()
        self._looked = time.monotonic()

    def _of_others(self) -> float:
        """Seconds of processor time of all processes that this one has started, ended or not.

        What the system tells of a process's children misses some while others end, so those that
        are known are looked for themselves.
        """
        ended = os.times()
        spent = ended.children_user + ended.children_system
        before, self._known = self._known, {}
        for pid in {*before, *descendants(os.getpid())}:
            with suppress(OSError):  # It may end at any moment.
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                if before.get(pid, fields[19]) == fields[19]:
                    self._known[pid] = fields[19]
                    spent += sum(map(int, fields[11:15])) / TICK
        return spent

    def lap(self) -> float:
        """Seconds of processor time since the last lap. Processes that nobody has waited for take
        theirs with them. To look at all threads of a browser takes milliseconds, which is longer
        than most tests: others' time counts for the test at which one looks."""
        before, self._own = self._own, time.process_time()
        spent = self._own - before
        if time.monotonic() - self._looked > SELDOM:
            before, self._others = self._others, self._of_others()
            self._looked = time.monotonic()
            spent += max(0.0, self._others - before)
        return spent

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        report.spent = self.lap()  # type: ignore[attr-defined]
        return report

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["collecting"] = self.lap()


class Account:
    """Adds up what all workers measured, and prints it."""

    def __init__(self, *, whole: bool) -> None:
        self._whole = whole
        self._started = time.monotonic()
        self._tests: defaultdict[str, float] = defaultdict(float)
        self._collecting = 0.0

    def pytest_runtest_logreport(self, report: Any) -> None:
        self._tests[report.nodeid] += getattr(report, "spent", 0.0)

    def pytest_testnodedown(self, node: Any) -> None:
        self._collecting += getattr(node, "workeroutput", {}).get("collecting", 0.0)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if not self._tests:
            return
        say = terminalreporter.write_line
        places: defaultdict[str, list[float]] = defaultdict(list)
        for test, spent in self._tests.items():
            file = test.partition("::")[0]
            places[file if self._whole else file.rpartition("/")[0]].append(spent)
        total = self._collecting + sum(self._tests.values())
        rows = {f"{place} ({len(each)})": sum(each) for place, each in places.items()}
        rows["collecting"] = self._collecting
        terminalreporter.section("processor time, with all processes that the tests have started")
        for place, spent in _largest(rows):
            say(f"{spent:8.1f} s {spent / total:5.1%}  {place}")
        say(f"{total:8.1f} s, in {time.monotonic() - self._started:.0f} s")
        say("Most of it in:")
        for test, spent in _largest(self._tests)[: MANY if self._whole else FEW]:
            say(f"{spent:8.1f} s  {test}")


def _largest(spent: dict[str, float]) -> list[tuple[str, float]]:
    return sorted(spent.items(), key=lambda row: -row[1])


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--profile-tests", action="store_true", help="Say what every file cost.")


def pytest_configure(config: pytest.Config) -> None:
    worker = hasattr(config, "workerinput")
    if not worker:
        whole = config.getoption("profile_tests")
        config.pluginmanager.register(Account(whole=whole))
    if worker or not config.getoption("numprocesses", None):
        config.pluginmanager.register(Meter())
