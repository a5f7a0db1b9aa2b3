"""What any log has in memory, by the smallest one there is: numbers that are added up."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from typing import Any, NamedTuple
from unittest.mock import MagicMock

import pytest
from sqlalchemy import Connection, select, true

from numduel.core.language import language, speaking
from numduel.web.http.errors import Conflict, NoGame, Taken, Unavailable
from numduel.web.live import registry as registries
from numduel.web.live.background import Background
from numduel.web.live.bus import Bus
from numduel.web.live.live import Live, Locked, Watcher
from numduel.web.live.registry import Registry, retried
from numduel.web.people.keys import Proof
from tests.plugins.limit import remaining


class Entry(NamedTuple):
    number: int
    add: int


class Sum:
    """The fold of such a log."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.number = self.total = 0
        for entry in entries:
            self.apply(entry)

    def apply(self, entry: Entry) -> None:
        assert entry.number == self.number + 1
        self.number, self.total = entry.number, self.total + entry.add


class LiveSum(Live[Sum]):
    kind = "event"
    busy = False

    def serialise(self) -> str:
        return str(self.fold.total)

    def who(self, proof: Proof) -> int | None:
        return len(proof) or None

    def changed(self) -> None:
        self.serialise_again()
        for watcher in self.watchers:
            watcher.push()


class Sums(Registry[LiveSum]):
    """Sums, whose logs another process may write, too."""

    live = LiveSum
    limit = 2
    missing = NoGame
    exists = select(true())

    def __init__(self) -> None:
        database = MagicMock(postgresql=True, process="here")
        database.read = self.read
        super().__init__(Bus(database))
        self.bus.presence.read = MagicMock(return_value=[])  # type: ignore[method-assign]
        self.logs = {"A": [Entry(1, 5)], "B": [Entry(1, 6)], "C": [Entry(1, 7)]}
        self.read_after: list[int] = []
        self.away = 0
        """How often the database will not answer."""

    async def read(self, work: Any) -> Any:
        if self.away:
            self.away -= 1
            raise Unavailable("It is away.")
        connection = MagicMock()
        connection.execute.return_value.first.side_effect = lambda: (self.logs and 1) or None
        return work(connection)

    def fold(self, connection: Connection, key: str) -> Sum:
        if key not in self.logs:
            raise self.missing
        return Sum(self.entries(connection, key, 0))

    def entries(self, connection: Connection, key: str, after: int) -> list[Entry]:
        self.read_after.append(after)
        return self.logs[key][after:]

    async def write(self, live: LiveSum, entries: Sequence[Entry], games: Sequence[Any]) -> bool:
        await self.read(lambda _: None)
        if entries[0].number != len(self.logs[live.id]) + 1:
            return False
        self.logs[live.id] += entries
        return True

    def written(self, live: LiveSum, entries: Sequence[Entry], games: Sequence[Any]) -> None:
        pass

    def on_notification(self, key: str, payload: dict[str, Any]) -> None:
        self.bus.background.spawn(self.hear(self._live(key), [Entry(*payload["entry"])]))


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, remaining()))


async def settled(sums: Sums) -> None:
    """Wait for what runs in the background."""
    while sums.bus.background._tasks:
        await asyncio.sleep(0)


def test_a_log_is_read_once_and_then_only_its_new_entries() -> None:
    async def work() -> None:
        sums = Sums()
        for _ in range(2):
            async with sums.locked("A") as live:
                assert live.json(None) == '{"you":null,"event":5}'
        assert sums.read_after == [0]
        sums.logs["A"].append(Entry(2, 10))
        assert await sums.refresh(live)
        assert not await sums.refresh(live)
        assert (live.json(1), sums.read_after) == ('{"you":1,"event":15}', [0, 1, 2])

    run(work())


def test_a_written_entry_is_pushed_and_a_deleted_game_ends_its_channels() -> None:
    async def work() -> None:
        sums = Sums()
        async with sums.watch("A", ("key",)) as watcher:
            assert await watcher.next() == '{"you":1,"event":5}'
            async with sums.locked("A") as live:
                await sums.append(live, [Entry(2, 1), Entry(3, 1)])
            assert await watcher.next() == '{"you":1,"event":7}'
            sums.logs.clear()
            with pytest.raises(NoGame):
                await sums.refresh(live)
            with pytest.raises(NoGame):
                await watcher.next()
        assert "A" not in sums
        assert not live.watchers
        with pytest.raises(NoGame):
            async with sums.locked("A"):
                pass
        assert "A" not in sums, "nor does asking for it keep it"

    run(work())


def test_a_collision_applies_the_other_entry_and_raises_conflict() -> None:
    async def work() -> None:
        sums = Sums()
        async with sums.locked("A") as live:
            sums.logs["A"].append(Entry(2, 10))
            with pytest.raises(Conflict, match="event has moved on"):
                await sums.append(live, [Entry(2, 1)])
            assert live.fold.total == 15

    run(work())


@pytest.mark.parametrize("watched", [True, False])
def test_after_a_write_that_failed_everything_is_read_again(
    watched: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For those who watch however often that takes, otherwise by whoever needs it next."""
    monkeypatch.setattr(registries, "RETRY_SECONDS", 0.0)

    async def work() -> None:
        sums = Sums()
        async with sums.locked("A") as live:
            if watched:
                live.welcome(Watcher(live, None))
            sums.away = 4
            with pytest.raises(Unavailable):
                await sums.append(live, [Entry(2, 1)])
            assert live.loaded is None
            with pytest.raises(Unavailable):
                live.json(None)
        await settled(sums)
        assert (live.loaded is not None, sums.away) == (watched, 0 if watched else 3)

    run(work())


def test_a_game_that_could_not_be_reloaded_is_loaded_when_it_is_next_used() -> None:
    async def work() -> None:
        sums = Sums()
        async with sums.locked("A") as live:
            pass
        for users, kept in ((1, True), (0, False)):  # Nobody's write loses what it changes.
            sums.away, live.users = 1, users
            await sums.reload(live)
            assert (live.loaded is not None) == kept
        async with sums.locked("A") as live:
            assert live.fold.total == 5

    run(work())


def test_arrivals_at_another_process_are_shown() -> None:
    async def work() -> None:
        sums = Sums()
        async with sums.watch("A", ()) as watcher:
            await watcher.next()
            (live,) = sums._lives.values()
            for rows, news in (([(1, "there", 9.0)], True), ([(1, "there", 9.0)], False)):
                sums.bus.presence.read = MagicMock(return_value=rows)  # type: ignore[method-assign]
                assert not await sums.refresh(live)
                assert (live.elsewhere, watcher.due) == ({1}, news)
                watcher.due = False

    run(work())


def test_entries_of_another_process_are_applied_once_and_gaps_are_read() -> None:
    async def work() -> None:
        sums = Sums()
        async with sums.locked("A") as live, sums.locked("B"):
            pass
        sums.logs["A"] += [Entry(2, 1), Entry(3, 1), Entry(4, 1)]
        for number, total, read in ((2, 6, [0, 0]), (2, 6, [0, 0]), (4, 8, [0, 0, 2])):
            sums.bus._on_notification({"event": "A", "entry": (number, 1)})
            await settled(sums)
            assert (live.fold.total, sums.read_after) == (total, read)
        live.users = 1
        sums.logs["A"].append(Entry(5, 1))
        sums.bus._on_missed_notifications()
        await settled(sums)
        assert live.fold.total == 9, "what is in use is read"
        assert "B" not in sums, "what is not is dropped"

    run(work())


def test_the_least_recently_used_of_too_many_is_dropped_unless_it_is_in_use() -> None:
    async def work() -> None:
        sums = Sums()
        for keys, kept in (("ABAC", "AC"), ("B", "BC")):
            for key in keys:
                async with sums.locked(key):
                    pass
            assert sorted(sums._lives) == list(kept)
        async with sums.watch("C", ()), sums.locked("A"):
            assert sorted(sums._lives) == ["A", "C"]

    run(work())


def test_an_id_that_was_asked_for_in_vain_while_the_database_is_away_is_forgotten() -> None:
    """Anybody can invent endless ids. Nor does one take the place of what is in memory."""

    async def ask(sums: Sums, key: str) -> None:
        with pytest.raises(Unavailable):
            async with sums.locked(key):
                pass

    async def work() -> None:
        sums = Sums()
        async with sums.locked("A"), sums.watch("B", ()):
            pass
        sums.away = 9
        await asyncio.gather(*(ask(sums, key) for key in "XYZZ"))
        async with Locked(sums._live("W")):
            waiting = asyncio.create_task(ask(sums, "W"))
            await asyncio.sleep(0)
            waiting.cancel()
            with suppress(asyncio.CancelledError):
                await waiting
            assert "W" in sums, "somebody else has it"
        sums.drop("W")
        assert [*sums._lives] == ["A", "B"]
        assert not sums.bus.presence._expected

    run(work())


def test_a_server_that_shuts_down_closes_all_channels_and_opens_no_more() -> None:
    async def work() -> None:
        sums = Sums()
        async with sums.watch("A", ()) as one, sums.watch("B", ()) as two:
            sums.bus.end_channels()
            for watcher in (one, two):
                with pytest.raises(Unavailable):
                    await watcher.next()
            with pytest.raises(Unavailable):
                async with sums.watch("A", ()):
                    pass

    run(work())


def test_a_collision_is_retried_unless_that_is_no_use() -> None:
    tries: list[Exception] = []

    @retried
    async def trying(*errors: Exception) -> int:
        tries.append(errors[min(len(tries), len(errors) - 1)])
        if isinstance(tries[-1], Conflict):
            raise tries[-1]
        return len(tries)

    async def work() -> None:
        assert await trying(Conflict("once"), Conflict("twice"), ValueError("well")) == 3
        tries.clear()
        with pytest.raises(Taken):
            await trying(Conflict("once"), Taken("for good"))
        tries.clear()
        with pytest.raises(Conflict, match="Too much"):
            await trying(Conflict("always"))
        assert len(tries) == registries.MAX_COLLISIONS

    run(work())


def test_background_failures_are_logged_and_background_tasks_end_with_the_server(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def failing() -> None:
        raise ValueError("a bug")

    async def work() -> None:
        background = Background()
        background.spawn(failing())
        background.spawn(asyncio.sleep(3600))
        await asyncio.sleep(0)
        await background.close()
        await asyncio.sleep(0)
        assert not background._tasks

    run(work())
    assert [record.message for record in caplog.records] == ["failed in the background"]


def test_what_nobody_waits_for_is_done_in_english_whoever_has_caused_it() -> None:
    said: list[str] = []

    async def work() -> None:
        said.append(language())

    async def run() -> None:
        background = Background()
        with speaking("de"):
            background.spawn(work())
            await asyncio.sleep(0)
            said.append(language())
        await background.close()

    asyncio.run(run())
    assert said == ["en", "de"]
