"""Refusals that the middleware sends by itself."""

from __future__ import annotations

import json

from starlette.types import Receive, Send

POLICY_VIOLATION = 1008


async def send_error(send: Send, status: int, sentence: str) -> None:
    """Answer an HTTP request with an error in the form that the API uses."""
    body = json.dumps({"error": sentence}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    if status == 429:
        headers.append((b"retry-after", b"2"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def reject_websocket(receive: Receive, send: Send) -> None:
    """Refuse a WebSocket before it is accepted."""
    await receive()
    await send({"type": "websocket.close", "code": POLICY_VIOLATION})
