"""Minimal clients: HTTP/1.1 with keep-alive, and WebSockets that only listen.

The load shares its processors with the server, so nothing is parsed that need not be.
"""

import asyncio
from collections import deque
from itertools import cycle
from time import perf_counter
from typing import cast

HOST = "127.0.0.1"
ADDRESSES = cycle([f"127.0.1.{number}" for number in range(1, 51)])
"""Where players come from: a server lets no single address have thousands of channels."""
HELPERS = [f"127.0.2.{number}" for number in range(1, 25)]
"""Where attackers prepare from, so that no limit is in the way: nobody who is measured is there."""
STALE = 3.0
"""Idle seconds after which a connection is not used again: the server closes it at five."""
CONNECTIONS = 256
"""Requests under way at once, at most."""
TEXT, CLOSE, PING, PONG = 0x1, 0x8, 0x9, 0xA
NUMBER = b'"number":'


class Connection(asyncio.Protocol):
    """One HTTP connection, with one request under way at a time."""

    def __init__(self) -> None:
        self.idle_since = perf_counter()
        self.open = True
        self.address = ""
        """Where it comes from."""
        self._transport: asyncio.Transport | None = None
        self._answer: asyncio.Future[tuple[int, bytes]] | None = None
        self._got = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember where to write."""
        self._transport = cast(asyncio.Transport, transport)
        self.address = address_of(transport)

    def ask(self, request: bytes) -> asyncio.Future[tuple[int, bytes]]:
        """Send a request; the status and the body come later."""
        assert self._transport is not None
        self._answer = asyncio.get_running_loop().create_future()
        if self.open:
            self._transport.write(request)
        else:
            self._answer.set_exception(ConnectionError())
        return self._answer

    def data_received(self, data: bytes) -> None:
        """Put an answer together from its pieces."""
        self._got = self._got + data if self._got else data
        end = self._got.find(b"\r\n\r\n")
        if end < 0:
            return
        head = self._got[:end].lower()
        _, _, length = head.partition(b"\r\ncontent-length: ")
        whole = end + 4 + int(length.split(b"\r\n", 1)[0])
        if len(self._got) < whole:
            return
        body, self._got = self._got[end + 4 : whole], b""
        self.idle_since = perf_counter()
        if self._answer is not None and not self._answer.done():
            self._answer.set_result((int(head[9:12]), body))

    def connection_lost(self, error: Exception | None) -> None:
        """Fail the request under way."""
        self.open = False
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(ConnectionError())

    def close(self) -> None:
        """Close the connection."""
        if self._transport is not None:
            self._transport.close()


class Http:
    """Connections to one server, used in turn to spread requests over its processes."""

    def __init__(self, port: int, host: str = HOST, address: str = "") -> None:
        self._port = port
        self._host = host
        self._address = address
        """Where all connections come from; if it is empty, from one address after the other."""
        self._free: deque[Connection] = deque()
        self._limit = asyncio.Semaphore(CONNECTIONS)

    async def fill(self, count: int) -> None:
        """Replace the idle connections by `count` new ones."""
        self.close()
        for _ in range(count):
            self._free.append(await self._connected())

    def close(self) -> None:
        """Close all idle connections."""
        while self._free:
            self._free.popleft().close()

    @property
    def addresses(self) -> set[str]:
        """Where the idle connections come from."""
        return {connection.address for connection in self._free if connection.open}

    async def ask(
        self, method: str, path: str, body: bytes = b"", token: str = ""
    ) -> tuple[int, bytes]:
        """The status and the body that answer a request."""
        who = f"Authorization: Bearer {token}\r\n" if token else ""
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {self._host}:{self._port}\r\n{who}"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        async with self._limit:
            connection = await self._taken()
            try:
                return await connection.ask(head.encode() + body)
            except asyncio.CancelledError:
                connection.close()  # A late answer must not reach the next request.
                connection.open = False
                raise
            finally:
                if connection.open:
                    self._free.append(connection)

    async def _taken(self) -> Connection:
        while self._free:
            connection = self._free.popleft()
            if connection.open and perf_counter() - connection.idle_since < STALE:
                return connection
            connection.close()
        return await self._connected()

    async def _connected(self) -> Connection:
        loop = asyncio.get_running_loop()
        _, connection = await loop.create_connection(
            Connection, self._host, self._port, local_addr=_local(self._host, self._address)
        )
        return connection


def _local(host: str, address: str) -> tuple[str, int] | None:
    """Where a player of the server at a host comes from: an address, or the next one."""
    return (address or next(ADDRESSES), 0) if host == HOST else None


def address_of(transport: asyncio.BaseTransport) -> str:
    """The address on this side of a connection."""
    address: str = transport.get_extra_info("sockname")[0]
    return address


class Channel(asyncio.Protocol):
    """A player's WebSocket, which receives the state of the game."""

    def __init__(self, port: int, path: str, token: str, host: str = HOST) -> None:
        self.told = b""
        """The newest state, as it came."""
        self.number = -1
        """The number of that state."""
        self.closed: int | None = None
        """The close code of the server; 1006 without a close frame."""
        self.leaving = False
        """Whether an end of this channel is expected."""
        self.arrived = 0.0
        """When the expected state came."""
        self.address = ""
        """Where it comes from."""
        self._request = (
            f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: bnVtZHVlbCBudW1kdWVsIQ==\r\n"
            f"Sec-WebSocket-Version: 13\r\nAuthorization: Bearer {token}\r\n\r\n"
        ).encode()
        self._transport: asyncio.Transport | None = None
        self._upgraded = False
        self._got = b""
        self._expected = 0
        self._news: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @classmethod
    async def opened(
        cls, port: int, path: str, token: str, host: str = HOST, address: str = ""
    ) -> "Channel":
        """A channel on which the first state has come."""
        loop = asyncio.get_running_loop()
        _, channel = await loop.create_connection(
            lambda: cls(port, path, token, host), host, port, local_addr=_local(host, address)
        )
        await channel._news
        return channel

    def expect(self, number: int) -> asyncio.Future[None]:
        """Wait for a state of at least this number; `arrived` says when it came."""
        self._expected = number
        self._news = asyncio.get_running_loop().create_future()
        if self.closed is not None:
            self._fail()
        elif self.number >= number:
            self._come()
        return self._news

    def leave(self) -> None:
        """Send a close frame."""
        self.leaving = True
        self._say(CLOSE, b"\x03\xe8")

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Request the upgrade."""
        self._transport = cast(asyncio.Transport, transport)
        self.address = address_of(transport)
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Handle the complete frames."""
        self._got = self._got + data if self._got else data
        if not self._upgraded:
            head, end, rest = self._got.partition(b"\r\n\r\n")
            if not end:
                return
            self._got, self._upgraded = rest, head.startswith(b"HTTP/1.1 101 ")
            if not self._upgraded:
                self._hang_up()
                return
        while (end_of_frame := self._frame()) and self.closed is None:
            self._got = self._got[end_of_frame:]

    def connection_lost(self, error: Exception | None) -> None:
        """Fail whoever waits for a state."""
        if self.closed is None:
            self.closed = 1006
        self._fail()

    def _frame(self) -> int:
        """Handle the first frame; returns its end, or 0 if incomplete."""
        got = self._got
        if len(got) < 2:
            return 0
        start, length = 2, got[1]
        if length >= 126:
            start = 4 if length == 126 else 10
            length = int.from_bytes(got[2:start])
        end = start + length
        if len(got) < max(end, start):
            return 0
        kind, payload = got[0] & 0xF, got[start:end]
        if kind == TEXT:
            self._told(payload)
        elif kind == PING:
            self._say(PONG, payload)
        elif kind == CLOSE:
            self.closed = int.from_bytes(payload[:2]) or 1005
            self._say(CLOSE, payload[:2])
            self._hang_up()
        return end

    def _told(self, state: bytes) -> None:
        self.told, self.number = state, number_of(state)
        if self.number >= self._expected and not self._news.done():
            self._come()

    def _come(self) -> None:
        self.arrived = perf_counter()
        self._news.set_result(None)

    def _fail(self) -> None:
        if not self._news.done():
            self._news.set_exception(ConnectionError())
            self._news.exception()  # No warning if nobody waits.

    def _say(self, kind: int, payload: bytes) -> None:
        """Send a short frame, with a mask of zeros."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(bytes((0x80 | kind, 0x80 | len(payload), 0, 0, 0, 0)) + payload)

    def _hang_up(self) -> None:
        if self._transport is not None:
            self._transport.close()


def number_of(state: bytes) -> int:
    """The number of a state, which stands near its beginning."""
    start = state.index(NUMBER) + len(NUMBER)
    return int(state[start : state.index(b",", start)])


def moves_of(state: bytes) -> bytes:
    """The moves of a state, as they are written between their brackets."""
    start = state.index(b'"moves":[') + 9
    return state[start : state.index(b"]", start)]
