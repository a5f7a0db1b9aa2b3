"""What the server refuses before anything else happens, and what every answer carries."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from collections.abc import Callable, Iterator
from html import unescape
from os.path import normpath
from pathlib import Path
from typing import Any, TypeVar

import pytest
from starlette.types import Message, Receive, Scope, Send
from websockets.exceptions import InvalidStatus

import numduel
from numduel.web.http.middleware import body_size, rate_limit
from numduel.web.http.middleware.client import network
from numduel.web.http.middleware.rate_limit import (
    BURST_SECONDS,
    FEW_KEYS,
    OWN_BURST_SECONDS,
    OWN_SHARE,
    ChannelLimit,
    RateLimit,
    is_channel,
)
from numduel.web.http.tables import MAX_TEXTS, Recent, Table, TokenBuckets, shared_tables
from numduel.web.pages import routes as pages
from numduel.web.pages import static
from numduel.web.pages.origins import MAX_ORIGINS
from numduel.web.people.keys import digest, new_key, page_key
from numduel.web.people.known import NEWCOMERS_AT_ONCE, KnownKeys
from tests.games import NAMES, RULEBOOKS
from tests.plugins.limit import remaining
from tests.web.site import (
    Person,
    Site,
    asked,
    browser,
    create,
    friends,
    refused,
    served,
    until,
)

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
GAME = "a-game-to-see"
"""The id of a game that is there."""
PAGES = (
    "/", f"/play/{GAME}", "/analyse", "/puzzles", "/learn", "/learn/duel", "/games",
    "/rules/duel", "/teach", "/teach/duel", "/arena", "/join",
)  # fmt: skip
FILES = {
    path.relative_to(static.FOLDER).as_posix(): path
    for path in static.FOLDER.rglob("*.*")
    if path.suffix != ".ts"
}
"""All but the types, which only the checker reads."""
TEXTS = {name: path.read_text("utf-8") for name, path in FILES.items() if path.suffix != ".png"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served(tmp_path_factory.mktemp("web") / "games.db") as site:
        one = create(site.http)
        for column in ("games SET id = {} WHERE id", "seats SET game = {} WHERE game"):
            asked(site.database, f"UPDATE {column} = {{}}", GAME, one.id)
        yield site


def exchanged(site: Site, request: bytes) -> bytes:
    """What comes back on a connection on which exactly this is said."""
    with socket.create_connection(("127.0.0.1", site.port), remaining()) as plain:
        plain.sendall(request)
        answer = b""
        while more := plain.recv(1 << 16):
            answer += more
    return answer


# -- too much -------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/api/v1/games", "/api/v1/games/V3b1tq0k9Zfx/moves"])
def test_a_long_body_is_refused_before_it_is_read(site: Site, path: str) -> None:
    body = json.dumps({"game": "duel", "opponent": "friend", "moves": " " * 17_000})
    headers = {"Content-Type": "application/json"}
    refused(site.http.post(path, content=body, headers=headers), 413)
    answer = exchanged(
        site,
        f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        "Content-Length: 99999999999\r\nConnection: close\r\n\r\n".encode(),
    )
    assert answer.startswith(b"HTTP/1.1 413 ")


def test_a_long_body_that_comes_during_a_stream_ends_it_without_an_error() -> None:
    said: list[str] = []

    async def stream(_: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while (message := await receive())["type"] != "http.disconnect":
            said.append(message["type"])

    async def receive() -> Message:
        return {"type": "http.request", "body": b"x" * 10_000, "more_body": True}

    async def send(_: Message) -> None:
        pass

    scope = {"type": "http", "headers": [(b"transfer-encoding", b"chunked")]}
    asyncio.run(body_size.BodySizeLimit(stream)(scope, receive, send))  # type: ignore[arg-type]
    assert said == ["http.request"]


@pytest.mark.parametrize("path", ["/api/v1/games", "/api/v1/activities/puzzle"])
def test_a_long_chunked_body_is_refused(site: Site, path: str) -> None:
    def endless() -> Iterator[bytes]:
        yield b'{"game":"duel","opponent":"friend","moves":"'
        for _ in range(20):
            yield b" " * 1000
        yield b'"}'

    headers = {"Content-Type": "application/json"}
    refused(site.http.post(path, content=endless(), headers=headers), 413)


def test_an_endless_body_is_not_waited_for(site: Site) -> None:
    chunk = b"3e8\r\n" + b" " * 1000 + b"\r\n"
    answer = exchanged(
        site,
        b"POST /api/v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n" + 20 * chunk,
    )
    assert answer.startswith(b"HTTP/1.1 413 ")


def test_a_body_of_the_largest_size_is_read(site: Site) -> None:
    body = json.dumps({"game": "duel", "opponent": "friend"}).ljust(body_size.MAX_BODY)
    headers = {"Content-Type": "application/json"}
    assert site.http.post("/api/v1/games", content=body, headers=headers).status_code == 201
    refused(site.http.post("/api/v1/games", content=body + " ", headers=headers), 413)


LONG: dict[str, tuple[str, dict[str, Any]]] = {
    "name": ("", {"game": "duel", "opponent": "friend", "name": "x" * 41}),
    "game": ("", {"game": "x" * 81, "opponent": "friend"}),
    "moves": ("", {"game": "duel", "opponent": "friend", "moves": "1 " * 3001}),
    "settings": ("", {"game": "duel", "opponent": "friend", "variant": {"n": "9" * 21}}),
    "variant": (
        "", {"game": "duel", "opponent": "friend", "variant": {f"n{i}": i for i in range(9)}}
    ),
    "number": ("", {"game": "duel", "opponent": "friend", "variant": {"n": 10**30}}),
    "move": ("/V3b1tq0k9Zfx/moves", {"move": "x" * 41, "after": 0}),
    "nothing": ("/V3b1tq0k9Zfx/moves", {"move": "", "after": 0}),
    "after": ("/V3b1tq0k9Zfx/moves", {"move": "1", "after": 10**7}),
    "before": ("/V3b1tq0k9Zfx/moves", {"move": "1", "after": -1}),
    "invite": ("/V3b1tq0k9Zfx/join", {"invite": "x" * 65}),
    "short": ("/V3b1tq0k9Zfx/join", {"invite": "x"}),
    "guest": ("/V3b1tq0k9Zfx/join", {"invite": "x" * 22, "name": "x" * 41}),
    "asker": ("/V3b1tq0k9Zfx/requests", {"name": "x" * 41}),
    "nobody": ("/V3b1tq0k9Zfx/requests", {"name": ""}),
    "request": ("/V3b1tq0k9Zfx/requests/9999999", {"say": "accept"}),
}  # fmt: skip


@pytest.mark.parametrize("field", LONG)
def test_every_field_has_its_limit(site: Site, field: str) -> None:
    path, body = LONG[field]
    refused(site.http.post(f"/api/v1/games{path}", json=body), 422)


@pytest.mark.parametrize("game", ["x", "x" * 33, "V3b1t%20..k9", "AAAAAAAAAAAA", "x%00x%00x"])
def test_a_game_that_cannot_be_is_missing_like_any_other(site: Site, game: str) -> None:
    """As a page for people, and in JSON for programs."""
    assert refused(site.http.get(f"/api/v1/games/{game}"), 404) == "There is no such game."
    body = {"move": "1", "after": 0}
    refused(site.http.post(f"/api/v1/games/{game}/moves", json=body), 404)
    page = site.http.get(f"/play/{game}")
    assert page.status_code == 404
    assert "<h1>There is nothing here</h1>" in page.text


@pytest.mark.parametrize(
    "body", [b"", b"{", b"null", b"[]", b'"x"', b"\xff\xfe", b"{}" * 3, b"[" * 5000, b"NaN"]
)
def test_a_body_that_is_not_json_is_refused_in_a_sentence(site: Site, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    refused(site.http.post("/api/v1/games", content=body, headers=headers), 400, 422)
    refused(site.http.post("/api/v1/games", content=body, headers={"Content-Type": "text/x"}), 422)


Layer = TypeVar("Layer")


def layer(site: Site, kind: type[Layer]) -> Layer:
    """One of the layers that a request goes through."""
    found: object = site.app.middleware_stack
    while not isinstance(found, kind):
        found = getattr(found, "app")  # noqa: B009
    return found


def stop_the_clock(site: Site) -> list[float]:
    """Have no time pass for what may be asked for, however long a request takes; the time, which
    the test may put forward."""
    return turned_by_hand(layer(site, RateLimit))


def turned_by_hand(limit: RateLimit) -> list[float]:
    """The time for what may be asked for, which only the test puts forward."""
    now = [1000.0]
    for table in vars(limit).values():
        if isinstance(table, Table):
            table._clock = lambda: now[0]
    return now


def test_the_rate_limit_stops_only_the_address_that_asks_too_much(tmp_path: Path) -> None:
    """A proxy in front says whose address it is."""
    with served(tmp_path / "games.db", rate=2, proxy=True) as site:
        now = stop_the_clock(site)

        def asks(address: str) -> Any:
            return site.http.get("/api/v1/rules", headers={"X-Forwarded-For": address})

        answers = [asks("10.0.0.1") for _ in range(40)]
        assert [answer.status_code for answer in answers] == [200] * 20 + [429] * 20
        refused(answers[-1], 429)
        assert int(answers[-1].headers["retry-after"]) > 0
        assert asks("10.0.0.2").status_code == 200
        now[0] += 1
        assert asks("10.0.0.1").status_code == 200, "the first is heard again"


@pytest.mark.parametrize(
    ("host", "counted"),
    [
        ("10.1.1.1", "10.1.1.1"), ("::ffff:10.1.1.1", "10.1.1.1"), ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8::ffff:a01:101", "2001:db8::/64"), ("nonsense:", "nonsense:"),
    ],
)  # fmt: skip
def test_an_address_counts_as_one_however_it_is_written(host: str, counted: str) -> None:
    """A server that listens at :: sees all of IPv4 in one network of IPv6."""
    assert network(host) == counted


def test_all_addresses_of_an_ipv6_site_have_a_few_times_the_rate(tmp_path: Path) -> None:
    """Whoever has a /48 has 65,536 networks, each of which counts as an address."""
    with served(tmp_path / "games.db", rate=2, proxy=True) as site:
        now = stop_the_clock(site)

        def asks(address: str) -> int:
            headers = {"X-Forwarded-For": address}
            return site.http.get("/api/v1/rules", headers=headers).status_code

        networks = [f"2001:db8:1:{number:x}::1" for number in range(10)]
        assert [asks(one) for one in networks for _ in range(20)] == [200] * 80 + [429] * 120
        assert asks("2001:db8:2::1") == asks("10.0.0.1") == 200
        now[0] += 1
        assert [asks(one) for one in networks] == [200] * 8 + [429] * 2


def test_an_address_that_anybody_can_invent_is_not_believed(tmp_path: Path) -> None:
    with served(tmp_path / "games.db", rate=1) as site:
        stop_the_clock(site)
        answers = [
            site.http.get("/api/v1/rules", headers={"X-Forwarded-For": f"10.0.0.{number}"})
            for number in range(30)
        ]
    assert 429 in [answer.status_code for answer in answers]


def test_one_address_asks_for_the_seat_of_a_game_a_few_times(tmp_path: Path) -> None:
    with served(tmp_path / "games.db", rate=100, proxy=True) as site:
        stop_the_clock(site)

        def asks(game: Person, address: str) -> Any:
            path, headers = f"/api/v1/games/{game.id}/requests", {"X-Forwarded-For": address}
            return site.http.post(path, json={"name": ""}, headers=headers)

        one, other = create(site.http), create(site.http)
        statuses = [asks(one, "10.0.0.1").status_code for _ in range(5)]
        assert statuses == [422] * 3 + [429] * 2
        refused(asks(one, "10.0.0.1"), 429)
        assert asks(other, "10.0.0.1").status_code == asks(one, "10.0.0.2").status_code == 422


def test_creating_and_solving_cost_more_than_looking(tmp_path: Path) -> None:
    with served(tmp_path / "games.db", rate=0.5, proxy=True) as site:
        stop_the_clock(site)

        def admitted(method: str, path: str) -> int:
            headers = {"X-Forwarded-For": f"{method} {path}"}
            answers = (site.http.request(method, path, headers=headers) for _ in range(8))
            return sum(answer.status_code != 429 for answer in answers)

        game = "/api/v1/games/V3b1tq0k9Zfx"
        assert admitted("GET", game) == 5
        assert admitted("POST", f"{game}/moves") == 5
        for dear in ("/api/v1/values", "/api/v1/report", f"{game}/values", f"{game}/report"):
            assert admitted("GET", dear) <= 1, dear
        assert admitted("POST", "/api/v1/games") == 1
        assert admitted("POST", "/api/v1/events/K7M4QX/host/broadcast") == 1
        assert admitted("GET", "/puzzles?seed=1") == admitted("GET", "/analyse") == 5
        assert admitted("GET", "/play/V3b1tq0k9Zfx") == 1, "it is rendered for one who asks"
        assert admitted("GET", "/api/v1/why?game=duel&move=1") == 2


CHEAP = """
/ /arena /arena/{code} /arena/{code}/host /arena/{code}/wall /do/{name} /favicon.ico /join
/join/{code} /learn /learn/{name} /picture/{name}.svg /analyse /profile /puzzles /rules/{name}
/static/{name} /static/{version}/{name:path} /storm /strategy/{name} /teach /teach/{name}

/api/v1/games/{id} /api/v1/games/{id}/events /api/v1/games/{id}/join /api/v1/games/{id}/key
/api/v1/games/{id}/moves /api/v1/games/{id}/offer /api/v1/games/{id}/record
/api/v1/games/{id}/rematch /api/v1/games/{id}/requests /api/v1/games/{id}/requests/{number}
/api/v1/games/{id}/resign /api/v1/games/{id}/say /api/v1/games/{id}/undo

/api/v1/events/{code} /api/v1/events/{code}/class /api/v1/events/{code}/door
/api/v1/events/{code}/events /api/v1/events/{code}/join /api/v1/events/{code}/me
/api/v1/events/{code}/names /api/v1/events/{code}/return /api/v1/events/{code}/table.csv

/api/v1/health/live /api/v1/lessons/{game} /api/v1/rules
/api/v1/strategy/{game} /api/v1/variant
"""
"""The routes that cost as much as an ordinary request: their answer takes the server less than a
millisecond, or is made once for all who ask."""


def test_every_route_costs_more_than_one_request_or_is_known_to_be_cheap(site: Site) -> None:
    """Whoever adds a route measures what it takes, and writes it into `COSTS` or `CHEAP`."""
    paths = {getattr(route, "path", "") for route in site.app.routes}
    asked = [{"type": "http", "path": path, "query_string": b""} for path in paths]
    ordinary = {scope["path"] for scope in asked if rate_limit._cost(scope) == 1.0}
    assert ordinary == set(CHEAP.split())


def test_at_a_low_rate_everything_can_be_done_now_and_then(tmp_path: Path) -> None:
    """What costs more than a seat has takes all of it."""
    with served(tmp_path / "games.db", rate=2) as site:
        now = stop_the_clock(site)

        def create_event() -> int:
            body, seat = {"games": [{"game": "duel"}]}, {"Authorization": f"Bearer {'k' * 43}"}
            return site.http.post("/api/v1/events", json=body, headers=seat).status_code

        assert [create_event(), create_event()] == [201, 429]
        now[0] += BURST_SECONDS
        assert create_event() == 201


def test_live_channels_are_counted_too(tmp_path: Path) -> None:
    with served(tmp_path / "games.db", rate=1) as site:
        stop_the_clock(site)
        one = create(site.http)

        def looking() -> None:
            for _ in range(20):
                with one.live() as live:
                    live.next()

        with pytest.raises(InvalidStatus) as refusal:
            looking()
    assert refusal.value.response.status_code == 403


def test_the_live_channels_of_an_address_are_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limit, "MAX_CHANNELS", 2)
    with served(tmp_path / "games.db", rate=100) as site:
        player = create(site.http)
        one = Person(site.http, player.id)
        with one.live() as first, one.live() as second:
            for live in (first, second):
                live.next()
            with pytest.raises(InvalidStatus), one.live():
                pass
            refused(one.get("/events"), 429)
            with player.live() as own:
                own.next()
        until(lambda: not layer(site, ChannelLimit)._open, "the channels to be closed")
        with one.live() as live:
            live.next()


def test_a_seat_has_a_few_live_channels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "MAX_SEAT_CHANNELS", 1)
    with served(tmp_path / "games.db", rate=100) as site:
        one, other = create(site.http), create(site.http)
        with one.live() as first:
            first.next()
            refused(one.get("/events"), 429)
            with other.live() as second:
                second.next()


def test_only_the_event_streams_of_the_api_and_websockets_are_channels(site: Site) -> None:
    """Any other request could be kept as long as one."""
    described = site.http.get("/api/v1/openapi.json").json()["paths"]
    streams = {
        (method.upper(), path)
        for path, methods in described.items()
        for method, about in methods.items()
        if "text/event-stream" in about["responses"].get("200", {}).get("content", {})
    }
    paths = {
        *described,
        "/events",
        "/static/1/events",
        "/api/v1/games/1/2/events",
        "/api/v1/events",
    }
    asked = {(method, path) for method in ("GET", "POST") for path in paths}
    channels = {
        (method, path)
        for method, path in asked
        if is_channel({"type": "http", "method": method, "path": path})
    }
    assert channels == streams
    assert len(streams) == 2
    assert is_channel({"type": "websocket", "path": "/"})
    assert not is_channel({"type": "lifespan"})


def test_a_page_of_another_site_can_change_nothing(site: Site) -> None:
    one, _ = friends(site.http)
    body = {"move": "4", "after": 1}
    for origin in ("https://evil.example", "null", f"http://127.0.0.1:{site.port + 1}"):
        headers = one.headers | {"Origin": origin}
        refused(site.http.post(f"/api/v1/games/{one.id}/moves", json=body, headers=headers), 403)
    assert one.game["moves"] == []
    headers = one.headers | {"Origin": site.url}
    answer = site.http.post(f"/api/v1/games/{one.id}/moves", json=body, headers=headers)
    assert answer.status_code == 200


def test_a_seat_has_a_share_of_the_rate_of_its_address(tmp_path: Path) -> None:
    """Who plays wildly in a class stops nobody else in it."""
    with served(tmp_path / "games.db", rate=10) as site:
        wild, calm = create(site.http), create(site.http)
        stop_the_clock(site)
        statuses = [wild.get().status_code for _ in range(50)]
        assert statuses == [200] * 20 + [429] * 30
        assert calm.get().status_code == site.http.get("/api/v1/rules").status_code == 200


def flood(site: Site, headers: Callable[[], dict[str, str]]) -> None:
    """Ask until the address is refused."""
    while site.http.get("/api/v1/rules", headers=headers()).status_code == 200:
        pass


@pytest.mark.parametrize("invents_keys", [False, True])
def test_a_flood_without_a_known_key_stops_no_player_at_its_address(
    tmp_path: Path, invents_keys: bool
) -> None:
    def headers() -> dict[str, str]:
        return {"Authorization": f"Bearer {new_key()}"} if invents_keys else {}

    with served(tmp_path / "games.db", rate=10) as site:
        one, two = friends(site.http)
        made = site.http.post("/api/v1/events", json={"games": [{"game": "duel"}]}).json()
        host = {"Authorization": f"Bearer {made['host']}"}
        stop_the_clock(site)
        flood(site, headers)
        assert site.http.get("/api/v1/rules").status_code == 429
        assert [one.move(1).status_code, two.move(2).status_code] == [200, 200]
        check = f"/api/v1/events/{made['code']}/host/check"
        with browser(site.url) as teacher:
            assert teacher.post(check, json={}, headers=host).status_code == 200
        wrong = {"Authorization": f"Bearer {new_key()}"}
        assert site.http.get(one.path, headers=wrong).status_code == 429, (
            "a key that proves nothing"
        )


def test_a_known_key_has_its_own_share_and_no_more(tmp_path: Path) -> None:
    with served(tmp_path / "games.db", rate=10) as site:
        one = create(site.http)
        stop_the_clock(site)
        flood(site, dict)
        statuses = [one.get().status_code for _ in range(20)]
        own = round(10 * OWN_SHARE * OWN_BURST_SECONDS)
        assert statuses == [200] * own + [429] * (20 - own)
        # The same key in another cookie is the same key.
        for cookie in (f"a=1; numduel-key={one.token}", f"numduel-key={one.token}; b=2"):
            assert site.http.get(one.path, headers={"Cookie": cookie}).status_code == 429


def test_sixty_pupils_at_one_address_come_play_and_reload_beside_a_flood(tmp_path: Path) -> None:
    """Nobody who has joined is refused, however many others there are."""
    with served(tmp_path / "games.db", rate=100) as site:
        stop_the_clock(site)
        made = site.http.post("/api/v1/events", json={"games": [{"game": "duel"}]}).json()
        event, page = f"/api/v1/events/{made['code']}", f"/arena/{made['code']}"

        def come(number: int) -> dict[str, str]:
            for path in (page, event, f"{event}/names"):
                assert site.http.get(path).status_code == 200
            wish = {"nickname": f"Pupil {number}", "key": new_key(), "cookie": True}
            with browser(site.url) as pupil:
                pupil.post(f"{event}/join", json=wish)
                return {one.path: f"{one.name}={one.value}" for one in pupil.cookies.jar}

        pupils = [come(number) for number in range(60)]
        host = {"Authorization": f"Bearer {made['host']}"}
        admitted = site.http.post(f"{event}/host/admit", json={}, headers=host)
        assert len(admitted.json()["event"]["players"]) == 60, "some have waited at the door"
        flood(site, dict)
        for _ in range(10):
            for path, cookie in ((event, "/api"), (page, "/")):
                answers = {
                    site.http.get(path, headers={"Cookie": pupil[cookie]}).status_code
                    for pupil in pupils
                }
                assert answers == {200}


@pytest.mark.parametrize("reads_files", [False, True])
def test_a_browser_that_has_joined_gets_its_page_and_its_files_beside_a_flood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reads_files: bool
) -> None:
    monkeypatch.setattr(rate_limit, "FILES_BURST", 10.0)
    with served(tmp_path / "games.db", rate=100) as site:
        made = site.http.post("/api/v1/events", json={"games": [{"game": "duel"}]}).json()
        file = static.path_of("favicon.svg")
        path = file if reads_files else f"/arena/{made['code']}"
        with browser(site.url) as pupil:
            body = {"nickname": "Ada", "cookie": True}
            assert pupil.post(f"/api/v1/events/{made['code']}/join", json=body).status_code == 200
            stop_the_clock(site)
            flood(site, dict)
            while site.http.get(file).status_code == 200:
                pass
            assert site.http.get(path).status_code == 429
            assert [pupil.get(path).status_code for _ in range(5)] == [200] * 5


def test_a_host_gets_their_page_and_creates_an_event_beside_a_flood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limit, "EVENTS_BURST", 3.0)
    wish = {"games": [{"game": "duel"}]}
    with served(tmp_path / "games.db", rate=100) as site, browser(site.url) as teacher:
        made = teacher.post("/api/v1/events", json=wish).json()
        host = {"Authorization": f"Bearer {made['host']}"}
        teacher.post(f"/api/v1/events/{made['code']}/host/check", json={}, headers=host)
        page = f"/arena/{made['code']}/host"
        assert [cookie.name for cookie in teacher.cookies.jar] == ["numduel-page"]
        stop_the_clock(site)
        while site.http.post("/api/v1/events", json=wish).status_code == 201:
            pass
        flood(site, dict)
        assert site.http.get(page).status_code == 429
        assert teacher.get(page).status_code == 200
        assert teacher.post("/api/v1/events", json=wish).status_code == 201


def test_a_browser_that_hosts_and_plays_is_known_as_both(site: Site) -> None:
    with browser(site.url) as ann:
        made = ann.post("/api/v1/events", json={"games": [{"game": "duel"}]}).json()
        host = {"Authorization": f"Bearer {made['host']}"}
        ann.post(f"/api/v1/events/{made['code']}/host/check", json={}, headers=host)
        ann.post("/api/v1/games", json={"game": "duel", "opponent": "friend", "cookie": True})
        keys = ann.cookies["numduel-key"], made["host"]
        told = ".".join(page_key(digest(key)) for key in keys)
        assert ann.cookies["numduel-page"] == told


def test_what_a_page_is_asked_for_with_proves_no_seat(site: Site) -> None:
    with browser(site.url) as ann:
        wish = {"game": "duel", "opponent": "friend", "cookie": True}
        game = ann.post("/api/v1/games", json=wish).json()["id"]
        (key,) = [one for one in ann.cookies.jar if one.name == "numduel-key"]
        (page,) = [one for one in ann.cookies.jar if one.name == "numduel-page"]
    assert (key.path, page.path) == ("/api", "/")
    assert page.value == page_key(digest(str(key.value)))
    for headers in (
        {"Cookie": f"numduel-page={page.value}"},
        {"Cookie": f"numduel-key={page.value}"},
        {"Authorization": f"Bearer {page.value}"},
    ):
        answer = site.http.post(f"/api/v1/games/{game}/resign", json={"after": 0}, headers=headers)
        refused(answer, 403)


# -- keys that somebody makes -----------------------------------------------------------------


class School:
    """Those at one address who ask for something, all of whose keys are known, beside others who
    have none."""

    def __init__(self, rate: float) -> None:
        async def nothing(*_: Any) -> None:
            pass

        known = KnownKeys()
        self._limit = RateLimit(
            nothing, rate, lambda: b"", lambda _: False,
            lambda scope: known.first_of((scope["headers"][0][1].decode(),)),
        )  # fmt: skip
        self.known = known
        self.now = turned_by_hand(self._limit)

    def asks(self, key: str = "", path: str = "/api/v1/rules") -> bool:
        """Whether a request is served."""
        headers = [(b"authorization", key.encode())] if key else []
        scope = {"type": "http", "path": path, "client": ("10.0.0.1", 1), "headers": headers}
        return not self._limit._spend(scope)

    def flood(self, keys: list[str]) -> int:
        """Ask with all keys, and without one, until each is refused; what was served."""
        served = 0
        for key in (*keys, ""):
            while self.asks(key):
                served += 1
        return served


def test_who_makes_hundreds_of_keys_gets_a_few_times_the_rate_and_stops_no_pupil() -> None:
    """Six events of one's own, forty players in each; and a class with its event beside them."""
    rate, school = 100.0, School(100.0)
    made = [new_key() for _ in range(240)]
    for number, key in enumerate(made):
        school.known.remember(digest(key), f"event {number // 40}")
    pupils = [new_key() for _ in range(30)]
    for pupil in pupils:
        school.known.remember(digest(pupil), "K7M4QX")
    taken = []
    for _ in range(40):
        taken.append(0)
        for _ in range(5):
            school.now[0] += 1 / 5
            taken[-1] += school.flood(made)
        assert all(map(school.asks, pupils)), "once a second each"
    assert sum(taken) <= 8 * rate * len(taken), "with all that may come at once"
    assert sum(taken[20:]) <= 4.1 * rate * len(taken[20:]), "in the long run"


@pytest.mark.parametrize("count", [1, 30, 60])
def test_each_of_a_few_keys_has_its_whole_share(count: int) -> None:
    school = School(100.0)
    keys = [new_key() for _ in range(count)]
    for key in keys:
        school.known.remember(digest(key))
    school.flood([])
    own = round(100 * OWN_SHARE * OWN_BURST_SECONDS)
    assert school.flood(keys) == count * own
    school.now[0] += 1
    school.flood([])
    assert school.flood(keys) == count * 100 * OWN_SHARE


def test_keys_that_are_gone_take_nothing_from_those_who_are_there() -> None:
    school = School(100.0)
    keys = [new_key() for _ in range(int(4 * FEW_KEYS))]
    for number, key in enumerate(keys):
        school.known.remember(digest(key), f"event {number // 40}")
    school.flood(keys)
    one = keys[0]
    school.now[0] += 1
    school.flood([])
    assert school.flood([one]) == 1, "a quarter of five"
    school.now[0] += 10 * OWN_BURST_SECONDS
    school.flood([])
    assert school.flood([one]) == 100 * OWN_SHARE * OWN_BURST_SECONDS


def test_keys_that_wait_at_the_door_of_an_event_are_not_known(tmp_path: Path) -> None:
    with served(tmp_path / "games.db", rate=100) as site:
        made = site.http.post("/api/v1/events", json={"games": [{"game": "duel"}]}).json()
        event, host = f"/api/v1/events/{made['code']}", {"Authorization": f"Bearer {made['host']}"}
        door = site.http.post(f"{event}/host/door", json={"approval": True}, headers=host)
        assert door.status_code == 200
        answer = site.http.post(f"{event}/join", json={"nickname": "Ada"}).json()
        assert answer["player"] is None
        known = site.app.state.events.registry.bus.known
        assert known.first_of((made["host"],))
        assert not known.first_of((answer["token"],))
        admit = site.http.post(f"{event}/host/admit", json={}, headers=host)
        assert admit.status_code == 200
        assert known.first_of((answer["token"],)), "also if they have not asked since"


def test_who_creates_many_events_stops_no_teacher_who_is_known_at_their_address() -> None:
    school, create = School(1000.0), "/api/v1/events"
    pupil, teacher = new_key(), new_key()
    for key in (pupil, teacher):
        school.known.remember(digest(key))

    def created(key: str = "") -> int:
        """How many somebody can create, however long they wait for the rate."""
        number = 0
        while school.asks(key, create):
            number, school.now[0] = number + 1, school.now[0] + 1e-6
        return number

    assert created(pupil) == rate_limit.OWN_EVENTS_BURST + rate_limit.EVENTS_BURST
    assert not created()
    assert created(teacher) == rate_limit.OWN_EVENTS_BURST


def test_processes_remember_keys_together(tmp_path: Path) -> None:
    here, there = KnownKeys(str(tmp_path)), KnownKeys(str(tmp_path))
    ada, bo = (page_key(digest(name)) for name in ("ada", "bo"))
    here.remember(digest("ada"))
    assert there.first_of(("bo", "ada")) == there.first_of(("bo",), (bo, ada)) == ada
    assert not there.first_of(("bo", ada), ("ada", digest("ada"), bo))


def test_who_invents_seats_and_events_leaves_room_for_the_keys_of_a_class() -> None:
    known = KnownKeys()
    for number in range(1000):
        known.remember(digest(f"seat {number}"))
        known.remember(digest(f"player {number}"), "another event")
    remembered = [
        known.first_of((f"{who} {n}",)) for n in range(1000) for who in ("seat", "player")
    ]
    assert sum(map(bool, remembered)) == 2 * NEWCOMERS_AT_ONCE
    for number in range(60):
        known.remember(digest(f"pupil {number}"), "K7M4QX")
    assert all(known.first_of((f"pupil {number}",)) for number in range(60))


def test_of_many_texts_those_that_were_used_last_are_remembered() -> None:
    now = [0.0]
    recent = Recent(clock=lambda: now[0])
    for number in range(3 * MAX_TEXTS):
        now[0] += 1
        recent.add(str(number))
        assert "0" in recent
    assert "1" not in recent
    assert str(3 * MAX_TEXTS - 1) in recent


def test_processes_share_the_rate_of_an_address(tmp_path: Path) -> None:
    now = [1000.0]
    here, there = (
        TokenBuckets(2, 20, shared_tables(str(tmp_path), "limits", 1)[0], clock=lambda: now[0])
        for _ in range(2)
    )
    assert [here.spend("10.0.0.1", 1) for _ in range(15)] == [0] * 15
    assert [there.spend("10.0.0.1", 1) for _ in range(7)] == [0] * 5 + [0.5] * 2
    assert there.spend("10.0.0.2", 20) == 0
    now[0] += 1
    assert [here.spend("10.0.0.1", 1) for _ in range(3)] == [0, 0, 0.5]


@pytest.mark.parametrize("rate", [0.5, 1.0, 5.0])
def test_tokens_return_at_the_rate(rate: float) -> None:
    now = [1000.0]
    limit = TokenBuckets(rate, rate * BURST_SECONDS, clock=lambda: now[0])

    def affordable() -> int:
        """How many requests pass at this moment."""
        return next(number for number in range(10_000) if limit.spend("10.0.0.1", 1.0))

    assert affordable() == rate * BURST_SECONDS
    assert affordable() == 0
    for seconds in (2, 4, 8):
        now[0] += seconds
        assert affordable() == rate * seconds
    now[0] += 3600
    assert affordable() == rate * BURST_SECONDS, "what was not used is not saved for ever"


# -- headers --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        *(("GET", path, 200) for path in PAGES),
        ("GET", "/static/css/components.css", 200),
        ("GET", "/api/v1/rules", 200),
        ("GET", "/api/v1/health", 200),
        ("GET", "/api/v1/health/live", 200),
        ("GET", "/api/v1/openapi.json", 200),
        ("GET", "/nothing", 404),
        ("GET", "/api/v1/nothing", 404),
        ("GET", "/api/v2/rules", 404),
        ("GET", "/api/v1/games/nosuchgame00", 404),
        ("GET", "/api/v1/games/x", 404),
        ("POST", "/api/v1/games", 422),
        ("DELETE", "/api/v1/games", 405),
        ("PUT", "/", 405),
        ("HEAD", "/", 200),
        ("OPTIONS", "/api/v1/games", 405),
        ("PROPFIND", "/api/v1/games", 405),
    ],
)
def test_every_answer_is_guarded(site: Site, method: str, path: str, status: int) -> None:
    answer = site.http.request(method, path)
    assert answer.status_code == status
    assert answer.headers["content-security-policy"] == POLICY
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert answer.headers["cache-control"] in ("no-store", "no-cache")
    assert "server" not in answer.headers
    assert "access-control-allow-origin" not in answer.headers
    if answer.status_code >= 400 and path.startswith("/api") and method != "HEAD":
        refused(answer, answer.status_code)


def test_refusals_of_the_middleware_itself_are_guarded_too(tmp_path: Path) -> None:
    with served(tmp_path / "games.db", rate=0.1) as site:
        answers = [site.http.get("/") for _ in range(3)]
        long = browser(site.url)
        with long:
            answers.append(long.post("/api/v1/games", content=b" " * 20_000))
    assert answers[-1].status_code in (413, 429)
    assert 429 in [answer.status_code for answer in answers]
    assert all(answer.headers["content-security-policy"] == POLICY for answer in answers)


def test_a_mistake_of_the_server_is_one_sentence_that_tells_nothing(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: Any) -> None:
        raise RuntimeError("the secret is 42")

    one = create(site.http)
    monkeypatch.setattr(site.app.state.service.registry, "look", broken)
    monkeypatch.setattr(site.app.state.service, "move", broken)
    for answer in (site.http.get("/api/v1/games/V3b1tq0k9Zfx"), one.move(5, 0)):
        assert "42" not in refused(answer, 500)
        assert answer.headers["content-security-policy"] == POLICY
    monkeypatch.undo()
    refused(site.http.get("/api/v1/games/V3b1tq0k9Zfx"), 404)


# -- the page -------------------------------------------------------------------------------


def foreign_addresses(text: str) -> set[str]:
    """The addresses of other hosts in a text; a name of an XML dialect is none."""
    found = set(re.findall(r"(?:https?:)?//[\w.-]+\.\w+[^\s\"'<>)]*", text))
    found |= set(re.findall(r"https?://[^\s\"'<>)]*", text))
    return found - {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_no_file_of_the_page_needs_anybody_else(name: str) -> None:
    text = TEXTS[name]
    assert not foreign_addresses(text)
    if name.endswith(".js"):
        assert "innerHTML" not in text
        assert "eval(" not in text


@pytest.mark.parametrize("path", [*PAGES, "/nothing"])
def test_every_page_keeps_to_its_security_policy(site: Site, path: str) -> None:
    text = site.http.get(path).text
    assert not foreign_addresses(text.replace(site.url, ""))
    assert not re.search(r"<script(?![^>]*\bsrc=)", text)
    assert not re.search(r"\s(?:style|on\w+)=[\"']", text)
    assert "<style" not in text
    used = re.findall(r'(?:src|href|content)="[^"]*/static/([^"/]*)/([^"]*)"', text)
    assert all(static.content(name) for _, name in used)
    assert {version for version, _ in used} == {static.version()}
    assert text.count("/static/") == len(used), "without its version a file is not kept"


@pytest.mark.parametrize("path", [*PAGES, "/nothing"])
def test_every_page_has_the_same_layout(site: Site, path: str) -> None:
    text = site.http.get(path).text
    assert text.count("<title>") == text.count("<h1") == text.count("<main ") == 1
    assert text.count('<nav aria-label="Main">') == text.count("<footer ") == 1
    assert not re.search(r"{[{%]|[%}]}", text), "something was not filled in"
    current = re.findall(r'<a href="([^"]*)" aria-current="page">', text)
    linked = ("/", "/analyse", "/puzzles", "/learn", "/games", "/teach")
    assert {*current} == ({path} if path in linked else set())


def test_pages_are_rendered_for_a_few_origins_and_not_for_every_port_that_is_invented(
    tmp_path: Path,
) -> None:
    with served(tmp_path / "games.db") as other:
        seen = {
            other.http.get("/learn", headers={"Host": f"localhost:{port}"}).text
            for port in range(1000, 1000 + 2 * MAX_ORIGINS)
        }
        assert len(seen) == MAX_ORIGINS + 1
        first = other.http.get("/learn", headers={"Host": "localhost:1000"}).text
        assert 'data-origin="http://localhost:1000"' in first


def test_style_sheets_are_joined_as_pages_name_them_and_in_no_other_way(site: Site) -> None:
    (path,) = set(re.findall(r'href="(/static/[^"]*[+][^"]*)"', site.http.get("/").text))
    start, _, last = path.rpartition("/")
    _, version, folder = start.strip("/").split("/")
    other = "+".join(reversed(last.split("+")))
    for hashed in (version, "of-another-version"):
        assert site.http.get(f"/static/{hashed}/{folder}/{last}").status_code == 200
        assert site.http.get(f"/static/{hashed}/{folder}/{other}").status_code == 404
    assert site.http.get(f"/static/{folder}/{other}").status_code == 404


@pytest.mark.parametrize("name", sorted(FILES))
def test_every_file_has_its_content_type(site: Site, name: str) -> None:
    """And kept for ever where its path has the version of all of them."""
    for path in (static.path_of(name), f"/static/{name}", f"/static/older/{name}"):
        answer = site.http.get(path)
        assert answer.status_code == 200
        made = name.endswith((".css", ".js"))  # without comments
        assert answer.content == (static.content(name) if made else FILES[name].read_bytes())
        assert answer.headers["content-type"] == static.CONTENT_TYPES[Path(name).suffix]
        assert answer.headers["etag"]
        for_ever = path == static.path_of(name)
        assert answer.headers["cache-control"] == (pages.FOR_EVER if for_ever else "no-cache")


def test_scripts_and_style_sheets_find_each_other_by_relative_paths() -> None:
    """So that the version in their paths is the same for all, and none is fetched twice."""
    for name, text in TEXTS.items():
        assert "/static/" not in text, name
        for path in re.findall(r"""(?:from|import|import\()\s*["']([^"']+)["']""", text):
            assert normpath(Path(name).parent / path) in FILES, (name, path)


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/app.py",
        "/static/%2e%2e%2fapp.py",
        "/static/..%5capp.py",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/static/play/play.js%00.css",
        "/static/",
        "/static",
        "/static/app.py",
        "/static/x/../../app.py",
        "/static/x/%2e%2e%2f%2e%2e%2fapp.py",
        "/rules/../app",
        "/rules/nothing",
        "/play",
        "/%00",
        "/%ff",
        "/nothing",
    ],
)
def test_nothing_else_is_ever_sent(site: Site, path: str) -> None:
    answer = exchanged(
        site, f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode()
    )
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith((b"HTTP/1.1 404 ", b"HTTP/1.1 400 ")), head
    assert b"import" not in body
    assert b"root:" not in body


def test_a_wrong_path_gets_a_page(site: Site) -> None:
    answer = site.http.get("/nothing/at/all")
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "<h1>There is nothing here</h1>" in answer.text
    for path in (
        "/<b>other</b>", "/rules/nothing", "/static/nothing", "/play/", "/play/x",
        "/play/AAAAAAAAAAAA", "/play/a%20b%20c%20d",
    ):  # fmt: skip
        other = site.http.get(path)
        assert (other.status_code, other.content) == (404, answer.content)


@pytest.mark.parametrize("name", NAMES)
def test_the_rules_of_every_game_are_a_page(site: Site, name: str) -> None:
    page = site.http.get(f"/rules/{name}").text
    told = next(told for told in site.http.get("/api/v1/rules").json() if told["name"] == name)
    assert told["title"].partition(" (")[0] in page, "as the rulebook calls it"
    assert page.count(told["called"]) >= 2
    assert re.search(rf"<title>{told['called']}[^<]*: rules \| numduel</title>", page)
    assert page.count("<h2>") > (2 if name in RULEBOOKS else 0)
    text = unescape(re.sub(r"<[^>]*>", "", page))
    game = numduel.game(name)
    assert re.search(f"{game.display_name} in short.*{re.escape(game.brief[-1])}", text, re.DOTALL)
    assert game.offer is None or game.offer.told in text.partition("Learn it")[0]
    size = next(iter(game.parameters.values()))
    assert re.search(f"{size.meaning[1:]}: from {size.low} to \\d+; usually \\d+", text)
    (article,) = re.findall("<article.*</article>", page, re.DOTALL)
    assert "--" not in article
    assert "numduel play" not in article


@pytest.mark.parametrize(
    "path", [*PAGES, "/nothing", "/picture/duel.svg", "/favicon.ico", "/static/css/board.css"]
)
def test_head_has_the_headers_of_get(site: Site, path: str) -> None:
    page, head = site.http.get(path), site.http.head(path)
    assert (head.status_code, head.content) == (page.status_code, b"")
    for name in ("content-type", "content-length", "etag", "cache-control"):
        assert head.headers[name] == page.headers[name]


@pytest.mark.parametrize("path", [*PAGES, "/nothing"])
def test_a_page_says_so_where_there_is_no_javascript(site: Site, path: str) -> None:
    (said,) = re.findall(r"<noscript>(.*?)</noscript>", site.http.get(path).text, re.DOTALL)
    assert "needs JavaScript" in said


def test_head_and_strange_methods_do_no_harm(site: Site) -> None:
    one = create(site.http)
    for method in ("HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"):
        game = f"/api/v1/games/{one.id}"
        for path in ("/", game, f"{game}/moves", "/static/favicon.svg"):
            answer = site.http.request(method, path)
            assert answer.status_code in (200, 405), (method, path)
            assert answer.status_code == 200 or answer.headers["allow"]
    assert Person(site.http, one.id).game["number"] == 0
