"""Who is connected where: what a process knows of the others, by a clock that the test moves."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest

from numduel.web.http.errors import Unavailable
from numduel.web.live import presence as presences
from numduel.web.live.presence import LEASE_SECONDS, MAX_NEWS, Presence
from tests.web.classes import finished


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which the test changes."""
    moment = [1000.0]
    monkeypatch.setattr(presences, "time", SimpleNamespace(monotonic=lambda: moment[0]))
    return moment


@pytest.fixture
def here(now: list[float]) -> Presence:
    """What the process called `here` knows."""
    assert now
    return Presence(MagicMock(process="here", postgresql=True))


def hears(
    here: Presence, process: str, *news: tuple[str, int, bool], lease: float = 10.0
) -> set[str]:
    """Hear of another process; the games that look different then, of those called G and H."""
    told: dict[str, Any] = {"process": process, "lease": lease}
    return here.on_notification(told | {"news": news} if news else told, "GH".__contains__)


def test_players_at_another_process_are_present_until_they_leave(here: Presence) -> None:
    assert hears(here, "there", ("G", 1, True), ("G", 2, True), ("H", 1, True)) == {"G", "H"}
    assert (here.seats("G"), here.seats("H")) == ({1, 2}, {1})
    assert hears(here, "there", ("G", 1, False)) == {"G"}
    assert here.seats("G") == {2}
    assert hears(here, "third", ("G", 2, False)) == {"G"}
    assert here.seats("G") == {2}, "they are where they came"
    assert hears(here, "there", ("X", 1, True)) == set(), "of no game in memory"
    here.drop("G")
    assert (here.seats("G"), here.seats("H"), here.seats("X")) == (set(), {1}, set())


def test_players_of_a_process_are_away_when_its_lease_expires(
    here: Presence, now: list[float]
) -> None:
    hears(here, "there", ("G", 1, True))
    hears(here, "third", ("H", 2, True), lease=30.0)
    now[0] += 9
    assert (here.seats("G"), here.expired()) == ({1}, [])
    assert hears(here, "there") == set(), "renewed in time: nothing has changed"
    now[0] += 10
    assert here.seats("G") == set()
    assert here.expired() == ["G"]
    assert here.expired() == [], "once"
    assert here.seats("H") == {2}
    assert hears(here, "there") == {"G"}, "it was taken for dead, and is not"
    assert here.seats("G") == {1}


def test_of_the_living_processes_one_is_chosen_for_each_game(
    here: Presence, now: list[float]
) -> None:
    others = [Presence(MagicMock(process=name, postgresql=True)) for name in ("there", "third")]
    everybody = dict(zip(("here", "there", "third"), (here, *others), strict=True))
    for name, one in everybody.items():
        for other in everybody.keys() - {name}:
            hears(one, other, lease=30.0 if other == "here" else 10.0)
    games = [str(number) for number in range(60)]
    before = {game: [name for name in everybody if everybody[name].chosen(game)] for game in games}
    assert all(len(chosen) == 1 for chosen in before.values())
    assert {chosen[0] for chosen in before.values()} == everybody.keys(), "each has its share"
    hears(here, "third", lease=30.0)
    now[0] += 11
    for game, (chosen,) in before.items():
        unchanged = here.chosen(game) is (chosen == "here")
        assert unchanged or chosen == "there", "only the share of the dead one changes hands"
    now[0] += 20
    assert all(here.chosen(game) for game in games), "it is alone"


def test_loaded_presence_replaces_what_was_known(here: Presence, now: list[float]) -> None:
    hears(here, "there", ("G", 1, True), lease=5.0)
    rows = [(2, "there", 3.0), (1, "here", 9.0), (2, "third", 4.0)]
    assert here.load("G", rows)
    assert not here.load("G", rows), "that is no news"
    assert here.seats("G") == {2}, "who is here is not elsewhere"
    now[0] += 4.5
    assert here.seats("G") == {2}, "the longer lease counts"
    now[0] += 1
    assert here.seats("G") == set()
    here.load("H", [(1, "fourth", 2.0)])
    assert here.seats("H") == {1}
    now[0] += 2
    assert here.seats("H") == set()


def test_news_that_come_while_a_game_is_read_win(here: Presence) -> None:
    hears(here, "there", ("G", 1, True))
    here.expect("G")
    hears(here, "there", ("G", 1, False), ("G", 2, True))
    assert not here.load("G", [(1, "there", 10.0)]), "heard already"
    assert here.seats("G") == {2}
    assert here.load("G", [(1, "there", 10.0)])
    assert here.seats("G") == {1}, "once"


def test_in_a_file_there_is_one_process(here: Presence) -> None:
    alone = Presence(MagicMock(postgresql=False))
    connection = MagicMock()
    connection.execute.return_value = [(2, "there", 3.0)]
    assert (here.read(connection, "G"), alone.read(connection, "G")) == ([(2, "there", 3.0)], [])
    connection.execute.return_value = MagicMock(**{"scalars.return_value": ["G", "H"]})
    assert here.watched(connection, "EVENT") == {"G", "H"}
    assert alone.watched(connection, "EVENT") == set()


def test_many_arrivals_share_a_notification(here: Presence) -> None:
    """Who notes the first has to tell; what is noted meanwhile is told with it."""
    written: list[Any] = []

    async def write(_: str, work: Any) -> None:
        connection = MagicMock()
        if not written:
            assert not here.note("H", 1, here=False), "somebody is telling already"
        work(connection)
        written.append([json.loads(call.args[1]["rows"]) for call in
                        connection.execute.call_args_list])  # fmt: skip

    database: Any = here._database
    database.write = write
    assert here.note("G", 1, here=True)
    assert not here.note("G", 1, here=False)
    assert not here.note("G", 2, here=True)
    finished(here.tell())
    assert written == [
        [[{"game": "G", "seat": 2}], [{"game": "G", "seat": 1}]], [[{"game": "H", "seat": 1}]],
    ]  # fmt: skip
    assert [call.args[0] for call in database.notify.call_args_list] == [
        {"lease": LEASE_SECONDS, "news": [("G", 1, False), ("G", 2, True)]},
        {"lease": LEASE_SECONDS, "news": [("H", 1, False)]},
    ]
    assert here.note("G", 1, here=True), "the next has to tell again"


def test_presence_news_go_on_after_the_database_was_away(here: Presence) -> None:
    async def failing(*_: Any) -> None:
        raise Unavailable("It is away.")

    database: Any = here._database
    database.write = failing
    here.note("G", 1, here=True)
    finished(here.tell())
    assert here.note("G", 1, here=True)


def test_the_news_of_a_large_class_are_split(here: Presence) -> None:
    database: Any = here._database
    here._write({("G", seat): True for seat in range(2 * MAX_NEWS + 1)}, MagicMock())
    sizes = [len(call.args[0]["news"]) for call in database.notify.call_args_list]
    assert sizes == [MAX_NEWS, MAX_NEWS, 1]


@pytest.mark.parametrize("known", [True, False])
def test_a_process_taken_for_dead_writes_its_players_again(here: Presence, known: bool) -> None:
    connection = MagicMock()
    connection.execute.return_value.rowcount = int(known)

    async def write(_: str, work: Any) -> None:
        work(connection)

    database: Any = here._database
    database.write = write
    finished(here.renew_lease([("G", 1)]))
    told = [call.args[0] for call in database.notify.call_args_list]
    news = [] if known else [{"lease": LEASE_SECONDS, "news": [("G", 1, True)]}]
    assert told == [*news, {"lease": LEASE_SECONDS}]
    assert connection.execute.call_count == (3 if known else 5)


def test_a_process_that_leaves_has_no_lease(here: Presence) -> None:
    connection = MagicMock()

    async def write(_: str, work: Any) -> None:
        work(connection)

    database: Any = here._database
    database.write = write
    finished(here.release_lease())
    database.notify.assert_called_once_with({"lease": 0.0})
    assert connection.execute.call_count == 2
