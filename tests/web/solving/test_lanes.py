"""Lanes to the solving processes: who is let in, who waits, and whose turn it is."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from numduel.core.errors import BadVariant
from numduel.web.http.errors import Busy, Overloaded
from numduel.web.solving import lanes
from numduel.web.solving.lanes import Client, Lane
from tests.plugins.limit import remaining


class Stub:
    """A solving process without a process: it answers when the test says so."""

    def __init__(self, clock: list[float]) -> None:
        self.needed = True
        self.asked: list[str] = []
        self.gate = threading.Event()
        self.interrupted = False
        self.seconds: dict[str, float] = {}
        """How long tasks take, on the clock of the lane."""
        self._clock = clock

    def ask(self, task: str, arguments: tuple[Any, ...], language: str) -> str:
        self.asked.append(task)
        assert self.gate.wait(remaining())
        self._clock[0] += self.seconds.get(task, 0.01)
        if task == "wrong":
            raise BadVariant("There is no such thing.")
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
        clock = [0.0]
        stubs = [Stub(clock) for _ in range(count)]
        lane = Lane(stubs, most=most, of_address=of_address, clock=lambda: clock[0])
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


async def asking(
    lane: Lane, task: str, address: str = "", *, seat: str = "", urgent: bool = False
) -> asyncio.Task[Any]:
    """Somebody who asks, and waits or is served already."""
    client = Client(address, seat)
    made = asyncio.create_task(lane.ask(task, (), client, urgent=urgent))
    await asyncio.sleep(0)
    return made


async def turned_away(
    lane: Lane, address: str, why: str, *, seat: str = "", urgent: bool = False
) -> None:
    """Who asks does not even wait."""
    refused = await asking(lane, "one more", address, seat=seat, urgent=urgent)
    assert refused.done()
    with pytest.raises(Overloaded, match=why):
        refused.result()


# -- leaving --------------------------------------------------------------------------------


def test_a_solver_is_busy_until_a_cancelled_task_ends() -> None:
    """Two tasks on one pipe would get each other's results."""

    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        leaving = await asking(lane, "values")
        await eventually(lambda: bool(stubs[0].asked))
        leaving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await leaving
        assert lane.free == stubs[1:]
        stubs[0].gate.set()
        await eventually(lambda: len(lane.free) == 2)
        assert not stubs[0].interrupted

    with_stubs(2, doing)


def test_a_task_that_goes_on_for_nobody_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "GRACE_SECONDS", 0.01)

    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        leaving = await asking(lane, "values")
        await eventually(lambda: bool(stubs[0].asked))
        leaving.cancel()
        await eventually(lambda: lane.free == stubs)
        assert stubs[0].interrupted

    with_stubs(1, doing)


class Timers:
    """The timers that the event loop is asked for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made: list[asyncio.TimerHandle] = []
        loop = asyncio.get_running_loop()
        later = loop.call_later

        def noted(*arguments: Any) -> asyncio.TimerHandle:
            self.made.append(later(*arguments))
            return self.made[-1]

        monkeypatch.setattr(loop, "call_later", noted)


def test_a_task_that_ends_soon_after_its_asker_left_is_not_interrupted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The timer that would interrupt it is stopped with it: it would hit the next task."""
    monkeypatch.setattr(lanes, "GRACE_SECONDS", remaining())

    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        leaving = await asking(lane, "values")
        await eventually(lambda: bool(stubs[0].asked))
        timers = Timers(monkeypatch)
        leaving.cancel()
        await eventually(lambda: bool(timers.made))
        monkeypatch.undo()
        stubs[0].gate.set()
        await eventually(lambda: lane.free == stubs)
        assert timers.made[0].cancelled()
        assert not stubs[0].interrupted

    with_stubs(1, doing)


def test_a_cancelled_task_leaves_the_queue_empty() -> None:
    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        first = await asking(lane, "first")
        leaving = [await asking(lane, task, "gone") for task in ("values", "hint")]
        assert lane.queue.count("gone") == 2
        for left, task in zip((1, 0), leaving, strict=True):
            task.cancel()
            await asyncio.wait([task])
            assert (len(lane.queue), lane.queue.count("gone")) == (left, left)
        stubs[0].gate.set()
        await first
        await eventually(lambda: lane.free == stubs)
        assert (stubs[0].asked, lane._jobs) == (["first"], {})

    with_stubs(1, doing)


# -- the same task --------------------------------------------------------------------------


def test_a_task_that_is_asked_for_already_is_joined() -> None:
    """While it is worked on, and while it waits."""

    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        one = await asking(lane, "puzzle", "one")
        two = await asking(lane, "puzzle", "two")
        later = [await asking(lane, "report", address) for address in ("one", "two", "three")]
        assert (len(lane.queue), lane.queue.count("two")) == (3, 1), "all wait in their own turn"
        stubs[0].gate.set()
        assert await asyncio.gather(one, two, *later) == ["puzzle"] * 2 + ["report"] * 3
        assert stubs[0].asked == ["puzzle", "report"]
        assert (len(lane.queue), lane._jobs) == (0, {})

    with_stubs(1, doing)


def test_what_another_waits_for_comes_no_later_than_in_ones_own_turn() -> None:
    """The day's puzzle at the end of somebody's flood is not at the end for others."""

    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        tasks = [*(f"flood {number}" for number in range(4)), "puzzle"]
        asked = [await asking(lane, task, "greedy") for task in tasks]
        asked.append(await asking(lane, "puzzle", "other"))
        stubs[0].gate.set()
        await asyncio.gather(*asked)
        assert stubs[0].asked == ["flood 0", "puzzle", "flood 1", "flood 2", "flood 3"]

    with_stubs(1, doing)


def test_a_task_goes_on_for_those_who_stay_and_for_those_who_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lanes, "GRACE_SECONDS", remaining())

    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        leaving, staying = [await asking(lane, "puzzle") for _ in range(2)]
        timers = Timers(monkeypatch)
        leaving.cancel()
        await asyncio.wait([leaving])
        assert timers.made == [], "somebody still asks"
        staying.cancel()
        await asyncio.wait([staying])
        (giving_up,) = timers.made
        coming = await asking(lane, "puzzle")
        assert giving_up.cancelled()
        monkeypatch.undo()
        stubs[0].gate.set()
        assert await coming == "puzzle"
        assert stubs[0].asked == ["puzzle"]

    with_stubs(1, doing)


def test_everybody_who_asks_is_told_what_went_wrong() -> None:
    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        asked = [await asking(lane, "wrong") for _ in range(2)]
        stubs[0].gate.set()
        await asyncio.wait(asked)
        assert [str(one.exception()) for one in asked] == ["There is no such thing."] * 2
        assert await (await asking(lane, "right")) == "right"

    with_stubs(1, doing)


def test_what_depends_on_chance_is_worked_out_for_each() -> None:
    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        stubs[0].gate.set()
        both = (lane.ask("choose", (), Client(), shared=False) for _ in range(2))
        await asyncio.gather(*both)
        assert stubs[0].asked == ["choose", "choose"]

    with_stubs(1, doing)


def test_what_is_asked_for_in_two_languages_is_worked_out_in_each() -> None:
    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        stubs[0].gate.set()
        both = (lane.ask("hint", (), Client(), language=code) for code in ("de", "fr"))
        await asyncio.gather(*both)
        assert stubs[0].asked == ["hint", "hint"]

    with_stubs(1, doing)


# -- whose turn it is -----------------------------------------------------------------------


def test_addresses_take_turns_in_a_lane() -> None:
    """However much one of them wants, another waits for one task of it and no more."""

    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        wanted = [("greedy", f"task {number}") for number in range(6)]
        wanted += [("other", "mine"), ("third", "also mine"), ("other", "mine too")]
        asked = [await asking(lane, task, address) for address, task in wanted]
        gone = asked.pop(1)
        gone.cancel()
        await asyncio.wait([gone])
        stubs[0].gate.set()
        await asyncio.gather(*asked)
        assert stubs[0].asked == [
            "task 0", "mine", "also mine", "task 2", "mine too", "task 3", "task 4", "task 5",
        ]  # fmt: skip

    with_stubs(1, doing)


def test_a_task_counts_by_how_long_it_took() -> None:
    """Three short tasks of one address go before the second long one of another."""

    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        stubs[0].seconds = {"long 0": 4.0, "long 1": 4.0}
        asked = [await asking(lane, f"long {number}", "greedy") for number in range(2)]
        asked += [await asking(lane, f"short {number}", "other") for number in range(3)]
        stubs[0].gate.set()
        await asyncio.gather(*asked)
        assert stubs[0].asked == ["long 0", "short 0", "short 1", "short 2", "long 1"]

    with_stubs(1, doing)


def test_one_address_never_has_all_solvers() -> None:
    """The server itself may: it asks for what everybody needs."""

    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        greedy = [await asking(lane, f"task {number}", "greedy") for number in range(3)]
        assert (len(lane.free), len(lane.queue)) == (1, 1), "it has two of three"
        other = await asking(lane, "mine", "other")
        await eventually(lambda: not lane.free)
        await eventually(lambda: stubs[2].asked == ["mine"])
        for stub in stubs:
            stub.gate.set()
        await asyncio.gather(*greedy, other)
        for stub in stubs:
            stub.gate.clear()
        own = [await asking(lane, f"own {number}") for number in range(3)]
        assert (lane.free, len(lane.queue)) == ([], 0)
        for stub in stubs:
            stub.gate.set()
        await asyncio.gather(*own)

    with_stubs(3, doing)


def test_who_has_their_share_of_solvers_waits_within_the_limits() -> None:
    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        asked = [await asking(lane, f"task {number}", "greedy") for number in range(3)]
        await turned_away(lane, "greedy", "your network")
        for stub in stubs:
            stub.gate.set()
        await asyncio.gather(*asked)

    with_stubs(2, doing, of_address=4)


def test_urgent_tasks_go_first() -> None:
    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        asked = [await asking(lane, f"later {number}", "patient") for number in range(3)]
        asked.append(await asking(lane, "now", "hurried", urgent=True))
        stubs[0].gate.set()
        await asyncio.gather(*asked)
        assert stubs[0].asked == ["later 0", "now", "later 1", "later 2"]

    with_stubs(1, doing)


# -- limits ---------------------------------------------------------------------------------


def test_a_lane_limits_each_address_and_all_together() -> None:
    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        asked = [await asking(lane, f"task {number}", "greedy") for number in range(4)]
        assert len(lane.queue) == 3
        await turned_away(lane, "greedy", "your network")
        asked += [await asking(lane, "values", f"other {number}") for number in range(7)]
        assert len(lane.queue) == 10
        await turned_away(lane, "late", "too much")
        stubs[0].gate.set()
        await asyncio.gather(*asked)
        lane.admit(Client("greedy"))

    with_stubs(1, doing, of_address=6)


@pytest.mark.parametrize("greedy", ["", "a key"])
def test_one_seat_fills_half_of_what_its_address_may_have(greedy: str) -> None:
    """A flood without a key keeps no pupil of the same class out, nor does one with a key."""

    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        asked = [
            await asking(lane, f"flood {number}", "school", seat=greedy) for number in range(4)
        ]
        await turned_away(lane, "school", "your network", seat=greedy)
        for number in range(3):
            lane.admit(Client("school", f"pupil {number}"))
            asked.append(
                await asking(lane, f"mine {number}", "school", seat=f"pupil {number}", urgent=True)
            )
        await turned_away(lane, "school", "your network", seat="pupil 3")
        asked.append(await asking(lane, "elsewhere", "home"))
        stubs[0].gate.set()
        await asyncio.gather(*asked)

    with_stubs(1, doing, of_address=6)


def test_the_server_itself_has_one_seat() -> None:
    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        asked = [await asking(lane, f"level {number}") for number in range(7)]
        await turned_away(lane, "", "your network")
        stubs[0].gate.set()
        await asyncio.gather(*asked)

    with_stubs(1, doing, of_address=6)


def test_a_free_solver_takes_a_task_whatever_the_limits() -> None:
    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        lane.admit(Client("anybody"))
        stubs[0].gate.set()
        assert await (await asking(lane, "values", "anybody")) == "values"
        await eventually(lambda: lane.free == stubs)
        stubs[0].gate.clear()
        busy = await asking(lane, "hint", "anybody")
        with pytest.raises(Overloaded):
            lane.admit(Client("anybody"))
        stubs[0].gate.set()
        await busy

    with_stubs(1, doing, most=0, of_address=0)


@pytest.mark.parametrize("urgent", [True, False])
def test_urgent_tasks_count_for_their_address(urgent: bool) -> None:
    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        asked = [await asking(lane, "first", "other")]
        for first in (True, False):
            lane.admit(Client("greedy"))
            asked.append(await asking(lane, f"a {first}", "greedy", urgent=first))
        await turned_away(lane, "greedy", "your network", urgent=urgent)
        lane.admit(Client("other"))
        asked.append(await asking(lane, "b", "other", urgent=urgent))
        assert len(lane.urgent) + len(lane.queue) == 3
        await turned_away(lane, "late", "too much", urgent=urgent)
        stubs[0].gate.set()
        await asyncio.gather(*asked)

    with_stubs(1, doing, most=3, of_address=4)


# -- health and the end ---------------------------------------------------------------------


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
        stubs[0].gate.clear()
        busy = await asking(lane, "values")
        await lane.check()
        stubs[0].gate.set()
        await busy
        assert stubs[0].asked == ["ping", "values"], "who is at work is not disturbed"

    with_stubs(1, doing)


def test_a_closed_lane_refuses_tasks_that_wait_and_that_come() -> None:
    async def doing(lane: Lane, stubs: list[Stub]) -> None:
        asked = [await asking(lane, task) for task in ("values", "hint")]
        await eventually(lambda: bool(stubs[0].asked))
        lane.close()
        asked.append(await asking(lane, "late"))
        await asyncio.wait(asked)
        assert [type(one.exception()) for one in asked[1:]] == [Busy, Busy]
        await eventually(lambda: lane.free == stubs)
        assert stubs[0].asked == ["values"]

    with_stubs(1, doing)
