"""The limits of connections, byte by byte and without a network: what is let in, and what not."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Callable, Coroutine
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest
import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from numduel.core.errors import BadVariant
from numduel.terminal.serve import SHUTDOWN_SECONDS
from numduel.web.http import protocol
from numduel.web.http.connections import MAX_KEPT, Connections, Use
from numduel.web.http.middleware.respond import slow_down
from numduel.web.http.protocol import (
    KNOWN_KEEP_ALIVE,
    KNOWN_KEY,
    LOG_SECONDS,
    MAX_HEAD,
    MAX_HEADER,
    MAX_HEADERS,
    MAX_HEARD,
    MAX_PIPELINED,
    MAX_URL,
    MIN_FILES,
    OPTIONS,
    RESERVED_FILES,
    WANTED_FILES,
    ConnectionGate,
    Events,
    LimitedProtocol,
    SmallWebSocket,
    Sweep,
    text_frame,
)
from numduel.web.http.turns import Pace, Turns
from tests.plugins.limit import RUN_LIMIT
from tests.web.classes import Timer, finished

GET = b"GET / HTTP/1.1\r\n"
ASKED = GET + b"\r\n"
"""A whole request, which is not answered unless the test says so."""
KNOWN = b"Authorization: known\r\n\r\n"
OTHER = b"Authorization: known, too\r\n\r\n"
ANN, BOB = "10.1.1.1", "10.2.2.2"
ENDLESS = 10**9


class Loop:
    """An event loop in which nothing goes on by itself."""

    def __init__(self) -> None:
        self.now = 0.0
        self.timers: list[Timer] = []
        """Those of connections."""
        self.looks: list[Timer] = []
        """When it is next looked for clients that do not read."""

    def time(self) -> float:
        return self.now

    def call_later(self, seconds: float, do: Callable[[], None]) -> Timer:
        sweeping = isinstance(getattr(do, "__self__", None), Sweep)
        timers = self.looks if sweeping else self.timers
        timers.append(Timer(seconds, do, timers))
        return timers[-1]

    def pass_by(self, seconds: float) -> None:
        """Time passes, and it is looked for clients that do not read."""
        self.now += seconds
        for look in self.looks[:]:
            look.cancel()
            look.do()

    def call_soon(self, do: Callable[..., None], *given: Any) -> None:
        """The next round never comes."""

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
        self.unread = 0
        """Bytes that wait for the client."""
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

    def get_write_buffer_size(self) -> int:
        return self.unread

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


def key_of(scope: Any) -> str:
    """The key that comes with a request, if the house knows it."""
    key = dict(scope["headers"]).get(b"authorization", b"").decode()
    return key if key.startswith("known") else ""


class House:
    """A server that lets connections in."""

    def __init__(self, **options: Any) -> None:
        self.config = uvicorn.Config(self, lifespan="off", **OPTIONS | options)
        self.config.load()
        self.state = ServerState()
        self.loop = Loop()
        protocol._shared[self.state] = shared = protocol.Shared()
        shared.reading = shared.channels = Turns(ENDLESS)  # Nobody waits for these.

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Nobody answers."""

    @property
    def setting(self) -> dict[str, Any]:
        return {
            "config": self.config, "server_state": self.state, "_loop": self.loop,
            "app_state": {KNOWN_KEY: key_of},
        }  # fmt: skip

    @property
    def counts(self) -> dict[str, int]:
        """How many connections each address has, and each site that is more than one."""
        shared = protocol._shared.get(self.state, protocol.Shared())
        return {place: len(there) for place, there in shared.open.items()}

    def let_in(self, address: str = ANN) -> Line:
        """A connection that has just been made."""
        line = Line(address)
        ConnectionGate(**self.setting).connection_made(line)
        return line

    def told(self, *pieces: bytes, address: str = ANN) -> Line:
        """A connection on which this was said."""
        line = self.let_in(address)
        for piece in pieces:
            line.protocol.data_received(piece)
        return line


@pytest.fixture(autouse=True)
def _silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing was logged yet."""
    monkeypatch.setattr(protocol, "_logged", {})


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> House:
    house = House()
    monkeypatch.setattr(asyncio, "get_event_loop", lambda: house.loop)
    return house


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


def test_a_client_that_leaves_is_gone_for_every_request_it_has_sent(house: House) -> None:
    """The one that is being answered would be worked on, and written to a closed connection."""
    line = house.told(ASKED)
    first = line.protocol.cycle
    line.protocol.data_received(2 * ASKED)
    assert line.protocol.cycle is not first
    line.protocol.connection_lost(None)
    assert first.disconnected
    assert first.message_event.is_set()
    assert not line.protocol.pipeline


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


def test_a_refusal_is_not_written_into_the_answer_to_an_earlier_request(house: House) -> None:
    line = house.told(ASKED)
    line.protocol.cycle.response_started = True
    line.protocol.data_received(ASKED + b"HELLO\r\n\r\n")
    assert (line.written, line.closed) == (b"", True)


# -- how many -------------------------------------------------------------------------------


def test_the_connections_of_an_address_are_limited(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "MAX_CONNECTIONS", 2)
    first, second = house.told(ASKED), house.told(ASKED)
    assert house.let_in().status == 429
    assert house.let_in(BOB).status is None
    assert (first.status, second.status) == (None, None)
    first.protocol.connection_lost(None)
    assert house.told(ASKED).status is None
    assert house.let_in().status == 429
    first.protocol.connection_lost(None)
    assert house.let_in().status == 429, "a connection ends once"
    assert house.counts == {ANN: 2, BOB: 1}


UNUSED = {
    "nothing": (), "half a head": (GET,),
    "half a body": (b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n", b"{"),
    "half a body of a known key": (b"POST / HTTP/1.1\r\nContent-Length: 9\r\n" + KNOWN, b"{"),
    "an answered request": (ASKED,), "an answered request of a known key": (GET + KNOWN,),
}  # fmt: skip


def answer(line: Line) -> None:
    """Have the server answer the request of a connection."""
    line.protocol.cycle.response_complete = True
    line.protocol.on_response_complete()


@pytest.mark.parametrize("what", UNUSED)
def test_at_the_limit_a_newcomer_takes_the_place_of_a_connection_that_is_not_used(
    house: House, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """Not of one that was there before it and is used."""
    monkeypatch.setattr(protocol, "MAX_CONNECTIONS", 5)
    used = [house.told(ASKED), house.told(GET + KNOWN), house.told(UPGRADE[:-2] + KNOWN)]
    unused, later = house.told(*UNUSED[what]), house.let_in(BOB)
    if "answered" in what:
        answer(unused)
    younger, newcomer = house.let_in(), house.let_in()
    assert [line.aborted for line in (*used, later, unused, younger, newcomer)] == [
        False, False, False, False, True, False, False,
    ]  # fmt: skip
    assert house.counts == {ANN: 5, BOB: 1}
    unused.protocol.connection_lost(None)
    assert house.counts == {ANN: 5, BOB: 1}, "it has been counted out already"


def test_a_byte_does_not_renew_a_place_and_a_request_does(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "MAX_CONNECTIONS", 3)
    active, slow, idle = house.told(ASKED), house.told(GET), house.let_in()
    slow.protocol.data_received(b"X")
    answer(active)
    gone = []
    for _ in range(3):
        house.let_in()
        gone.append([line.aborted for line in (active, slow, idle)].count(True))
    assert gone == [1, 2, 3]
    assert slow.aborted


def test_whoever_holds_many_connections_loses_one_even_if_all_are_used(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So one pupil who keeps the server busy locks nobody out, with a known key or without."""
    monkeypatch.setattr(protocol, "MAX_CONNECTIONS", MAX_KEPT + 3)
    for greedy in (ASKED, GET + KNOWN):
        house = House()
        pupil, channel = house.told(GET + OTHER), house.told(UPGRADE[:-2] + OTHER)
        many = [house.told(greedy) for _ in range(MAX_KEPT + 1)]
        assert house.let_in().status is None
        assert [line.aborted for line in many] == [True] + [False] * MAX_KEPT
        assert not pupil.aborted
        assert not channel.aborted


def test_a_known_key_keeps_its_place_as_soon_as_its_head_has_come(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "MAX_CONNECTIONS", 3)
    known = house.told(*UNUSED["half a body of a known key"])
    first, second = house.let_in(), house.let_in()
    house.let_in()
    assert [line.aborted for line in (known, first, second)] == [False, True, False]


def test_an_event_stream_is_kept_longer_than_an_answer(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "MAX_CONNECTIONS", MAX_KEPT + 1)
    stream = house.told(ASKED.replace(b"/ ", b"/api/v1/games/1/events "))
    answers = [house.told(ASKED) for _ in range(MAX_KEPT)]
    house.let_in()
    assert (stream.aborted, answers[0].aborted) == (False, True)


@pytest.mark.parametrize("what", ["request", "channel"])
def test_what_is_being_refused_gives_way_and_waits_no_longer(
    house: House, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr(protocol, "MAX_CONNECTIONS", 2)
    monkeypatch.setattr(protocol, "_refused", Pace(rate=0.001, burst=0, longest=RUN_LIMIT))

    async def refusing() -> None:
        used, refused = house.told(ASKED), house.told(ASKED if what == "request" else UPGRADE)
        waiting = asyncio.create_task(slow_down(refused.protocol.scope))
        await asyncio.sleep(0)
        assert house.let_in().status is None
        assert (used.aborted, refused.aborted) == (False, True)
        refused.protocol.connection_lost(None)
        for _ in range(9):
            await asyncio.sleep(0)
        assert waiting.done()

    asyncio.run(refusing())


def test_a_connection_that_is_lost_while_it_is_refused_is_not_counted_again(house: House) -> None:
    line = house.told(ASKED)
    line.protocol.connection_lost(None)
    line.protocol._note(Use.NOTHING)
    answer(line)
    assert house.counts == {}


def test_a_known_key_has_more_time_for_its_next_request(house: House) -> None:
    stranger, known = house.told(ASKED), house.told(GET + KNOWN)
    house.loop.timers.clear()
    for line in (stranger, known):
        answer(line)
    assert [timer.at for timer in house.loop.timers] == [5, KNOWN_KEEP_ALIVE]


def test_of_the_connections_of_an_address_the_one_that_matters_least_is_closed() -> None:
    here = Connections()
    assert here.least_needed() is None
    for number in range(MAX_KEPT):
        here.put(f"channel {number}", "ann", Use.CHANNEL)
    here.put("answer", "bob", Use.ANSWER)
    assert here.least_needed() is None, "all are used"
    here.put("free", "bob", Use.NOTHING)
    assert here.least_needed() == "free"
    here.put("answer of ann", "ann", Use.ANSWER)
    assert here.least_needed() == "answer of ann", "she has too many"
    here.put("another channel", "ann", Use.CHANNEL)
    here.remove("answer of ann")
    assert here.least_needed() == "channel 0", "nobody keeps others out with channels"
    here.put("channel 0", "ann", Use.NOTHING)
    here.put("channel 1", "ann", Use.NOTHING)
    assert here.least_needed() == "channel 0"
    assert len(here) == MAX_KEPT + 3
    for connection in list(here._places):
        here.remove(connection)
    assert (len(here), here._of_key) == (0, {})


def test_nothing_is_kept_of_an_address_that_has_left(house: House) -> None:
    house.let_in().protocol.connection_lost(None)
    assert house.counts == {}
    assert house.loop.timers == []


def network_of_site(number: int) -> str:
    """An address in one of the networks of a site of IPv6."""
    return f"2001:db8:1:{number}::1"


def test_a_site_of_ipv6_holds_half_of_all_connections_and_newcomers_there_none_of_others(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "max_of_address", lambda: 3)
    elsewhere = house.let_in("2001:db8:2::1")
    inside = [house.told(ASKED, address=network_of_site(number)) for number in range(6)]
    assert house.let_in(network_of_site(7)).status == 429, "all are used"
    assert house.let_in("2001:db8:3::1").status is None, "another site"
    answer(inside[3])
    assert house.let_in(network_of_site(7)).status is None, "in the place of a neighbour"
    assert [one.aborted for one in inside] == [False] * 3 + [True] + [False] * 2
    assert not elsewhere.aborted
    for one in inside:
        one.protocol.connection_lost(None)
    assert house.counts == {
        "2001:db8:1:7::/64": 1, "2001:db8:1::/48": 1, "2001:db8:2::/64": 1, "2001:db8:2::/48": 1,
        "2001:db8:3::/64": 1, "2001:db8:3::/48": 1,
    }  # fmt: skip


def test_whoever_holds_the_connections_of_a_site_keeps_nobody_out_of_another_network_of_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also not with two in use in each of many networks."""
    monkeypatch.setattr(protocol, "max_of_address", lambda: 8)
    pupil = house.told(GET + KNOWN, address=network_of_site(99))
    many = [house.told(ASKED, address=network_of_site(number // 2)) for number in range(15)]
    newcomers = [house.told(ASKED, address=network_of_site(77)) for _ in range(3)]
    assert [one.status for one in newcomers] == [None] * 3
    assert [one.aborted for one in many] == [True] * 3 + [False] * 12
    assert not pupil.aborted


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
        ({"proxy_headers": True, "forwarded_allow_ips": "10.1.0.0/16, ::1"}, None),
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
    house.told(ASKED)
    assert house.let_in().status == status


@pytest.mark.parametrize(
    ("files", "all_of_them", "of_address"),
    [(240, 140, 35), (100, 1, 1), (10, 1, 1), (106, 6, 1), (65_536, 65_436, 1000),
     (resource.RLIM_INFINITY, WANTED_FILES - RESERVED_FILES, 1000), (10**9, 65_436, 1000)],
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
    channel.handshake_initiated = channel.handshake_complete = True
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


def test_nothing_is_pushed_over_a_socket_that_was_lost(house: House) -> None:
    """It would raise an error, of which whoever moved would be told, and others nothing."""
    channel, line = websocket(house)
    line.write = MagicMock(side_effect=RuntimeError("the handler is closed"))  # type: ignore[method-assign]
    line.abort()
    assert channel.push("text") is False


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


# -- until a socket is closed ---------------------------------------------------------------


UPGRADE = (
    GET + b"Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
CLOSE = b"\x88\x82\x00\x00\x00\x00\x03\xe8"


def opened(house: House) -> Line:
    """A connection that has become a live channel."""
    line = house.told(UPGRADE)
    line.protocol.conn.send_response(line.protocol.response)
    line.protocol.handshake_complete = True
    return line


def test_a_connection_that_becomes_a_websocket_counts_until_its_socket_is_closed(
    house: House,
) -> None:
    line = house.let_in()
    before: LimitedProtocol = line.protocol
    before.data_received(UPGRADE)
    assert isinstance(line.protocol, SmallWebSocket)
    before.data_received(GET + b"\r\n")
    assert line.written == b"", "what it says is for the WebSocket"
    line.protocol.conn.send_response(line.protocol.response)
    line.protocol.handshake_complete = True
    line.protocol.data_received(CLOSE)
    assert line.closed
    assert house.counts == {ANN: 1}, "it is still open on the other side"
    line.protocol.connection_lost(None)
    assert house.counts == {}


@pytest.mark.parametrize("said", [CLOSE, b"\x89\x80\x00\x00\x00\x00", b"\xff" * 9])
def test_a_channel_that_says_something_before_it_is_let_in_is_cut_off(
    house: House, said: bytes
) -> None:
    line = house.told(UPGRADE)
    line.protocol.data_received(said)
    assert (line.aborted, line.written) == (True, b"")


@pytest.mark.parametrize("waiting", [1, 2])
def test_no_channel_is_opened_while_a_request_before_it_is_not_answered(
    house: House, waiting: int
) -> None:
    """The answer would be written where the client reads frames."""
    at_once, later = house.told(waiting * ASKED + UPGRADE), house.told(ASKED, UPGRADE)
    for line in (at_once, later):
        assert (line.status, line.closed) == (400, True)
        assert not isinstance(line.protocol, SmallWebSocket)
    answered = house.told(ASKED)
    answer(answered)
    answered.protocol.data_received(UPGRADE)
    assert isinstance(answered.protocol, SmallWebSocket)


def test_a_connection_that_is_refused_counts_until_its_socket_is_closed(house: House) -> None:
    for request in (b"HELLO\r\n\r\n", UPGRADE.replace(b"13", b"99")):
        line = house.told(request)
        assert (line.closed, house.counts) == (True, {ANN: 1})
        line.protocol.connection_lost(None)
        assert house.counts == {}


def test_what_is_to_be_done_when_a_socket_is_closed_is_done_once(house: House) -> None:
    line, done = opened(house), []
    line.protocol.when_closed(lambda: done.append("first"))
    assert done == []
    line.protocol.connection_lost(None)
    line.protocol.when_closed(lambda: done.append("late"))
    assert done == ["first", "late"]


@pytest.mark.parametrize("what", ["answer", "channel", "closing"])
def test_a_client_that_does_not_read_is_cut_off(house: House, what: str) -> None:
    line, reader = (opened(house) if what == "channel" else house.let_in() for _ in range(2))
    line.unread = reader.unread = 70_000
    if what == "closing":
        line.close()
    house.loop.pass_by(1)
    house.loop.pass_by(protocol.UNREAD_SECONDS - 1)
    reader.unread = 0
    house.loop.pass_by(0.5)
    reader.unread = 70_000
    assert not line.aborted
    house.loop.pass_by(0.5)
    assert (line.aborted, reader.aborted) == (True, False)


def test_a_socket_that_is_closed_on_one_side_only_is_cut_off(house: House) -> None:
    """Also if the system says that nothing waits."""
    line = house.told(b"HELLO\r\n\r\n")
    house.loop.pass_by(1)
    house.loop.pass_by(protocol.UNREAD_SECONDS)
    assert line.aborted


def test_nobody_is_looked_for_while_nobody_is_connected(house: House) -> None:
    assert house.loop.looks == []
    first, second = house.let_in(), house.let_in()
    assert len(house.loop.looks) == 1
    house.loop.pass_by(1)
    assert len(house.loop.looks) == 1
    first.protocol.connection_lost(None)
    second.protocol.connection_lost(None)
    house.loop.pass_by(1)
    assert house.loop.looks == []
    house.let_in()
    assert len(house.loop.looks) == 1


def test_a_server_that_ends_waits_for_nobody_who_does_not_read(house: House) -> None:
    answering, computing, channel, leaving = (
        house.told(GET + b"\r\n"), house.told(GET + b"\r\n"), opened(house), opened(house),
    )  # fmt: skip
    answering.unread = channel.unread = leaving.unread = 70_000
    leaving.protocol.data_received(CLOSE)
    for line in (answering, computing, channel, leaving):
        line.protocol.shutdown()
    assert channel.written.endswith(b"\x88\x02\x03\xf4"), "1012: the server is restarting"
    for timer in house.loop.timers[:]:
        assert timer.at < SHUTDOWN_SECONDS
        timer.do()
    assert (answering.aborted, channel.aborted, leaving.aborted) == (True, True, True)
    assert not computing.aborted


def test_a_server_with_too_few_files_says_how_many_it_needs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (10, MIN_FILES))
    protocol.check_files()
    monkeypatch.setattr(resource, "getrlimit", lambda _: (10, MIN_FILES - 1))
    with pytest.raises(BadVariant, match=f"needs {MIN_FILES} open files, and only 199 .* ulimit"):
        protocol.check_files()


@pytest.mark.parametrize("size", [0, 1, 125, 126, (1 << 16) - 1, 1 << 16])
def test_a_text_is_framed_as_the_library_frames_it(size: int) -> None:
    text = b"x" * size
    assert text_frame(text) == Frame(Opcode.TEXT, text).serialize(mask=False)
