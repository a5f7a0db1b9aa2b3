"""The HTTP protocol of the server: uvicorn's, with limits on what one client may send, how long it
may take, how much may wait for it unread, and how many connections it may hold. They apply before
anything is buffered; limits on whole requests are in `numduel.web.http.middleware`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from functools import cache, lru_cache, partial
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.protocols.utils import get_remote_addr
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.protocol import State

from numduel.core.errors import BadVariant
from numduel.core.language import _
from numduel.system import allow_files, file_limits
from numduel.web.http.connections import Connections, Use
from numduel.web.http.middleware.client import (
    MAX_ADDRESSES,
    forwarded_address,
    network,
    proxy_headers,
    site,
)
from numduel.web.http.middleware.rate_limit import is_channel
from numduel.web.http.middleware.respond import SLOW, WHEN_CLOSED
from numduel.web.http.turns import Pace, Turn, Turns
from numduel.web.http.whole import in_one_piece

log = logging.getLogger(__name__)
MAX_URL = 8 * 1024
"""Bytes of a URL; that of an analysed game has a thousand, or three times that encoded."""
MAX_HEADER = 8 * 1024
"""Bytes of one header."""
MAX_HEADERS = 64
MAX_HEAD = 16 * 1024
"""Bytes of a request beside its body: the request line, headers, the framing of chunks, and
trailers."""
PIECE = 1024
"""Bytes that are parsed at once. Whoever sends many requests at once has the next piece parsed when
no other request waits on the connection."""
MAX_PIPELINED = 16
"""Requests of one piece that may wait on a connection while an earlier one is answered."""
MAX_UNPARSED = 32 * 1024
"""Bytes that may wait behind those, not parsed: as many as one more request has at most."""
READ_A_ROUND = 8
"""Pieces of data, and requests in them, that are parsed in one round of the event loop for one
address; each takes some hundredths of a millisecond."""
REQUESTS_A_ROUND = 2
"""Requests of one address that are begun in a round; each takes a fraction of a millisecond."""
CHANNELS_A_ROUND = 1
"""WebSockets of one address that are opened in a round; each takes a millisecond."""
REQUEST_SECONDS = 15.0
"""Seconds in which a whole request must have arrived."""
UNREAD_SECONDS = 30.0
"""Seconds in which a client must have taken what waits for it, also while its connection is being
closed."""
ENDING_SECONDS = 3.0
"""Seconds in which it must have, when the server shuts down."""
SWEEP_SECONDS = 1.0
"""Seconds between two looks for clients that do not read."""
SWEPT_PART = 8
"""In one look at most this part of all connections is looked at, a few hundred at least: with
thousands of channels, all at once would keep everybody waiting."""
SWEPT_LEAST = 200
MAX_UNSENT = 64 * 1024
"""Bytes the kernel may hold for a client that does not read; the process holds as many again, plus
one state."""
CLOSE_SECONDS = 5.0
"""Seconds in which a client must have answered that its WebSocket is closed."""
MAX_CONNECTIONS = 1_000
"""Connections of one address, and never more than a quarter of all; a class has six for each
browser, and its live channels, and a school has several classes. Then each new one takes the place
of the one that is needed least."""
SITE_CONNECTIONS = 2
"""How many times as many all of an IPv6 site may have: half of all at most."""
KNOWN_KEEP_ALIVE = 30
"""Seconds that a connection is kept for the next request of a known key: as long as a move takes.
For others uvicorn has 5."""
REFUSALS_RATE = 50.0
"""Requests a second that are refused to one address because it asks for too much; the next ones
are answered later, and meanwhile nothing is read on their connections."""
REFUSALS_BURST = 50
"""How many of them are refused at once before that."""
SLOWEST = 4.0
"""Seconds that a client waits at most until it is refused."""
TEXT_FRAME, SHORT_FRAME = 0x81, 126
"""How a frame with a whole text begins, and from how many bytes on the length has bytes of its own.
"""
MAX_HEARD = 4 * 1024
"""Bytes that a client may send on a WebSocket between two pings: it has nothing to send."""
RESERVED_FILES = 100
"""File descriptors that connections leave for the database, the solvers and logs."""
MIN_FILES = 200
"""File descriptors without which no server starts: a quarter of what is left is 25 connections for
one address, enough for a family."""
WANTED_FILES = 65_536
"""File descriptors that the server asks the system for."""
PUSH = "numduel.push"
"""The ASGI extension that sends a text over a WebSocket at once."""
KNOWN_KEY = "numduel.known_key"
"""Where the application's state has the function that finds the known key of a request."""
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


class Shared:
    """What the connections of one server share; each server has an event loop of its own."""

    def __init__(self) -> None:
        self.open: defaultdict[str, Connections] = defaultdict(Connections)
        """The sockets of each address, and of each site, that are not closed yet, whatever has
        become of them."""
        self.reading = Turns(READ_A_ROUND)
        self.requests = Turns(REQUESTS_A_ROUND)
        self.channels = Turns(CHANNELS_A_ROUND)


_shared: WeakKeyDictionary[ServerState, Shared] = WeakKeyDictionary()
_refused = Pace(REFUSALS_RATE, REFUSALS_BURST, SLOWEST)
_logged: dict[int, float] = {}
"""When each kind of refusal was last logged."""
_swept: WeakSet[ServerState] = WeakSet()
"""The servers that have a `Sweep`."""


class ConnectionGate(asyncio.Protocol):
    """A new connection. If there are too many, it is refused before anything is set up for it."""

    def __init__(self, **uvicorn: Any) -> None:
        self._uvicorn = uvicorn

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Hand the connection to `LimitedProtocol`, or refuse it."""
        host, _ = get_remote_addr(transport) or ("", 0)
        address, server = network(host), self._uvicorn["server_state"]
        shared = _shared.setdefault(server, Shared())
        proxy = proxy_headers(self._uvicorn["config"].loaded_app, host)
        _limit_unsent(transport)
        if len(server.connections) >= max_connections():
            refuse(transport, 503, address)
        elif proxy is None and not _make_room(shared, address):
            refuse(transport, 429, address)
        else:
            inside = LimitedProtocol(address, proxy, shared, **self._uvicorn)
            transport.set_protocol(inside)
            inside.connection_made(transport)
            sweep(inside.server_state, inside.loop)


def _make_room(shared: Shared, address: str) -> bool:
    """Close the connection that an address, or all of its site, needs least, if it has too many for
    another one. Returns whether there is room for that now."""
    for place, times in zip(_places(address), (1, SITE_CONNECTIONS), strict=False):
        connections = shared.open.get(place, Connections())
        if len(connections) >= times * max_of_address():
            least: Any = connections.least_needed()
            if least is None:
                return False
            least.give_way()
    return True


@lru_cache(MAX_ADDRESSES)
def _places(address: str) -> tuple[str, ...]:
    """Where a connection from an address counts: there, and at its site, if that is another."""
    whole = site(address)
    return (address,) if whole == address else (address, whole)


class Counted:
    """A socket in the counts of its address and its site, until it is closed, whatever has become
    of it. A channel keeps this and nothing else of the connection that it was."""

    __slots__ = ("_address", "_is_open", "_shared", "_transport")

    def __init__(self, transport: asyncio.Transport, address: str, shared: Shared) -> None:
        self._transport = transport
        self._address = address
        self._shared = shared
        self._is_open = True

    def note(self, key: str, use: Use) -> None:
        """Note whose the connection is, and what it is used for, while it is open."""
        if self._is_open:
            for place in _places(self._address):
                self._shared.open[place].put(self, key, use)

    def release(self) -> None:
        """Count it no longer."""
        if self._is_open:
            self._is_open = False
            for place in _places(self._address):
                connections = self._shared.open[place]
                connections.remove(self)
                if not connections:
                    del self._shared.open[place]

    def give_way(self) -> None:
        """Close the connection at once: there are too many, and another has come."""
        self.release()
        cut_off(self._transport, 429, SENTENCES[429], self._address)


class LimitedProtocol(HttpToolsProtocol):
    """A connection that is closed when its client exceeds a limit."""

    def __init__(
        self, address: str, proxy: ProxyHeadersMiddleware | None, shared: Shared, **uvicorn: Any
    ) -> None:
        super().__init__(**uvicorn)
        self._address = address
        self._proxy = proxy
        """What knows for whom this connection is, if many people come over it."""
        self._shared = shared
        self._counted: Counted
        self._key = ""
        """The known key that has come over this connection, if one has."""
        self._begun: Any = None
        """The request that is being answered or waits for its turn; `cycle` is the last one."""
        self._turns: dict[Turns, Turn] = {}
        """The last turn that was taken of each kind."""
        self._unparsed = b""
        """Data that waits for its turn, or for the requests before it."""
        self._slowed: asyncio.Event | None = None
        """Ends a wait before a refusal."""
        self._upgraded = False
        """Whether the connection has been left to a WebSocket."""
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
        self._counted = Counted(transport, self._address, self._shared)
        self._note(Use.NOTHING)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection: it is closed. Uvicorn tells the last request on it; others may have
        come before, of which one is being answered."""
        self._stop_watching()
        self._release()
        if self._begun is not None and not self._begun.response_complete:
            self._begun.disconnected = True
            self._begun.message_event.set()
        self.pipeline.clear()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """Leave the connection to the WebSocket protocol when it is its turn. A request that came
        before it must have been answered: its answer would be no frame of the WebSocket."""
        if not self._answered:
            self._refuse(400)
            return
        self._stop_watching()
        self._upgraded = True
        self.flow.pause_reading()
        self._take_turn(self._shared.channels, self._turn_of(self.scope), self._upgrade)

    def _upgrade(self) -> None:
        """Leave the connection to the WebSocket protocol, if that accepts the request. It counts
        until it is closed."""
        if self.transport.is_closing():
            return
        self.flow.resume_reading()
        self._turns = {}  # There are thousands of channels, and most of them wait.
        super().handle_websocket_upgrade()
        taken = self.transport.get_protocol()
        if isinstance(taken, SmallWebSocket):
            taken.when_closed(self._counted.release)
            if not taken.handshake_initiated:
                self._refuse(400)
            elif not self.transport.is_closing():
                taken.scope["extensions"][SLOW] = self.slow_down  # type: ignore[assignment]
                self._note(Use.CHANNEL)
        # These keep the protocol, and the protocol these, until all garbage is collected.
        self.parser = self.cycle = self.scope = None  # type: ignore[assignment]

    def shutdown(self) -> None:
        """Close the connection once its request is answered; do not wait long for a client that
        does not read, nor for one that is being refused."""
        super().shutdown()
        if self._slowed is not None:
            self._slowed.set()
        self.loop.call_later(ENDING_SECONDS, self._abort_unread)

    def _abort_unread(self) -> None:
        if _is_unread(self.transport):
            self.transport.abort()

    def _release(self) -> None:
        """Forget the connection, and what waits on it."""
        self._counted.release()
        for turns, turn in self._turns.items():
            turns.leave(turn)
        self._turns.clear()
        self._unparsed = b""  # Garbage may be collected much later.
        if self._slowed is not None:
            self._slowed.set()

    def _find_key(self, scope: Any) -> str:
        """The known key of a request, which the connection belongs to from now on."""
        known_key = self.app_state.get(KNOWN_KEY)
        key: str = known_key(scope) if known_key else ""
        if key and key != self._key:
            self._key = key
            self.timeout_keep_alive = KNOWN_KEEP_ALIVE
            self._note(Use.NOTHING)
        return key

    def _note(self, use: Use) -> None:
        self._counted.note(self._key, use)

    def _note_answer(self) -> None:
        """Note whether a request that has come is being answered."""
        if self._answered:
            self._note(Use.NOTHING)
        else:
            scope: Any = self.cycle.scope
            self._note(Use.CHANNEL if is_channel(scope) else Use.ANSWER)

    # -- time -------------------------------------------------------------------------------

    def _watch(self) -> None:
        """Close the connection if the next request does not arrive in time. While one is answered,
        no other is due."""
        if self._deadline is None and (self._arriving or self._answered):
            self._deadline = self.loop.call_later(REQUEST_SECONDS, self._time_out)

    @property
    def _answered(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _stop_watching(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _time_out(self) -> None:
        if not self.transport.is_closing():
            self._refuse(408)

    # -- turns ------------------------------------------------------------------------------

    def _take_turn(self, turns: Turns, turn: Turn, begin: Callable[[], None]) -> None:
        self._turns[turns] = turn
        turns.take(turn, begin, self.loop)

    def _turn_of(self, scope: Any) -> Turn:
        """Whose turn a request is."""
        key, proxy = self._find_key(scope), self._proxy
        return Turn(forwarded_address(proxy, scope) if proxy else self._address, key, self)

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        """Begin a request when it is its turn."""
        self._begun = cycle
        begin = partial(super()._start_asgi_task, cycle, in_one_piece(app, cycle))
        self._take_turn(self._shared.requests, self._turn_of(cycle.scope), begin)

    async def slow_down(self) -> None:
        """Wait before a request is refused because its address asks for too much. Meanwhile its
        connection is not needed."""
        seconds = 0.0 if self._proxy else _refused.wait(self._address)
        if seconds:
            self.flow.pause_reading()
            self._note(Use.NOTHING)
            self._slowed = asyncio.Event()
            taken = self.transport.get_protocol()
            if isinstance(taken, SmallWebSocket):
                taken.when_closed(self._slowed.set)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._slowed.wait(), seconds)

    # -- size -------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Parse data when it is its turn; until then, no more is read."""
        if self.transport.is_closing() or self._upgraded:
            return
        waits = bool(self._unparsed)
        self._unparsed += data
        if waits:  # A request that looks whether its client has left has resumed reading.
            self._stop_reading()
        else:
            self._parse_in_turn()

    def _stop_reading(self) -> None:
        """Read no more while data waits. Each request that waits could let some more in, so there
        is a limit to that."""
        self.flow.pause_reading()
        if self.pipeline and len(self._unparsed) > MAX_UNPARSED:
            self._refuse(429)

    def _parse_in_turn(self) -> None:
        """Parse what has come: at once, if it is from a proxy, which has everybody's requests. A
        connection on which something has come is not idle, even if that waits."""
        self._unset_keepalive_if_required()
        if self._proxy is None:
            turn = Turn(self._address, self._key, self)
            self._take_turn(self._shared.reading, turn, self._parse)
        else:
            self._parse()
        if self._unparsed and not self.transport.is_closing():
            self._stop_reading()

    def _parse(self) -> None:
        """Parse what has come, in pieces, until a request waits for the one before it."""
        if self.transport.is_closing():
            return
        self.flow.resume_reading()
        data, self._unparsed = self._unparsed, b""
        for start in range(0, len(data), PIECE):
            if self.transport.is_closing() or self._upgraded:
                return
            if self.pipeline:
                self._unparsed = data[start:]
                self._stop_reading()
                break
            piece = data[start : start + PIECE]
            self._head += len(piece)
            super().data_received(piece)
            if self._head > MAX_HEAD and not self.transport.is_closing():
                self._refuse(431)
        if not self._upgraded and not self.transport.is_closing():
            self._watch()

    def on_message_begin(self) -> None:
        """A request begins."""
        if self._proxy is None:
            self._shared.reading.count(self._turns[self._shared.reading])
        self._arriving = self._in_head = True
        self._headers_count = self._headers_size = 0
        super().on_message_begin()
        self.scope["extensions"] = {SLOW: self.slow_down}  # type: ignore[dict-item]

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
        self._note_answer()

    def on_response_complete(self) -> None:
        """A request is answered: what has come after it can be parsed."""
        super().on_response_complete()
        self._note_answer()
        if self._unparsed:
            self._parse_in_turn()

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
        answering = self._begun is not None and self._begun.response_started
        silent = answering and not self._begun.response_complete
        refuse(self.transport, status, self._address, silent=silent)


def refuse(
    transport: asyncio.Transport, status: int, address: str, *, silent: bool = False
) -> None:
    """Answer a connection with an error, unless silently, and close it."""
    if _is_news(status):
        log.warning(
            "refused a connection",
            extra={"status": status, "why": SENTENCES[status], "address": address},
        )
    if not silent:
        transport.write(_refusal(status))
    transport.close()


def cut_off(transport: asyncio.Transport, status: int, why: str, address: str) -> None:
    """Close a connection at once, whatever waits on it."""
    if _is_news(status):
        log.warning("cut off a connection", extra={"why": why, "address": address})
    transport.abort()


def _is_news(status: int) -> bool:
    """Whether this has not been logged for a while; 0 is for clients that do not read."""
    now = time.monotonic()
    if now - _logged.get(status, -LOG_SECONDS) < LOG_SECONDS:
        return False
    _logged[status] = now
    return True


@cache
def _refusal(status: int) -> bytes:
    body = json.dumps({"error": SENTENCES[status]}).encode()
    head = b"content-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n"
    return STATUS_LINE[status] + head % len(body) + body


# -- what waits for a client ----------------------------------------------------------------


def sweep(server: ServerState, loop: asyncio.AbstractEventLoop) -> None:
    """Look for clients that do not read, every second while anybody is connected."""
    if server not in _swept:
        _swept.add(server)
        loop.call_later(SWEEP_SECONDS, Sweep(server, loop).look)


class Sweep:
    """Cuts off the clients of a server that do not take what waits for them. A timer for each
    connection would take more memory, and a connection that is being closed tells nobody."""

    def __init__(self, server: ServerState, loop: asyncio.AbstractEventLoop) -> None:
        self._server = server
        self._loop = loop
        self._due: list[Any] = []
        """The connections that have not been looked at in this round."""
        self._since: WeakKeyDictionary[Any, float] = WeakKeyDictionary()
        """Since when something has waited for each connection, if it has."""

    def look(self) -> None:
        """Abort the connections for which something has waited too long, of the next part."""
        now, open_now = self._loop.time(), self._server.connections
        if not self._due:
            self._due = list(open_now)
        part = max(SWEPT_LEAST, len(open_now) // SWEPT_PART)
        self._due, looked_at = self._due[part:], self._due[:part]
        for connection in looked_at:
            if not _is_unread(connection.transport):
                self._since.pop(connection, None)
            elif now - self._since.setdefault(connection, now) >= UNREAD_SECONDS:
                why = f"Nothing was read for {UNREAD_SECONDS:.0f} seconds."
                address = network(connection.client[0]) if connection.client else ""
                cut_off(connection.transport, 0, why, address)
        if open_now:
            self._loop.call_later(SWEEP_SECONDS, self.look)
        else:
            _swept.discard(self._server)


def _is_unread(transport: asyncio.Transport) -> bool:
    """Whether something waits for the client, be it only that the connection is closed."""
    return transport.is_closing() or transport.get_write_buffer_size() > 0


def _limit_unsent(transport: asyncio.Transport) -> None:
    """Have the system take no more than `MAX_UNSENT` bytes of what the client does not read;
    otherwise it takes megabytes."""
    plain = transport.get_extra_info("socket")
    option = getattr(socket, "TCP_NOTSENT_LOWAT", None)  # Not everywhere.
    if plain is not None and option is not None:
        with suppress(OSError):  # The client has left already.
            plain.setsockopt(socket.IPPROTO_TCP, option, MAX_UNSENT)


# -- WebSockets -----------------------------------------------------------------------------


class SmallWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket that takes little memory: there are thousands, and most of them wait."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.queue = Events()  # type: ignore[assignment]
        self._heard = 0
        """Bytes that the client has sent since the last ping."""
        self._when_closed: tuple[Callable[[], None], ...] = ()
        self.close_timeout = CLOSE_SECONDS

    def when_closed(self, do: Callable[[], None]) -> None:
        """Call a function once the socket is closed: now, if it is."""
        if self.disconnected:
            do()
        else:
            self._when_closed += (do,)

    def connection_lost(self, exc: Exception | None) -> None:
        """The socket is closed."""
        super().connection_lost(exc)
        for do in self._when_closed:
            do()

    def shutdown(self) -> None:
        """Close the channel, unless that has begun, and do not wait long for the client."""
        if self.conn.state in (State.CONNECTING, State.OPEN):
            super().shutdown()
        else:
            self.stop_keepalive()
            self.transport.close()
        self.loop.call_later(ENDING_SECONDS, self.transport.abort)

    def data_received(self, data: bytes) -> None:
        """Read what a client sends. Usually that is the answer to a ping: a client that sends much
        more is cut off, because reading it keeps the others waiting; and so is one that does not
        wait until it is let in, which uvicorn cannot answer."""
        if self.handshake_initiated:
            self._heard += len(data)
            if self._heard > MAX_HEARD or not self.handshake_complete:
                self.transport.abort()
                return
        super().data_received(data)

    async def run_asgi(self) -> None:
        """Serve the connection; the application may push to it, and learn when it is closed."""
        extensions: dict[str, Any] = self.scope["extensions"]
        extensions[PUSH], extensions[WHEN_CLOSED] = self.push, self.when_closed
        await super().run_asgi()

    def push(self, text: str) -> bool:
        """Send a text now, without waking the task of the connection, if the client can take it.
        Returns whether it could."""
        if self.transport.is_closing():
            return False  # Uvloop raises an error, which whoever moved would be told.
        if not self.writable.is_set() or self.conn.state is not State.OPEN:
            return False
        self.transport.write(text_frame(text.encode()))
        return True

    def send_keepalive_ping(self) -> None:
        """Ping the client, which may then send as much again."""
        self._heard = 0
        super().send_keepalive_ping()

    def start_keepalive(self) -> None:
        """The handshake is over: free its headers, and the connection that it came over."""
        self.scope["extensions"].pop(SLOW, None)
        self.request.headers.clear()
        self.response.headers.clear()
        super().start_keepalive()


def text_frame(text: bytes) -> bytes:
    """A text as a server sends it whole (RFC 6455, section 5.2): most of what is sent are states
    for thousands of players, and `websockets` takes several times as long."""
    size = len(text)
    if size < SHORT_FRAME:
        head = bytes((TEXT_FRAME, size))
    elif size < 1 << 16:
        head = bytes((TEXT_FRAME, SHORT_FRAME)) + size.to_bytes(2)
    else:
        head = bytes((TEXT_FRAME, SHORT_FRAME + 1)) + size.to_bytes(8)
    return head + text


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
    return max(1, _limit(file_limits()[0]) - RESERVED_FILES)


def max_of_address() -> int:
    """Connections that one address may hold."""
    return min(MAX_CONNECTIONS, max(1, max_connections() // 4))


def check_files() -> None:
    """Refuse to serve with so few file descriptors that hardly anybody could connect."""
    if file_limit() < MIN_FILES:
        raise BadVariant(
            _(
                "A server needs {least} open files, and only {files} are allowed here: raise it"
                " with ulimit -n 4096, or with LimitNOFILE= in the systemd unit.",
                least=MIN_FILES,
                files=file_limit(),
            )
        )


def raise_file_limit() -> None:
    """Ask the system for as many file descriptors as it gives, up to `WANTED_FILES`."""
    if _limit(file_limits()[0]) < file_limit():
        allow_files(file_limit())


def file_limit() -> int:
    """File descriptors that the system would give the server."""
    return _limit(file_limits()[1])


def _limit(files: int) -> int:
    return min(files, WANTED_FILES)


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
