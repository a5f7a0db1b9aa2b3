"""The clock of events runs while there is a server, whatever the clock of the machine says."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest

from numduel.events import actions
from numduel.web.live import uptime as uptimes
from numduel.web.live.uptime import GAP_SECONDS, Uptime
from tests.web.classes import class_of, finished


class Machine:
    """A machine whose clocks the test turns, and whose database outlives its processes."""

    def __init__(self) -> None:
        self.monotonic = self.wall = 5_000.0
        self.stored = 1_000.0
        self.told: list[float] = []

    def passes(self, seconds: float) -> None:
        self.monotonic += seconds
        self.wall += seconds

    def execute(self, statement: Any, values: Any = None) -> Any:
        if values:
            self.stored = max(self.stored, values["now"])
        return SimpleNamespace(scalar_one=lambda: self.stored)

    async def work(self, *arguments: Any) -> Any:
        return arguments[-1](self)

    def process(self) -> Uptime:
        """A process that has just been started."""
        database = MagicMock(read=self.work, write=self.work)
        database.notify.side_effect = lambda payload: self.told.append(payload["uptime"])
        clock = Uptime(database)
        finished(clock.load())
        return clock


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    here = Machine()
    clocks = SimpleNamespace(monotonic=lambda: here.monotonic, time=lambda: here.wall)
    monkeypatch.setattr(uptimes, "time", clocks)
    return here


def test_an_arena_lasts_as_long_as_it_is_served(machine: Machine) -> None:
    event, clock = class_of("Ada", "Bo", minutes=10), machine.process()
    event.apply(actions.start(event, clock.now()))
    for _ in range(60):
        machine.passes(1)
        finished(clock.save())
    assert event.remaining(clock.now()) == 540
    for jump in (-7_200, 10_800, -3_600):
        machine.wall += jump
        assert event.remaining(clock.now()) == 540, "somebody set the clock of the machine"
    for away in (5, 4_000, 90):  # More than one time without a server, and none of them counts.
        machine.passes(away)
        machine.monotonic = 0.0 if away == 4_000 else machine.monotonic  # The machine restarted.
        clock = machine.process()
        before = event.remaining(clock.now())
        machine.passes(1)
        finished(clock.save())
        assert event.remaining(clock.now()) == before - 1
    assert event.remaining(clock.now()) == 537


def test_a_process_that_was_away_loses_no_more_than_a_moment(machine: Machine) -> None:
    clock = machine.process()
    clock.beat()
    assert (clock.now(), clock.jumped()) == (1_000, False)
    machine.passes(3_600)
    assert clock.now() == 1_000 + GAP_SECONDS, "the machine slept, or the database was away"
    machine.passes(60)
    assert clock.now() == 1_000 + GAP_SECONDS
    clock.beat()
    assert (clock.jumped(), clock.jumped()) == (True, False), "everybody is told the time once"
    machine.passes(2)
    assert clock.now() == 1_002 + GAP_SECONDS
