"""One line in the log, and one count in the metrics, for each HTTP request."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from numduel.web import metrics
from numduel.web.middleware.client import client_address
from numduel.web.middleware.rate_limit import is_channel

log = logging.getLogger(__name__)


class AccessLog:
    """Logs and counts requests with their status and duration."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass a request on, and note what became of it."""
        return (self._noted if scope["type"] == "http" else self.app)(scope, receive, send)

    async def _noted(self, scope: Scope, receive: Receive, send: Send) -> None:
        start, status = time.perf_counter(), 500

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, watched)
        finally:
            _note(scope, status, time.perf_counter() - start)


def _note(scope: Scope, status: int, seconds: float) -> None:
    metrics.REQUESTS.labels(scope["method"][:10], status).inc()
    if not is_channel(scope):
        metrics.SECONDS.observe(seconds)
    if log.isEnabledFor(logging.INFO):
        log.info(
            "request",
            extra={
                "method": scope["method"],
                "path": scope["path"][:200],
                "status": status,
                "ms": round(1000 * seconds, 2),
                "address": client_address(scope),
            },
        )
