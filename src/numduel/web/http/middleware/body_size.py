"""The size of a request's body is limited, whether it is announced or not."""

from __future__ import annotations

from collections.abc import Awaitable

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from numduel.core.language import N_, _
from numduel.web.http.middleware.client import header
from numduel.web.http.middleware.respond import refuse

MAX_BODY = 16 * 1024
"""Bytes in a request; a move needs a hundred."""
SENTENCE = N_("A request has at most {most} bytes.")


class BodySizeLimit:
    """Refuses a long body: by its Content-Length before it is read, else while it is read."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass a request on, and stop reading its body at the limit."""
        if scope["type"] != "http":
            return self.app(scope, receive, send)
        announced = _announced(scope)
        if announced is None:
            return self._limited(scope, receive, send)
        if announced > MAX_BODY:
            return refuse(scope, receive, send, 413, _(SENTENCE, most=MAX_BODY))
        return self.app(scope, receive, send)  # No more than was announced is ever read.

    async def _limited(self, scope: Scope, receive: Receive, send: Send) -> None:
        received, started = 0, False

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received <= MAX_BODY:
                return message
            if started:  # A stream is being sent, which only waits for the client to leave.
                return {"type": "http.disconnect"}
            raise HTTPException(413, _(SENTENCE, most=MAX_BODY))

        def noted(message: Message) -> Awaitable[None]:
            nonlocal started
            started = True
            return send(message)

        await self.app(scope, counted, noted)


def _announced(scope: Scope) -> int | None:
    """How long the body will be; None if it comes in chunks, and nobody knows."""
    if header(scope, b"transfer-encoding") is not None:
        return None
    length = header(scope, b"content-length") or b"0"
    return int(length) if length.isdigit() else None
