"""The HTTP protocol of the server: uvicorn's, with limits on what one client may send, how long it
may take, and how many connections it may hold. They apply before anything is buffered; limits on
whole requests are in `numduel.web.http.middleware`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import resource
import time
from collections import Counter
from functools import cache
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.protocols.utils import get_remote_addr
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from numduel.web.http.middleware.client import network

log = logging.getLogger(__name__)
MAX_URL = 8 * 1024
"""Bytes of a URL; that of an analysed game has a thousand, or three times that encoded."""
MAX_HEADER = 8 * 1024
"""Bytes of one header."""
MAX_HEADERS = 64
MAX_HEAD = 16 * 1024
"""Bytes of a request beside its body: the request line, headers, the framing of chunks, and
trailers."""
MAX_PIPELINED = 16
"""Requests that may wait on one connection while an earlier one is answered."""
REQUEST_SECONDS = 15.0
"""Seconds in which a whole request must have arrived."""
MAX_CONNECTIONS = 500
"""Connections of one address, and never more than a quarter of all; a class has six for each
browser. WebSockets are limited with the other live channels instead."""
MAX_HEARD = 4 * 1024
"""Bytes that a client may send on a WebSocket between two pings: it has nothing to send."""
RESERVED_FILES = 100
"""File descriptors that connections leave for the database, the solvers and logs."""
WANTED_FILES = 65_536
"""File descriptors that the server asks the system for."""
PUSH = "numduel.push"
"""The ASGI extension that sends a text over a WebSocket at once."""
LOG_SECONDS = 10.0
"""Seconds in which connections that are refused for one reason are logged once."""
SENTENCES = {
    400: "That is not an HTTP request.",
    408: f"A request must arrive within {REQUEST_SECONDS:.0f} seconds.",
    414: f"An address has at most {MAX_URL} bytes.",
    429: "Too many connections are open at once; close some.",
    431: f"A request has at most {MAX_HEADERS} headers, of {MAX_HEADER} bytes each and {MAX_HEAD}"
    " in all.",
    503: "Too many people are connected just now; try again in a moment.",
}


_of_address: Counter[str] = Counter()
_logged: dict[int, float] = {}
"""When each kind of refusal was last logged."""


class ConnectionGate(asyncio.Protocol):
    """A new connection. If there are too many, it is refused before anything is set up for it."""

    def __init__(self, **uvicorn: Any) -> None:
        self._uvicorn = uvicorn

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Hand the connection to `LimitedProtocol`, or refuse it."""
        client = get_remote_addr(transport)
        address = network(client[0]) if client else ""
        if len(self._uvicorn["server_state"].connections) >= max_connections():
            refuse(transport, 503, address)
        elif _of_address[address] >= max_of_address() and not self._is_proxy(address):
            refuse(transport, 429, address)
        else:
            inside = LimitedProtocol(address, **self._uvicorn)
            transport.set_protocol(inside)
            inside.connection_made(transport)

    def _is_proxy(self, address: str) -> bool:
        """Whether this is the proxy, whose connections all have one address."""
        config = self._uvicorn["config"]
        believed = config.forwarded_allow_ips or ""
        known = believed.split(",") if isinstance(believed, str) else believed
        return config.proxy_headers and bool({"*", address}.intersection(known))


class LimitedProtocol(HttpToolsProtocol):
    """A connection that is closed when its client exceeds a limit."""

    def __init__(self, address: str, **uvicorn: Any) -> None:
        super().__init__(**uvicorn)
        self._address = address
        self._counted = False
        self._head = 0
        """Bytes of the request so far, without its body."""
        self._headers_count = self._headers_size = 0
        self._arriving = False
        """Whether a request has come in part."""
        self._in_head = False
        """Whether headers belong to the head of a request, not to its trailers."""
        self._refusal = 400
        """The status for a request that the parser gives up."""
        self._deadline: asyncio.TimerHandle | None = None

    # -- connections ------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count a connection."""
        super().connection_made(transport)
        _of_address[self._address] += 1
        self._counted = True
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection."""
        self._release()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """Leave the connection to the WebSocket protocol, if that accepts the request."""
        super().handle_websocket_upgrade()
        taken = self.transport.get_protocol()
        if isinstance(taken, SmallWebSocket) and not taken.handshake_initiated:
            self._refuse(400)
        self._release()

    def _release(self) -> None:
        self._stop_watching()
        if self._counted:
            self._counted = False
            _of_address[self._address] -= 1
            if not _of_address[self._address]:
                del _of_address[self._address]

    # -- time -------------------------------------------------------------------------------

    def _watch(self) -> None:
        """Close the connection if the next request does not arrive in time. While one is answered,
        no other is due."""
        answered = self.cycle is None or self.cycle.response_complete
        if self._deadline is None and (self._arriving or answered):
            self._deadline = self.loop.call_later(REQUEST_SECONDS, self._time_out)

    def _stop_watching(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _time_out(self) -> None:
        if not self.transport.is_closing():
            self._refuse(408)

    # -- size -------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Parse data in pieces so small that the parser never holds much of a long head."""
        for start in range(0, len(data), MAX_HEAD):
            if self.transport.is_closing() or not self._counted:
                return
            piece = data[start : start + MAX_HEAD]
            self._head += len(piece)
            super().data_received(piece)
            if self._head > MAX_HEAD and not self.transport.is_closing():
                self._refuse(431)
        if self._counted and not self.transport.is_closing():
            self._watch()

    def on_message_begin(self) -> None:
        """A request begins."""
        self._arriving = self._in_head = True
        self._headers_count = self._headers_size = 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """A part of the URL."""
        super().on_url(url)
        if len(self.url) > MAX_URL:
            self._stop_parsing(414)

    def on_header(self, name: bytes, value: bytes) -> None:
        """One whole header. Trailers are counted and ignored: by then the request has been
        checked."""
        if self._in_head:
            super().on_header(name, value)
        size = len(name) + len(value)
        self._headers_count += 1
        self._headers_size += size
        if size > MAX_HEADER or self._headers_count > MAX_HEADERS or self._headers_size > MAX_HEAD:
            self._stop_parsing(431)

    def on_headers_complete(self) -> None:
        """The body begins."""
        self._in_head = False
        super().on_headers_complete()
        if len(self.pipeline) > MAX_PIPELINED:
            self._stop_parsing(429)

    def on_body(self, body: bytes) -> None:
        """A part of the body, which `numduel.web.http.middleware.body_size` limits."""
        self._head -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """A whole request has come."""
        self._arriving = False
        self._head = 0
        self._stop_watching()
        super().on_message_complete()

    # -- refusals ---------------------------------------------------------------------------

    def _stop_parsing(self, status: int) -> None:
        """Make the parser give up, which calls `send_400_response`."""
        self._refusal = status
        raise ValueError(SENTENCES[status])

    def send_400_response(self, msg: str) -> None:
        """Refuse a request that cannot be parsed, or is too long."""
        self._refuse(self._refusal)

    def _refuse(self, status: int) -> None:
        """Answer with an error, unless an answer is under way, and close."""
        answering = self.cycle is not None and self.cycle.response_started
        silent = answering and not self.cycle.response_complete
        refuse(self.transport, status, self._address, silent=silent)


def refuse(
    transport: asyncio.Transport, status: int, address: str, *, silent: bool = False
) -> None:
    """Answer a connection with an error, unless silently, and close it."""
    now = time.monotonic()
    if now - _logged.get(status, -LOG_SECONDS) >= LOG_SECONDS:
        _logged[status] = now
        log.warning(
            "refused a connection",
            extra={"status": status, "why": SENTENCES[status], "address": address},
        )
    if not silent:
        transport.write(_refusal(status))
    transport.close()


@cache
def _refusal(status: int) -> bytes:
    body = json.dumps({"error": SENTENCES[status]}).encode()
    head = b"content-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n"
    return STATUS_LINE[status] + head % len(body) + body


class SmallWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket that takes little memory: there are thousands, and most of them wait."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.queue = Events()  # type: ignore[assignment]
        self._heard = 0
        """Bytes that the client has sent since the last ping."""

    def data_received(self, data: bytes) -> None:
        """Read what a client sends. Usually that is the answer to a ping: a client that sends much
        more is cut off, because reading it keeps the others waiting."""
        if self.handshake_initiated:
            self._heard += len(data)
            if self._heard > MAX_HEARD:
                self.transport.abort()
                return
        super().data_received(data)

    async def run_asgi(self) -> None:
        """Serve the connection; the application may push to it."""
        self.scope["extensions"][PUSH] = self.push  # type: ignore[assignment]
        await super().run_asgi()

    def push(self, text: str) -> bool:
        """Send a text now, without waking the task of the connection, if the client can take it.
        Returns whether it could."""
        if not self.writable.is_set() or self.conn.state is not State.OPEN:
            return False
        self.conn.send_text(text.encode())
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True

    def send_keepalive_ping(self) -> None:
        """Ping the client, which may then send as much again."""
        self._heard = 0
        super().send_keepalive_ping()

    def start_keepalive(self) -> None:
        """The handshake is over: free its headers."""
        self.request.headers.clear()
        self.response.headers.clear()
        super().start_keepalive()


class Events:
    """As much of `asyncio.Queue` as a WebSocket uses, in a tenth of the memory; one task waits."""

    __slots__ = ("_events", "_waiting")

    def __init__(self) -> None:
        self._events: list[Any] = []
        self._waiting: asyncio.Future[None] | None = None

    def put_nowait(self, event: Any) -> None:
        """Add an event."""
        self._events.append(event)
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    async def get(self) -> Any:
        """Wait for an event, and take it."""
        while not self._events:
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting
        return self._events.pop(0)

    def empty(self) -> bool:
        """Whether no event waits."""
        return not self._events


@cache
def max_connections() -> int:
    """Connections that this process may hold: some file descriptors must be left."""
    return max(1, _limit(resource.getrlimit(resource.RLIMIT_NOFILE)[0]) - RESERVED_FILES)


def max_of_address() -> int:
    """Connections that one address may hold."""
    return min(MAX_CONNECTIONS, max(1, max_connections() // 4))


def raise_file_limit() -> None:
    """Ask the system for as many file descriptors as it gives, up to `WANTED_FILES`."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if _limit(soft) < file_limit():
        resource.setrlimit(resource.RLIMIT_NOFILE, (file_limit(), hard))


def file_limit() -> int:
    """File descriptors that the system would give the server."""
    return _limit(resource.getrlimit(resource.RLIMIT_NOFILE)[1])


def _limit(files: int) -> int:
    return WANTED_FILES if files == resource.RLIM_INFINITY else min(files, WANTED_FILES)


OPTIONS: dict[str, Any] = {
    "http": ConnectionGate,
    "ws": SmallWebSocket,
    "log_config": None,
    "access_log": False,
    "server_header": False,
    "ws_per_message_deflate": False,
    "ws_max_size": 1024,
}
"""How uvicorn is always set up."""
