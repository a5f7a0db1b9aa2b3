"""Events on a server: a class plays at once, and nothing is lost, whatever happens to it."""

from __future__ import annotations

import asyncio
import json
import re
import runpy
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import Mock

import httpx
import pytest
import uvloop

from numduel import game
from numduel.client import Failure
from numduel.events import actions, clock, director
from numduel.events.event import Entry, Event, fold
from numduel.events.settings import chosen
from numduel.web import retention
from numduel.web.events import live as live_events
from numduel.web.events import runner as event_runner
from numduel.web.events import service as events
from numduel.web.events.live import LiveEvent
from numduel.web.http.middleware import rate_limit
from numduel.web.live.live import Watcher
from numduel.web.people.keys import new_key
from numduel.web.solving.solvers import Solvers
from tests.plugins.limit import remaining
from tests.web.site import (
    Live,
    Person,
    Process,
    Site,
    accepted,
    asked,
    create,
    friends,
    new_postgresql,
    refused,
    served,
    together,
    until,
)

BOT = Path(__file__).parents[3] / "examples" / "arena_bot.py"
SMALL = {"game": "capture", "variant": {"n": 7}}
"""A game of a few moves."""


class Visitor(Person):
    """Somebody who looks at an event: a player or the host if their token says so."""

    about = "event"

    @property
    def event(self) -> Any:
        """How the event stands."""
        return self.look()["event"]


class Host(Visitor):
    """Who has created an event."""

    def act(self, what: str, /, **body: Any) -> Any:
        """Do something that only the host may do; how the event stands then."""
        answer = self.post(f"host/{what}", **body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def moved(self, http: httpx.Client) -> Host:
        """The same host at another server."""
        return Host(http, self.id, self.token)


class Pupil(Visitor):
    """Somebody who takes part."""

    def __init__(self, http: httpx.Client, told: Any, code: str) -> None:
        super().__init__(http, code, told["token"])
        self.player, self.nickname, self.code = told["player"], told["nickname"], told["code"]

    def moved(self, http: httpx.Client) -> Pupil:
        """The same pupil at another server."""
        told = {"token": self.token, "player": self.player, "nickname": self.nickname}
        return Pupil(http, {**told, "code": self.code}, self.id)

    @property
    def row(self) -> Any:
        """What the table says of them."""
        return row(self.event, self.player)

    def at_game(self, game: str) -> Person:
        """The same pupil at a game."""
        return Person(self.http, game, self.token)


def row(event: Any, number: int) -> Any:
    (found,) = (one for one in event["players"] if one["number"] == number)
    return found


def new_event(http: httpx.Client, *games: dict[str, Any], **wishes: Any) -> Host:
    body = {"games": games or [SMALL], "format": "swiss", "rounds": 2, **wishes}
    answer = http.post("/api/v1/events", json=body)
    assert answer.status_code == 201, answer.text
    return Host(http, answer.json()["code"], answer.json()["host"])


def join(host: Host, nickname: str, http: httpx.Client | None = None, **body: Any) -> Pupil:
    server = http or host.http
    answer = Visitor(server, host.id).post("join", nickname=nickname, **body)
    assert answer.status_code == 200, answer.text
    return Pupil(server, answer.json() | {"token": answer.json()["token"]}, host.id)


def class_of(host: Host, size: int, *servers: httpx.Client) -> list[Pupil]:
    """So many pupils, who join at the same time."""
    ways = servers or (host.http,)
    with ThreadPoolExecutor(8) as threads:
        return list(
            threads.map(lambda n: join(host, f"Pupil {n}", ways[n % len(ways)]), range(size))
        )


def log_of(database: str, code: str) -> list[Entry]:
    """What is kept of an event."""
    question = "SELECT number, kind, player, data, at FROM event_log WHERE event = {} ORDER BY 1"
    rows = asked(database, question, code)
    return [
        Entry(number, kind, player, json.loads(data), at) for number, kind, player, data, at in rows
    ]


def sound(database: str, code: str) -> Event:
    """An event from its log, in which nobody was paired who was away or played already, and all
    games are there."""
    created, *following = log_of(database, code)
    event = Event(created)
    for entry in following:
        if entry.kind == "pair":
            free = {member.number for member in event.free} | {0}
            assert set(entry.data["players"]) <= free, "paired twice, or while away"
        event.apply(entry)
    games = {game for (game,) in asked(database, "SELECT id FROM games WHERE event = {}", code)}
    assert games == set(event.by_game)
    return event


def play_on(
    pupils: list[Pupil], done: Callable[[Any], bool], luck: Random, most: int = 10**6
) -> int:
    """Have pupils play until an event is so far, or so many moves were made; how many were."""
    made = 0
    for _ in range(2_000):
        event = pupils[0].event
        if done(event):
            return made
        for pupil in pupils:
            now = row(event, pupil.player)
            if now["game"] is not None and made < most:
                person = pupil.at_game(now["game"])
                told = person.look()
                assert told["you"] == now["seat"], "the one key proves the seat"
                if told["game"]["to_move"] == now["seat"]:
                    move = luck.choice(told["game"]["legal"])["move"]
                    accepted(person.move(move, told["game"]["number"]))
                    made += 1
        if made >= most:
            return made
    raise AssertionError("the event does not go on")


def round_is(number: int) -> Callable[[Any], bool]:
    return lambda event: event["round"] >= number


def knows_round(pupil: Pupil, number: int) -> bool:
    return bool(pupil.event["round"] == number)


def all_known(site: Site, games: Iterable[str]) -> bool:
    return all(map(site.app.state.service.registry.in_memory, games))


def ended(event: Any) -> bool:
    return bool(event["phase"] == "ended")


def watching(stack: ExitStack, pupils: list[Pupil]) -> dict[int, Live]:
    """Every pupil with a live channel, as a browser has one."""
    return {pupil.player: stack.enter_context(pupil.live(max_queue=None)) for pupil in pupils}


def at_boards(stack: ExitStack, pupils: list[Pupil]) -> dict[int, Live]:
    """Every pupil who plays with a live channel to the board."""
    playing = {pupil: game for pupil in pupils if (game := pupil.row["game"])}
    return {
        pupil.player: stack.enter_context(pupil.at_game(game).live(max_queue=None))
        for pupil, game in playing.items()
    }


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that looks all the time what is due."""
    monkeypatch.setattr(event_runner, "TICK_SECONDS", 0.02)
    monkeypatch.setattr(live_events, "PUSH_SECONDS", 0.0)
    monkeypatch.setattr(live_events, "TABLE_SECONDS", 0.0)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with served(tmp_path / "games.db") as site:
        yield site


# -- a class --------------------------------------------------------------------------------


def all_here(host: Host) -> bool:
    """Whether nobody is away."""
    return not any(one["away"] for one in host.event["players"])


@pytest.mark.parametrize("size", [12, pytest.param(30, marks=pytest.mark.proof)])
def test_a_class_plays_although_the_server_is_killed(tmp_path: Path, size: int) -> None:
    path, luck = tmp_path / "games.db", Random(5)
    database = f"sqlite:///{path}"
    arguments = ("--rate", "0", "--database", database)
    with ExitStack() as stack:
        first = stack.enter_context(
            Process(
                tmp_path,
                *arguments,
                events__runner__AWAY_SECONDS=0.5,
                events__runner__TICK_SECONDS=0.1,
            )
        ).ready()
        host = new_event(first.http, rounds=2, level="random")
        pupils = class_of(host, size)
        assert len({pupil.player for pupil in pupils}) == size
        with ExitStack() as channels:
            watching(channels, pupils)
            until(lambda: all_here(host), "all to be there")
            host.act("start")
            play_on(pupils, lambda event: len(event["pairings"]) == size // 2, luck)
            made = play_on(pupils, ended, luck, most=size // 2)
            before = sound(database, host.id)
            first.kill()
        second = stack.enter_context(
            Process(
                tmp_path,
                *arguments,
                events__runner__AWAY_SECONDS=0.5,
                events__runner__TICK_SECONDS=0.1,
            )
        ).ready()
        host = host.moved(second.http)
        pupils = [pupil.moved(second.http) for pupil in pupils]
        after = sound(database, host.id)
        assert [one.players for one in after.pairings.values()] == [
            one.players for one in before.pairings.values()
        ], "nobody is paired again"
        moves = asked(database, "SELECT COUNT(*) FROM log WHERE kind = 'move'")
        assert moves[0][0] >= made, "nothing is lost"
        with ExitStack() as channels:
            live = watching(channels, pupils)
            boards = at_boards(channels, pupils)
            until(lambda: all_here(host), "all to be back")
            # One leaves in the middle of a game, another when theirs is over; one comes late.
            leaver = next(one for one in pupils if row(host.event, one.player)["game"])
            live[leaver.player].drop()
            boards[leaver.player].drop()
            until(lambda: row(host.event, leaver.player)["away"], "who left to be away")
            host.act("forfeit", player=leaver.player)
            late = join(host, "Late")
            live[late.player] = channels.enter_context(late.live(max_queue=None))
            until(lambda: not row(host.event, late.player)["away"], "who came late to be seen")
            rest = [one for one in pupils if one is not leaver]
            play_on([*rest, late], round_is(2), luck)
            event = host.event
            assert row(event, leaver.player)["game"] is None, "who is away is not paired"
            assert row(event, late.player)["game"] is not None
            # They come back on another device, and are paired when the next round is.
            told = Visitor(second.http, host.id).post(
                "return", nickname=leaver.nickname, code=leaver.code
            )
            assert told.json()["player"] == leaver.player
            until(lambda: not row(host.event, leaver.player)["away"], "who left to be back")
            assert leaver.look()["you"] is None, "the first device is nobody any more"
            play_on([*rest, late], ended, luck)
        final = sound(database, host.id)
        games = final.pairings.values()
        assert sum(one["wins"] for one in host.event["players"]) == sum(
            game.winner not in (None, 0) for game in games
        )
        assert len(games) == size
        until(
            lambda: all(
                game.judgement
                for game in fold(log_of(database, host.id)).pairings.values()
                if game.end == "played"
            ),
            "all games to be judged",
        )
        table = host.get("/table.csv").content
        assert table.startswith(b"\xef\xbb\xbf"), "Excel takes it for UTF-8"
        assert len(table.splitlines()) == size + 2
        page = rest[0].get("/me").json()
        assert [game["judged"] for game in page["games"] if game["end"] == "played"]
        report = host.get("/class").json()
        assert report["missed"]
        assert len(report["examples"]) == len(report["missed"])
        found = next(one for one in report["examples"] if one is not None)
        for answer in (False, True):
            host.act("show", game=found["game"], ply=found["ply"], answer=answer)
            shown = rest[0].look()["event"]["shown"]
            assert (shown["answer"] or [None])[0] == (found["told"] if answer else None)
            names = [one["nickname"] for one in host.event["players"]]
            assert not any(name in str((shown, found)) for name in names), "it names nobody"
        host.act("show")
        assert host.event["shown"] is None


def test_two_processes_agree_and_one_goes_on_alone(tmp_path: Path) -> None:
    address, luck = new_postgresql(), Random(7)
    arguments = ("--rate", "0", "--database", address)
    with ExitStack() as stack:
        here, there = (
            stack.enter_context(
                Process(
                    tmp_path,
                    *arguments,
                    events__runner__TICK_SECONDS=0.1,
                    live__presence__LEASE_SECONDS=1.0,
                )
            )
            for _ in range(2)
        )
        here.ready(), there.ready()
        host = new_event(here.http, rounds=3)
        pupils = class_of(host, 6, here.http, there.http)
        channels = stack.enter_context(ExitStack())
        live = watching(channels, pupils)
        host.moved(there.http).act("start")
        assert live[1].until(lambda event: event["pairings"], "the first round")["round"] == 1
        play_on(pupils, round_is(2), luck)
        for one in pupils:
            until(partial(knows_round, one, 2), "both to know of the second round")
        play_on(pupils, ended, luck, most=3)
        here.kill()
        pupils = [pupil.moved(there.http) for pupil in pupils]
        watching(channels, [one for one in pupils if one.player in live])
        host = host.moved(there.http)
        play_on(pupils, ended, luck)
        event = sound(address, host.id)
        assert [one.round for one in event.pairings.values()] == [1] * 3 + [2] * 3 + [3] * 3
        assert all(one.end == "played" for one in event.pairings.values())
        # What is deleted at one process is gone at the other.
        back = stack.enter_context(served(address))
        game = next(iter(event.by_game))
        # It knows the game, and has never heard of its event.
        with Person(back.http, game).live() as board:
            board.next()
            assert host.http.delete(host.path, headers=host.headers).status_code == 204
            assert board.closed() == 4404
        refused(back.http.get(host.path), 404)
        refused(Person(back.http, game).get(), 404)
        assert set(rows(address).values()) == {0}


def test_a_restarted_server_finishes_the_work_of_the_last_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.db"
    with monkeypatch.context() as patch, served(path) as site:
        host = new_event(site.http, rounds=1)
        pupils = class_of(host, 2)
        host.act("start")
        until(lambda: pupils[0].row["game"], "a game")
        game = pupils[0].row["game"]
        patch.setattr(event_runner.EventRunner, "_finish", _nothing)
        accepted(pupils[0].at_game(game).resign())
        assert pupils[0].row["game"] == game, "the process died before it was noted"
    with served(path) as site:
        host = host.moved(site.http)
        until(lambda: host.event["phase"] == "ended", "the result, and so the end")
        until(lambda: pupils[0].moved(site.http).get("/me").json()["games"][0]["judged"], "more")
    log = [entry.kind for entry in log_of(f"sqlite:///{path}", host.id)]
    assert log[:-2] == ["create", "join", "join", "start", "pair", "result"]
    assert sorted(log[-2:]) == ["end", "judge"], "the game is judged while the event ends"


def test_players_are_sent_news_that_concern_them_at_once_and_other_news_with_the_table(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = new_event(site.http)
    pupils = class_of(host, 4)
    with ExitStack() as stack:
        channels = watching(stack, pupils)
        host.act("start")
        for one in pupils:
            channels[one.player].until(lambda event: event["pairings"], "the opponent")
        until(lambda: len(host.event["pairings"]) == 2, "both pairings")
        for channel in channels.values():
            channel.waiting()
        monkeypatch.setattr(live_events, "TABLE_SECONDS", 3600.0)
        host.act("broadcast", text="Quiet, please")  # From now on the table can wait for an hour.
        for channel in channels.values():
            channel.until(lambda event: event["message"] == "Quiet, please", "the message")
        (ended, goes_on) = (one["players"] for one in host.event["pairings"])
        (loser,) = (one for one in pupils if one.player == ended[0])
        accepted(loser.at_game(loser.row["game"]).resign())
        for player in ended:
            over = channels[player].until(lambda event: len(event["pairings"]) == 1, "the end")
            assert row(over, ended[1])["wins"] == 1
        assert [channels[player].waiting() for player in goes_on] == [[], []]
        host.act("broadcast", text="Thank you")
        for player in goes_on:
            (told,) = channels[player].waiting() or [channels[player].next()]
            assert row(told["event"], ended[1])["wins"] == 1


def test_a_change_before_a_state_is_sent_is_sent_with_it() -> None:
    """In the event loop of the server, whose timers cannot be asked when they are due."""

    async def changing() -> list[str]:
        live = LiveEvent("ABCDEF", Mock(**{"uptime.now.return_value": 0.0}))
        live.loaded = Event(actions.create(chosen([game("duel")]), "host", 0.0))
        watcher = Watcher(live, None)
        live.watchers.add(watcher)
        live.changed()
        live.changed()
        first = await watcher.next()
        live.loaded.apply(actions.lock(live.loaded, 1.0))
        live.changed()
        return [first, await watcher.next()]

    open_door, locked = map(json.loads, uvloop.run(asyncio.wait_for(changing(), remaining())))
    assert (open_door["event"]["locked"], locked["event"]["locked"]) == (False, True)


def test_games_of_events_are_judged_where_nobody_waits_for_anything_else(site: Site) -> None:
    host = new_event(site.http, rounds=1)
    pupils = class_of(host, 2)
    host.act("start")
    play_on(pupils, ended, Random(2))
    until(lambda: host.event["players"][0]["moves"] > 0, "a judgement")
    solvers: Solvers = site.app.state.solvers
    assert [lane.solvers[0].needed for lane in (solvers.slow, solvers.large)] == [True, False]


async def _nothing(*_: object) -> None:
    pass


# -- the host -------------------------------------------------------------------------------

JSON = {"Content-Type": "application/json"}
HOSTING: dict[str, dict[str, Any]] = {
    "check": {}, "start": {}, "pause": {}, "resume": {}, "extend": {"minutes": 1}, "end": {},
    "lock": {"locked": True}, "broadcast": {"text": "Hello"}, "pair": {}, "cancel": {"pairing": 4},
    "forfeit": {"player": 1}, "rename": {"player": 1, "nickname": "X"}, "remove": {"player": 1},
    "code": {"player": 1}, "add": {"level": "easy"}, "door": {"approval": True}, "admit": {},
    "decline": {}, "sweep": {}, "restore": {"player": 1},
    "nudge": {"player": 1},
}  # fmt: skip


def test_an_event_refuses_in_one_sentence(site: Site) -> None:
    host = new_event(site.http)
    long = Visitor(site.http, host.id).post("join", nickname="x" * 500)
    refused(long, 422)
    assert "at most 20 characters" in long.json()["error"]
    line = host.post("host/broadcast", text="y" * 500)
    refused(line, 422)
    assert "at most 120" in line.json()["error"]
    torn = site.http.post("/api/v1/events", content=b'{"games": [', headers=JSON)
    refused(torn, 422)
    assert torn.json()["error"] == "The body of the request is not JSON."


def test_only_the_secret_makes_a_host(site: Site) -> None:
    host, other = new_event(site.http), new_event(site.http)
    pupil = join(host, "Ada")
    before = host.event
    for token in (None, pupil.token, other.token, "A" * 43, host.id):
        nobody = Visitor(site.http, host.id, token)
        for what, body in HOSTING.items():
            refused(nobody.post(f"host/{what}", **body), 403)
        for what in ("class", "table.csv", "door"):
            refused(nobody.get(f"/{what}"), 403)
        refused(site.http.delete(nobody.path, headers=nobody.headers), 403)
    assert host.event == before
    host.act("check")
    kept = str(
        [asked(site.database, f"SELECT * FROM {table}") for table in ("events", "event_log")]
    )
    for secret in (host.token, pupil.token, pupil.code):
        assert secret is not None
        assert f"{secret}'" not in kept
        assert f'"{secret}"' not in kept
        assert f'"{secret}"' not in json.dumps(host.look())


def test_a_host_directs_an_event(site: Site) -> None:
    host = new_event(site.http, format="arena", minutes=5)
    one, two, three = (join(host, name) for name in ("Ada", "Bo", "Cy"))
    host.act("lock", locked=True)
    assert "locked" in refused(Visitor(site.http, host.id).post("join", nickname="Di"), 422)
    host.act("lock", locked=False)
    assert host.event["clock"] == {"ends": None, "remaining": 300.0}
    host.act("extend", minutes=2)
    told = host.act("start")
    assert 419 < told["event"]["clock"]["ends"] - told["now"] <= 420
    until(lambda: len(host.event["pairings"]) == 2, "the computer to play the third")
    host.act("pause")
    pupils = (one, two, three)
    boards = {pupil.player: pupil.at_game(pupil.row["game"]) for pupil in pupils}
    mover = next(
        pupil for pupil in pupils
        if boards[pupil.player].game["to_move"] == pupil.row["seat"]
    )  # fmt: skip
    board = boards[mover.player]
    move = board.game["legal"][0]["move"]
    assert "paused" in refused(board.move(move, board.game["number"]), 403)
    assert "paused" in refused(board.resign(), 403)
    for pairing in host.event["pairings"]:
        host.act("cancel", pairing=pairing["number"])
    refused(host.post("host/pair"), 422)
    refused(host.post("host/cancel", pairing=99), 422)
    event = host.act("broadcast", text="Look up!")["event"]
    assert (event["message"], event["pairings"], event["phase"]) == ("Look up!", [], "paused")
    host.act("rename", player=two.player, nickname="Beau")
    host.act("remove", player=three.player)
    assert {row["nickname"] for row in host.event["players"]} == {"Ada", "Beau"}
    assert three.look()["you"] is None
    refused(three.get("/me"), 403)
    host.act("resume")
    until(lambda: len(host.event["pairings"]) == 1, "a pairing")
    game = one.row["game"]
    host.act("cancel", pairing=one.row["pairing"])
    event = host.act("end")["event"]
    assert (event["phase"], event["clock"]) == ("ended", {"ends": None, "remaining": None})
    assert one.at_game(game).game["event"] == host.id
    refused(host.post("host/start"), 422)


def test_two_are_paired_by_hand_and_levels_take_part(site: Site) -> None:
    host = new_event(site.http, SMALL, {"game": "duel"}, format="round-robin")
    host.act("add", level="random")
    event = host.act("add", level="easy", nickname="Robo")["event"]
    assert [(one["nickname"], one["kind"]) for one in event["players"]] == [
        ("Random", "random"), ("Robo", "easy"),
    ]  # fmt: skip
    refused(host.post("host/add", level="easy", nickname="robo"), 422)
    host.act("start")
    event = until(lambda: ended(host.event) and host.event, "the two to have played")
    assert sum(one["wins"] for one in event["players"]) == 1, "they play each other by themselves"
    arena = new_event(site.http, SMALL, {"game": "duel"}, format="arena", level="random")
    one, two = join(arena, "Ada"), join(arena, "Bo")
    arena.act("start")
    until(lambda: arena.event["pairings"], "a pairing")
    arena.act("pause")
    arena.act("cancel", pairing=one.row["pairing"])
    text = arena.event["games"][1]["text"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(director, "due", lambda *_, **__: [])
        arena.act("resume")
        refused(arena.post("host/pair", players=[1, 1]), 422)
        refused(arena.post("host/pair", players=[1, 7]), 422)
        refused(arena.post("host/pair", players=[1, 2], game="chess"), 422)
        arena.act("pair", players=[2, 1], game=text)
    assert [row(arena.event, n)["seat"] for n in (1, 2)] == [2, 1]
    assert one.at_game(one.row["game"]).game["name"] == "duel"
    assert two.row["opponent"] == 1


def test_creating_events_is_expensive_and_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limit, "EVENTS_BURST", 3.0)
    monkeypatch.setattr(events, "MAX_GOING_ON", 1)
    body = {"games": [SMALL]}
    with served(tmp_path / "games.db", rate=4) as site:
        one, two = new_event(site.http), new_event(site.http)
        refused(site.http.post("/api/v1/events", json=body), 429)  # 20 of 40 tokens each
    with served(tmp_path / "games.db", rate=1000) as site:
        for _ in range(3):
            new_event(site.http)
        late = site.http.post("/api/v1/events", json=body)
        assert re.search(r"; wait 1[12]\d seconds\.$", refused(late, 429))
        assert 110 < int(late.headers["retry-after"]) <= 120
        assert site.http.get(one.path).status_code == 200
        hosts = [host.moved(site.http) for host in (one, two)]
        for host in hosts:
            host.act("add", level="random")
            join(host, "Ada")
        hosts[0].act("start")
        assert "Too many" in refused(hosts[1].post("host/start"), 503)
        hosts[0].act("end")
        hosts[1].act("start")


def test_levels_that_nobody_watches_wait(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_runner, "ASKING_SECONDS", 0.0)
    due, asked_for = director.due, []

    def counted(*arguments: Any, **named: Any) -> list[Entry]:
        asked_for.append(named)
        return due(*arguments, **named)

    monkeypatch.setattr(director, "due", counted)
    host = new_event(site.http, level="random", rounds=1)
    for name in ("Robo", "Otto"):
        host.act("add", level="random", nickname=name)
    host.act("start")
    until(lambda: len(asked_for) > 5, "a few looks at what is due")
    assert [entry.kind for entry in log_of(site.database, host.id)][-1] == "start"
    with Visitor(site.http, host.id).live() as onlooker:
        onlooker.until(ended, "them to play while somebody watches")


def test_an_event_goes_on_after_a_write_that_failed(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = new_event(site.http, format="arena")
    class_of(host, 2)
    with monkeypatch.context() as patch:
        patch.setattr(director, "due", lambda *_, **__: [])
        host.act("start")
    (live,) = site.app.state.events.registry.all
    live.loaded = None
    until(lambda: live.loaded is not None, "it to be loaded without anybody asking")


# -- players --------------------------------------------------------------------------------


def test_a_lost_answer_costs_nothing(site: Site) -> None:
    body = {"games": [SMALL], "key": "H" * 43}
    first, again = (site.http.post("/api/v1/events", json=body).json() for _ in range(2))
    assert (first["code"], first["host"]) == (again["code"], again["host"])
    host = Host(site.http, first["code"], first["host"])
    one, same = (join(host, "Ada", key="A" * 43) for _ in range(2))
    assert (one.player, one.code) == (same.player, same.code)
    assert len(host.event["players"]) == 1
    spelled = f"{host.id[:3]}-{host.id[3:].lower()}"
    assert Visitor(site.http, spelled).event == host.event
    answers = together(*(lambda: Visitor(site.http, host.id).post("join", nickname="Bo"),) * 4)
    assert sorted(answer.status_code for answer in answers) == [200, 422, 422, 422]


def test_there_is_no_help_in_a_game_of_an_event(site: Site) -> None:
    host = new_event(site.http, format="arena", level="random")
    pupil = join(host, "Ada")
    host.act("add", level="random")
    host.act("start")
    game = until(lambda: pupil.row["game"], "a game")
    person = pupil.at_game(game)
    for what in ("/values", "/hint", "/report"):
        assert "event" in refused(person.get(what), 403)
        refused(Person(site.http, game).get(what), 403)
    state = until(lambda: person.game["to_move"] == pupil.row["seat"] and person.game, "the turn")
    after = accepted(person.move(state["legal"][0]["move"]))
    assert after["undoable"] == [False, False]
    if after["outcome"] is None:
        assert "event" in refused(person.undo(), 403)
        accepted(person.resign())
    assert "event" in refused(person.rematch(), 403)
    assert person.get("/report").status_code == 200
    ordinary = create(site.http, "capture", opponent="random", variant={"n": 7})
    assert ordinary.get("/hint").status_code == 200, "elsewhere there is"
    assert ordinary.game["event"] is None


def test_returning_moves_the_seats_to_the_new_browser(site: Site) -> None:
    host = new_event(site.http)
    one, two = join(host, "Ada"), join(host, "Bo")
    host.act("start")
    game = until(lambda: one.row["game"], "a game")
    visitor = Visitor(site.http, host.id)
    wrong = f"{(int(one.code) + 1) % 10_000:04}"
    with one.live() as channel:
        assert channel.next()["you"] == one.player
        refused(visitor.post("return", nickname="Nobody", code=one.code), 403)
        for _ in range(4):
            refused(visitor.post("return", nickname="ada", code=wrong), 403)
        told = visitor.post("return", nickname="ada", code=one.code, key="R" * 43).json()
        assert (told["player"], told["nickname"], told["code"]) == (one.player, "Ada", None)
        until(lambda: channel.next()["you"] is None, "the first browser to hear of it")
    again = Pupil(site.http, told, host.id)
    assert again.at_game(game).look()["you"] == one.row["seat"]
    assert one.at_game(game).look()["you"] is None
    refused(two.post("return", nickname="Ada", code=one.code, key=two.token), 422)
    refused(visitor.post("return", nickname="Ada", code=wrong), 403)
    assert "new digits" in refused(visitor.post("return", nickname="Ada", code=one.code), 429)
    fresh = host.act("code", player=one.player)["code"]
    assert visitor.post("return", nickname="Ada", code=fresh, key="S" * 43).status_code == 200
    host.act("rename", player=one.player, nickname="Zoe")
    assert "Zoe" in two.at_game(game).game["names"], "at once, wherever the name was seen"
    assert "Ada" not in two.at_game(game).game["names"]


def returns(host: Host, http: httpx.Client, address: str, one: Pupil, digits: str = "") -> int:
    """The answer to somebody who comes back from an address with the digits of a player."""
    body = {"nickname": one.nickname, "code": digits or one.code, "key": new_key()}
    headers = {"X-Forwarded-For": address}
    return http.post(f"{host.path}/return", json=body, headers=headers).status_code


def wrong_digits(one: Pupil) -> str:
    return f"{(int(one.code) + 1) % 10_000:04}"


def test_whoever_guesses_digits_stops_nobody_elsewhere_and_no_other_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The processes count together. A key and new digits from the host always work."""
    monkeypatch.setattr(events, "EVENT_ATTEMPTS", 3.0)
    monkeypatch.setattr(events, "EVENT_RATE", 1e-9)
    address, shared = new_postgresql(), str(tmp_path)
    with (
        served(address, proxy=True, shared=shared) as here,
        served(address, proxy=True, shared=shared) as there,
    ):
        host = new_event(here.http)
        ada, bo, cy, di = (join(host, name) for name in ("Ada", "Bo", "Cy", "Di"))
        for one, site in ((bo, here), (cy, there), (di, here)):
            assert returns(host, site.http, "10.0.0.1", one, wrong_digits(one)) == 403
        for site in (here, there):
            assert returns(host, site.http, "10.0.0.1", bo) == 429, "whether right or not"
            assert returns(host, site.http, "10.0.0.1", ada) == 200, "nobody has guessed hers"
            assert returns(host, site.http, "10.0.0.2", di) == 200, "at another address"
        mine = {"nickname": bo.nickname, "code": "0000", "key": bo.token}
        headers = {"X-Forwarded-For": "10.0.0.1"}
        assert here.http.post(f"{host.path}/return", json=mine, headers=headers).status_code == 200
        fresh = host.act("code", player=cy.player)["code"]
        assert returns(host, here.http, "10.0.0.1", cy, fresh) == 200


def test_the_digits_of_a_player_are_not_guessed_from_many_addresses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "CODE_ATTEMPTS", 1.0)
    monkeypatch.setattr(events, "CODE_RATE", 1e-9)
    with served(tmp_path / "games.db", proxy=True) as site:
        host = new_event(site.http)
        one = join(host, "Ada")
        wrong = [
            returns(host, site.http, f"10.0.0.{n}", one, wrong_digits(one))
            for n in (1, 1, 2, 3, 4, 5)
        ]
        assert wrong == [403, 429, 403, 403, 403, 429]
        assert returns(host, site.http, "10.0.0.6", one) == 429
        fresh = host.act("code", player=one.player)["code"]
        assert returns(host, site.http, "10.0.0.6", one, fresh) == 200


def test_a_browser_takes_part_with_its_one_key(site: Site) -> None:
    host = new_event(site.http)
    with httpx.Client(base_url=site.url, trust_env=False) as browser:
        ordinary = browser.post(
            "/api/v1/games", json={"game": "duel", "opponent": "friend", "cookie": True}
        )
        assert ordinary.status_code == 201
        told = browser.post(f"{host.path}/join", json={"nickname": "Ada", "cookie": True}).json()
        assert told["token"] is None
        join(host, "Bo")
        host.act("start")
        until(lambda: host.event["pairings"], "a pairing")
        mine = browser.get(host.path).json()
        game = row(mine["event"], mine["you"])["game"]
        assert browser.get(f"/api/v1/games/{game}").json()["you"] in (1, 2)
        assert game in [one["id"] for one in browser.get("/api/v1/games").json()["games"]]


def test_a_clock_ends_the_game_of_whoever_does_not_move(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And only that one. The clock is sent with the game, and stands still in a pause."""
    host = new_event(site.http, format="arena", move_seconds=600)
    one, two = join(host, "Ada"), join(host, "Bo")
    host.act("start")
    until(lambda: host.event["pairings"], "a pairing")
    board = one.at_game(one.row["game"])
    assert board.game["clock"]["left"] == [600.0, 600.0]
    rounding = 0.1
    assert board.game["clock"]["ends"] <= host.look()["now"] + 600 + clock.FREE_SECONDS + rounding
    host.act("pause")
    assert board.game["clock"] == {"left": [600.0, 600.0], "ends": None}
    host.act("resume")
    slow = one if board.game["to_move"] == one.row["seat"] else two
    first = slow.row["game"]
    monkeypatch.setattr(clock, "remaining", lambda _, turn, __: 99.0 * (turn.id != first))
    until(lambda: slow.row["game"] != first, "the time to be up")
    ended = next(game for game in slow.get("/me").json()["games"] if game["id"] == first)
    assert (ended["end"], ended["won"]) == ("time", False)
    lost = slow.at_game(first)
    assert refused(lost.move(lost.game["legal"][0]["move"]), 403) == "This game is over."
    host.act("nudge", player=slow.player)
    assert slow.row["nudged"] > host.event["created"]


def test_a_player_is_away_after_leaving_and_back_on_return(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_runner, "AWAY_SECONDS", 0.5)
    host = new_event(site.http, format="arena")
    one, two = join(host, "Ada"), join(host, "Bo")
    with one.live() as channel:
        event = channel.until(lambda event: row(event, two.player)["away"], "Bo to be away")
        assert not row(event, one.player)["away"]
        with two.live() as other:
            event = channel.until(lambda event: not row(event, two.player)["away"], "Bo to be back")
            host.act("start")
            event = other.until(lambda event: event["pairings"], "a pairing")
        game = row(event, one.player)["game"]
    with one.at_game(game).live() as board:
        board.next()
        until(lambda: row(host.event, two.player)["away"], "Bo to be away again")
        assert not row(host.event, one.player)["away"], "who is at the board is there"
    until(lambda: row(host.event, one.player)["away"], "nobody to be there")
    monkeypatch.setattr(director, "DESERTED_SECONDS", 0.0)
    until(lambda: ended(host.event), "an event that everybody has left to end")


HOSTILE = [
    "",
    " ",
    "a" * 21,
    "<b>Ada</b>",
    "=1+1",
    "-x",
    "a\u202eb",
    "A\u0000b",
    "x" * 70,
    "Computer",
]


SENSELESS: list[dict[str, Any]] = [
    {}, {"games": []}, {"games": [{"game": "chess"}]}, {"games": [SMALL, SMALL]},
    {"games": [SMALL], "format": "knockout"}, {"games": [SMALL], "minutes": 0},
    {"games": [SMALL], "level": "human"}, {"games": [SMALL], "legs": 1},
    {"games": [{"game": "line", "variant": {"n": 10**9}}]}, {"games": [SMALL], "more": 1},
]  # fmt: skip


def test_a_senseless_request_to_an_event_is_refused_in_one_sentence(site: Site) -> None:
    host = new_event(site.http)
    visitor = Visitor(site.http, host.id)
    for nickname in HOSTILE:
        refused(visitor.post("join", nickname=nickname), 422)
        refused(visitor.post("return", nickname=nickname, code="0000"), 403)
    for body in SENSELESS:
        refused(site.http.post("/api/v1/events", json=body), 422)
    for code in ("AAAAAA", "K7M4QX", "x", "%00", "a" * 39):
        nowhere = Visitor(site.http, code)
        refused(nowhere.get(), 404)
        refused(nowhere.get("/events"), 404)
        refused(nowhere.post("join", nickname="Ada"), 404)
        with nowhere.live() as channel:
            assert channel.closed() == 4404
    refused(visitor.post("return", nickname="Ada", code="12345"), 422)
    refused(host.post("host/broadcast", text="x" * 121), 422)
    refused(host.post("host/start"), 422)
    refused(visitor.get("/me"), 403)
    with host.live() as channel:
        channel.next()
        channel.socket.send("hello")
        assert channel.closed() == 1008


def test_a_stream_tells_the_same(site: Site) -> None:
    host = new_event(site.http)
    pupil = join(host, "Ada")
    with site.http.stream("GET", f"{host.path}/events", headers=pupil.headers) as stream:
        lines = stream.iter_lines()
        told = json.loads(next(lines).removeprefix("data: "))
        assert (told["you"], told["event"]) == (pupil.player, pupil.event)


# -- the end --------------------------------------------------------------------------------

TABLES = ("events", "event_log", "games", "seats", "log")


def rows(database: str) -> dict[str, int]:
    return {table: asked(database, f"SELECT COUNT(*) FROM {table}")[0][0] for table in TABLES}


def played(http: httpx.Client) -> tuple[Host, list[Pupil]]:
    """An event that was played to its end."""
    host = new_event(http, rounds=1)
    pupils = class_of(host, 4)
    host.act("start")
    play_on(pupils, ended, Random(1))
    return host, pupils


def test_a_host_deletes_an_event_and_all_its_games(site: Site) -> None:
    friends(site.http)
    before = rows(site.database)
    host = new_event(site.http)
    pupils = class_of(host, 4)
    host.act("start")
    until(lambda: len(host.event["pairings"]) == 2, "the games")
    assert rows(site.database) != before
    boards = [one.at_game(one.row["game"]) for one in pupils]
    with ExitStack() as stack:
        channels = [stack.enter_context(one.live()) for one in (host, *boards)]
        for channel in channels:
            channel.next()
        assert site.http.delete(host.path, headers=host.headers).status_code == 204
        assert rows(site.database) == before, "all of it at once"
        assert [channel.closed() for channel in channels] == [4404] * 5
    games = site.app.state.service.registry
    assert not any(games.in_memory(one.id) for one in boards)
    with boards[0].live() as channel:
        assert channel.closed() == 4404, "nothing reloads it"
    for one in boards:
        refused(one.get(), 404)
        refused(one.resign(after=0), 404)
    refused(host.get(), 404)
    refused(pupils[0].get("/me"), 404)
    assert pupils[0].http.get("/api/v1/games", headers=pupils[0].headers).json()["games"] == []


def test_old_events_are_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.db"
    with served(path) as site:
        old, _ = played(site.http)
        until(
            lambda: all(
                game.judgement for game in fold(log_of(site.database, old.id)).pairings.values()
            ),
            "judging",
        )
        ordinary, _ = friends(site.http)
        before = rows(site.database)
        young, _ = played(site.http)
        asked(
            site.database,
            "UPDATE event_log SET written = written - {} WHERE event = {}",
            31 * 86400,
            old.id,
        )
        asked(site.database, "UPDATE games SET created = created - {}", 31 * 86400)
        asked(site.database, "UPDATE log SET at = at - {}", 31 * 86400)
    for name in ("FIRST_PAUSE", "PAUSE"):
        monkeypatch.setattr(retention, name, 0.0)
    monkeypatch.setattr(retention, "BATCH", 1)
    with served(path) as site:
        until(
            lambda: not asked(site.database, "SELECT 1 FROM games WHERE event = {}", old.id), "it"
        )
        refused(old.moved(site.http).get(), 404)
        assert ended(young.moved(site.http).event)
        assert ordinary.over(site.http).look()
        assert rows(site.database)["seats"] == before["seats"]


# -- programs -------------------------------------------------------------------------------


def test_the_bot_of_the_examples_takes_part(site: Site) -> None:
    host = new_event(site.http, rounds=1)
    with ExitStack() as stack:
        bots = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, str(BOT), site.url, host.id, name],
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                )
            )
            for name in ("Robo", "Otto", "Gone")
        ]  # fmt: skip
        until(lambda: len(host.event["players"]) == 3, "all to join")
        (gone,) = (one for one in host.event["players"] if one["nickname"] == "Gone")
        host.act("remove", player=gone["number"])
        host.act("start")
        told = [bot.communicate(timeout=remaining()) for bot in bots]
    assert [err for _, err in told] == [""] * 3
    assert sorted(out.split(": ")[1] for out, _ in told) == [
        "place 1, 1 of 1 games won.\n", "place 2, 0 of 1 games won.\n",
        "the host has removed me.\n",
    ]  # fmt: skip


def test_the_bot_of_the_examples_waits_after_429(monkeypatch: pytest.MonkeyPatch) -> None:
    program = runpy.run_path(str(BOT))
    refusals = [Failure("Too much.", 429, 7), Failure("Not now.", 503)]
    waited: list[float] = []

    def answer(*_: object) -> dict[str, int]:
        if refusals:
            raise refusals.pop(0)
        return {"a": 1}

    monkeypatch.setattr(time, "sleep", waited.append)
    monkeypatch.setitem(program["patient"].__globals__, "ask", answer)
    assert program["patient"]("http://server", "/events/A") == {"a": 1}
    assert waited == [7, 2]


def test_the_bot_of_the_examples_says_why_it_is_refused(site: Site) -> None:
    host = new_event(site.http)
    join(host, "Ada")
    words = [sys.executable, str(BOT), site.url, host.id, "ada"]
    told = subprocess.run(words, capture_output=True, text=True, check=False, timeout=remaining())
    assert (told.returncode, told.stdout) == (1, "")
    assert told.stderr == "Somebody here has that nickname; choose another.\n"
