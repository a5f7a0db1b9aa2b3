"""Lanes to the solving processes: who is let in, who waits, and whose turn it is."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from numduel.web.http.errors import Busy, Overloaded
from numduel.web.solving import lanes
from numduel.web.solving.lanes import Lane
from tests.plugins.limit import remaining


class Stub:
    """A solving process without a process: it answers when the test says so."""

    def __init__(self) -> None:
        self.needed = True
        self.asked: list[str] = []
        self.gate = threading.Event()
        self.interrupted = False

    def ask(self, task: str, arguments: tuple[Any, ...]) -> str:
        self.asked.append(task)
        assert self.gate.wait(remaining())
        return task

    def interrupt(self) -> None:
        self.interrupted = True
        self.gate.set()

    def stop(self) -> None:
        self.gate.set()


def with_stubs(
    count: int,
    doing: Callable[[Lane, list[Stub]], Awaitable[None]],
    *,
    most: int = 10,
    of_address: int = 9,
) -> None:
    """Do something with a lane to such processes."""

    async def run() -> None:
        stubs = [Stub() for _ in range(count)]
        lane = Lane(stubs, most=most, of_address=of_address)
        try:
            await doing(lane, stubs)
        finally:
            lane.close()

    asyncio.run(run())


async def eventually(condition: Callable[[], bool]) -> None:
    """Let the event loop turn until something is true."""
    async with asyncio.timeout(remaining()):
        while not condition():
            await asyncio.sleep(0)


async def turned_away(lane: Lane, address: str, why: str, *, urgent: bool = False) -> None:
    """Who asks does not even wait."""
    asking = asyncio.create_task(lane.ask("values", (), address, urgent=urgent))
    await asyncio.sleep(0)
    assert asking.done()
    with pytest.raises(Overloaded, match=why):
        asking.result()


def test_a_solver_given_to_a_cancelled_task_is_not_lost() -> None:
    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        held = await lane._acquire("", lane.queue)
        leaving = asyncio.create_task(lane.ask("values", (), ""))
        await eventually(lambda: len(lane.queue) == 1)
        lane._release(held)
        leaving.cancel()  # It has the solver already, but did not get to run.
        with pytest.raises(asyncio.CancelledError):
            await leaving
        assert lane.free == stubs

    with_stubs(1, doing)


def test_a_solver_given_to_a_cancelled_task_goes_to_the_next() -> None:
    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        held = await lane._acquire("", lane.queue)
        leaving = asyncio.create_task(lane.ask("values", (), ""))
        waiting = asyncio.create_task(lane.ask("hint", (), ""))
        await eventually(lambda: len(lane.queue) == 2)
        lane._release(held)
        leaving.cancel()
        stubs[0].gate.set()
        async with asyncio.timeout(remaining()):
            assert await waiting == "hint"
        assert stubs[0].asked == ["hint"]
        await eventually(lambda: lane.free == stubs)

    with_stubs(1, doing)


def test_a_solver_is_busy_until_a_cancelled_task_ends() -> None:
    """Two tasks on one pipe would get each other's results."""

    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        leaving = asyncio.create_task(lane.ask("values", (), ""))
        await eventually(lambda: bool(stubs[1].asked))
        leaving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await leaving
        assert lane.free == stubs[:1]
        stubs[1].gate.set()
        await eventually(lambda: lane.free == stubs)
        assert not stubs[1].interrupted

    with_stubs(2, doing)


def test_a_task_that_goes_on_for_nobody_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "GRACE_SECONDS", 0.01)

    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        leaving = asyncio.create_task(lane.ask("values", (), ""))
        await eventually(lambda: bool(stubs[0].asked))
        leaving.cancel()
        await eventually(lambda: lane.free == stubs)
        assert stubs[0].interrupted

    with_stubs(1, doing)


def test_addresses_take_turns_in_a_lane() -> None:
    """However much one of them wants, another waits for one task of it and no more."""

    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        wanted = [("greedy", f"task {number}") for number in range(6)]
        wanted += [("other", "mine"), ("third", "also mine"), ("other", "mine too")]
        held = await lane._acquire("greedy", lane.queue)
        asked = []
        for number, (address, task) in enumerate(wanted, 1):
            asked.append(asyncio.create_task(lane.ask(task, (), address)))
            await eventually(lambda number=number: len(lane.queue) == number)  # type: ignore[misc]
        gone = asked.pop(1)
        gone.cancel()
        await eventually(lambda: len(lane.queue) == len(asked))
        stubs[0].gate.set()
        lane._release(held)
        await asyncio.gather(*asked)
        assert stubs[0].asked == [
            "task 0", "mine", "also mine", "task 2", "mine too", "task 3", "task 4", "task 5",
        ]  # fmt: skip

    with_stubs(1, doing)


def test_a_lane_limits_each_address_and_all_together() -> None:
    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        asked = [asyncio.create_task(lane.ask("values", (), "greedy")) for _ in range(4)]
        await eventually(lambda: len(lane.queue) == 3)
        await turned_away(lane, "greedy", "your network")
        for number in range(7):
            asked.append(asyncio.create_task(lane.ask("values", (), f"other {number}")))
        await eventually(lambda: len(lane.queue) == 10)
        await turned_away(lane, "late", "too much")
        stubs[0].gate.set()
        await asyncio.gather(*asked)
        lane.admit("greedy")

    with_stubs(1, doing, of_address=3)


def test_a_free_solver_takes_a_task_whatever_the_limits() -> None:
    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        lane.admit("anybody")
        stubs[0].gate.set()
        assert await lane.ask("values", (), "anybody") == "values"
        await eventually(lambda: lane.free == stubs)
        await lane._acquire("anybody", lane.queue)
        with pytest.raises(Overloaded):
            lane.admit("anybody")

    with_stubs(1, doing, most=0, of_address=0)


@pytest.mark.parametrize("urgent", [True, False])
def test_urgent_tasks_count_for_their_address(urgent: bool) -> None:
    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        asked = [asyncio.create_task(lane.ask("first", (), "other"))]
        await eventually(lambda: not lane.free)
        for number, first in enumerate((True, False), 1):
            asked.append(asyncio.create_task(lane.ask("a", (), "greedy", urgent=first)))
            lane.admit("greedy")  # It comes to wait when the event loop turns.
            await eventually(lambda n=number: len(lane.urgent) + len(lane.queue) == n)  # type: ignore[misc]
        await turned_away(lane, "greedy", "your network", urgent=urgent)
        lane.admit("other")
        asked.append(asyncio.create_task(lane.ask("b", (), "other", urgent=urgent)))
        await eventually(lambda: len(lane.urgent) + len(lane.queue) == 3)
        await turned_away(lane, "late", "too much", urgent=urgent)
        stubs[0].gate.set()
        await asyncio.gather(*asked)

    with_stubs(1, doing, most=3, of_address=2)


def test_urgent_tasks_go_first() -> None:
    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        held = await lane._acquire("", lane.queue)
        asked = [asyncio.create_task(lane.ask(f"later {n}", (), "patient")) for n in range(2)]
        await eventually(lambda: len(lane.queue) == 2)
        asked.append(asyncio.create_task(lane.ask("now", (), "hurried", urgent=True)))
        await eventually(lambda: len(lane.urgent) == 1)
        stubs[0].gate.set()
        lane._release(held)
        await asyncio.gather(*asked)
        assert stubs[0].asked == ["now", "later 0", "later 1"]

    with_stubs(1, doing)


def test_only_a_process_that_is_free_and_was_needed_is_asked_whether_it_is_there() -> None:
    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        stubs[0].gate.set()
        stubs[0].needed = False
        await lane.check()
        assert stubs[0].asked == []
        stubs[0].needed = True
        await lane.check()
        assert stubs[0].asked == ["ping"]
        await eventually(lambda: lane.free == stubs)
        await lane._acquire("", lane.queue)
        await lane.check()
        assert stubs[0].asked == ["ping"], "who is at work is not disturbed"

    with_stubs(1, doing)


def test_a_closed_lane_refuses_tasks_and_keeps_its_solvers() -> None:
    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        held = await lane._acquire("", lane.queue)
        waiting = asyncio.create_task(lane.ask("values", (), ""))
        await eventually(lambda: len(lane.queue) == 1)
        lane.close()
        lane._release(held)
        with pytest.raises(Busy):
            await waiting
        assert (stubs[0].asked, lane.free) == ([], stubs)

    with_stubs(1, doing)


def test_a_task_that_ends_soon_after_its_asker_left_is_not_interrupted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The timer that would interrupt it is stopped with it: it would hit the next task."""
    monkeypatch.setattr(lanes, "GRACE_SECONDS", remaining())

    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        timers: list[asyncio.TimerHandle] = []
        loop = asyncio.get_running_loop()
        later = loop.call_later

        def noted(*arguments: Any) -> asyncio.TimerHandle:
            timers.append(later(*arguments))
            return timers[-1]

        leaving = asyncio.create_task(lane.ask("values", (), ""))
        await eventually(lambda: bool(stubs[0].asked))
        monkeypatch.setattr(loop, "call_later", noted)
        leaving.cancel()
        await eventually(lambda: bool(timers))
        monkeypatch.undo()
        stubs[0].gate.set()
        await eventually(lambda: lane.free == stubs)
        await eventually(timers[0].cancelled)
        assert not stubs[0].interrupted

    with_stubs(1, doing)


def test_a_cancelled_task_leaves_the_queue_empty() -> None:
    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        held = await lane._acquire("", lane.queue)
        leaving = [asyncio.create_task(lane.ask("values", (), "gone")) for _ in range(2)]
        await eventually(lambda: lane.queue.count("gone") == 2)
        for left, task in zip((1, 0), leaving, strict=True):
            task.cancel()
            await asyncio.wait([task])
            assert (len(lane.queue), lane.queue.count("gone")) == (left, left)
        assert not lane.queue._waiting
        lane._release(held)
        assert lane.free == stubs

    with_stubs(1, doing)
