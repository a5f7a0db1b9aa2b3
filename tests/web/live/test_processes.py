"""Several processes that serve the same games: everybody sees everybody, and a process that dies
takes nothing with it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from numduel.web.live.presence import LEASE_SECONDS
from tests.plugins.limit import remaining
from tests.web.site import (
    Load,
    Person,
    Process,
    accepted,
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
