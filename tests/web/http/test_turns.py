"""Whoever asks for much waits; everybody else does not."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any
from unittest.mock import AsyncMock, MagicMock

import pytest

from numduel.web.http import protocol
from numduel.web.http.middleware.rate_limit import FILES_BURST, ChannelLimit, RateLimit
from numduel.web.http.middleware.respond import slow_down
from numduel.web.http.protocol import (
    CHANNELS_A_ROUND,
    MAX_UNPARSED,
    PIECE,
    READ_A_ROUND,
    SmallWebSocket,
)
from numduel.web.http.protocol import REQUESTS_A_ROUND as A_ROUND
from numduel.web.http.turns import Pace, Turn, Turns
from tests.plugins.limit import RUN_LIMIT
from tests.web.http.test_protocol import ANN, BOB, UPGRADE, House, Line, opened

FIRST = b"GET / HTTP/1.1\r\nHost: x\r\n"
LONG = FIRST + b"X: %s\r\n\r\n" % (b"a" * (PIECE - len(FIRST) - 7))
"""A request that is parsed in one piece."""


class Rounds:
    """An event loop that goes round when it is told to."""

    def __init__(self) -> None:
        self._due: list[Any] = []

    def call_soon(self, do: Any, *given: Any) -> None:
        self._due.append((do, given))

    def go_round(self) -> None:
        due, self._due = self._due, []
        for do, given in due:
            do(*given)

    @property
    def idle(self) -> bool:
        return not self._due


class Queue:
    """Requests that are begun in turn."""

    def __init__(self) -> None:
        self.rota = Turns(A_ROUND)
        self.loop = Rounds()
        self.turns: list[Turn] = []
        """Those that have begun."""
        self._connections = itertools.count()

    def ask(self, address: str, key: str = "", connection: object = None) -> Turn:
        """A request comes, over a connection of its own if nothing else is said."""
        turn = Turn(address, key, next(self._connections) if connection is None else connection)
        self.rota.take(turn, lambda: self.turns.append(turn), self.loop)  # type: ignore[arg-type]
        return turn

    @property
    def begun(self) -> list[str]:
        """The addresses whose requests have begun."""
        return [turn.address for turn in self.turns]


def test_one_address_begins_some_requests_a_round_and_others_come_in_between() -> None:
    queue = Queue()
    for _ in range(3 * A_ROUND):
        queue.ask(ANN)
    queue.ask(BOB)
    assert queue.begun == [ANN] * A_ROUND + [BOB]
    queue.loop.go_round()
    queue.ask(BOB)
    assert queue.begun == [ANN] * A_ROUND + [BOB] + [ANN] * A_ROUND + [BOB]
    queue.loop.go_round()
    assert queue.begun.count(ANN) == 3 * A_ROUND
    queue.loop.go_round()
    assert queue.loop.idle


def test_requests_of_one_address_begin_in_their_order() -> None:
    queue = Queue()
    turns = [queue.ask(ANN, connection=number) for number in range(2 * A_ROUND)]
    queue.loop.go_round()
    turns.append(queue.ask(ANN, connection=2 * A_ROUND))
    queue.loop.go_round()
    assert queue.turns == turns


def test_whoever_proves_nothing_takes_no_turn_of_those_who_do() -> None:
    queue = Queue()
    for _ in range(2 * A_ROUND):
        queue.ask(ANN)
    known = queue.ask(ANN, "known")
    assert queue.turns[-1] == known


def test_one_known_key_waits_for_another_no_longer_than_a_round() -> None:
    queue = Queue()
    for _ in range(9 * A_ROUND):
        queue.ask(ANN, "greedy")
    pupils = [queue.ask(ANN, f"pupil {number}") for number in range(A_ROUND - 1)]
    queue.loop.go_round()
    assert queue.turns[A_ROUND + 1 :] == pupils
    queue.loop.go_round()
    assert len(queue.turns) == 3 * A_ROUND, "nobody else waits, so it has all of them"


def test_many_keys_that_go_on_and_on_do_not_hold_up_one_that_comes_now_and_then() -> None:
    queue = Queue()
    greedy = [f"greedy {number}" for number in range(9 * A_ROUND)]
    for key in (*greedy, *greedy):
        queue.ask(ANN, key)
    for _ in range(10):
        queue.loop.go_round()
    calm = queue.ask(ANN, "calm")
    queue.loop.go_round()
    assert calm in queue.turns
    assert len(queue.turns) < 2 * len(greedy), "all of those still wait"


def test_one_that_fails_keeps_nobody_else_from_their_turns() -> None:
    queue = Queue()
    turns = [queue.ask(ANN) for _ in range(A_ROUND)]
    bad = Turn(ANN, "", "bad")
    queue.rota.take(bad, partial(next, iter(())), queue.loop)  # type: ignore[arg-type]
    turns += [queue.ask(ANN) for _ in range(2 * A_ROUND)]
    with pytest.raises(StopIteration):
        queue.loop.go_round()
    for _ in range(4):
        queue.loop.go_round()
    assert queue.turns == turns
    assert queue.loop.idle


def test_only_so_many_keys_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numduel.web.http.turns.MAX_SERVED", 1)
    queue = Queue()
    for number in range(A_ROUND):
        queue.ask(ANN, f"key {number}")
    assert list(queue.rota._served) == [f"key {A_ROUND - 1}"]


def test_a_request_whose_client_has_left_is_forgotten_and_takes_no_turn() -> None:
    queue = Queue()
    turns = [queue.ask(ANN) for _ in range(3 * A_ROUND)]
    for gone in turns[: 2 * A_ROUND]:
        queue.rota.leave(gone)
    queue.loop.go_round()
    assert queue.turns == turns[:A_ROUND] + turns[2 * A_ROUND :]
    alone = [queue.ask(BOB) for _ in range(A_ROUND + 1)][-1]
    queue.rota.leave(alone)
    queue.loop.go_round()
    queue.loop.go_round()
    assert queue.loop.idle
    assert alone not in queue.turns


def test_after_some_at_once_an_address_waits_longer_and_longer_up_to_a_limit() -> None:
    now = 100.0
    pace = Pace(rate=10, burst=2, longest=0.25, clock=lambda: now)
    assert [pytest.approx(pace.wait(ANN)) for _ in range(6)] == [0, 0, 0.1, 0.2, 0.25, 0.25]
    assert pace.wait(BOB) == 0
    now += 1
    assert pace.wait(ANN) == 0


def test_only_so_many_addresses_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numduel.web.http.turns.MAX_PACED", 3)
    now = 100.0
    pace = Pace(rate=10, burst=0, longest=9, clock=lambda: now)
    for number in range(3):
        pace.wait(str(number))
    now += 1
    pace.wait(ANN)
    assert list(pace._due) == [ANN]


# -- on a connection ------------------------------------------------------------------------


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The addresses whose requests took a turn, and their known keys."""
    turns: list[Any] = []

    def take(self: Turns, turn: Turn, begin: Callable[[], None], _: object) -> None:
        if self._a_round == A_ROUND:
            turns.append((turn.address, turn.key))
        else:
            begin()

    monkeypatch.setattr(Turns, "take", take)
    return turns


@pytest.mark.parametrize(
    ("header", "key"),
    [
        (b"", ""), (b"Authorization: invented\r\n", ""), (b"Cookie: a=b\r\n", ""),
        (b"Authorization: known\r\n", "known"),
    ],
)  # fmt: skip
def test_an_invented_key_has_no_turn_of_its_own(begun: list[Any], header: bytes, key: str) -> None:
    House().told(FIRST + header + b"\r\n")
    assert begun == [(ANN, key)]


def test_clients_that_leave_at_once_leave_no_request_behind() -> None:
    house, loop = House(), Rounds()
    house.loop.call_soon = loop.call_soon  # type: ignore[method-assign]
    for _ in range(10):
        for _ in range(5 * A_ROUND):
            house.told(FIRST + b"\r\n").protocol.connection_lost(None)
        loop.go_round()
    assert len(house.state.tasks) == 10 * A_ROUND, "only those that began before they had left"
    loop.go_round()
    assert loop.idle


class Busy:
    """A house in which nothing is read, begun or opened but in turn, and the rounds of its loop."""

    def __init__(self) -> None:
        self.house, self.rounds = House(), Rounds()
        self.house.loop.call_soon = self.rounds.call_soon  # type: ignore[method-assign]
        protocol._shared[self.house.state] = protocol.Shared()


def read(lines: list[Line]) -> int:
    """On how many connections the beginning of a request was read."""
    return sum(line.protocol._arriving for line in lines)


def test_one_address_has_some_data_read_a_round_and_others_come_in_between() -> None:
    busy = Busy()
    many = [busy.house.told(FIRST) for _ in range(3 * READ_A_ROUND)]
    late = busy.house.told(FIRST, address=BOB)
    known = busy.house.let_in()
    known.protocol._key = "known"
    known.protocol.data_received(FIRST)
    assert read(many) == READ_A_ROUND // 2, "each is a piece of data, and a request in it"
    assert read([late, known]) == 2
    busy.rounds.go_round()
    assert read(many) == READ_A_ROUND


def test_nothing_more_is_read_of_data_that_waits_and_nothing_is_lost() -> None:
    busy = Busy()
    for _ in range(READ_A_ROUND):
        busy.house.told(FIRST)
    line = busy.house.let_in()
    line.pause_reading, line.resume_reading = MagicMock(), MagicMock()  # type: ignore[method-assign]
    line.protocol.data_received(FIRST[:9])
    assert (line.pause_reading.call_count, line.resume_reading.call_count) == (1, 0)
    line.protocol.data_received(FIRST[9:] + b"X: y\r\n\r\n")
    for _ in range(9):
        busy.rounds.go_round()
    assert line.resume_reading.call_count == 1
    assert (b"x", b"y") in line.protocol.cycle.scope["headers"]


def test_requests_that_are_sent_at_once_are_parsed_when_those_before_are_answered() -> None:
    busy = Busy()
    line = busy.house.told(LONG * 5)
    flow = line.protocol.flow
    assert flow.read_paused
    flow.resume_reading()
    line.protocol.data_received(LONG)
    assert flow.read_paused, "whatever has resumed it, what waits does not grow without end"
    seen = [line.protocol.cycle]
    for _ in range(9):
        line.protocol._begun.response_complete = True
        line.protocol.on_response_complete()
        busy.rounds.go_round()
        if line.protocol.cycle is not seen[-1]:
            seen.append(line.protocol.cycle)
        assert len(line.protocol.pipeline) <= 1
    assert len(seen) == 5, "the first two were parsed at once"
    assert not line.protocol._unparsed


def test_data_that_waits_behind_other_requests_is_limited_however_it_is_let_in() -> None:
    busy = Busy()
    line = busy.house.told(LONG + LONG)
    assert line.protocol.pipeline
    while not line.closed:
        assert len(line.protocol._unparsed) <= MAX_UNPARSED
        line.protocol.flow.resume_reading()  # As every request does that looks for its client.
        line.protocol.data_received(b"x" * PIECE)
    assert line.status == 429
    assert busy.house.told(LONG * (2 + MAX_UNPARSED // PIECE)).status is None
    too_much = LONG * (3 + MAX_UNPARSED // PIECE)
    assert busy.house.told(too_much).status == 429
    later = busy.house.told(too_much)
    assert later.status is None, "it waits for its turn, and for nothing else"
    for _ in range(9):
        busy.rounds.go_round()
    assert later.status == 429


def test_a_connection_on_which_data_waits_is_not_idle() -> None:
    busy = Busy()
    line = busy.house.told(FIRST + b"\r\n")
    line.protocol.cycle.response_complete = True
    line.protocol.on_response_complete()
    assert line.protocol.timeout_keep_alive_task in busy.house.loop.timers
    for _ in range(READ_A_ROUND):
        busy.house.told(FIRST)
    line.protocol.data_received(FIRST)
    assert line.protocol._unparsed
    assert line.protocol.timeout_keep_alive_task is None


def test_what_waits_to_be_read_is_forgotten_with_its_connection() -> None:
    busy = Busy()
    many = [busy.house.told(FIRST) for _ in range(3 * READ_A_ROUND)]
    for line in many:
        line.protocol.connection_lost(None)
    for _ in range(3):
        busy.rounds.go_round()
    assert busy.rounds.idle
    assert read(many) == READ_A_ROUND // 2
    assert not any(line.protocol._unparsed for line in many)


def test_what_a_proxy_sends_is_read_at_once() -> None:
    busy = Busy()
    busy.house.config = House(proxy_headers=True, forwarded_allow_ips=ANN).config
    many = [busy.house.told(FIRST) for _ in range(3 * READ_A_ROUND)]
    assert read(many) == len(many)


def test_one_address_opens_some_channels_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    busy = Busy()
    monkeypatch.setattr(asyncio, "get_event_loop", lambda: busy.house.loop)
    many = [busy.house.told(UPGRADE) for _ in range(4)]
    other = busy.house.told(UPGRADE, address=BOB)

    def are_open() -> int:
        return sum(isinstance(line.protocol, SmallWebSocket) for line in many)

    assert are_open() == CHANNELS_A_ROUND
    assert isinstance(other.protocol, SmallWebSocket)
    many[1].protocol.connection_lost(None)
    many[2].protocol.shutdown()
    for _ in range(4):
        busy.rounds.go_round()
    assert are_open() == CHANNELS_A_ROUND + 1, "two have left meanwhile"


def test_every_server_has_its_own_rounds() -> None:
    for house in (House(), House()):
        for _ in range(A_ROUND + 1):
            house.told(FIRST + b"\r\n")
        assert len(house.state.tasks) == A_ROUND


def test_behind_a_proxy_everybody_has_their_own_turns(begun: list[Any]) -> None:
    proxy = House(proxy_headers=True, forwarded_allow_ips=ANN)
    for said in (
        BOB,
        f"{BOB}:4321",
        f"10.9.9.9, {BOB}, {ANN}",
        f"10.9.9.9\r\nX-Forwarded-For: {BOB}",
    ):
        proxy.told(FIRST + b"X-Forwarded-For: %s\r\n\r\n" % said.encode())
    proxy.told(FIRST + b"X-Forwarded-For: 2001:db8::1234\r\n\r\n")
    proxy.told(FIRST + b"\r\n")
    House().told(FIRST + b"X-Forwarded-For: %s\r\n\r\n" % BOB.encode())
    addresses = [BOB, BOB, BOB, BOB, "2001:db8::/64", ANN, ANN]
    assert begun == [(address, "") for address in addresses]


def refusing(waits: list[float], house: House) -> None:
    """Refuse a request on a connection to this house."""
    line = house.told(FIRST + b"\r\n")
    line.pause_reading = MagicMock()  # type: ignore[method-assign]
    asyncio.run(line.protocol.slow_down())
    waits.append(line.pause_reading.call_count)


def test_an_address_that_goes_on_is_refused_later_and_not_read_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(protocol, "_refused", Pace(rate=1000, burst=2, longest=0.01))
    paused: list[float] = []
    for _ in range(2):
        refusing(paused, House())
    assert paused == [0, 0]
    monkeypatch.setattr(protocol, "_refused", Pace(rate=0.001, burst=0, longest=0.001))
    refusing(paused, House())
    assert paused[-1] == 1


def test_a_server_that_ends_refuses_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "_refused", Pace(rate=0.001, burst=0, longest=RUN_LIMIT))
    line = House().told(FIRST + b"\r\n")

    async def ending() -> None:
        refusing = asyncio.ensure_future(line.protocol.slow_down())
        await asyncio.sleep(0)
        line.protocol.shutdown()
        await refusing

    asyncio.run(ending())


def test_a_websocket_is_refused_later_too(monkeypatch: pytest.MonkeyPatch) -> None:
    house = House()
    monkeypatch.setattr(asyncio, "get_event_loop", lambda: house.loop)
    line = opened(house)
    line.pause_reading = MagicMock()  # type: ignore[method-assign]
    monkeypatch.setattr(protocol, "_refused", Pace(rate=0.001, burst=0, longest=0.001))
    asyncio.run(slow_down(line.protocol.scope))
    assert line.pause_reading.call_count == 1


def test_a_proxy_never_waits_for_one_of_its_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "_refused", Pace(rate=0.001, burst=0, longest=0.001))
    paused: list[float] = []
    refusing(paused, House(proxy_headers=True, forwarded_allow_ips=ANN))
    assert paused == [0]


@pytest.mark.parametrize("path", ["/", "/api/v1/rules"])
def test_whatever_is_refused_waits_first(path: str) -> None:
    happened: list[str] = []

    async def slow() -> None:
        happened.append("waited")

    async def send(message: Any) -> None:
        happened.append(str(message.get("status", "")))

    async def app(*_: Any) -> None:
        happened.append("served")

    limit = RateLimit(app, 0.1, lambda: b"", lambda _: False, lambda _: "")
    scope = {
        "type": "http", "path": path, "headers": [], "client": (ANN, 1), "method": "GET",
        "extensions": {"numduel.slow": slow},
    }  # fmt: skip
    for _ in range(2):
        asyncio.run(limit(scope, MagicMock(), send))
    assert happened[:3] == ["served", "waited", "429"]


def test_static_files_have_tokens_of_their_own() -> None:
    told: list[int] = []

    async def send(message: Any) -> None:
        told.append(message.get("status", 0))

    async def app(*_: Any) -> None:
        told.append(200)

    limit = RateLimit(app, 0.1, lambda: b"", "/static/x.js".__eq__, lambda _: "")
    limit._files._clock = lambda: 0.0  # On a busy machine so many take longer than a token.

    def ask(path: str, times: int) -> list[int]:
        told.clear()
        scope = {"type": "http", "path": path, "headers": [], "client": (ANN, 1), "method": "GET"}
        for _ in range(times):
            asyncio.run(limit(scope, MagicMock(), send))
        return [status for status in told if status]

    assert ask("/static/x.js", int(FILES_BURST) + 1) == [200] * int(FILES_BURST) + [429]
    assert ask("/api/v1/rules", 2) == [200, 429]


@pytest.mark.parametrize("extensions", [{}, {"extensions": {}}])
def test_on_another_server_a_channel_counts_until_the_application_is_done_with_it(
    monkeypatch: pytest.MonkeyPatch, extensions: dict[str, Any]
) -> None:
    """Only this one tells when a socket is closed."""
    monkeypatch.setattr("numduel.web.http.middleware.rate_limit.MAX_CHANNELS", 1)
    refused = AsyncMock()
    scope = {"type": "websocket", "path": "/live", "headers": [], "client": (ANN, 1), **extensions}

    async def app(*_: Any) -> None:
        await limit(scope, MagicMock(), refused)

    limit = ChannelLimit(app, lambda _: "")
    for times in (1, 2):
        asyncio.run(served(limit(scope, MagicMock(), AsyncMock())))
        assert refused.await_count == times


async def served(serving: Awaitable[None]) -> None:
    """Serve a request to its end."""
    await serving
