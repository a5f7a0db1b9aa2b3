"""Who is connected where: what a process knows of the others, by a clock that the test moves."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest

from numduel.web.live import presence as presences
from numduel.web.live.presence import Presence


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
