"""Classes on a server: codes on paper, pupils without names, and nothing left at the end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

import numduel
from numduel.activities.base import record_of
from numduel.classes import actions
from numduel.learn.lesson import lesson
from numduel.web import retention
from numduel.web.classes import service
from numduel.web.http.middleware import rate_limit
from numduel.web.storage import schema
from tests.web.events.test_events import SMALL, Host, row
from tests.web.site import Person, Site, asked, new_postgresql, refused, served, until


class Pupil(Person):
    """Somebody in a class, or at its door."""

    about = "classe"  # as in /api/v1/classes
    player = 0
    """Their number in an event."""

    def join(self, host: Host) -> httpx.Response:
        """Join an event of the class."""
        return self.post("join", event=host.id)

    def at_event(self, host: Host) -> Person:
        """The same pupil at an event."""
        return Host(self.http, host.id, self.token)

    @property
    def own(self) -> Any:
        """What they are told of themselves."""
        return self.look()["own"]

    def enter(self, personal: str) -> httpx.Response:
        """Type a code."""
        answer = self.post("enter", code=personal)
        if answer.status_code == 200:
            self.token = answer.json()["token"]
        return answer


class Teacher(Person):
    """Who has made a class."""

    about = "classe"

    @property
    def room(self) -> Any:
        """The whole class."""
        answer = self.get("/host")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def act(self, what: str, /, **body: Any) -> Any:
        """Do something that only the teacher may do."""
        answer = self.post(f"host/{what}", **body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def moved(self, http: httpx.Client) -> Teacher:
        """The same teacher at another server."""
        return Teacher(http, self.id, self.token)

    @property
    def codes(self) -> list[str]:
        """What is on the slips."""
        return [one["code"] for one in self.act("slips", link="http://here/c/X")]

    def pupil(self, number: int, http: httpx.Client | None = None) -> Pupil:
        """A pupil who has just typed their code."""
        one = Pupil(http or self.http, self.id)
        assert one.enter(self.codes[number - 1]).status_code == 200
        return one


def in_days(days: int) -> str:
    return (date.today() + timedelta(days)).isoformat()


def new_class(http: httpx.Client, pupils: int = 3, **wishes: Any) -> Teacher:
    body = {"pupils": pupils, "ends": in_days(90), **wishes}
    answer = http.post("/api/v1/classes", json=body)
    assert answer.status_code == 201, answer.text
    return Teacher(http, answer.json()["classroom"]["code"], answer.json()["host"])


def everything(database: str) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables about people."""
    names = set(schema.metadata.tables) - {"processes", "server"}
    return {name: asked(database, f"SELECT * FROM {name}") for name in names}


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """A server with a database of each kind."""
    file = tmp_path_factory.mktemp("classes") / "games.db"
    with served(file if request.param == "sqlite" else new_postgresql()) as site:
        yield site


# -- codes ----------------------------------------------------------------------------------


def test_a_pupil_types_a_code_once_and_is_known_by_a_nickname(site: Site) -> None:
    teacher = new_class(site.http)
    stranger = Pupil(site.http, teacher.id)
    assert stranger.own is None
    pupil = teacher.pupil(2)
    assert pupil.own["nickname"] == teacher.room["pupils"][1]["nickname"]
    assert [one["entered"] is not None for one in teacher.room["pupils"]] == [False, True, False]


def test_codes_work_however_they_are_typed_and_wrong_ones_do_not(site: Site) -> None:
    teacher = new_class(site.http)
    code = teacher.codes[0]
    typed = Pupil(site.http, teacher.id.lower()).enter(f" {code[:2]}-{code[2:].lower()}")
    assert typed.status_code == 200
    other = new_class(site.http)
    for wrong in (other.codes[0], "XXXXX", "nonsense"):
        refused(Pupil(site.http, teacher.id).enter(wrong), 403)


def test_the_same_codes_can_be_printed_again_and_are_all_different(site: Site) -> None:
    teacher = new_class(site.http, 60)
    assert teacher.codes == teacher.codes
    assert len(set(teacher.codes)) == 60
    assert len({one["nickname"] for one in teacher.room["pupils"]}) == 60


def test_a_new_code_takes_the_place_of_a_lost_one(site: Site) -> None:
    teacher = new_class(site.http)
    pupil, lost = teacher.pupil(1), teacher.codes[0]
    renewed = teacher.act("code", pupil=1)["code"]
    assert renewed == teacher.codes[0] != lost
    assert pupil.own is None
    refused(pupil.enter(lost), 403)
    assert pupil.enter(renewed).status_code == 200


@pytest.fixture
def besieged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A server on which no wrong code is forgotten, however long the test takes. Teachers are at
    home."""
    monkeypatch.setattr(service, "WRONG_RATE", 1e-9)
    with served(tmp_path / "games.db", proxy=True) as site:
        site.http.headers["X-Forwarded-For"] = "10.0.0.1"
        yield site


def enter(person: Person, code: str, address: str) -> int:
    """Type a code of a class at an address. Returns the status."""
    person.http.headers["X-Forwarded-For"] = address
    return Pupil(person.http, person.id).enter(code).status_code


def guessed(person: Person, address: str) -> int:
    """How many wrong codes of a class somebody can type at an address."""
    return [enter(person, "XXXXX", address) for _ in range(41)].index(429)


def watched(pupil: Pupil) -> None:
    """Watch the class until it is shown."""
    with pupil.live() as live:
        live.next()


SCHOOL = "127.0.0.1"
"""Where WebSockets come from, too."""
ELSEWHERE = [f"10.9.9.{number}" for number in range(5)]
SHOWN: dict[str, Callable[[Teacher, Pupil, str], Any]] = {
    "a right code": lambda _, pupil, code: pupil.enter(code),
    "a pupil who looks": lambda _, pupil, __: pupil.look(),
    "a pupil who watches": lambda _, pupil, __: watched(pupil),
    "the teacher": lambda teacher, _, __: teacher.room,
}


@pytest.mark.parametrize("shown", SHOWN)
def test_whoever_guesses_elsewhere_locks_nobody_out_where_a_class_is(
    besieged: Site, shown: str
) -> None:
    teacher = new_class(besieged.http)
    codes, pupil = teacher.codes, teacher.pupil(1)
    besieged.http.headers["X-Forwarded-For"] = SCHOOL
    SHOWN[shown](teacher, pupil, codes[0])
    assert [guessed(teacher, address) for address in ELSEWHERE] == [40] * 4 + [0]
    assert enter(teacher, codes[1], ELSEWHERE[4]) == 429, "nobody has been there"
    assert enter(teacher, codes[1], SCHOOL) == 200


def test_a_class_is_in_all_networks_of_its_ipv6_site(besieged: Site) -> None:
    teacher = new_class(besieged.http)
    codes = teacher.codes
    assert enter(teacher, codes[0], "2001:db8:5:1::1") == 200
    assert [guessed(teacher, address) for address in ELSEWHERE] == [40] * 4 + [0]
    assert enter(teacher, codes[1], "2001:db8:5:2::1") == 200
    assert enter(teacher, codes[1], "2001:db8:6:1::1") == 429


def test_who_looks_at_a_class_without_a_key_is_not_inside(besieged: Site) -> None:
    teacher = new_class(besieged.http)
    codes = teacher.codes
    besieged.http.headers["X-Forwarded-For"] = ELSEWHERE[4]
    assert Pupil(besieged.http, teacher.id, "x" * 43).own is None
    assert new_class(besieged.http).room, "a teacher of another class"
    assert [guessed(teacher, address) for address in ELSEWHERE] == [40] * 4 + [0]
    assert enter(teacher, codes[0], ELSEWHERE[4]) == 429


def test_the_codes_of_a_class_are_not_guessed_from_inside_it_either(besieged: Site) -> None:
    """A pupil can show a right code at any number of addresses."""
    teacher = new_class(besieged.http)
    personal = teacher.codes[0]
    for address in ELSEWHERE:
        assert enter(teacher, personal, address) == 200
    assert [guessed(teacher, address) for address in ELSEWHERE] == [40] * 4 + [0]
    assert enter(teacher, personal, ELSEWHERE[4]) == 429


def test_all_networks_of_an_ipv6_site_guess_as_one_address(besieged: Site) -> None:
    teacher = new_class(besieged.http)
    assert [guessed(teacher, f"2001:db8:1:{number}::1") for number in range(5)] == [40] + [0] * 4
    assert enter(teacher, teacher.codes[0], "2001:db8:2::1") == 200


def test_a_new_code_from_the_teacher_works_however_many_wrong_ones_were_typed(
    besieged: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    teacher = new_class(besieged.http)
    here, there = ELSEWHERE[:2]
    for address in (here, there):
        assert guessed(teacher, address) == 40
    with monkeypatch.context() as later:
        later.setattr(service, "time", SimpleNamespace(time=lambda: time.time() + 7_200))
        ahead = teacher.act("code", pupil=3)["code"]
    assert enter(teacher, ahead, here) == 429, "the clock was put back since"
    renewed = teacher.act("code", pupil=2)["code"]
    assert enter(teacher, "XXXXX", here) == 429
    assert enter(teacher, renewed, here) == 200, "the teacher has just given it out"
    assert enter(teacher, renewed, there) == 429, "it works once in this way"


def test_only_hashes_of_secrets_are_stored(site: Site) -> None:
    teacher = new_class(site.http)
    pupil = teacher.pupil(1)
    kept = str(everything(site.database))
    assert teacher.id in kept
    for secret in (*teacher.codes, teacher.token, pupil.token):
        assert str(secret) not in kept


# -- the teacher ----------------------------------------------------------------------------


def test_a_class_that_is_made_again_with_the_same_key_is_the_same(site: Site) -> None:
    key = "k" * 42 + "A"
    one, two = new_class(site.http, key=key), new_class(site.http, 7, key=key)
    assert (one.id, one.codes) == (two.id, two.codes)


def test_creating_classes_is_limited_for_a_seat_and_for_an_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limit, "CLASSES_BURST", 2.0)
    monkeypatch.setattr(rate_limit, "EVENTS_BURST", 3.0)
    with served(tmp_path / "games.db", rate=1000) as site:

        def created(seat: str) -> httpx.Response:
            body, headers = {"pupils": 1, "ends": in_days(9)}, {"Authorization": f"Bearer {seat}"}
            return site.http.post("/api/v1/classes", json=body, headers=headers)

        assert [created("a" * 43).status_code for _ in range(2)] == [201, 201]
        assert "3600 seconds" in refused(created("a" * 43), 429)
        assert created("b" * 43).status_code == 201
        assert "120 seconds" in refused(created("c" * 43), 429)


def test_pupils_come_and_go(site: Site) -> None:
    teacher = new_class(site.http, 2)
    before = teacher.codes
    teacher.act("add", pupils=2)
    assert teacher.codes[:2] == before
    pupil = teacher.pupil(1)
    teacher.act("remove", pupil=1)
    assert [one["number"] for one in teacher.room["pupils"]] == [2, 3, 4]
    assert pupil.own is None
    refused(pupil.enter(before[0]), 403)
    refused(teacher.post("host/remove", pupil=1), 422)
    refused(teacher.post("host/add", pupils=58), 422)


def test_nobody_else_runs_a_class(site: Site) -> None:
    teacher = new_class(site.http)
    pupil = teacher.pupil(1)
    for stranger in (pupil, Pupil(site.http, teacher.id), Pupil(site.http, teacher.id, "x" * 43)):
        refused(stranger.get("/host"), 403)
        refused(stranger.post("host/slips", link="x"), 403)
        refused(stranger.post("host/remove", pupil=1), 403)
        refused(site.http.delete(stranger.path, headers=stranger.headers), 403)
    assert len(teacher.room["pupils"]) == 3


def test_strangers_are_told_only_that_a_class_exists(site: Site) -> None:
    teacher = new_class(site.http)
    told = Pupil(site.http, teacher.id).look()
    ends = in_days(90)
    assert told == {
        "you": None,
        "own": None,
        "classroom": {
            "code": teacher.id, "number": 0, "ends": ends, "events": [], "homework": [],
        },
    }  # fmt: skip
    refused(Pupil(site.http, "XXXXX").get(), 404)
    refused(Pupil(site.http, "nonsense").get(), 404)


@pytest.mark.parametrize("wish", [{"pupils": 61}, {"pupils": 0}, {"ends": "2020-01-01"}])
def test_a_class_that_makes_no_sense_is_refused(site: Site, wish: dict[str, Any]) -> None:
    refused(site.http.post("/api/v1/classes", json={"pupils": 3, "ends": in_days(9), **wish}), 422)


def test_a_live_channel_tells_a_pupil_that_they_are_out(site: Site) -> None:
    teacher = new_class(site.http)
    pupil = teacher.pupil(1)
    with pupil.live() as live:
        assert live.next()["own"]["number"] == 1
        teacher.act("remove", pupil=1)
        assert live.next()["own"] is None


# -- events ---------------------------------------------------------------------------------


def new_event(teacher: Teacher, **wishes: Any) -> Host:
    """An event for a class."""
    body = {"games": [SMALL], "format": "swiss", "rounds": 1, "legs": 1, **wishes}
    answer = teacher.post("host/event", **body)
    assert answer.status_code == 201, answer.text
    return Host(teacher.http, answer.json()["code"], answer.json()["host"])


def played(host: Host, *pupils: Pupil) -> None:
    """Have the event played: in each game, who is to move gives up."""
    host.act("start")
    until(lambda: host.event["pairings"], "a pairing")
    for pupil in pupils:
        if game := row(host.event, pupil.player)["game"]:
            assert pupil.at(game).resign().status_code == 200
    until(lambda: host.event["phase"] == "ended", "the end")


def test_pupils_join_the_event_of_their_class_under_their_nicknames(site: Site) -> None:
    teacher = new_class(site.http)
    ada, bo = teacher.pupil(1), teacher.pupil(2)
    host = new_event(teacher)
    assert ada.look()["classroom"]["events"] == [host.id]
    assert Pupil(site.http, teacher.id).look()["classroom"]["events"] == []
    for pupil in (ada, bo, ada):
        assert pupil.join(host).status_code == 200
    named = [one["nickname"] for one in host.event["players"]]
    assert sorted(named) == sorted([ada.own["nickname"], bo.own["nickname"]])
    assert host.event["classroom"] == teacher.id


def test_only_pupils_join_the_event_of_a_class(site: Site) -> None:
    teacher = new_class(site.http)
    host = new_event(teacher)
    refused(Pupil(site.http, teacher.id).join(host), 403)
    refused(site.http.post(f"{host.path}/join", json={"nickname": "Quick Otter"}), 422)
    refused(new_class(site.http).pupil(1).join(host), 404)
    assert host.event["players"] == []


def test_a_pupil_goes_on_in_another_browser_with_their_code(site: Site) -> None:
    teacher = new_class(site.http)
    host = new_event(teacher)
    here, there = teacher.pupil(1), teacher.pupil(1)
    one, two = here.join(host).json(), there.join(host).json()
    assert one["player"] == two["player"]
    assert there.at_event(host).look()["you"] == one["player"]
    assert here.at_event(host).look()["you"] is None


def test_a_browser_is_the_pupils_who_typed_their_code_in_it_last(site: Site) -> None:
    teacher = new_class(site.http)
    host = new_event(teacher)
    ada, bo = teacher.pupil(1), teacher.pupil(2)
    for pupil in (ada, bo):
        pupil.player = pupil.join(host).json()["player"]
    host.act("start")
    until(lambda: host.event["pairings"], "a pairing")
    game = row(host.event, ada.player)["game"]
    for number, code in enumerate(teacher.codes[1:], 2):
        assert ada.post("enter", code=code, key=ada.token).status_code == 200
        assert ada.join(host).json()["player"] == number
        seat = row(host.event, number)["seat"]
        assert ada.at(game).look()["you"] == seat, "not in a seat of the one before"
    host.act("remove", player=3)
    assert "taken you out" in refused(ada.join(host), 422)
    assert teacher.pupil(1).join(host).json()["player"] == 1, "who has another browser"


def test_a_class_remembers_what_its_pupils_did_in_an_event(site: Site) -> None:
    teacher = new_class(site.http)
    ada, bo = teacher.pupil(1), teacher.pupil(3)
    host = new_event(teacher)
    for pupil in (ada, bo):
        pupil.player = pupil.join(host).json()["player"]
    played(host, ada)
    until(lambda: ada.own["results"], "the results")
    assert [(one["games"], one["wins"]) for one in ada.own["results"]] == [(1, 0)]
    assert [len(one["results"]) for one in teacher.room["pupils"]] == [1, 0, 1]
    assert teacher.room["pupils"][2]["results"][0]["wins"] == 1
    (event,) = teacher.room["events"]
    assert (event["over"], event["pupils"]) == (True, 2)
    assert (
        event["called"]
        == ada.own["results"][0]["called"]
        == ["Number Capture (the length of the line: 7)"]
    )
    assert ada.look()["classroom"]["events"] == []
    # The results stay when the event is gone.
    assert site.http.delete(host.path, headers=host.headers).status_code == 204
    refused(ada.join(host), 404)
    assert len(ada.own["results"]) == 1


def test_the_teacher_finds_the_hosts_secret_again(site: Site) -> None:
    teacher = new_class(site.http)
    key = "e" * 42 + "A"
    host, again = new_event(teacher, key=key), new_event(teacher, key=key)
    assert (host.id, host.token) == (again.id, again.token)
    assert [one["host"] for one in teacher.room["events"]] == [host.token]


def test_an_event_of_a_class_is_made_with_its_note_or_not_at_all(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the note, nobody would find the event or delete it with the class."""
    teacher, other = new_class(site.http), new_class(site.http)
    before = len(everything(site.database)["events"])
    taken = new_event(other).id
    with monkeypatch.context() as patch:
        patch.setattr(service, "new_code", lambda: taken)
        refused(teacher.post("host/event", games=[SMALL]), 409)
    assert teacher.room["events"] == [], "no note without the event"
    host = new_event(teacher)
    monkeypatch.setattr(actions, "MAX_EVENTS", 1)
    refused(teacher.post("host/event", games=[SMALL]), 422)
    assert len(everything(site.database)["events"]) == before + 2, "no event without the note"
    assert [one["code"] for one in teacher.room["events"]] == [host.id]


def test_an_event_of_a_class_whose_code_is_taken_gets_another(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    teacher = new_class(site.http)
    taken = new_event(teacher).id
    drawn = iter([taken, taken, "FREE22"])
    monkeypatch.setattr(service, "new_code", lambda: next(drawn))
    assert new_event(teacher).id == "FREE22"
    assert {one["code"] for one in teacher.room["events"]} == {taken, "FREE22"}


def test_not_more_events_are_made_for_classes_than_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limit, "EVENTS_BURST", 3.0)
    monkeypatch.setattr(rate_limit, "OWN_EVENTS_BURST", 2.0)
    with served(tmp_path / "games.db", rate=1000) as site:
        teacher = new_class(site.http)
        for _ in range(2 + 2):  # The teacher's own, and what the class has left of the address's.
            new_event(teacher)
        refused(teacher.post("host/event", games=[SMALL]), 429)
        refused(site.http.post("/api/v1/classes", json={"pupils": 1, "ends": in_days(9)}), 429)


def test_an_event_that_was_deleted_does_not_go_on_in_the_class(site: Site) -> None:
    teacher = new_class(site.http)
    pupil, host = teacher.pupil(1), new_event(teacher)
    assert site.http.delete(host.path, headers=host.headers).status_code == 204
    refused(pupil.join(host), 404)
    assert pupil.look()["classroom"]["events"] == []


# -- homework -------------------------------------------------------------------------------


def give(teacher: Teacher, **task: Any) -> None:
    """Set homework for tomorrow."""
    teacher.act("homework", until=time.time() + 86_400, **task)


def count(pupil: Pupil) -> int:
    """How much of the homework a pupil has done."""
    (done,) = pupil.own["homework"]
    return int(done["count"])


def beat(pupil: Pupil, helped: str = "") -> None:
    """Win a game against the weakest computer, perhaps with help."""
    body = {"game": "duel", "opponent": "random", "key": pupil.token}
    one = pupil.at(pupil.http.post("/api/v1/games", json=body).json()["id"])
    if helped:
        assert one.get(f"/{helped}").status_code == 200
    while (game := one.game)["to_move"] is not None:
        if game["to_move"] == 1:
            best = numduel.analyse(numduel.game("duel").replay(game["text"]))[0]
            one.move(best.move, game["number"])
    assert game["outcome"]["winner"] == 1


def perform(pupil: Pupil, name: str, action: str, given: str, state: Any = None) -> Any:
    """An activity after an action of a pupil."""
    body = {"state": state or {}, "action": action, "given": given}
    answer = pupil.http.post(f"/api/v1/activities/{name}", json=body, headers=pupil.headers)
    assert answer.status_code == 200, answer.text
    return answer.json()["state"]


def test_a_game_won_without_help_is_homework(site: Site) -> None:
    teacher = new_class(site.http)
    ada, bo = teacher.pupil(1), teacher.pupil(2)
    give(teacher, kind="beat", game="duel", level="random", goal=2)
    (told,) = ada.look()["classroom"]["homework"]
    assert told["told"] == "Beat the computer (random) twice, without help: Sequence Duel."
    assert told["link"] == "/?level=random#game-duel"
    beat(ada, "hint")
    beat(ada)
    until(lambda: count(ada) == 1, "the first win")
    beat(ada)
    until(lambda: count(ada) == 2, "the second win")
    assert count(bo) == 0
    done = [one["homework"][0] for one in teacher.room["pupils"]]
    assert [one["finished"] is not None for one in done] == [True, False, False]
    assert not done[0]["late"]


def test_a_step_of_a_lesson_is_homework_once_it_is_solved(site: Site) -> None:
    teacher = new_class(site.http)
    pupil = teacher.pupil(1)
    give(teacher, kind="lesson", game="duel")
    (told,) = pupil.look()["classroom"]["homework"]
    assert (told["link"], told["goal"] > 5) == ("/learn/duel", True)
    solve_step(pupil, perform(pupil, "lesson", "begin", "duel 2"))
    until(lambda: count(pupil) == 1, "the step")


def solve_step(pupil: Pupil, state: Any) -> None:
    """Do a step of a lesson, with the answer that the second hint gives."""
    for _ in range(2):
        state = perform(pupil, "lesson", "hint", "", state)
    assert perform(pupil, "lesson", "move", state["advised"][0], state)["solved"]


def test_what_a_browser_has_invented_is_no_homework(site: Site) -> None:
    teacher = new_class(site.http)
    ada, bo = teacher.pupil(1), teacher.pupil(2)
    give(teacher, kind="lesson", game="duel")
    steps = lesson(numduel.game("duel")).steps
    whole = next(number for number, step in enumerate(steps, 1) if step.kind == "beat")
    begun = perform(ada, "lesson", "begin", f"duel {whole}")
    nearly = record_of(steps[whole - 1].state.game.replay("1 9 2 8"))
    won = perform(ada, "lesson", "move", "3", {**begun, "at": nearly})
    unsigned = {key: value for key, value in begun.items() if key != "signed"}
    assert won["solved"]
    for pupil, state in ((ada, unsigned), (bo, begun), (ada, {**begun, "signed": 7})):
        assert "signed" not in perform(pupil, "lesson", "move", "1", state), (
            "it can be gone on with"
        )
    assert "signed" not in won
    assert "signed" in perform(ada, "lesson", "move", "1", begun)
    solve_step(ada, perform(ada, "lesson", "step", "2", won))  # Begun anew, it counts.
    until(lambda: count(ada), "the step")
    assert (count(ada), count(bo)) == (1, 0)


def test_a_lesson_is_gone_on_with_at_another_process() -> None:
    address = new_postgresql()
    with served(address) as here, served(address) as there:
        teacher = new_class(here.http)
        pupil = teacher.pupil(1)
        give(teacher, kind="lesson", game="duel")
        state = perform(pupil, "lesson", "begin", "duel 2")
        pupil.http = there.http
        solve_step(pupil, state)
        until(lambda: count(pupil) == 1, "the step")


def test_a_puzzle_is_homework_if_it_is_the_one_it_says_it_is(site: Site) -> None:
    teacher = new_class(site.http)
    pupil = teacher.pupil(1)
    give(teacher, kind="puzzles", game="duel", goal=9)
    assert "signed" not in solve(pupil, "seed=1&game=duel", called="seed=3&game=duel")
    for link in ("seed=1&game=duel", "seed=1&game=duel", "seed=2&game=duel"):
        assert "signed" in solve(pupil, link)
    until(lambda: count(pupil) >= 2, "both puzzles")
    ((log,),) = asked(
        site.database,
        "SELECT count(*) FROM class_log WHERE kind = 'done' AND classroom = {}",
        teacher.id,
    )
    assert (count(pupil), log) == (2, 2), "each once, and not the one with another's name"


def solve(pupil: Pupil, link: str, *, called: str = "") -> Any:
    """Try all moves of a puzzle until one is right; perhaps under the name of another."""
    state = perform(pupil, "puzzle", "begin", link)
    if called:
        state["posed"]["link"] = called
    for move in state["candidates"]:
        state = perform(pupil, "puzzle", "move", move, state)
        if state["over"]:
            return state
    raise AssertionError("no move is right")


def test_only_the_teacher_sets_homework(site: Site) -> None:
    teacher = new_class(site.http)
    pupil = teacher.pupil(1)
    task = {"kind": "lesson", "game": "duel", "until": time.time() + 86_400}
    refused(pupil.post("host/homework", **task), 403)
    refused(teacher.post("host/homework", **{**task, "until": 1.0}), 422)
    refused(teacher.post("host/homework", **{**task, "game": "chess"}), 422)
    refused(teacher.post("host/homework", **{**task, "kind": "beat"}), 422)
    give(teacher, kind="lesson", game="duel")
    (set_,) = pupil.look()["classroom"]["homework"]
    refused(pupil.post("host/withdraw", homework=set_["number"]), 403)
    teacher.act("withdraw", homework=set_["number"])
    assert pupil.look()["classroom"]["homework"] == []


# -- the end --------------------------------------------------------------------------------


def test_of_a_deleted_class_nothing_is_left(tmp_path: Path) -> None:
    with served(tmp_path / "games.db") as site:
        teacher = new_class(site.http)
        pupil, other = teacher.pupil(1), teacher.pupil(2)
        host = new_event(teacher)
        for one in (pupil, other):
            one.player = one.join(host).json()["player"]
        played(host, pupil)
        until(lambda: pupil.own["results"], "the results")
        new_event(teacher)
        with pupil.live() as live:
            live.next()
            gone = site.http.delete(teacher.path, headers=teacher.headers)
            assert gone.status_code == 204
            assert live.closed() == 4404
        refused(pupil.get(), 404)
        assert set(map(len, everything(site.database).values())) == {0}


def test_a_class_is_deleted_two_weeks_after_its_last_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "FIRST_PAUSE", 0.0)
    with served(tmp_path / "games.db") as site:
        over, going_on = new_class(site.http, ends=in_days(0)), new_class(site.http)
        address = site.database
    ((until_then,),) = asked(address, "SELECT until FROM classes WHERE code = {}", over.id)
    last = datetime.fromisoformat(in_days(0)) + timedelta(1 + service.KEPT_DAYS)
    assert until_then == last.timestamp()
    asked(address, "UPDATE classes SET until = until - {} WHERE code = {}", 16 * 86400, over.id)
    asked(address, "UPDATE class_log SET kind = 'unknown' WHERE classroom = {}", over.id)
    with served(address) as back:
        until(lambda: over.moved(back.http).get().status_code == 404, "it to be deleted")
        assert going_on.moved(back.http).get().status_code == 200


def test_what_happens_at_one_process_is_known_at_the_other() -> None:
    address = new_postgresql()
    with served(address) as here, served(address) as there:
        teacher = new_class(here.http)
        pupil = teacher.pupil(1, there.http)
        with pupil.live() as live:
            live.next()
            teacher.act("code", pupil=1)
            assert live.next()["own"] is None
            here.http.delete(teacher.path, headers=teacher.headers)
            assert live.closed() == 4404
