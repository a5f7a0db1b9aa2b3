"""How the middleware refuses a request."""

from __future__ import annotations

from collections.abc import Awaitable
from math import ceil

from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

POLICY_VIOLATION = 1008
SLOW = "numduel.slow"
"""The ASGI extension that waits before an address is refused that asks for too much."""
WHEN_CLOSED = "numduel.when_closed"
"""The ASGI extension that calls a function once the socket of a WebSocket is closed, which can be
long after the application is done with it."""
RETRY_SECONDS = 2
"""Seconds after which a client that asked too much may try again, at the earliest."""


def refuse(
    scope: Scope,
    receive: Receive,
    send: Send,
    status: int,
    sentence: str,
    *,
    after: float = RETRY_SECONDS,
) -> Awaitable[None]:
    """Answer a request with an error of the API, or refuse a WebSocket before it is accepted. With
    429, the client may try again `after` so many seconds."""
    if scope["type"] == "websocket":
        return send({"type": "websocket.close", "code": POLICY_VIOLATION})
    headers = {"Retry-After": str(max(RETRY_SECONDS, ceil(after)))} if status == 429 else None
    return JSONResponse({"error": sentence}, status, headers)(scope, receive, send)


async def slow_down(scope: Scope) -> None:
    """Wait before a request is refused whose address goes on asking for too much."""
    slow = scope.get("extensions", {}).get(SLOW)
    if slow is not None:
        await slow()
