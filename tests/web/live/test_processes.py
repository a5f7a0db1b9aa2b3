"""Several processes that serve the same games: everybody sees everybody, and a process that dies
takes nothing with it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

import httpx
import psycopg
import pytest

from numduel.web.live import bus as buses
from numduel.web.live import presence as presences
from numduel.web.live.presence import LEASE_SECONDS
from numduel.web.people.keys import digest, new_key
from numduel.web.storage import database as databases
from numduel.web.storage import writer
from tests.plugins.limit import remaining
from tests.web.events.test_events import new_event
from tests.web.site import (
    Load,
    Person,
    Process,
    accepted,
    ask,
    asked,
    create,
    finish,
    folded,
    friends,
    join,
    kept,
    new_postgresql,
    play,
    postgresql,
    refused,
    served,
    start_postgresql,
    together,
    true,
    until,
)


@pytest.fixture
def address() -> str:
    return new_postgresql()


@pytest.fixture
def lease() -> float:
    """Seconds for which a process counts as alive after it was heard of."""
    return LEASE_SECONDS


@contextmanager
def two_processes(
    address: str, home: Path, lease: float = LEASE_SECONDS
) -> Iterator[tuple[Process, Process]]:
    """Two processes that serve the games of one database."""
    arguments = ("--rate", "0", "--database", address)
    with ExitStack() as stack:
        here, there = (
            stack.enter_context(Process(home, *arguments, live__presence__LEASE_SECONDS=lease))
            for _ in range(2)
        )
        yield here.ready(), there.ready()


@pytest.fixture
def pair(address: str, tmp_path: Path, lease: float) -> Iterator[tuple[Process, Process]]:
    """Two processes to which something is going to happen."""
    with two_processes(address, tmp_path, lease) as pair:
        yield pair


WAITING = (
    "SELECT pid FROM pg_stat_activity"
    " WHERE wait_event_type = 'Lock' AND datname = current_database()"
)
"""Finds the connections that wait for the lock of another one."""
Peers = tuple[str, Process, Process]
"""A database and two processes that serve its games."""


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[datetime], Peers]]:
    """Starts two processes for all tests in which both live on, once for each start of PostgreSQL:
    a test that restarts it may come before others, and those are not about what follows."""
    with ExitStack() as stack:

        @cache
        def started(_: datetime) -> Peers:
            address = new_postgresql()
            pair = two_processes(address, tmp_path_factory.mktemp("web"))
            return address, *stack.enter_context(pair)

        yield started


@pytest.fixture
def peers(lasting: Callable[[datetime], Peers]) -> Peers:
    """A database and its two processes, which know nobody yet by a cookie."""
    ((since,),) = asked(postgresql().get_uri(), "SELECT pg_postmaster_start_time()")
    address, here, there = lasting(since)
    for process in (here, there):
        process.http.cookies.clear()
    return address, here, there


def has(game: Any, *, number: int | None = None, moves: list[str] | None = None) -> bool:
    """Whether a game is so far."""
    return bool(game["number"] == number or game["moves"] == moves)


def test_people_at_different_processes_play_one_game(peers: Peers) -> None:
    address, here, there = peers
    one = create(here.http, name="Ann")
    with one.live() as ann, Person(there.http, one.id).live() as watching:
        assert watching.next()["game"]["seats"] == [True, False]
        two = join(one.over(there.http), "Bob")
        game = ann.until(lambda game: game["seats"] == [True, True], "the friend")
        assert game["names"] == ["Ann", "Bob"]
        with two.live() as bob:
            for live in (ann, bob, watching):
                live.until(lambda game: game["present"] == [True, True], "both to be there")
            said = accepted(one.post("say", what="Good luck!"))["remarks"]
            bob.until(lambda game: game["remarks"] == said, "what Ann says")
            refused(one.over(there.http).post("say", what="😀"), 429)
            for moved in finish((one, two), Random(11)):
                true(moved)
                for live in (ann, bob, watching):
                    assert live.until(partial(has, number=moved["number"]), "a move") == moved
        for live in (ann, watching):
            live.until(lambda game: game["present"] == [True, False], "Player 2 to leave")
        accepted(two.rematch())
        ann.until(lambda game: game["rematch"]["offered"] == 2, "an offer")
        again = accepted(one.rematch())["rematch"]["game"]
        watching.until(lambda game: game["rematch"]["game"] == again, "another game")
        assert two.at(again).look()["you"] == 2
    assert folded(kept(address, one.id)) == one.game["moves"]


def test_a_seat_is_asked_for_at_one_process_and_given_at_the_other(peers: Peers) -> None:
    _, here, there = peers
    one = create(here.http)
    with one.live() as ann:
        bob, request = ask(one.over(there.http), "Bob")
        game = ann.until(lambda game: game["requests"], "somebody to ask")
        assert game["requests"] == [{"number": request, "name": "Bob"}]
        with bob.live() as asking:
            accepted(one.answer(request))
            asking.until(lambda game: game["seats"] == [True, True], "the answer")
    assert bob.look()["you"] == bob.over(here.http).look()["you"] == 2
    accepted(one.over(there.http).move(4))
    accepted(bob.move(5))


def test_a_request_whose_answer_was_lost_is_answered_by_another_process(peers: Peers) -> None:
    _, here, there = peers
    wish = {"game": "duel", "opponent": "friend", "key": "A" * 43, "nonce": "1"}
    answers = together(
        *(partial(one.http.post, "/api/v1/games", json=wish) for one in (here, there, here, there))
    )
    made = [one.http.post("/api/v1/games", json=wish).json() for one in (here, there)]
    assert {answer.status_code for answer in answers} == {201}
    assert made[0]["id"] == made[1]["id"]
    assert made[0]["invite"] == made[1]["invite"]
    one = Person(here.http, made[0]["id"], wish["key"])
    bob, body = Person(there.http, one.id, "B" * 43), {"invite": made[0]["invite"], "key": "B" * 43}
    assert [bob.over(at.http).post("join", **body).json()["seat"] for at in (here, there)] == [2, 2]
    with bob.live() as looking:
        looking.until(lambda game: game["present"][1], "Bob to be there")
        invite = one.post("offer", after=1).json()["invite"]
        looking.until(lambda game: game["seats"] == [True, False], "the seat to be free")
        assert looking.seen[-1]["you"] is None
    assert one.over(there.http).post("offer", after=1).json()["invite"] == invite
    here.http.cookies.set("numduel-key", "A" * 43, "127.0.0.1", "/api")
    carried = {"secret": here.http.post("/api/v1/link").json()["secret"], "key": "C" * 43}
    assert there.http.post("/api/v1/link/use", json=carried).status_code == 200
    assert [game["id"] for game in there.http.get("/api/v1/games").json()["games"]] == [one.id]
    refused(here.http.post("/api/v1/link/use", json=carried | {"key": "D" * 43}), 403)


def test_what_two_processes_create_at_the_same_moment_is_created_once(peers: Peers) -> None:
    address, here, there = peers
    wish: dict[str, Any] = {"games": [{"game": "duel"}]}
    first, same = (wish | {"key": new_key()} for _ in range(2))
    assert here.http.post("/api/v1/events", json=first).status_code == 201
    with psycopg.connect(address) as third, ThreadPoolExecutor() as threads:
        hosts = digest(same["key"]), digest(first["key"])
        third.execute("UPDATE events SET host = %s WHERE host = %s", hosts)
        waiting = [
            threads.submit(one.http.post, "/api/v1/events", json=same) for one in (here, there)
        ]

        def both_wait() -> bool:
            assert not any(answer.done() for answer in waiting)
            return len(asked(address, WAITING)) == 2

        until(both_wait, "both to wait for the third")
        third.commit()
        assert [answer.result().status_code for answer in waiting] == [201, 201]
    count = "SELECT count(*) FROM events WHERE host = {}"
    assert asked(address, count, digest(same["key"])) == [(1,)]


def test_two_processes_make_a_link_to_the_same_games_at_the_same_moment(peers: Peers) -> None:
    address, here, there = peers
    key = new_key()
    for one in (here, there):
        one.http.cookies.set("numduel-key", key, "127.0.0.1", "/api")
    create(here.http, cookie=True)
    with psycopg.connect(address) as third, ThreadPoolExecutor() as threads:
        third.execute(
            "INSERT INTO device_links (owner, secret, sealed, until) VALUES (%s, 'a', 'b', 0)",
            (digest(key),),
        )
        waiting = [threads.submit(one.http.post, "/api/v1/link") for one in (here, there)]
        until(lambda: len(asked(address, WAITING)) == 2, "both to wait for the third")
        third.commit()
        secrets = [answer.result().json()["secret"] for answer in waiting]
    works = [
        there.http.post("/api/v1/link/use", json={"secret": one, "key": new_key()}).status_code
        for one in secrets
    ]
    assert sorted(works) == [200, 403], "the last one"


def test_a_game_that_is_deleted_for_its_age_is_gone_at_every_process(
    address: str, tmp_path: Path
) -> None:
    arguments = ("--rate", "0", "--database", address)
    with Process(tmp_path, *arguments, "--keep", "0") as here:
        here.ready()
        games = [friends(here.http)[0] for _ in range(3)]
        for one in games:
            accepted(one.resign())
        watched, asked_for, young = games
        for one in (watched, asked_for):
            asked(address, "UPDATE games SET created = created - 4e7 WHERE id = {}", one.id)
            asked(address, "UPDATE log SET at = at - 4e7 WHERE game = {}", one.id)
        with watched.live() as watching:
            watching.next()
            with Process(tmp_path, *arguments, retention__FIRST_PAUSE=0.0) as there:
                there.ready()
                assert watching.closed() == 4404
        for one in (watched, asked_for):
            refused(one.get(), 404)
        assert young.game["outcome"]


def test_a_dead_process_is_gone_however_the_clock_of_the_database_was_put_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (buses, presences):
        monkeypatch.setattr(module, "LEASE_SECONDS", 0.4)
    with served(new_postgresql()) as site:
        (mine,) = asked(site.database, "SELECT process FROM processes")
        asked(
            site.database,
            "INSERT INTO processes VALUES ('dead', extract(epoch FROM clock_timestamp()) + 7200)",
        )
        asked(site.database, "INSERT INTO presence VALUES ('a-game', 1, 'dead')")
        until(lambda: not asked(site.database, "SELECT * FROM presence"), "it to be gone")
        assert asked(site.database, "SELECT process FROM processes") == [mine]


def test_an_event_is_deleted_while_another_process_writes_to_it_and_its_games(
    address: str,
) -> None:
    """That process writes in the order of ids: here to a game, and then to the event."""
    with served(address) as site, psycopg.connect(address) as other:
        host = new_event(site.http)
        header = "'factors', '', 1, false, false, '', 0.0"
        asked(address, f"INSERT INTO games VALUES ('-first', {header}, {{}})", host.id)
        other.execute("INSERT INTO log VALUES ('-first', 1, 1, 'move', '4', 0.0)")
        with ThreadPoolExecutor(1) as threads:
            deleted = threads.submit(host.http.delete, host.path, headers=host.headers)
            until(lambda: asked(address, WAITING), "the deletion to wait")
            entry = "2, 'lock', 0, '{\"locked\": true}', 0.0, 0.0"
            other.execute(f"INSERT INTO event_log VALUES ('{host.id}', {entry})".encode())
            other.commit()
            assert deleted.result().status_code == 204
    for table in ("games", "log", "events", "event_log"):
        assert asked(address, f"SELECT * FROM {table}") == []


def test_an_event_is_deleted_while_another_process_writes_who_has_left(address: str) -> None:
    """That process may write to a game of the event next, in the same transaction."""
    with served(address) as site, psycopg.connect(address) as other:
        host = new_event(site.http)
        present = "SELECT {}, 1, process FROM processes"
        asked(address, f"INSERT INTO presence (game, seat, process) {present}", host.id)
        other.execute("DELETE FROM presence")
        assert host.http.delete(host.path, headers=host.headers).status_code == 204


def test_one_of_two_moves_at_two_processes_is_made(peers: Peers) -> None:
    address, here, there = peers
    for _ in range(10):
        one, two = friends(here.http)
        tabs = [one, one.over(there.http)]
        for tab in tabs:
            tab.look()
        answers = together(partial(tabs[0].move, 4, 1), partial(tabs[1].move, 5, 1))
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        (made,) = (answer.json()["game"] for answer in answers if answer.status_code == 200)
        assert folded(kept(address, one.id)) == made["moves"]
        for tab in (*tabs, two, two.over(there.http)):
            with tab.live() as live:
                live.until(partial(has, moves=made["moves"]), "the truth")


def test_two_processes_shuffle_the_undrawn_cards_alike(peers: Peers) -> None:
    """One process shuffles, the other hears of it: both draw the same cards from then on."""
    _, here, there = peers
    one, two = friends(here.http, "build", forgiving=True)
    two = two.over(there.http)
    with one.live() as ann, two.live() as bob:

        def agree(game: Any) -> Any:
            for live in (ann, bob):
                heard = live.until(partial(has, number=game["number"]), "what happened")
                assert (heard["text"], heard["card"]) == (game["text"], game["card"])
            return game

        number = one.game["number"]
        for _ in range(3):
            game = agree(accepted(one.move("discard", number)))
            game = agree(accepted(two.move("discard", game["number"])))
            game = agree(accepted(two.undo("ask", game["number"])))
            game = agree(accepted(one.undo("accept", game["number"])))
            game = agree(accepted(two.move("discard", game["number"])))
            number = game["number"]


@pytest.mark.parametrize("lease", [2.0])
def test_a_game_goes_on_over_the_other_process_when_one_is_killed(
    pair: tuple[Process, Process], address: str
) -> None:
    """Nothing that was acknowledged is lost, nothing happens twice, and who was with the dead
    process is away when its lease has run out."""
    here, there = pair
    ann, bob = friends(here.http)
    bob = bob.over(there.http)
    with ExitStack() as stack:
        stack.enter_context(ann.live())
        watching = stack.enter_context(bob.live())
        watching.until(lambda game: game["present"] == [True, True], "both to be there")
        accepted(ann.move(4))
        with Load(here.http) as load:
            load.after(40)
            here.kill()
            load.wait()
        load.check(address)
        watching.until(
            lambda game: (game["present"], game["moves"]) == ([False, True], ["4"]),
            "Player 1 to be away",
        )
        accepted(bob.move(6))
        accepted(ann.over(there.http).move(5))
        watching.until(lambda game: game["moves"] == ["4", "6", "5"], "the game to go on")
    for table in load.tables:
        people = [person.over(there.http) for person in table]
        for game in finish(people, Random(1)):
            true(game)
        assert people[0].game["outcome"]


def test_a_file_outlives_the_process_that_was_killed(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'games.db'}"
    with Process(tmp_path, "--rate", "0", "--database", address) as server:
        server.ready()
        with Load(server.http) as load:
            load.after(60)
            server.kill()
            load.wait()
    load.check(address)
    with Process(tmp_path, "--rate", "0", "--database", address) as server:
        server.ready()
        for table in load.tables:
            people = [person.over(server.http) for person in table]
            true(people[0].game)
            for game in finish(people, Random(1)):
                true(game)


def everybody_out(address: str) -> None:
    """End every connection to a database, as its administrator can."""
    asked(
        address,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )


def test_lost_connections_to_the_database_are_survived(
    pair: tuple[Process, Process], address: str
) -> None:
    here, there = pair
    one, two = friends(here.http)
    with two.over(there.http).live() as watching:
        watching.next()
        with Load(here.http) as load:
            for _ in range(3):
                load.after(20)
                everybody_out(address)
            load.after(20)
        for answer in load.failures:
            refused(answer, 503, 409)
        everybody_out(address)
        until(lambda: one.move(4, 1).status_code == 200, "a move")
        watching.until(lambda game: game["moves"] == ["4"], "the listener to come back")
        until(lambda: two.over(there.http).move(6, 2).status_code == 200, "a move")
        until(lambda: one.game["moves"] == ["4", "6"], "the other listener to come back")
    rows = [kept(address, table[0].id) for table in load.tables]
    for log in rows:
        assert [row.number for row in log] == list(range(1, len(log) + 1))
    for game, number, move in load.acknowledged:
        assert kept(address, game)[number - 1].text == move


def test_a_database_that_is_restarted_is_survived(
    pair: tuple[Process, Process], address: str
) -> None:
    here, there = pair
    one, two = friends(here.http)
    with two.over(there.http).live() as watching:
        watching.next()
        accepted(one.move(4))
        watching.until(lambda game: game["moves"] == ["4"], "a move")
        postgresql().stop()
        try:
            refused(two.move(6, 2), 503)
            refused(here.http.get("/api/v1/health"), 503)
            refused(here.http.post("/api/v1/games", json={"game": "duel", "opponent": "easy"}), 503)
            assert there.process.poll() is None
        finally:
            start_postgresql(postgresql())
        until(lambda: here.http.get("/api/v1/health").status_code == 200, "the database")
        until(
            lambda: (told := one.get()).status_code == 200 and told.json()["game"]["number"] == 2,
            "the truth",
        )
        until(lambda: two.move(6, 2).status_code == 200, "a move")
        watching.until(lambda game: game["moves"] == ["4", "6"], "the other process to hear")
        accepted(one.over(there.http).move(5, 3))
    assert folded(kept(address, one.id)) == ["4", "6", "5"]


def test_moves_that_were_refused_are_not_made_later(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Several wait for a table that another program keeps locked for longer than they can wait."""
    with served(address) as site, psycopg.connect(address) as other, ThreadPoolExecutor(6) as pool:
        people = [friends(site.http)[0] for _ in range(5)]
        monkeypatch.setattr(writer, "COMMIT_SECONDS", 1.0)  # Those who follow share a commit.
        people.append(friends(site.http)[0])
        monkeypatch.setattr(databases, "REPLY_SECONDS", 2.0)
        other.execute("LOCK TABLE log")
        answers = [pool.submit(person.move, 4, 1) for person in people]
        for answer in answers:
            refused(answer.result(remaining()), 503)
        tried: set[Any] = set()
        while found := asked(address, WAITING):
            tried.update(found)
            assert len(tried) < len(people), "each is tried again"
        other.rollback()
        monkeypatch.undo()
        for person in people:
            until(lambda: person.get().status_code == 200, "the game")  # noqa: B023
            assert person.game["moves"] == []
            accepted(person.move(5, 1))


def test_a_process_catches_up_after_missed_notifications(
    pair: tuple[Process, Process], address: str
) -> None:
    """The other's listener is ended again and again while moves are made."""
    here, there = pair
    one, two = friends(here.http)
    stop = threading.Event()

    def deafening() -> None:
        while not stop.wait(0.02):
            asked(
                address,
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND query LIKE 'LISTEN%'",
            )

    with two.over(there.http).live() as watching, ThreadPoolExecutor(1) as threads:
        watching.next()
        noise = threads.submit(deafening)
        try:
            play((one, two), "1 9 2 8")
        finally:
            stop.set()
        noise.result(remaining())
        watching.until(lambda game: game["moves"] == ["1", "9", "2", "8"], "the truth")


class Cable:
    """The way from one process to PostgreSQL. While it is cut, everything waits in silence."""

    def __init__(self, address: str) -> None:
        self.whole = threading.Event()
        self.whole.set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._threads: list[threading.Thread] = []
        parts = urlsplit(address)
        (folder,) = parse_qs(parts.query)["host"]
        self._database = f"{folder}/.s.PGSQL.5432"
        port = self._listener.getsockname()[1]
        self.address = f"postgresql://postgres@127.0.0.1:{port}{parts.path}"

    def __enter__(self) -> Self:
        self._threads = [_daemon(self._connect)]
        return self

    def __exit__(self, *error: Any) -> None:
        """Whoever used it has ended."""
        self.whole.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(remaining())
        self._listener.close()

    def _connect(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                self._threads.append(_daemon(self._serve, near))

    def _serve(self, near: socket.socket) -> None:
        with near, socket.socket(socket.AF_UNIX) as far:
            far.connect(self._database)
            back = _daemon(self._carry, far, near)
            self._carry(near, far)
            back.join()

    def _carry(self, here: socket.socket, there: socket.socket) -> None:
        with suppress(OSError):
            while data := here.recv(1 << 16):
                self.whole.wait()
                there.sendall(data)
        with suppress(OSError):
            there.shutdown(socket.SHUT_WR)


def _daemon(target: Callable[..., None], *arguments: Any) -> threading.Thread:
    """A thread that keeps no run from ending."""
    thread = threading.Thread(target=target, args=arguments, daemon=True)
    thread.start()
    return thread


def test_a_machine_that_is_cut_off_refuses_and_its_players_go_on_elsewhere(
    address: str, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        cable = stack.enter_context(Cable(address))
        here = stack.enter_context(Process(tmp_path, "--rate", "0", "--database", address))
        arguments = ("--rate", "0", "--database", cable.address)
        there = stack.enter_context(
            Process(tmp_path, *arguments, storage__database__CUT_OFF_SECONDS=2.0)
        )
        here.ready()
        there.ready()
        one, two = friends(here.http)
        with two.over(there.http).live() as watching:
            watching.next()
            cable.whole.clear()
            accepted(one.move(4, 1))
            assert watching.closed() == 1012, "the page comes back at once"
        for answer in (
            two.over(there.http).get(),
            two.over(there.http).move(6, 2),
            there.http.get("/api/v1/health"),
            there.http.post("/api/v1/games", json={"game": "duel", "opponent": "friend"}),
        ):
            assert refused(answer, 503) == databases.UNREACHABLE
        accepted(two.move(6, 2))
        cable.whole.set()
        until(lambda: two.over(there.http).get().status_code == 200, "the database")
        assert two.over(there.http).game["moves"] == ["4", "6"]
        until(lambda: one.over(there.http).move(5, 3).status_code == 200, "a move there")
    assert folded(kept(address, one.id)) == ["4", "6", "5"]


def test_the_processes_of_one_server_answer_as_one(address: str, tmp_path: Path) -> None:
    with Process(tmp_path, "--rate", "0", "--processes", "2", "--database", address) as server:
        server.ready()
        one, two = friends(server.http)
        for number, move in enumerate(("4", "6", "5", "7"), 1):
            with httpx.Client(base_url=server.url, trust_env=False, timeout=remaining()) as fresh:
                mover = (one, two)[(number - 1) % 2].over(fresh)
                accepted(mover.move(move, number))

        assert folded(kept(address, one.id)) == ["4", "6", "5", "7"]
        until(lambda: len(asked(address, "SELECT * FROM processes")) == 2, "the second process")
        assert server.stop() == 0
        assert asked(address, "SELECT * FROM processes") == [], "they left in good order"
