"""An unexpected exception is logged, and answered with a sentence that gives nothing away."""

from __future__ import annotations

import logging
from collections.abc import Awaitable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from numduel.web.middleware.respond import send_error

log = logging.getLogger(__name__)


class ServerError:
    """Answers 500 for whatever the application did not expect."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass a request on, and answer it if the application cannot."""
        return (self._answered if scope["type"] == "http" else self.app)(scope, receive, send)

    async def _answered(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def watched(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, receive, watched)
        except Exception:
            log.exception("failed", extra={"path": scope["path"][:200]})
            if not started:
                await send_error(send, 500, "Something went wrong here; look again.")
