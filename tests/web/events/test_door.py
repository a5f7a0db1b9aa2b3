"""The door of an event on a server: floods fill nothing, a class comes in, and hosts decide."""

from __future__ import annotations

import time
from typing import Any

import pytest

from numduel.events import actions
from numduel.events.settings import MAX_PLAYERS
from numduel.web.events import service as events
from tests.web.events.test_events import (
    Host,
    Pupil,
    Visitor,
    _quick,
    class_of,
    join,
    log_of,
    new_event,
    row,
    site,
)
from tests.web.site import Person, Site, refused, until

__all__ = ["_quick", "site"]


def comes(host: Host, nickname: str, **body: Any) -> Any:
    """Somebody who joins or asks to; what they are told."""
    answer = Visitor(host.http, host.id).post("join", nickname=nickname, **body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def door(host: Host) -> Any:
    """What the host sees at the door."""
    answer = host.get("/door")
    assert answer.status_code == 200, answer.text
    return answer.json()


def nicknames(host: Host) -> set[str]:
    return {one["nickname"] for one in host.event["players"]}


def test_one_client_with_many_keys_neither_fills_an_event_nor_kills_it(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site.app.state.events._joining, "_rate", 1e-9)  # however slow this is
    host = new_event(site.http, format="arena")
    flood = [Visitor(site.http, host.id).post("join", nickname=f"Fake {n}") for n in range(300)]
    inside = len(host.event["players"])
    assert inside == events.JOINS_AT_ONCE < MAX_PLAYERS, "others still find room"
    assert len(host.event["waiting"]) == actions.MAX_WAITING
    assert len(log_of(site.database, host.id)) == 1 + inside + actions.MAX_WAITING
    assert {answer.status_code for answer in flood} == {200, 422}
    assert "waiting for the host" in refused(flood[-1], 422)
    # The host lets nobody in who waits, and removes everybody who is not here.
    event = host.act("decline")["event"]
    assert event["waiting"] == []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("numduel.web.events.runner.AWAY_SECONDS", 0.0)
        until(lambda: all(one["away"] for one in host.event["players"]), "all fakes to be away")
        assert host.act("sweep")["event"]["players"] == []
    host.act("door", approval=True)
    for number in range(30):
        comes(host, f"Pupil {number}")
    host.act("admit")
    assert nicknames(host) == {f"Pupil {number}" for number in range(30)}
    host.act("start")
    until(lambda: host.event["pairings"], "the class to play")


def test_a_class_behind_one_address_comes_in_at_once(site: Site) -> None:
    host = new_event(site.http, format="arena")
    class_of(host, int(events.JOINS_AT_ONCE))
    assert len(host.event["players"]) == events.JOINS_AT_ONCE
    assert host.event["waiting"] == []
    other = new_event(site.http, format="arena")
    assert comes(other, "Ada")["player"] == 1, "each event counts for itself"


def test_in_the_middle_of_a_lesson_a_flood_still_leaves_room_for_others(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = new_event(site.http, format="arena")
    class_of(host, 30)
    later = time.monotonic() + 10 * 60
    monkeypatch.setattr(site.app.state.events._joining, "_clock", lambda: later)
    told = [comes(host, f"Fake {n}")["player"] for n in range(30)]
    assert told[0] is not None, "latecomers come in"
    assert None in told
    assert len(host.event["players"]) < MAX_PLAYERS


def test_who_keeps_asking_from_one_address_is_told_to_wait(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = new_event(site.http)
    host.act("door", approval=True)
    monkeypatch.setattr(site.app.state.events._asking, "_capacity", 3.0)
    monkeypatch.setattr(site.app.state.events._asking, "_rate", 1e-9)
    for number in range(3):
        comes(host, f"P{number}")
        host.act("decline")
    before = len(log_of(site.database, host.id))
    refused(Visitor(site.http, host.id).post("join", nickname="More"), 429)
    assert len(log_of(site.database, host.id)) == before


def test_a_second_player_in_one_browser_waits_for_the_host(site: Site) -> None:
    host = new_event(site.http)
    ada, bo = join(host, "Ada", key="A" * 43), join(host, "Bo")
    host.act("start")
    game = until(lambda: ada.row["game"], "a game")
    told = comes(host, "Cy", key="A" * 43)
    assert (told["player"], told["you"]) == (None, ada.player)
    assert comes(host, "Cy", key="A" * 43)["asked"] == told["asked"], "asking again is no other"
    assert told["event"]["waiting"] == [told["asked"]]
    (waiting,) = door(host)["waiting"]
    assert waiting == {"asked": told["asked"], "nickname": "Cy", "why": "browser", "plays": "Ada"}
    assert "'Cy'" not in str(bo.look()), "only the host reads the name"
    host.act("admit", asked=told["asked"])
    cy = Pupil(site.http, told | {"player": 3, "token": "A" * 43}, host.id)
    assert cy.look()["you"] == 3
    assert Person(site.http, game, "A" * 43).look()["you"] is None, "Ada's seat stays hers, at once"
    back = Visitor(site.http, host.id).post("return", nickname="Ada", code=ada.code, key="B" * 43)
    assert back.json()["player"] == ada.player
    until(lambda: Person(site.http, game, "B" * 43).look()["you"], "Ada to play on")


def test_who_is_removed_stays_outside_until_the_host_takes_it_back(site: Site) -> None:
    host = new_event(site.http)
    ada = join(host, "Ada", key="A" * 43)
    host.act("remove", player=ada.player)
    for nickname in ("Ada", "Eva"):
        again = Visitor(site.http, host.id).post("join", nickname=nickname, key="A" * 43)
        assert "taken you out" in refused(again, 422)
    assert door(host)["removed"] == [{"number": ada.player, "nickname": "Ada"}]
    host.act("restore", player=ada.player)
    assert ada.look()["you"] == ada.player
    assert door(host)["removed"] == []


def test_friendly_nicknames_are_offered_and_are_all_there_is_unless_the_host_allows_more(
    site: Site,
) -> None:
    host = new_event(site.http, own_names=False)
    visitor = Visitor(site.http, host.id)
    assert "offered" in refused(visitor.post("join", nickname="Ada"), 422)
    offered = visitor.get("/names").json()["names"]
    assert len(set(offered)) == 3
    for name in offered:
        comes(host, name)
    assert set(offered).isdisjoint(visitor.get("/names").json()["names"])
    assert host.act("door", own_names=True)["event"]["own_names"]
    comes(host, "Ada")
    assert nicknames(host) == {*offered, "Ada"}
    assert row(host.event, 1)["nickname"] == offered[0]
