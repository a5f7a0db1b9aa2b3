"""What the server asks its solvers for: in which lane, how often, and before anybody does."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from datetime import date, timedelta
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest

import numduel
from numduel.core.errors import BadVariant
from numduel.core.language import languages, speaking
from numduel.web.http.middleware.client import current_address
from numduel.web.solving import solvers as module
from numduel.web.solving.solvers import Solvers
from tests.plugins.limit import remaining

Asked = list[tuple[Any, ...]]


@pytest.fixture
def missing() -> list[date]:
    """The days that have no puzzle."""
    return []


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, missing: list[date]) -> Asked:
    """The tasks that solvers are given; they return them."""
    given: Asked = []

    def ask(_: object, task: str, arguments: tuple[Any, ...], _language: str) -> Any:
        given.append((task, *arguments))
        if task == "daily" and arguments[0] in missing:
            raise BadVariant("No puzzle was found.")
        return task, *arguments

    monkeypatch.setattr(module._Solver, "ask", ask)
    return given


@pytest.fixture
def solvers() -> Iterator[Solvers]:
    with closing(Solvers(1)) as made:
        yield made


RECORD = numduel.game("duel").start().play(4)


@pytest.mark.parametrize("task", ["daily_puzzle", "judge_daily", "find_puzzle", "storm_puzzle"])
def test_puzzles_are_looked_for_where_no_move_waits(solvers: Solvers, task: str) -> None:
    assert solvers._lane(task, ("2026-11-18", 0)) is solvers.slow


def test_a_whole_game_is_gone_through_where_no_move_waits(solvers: Solvers) -> None:
    usual, larger = "Game: sequence-duel\n\n4 5\n", "Game: sequence-duel\nVariant: n=40\n\n4 5\n"
    assert solvers._lane("report", (usual, None)) is solvers.slow
    assert solvers._lane("value_position", (usual,)) is solvers.small
    assert solvers._lane("report", (larger, None)) is solvers.large
    assert solvers._lane("values", (RECORD,)) is solvers.small
    assert solvers._lane("judge", (larger,)) is solvers.slow


def test_what_was_asked_for_lately_is_worked_out_once(
    solvers: Solvers, asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The puzzle of today stays, however many other days somebody asks for."""
    monkeypatch.setattr(module, "MAX_CACHED", 3)

    async def asking() -> None:
        for day in range(1, 20):
            await solvers.ask("daily", "today")
            await solvers.ask("daily", f"day {day}")

    asyncio.run(asking())
    assert asked.count(("daily", "today")) == 1
    assert len(solvers._cache) == 3


def test_all_games_of_events_are_judged_for_one_client(
    solvers: Solvers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Judging never takes every slow solver, whoever has played."""
    clients = []

    async def ask(*asked: Any, **_: object) -> None:
        clients.append(asked[2])

    async def judging() -> None:
        for address in ("10.0.0.1", "10.0.0.2"):
            current_address.set(address)
            await solvers.ask("judge", "Game: duel")
            await solvers.ask("puzzle", address, 1, None, seat=address)

    monkeypatch.setattr(solvers.slow, "ask", ask)
    asyncio.run(judging())
    assert clients == [
        module.JUDGING, ("10.0.0.1", "10.0.0.1"), module.JUDGING, ("10.0.0.2", "10.0.0.2"),
    ]  # fmt: skip


@pytest.fixture
def today(monkeypatch: pytest.MonkeyPatch) -> date:
    """The day, which stays the same over midnight."""
    day = date(2026, 11, 18)
    monkeypatch.setattr(module, "date", SimpleNamespace(today=lambda: day))
    return day


async def prepared(solvers: Solvers, games: list[str]) -> None:
    """Have everything prepared, until the solvers rest for an hour."""
    rests = asyncio.Event()

    async def rest(seconds: float) -> None:
        assert seconds == module.DAYS_SECONDS
        rests.set()
        await asyncio.Event().wait()

    with mock.patch.object(module, "asyncio", SimpleNamespace(sleep=rest)):
        preparing = asyncio.create_task(solvers.prepare(games))
        resting = asyncio.create_task(rests.wait())
        either = {preparing, resting}
        await asyncio.wait(either, timeout=remaining(), return_when=asyncio.FIRST_COMPLETED)
        for task in either:
            task.cancel()
        assert rests.is_set(), preparing.exception() if preparing.done() else "it takes too long"


def test_the_puzzles_of_these_days_are_there_before_anybody_asks(
    solvers: Solvers, asked: Asked, today: date
) -> None:
    """Those of yesterday and tomorrow, too: somewhere it is that day. In every language."""

    async def preparing() -> None:
        await prepared(solvers, ["duel"])
        assert asked[0] == ("warm", "duel")
        days = {task[1] for task in asked if task[0] == "daily_puzzle"}
        assert days == {str(today + timedelta(days)) for days in (-1, 0, 1)}
        before = len(asked)
        for code in languages():
            with speaking(code):
                await solvers.ask("daily", today, today + timedelta(1))
                await solvers.ask("daily_puzzle", str(today), 0, str(today))
        assert len(asked) == before

    asyncio.run(preparing())


def test_a_day_without_a_puzzle_does_not_keep_the_others_from_being_ready(
    solvers: Solvers, asked: Asked, missing: list[date], today: date
) -> None:
    tomorrow = today + timedelta(1)
    missing.append(today)
    asyncio.run(prepared(solvers, []))
    assert ("daily_puzzle", str(tomorrow), 0, str(tomorrow)) in asked
