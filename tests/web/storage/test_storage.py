"""What the server keeps: one row a move, durable before anybody is told."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from copy import deepcopy
from pathlib import Path
from random import Random
from select import select
from typing import Any
from unittest.mock import Mock

import pytest
import sqlalchemy
from sqlalchemy import Connection, insert, text
from sqlalchemy.exc import IntegrityError, OperationalError
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

import numduel
from numduel.web.games.live import LiveGames
from numduel.web.games.room import Entry, Seat
from numduel.web.games.rows import insert_games, new_game
from numduel.web.http.errors import NoGame, Unavailable
from numduel.web.storage import database as databases
from numduel.web.storage import schema
from numduel.web.storage.database import Database
from numduel.web.storage.envelope import Envelope
from numduel.web.storage.writer import Job, Writer
from tests import zygote
from tests.games import NAMES
from tests.plugins.limit import remaining
from tests.web.site import (
    Person,
    Site,
    accepted,
    ask,
    asked,
    create,
    finish,
    friends,
    join,
    kept,
    new_postgresql,
    play,
    refused,
    served,
    true,
    until,
)

KINDS = ("sqlite", "postgresql")


@pytest.fixture(params=KINDS)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a database can be made."""
    return f"sqlite:///{tmp_path / 'games.db'}" if request.param == "sqlite" else new_postgresql()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with served(tmp_path / "games.db") as site:
        yield site


def tables(address: str) -> sqlalchemy.Engine:
    """An engine on a database of this version."""
    database = Database(address)
    database.make_tables()
    database.close()
    return sqlalchemy.create_engine(database.url)


# -- the tables -----------------------------------------------------------------------------


def test_every_number_of_a_game_is_used_once(address: str) -> None:
    engine = tables(address)
    game = {
        "id": "G", "game": "sequence-duel", "variant": "", "first": 1,
        "forgiving": False, "deck": "", "created": 0.0,
    }  # fmt: skip
    row = {"game": "G", "number": 1, "seat": 1, "kind": "move", "text": "4", "at": 0.0}
    with engine.begin() as connection:
        connection.execute(insert(schema.games), game)
        connection.execute(insert(schema.log), row)
    with pytest.raises(IntegrityError), engine.begin() as connection:
        connection.execute(insert(schema.log), row | {"seat": 2, "text": "5"})
    with engine.begin() as connection:
        connection.execute(insert(schema.log), row | {"number": 2})
    engine.dispose()
    assert [entry.text for entry in kept(address, "G")] == ["4", "4"]


def test_tables_that_are_there_stay_as_they_are(address: str) -> None:
    tables(address).dispose()
    asked(address, "INSERT INTO processes VALUES ('p', 1.0)")
    tables(address).dispose()
    assert asked(address, "SELECT * FROM processes") == [("p", 1.0)]


def test_processes_that_make_tables_wait_for_each_other(address: str, tmp_path: Path) -> None:
    if address.startswith("sqlite"):
        pytest.skip("A file has one server, which locks it before it makes tables.")
    program = (
        "import os, sys; from numduel.web.storage.database import Database;"
        "os.write(1, b'.'); os.read(0, 1);"
        "database = Database(sys.argv[1]); database.make_tables(); database.close()"
    )
    (gate, opening), (ready, arriving) = os.pipe(), os.pipe()
    with (tmp_path / "errors").open("w+b") as errors:
        running = [
            zygote.start(
                [sys.executable, "-c", program, address], stdin=gate, stdout=arriving,
                stderr=errors.fileno(), env=os.environ, cwd=tmp_path,
            )
            for _ in range(3)
        ]  # fmt: skip
        for _ in running:
            assert select([ready], [], [], remaining())[0]
            assert os.read(ready, 1)
        os.write(opening, b"...")
        codes = [process.wait(remaining()) for process in running]
        errors.seek(0)
        assert (codes, errors.read()) == ([0, 0, 0], b"")
    for end in (gate, opening, ready, arriving):
        os.close(end)
    assert asked(address, "SELECT count(*) FROM games") == [(0,)]
    assert len(asked(address, "SELECT * FROM server")) == 1


@pytest.mark.parametrize("address", ["", "mysql://x/y", "nonsense", "sqlite:////no/such/folder/x"])
def test_a_database_that_cannot_be_used_is_one_sentence(address: str) -> None:
    with pytest.raises(Unavailable, match=r"^[^\n]*\.$"):
        Database(address).make_tables()


# -- durable before anybody is told ---------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_move_is_one_row_and_is_there_when_it_is_acknowledged(
    address: str, name: str
) -> None:
    with served(address) as site:
        people = friends(site.http, name)
        before = kept(address, people[0].id)
        assert [row.kind for row in before] == ["join"]
        for game in finish(people, Random(5)):
            rows = kept(address, people[0].id)
            assert rows[: len(before)] == before, "what was written is never changed"
            assert [row.text for row in rows[len(before) :]] == game["moves"][len(before) - 1 :]
            assert [row.number for row in rows] == list(range(1, game["number"] + 1))
            before = rows


class Gate:
    """A commit that happens when the test says so, or fails."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reached = threading.Event()
        self.open = threading.Event()
        self.failing: type[Exception] | None = None
        commit = Writer.commit

        def gated(writer: Writer, batch: list[Any]) -> None:
            self.reached.set()
            assert self.open.wait(remaining())
            if self.failing is not None:
                monkeypatch.setattr(writer, "_connection", _Broken())
                monkeypatch.setattr(writer, "_driver", _Broken())
            commit(writer, batch)
            monkeypatch.undo()

        monkeypatch.setattr(Writer, "commit", gated)


class _Broken:
    def execute(self, statement: str) -> Any:
        raise OperationalError(statement, {}, Exception("the disk is full"))

    def pipeline(self) -> Any:
        self.execute("BEGIN")

    def in_transaction(self) -> bool:
        return False

    def invalidate(self) -> None:
        """Nothing is open."""

    close = invalidate


def test_no_move_is_sent_before_it_is_durable(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = friends(site.http)
    with two.live() as watching, ThreadPoolExecutor(2) as threads:
        watching.until(lambda game: game["present"][1], "the watcher to be there")
        gate = Gate(monkeypatch)
        answer = threads.submit(one.move, 4, 1)
        assert gate.reached.wait(remaining())
        looking = threads.submit(one.look)
        assert watching.waiting() == []
        assert not answer.done()
        assert not looking.done() or looking.result()["game"]["moves"] == []
        gate.open.set()
        assert accepted(answer.result(remaining()))["moves"] == ["4"]
        assert watching.next()["game"]["moves"] == ["4"]
        assert kept(site.database, one.id)[-1].text == "4"


def test_a_move_that_could_not_be_written_was_not_made(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = friends(site.http)
    with two.live() as watching:
        watching.until(lambda game: game["present"][1], "the watcher to be there")
        gate = Gate(monkeypatch)
        gate.failing = OperationalError
        gate.open.set()
        assert "try again" in refused(one.move(4, 1), 503)
        assert one.game["moves"] == []
        assert [row.kind for row in kept(site.database, one.id)] == ["join"]
        assert accepted(one.move(5, 1))["moves"] == ["5"]
        watching.until(lambda game: game["moves"] == ["5"], "the move that was made")
    assert all(message["game"]["moves"] in ([], ["5"]) for message in watching.seen)
    assert true(one.game).moves == (5,)


@pytest.mark.parametrize(
    "doing", ["join", "request", "accept", "move", "resign", "ask", "undo", "rematch"]
)
def test_a_write_that_fails_leaves_the_game_in_memory_as_it_was(
    site: Site, monkeypatch: pytest.MonkeyPatch, doing: str
) -> None:
    """Nothing is done ahead of the log and then taken back."""
    one = create(site.http, "capture", moves="2 4")
    alone = doing in ("join", "request", "accept")
    two = Person(site.http, one.id) if alone else join(one)
    number = ask(one, "Bob")[1] if doing == "accept" else 0
    if doing == "undo":
        accepted(one.undo())
    if doing == "rematch":
        accepted(one.resign())
    acts: dict[str, Callable[[], Any]] = {
        "join": lambda: two.post("join", invite=one.invite),
        "request": lambda: two.post("requests", name="Bob"),
        "accept": lambda: one.answer(number),
        "move": lambda: one.move(21),
        "resign": one.resign,
        "ask": two.undo,
        "undo": lambda: two.undo("accept"),
        "rematch": one.rematch,
    }
    act = acts[doing]
    before = one.look()
    room = site.app.state.service.registry._lives[one.id].room
    inside = deepcopy((room.number, room.seats, room.undo_asked_by, room.rematch_offered_by))
    state, logged = room.match.state, kept(site.database, one.id)
    monkeypatch.setattr(databases, "MAX_BACKLOG", -1)
    refused(act(), 503)
    assert room.match.state.moves == state.moves
    assert inside == (room.number, room.seats, room.undo_asked_by, room.rematch_offered_by)
    monkeypatch.undo()
    assert one.look() == before
    assert kept(site.database, one.id) == logged
    assert act().status_code == 200, "and when it can be written, it happens"


def test_a_server_that_is_started_again_tells_everything(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with served(path) as site:
        tables = {name: friends(site.http, name) for name in NAMES}
        for people in tables.values():
            for number, _ in enumerate(finish(people, Random(3)), 1):
                if number == 3:
                    break
        one, two = tables["duel"]
        accepted(one.undo())
        host = create(site.http)
        asker, request = ask(host, "Bob")
        tables["asked"] = host, asker
        before = {name: people[0].look() for name, people in tables.items()}
    with served(path) as site:
        for name, (person, _) in tables.items():
            assert person.over(site.http).look() == before[name]
        one, two = one.over(site.http), two.over(site.http)
        assert accepted(two.undo("accept"))["undo"] is None
        assert len(one.game["moves"]) == 2
        accepted(host.over(site.http).answer(request))
        assert asker.over(site.http).look()["you"] == 2


# -- the writer -----------------------------------------------------------------------------


@asynccontextmanager
async def opened(
    address: str,
    heard: Callable[[dict[str, Any]], None] = lambda _: None,
    missed: Callable[[], None] = lambda: None,
) -> AsyncIterator[Database]:
    """A database that is used for as long as a run may take. Whatever becomes of the test, its
    writer ends: pytest would wait for it."""
    database = Database(address)
    database.make_tables()
    database.open(heard, missed)
    try:
        async with asyncio.timeout(remaining()):
            yield database
    finally:
        await asyncio.to_thread(database.close)


def with_database(address: str, doing: Callable[[Database], Any]) -> Any:
    async def run() -> Any:
        async with opened(address) as database:
            return await doing(database)

    return asyncio.run(run())


def remember(name: str) -> Callable[[Connection], str]:
    def work(connection: Connection) -> str:
        connection.execute(insert(schema.processes), {"process": name, "until": 0.0})
        return name

    return work


def test_a_write_that_fails_does_not_harm_those_that_share_its_commit(address: str) -> None:
    def broken(connection: Connection) -> None:
        connection.execute(insert(schema.processes), {"process": "half", "until": 0.0})
        raise ValueError

    async def doing(database: Database) -> list[Any]:
        names = [f"p{number}" for number in range(20)]
        works: list[Callable[[Connection], Any]] = [remember(name) for name in names]
        works[7:7] = [broken]
        return await asyncio.gather(
            *(database.write("g", work) for work in works), return_exceptions=True
        )

    done = with_database(address, doing)
    assert isinstance(done.pop(7), Unavailable)
    assert done == [f"p{number}" for number in range(20)]
    found = {name for (name,) in asked(address, "SELECT process FROM processes")}
    assert found == set(done)


DUEL = new_game(
    "game-1", numduel.game("duel"), [Seat("human", "", None, None)] * 2, forgiving=False
)


def entry(name: str) -> dict[str, Any]:
    return {"game": name, **Entry(1, 1, "move", "5", 0.0)._asdict()}


def test_one_of_two_writes_of_the_same_number_fails(address: str) -> None:
    async def doing(database: Database) -> list[bool]:
        await database.write("game-1", lambda connection: insert_games(connection, [DUEL]))
        two = [entry("game-1"), {**entry("game-1"), "text": "6"}]
        return await asyncio.gather(*(database.append("game-1", [one]) for one in two))

    assert sorted(with_database(address, doing)) == [False, True]


def test_nothing_is_sent_to_other_processes_before_there_is_a_secret() -> None:
    database = Database(address := new_postgresql())
    database.make_tables()
    database._writer.commit([job := Job("game-1", Mock(), [entry("game-1")])])
    database.close()
    assert isinstance(job.error, RuntimeError)
    assert kept(address, "game-1") == []


def test_a_refusal_of_what_is_written_is_the_answer(
    address: str, caplog: pytest.LogCaptureFixture
) -> None:
    def refusing(connection: Connection) -> None:
        connection.execute(insert(schema.processes), {"process": "half", "until": 0.0})
        raise NoGame

    async def doing(database: Database) -> list[Any]:
        works = (remember("whole"), refusing)
        writes = (database.write("g", work) for work in works)
        return await asyncio.gather(*writes, return_exceptions=True)

    whole, refusal = with_database(address, doing)
    assert (whole, type(refusal)) == ("whole", NoGame)
    assert asked(address, "SELECT process FROM processes") == [("whole",)]
    assert not caplog.records, "the database is well"


def test_writes_that_wait_share_a_commit(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    commit = Writer.commit

    def counting(writer: Writer, batch: list[Any]) -> None:
        sizes.append(len(batch))
        commit(writer, batch)

    monkeypatch.setattr(Writer, "commit", counting)

    async def doing(database: Database) -> None:
        await asyncio.gather(*(database.write("g", remember(f"p{n}")) for n in range(100)))

    with_database(address, doing)
    assert sum(sizes) == 100
    assert len(sizes) < 30


def test_a_server_with_too_much_to_write_says_so(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _ = friends(site.http)
    monkeypatch.setattr(databases, "MAX_BACKLOG", -1)
    assert "too much" in refused(one.move(4, 1), 503)
    monkeypatch.undo()
    assert accepted(one.move(4, 1))["moves"] == ["4"]


def test_the_file_is_written_through_to_the_disk(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'games.db'}")
    database.make_tables()
    with database._writes.connect() as connection:
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
        assert connection.execute(text("PRAGMA synchronous")).scalar() == 2
    database.close()


def test_a_game_that_nobody_looks_at_is_forgotten_and_told_again(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LiveGames, "limit", 2)
    people = [friends(site.http) for _ in range(6)]
    for one, two in people:
        play((one, two), "4 6")
    tables = site.app.state.service.registry._lives
    until(lambda: len(tables) <= 3, "rooms to be forgotten")
    for one, two in people:
        assert true(play((one, two), "5")).moves == (4, 6, 5)
    for _ in range(3):
        assert create(site.http).game["moves"] == []


# -- what is stored of one game or event is damaged -------------------------------------------


def test_what_cannot_be_read_is_one_sentence_and_harms_nobody_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with served(tmp_path / "games.db") as site:
        one = create(site.http)
        wish = {"games": [{"game": "duel"}]}
        event = site.http.post("/api/v1/events", json=wish).json()["code"]
        other = create(site.http)
        asked(site.database, "UPDATE games SET deck = 'six' WHERE id = {}", one.id)
        asked(site.database, "UPDATE event_log SET data = substr(data, 2)")
    with served(tmp_path / "games.db") as site:
        for path, word in ((f"games/{one.id}", "game"), (f"events/{event}", "event")):
            told = site.http.get(f"/api/v1/{path}")
            sentence = f"This {word} cannot be opened: what is stored of it is damaged."
            assert (told.status_code, told.json()) == (410, {"error": sentence})
            with connect(f"{site.url.replace('http', 'ws')}/api/v1/{path}/live") as channel:
                with pytest.raises(ConnectionClosed) as closed:
                    channel.recv(remaining())
                assert closed.value.rcvd is not None
                assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4404, sentence)
        assert site.http.get(f"/arena/{event}").status_code == 200, "the page says it"
        assert site.http.get(f"/api/v1/games/{other.id}").status_code == 200
    assert not [record for record in caplog.records if record.exc_info], "no traceback"
    errors = [record.message for record in caplog.records if record.levelname == "ERROR"]
    assert errors == ["the stored game is damaged", "the stored event is damaged"], (
        "each is logged once, however often somebody asks"
    )


# -- what processes tell each other ---------------------------------------------------------


@pytest.mark.parametrize("text", [b"", b"{}", b"\0\0 the end", b"x" * 5_500])
def test_what_is_sealed_is_opened_and_fits_a_notification(text: bytes) -> None:
    envelope, again = Envelope("secret"), Envelope("secret")
    sealed = envelope.seal(text, "here")
    assert again.open(sealed, "here") == text
    assert sealed != envelope.seal(text, "here"), "nobody sees that something is told again"
    assert len(f"{'0' * 16} {sealed}") < 8_000


def test_what_was_sealed_by_somebody_else_or_changed_is_not_opened() -> None:
    envelope = Envelope("secret")
    sealed = envelope.seal(b"move 5", "here")
    changed = b64encode(bytes([b64decode(sealed)[0] ^ 1]) + b64decode(sealed)[1:]).decode()
    for told, sender in (
        (sealed, "there"), (changed, "here"), (sealed[:-4], "here"), ("", "here"), ("{}", "here"),
        (Envelope("another").seal(b"move 5", "here"), "here"),
    ):  # fmt: skip
        with pytest.raises(ValueError):  # noqa: PT011
            envelope.open(told, sender)
