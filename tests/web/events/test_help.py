"""No help during an event: whoever plays in it gets none with its games, and the host sees who
asked."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from numduel.events import actions
from tests.web.events.test_door import door
from tests.web.events.test_events import (
    Host,
    Pupil,
    Visitor,
    _quick,
    join,
    log_of,
    new_event,
    site,
)
from tests.web.site import Person, Site, create, refused, until

__all__ = ["_quick", "site"]

SAME = {"game": "capture", "variant": "n=7", "moves": "7 5"}
OTHER = {"game": "duel", "moves": "5"}
RECORD = "Game: number-capture\nVariant: n=7\n\n7 5\n"


def analyse(pupil: Visitor, **place: str) -> Any:
    """The analysis board of a position, with its values."""
    query = "&".join(f"{key}={value.replace(' ', '+')}" for key, value in place.items())
    path = "/api/v1/activities/analysis"
    told = pupil.http.post(path, json={"action": "begin", "given": query}, headers=pupil.headers)
    wish = {"state": told.json()["state"], "action": "value"}
    return pupil.http.post(path, json=wish, headers=pupil.headers)


def asks(pupil: Visitor, **place: str) -> list[Any]:
    """Everything that helps with a position, each asked for."""
    http, headers = pupil.http, pupil.headers
    name = place["game"]
    ordinary = create(http, name, opponent="easy", key=pupil.token)
    own = Person(http, ordinary.id, pupil.token)
    return [
        http.get("/api/v1/values", params=place, headers=headers),
        http.get("/api/v1/report", params=place, headers=headers),
        http.get("/api/v1/puzzle/answer", params={**place, "move": "2"}, headers=headers),
        http.get(f"/api/v1/strategy/{name}", headers=headers),
        analyse(pupil, **place),
        own.get("/values"),
        own.get("/hint"),
    ]


def refusals(answers: list[Any]) -> list[str]:
    return [answer.text for answer in answers if answer.status_code == 403]


def helped(host: Host) -> dict[int, int]:
    """How often each player asked for help, as the host sees it."""
    return {one["number"]: one["times"] for one in door(host)["helped"]}


def started(host: Host) -> tuple[Pupil, Pupil]:
    one, two = join(host, "Ada"), join(host, "Bo")
    host.act("start")
    until(lambda: host.event["pairings"], "a pairing")
    return one, two


def test_whoever_plays_in_an_event_gets_no_help_with_its_game_until_it_is_over(site: Site) -> None:
    host = new_event(site.http)
    early = join(host, "Cy")
    assert refusals(asks(early, **SAME)) == [], "before the start they practise"
    ada, _ = started(host)
    for answer in asks(ada, **SAME):
        assert "no help with it until the event is over" in refused(answer, 403)
    assert "event" in refused(ada.at_game(ada.row["game"]).get("/hint"), 403)
    assert helped(host) == {ada.player: 1}, "once a minute"
    wish = {"game": "capture", "opponent": "hard", "variant": {"n": 7}, "moves": "7 5"}
    refused(ada.http.post("/api/v1/games", json={**wish, "key": ada.token}), 403)
    host.act("pause")
    refused(ada.http.get("/api/v1/values", params=SAME, headers=ada.headers), 403)
    host.act("end")
    assert refusals(asks(ada, **SAME)) == [], "afterwards everything is open"
    report = {one["nickname"]: one["helped"] for one in host.get("/class").json()["players"]}
    assert report["Ada"]["times"] == 1, "the host still sees it in the report"
    assert report["Bo"] is None
    table = csv.DictReader(io.StringIO(host.get("/table.csv").content.decode("utf-8-sig")))
    assert {row["Nickname"]: row["Asked for help"] for row in table} == {
        "Ada": "1", "Bo": "0", "Cy": "0",
    }  # fmt: skip


def test_a_game_that_its_event_has_left_behind_is_no_game_to_go_on_with(site: Site) -> None:
    host = new_event(site.http)
    ada, _ = started(host)

    def closed() -> list[bool]:
        games = ada.http.get("/api/v1/games", headers=ada.headers).json()["games"]
        return [one["closed"] for one in games]

    assert closed() == [False]
    host.act("end")
    assert closed() == [True]


def test_other_games_and_other_people_are_not_refused(site: Site) -> None:
    host = new_event(site.http)
    ada, bo = started(host)
    assert refusals(asks(ada, **OTHER)) == []
    stranger = Visitor(site.http, host.id)
    assert stranger.http.get("/api/v1/values", params=SAME).is_success
    assert helped(host) == {}
    # Another size of the board is the same game.
    large = {"game": "capture", "variant": "n=9"}
    refused(bo.http.get("/api/v1/values", params=large, headers=bo.headers), 403)
    host.act("remove", player=ada.player)
    assert ada.http.get("/api/v1/values", params=SAME, headers=ada.headers).is_success
    assert helped(host) == {bo.player: 1}


def test_nobody_fills_the_log_with_requests_for_help(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = new_event(site.http, format="arena")
    ada, _ = started(host)
    before = len(log_of(site.database, host.id))
    for _ in range(30):
        refused(ada.http.get("/api/v1/values", params=SAME, headers=ada.headers), 403)
    kinds = [entry.kind for entry in log_of(site.database, host.id)[before:]]
    assert kinds.count("help") == 1
    monkeypatch.setattr(actions, "HELP_SECONDS", 0.0)
    refused(ada.http.get("/api/v1/values", params=SAME, headers=ada.headers), 403)
    assert helped(host) == {ada.player: 2}
    assert "help" not in str(ada.look()["event"]["players"]), "only the host sees it"


def test_looking_at_an_old_game_or_a_profile_is_not_asking_for_help(site: Site) -> None:
    host = new_event(site.http)
    ada, _ = started(host)
    old = create(site.http, "capture", opponent="easy", key=ada.token, variant={"n": 7})
    person = Person(site.http, old.id, ada.token)
    person.resign()
    refused(person.get("/report"), 403)
    wish = {"action": "begin", "state": {"record": RECORD, "seat": 1}}
    mistakes = site.http.post("/api/v1/activities/mistakes", json=wish, headers=ada.headers)
    refused(mistakes, 403)
    assert helped(host) == {}
