"""Answers that are sent in one piece. Uvicorn writes head and body one by one, which are two calls
of the system and two packets, and looks at every header again for each answer."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HEADER_RE, HEADER_VALUE_RE, STATUS_LINE

MAX_LINES = 10_000
"""Headers that are remembered as they are written; most are the same in all answers, and lengths
differ."""
COOKIE = b"set-cookie"
"""The header that is never remembered: it proves somebody's seats."""


def in_one_piece(app: ASGIApp, cycle: Any) -> Any:
    """The application, whose answers to the request of this `cycle` of uvicorn are written at once
    if they are whole."""

    async def answering(scope: Scope, receive: Receive, send: Send) -> None:
        held: Message | None = None

        async def sending(message: Message) -> None:
            nonlocal held
            if message["type"] == "http.response.start" and not cycle.response_started:
                held = message
                return
            start, held = held, None
            if start is not None and _is_whole(scope, start, message):
                await _write(cycle, start, message["body"])
                return
            if start is not None:
                await send(start)
            await send(message)

        await app(scope, receive, sending)

    return answering


def _is_whole(scope: Scope, start: Message, body: Message) -> bool:
    """Whether a message is the whole body that the head has announced, and the connection stays as
    it is."""
    headers = start["headers"]
    if body.get("more_body") or scope["method"] == "HEAD" or (b"connection", b"close") in headers:
        return False
    return (b"content-length", b"%d" % len(body.get("body", b""))) in headers


async def _write(cycle: Any, start: Message, body: bytes) -> None:
    """Write an answer, and end the request as uvicorn does."""
    if cycle.flow.write_paused and not cycle.disconnected:
        await cycle.flow.drain()
    if cycle.disconnected:
        return
    headers = (*cycle.default_headers, *start["headers"])
    lines = [(_written if name == COOKIE else _line)(name, value) for name, value in headers]
    if not cycle.keep_alive:
        lines.append(b"connection: close\r\n")
    cycle.transport.write(b"".join([STATUS_LINE[start["status"]], *lines, b"\r\n", body]))
    cycle.response_started = cycle.response_complete = True
    cycle.waiting_for_100_continue = False
    cycle.message_event.set()
    if not cycle.keep_alive:
        cycle.transport.close()
    cycle.on_response()


def _written(name: bytes, value: bytes) -> bytes:
    """A header as it is written; one that would end before its value does is refused."""
    if HEADER_RE.search(name) or HEADER_VALUE_RE.search(value):
        raise RuntimeError("Invalid HTTP header.")
    return name.lower() + b": " + value + b"\r\n"


_line = lru_cache(MAX_LINES)(_written)
