"""The limits of connections, byte by byte and without a network: what is let in, and what not."""

from __future__ import annotations

import asyncio
import resource
from collections import Counter
from collections.abc import Callable, Coroutine
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest
import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.protocol import State
from websockets.server import ServerProtocol

from numduel.web.http import protocol
from numduel.web.http.protocol import (
    LOG_SECONDS,
    MAX_HEAD,
    MAX_HEADER,
    MAX_HEADERS,
    MAX_HEARD,
    MAX_PIPELINED,
    MAX_URL,
    OPTIONS,
    RESERVED_FILES,
    WANTED_FILES,
    ConnectionGate,
    Events,
    LimitedProtocol,
    SmallWebSocket,
)
from tests.web.classes import Timer, finished

GET = b"GET / HTTP/1.1\r\n"
ANN, BOB = "10.1.1.1", "10.2.2.2"


class Loop:
    """An event loop in which nothing goes on by itself."""

    def __init__(self) -> None:
        self.timers: list[Timer] = []

    def call_later(self, seconds: float, do: Callable[[], None]) -> Timer:
        self.timers.append(Timer(seconds, do, self.timers))
        return self.timers[-1]

    def create_task(self, work: Coroutine[Any, Any, None], **_: Any) -> Any:
        """Nobody answers."""
        work.close()
        return MagicMock()


class Line(asyncio.Transport):
    """A connection from an address: what was written to it, and whether it is open."""

    def __init__(self, address: str = ANN) -> None:
        super().__init__()
        self.address = address
        self.written = b""
        self.closed = self.aborted = False
        self.protocol: Any = None

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return (self.address, 4321) if name == "peername" else default

    def write(self, data: Any) -> None:
        self.written += data

    def is_closing(self) -> bool:
        return self.closed or self.aborted

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.aborted = True

    def set_protocol(self, protocol: Any) -> None:
        self.protocol = protocol

    def get_protocol(self) -> Any:
        return self.protocol

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass

    @property
    def status(self) -> int | None:
        """The status with which it was refused."""
        return int(self.written.split()[1]) if self.written else None


class House:
    """A server that lets connections in."""

    def __init__(self, **options: Any) -> None:
        self.config = uvicorn.Config(self, lifespan="off", **OPTIONS | options)
        self.config.load()
        self.state = ServerState()
        self.loop = Loop()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Nobody answers."""

    @property
    def setting(self) -> dict[str, Any]:
        return {
            "config": self.config, "server_state": self.state, "app_state": {}, "_loop": self.loop,
        }  # fmt: skip

    def let_in(self, address: str = ANN) -> Line:
        """A connection that has just been made."""
        line = Line(address)
        ConnectionGate(**self.setting).connection_made(line)
        return line

    def told(self, *pieces: bytes) -> Line:
        """A connection on which this was said."""
        line = self.let_in()
        for piece in pieces:
            line.protocol.data_received(piece)
        return line


@pytest.fixture(autouse=True)
def _empty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is connected."""
    monkeypatch.setattr(protocol, "_of_address", Counter())
    monkeypatch.setattr(protocol, "_logged", {})


@pytest.fixture
def house() -> House:
    return House()


# -- how much -------------------------------------------------------------------------------


def header(size: int, name: bytes = b"X") -> bytes:
    """A header whose name and value have so many bytes."""
    return name + b": " + b"a" * (size - len(name)) + b"\r\n"


HEADERS = [header(10)] * (MAX_HEADERS - 1)
FULL = MAX_HEAD - MAX_HEADER


@pytest.mark.parametrize(
    ("within", "beyond", "status"),
    [
        (b"GET /%s HTTP/1.1\r\n" % (b"a" * (MAX_URL - 1)),
         b"GET /%s HTTP/1.1\r\n" % (b"a" * MAX_URL), 414),
        (GET + header(MAX_HEADER), GET + header(MAX_HEADER + 1), 431),
        (GET + header(10) * MAX_HEADERS, GET + header(10) * (MAX_HEADERS + 1), 431),
        (GET + header(1000) * 8 + header(8000), GET + header(1000) * 8 + header(MAX_HEADER) * 2,
         431),
    ],
    ids=["address", "header", "headers", "all"],
)  # fmt: skip
def test_a_request_head_is_limited(house: House, within: bytes, beyond: bytes, status: int) -> None:
    assert house.told(within + b"\r\n").status is None
    beyond += b"\r\n"
    for pieces in ([beyond], [beyond[:9000], beyond[9000:]]):
        line = house.told(*pieces)
        assert (line.status, line.closed) == (status, True)


def test_the_size_of_a_head_is_counted_to_the_byte(house: House) -> None:
    """Also what is no header yet, in however many pieces it comes; and each request has its own."""
    start = GET + header(8000)
    rest = b"X: " + b"a" * (MAX_HEAD - len(start) - 3)
    for pieces in ([start + rest], [start, rest], [start + rest[:100], rest[100:]]):
        line = house.told(*pieces)
        assert line.status is None
        line.protocol.data_received(b"a")
        assert line.status == 431
    again = house.told(*[start + b"\r\n"] * 3)
    assert again.status is None


def test_the_framing_of_a_body_counts_and_the_body_does_not(house: House) -> None:
    post = b"POST / HTTP/1.1\r\n"
    long = house.told(post + b"Content-Length: 100000\r\n\r\n", b"a" * 50_000, b"a" * 49_000)
    assert long.status is None
    chunked = post + b"Transfer-Encoding: chunked\r\n\r\n"
    assert house.told(chunked, b"1\r\na\r\n" * 2000).status is None
    assert house.told(chunked, b"1\r\na\r\n" * 4000).status == 431


def test_pipelined_requests_are_limited(house: House) -> None:
    assert house.told((GET + b"\r\n") * (1 + MAX_PIPELINED)).status is None
    assert house.told((GET + b"\r\n") * (2 + MAX_PIPELINED)).status == 429


def test_nothing_is_read_after_a_refusal(house: House) -> None:
    line = house.told(b"HELLO\r\n\r\n")
    assert line.status == 400
    before = line.written
    line.protocol.data_received((GET + b"\r\n") * 9)
    assert line.written == before


# -- how long -------------------------------------------------------------------------------


def test_the_time_of_a_request_runs_from_the_connection_to_its_last_byte(house: House) -> None:
    line = house.let_in()
    (timer,) = house.loop.timers
    assert timer.at == protocol.REQUEST_SECONDS
    line.protocol.data_received(GET[:5])
    line.protocol.data_received(GET[5:])
    assert house.loop.timers == [timer], "a byte does not renew it"
    line.protocol.data_received(b"\r\n")
    assert house.loop.timers == [], "while it is answered, none is due"
    line.protocol.data_received(GET)
    (timer,) = house.loop.timers
    timer.do()
    assert (line.status, line.closed) == (408, True)
    timer.do()
    assert line.written.count(b"HTTP/1.1") == 1


def test_a_client_that_is_being_answered_gets_no_second_answer(house: House) -> None:
    line = house.told(GET + b"\r\n" + GET)
    line.protocol.cycle.response_started = True
    house.loop.timers[0].do()
    assert (line.written, line.closed) == (b"", True)
    line = house.told(GET + b"\r\n" + GET)
    line.protocol.cycle.response_started = line.protocol.cycle.response_complete = True
    line.protocol._refuse(408)
    assert line.status == 408


# -- how many -------------------------------------------------------------------------------


def test_the_connections_of_an_address_are_limited(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "MAX_CONNECTIONS", 2)
    first, second = house.let_in(), house.let_in()
    assert house.let_in().status == 429
    assert house.let_in(BOB).status is None
    assert (first.status, second.status) == (None, None)
    first.protocol.connection_lost(None)
    assert house.let_in().status is None
    assert house.let_in().status == 429
    first.protocol.connection_lost(None)
    assert house.let_in().status == 429, "a connection ends once"
    assert protocol._of_address == {ANN: 2, BOB: 1}


def test_nothing_is_kept_of_an_address_that_has_left(house: House) -> None:
    house.let_in().protocol.connection_lost(None)
    assert protocol._of_address == {}
    assert house.loop.timers == []


def test_all_connections_together_are_limited(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "max_connections", lambda: 3)
    monkeypatch.setattr(protocol, "max_of_address", lambda: 9)
    assert [house.let_in(f"10.3.3.{number}").status for number in range(4)] == [
        None, None, None, 503,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "status"),
    [
        ({"proxy_headers": True, "forwarded_allow_ips": "*"}, None),
        ({"proxy_headers": True, "forwarded_allow_ips": f"10.0.0.1,{ANN}"}, None),
        ({"proxy_headers": True, "forwarded_allow_ips": ["10.0.0.1", ANN]}, None),
        ({"proxy_headers": True, "forwarded_allow_ips": "10.0.0.1"}, 429),
        ({"proxy_headers": True, "forwarded_allow_ips": ""}, 429),
        ({"proxy_headers": False, "forwarded_allow_ips": "*"}, 429),
    ],
)
def test_only_the_proxy_may_hold_more(
    options: dict[str, Any], status: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "MAX_CONNECTIONS", 1)
    house = House(**options)
    house.let_in()
    assert house.let_in().status == status


@pytest.mark.parametrize(
    ("files", "all_of_them", "of_address"),
    [(240, 140, 35), (100, 1, 1), (10, 1, 1), (106, 6, 1), (65_536, 65_436, 500),
     (resource.RLIM_INFINITY, WANTED_FILES - RESERVED_FILES, 500), (10**9, 65_436, 500)],
)  # fmt: skip
def test_connections_leave_some_file_descriptors(
    files: int, all_of_them: int, of_address: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (files, resource.RLIM_INFINITY))
    found = protocol.max_connections.__wrapped__()
    assert found == all_of_them
    monkeypatch.setattr(protocol, "max_connections", lambda: found)
    assert protocol.max_of_address() == of_address


@pytest.mark.parametrize(
    ("soft", "hard", "asked"),
    [
        (1024, 4096, [(4096, 4096)]), (4096, 4096, []), (1024, -1, [(WANTED_FILES, -1)]),
        (WANTED_FILES, 10**6, []), (-1, -1, []),
    ],
)  # fmt: skip
def test_a_server_asks_for_as_many_files_as_it_may_have(
    soft: int, hard: int, asked: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[Any] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: found.append(limits))
    protocol.raise_file_limit()
    assert found == asked


def test_refusals_of_one_kind_are_logged_now_and_then(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [5.0]
    monkeypatch.setattr(protocol, "time", SimpleNamespace(monotonic=lambda: now[0]))
    for later, status in ((0, 429), (1, 429), (0, 503), (LOG_SECONDS - 1, 429), (0.5, 429)):
        now[0] += later
        protocol.refuse(Line(), status, BOB)
    logged = [(record.status, record.address) for record in caplog.records]  # type: ignore[attr-defined]
    assert logged == [(429, BOB), (503, BOB), (429, BOB)]
    line = Line()
    protocol.refuse(line, 429, BOB, silent=True)
    assert (line.written, line.closed) == (b"", True)


# -- WebSockets -----------------------------------------------------------------------------


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What the WebSocket protocol below is given."""
    found: list[bytes] = []
    monkeypatch.setattr(
        WebSocketsSansIOProtocol, "data_received", lambda _, data: found.append(data)
    )
    monkeypatch.setattr(WebSocketsSansIOProtocol, "send_keepalive_ping", lambda _: None)
    return found


def websocket(house: House) -> tuple[Any, Line]:
    """A WebSocket that is open."""
    channel: Any = SmallWebSocket(**house.setting)
    channel.transport = line = Line()
    channel.handshake_initiated = True
    channel.conn = ServerProtocol(state=State.OPEN)
    return channel, line


def test_a_client_that_sends_too_much_between_two_pings_is_cut_off(
    house: House, heard: list[bytes]
) -> None:
    channel, line = websocket(house)
    half = b"a" * (MAX_HEARD // 2)
    for _ in range(2):
        channel.data_received(half)
    assert (len(heard), line.aborted) == (2, False)
    channel.send_keepalive_ping()
    for _ in range(2):
        channel.data_received(half)
    assert (len(heard), line.aborted) == (4, False), "after a ping they may say as much again"
    channel.data_received(b"a")
    assert (len(heard), line.aborted) == (4, True)


def test_the_handshake_does_not_count_as_sent_bytes(house: House, heard: list[bytes]) -> None:
    channel, line = websocket(house)
    channel.handshake_initiated = False
    channel.data_received(b"a" * MAX_HEARD)
    channel.handshake_initiated = True
    channel.data_received(b"a" * MAX_HEARD)
    assert (len(heard), line.aborted) == (2, False)


def test_a_text_is_sent_in_one_frame(house: House) -> None:
    channel, line = websocket(house)
    assert channel.push("a" * 126)
    assert line.written == b"\x81\x7e\x00\x7e" + b"a" * 126
    channel, line = websocket(house)
    assert channel.push("ä" * 32_768)
    assert line.written == b"\x81\x7f\x00\x00\x00\x00\x00\x01\x00\x00" + "ä".encode() * 32_768


def test_push_sends_only_to_a_client_that_can_take_it(house: House) -> None:
    channel, line = websocket(house)
    channel.writable.clear()
    assert not channel.push("text")
    channel.writable.set()
    channel.conn.state = State.CLOSING
    assert not channel.push("text")
    assert line.written == b""


def test_the_queue_of_a_websocket_keeps_its_order() -> None:
    async def waiting() -> list[Any]:
        events = Events()
        assert events.empty()
        getting = asyncio.create_task(events.get())
        await asyncio.sleep(0)
        events.put_nowait("first")
        events.put_nowait("second")
        assert not events.empty()
        found = [await getting, await events.get()]
        assert events.empty()
        return found

    assert asyncio.run(waiting()) == ["first", "second"]
    ready = Events()
    ready.put_nowait("third")
    assert finished(ready.get()) == "third"


def test_a_connection_that_becomes_a_websocket_is_counted_there(house: House) -> None:
    line = house.let_in()
    inside: LimitedProtocol = line.protocol
    inside._release()
    assert protocol._of_address == {}
    inside.data_received(GET + b"\r\n")
    assert line.written == b"", "what it says is for the WebSocket"
