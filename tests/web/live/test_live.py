"""Looking on: whoever does is told the whole truth at once, and again whenever it changes."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from numduel.web.games import service
from numduel.web.live import channel
from numduel.web.live.live import Watcher
from numduel.web.people.proof import COOKIE
from tests.games import NAMES
from tests.plugins.limit import remaining
from tests.web.site import (
    Person,
    Site,
    accepted,
    create,
    finish,
    friends,
    join,
    kept,
    play,
    refused,
    served,
    true,
    until,
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served(tmp_path_factory.mktemp("web") / "games.db") as site:
        yield site


class Events:
    """A stream of server-sent events."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self._lines = response.iter_lines()

    def next(self) -> Any:
        """The next message."""
        for line in self._lines:
            assert remaining(), "waited in vain for a message"
            if line.startswith("data: "):
                return json.loads(line[6:])
        raise AssertionError("the stream ended")

    def line(self) -> str:
        """The next line, whatever it is."""
        return next(self._lines)

    def until(self, number: int) -> Any:
        """The message of so many entries."""
        while (told := self.next())["game"]["number"] < number:
            pass
        return told


@contextmanager
def streaming(person: Person) -> Iterator[Events]:
    """Look on over server-sent events."""
    path = f"/api/v1/games/{person.id}/events"
    with person.http.stream("GET", path, headers=person.headers, timeout=remaining()) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        yield Events(response)


def told(number: int) -> Callable[[Any], bool]:
    """Whether a game that was told has so many entries."""
    return lambda game: bool(game["number"] == number)


# -- the whole truth ------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_watcher_is_sent_every_state(site: Site, name: str) -> None:
    """Over a WebSocket, as server-sent events, and to those who ask again and again."""
    one, two = people = friends(site.http, name)
    spectator = Person(site.http, one.id)
    with one.live() as sitting, spectator.live() as standing, streaming(two) as events:
        sitting.until(lambda game: game["present"] == [True, True], "both to be there")
        standing.until(lambda game: game["present"] == [True, True], "both to be there")
        for game in finish(people, Random(7)):
            true(game)
            for live, seat in ((sitting, 1), (standing, None)):
                assert live.until(told(game["number"]), "a move") == game
                assert live.seen[-1]["you"] == seat
            assert events.until(game["number"]) == {"you": 2, "game": game}
            assert spectator.look() == {"you": None, "game": game}


@pytest.mark.parametrize("doing", ["join", "ask", "refuse", "undo", "resign", "rematch"])
def test_every_kind_of_change_is_pushed(site: Site, doing: str) -> None:
    one = create(site.http)
    with Person(site.http, one.id).live() as live:
        assert live.next()["game"]["seats"] == [True, False]
        two = join(one, "Bob")
        game = live.next()["game"]
        assert (game["seats"], game["names"][1]) == ([True, True], "Bob")
        if doing == "join":
            return
        play((one, two), "4 6")
        live.until(lambda game: game["moves"] == ["4", "6"], "two moves")
        if doing in ("ask", "refuse", "undo"):
            accepted(one.undo())
            assert live.next()["game"]["undo"] == 1
        if doing in ("refuse", "undo"):
            accepted(two.undo("accept" if doing == "undo" else "refuse"))
            game = live.next()["game"]
            assert game["undo"] is None
            assert game["moves"] == ([] if doing == "undo" else ["4", "6"])
        if doing in ("resign", "rematch"):
            accepted(one.resign())
            assert live.next()["game"]["outcome"]["winner"] == 2
        if doing == "rematch":
            accepted(one.rematch())
            assert live.next()["game"]["rematch"] == {"offered": 1, "game": None}
            again = accepted(two.rematch())["rematch"]["game"]
            assert live.next()["game"]["rematch"]["game"] == again


def test_the_answer_of_the_computer_is_pushed(site: Site) -> None:
    one = create(site.http, opponent="random", first=2)
    with one.live() as live:
        live.until(lambda game: len(game["moves"]) == 1, "the computer to begin")
        accepted(one.move(live.seen[-1]["game"]["legal"][0]["move"]))
        live.until(lambda game: len(game["moves"]) == 3, "an answer")


def test_a_remark_is_pushed_at_once_and_never_stored(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is no part of the game: nobody's move is refused because somebody said something."""
    one, two = people = friends(site.http)
    monkeypatch.setattr(service, "REMARK_SECONDS", remaining())
    with two.live() as live:
        assert live.next()["game"]["remarks"] == [None, None]
        game = accepted(one.post("say", what="Good luck!"))
        assert game["remarks"][0]["what"] == "Good luck!"
        live.until(lambda game: game["remarks"][0], "the remark")
        assert "too much at once" in refused(one.post("say", what="😀"), 429)
        accepted(two.post("say", what="Thank you!"))
        with monkeypatch.context() as machine:  # Somebody sets its clock two hours back.
            there = SimpleNamespace(time=lambda: time.time() - 7_200, monotonic=time.monotonic)
            machine.setattr(service, "time", there)
            accepted(one.post("say", what="Well played!"))
        monkeypatch.setattr(service, "REMARK_SECONDS", 0.0)
        again = accepted(one.post("say", what="Good luck!"))
        assert again["remarks"][0]["at"] > game["remarks"][0]["at"]
        assert again["number"] == game["number"] == 1
    play(people, "4")
    accepted(two.resign())
    accepted(two.post("say", what="Well played!"))
    assert {row.kind for row in kept(site.database, one.id)} == {"join", "move"}


def test_only_players_make_remarks_and_only_those_on_the_list(site: Site) -> None:
    one, _ = friends(site.http)
    refused(Person(site.http, one.id).post("say", what="Good luck!"), 403)
    for what in ("You are bad!", "", "😀😀", 7, None):
        refused(one.post("say", what=what), 422)
    for opponent in ("random", "here"):
        refused(create(site.http, opponent=opponent).post("say", what="Good luck!"), 403)


def test_refusals_are_nobody_else_s_business(site: Site) -> None:
    one, two = friends(site.http)
    with Person(site.http, one.id).live() as live:
        live.next()
        assert one.move(99).status_code == 422
        assert two.move(4).status_code == 403
        assert live.waiting() == []


def test_a_stream_without_news_shows_that_it_lives(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel, "HEARTBEAT_SECONDS", 0.05)
    with streaming(Person(site.http, create(site.http).id)) as events:
        assert events.next()["game"]["moves"] == []
        assert events.line() == ""
        assert events.line().startswith(":")


# -- who is there ---------------------------------------------------------------------------


def test_a_player_who_watches_is_present(site: Site) -> None:
    one, two = friends(site.http)
    assert one.game["present"] == [False, False]
    with one.live() as live:
        live.until(lambda game: game["present"] == [True, False], "Player 1 to be there")
        with Person(site.http, one.id).live() as watching:
            watching.next()
            assert live.waiting() == []  # a spectator is nobody's presence
        with two.live():
            live.until(lambda game: game["present"] == [True, True], "Player 2 to be there")
        live.until(lambda game: game["present"] == [True, False], "Player 2 to leave")
        with streaming(two):
            live.until(lambda game: game["present"] == [True, True], "Player 2 to be there")
        live.until(lambda game: game["present"] == [True, False], "Player 2 to leave")
    until(lambda: one.game["present"] == [False, False], "Player 1 to leave")


def test_a_player_who_closes_one_of_two_tabs_is_present(site: Site) -> None:
    one, two = friends(site.http)
    with one.live() as live:
        with two.live():
            live.until(lambda game: game["present"] == [True, True], "Player 2 to be there")
            with two.live() as second:
                second.next()
            table = site.app.state.service.registry._lives[one.id]
            until(lambda: len(table.watchers) == 2, "the second tab to be closed")
            assert live.waiting() == []
            assert one.game["present"] == [True, True]
        live.until(lambda game: game["present"] == [True, False], "Player 2 to leave")


def test_a_player_whose_connection_breaks_is_away(site: Site) -> None:
    one, two = friends(site.http)
    with one.live() as live, two.live() as vanishing:
        live.until(lambda game: game["present"] == [True, True], "Player 2 to be there")
        vanishing.drop()
        live.until(lambda game: game["present"] == [True, False], "Player 2 to be missed")


def test_a_computer_is_always_there(site: Site) -> None:
    assert create(site.http, opponent="random").game["present"] == [False, True]


# -- those who are slow ---------------------------------------------------------------------


def test_a_late_reader_gets_only_the_newest_state() -> None:
    async def run() -> None:
        live = Mock(loaded=True)
        live.json = lambda you: f"{you} {live.state}"
        watcher = Watcher(live, None)
        for number in range(1000):
            live.state = str(number)
            watcher.push()
        assert await watcher.next() == "None 999"
        waiting = asyncio.create_task(watcher.next())
        await asyncio.sleep(0)
        assert not waiting.done()
        live.state = "news"
        watcher.push()
        assert await waiting == "None news"

    asyncio.run(asyncio.wait_for(run(), remaining()))


def test_a_slow_watcher_gets_the_newest_state_and_no_backlog(tmp_path: Path) -> None:
    """One who does not read holds nobody up; what waits for them is a few states, not all."""
    with ExitStack() as stack:
        site = stack.enter_context(served(tmp_path / "games.db", buffer=8192))
        people = friends(site.http, "factors", variant={"n": 100}, forgiving=True)
        slow = stack.enter_context(_raw(site, people[0].id))
        quick = stack.enter_context(people[0].live())
        size, changes, game = 0, 150, play(people, "2")
        for number in range(changes):
            say = "ask" if number % 2 == 0 else "refuse"
            game = accepted(people[number % 2].undo(say, game["number"]))
            size = len(json.dumps(game))
        quick.until(told(game["number"]), "the newest state")
        received, newest = 0, f'"number":{game["number"]},'.encode()
        data = b""
        slow.settimeout(remaining())
        while newest not in data:
            more = slow.recv(1 << 16)
            assert more
            received += len(more)
            data = data[-100:] + more
    assert size > 5_000
    assert received < changes * size / 2


@contextmanager
def _raw(site: Site, game: str) -> Iterator[socket.socket]:
    """A WebSocket whose owner does not read, with as small a buffer as there is."""
    with socket.socket() as plain:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        plain.connect(("127.0.0.1", site.port))
        plain.sendall(
            f"GET /api/v1/games/{game}/live HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\n"
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        plain.settimeout(remaining())
        assert plain.recv(12) == b"HTTP/1.1 101"
        yield plain


# -- those who are not welcome --------------------------------------------------------------


@pytest.mark.parametrize("game", ["nosuchgame00", "x", "a" * 300, "%00%00%00%00%00%00", "%F0%9F"])
def test_a_channel_to_an_unknown_game_is_refused(site: Site, game: str) -> None:
    with Person(site.http, game).live() as live:
        assert live.closed() == 4404


def test_a_page_of_another_site_cannot_watch(site: Site) -> None:
    one = create(site.http)
    for origin in ("https://evil.example", "null", f"http://127.0.0.1:{site.port + 1}"):
        with pytest.raises(InvalidStatus) as refusal, one.live(origin=origin):
            pass
        assert refusal.value.response.status_code == 403
    with one.live(origin=site.url) as live:
        assert live.next()["you"] == 1


def test_a_wrong_token_looks_on_from_no_seat(site: Site) -> None:
    one, two = friends(site.http)
    for token in ("A" * 43, create(site.http).token):
        with Person(site.http, one.id, token).live() as live:
            assert live.next()["you"] is None
            assert live.waiting() == []
    with two.live() as live:
        assert live.next()["you"] == 2


def test_a_browser_looks_on_with_its_cookie(site: Site) -> None:
    one = create(site.http)
    spectator = Person(site.http, one.id)
    headers = {"Cookie": f"{COOKIE}={one.token}"}
    url = f"ws://127.0.0.1:{site.port}/api/v1/games/{one.id}/live"
    with connect(url, additional_headers=headers, proxy=None) as live:
        assert json.loads(live.recv(remaining()))["you"] == 1
        until(lambda: spectator.game["present"][0], "Player 1 to be there")


def test_a_message_on_a_live_channel_changes_nothing(site: Site) -> None:
    one, _ = friends(site.http)
    with one.live() as live:
        live.until(lambda game: game["present"][0], "Player 1 to be there")
        live.socket.send('{"move":"4","after":1}')
        assert live.closed() == 1008
    assert one.game["moves"] == []


def test_a_server_that_goes_down_says_so(tmp_path: Path) -> None:
    with ExitStack() as stack:
        with served(tmp_path / "games.db") as site:
            one = create(site.http)
            live = stack.enter_context(one.live())
            live.next()
        assert live.closed() == 1012
