"""One client against everybody: whatever it does, the others are served."""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import httpx
import pytest

import numduel
from numduel.agents.asking import Asking
from numduel.core.errors import NumduelError
from numduel.core.text import is_slug
from numduel.games import game as find
from numduel.play.players import COMPUTERS, LEVELS
from numduel.play.record import parse
from numduel.web.http import protocol
from numduel.web.pages import static
from numduel.web.settings import Settings
from numduel.web.solving import solvers
from numduel.web.solving.solvers import is_small
from tests.games import NAMES, RULEBOOKS
from tests.plugins.limit import remaining
from tests.web.site import (
    Process,
    Site,
    answered,
    browser,
    create,
    friends,
    refused,
    served,
    together,
    until,
)

OTHER = "127.0.0.2"
"""The address of somebody else."""
GET = b"GET / HTTP/1.1\r\nHost: x\r\n"
POST = b"POST /api/v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served(tmp_path_factory.mktemp("web") / "games.db") as site:
        yield site


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A server with few file descriptors, 100 of which are not for connections."""
    with Process(tmp_path_factory.mktemp("home"), files=240) as server:
        yield server.ready()


def connection(port: int, request: bytes = b"") -> socket.socket:
    """A connection on which something was said."""
    plain = socket.create_connection(("127.0.0.1", port), remaining())
    with suppress(ConnectionError):  # It may be refused already.
        plain.sendall(request)
    return plain


def answer(plain: socket.socket) -> bytes:
    """Everything that comes back until the server closes the connection."""
    found = b""
    with plain, suppress(ConnectionResetError):
        while more := plain.recv(1 << 16):
            found += more
    return found


# -- what a request may be ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "head"),
    [
        (431, GET + b"X-A: " + b"a" * 8200 + b"\r\n\r\n"),
        (431, GET + b"X-A: a\r\n" * 64 + b"\r\n"),
        (431, GET + (b"X-A: " + b"a" * 2000 + b"\r\n") * 9 + b"\r\n"),
        (431, GET + b"X-A: " + b"a" * 17_000),
        (431, CHUNKED + b"X-A: a\r\n" * 64 + b"\r\n"),
        (431, CHUNKED + b"X-A: " + b"a" * 17_000),
        (414, b"GET /" + b"a" * 8200 + b" HTTP/1.1\r\nHost: x\r\n\r\n"),
        (414, b"GET /" + b"a" * 17_000),
        (429, (GET + b"\r\n") * 40),
        (400, b"HELLO\r\n\r\n"),
    ],
    ids=[
        "one header", "many headers", "long headers", "half a header", "trailers", "half a trailer",
        "address", "half an address", "pipelined", "no HTTP",
    ],
)  # fmt: skip
def test_a_head_has_its_limits(site: Site, status: int, head: bytes) -> None:
    """Refused with a status of its own, in one sentence, and the connection is closed."""
    told = answer(connection(site.port, head))
    assert told.rpartition(b"HTTP/1.1 ")[2].startswith(b"%d " % status), told[-300:]
    assert told.endswith(b'."}')


UPGRADE = b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
UPGRADE += b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"


@pytest.mark.parametrize(
    "head",
    [
        GET + UPGRADE + b"Content-Length: 5\r\n\r\n",
        b"GET /" + b"a" * 8180 + b" HTTP/1.1\r\nHost: x\r\n" + UPGRADE + b"\r\n",
    ],
    ids=["with a body", "long"],
)
def test_a_failed_websocket_upgrade_is_closed(site: Site, head: bytes) -> None:
    assert answer(connection(site.port, head)).startswith(b"HTTP/1.1 4")


def test_a_move_that_was_sent_only_in_part_is_not_made(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _ = friends(site.http)
    monkeypatch.setattr(protocol, "REQUEST_SECONDS", 0.2)
    move = b'{"move": "5", "after": 1}'
    head = f"POST /api/v1/games/{one.id}/moves HTTP/1.1\r\nHost: x\r\n".encode()
    head += f"Authorization: Bearer {one.token}\r\nContent-Type: application/json\r\n".encode()
    late = answer(connection(site.port, head + b"Content-Length: 100\r\n\r\n" + move))
    assert late.startswith(b"HTTP/1.1 408 ")
    monkeypatch.undo()
    assert one.game["moves"] == []
    whole = head + b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(move) + move
    assert answer(connection(site.port, whole)).startswith(b"HTTP/1.1 200 ")


def test_a_head_within_its_limits_is_read(site: Site) -> None:
    """Also when it comes in pieces, after another, or with a body in tiny chunks."""
    long = GET + b"X-A: " + b"a" * 8000 + b"\r\n" + b"X-B: b\r\n" * 60
    assert len(long) < protocol.MAX_HEAD
    last = GET + b"Connection: close\r\n\r\n"
    assert answer(connection(site.port, long + b"\r\n" + last)).count(b"HTTP/1.1 200 ") == 2
    plain = connection(site.port)
    for byte in last:
        plain.sendall(bytes([byte]))
    assert answer(plain).startswith(b"HTTP/1.1 200 ")
    body = b'{"game":"duel","opponent":"friend"}' + b" " * 1000
    chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in body)
    close = POST + b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    assert answer(connection(site.port, close + chunks + b"0\r\n\r\n")).startswith(b"HTTP/1.1 201 ")


# -- how long it may take -------------------------------------------------------------------


HALVES = {
    "nothing": b"",
    "an empty line": b"\r\n",
    "half a line": b"GET /",
    "half a head": GET,
    "half a body": POST + b"Content-Length: 100\r\n\r\n{",
    "half a chunk": POST + b"Transfer-Encoding: chunked\r\n\r\n50\r\n{",
    "half the next": GET + b"\r\n" + GET,
}


@pytest.mark.parametrize("half", HALVES)
def test_half_a_request_is_not_waited_for(
    site: Site, half: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "REQUEST_SECONDS", 0.2)
    told = answer(connection(site.port, HALVES[half]))
    assert b"HTTP/1.1 408 " in told
    monkeypatch.undo()
    assert site.http.get("/api/v1/health").status_code == 200


# -- how many connections -------------------------------------------------------------------


def test_one_address_cannot_take_all_connections(server: Process) -> None:
    """Nor all file descriptors: the others play on, the computer too, and the log says it once."""
    with ExitStack() as stack:
        halves = [stack.enter_context(connection(server.port, GET)) for _ in range(200)]
        other = stack.enter_context(browser(server.url, OTHER))
        one = create(other, opponent="easy", first=2)
        until(lambda: one.game["moves"], "a move of the computer")
        until(lambda: sum(map(_cut_off, halves)) >= 200 - 35, "the first to be cut off")
    lines = [line for line in server.complaints() if "cut off a connection" in line]
    (line,) = [line for line in lines if "connections" in line]
    assert line.endswith("address 127.0.0.1")


def _cut_off(plain: socket.socket) -> bool:
    """Whether the server has closed a connection, on which it has said nothing."""
    plain.settimeout(0.001)
    try:
        return not plain.recv(100)
    except TimeoutError:
        return False
    except ConnectionResetError:
        return True


# -- what is worked out ---------------------------------------------------------------------


LARGE: dict[str, Any] = {"game": "capture", "variant": {"n": 60}, "opponent": "perfect"}


class Gated:
    """A lane whose solver begins with a task, and goes on when the test says so."""

    def __init__(self, lane: Any, monkeypatch: pytest.MonkeyPatch, number: int = 0) -> None:
        self.lane = lane
        self.given: list[tuple[Any, ...]] = []
        self.gate = threading.Event()
        monkeypatch.setattr(lane.solvers[number], "ask", self.ask)
        monkeypatch.setattr(lane.solvers[number], "interrupt", self.gate.set)

    def ask(self, task: str, arguments: tuple[Any, ...], _language: str) -> Any:
        self.given.append((task, *arguments))
        assert self.gate.wait(remaining())
        if task == "choose":
            return str(arguments[1].legal_moves[-1]), False
        return {"options": [], "legend": ""}


@pytest.fixture
def crowded(tmp_path: Path) -> Iterator[Site]:
    """A server behind a proxy, which says whose address it is."""
    with served(tmp_path / "games.db", proxy=True) as site:
        yield site


@pytest.fixture
def large(crowded: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[Gated]:
    gated = Gated(crowded.app.state.solvers.large, monkeypatch)
    yield gated
    gated.gate.set()


def comes_from(site: Site, address: str) -> httpx.Client:
    http = browser(site.url)
    http.headers["X-Forwarded-For"] = address
    return http


def test_large_boards_of_one_address_delay_nobody_else(
    crowded: Site, large: Gated, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forty games on large boards: some wait, the rest is refused in a sentence. Whoever plays on
    the usual boards is answered at once, by every level, and the next large board is theirs."""
    small = Gated(crowded.app.state.solvers.small, monkeypatch)
    small.gate.set()
    with comes_from(crowded, "10.0.0.1") as greedy, comes_from(crowded, "10.0.0.2") as other:
        one = create(greedy, **LARGE)
        answers = [greedy.post("/api/v1/games", json=LARGE | {"first": 2}) for _ in range(40)]
        made = [answer.status_code for answer in answers].count(201)
        assert 9 <= made <= 11, "one is at work, eight wait"
        assert "your network" in refused(answers[-1], 503)
        assert "your network" in refused(one.move(1), 503)
        assert one.game["moves"] == [], "what is refused has not happened"
        for level in COMPUTERS:
            answered(create(other, opponent=level, first=2), 0)
        assert [task[1] for task in small.given] == ["perfect"]
        mine = create(other, **LARGE, first=2)
        until(lambda: large.lane.queue.count("10.0.0.2") == 1, "the other to wait too")
        large.gate.set()
        answered(mine, 0)
        until(lambda: one.move(1).status_code == 200, "the first to be heard again")


def test_a_task_ends_when_its_client_leaves(crowded: Site, large: Gated) -> None:
    """Neither for a game that was resigned, nor for a page that was closed, waiting or at work."""
    lane = large.lane
    one, two = (create(crowded.http, **LARGE, first=2) for _ in range(2))
    until(lambda: len(lane.queue) == 1, "the second to wait")
    assert two.resign(0).status_code == 200
    until(lambda: len(lane.queue) == 0, "the second to be forgotten")
    query = b"GET /api/v1/values?game=capture&variant=n%3D60 HTTP/1.1\r\nHost: x\r\n\r\n"
    page = connection(crowded.port, query)
    until(lambda: len(lane.queue) == 1, "the page to wait")
    page.close()
    until(lambda: len(lane.queue) == 0, "the page to be forgotten")
    assert one.resign(0).status_code == 200
    until(lambda: lane.free, "the solver to be free, although it was not done")
    assert len(large.given) == 1


def test_a_level_that_needs_no_solver_never_loads_it(
    crowded: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solvers, "_SPAWN", get_context("spawn"))
    for level in ("random", *LEVELS):
        answered(create(crowded.http, opponent=level, first=2), 0)
    lanes = crowded.app.state.solvers
    process, _ = lanes.ideas.solvers[0]._started
    assert "llvmlite" not in Path(f"/proc/{process.pid}/maps").read_text()
    assert lanes.small.solvers[0]._started is lanes.large.solvers[0]._started is None


@pytest.mark.parametrize("name", NAMES)
def test_the_usual_board_is_small_and_much_larger_ones_are_not(name: str) -> None:
    usual = numduel.game(name)
    size = next(iter(usual.parameters))
    assert is_small(usual)
    larger = 3 * int(usual.settings[size])
    if larger <= usual.parameters[size].high or name in RULEBOOKS:
        assert not is_small(numduel.game(name, **{size: larger}))


# -- a class behind one address -------------------------------------------------------------


def visit(site: Site) -> list[int]:
    """What a browser is answered that comes for the first time, and begins to play."""
    with browser(site.url) as http:
        page = http.get("/")
        names = sorted(name for name in static.files() if name.endswith(".js"))[:8]
        paths = [*map(static.path_of, names), *(f"/picture/{name}.svg" for name in NAMES)]
        answers = [http.get(path) for path in (*paths, "/favicon.ico", "/api/v1/rules", "/learn")]
        made = http.post(
            "/api/v1/games", json={"game": "duel", "opponent": "friend", "cookie": True}
        )
        game = made.json().get("id")
        answers += [http.get(f"/play/{game}"), http.get(f"/api/v1/games/{game}")]
        return [answer.status_code for answer in (page, made, *answers)]


def test_a_class_of_thirty_comes_at_once(tmp_path: Path) -> None:
    with served(tmp_path / "games.db", rate=Settings().rate) as site:
        visits = together(*[lambda: visit(site)] * 30)
    assert set().union(*visits) == {200, 201}


def test_one_visit_is_never_too_much_however_many_processes_there_are(tmp_path: Path) -> None:
    with served(tmp_path / "games.db", rate=Settings().rate, processes=64) as site:
        assert set(visit(site)) == {200, 201}


def test_a_refused_page_is_a_page(tmp_path: Path) -> None:
    with served(tmp_path / "games.db", rate=0.1) as site:
        for path in ("/", "/analyse", "/play/V3b1tq0k9Zfx", "/nothing"):
            until(lambda path=path: site.http.get(path).status_code == 429, "too much")  # type: ignore[misc]
            answer = site.http.get(path)
            assert (answer.status_code, answer.headers["retry-after"]) == (429, "2")
            assert answer.headers["content-type"] == "text/html; charset=utf-8"
            assert "<h1>Too much at once</h1>" in answer.text
        refused(site.http.get("/api/v1/rules"), 429)
        styles = set(re.findall(r'href="(/static/[^"]*)"', answer.text))
        assert {site.http.get(path).status_code for path in styles} == {200}


# -- what is read ---------------------------------------------------------------------------


UNITS = (
    "\n",
    " ",
    "1 ",
    "a",
    "-",
    "a-",
    "=",
    ":",
    "{",
    "\\boxed{",
    "MOVE:",
    ">",
    ". ",
    "<b>",
    "\r",
)
"""What a long text is made of that no parser likes."""


def processor_time(work: Callable[[], object]) -> float:
    """What something takes of the processor; it may be refused."""
    began = time.process_time()
    with suppress(NumduelError, ValueError):
        work()
    return time.process_time() - began


def quickly(work: Callable[[], object]) -> None:
    """Do something that takes no longer than counting to a thousand million on this machine, which
    is far more than it takes, and far less than if it grew with the square of the length."""
    assert processor_time(work) < 1000 * processor_time(lambda: sum(range(1_000_000)))


@pytest.mark.parametrize("unit", UNITS)
def test_no_text_is_too_long_to_be_read(unit: str) -> None:
    """The time grows with the length, and not with its square: that would be minutes here."""
    text = unit * (400_000 // len(unit))
    duel = numduel.game("duel").start()
    quickly(lambda: parse(f"Game: duel\n\n{text}"))
    quickly(lambda: parse(text))
    quickly(lambda: Asking().played(duel, text))
    quickly(lambda: duel.game.replay(text))
    quickly(lambda: find(text))
    quickly(lambda: is_slug(text))
