"""The queue before the solvers: who is next, by what everybody has used."""

from __future__ import annotations

import asyncio

import pytest

from numduel.web.solving import fair
from numduel.web.solving.fair import FairLock, FairQueue, Turn
from tests.plugins.limit import remaining


def queue(*turns: tuple[str, str, str]) -> FairQueue[str]:
    """A queue of turns, each with address, seat and task."""
    made: FairQueue[str] = FairQueue()
    for address, seat, task in turns:
        made.push(Turn((address, seat), task))
    return made


def many(address: str, count: int, seat: str = "") -> list[tuple[str, str, str]]:
    return [(address, seat, f"{address}{seat} {number}") for number in range(count)]


def served(waiting: FairQueue[str], turns: int, costs: dict[str, float]) -> list[str]:
    """The tasks of the next turns, each of which takes as long as its address or seat says."""
    tasks = []
    for _ in range(turns):
        turn = waiting.pop()
        assert turn is not None
        waiting.charge(turn, costs.get(turn.path[1], costs.get(turn.path[0], 1.0)))
        tasks.append(turn.task)
    return tasks


def test_addresses_share_seconds_and_not_turns() -> None:
    """Whoever has puzzles looked for gets one of four seconds for 64 short tasks of others."""
    waiting = queue(*many("greedy", 9), *many("other", 90))
    tasks = served(waiting, 66, {"greedy": 4.0, "other": 0.0625})
    assert [task.split()[0] for task in tasks].count("greedy") == 2
    assert tasks[0] == "greedy 0"
    assert tasks[-1] == "greedy 1"


def test_nobody_saves_up_while_they_ask_for_nothing() -> None:
    waiting = queue(*many("early", 9))
    served(waiting, 5, {})
    for address, seat, task in many("late", 4):
        waiting.push(Turn((address, seat), task))
    tasks = served(waiting, 6, {})
    assert tasks == ["late 0", "early 5", "late 1", "early 6", "late 2", "early 7"]


def test_whoever_comes_back_at_once_has_not_been_forgotten() -> None:
    """One task at a time leaves the queue empty in between, and still counts."""
    waiting = queue(*many("other", 9))
    for number in range(3):
        waiting.push(Turn(("greedy", ""), f"greedy {number}"))
        served(waiting, 2, {"greedy": 4.0, "other": 0.5})
    assert waiting.count("greedy") == 2, "one of three turns has come"
    assert waiting.count("other") == 4


def test_the_seats_of_an_address_share_what_it_gets() -> None:
    """A pupil waits for one task of somebody who floods the server from the same room."""
    flood, pupil = many("school", 9), ("school", "pupil", "mine")
    waiting = queue(*flood, pupil, *many("home", 9))
    tasks = served(waiting, 4, {})
    assert tasks == ["school 0", "home 0", "mine", "home 1"]


def test_many_seats_get_an_address_no_more_than_one() -> None:
    crowd = [("crowd", f"seat {number}", f"crowd {number}") for number in range(20)]
    waiting = queue(*crowd, *many("alone", 20))
    tasks = served(waiting, 20, {})
    assert sum(task.startswith("alone") for task in tasks) == 10


def test_a_turn_is_removed_or_left_out() -> None:
    waiting = queue(("a", "", "first"), ("b", "", "second"))
    gone = Turn(("a", ""), "gone")
    waiting.push(gone)
    assert (len(waiting), waiting.count("a")) == (3, 2)
    waiting.remove(gone)
    assert (len(waiting), waiting.count("a"), waiting.count("nobody")) == (2, 1, 0)
    turn = waiting.pop(without={"a"})
    assert turn is not None
    assert turn.task == "second"
    assert waiting.pop(without={"a"}) is None
    assert served(waiting, 1, {}) == ["first"]
    assert (len(waiting), waiting.pop()) == (0, None)


@pytest.mark.parametrize("seconds", [0.0, 1.0])
def test_only_so_many_who_wait_for_nothing_are_remembered(seconds: float) -> None:
    """Also if all of them came once, so that nobody has used more than another."""
    waiting: FairQueue[str] = FairQueue()
    for number in range(3 * fair.MAX_REMEMBERED):
        turn = Turn((f"address {number}", ""), "one")
        waiting.push(turn)
        served(waiting, 1, {f"address {number}": seconds})
    assert len(waiting._sharers) <= fair.MAX_REMEMBERED + 1


def test_a_lock_is_held_by_one_at_a_time_and_nobody_waits_behind_a_flood() -> None:
    """Whoever leaves, also just when the lock was given to them, holds nobody up."""

    async def working() -> None:
        lock, order = FairLock(), list[str]()

        async def hold(name: str) -> None:
            async with lock.held(("school", name[0])):
                order.append(name)
                await asyncio.sleep(0)
                assert order[-1] == name, "somebody else holds it"

        names = ("a1", "a2", "a3", "a4", "b1", "a5")
        tasks = {name: asyncio.create_task(hold(name)) for name in names}
        await asyncio.sleep(0)
        assert (order, lock.waiting.count("school", "a")) == (["a1"], 4)
        tasks["a2"].cancel()
        while order[-1] != "b1":
            await asyncio.sleep(0)
        while lock.waiting.count("school", "a") > 2:  # The turn of the third has just come.
            await asyncio.sleep(0)
        assert tasks["a3"].cancel()
        await asyncio.wait(tasks.values())
        assert order == ["a1", "b1", "a4", "a5"]
        await hold("c1")

    asyncio.run(asyncio.wait_for(working(), remaining()))


def test_turns_are_counted_by_address_and_by_seat() -> None:
    waiting = queue(*many("a", 2, "x"), *many("a", 1), *many("b", 1))
    assert [waiting.count(*path) for path in ((), ("a",), ("a", "x"), ("a", ""), ("b", "x"))] == [
        4, 3, 2, 1, 0,
    ]  # fmt: skip
