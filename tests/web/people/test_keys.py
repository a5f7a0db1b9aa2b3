"""One key for all games of a browser: answers that are lost cost nothing, and the key goes to other
devices by a link that works once."""

from __future__ import annotations

import json
import secrets
import socket
import time
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from http.cookies import SimpleCookie
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest

from numduel.web.games import service
from numduel.web.people import device_links
from numduel.web.people.keys import MAX_KEYS
from numduel.web.people.my_games import PAGE
from tests.web.site import (
    Person,
    Process,
    Site,
    accepted,
    asked,
    browser,
    create,
    friends,
    join,
    kept,
    new_postgresql,
    play,
    refused,
    served,
    set_cookies,
    together,
    until,
)

COOKIE, PAGE_COOKIE = "numduel-key", "numduel-page"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served(tmp_path_factory.mktemp("web") / "games.db") as site:
        yield site


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def either(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server with each kind of database."""
    folder = tmp_path_factory.mktemp("web")
    with served(folder / "games.db" if request.param == "sqlite" else new_postgresql()) as site:
        yield site


@pytest.fixture
def ann(site: Site) -> Iterator[httpx.Client]:
    with browser(site.url) as one:
        yield one


@pytest.fixture
def bob(site: Site) -> Iterator[httpx.Client]:
    with browser(site.url) as one:
        yield one


def key() -> str:
    """A key as a browser makes it."""
    return secrets.token_urlsafe(32)


def lost(port: int, path: str, body: dict[str, Any], cookie: str = "") -> None:
    """Send a request, and hang up before it is answered."""
    text = json.dumps(body).encode()
    head = [
        f"POST {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json",
        f"Content-Length: {len(text)}", *([f"Cookie: {COOKIE}={cookie}"] if cookie else ()),
    ]  # fmt: skip
    with socket.create_connection(("127.0.0.1", port)) as wire:
        wire.sendall("\r\n".join([*head, "", ""]).encode() + text)


def begin(who: httpx.Client, **wishes: Any) -> Any:
    """Create a game as a page does."""
    body = {"game": "duel", "opponent": "friend", "cookie": True, "key": key(), **wishes}
    response = who.post("/api/v1/games", json=body)
    assert response.status_code == 201, response.text
    return response.json()


def sit(who: httpx.Client, game: Any, **more: Any) -> httpx.Response:
    """Follow an invitation as a page does."""
    body = {"invite": game["invite"], "cookie": True, "key": key(), **more}
    return who.post(f"/api/v1/games/{game['id']}/join", json=body)


def mine(who: httpx.Client) -> list[Any]:
    """All games of a browser."""
    found: list[Any] = []
    skip: int | None = 0
    while skip is not None:
        told = who.get("/api/v1/games", params={"skip": skip}).json()
        found += told["games"]
        skip = told["next"]
    return found


def carry(one: httpx.Client, other: httpx.Client) -> httpx.Response:
    """Bring the key of one browser to another, by a link."""
    secret = one.post("/api/v1/link").json()["secret"]
    return use(other, secret)


def use(who: httpx.Client, secret: str) -> httpx.Response:
    return who.post("/api/v1/link/use", json={"secret": secret, "key": key()})


# -- answers that are lost ------------------------------------------------------------------


def test_join_is_idempotent(either: Site) -> None:
    one, own = create(either.http, name="Ann"), key()
    body = {"invite": one.invite, "name": "Bob", "key": own, "cookie": True}
    lost(either.port, f"/api/v1/games/{one.id}/join", body)
    until(lambda: one.game["seats"] == [True, True], "the friend to sit down")
    with browser(either.url) as bob:
        told = bob.post(f"/api/v1/games/{one.id}/join", json=body)
        assert (told.status_code, told.json()["you"]) == (200, 2)
        assert bob.get(f"/api/v1/games/{one.id}").json()["you"] == 2
    with browser(either.url) as eve:
        other = eve.post(f"/api/v1/games/{one.id}/join", json=body | {"key": key()})
        assert "taken" in refused(other, 409)
        assert "set-cookie" not in other.headers
    assert one.game["number"] == 1
    accepted(one.move(4))
    bo = Person(either.http, one.id, own)
    accepted(bo.move(5))
    assert bo.post("join", invite=one.invite, key=own).json()["token"] == own, "also for programs"


def test_create_is_idempotent(either: Site) -> None:
    own = key()
    body = {"game": "duel", "opponent": "friend", "key": own, "nonce": "one", "cookie": True}
    (before,) = asked(either.database, "SELECT count(*) FROM games")
    lost(either.port, "/api/v1/games", body)
    until(lambda: asked(either.database, "SELECT count(*) FROM games") != [before], "the game")
    with browser(either.url) as ann:
        again = [ann.post("/api/v1/games", json=body) for _ in range(2)]
        assert [answer.status_code for answer in again] == [201, 201]
        assert again[0].json() == again[1].json()
        assert len(mine(ann)) == 1
        with browser(either.url) as friend:
            assert sit(friend, again[0].json()).json()["you"] == 2
        third = ann.post("/api/v1/games", json=body).json()
        assert (third["id"], third["invite"]) == (again[0].json()["id"], None)
        other = ann.post("/api/v1/games", json=body | {"nonce": "two"}).json()
        assert other["id"] != third["id"]
        without = [begin(ann)["id"] for _ in range(2)]
        assert without[0] != without[1], "who says nothing wants another"


def test_creating_the_same_game_many_times_at_once_creates_one(either: Site) -> None:
    body = {"game": "duel", "opponent": "here", "key": key(), "nonce": "same"}
    answers = together(*[partial(either.http.post, "/api/v1/games", json=body)] * 6)
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 1


def test_the_same_nonce_with_another_key_is_another_game(site: Site) -> None:
    body = {"game": "duel", "opponent": "friend", "nonce": "1"}
    games = [site.http.post("/api/v1/games", json=body | {"key": key()}).json() for _ in range(2)]
    assert games[0]["id"] != games[1]["id"]
    assert games[0]["invite"] != games[1]["invite"]


def test_rematch_is_idempotent(site: Site) -> None:
    with browser(site.url) as ann:
        game = begin(ann, opponent="random", moves="4 6 5 1")
        path = f"/api/v1/games/{game['id']}"
        accepted(ann.post(f"{path}/resign", json={"after": game["game"]["number"]}))
        lost(site.port, f"{path}/rematch", {}, cookie=ann.cookies[COOKIE])
        again = until(lambda: ann.get(path).json()["game"]["rematch"]["game"], "the other game")
        told = ann.post(f"{path}/rematch", json={}).json()
        assert told["game"]["rematch"]["game"] == again
        assert ann.get(f"/api/v1/games/{again}").json()["you"] == 1
        assert [one["id"] for one in mine(ann)] == [game["id"]], "nobody has moved in the other"
        assert ann.get("/api/v1/games").json()["total"] == 2


def test_asking_for_a_seat_is_idempotent(site: Site) -> None:
    one, own = create(site.http), key()
    body = {"name": "Bob", "key": own, "cookie": True}
    lost(site.port, f"/api/v1/games/{one.id}/requests", body)
    (request,) = until(lambda: one.game["requests"], "the request")
    with browser(site.url) as bob:
        assert bob.post(f"/api/v1/games/{one.id}/requests", json=body).json()["request"] == 1
        accepted(one.answer(request["number"]))
        assert bob.get(f"/api/v1/games/{one.id}").json()["you"] == 2


def test_answers_lost_with_a_killed_server_are_given_again(tmp_path: Path) -> None:
    """It is killed right after it was asked, whatever it has done by then."""
    own, friend = key(), key()
    wish = {"game": "duel", "opponent": "friend", "key": own, "nonce": "1"}
    path = tmp_path / "games.db"
    with Process(tmp_path, "--rate", "0", "--database", f"sqlite:///{path}") as server:
        one, two = friends(server.ready().http)
        accepted(two.resign())
        accepted(one.rematch())
        game = create(server.http)
        body = {"invite": game.invite, "key": friend}
        lost(server.port, "/api/v1/games", wish)
        lost(server.port, f"/api/v1/games/{game.id}/join", body)
        lost(server.port, f"/api/v1/games/{two.id}/rematch", {}, cookie=str(two.token))
        server.kill()
    with served(path) as site:
        made = [site.http.post("/api/v1/games", json=wish).json() for _ in range(2)]
        assert made[0] == made[1]
        sat = Person(site.http, game.id, friend)
        assert [sat.post("join", **body).json()["seat"] for _ in range(2)] == [2, 2]
        again = accepted(two.over(site.http).rematch())["rematch"]["game"]
        assert [who.over(site.http).at(again).look()["you"] for who in (one, two)] == [1, 2]
        assert asked(site.database, "SELECT count(*) FROM games") == [(4,)]


# -- the seat is offered again --------------------------------------------------------------


def test_a_seat_is_offered_again_until_the_friend_has_moved(either: Site) -> None:
    one = create(either.http, name="Ann")
    eve = join(one, "Eve")
    assert one.game["newcomer"] == 2
    with eve.live() as looking:
        looking.until(lambda game: game["present"][1], "Eve to be there")
        told = one.post("offer", after=1).json()
        game = looking.until(lambda game: game["seats"] == [True, False], "the seat to be free")
        assert looking.seen[-1]["you"] is None
        until(lambda: not one.game["present"][1], "Eve to be nobody")
    assert (told["you"], game["names"]) == (1, ["Ann", "Player 2"])
    assert told["invite"] != one.invite
    assert "seat" in refused(eve.move(4), 403)
    assert "invitation" in refused(eve.post("join", invite=one.invite), 403)
    assert one.post("offer", after=1).json()["invite"] == told["invite"], "asked again, the same"
    two = join(Person(either.http, one.id, None, told["invite"]), "Bob")
    assert "look again" in refused(one.post("offer", after=1), 409)
    assert "seat" in refused(eve.post("offer", after=3), 403)
    assert "cannot be offered" in refused(two.post("offer", after=3), 403)
    play((one, two), "4 5")
    assert one.game["newcomer"] is None
    assert "moved" in refused(one.post("offer", after=5), 403)
    assert [row.kind for row in kept(either.database, one.id)] == [
        "join", "offer", "join", "move", "move",
    ]  # fmt: skip


def test_nobody_is_offered_the_seat_of_a_computer_or_of_a_friend_from_before(site: Site) -> None:
    computer = create(site.http, opponent="random")
    assert "cannot be offered" in refused(computer.post("offer", after=0), 403)
    one, two = friends(site.http)
    accepted(one.resign())
    refused(one.post("offer", after=2), 409)
    accepted(one.rematch())
    again = one.at(accepted(two.rematch())["rematch"]["game"])
    assert "cannot be offered" in refused(again.post("offer", after=1), 403)


def test_the_offers_of_a_seat_are_limited(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_OFFERS", 2)
    one = create(site.http)
    for _ in range(2):
        join(one)
        one.invite = one.post("offer", after=one.game["number"]).json()["invite"]
    join(one)
    assert "too often" in refused(one.post("offer", after=one.game["number"]), 403)


# -- one key for all games ------------------------------------------------------------------


def test_a_browser_keeps_its_seats_however_many_games_it_has(
    ann: httpx.Client, bob: httpx.Client
) -> None:
    """Some are its own, some are a friend's, some are against the computer or on one screen."""
    games = []
    for number in range(62):
        if number % 2:
            opponent = ("random", "here", "friend")[number % 3]
            moves = "" if opponent == "friend" else "4 6 5 1"
            games.append(begin(ann, opponent=opponent, moves=moves)["id"])
        else:
            game = begin(bob)
            assert sit(ann, game).status_code == 200
            games.append(game["id"])
    assert len(ann.cookies) == 2, "for the API, and for pages"
    seats = [ann.get(f"/api/v1/games/{game}").json()["you"] for game in games]
    assert seats == [2, 1] * 31
    found = mine(ann)
    assert sorted(game["id"] for game in found) == sorted(games)
    assert len(mine(bob)) == 31
    first = ann.get("/api/v1/games").json()
    assert (len(first["games"]), first["total"]) == (PAGE, 62)
    assert all(one["at"] >= other["at"] for one, other in pairwise(found))


def test_games_that_nobody_misses_are_not_listed(ann: httpx.Client) -> None:
    kept = [
        begin(ann, opponent="friend")["id"],
        begin(ann, opponent="easy", moves="4 6 5 1")["id"],
        begin(ann, opponent="here", moves="4")["id"],
    ]
    left = [
        begin(ann, opponent="here")["id"],
        begin(ann, opponent="easy")["id"],
        begin(ann, opponent="easy", moves="4 6")["id"],
    ]
    latest = begin(ann, opponent="easy", moves="4 6")["id"]
    assert {game["id"] for game in mine(ann)} == {*kept, latest}
    assert sorted(ann.get("/api/v1/games").json()["unlisted"]) == sorted(left)
    quick = begin(ann, opponent="easy")
    ann.post(f"/api/v1/games/{quick['id']}/resign", json={"after": 0})
    assert quick["id"] not in {game["id"] for game in mine(ann)}, "nobody lost there"
    assert ann.get("/api/v1/statistics").json()["statistics"]["counts"] == []


def test_statistics_are_of_the_games_of_a_browser(ann: httpx.Client, bob: httpx.Client) -> None:
    for helped in (False, True):
        game = begin(ann, opponent="easy", variant={"n": 5, "k": 1})["id"]
        if helped:
            assert ann.get(f"/api/v1/games/{game}/hint").status_code == 200
        number = ann.get(f"/api/v1/games/{game}").json()["game"]["number"]
        moved = ann.post(f"/api/v1/games/{game}/moves", json={"move": "3", "after": number})
        assert moved.json()["game"]["outcome"]["winner"] == 1
    for _ in range(2):  # the second time without folding the games again
        found = ann.get("/api/v1/statistics").json()["statistics"]
        assert found["counts"] == [
            ["duel", "easy", True, True, [1, 1]],
            ["duel", "easy", True, False, [1, 1]],
        ]
        assert (found["streak"], len(found["latest"]), found["unfinished"]) == (1, 2, 0)
    assert bob.get("/api/v1/statistics").json()["statistics"]["counts"] == []
    told = ann.post(
        "/api/v1/activities/profile",
        json={"state": {"statistics": found, "streak": {"days": 3}}, "action": "begin"},
    ).json()
    assert told["scene"]["goal"] == "Next: beat the computer (medium) at Sequence Duel."
    assert told["scene"]["then"] == "judge"
    judged = ann.post(
        "/api/v1/activities/profile", json={"state": told["state"], "action": "judge"}
    ).json()
    assert sorted(judged["state"]["accuracy"]) == sorted(one[0] for one in found["latest"])


def test_a_game_does_not_count_for_who_has_lost_the_seat(site: Site) -> None:
    one = create(site.http)
    eve = join(one, "Eve")
    two = join(Person(site.http, one.id, None, one.post("offer", after=1).json()["invite"]), "Bob")
    play((one, two), "4 5")
    accepted(one.resign())

    def counted(person: Person) -> Any:
        return site.http.get("/api/v1/statistics", headers=person.headers).json()["statistics"][
            "people"
        ]

    assert [counted(person) for person in (eve, one, two, eve)] == [0, 1, 1, 0]


def test_the_list_of_games_has_players_and_status(
    site: Site, ann: httpx.Client, bob: httpx.Client
) -> None:
    assert mine(ann) == []
    game = begin(bob, name="Bob")
    sit(ann, game, name="Ann")
    told = {"id": game["id"], "called": "Sequence Duel", "names": ["Bob", "Ann"], "you": 2}
    told |= {"one_screen": False, "moves": 0, "seats": [True, True], "to_move": 1}
    told |= {"players": ["human", "human"], "help": [], "closed": False}
    (found,) = mine(ann)
    assert found | {"at": 0} == told | {"status": "Bob to move.", "winner": None, "at": 0}
    accepted(ann.post(f"/api/v1/games/{game['id']}/resign", json={"after": 1}))
    (found,) = mine(bob)
    assert (found["you"], found["winner"], found["to_move"]) == (1, 1, None)
    assert abs(found["at"] - time.time()) < 60
    begin(ann, opponent="here", moves="4")
    assert [one["one_screen"] for one in mine(ann)] == [True, False], "the latest first"
    program = site.http.get(
        "/api/v1/games", headers={"Authorization": f"Bearer {ann.cookies[COOKIE]}"}
    )
    assert program.json()["total"] == 2, "a program's token is as good"


def test_a_key_is_kept_for_longer_whenever_it_is_used(ann: httpx.Client) -> None:
    game = begin(ann)
    uses = [
        ann.get("/api/v1/games"),
        ann.post(f"/api/v1/games/{game['id']}/key", json={"key": key()}),
        ann.post("/api/v1/games", json={"game": "duel", "opponent": "here", "cookie": True}),
    ]
    for response in uses:
        cookie, page = set_cookies(response)
        assert cookie.value == ann.cookies[COOKIE]
        assert page.value == ann.cookies[PAGE_COOKIE]
        for one, path in ((cookie, "/api"), (page, "/")):
            assert int(one["max-age"]) > 300 * 24 * 3600
            assert (one["httponly"], one["samesite"], one["path"]) == (True, "strict", path)


def test_the_key_that_a_browser_has_is_not_replaced(ann: httpx.Client, bob: httpx.Client) -> None:
    """What a page would bring is for a browser that has none."""
    first = begin(ann)
    before = ann.cookies[COOKIE]
    begin(ann)
    sit(ann, begin(bob))
    assert ann.cookies[COOKIE] == before
    assert ann.get(f"/api/v1/games/{first['id']}").json()["you"] == 1


@pytest.mark.parametrize("value", ["", "x", "A" * 42, "A" * 44, "A" * 43 + ".", "é" * 43, '"', "."])
def test_a_malformed_cookie_is_ignored(site: Site, value: str) -> None:
    headers = [(b"Cookie", f"{COOKIE}={value}".encode())]
    assert site.http.get("/api/v1/games", headers=headers).json() == {
        "games": [], "total": 0, "next": None, "unlisted": [],
    }  # fmt: skip
    body = {"game": "duel", "opponent": "here", "cookie": True, "key": key()}
    response = site.http.post("/api/v1/games", json=body, headers=headers)
    assert SimpleCookie(response.headers["set-cookie"])[COOKIE].value == body["key"]


def test_a_spectator_gets_no_cookie(site: Site, ann: httpx.Client) -> None:
    one, _ = friends(site.http)
    looks = [ann.get(path) for path in ("/", "/games", f"/play/{one.id}", "/api/v1/games")]
    looks.append(ann.post(f"/api/v1/games/{one.id}/key", json={"key": key()}))
    assert {answer.status_code for answer in looks} == {200}
    assert looks[-1].json()["you"] is None
    assert not any("set-cookie" in answer.headers for answer in looks)


def test_nobody_plays_both_seats_with_one_key(ann: httpx.Client) -> None:
    game = begin(ann)
    assert "friend" in refused(sit(ann, game), 409)
    asking = {"name": "Me", "cookie": True}
    assert "already" in refused(ann.post(f"/api/v1/games/{game['id']}/requests", json=asking), 409)
    assert ann.get(f"/api/v1/games/{game['id']}").json()["game"]["seats"] == [True, False]


# -- to another device ----------------------------------------------------------------------


def test_a_device_link_works_once(either: Site) -> None:
    clients = [browser(either.url) for _ in range(3)]
    desk, phone, eve = clients
    game = begin(desk, opponent="random", moves="4 6 5 1")
    own = begin(phone)
    secret = desk.post("/api/v1/link").json()["secret"]
    assert use(phone, secret).json() == {"keys": 2, "carried": {}}
    assert {one["id"] for one in mine(phone)} == {game["id"], own["id"]}, "nothing is lost"
    assert [one["id"] for one in mine(desk)] == [game["id"]], "nor given away"
    path = f"/api/v1/games/{game['id']}"
    accepted(phone.post(f"{path}/resign", json={"after": phone.get(path).json()["game"]["number"]}))
    later = begin(phone, opponent="here", moves="4")
    assert desk.get(f"/api/v1/games/{later['id']}").json()["you"] == 1, "from now on both have all"
    for who in (eve, desk, phone):
        assert "used" in refused(use(who, secret), 403)
    assert mine(eve) == []
    assert not eve.cookies.jar
    for client in clients:
        client.close()


def test_games_go_from_device_to_device_as_often_as_one_likes(site: Site) -> None:
    """A browser that had no games brings no key of its own along."""
    clients = [browser(site.url) for _ in range(MAX_KEYS + 3)]
    game = begin(clients[0])
    for one, other in pairwise(clients):
        assert carry(one, other).json()["keys"] == 1
        assert [found["id"] for found in mine(other)] == [game["id"]]
    full = browser(site.url)
    for _ in range(MAX_KEYS):
        with browser(site.url) as other:
            begin(other)
            secret = other.post("/api/v1/link").json()["secret"]
            last = use(full, secret)
            begin(full)
    assert last.json()["keys"] == MAX_KEYS
    secret = clients[0].post("/api/v1/link").json()["secret"]
    assert "too many" in refused(use(full, secret), 403)
    assert use(clients[1], secret).status_code == 200, "the link is still good for another"
    for client in (*clients, full):
        client.close()


def test_a_device_link_carries_what_the_browser_remembers(
    site: Site, ann: httpx.Client, bob: httpx.Client
) -> None:
    begin(ann)
    streak = {"day": "2026-11-15", "days": 3, "begun": "2026-11-15", "marks": "rr"}
    carried = {
        "streak": streak | {"hinted": False},
        "best": {"all": 7},
        "lessons": {"duel": [1, 2]},
        "accuracy": {"V3b1tq0k9Zfx": [3, 4, 9], "W3b1tq0k9Zfx": None, "older": 0.75},
    }
    secret = ann.post("/api/v1/link", json=carried).json()["secret"]
    assert "2026-11-15" not in str(asked(site.database, "SELECT * FROM device_links")), "sealed"
    assert use(bob, secret).json() == {"keys": 1, "carried": carried}
    for nonsense in (
        {"best": {"all": "many"}},
        {"best": {"all": -1}},
        {"accuracy": {"V3b1tq0k9Zfx": 1.5}},
        {"accuracy": {"V3b1tq0k9Zfx": [1, 2]}},
        {"lessons": {"duel": [0]}},
        {"accuracy": {"x" * 41: 0.5}},
        {"lessons": {str(number): [1] for number in range(201)}},
        {"streak": {"day": "someday"}},
        {"secrets": "of mine"},
    ):
        refused(ann.post("/api/v1/link", json=nonsense), 422)
    no_number, sent = '{"accuracy": {"V3b1tq0k9Zfx": NaN}}', {"Content-Type": "application/json"}
    refused(ann.post("/api/v1/link", content=no_number, headers=sent), 422)


def test_using_a_device_link_is_idempotent(site: Site, ann: httpx.Client) -> None:
    begin(ann)
    body = {"secret": ann.post("/api/v1/link").json()["secret"], "key": key()}
    lost(site.port, "/api/v1/link/use", body)
    used = "SELECT used_by FROM device_links WHERE used_by = {}"
    hashed = sha256(body["key"].encode()).hexdigest()
    until(lambda: asked(site.database, used, hashed), "the link to be used")
    with browser(site.url) as phone, browser(site.url) as eve:
        refused(use(eve, body["secret"]), 403)
        assert phone.post("/api/v1/link/use", json=body).status_code == 200
        assert len(mine(phone)) == 1


def test_a_device_link_expires_and_the_next_replaces_it(
    ann: httpx.Client, bob: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(ann)
    first, second = (ann.post("/api/v1/link").json()["secret"] for _ in range(2))
    refused(use(bob, first), 403)
    assert use(bob, second).status_code == 200
    monkeypatch.setattr(device_links, "LINK_SECONDS", -1)
    refused(use(bob, ann.post("/api/v1/link").json()["secret"]), 403)


def test_old_device_links_are_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_links, "LINK_SECONDS", 0.1)
    with served(tmp_path / "games.db") as site:
        begin(site.http)
        assert site.http.post("/api/v1/link").status_code == 200
        count = "SELECT count(*) FROM device_links"
        until(lambda: asked(site.database, count) == [(0,)], "the link to be gone")


def test_a_browser_without_games_gets_no_device_link(ann: httpx.Client) -> None:
    assert "no games" in refused(ann.post("/api/v1/link"), 403)
    ann.cookies.set(COOKIE, key(), path="/api")
    assert "no games" in refused(ann.post("/api/v1/link"), 403)


def test_the_keys_of_a_browser_are_limited(site: Site, bob: httpx.Client) -> None:
    begin(bob)
    for number in range(MAX_KEYS):
        with browser(site.url) as other:
            begin(other)
            answer = carry(other, bob)
        assert answer.status_code == (200 if number < MAX_KEYS - 1 else 403)
    assert len(mine(bob)) == MAX_KEYS


def test_neither_keys_nor_links_are_in_the_database(tmp_path: Path) -> None:
    with served(tmp_path / "games.db") as site, browser(site.url) as bob:
        game = begin(site.http)
        told = [site.http.cookies[COOKIE], site.http.post("/api/v1/link").json()["secret"]]
        assert use(bob, told[1]).status_code == 200
        told += [game["invite"], *bob.cookies[COOKIE].split(".")]
        files = b"".join(file.read_bytes() for file in tmp_path.iterdir())
        assert asked(site.database, "SELECT count(*) FROM device_links") == [(1,)]
    assert not [secret for secret in told if secret.encode() in files]


def test_a_page_of_another_site_cannot_make_or_use_a_device_link(ann: httpx.Client) -> None:
    begin(ann)
    headers = {"Origin": "https://evil.example"}
    refused(ann.post("/api/v1/link", headers=headers), 403)
    body = {"secret": "A" * 22, "key": key()}
    refused(ann.post("/api/v1/link/use", json=body, headers=headers), 403)
    game = begin(ann)["id"]
    refused(ann.post(f"/api/v1/games/{game}/key", json={"key": key()}, headers=headers), 403)
    refused(ann.post(f"/api/v1/games/{game}/offer", json={"after": 0}, headers=headers), 403)
