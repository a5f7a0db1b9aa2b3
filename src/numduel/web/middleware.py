"""What stands before every request: limits, headers, the log and the counters."""

from __future__ import annotations

import json
import logging
import time
from collections import Counter, OrderedDict
from contextlib import suppress
from functools import lru_cache
from ipaddress import ip_network

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from numduel.web import metrics

log = logging.getLogger(__name__)
BODY = 16 * 1024
"""Bytes in a request; a move needs a hundred."""
PATIENCE = 10.0
"""Seconds' worth of requests that may come at once."""
ADDRESSES = 10_000
"""Addresses that are remembered."""
COSTS = {
    "games": 5.0, "values": 4.0, "hint": 4.0, "report": 8.0, "puzzle": 4.0, "answer": 4.0,
    "position": 2.0,
}  # fmt: skip
"""What asks for more than an ordinary request, by the end of its path."""
CHANNELS = 50
"""Live channels that one address may have open."""
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
        " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]


class TooLong(Exception):
    """A body went on beyond its limit."""


class Guard:
    """An ASGI middleware; everything passes through it once."""

    def __init__(self, app: ASGIApp, rate: float) -> None:
        self.app = app
        self._rate = rate
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """For each address, how much it may still ask for, and when that was so."""
        self._open: Counter[str] = Counter()
        """Live channels of each address."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._live(scope, receive, send)
        else:
            await self._request(scope, receive, send)

    async def _live(self, scope: Scope, receive: Receive, send: Send) -> None:
        if _strange(scope) or not self._admits(scope, 2.0) or self._crowded(scope):
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        await self._counted(scope, receive, send)

    def _crowded(self, scope: Scope) -> bool:
        return bool(self._rate) and self._open[_address(scope)] >= CHANNELS

    async def _counted(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a live channel, and count it while it is open."""
        address = _address(scope)
        self._open[address] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        began, status, started = time.perf_counter(), 500, False
        received = 0

        async def limited() -> Message:
            nonlocal received
            message = await receive()
            if message["type"] == "http.request":
                received += len(message.get("body", b""))
                if received > BODY:
                    raise TooLong
            return message

        async def unless_too_long(message: Message) -> None:
            if received <= BODY:
                await answering(message)

        async def answering(message: Message) -> None:
            nonlocal status, started
            if message["type"] == "http.response.start":
                status, started = message["status"], True
                headers = [*message["headers"], *_HEADERS]
                if not any(name == b"cache-control" for name, _ in headers):
                    headers.append((b"cache-control", b"no-store"))
                message["headers"] = headers
            await send(message)

        try:
            length = Headers(scope=scope).get("content-length", "0")
            stream = scope["path"].endswith("/events")
            serve = self._counted if stream else self.app
            if not self._admits(scope, COSTS.get(scope["path"].rpartition("/")[2], 1.0)):
                await _refuse(answering, 429, "That was too much at once; wait a moment.")
            elif stream and self._crowded(scope):
                await _refuse(answering, 429, "Too many channels are open at once; close some.")
            elif scope["method"] not in ("GET", "HEAD") and _strange(scope):
                await _refuse(answering, 403, "That comes from another site.")
            elif length.isascii() and length.isdigit() and int(length) > BODY:
                await _refuse(answering, 413, f"A request has at most {BODY} bytes.")
            else:
                with suppress(TooLong):
                    await serve(scope, limited, unless_too_long)
                if received > BODY and not started:
                    await _refuse(answering, 413, f"A request has at most {BODY} bytes.")
        except Exception:
            log.exception("failed", extra={"path": scope["path"][:200]})
            if not started:
                await _refuse(answering, 500, "Something went wrong here; look again.")
        finally:
            self._note(scope, status, time.perf_counter() - began)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        metrics.REQUESTS.labels(scope["method"][:10], status).inc()
        if not scope["path"].endswith("/events"):
            metrics.SECONDS.observe(seconds)
        if log.isEnabledFor(logging.INFO):
            log.info(
                "request",
                extra={
                    "method": scope["method"],
                    "path": scope["path"][:200],
                    "status": status,
                    "ms": round(1000 * seconds, 2),
                    "address": _address(scope),
                },
            )

    def _admits(self, scope: Scope, cost: float) -> bool:
        """Whether an address may ask for so much more now."""
        if not self._rate:
            return True
        address, now, full = _address(scope), time.monotonic(), self._rate * PATIENCE
        left, then = self._left.pop(address, (full, now))
        left = min(full, left + (now - then) * self._rate)
        admitted = left >= cost
        self._left[address] = (left - cost if admitted else left), now
        if len(self._left) > ADDRESSES:
            self._left.popitem(last=False)
        return admitted


def _address(scope: Scope) -> str:
    client = scope.get("client")
    return _network(client[0]) if client else ""


@lru_cache(ADDRESSES)
def _network(host: str) -> str:
    """Who an address is: of the long ones, everybody has as many as they like."""
    try:
        return str(ip_network(f"{host}/64", strict=False)) if ":" in host else host[:40]
    except ValueError:
        return host[:40]


def _strange(scope: Scope) -> bool:
    """Whether a page of another site is behind a request."""
    headers = Headers(scope=scope)
    origin = headers.get("origin")
    return origin is not None and origin.partition("://")[2] != headers.get("host")


async def _refuse(send: Send, status: int, why: str) -> None:
    body = json.dumps({"error": why}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    if status == 429:
        headers.append((b"retry-after", b"2"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
