"""What every answer has: security headers and a line in the log."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import lru_cache

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from numduel.core.language import N_, _
from numduel.web.http.middleware.client import client_address

log = logging.getLogger(__name__)
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
        " connect-src 'self'; manifest-src 'self'; base-uri 'none';"
        " form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Nothing is cached, unless the answer says otherwise."""
_ENCODED = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
_HTTPS_ONLY = (b"strict-transport-security", b"max-age=31536000")
"""A browser that came over https once always does."""
FAILED = N_("Something went wrong here; look again.")
Header = tuple[bytes, bytes]


class Answers:
    """Logs every HTTP request with its status and duration, adds the headers that an answer does
    not set itself, and answers when the application raises an error."""

    def __init__(
        self, app: ASGIApp, refusal: Callable[[Request, Exception], Response | None]
    ) -> None:
        self.app = app
        self._refusal = refusal
        """The answer to a request that the application refused; None if it failed."""

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass a request on, and complete its answer."""
        return (self._answered if scope["type"] == "http" else self.app)(scope, receive, send)

    async def _answered(self, scope: Scope, receive: Receive, send: Send) -> None:
        start, status = time.perf_counter(), 0

        def completed(message: Message) -> Awaitable[None]:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = secured(message["headers"], scope["scheme"])
            return send(message)

        try:
            await self.app(scope, receive, completed)
        except Exception as error:
            response = None if status else self._refusal(Request(scope), error)
            if response is None:
                log.exception("failed", extra={"path": scope["path"][:200]})
                response = JSONResponse({"error": _(FAILED)}, 500)
            if not status:
                await response(scope, receive, completed)
        finally:
            _note(scope, status or 500, time.perf_counter() - start)


def secured(headers: Sequence[Header], scheme: str) -> list[Header]:
    """The headers of an answer, with the security headers that it does not set itself."""
    return [*headers, *_added(tuple(name for name, _ in headers), scheme)]


@lru_cache(100)
def _added(said: tuple[bytes, ...], scheme: str) -> list[Header]:
    added = [header for header in _ENCODED if header[0] not in said]
    return [*added, _HTTPS_ONLY] if scheme == "https" else added


def _note(scope: Scope, status: int, seconds: float) -> None:
    where, address = scope["path"][:200], client_address(scope)
    log.info("%s %s %s (%.0f ms, %s)", status, scope["method"], where, 1000 * seconds, address)
