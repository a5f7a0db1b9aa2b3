"""Refusals that the middleware sends by itself."""

from __future__ import annotations

import json
from math import ceil

from starlette.types import Receive, Send

POLICY_VIOLATION = 1008
RETRY_SECONDS = 2
"""After which who is refused for now may try again, at the earliest."""


async def send_error(
    send: Send, status: int, sentence: str, *, after: float = RETRY_SECONDS
) -> None:
    """Answer an HTTP request with an error in the form that the API uses. Who is refused for now
    may try again `after` so many seconds."""
    body = json.dumps({"error": sentence}).encode()
    await _answer(send, status, b"application/json", body, max(RETRY_SECONDS, ceil(after)))


async def send_page(send: Send, status: int, page: bytes) -> None:
    """Answer an HTTP request with a page that says what is wrong."""
    await _answer(send, status, b"text/html; charset=utf-8", page)


async def _answer(
    send: Send, status: int, content_type: bytes, body: bytes, after: int = RETRY_SECONDS
) -> None:
    headers = [(b"content-type", content_type), (b"content-length", b"%d" % len(body))]
    if status == 429:
        headers.append((b"retry-after", b"%d" % after))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def reject_websocket(receive: Receive, send: Send) -> None:
    """Refuse a WebSocket before it is accepted."""
    await receive()
    await send({"type": "websocket.close", "code": POLICY_VIOLATION})
