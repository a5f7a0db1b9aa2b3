"""Pages of other sites must not act through a visitor's browser (cross-site request forgery)."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Literal

from starlette.types import ASGIApp, Receive, Scope, Send

from numduel.core.language import _
from numduel.web.http.middleware.client import header
from numduel.web.http.middleware.respond import refuse

SAFE_METHODS = ("GET", "HEAD")


class OriginCheck:
    """Refuses cross-origin WebSockets, or cross-origin requests that change something.

    Each kind has its own instance: WebSockets are refused before they are counted, so that a page
    of another site cannot use up those of its visitors."""

    def __init__(self, app: ASGIApp, kind: Literal["http", "websocket"]) -> None:
        self.app = app
        self._kind = kind

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Let a request through, or refuse it."""
        safe = scope["type"] != self._kind or scope.get("method") in SAFE_METHODS
        if safe or not is_cross_origin(scope):
            return self.app(scope, receive, send)
        return refuse(scope, receive, send, 403, _("That comes from another site."))


def is_cross_origin(scope: Scope) -> bool:
    """Whether a browser sent this for a page of another origin."""
    origin = header(scope, b"origin")
    return origin is not None and origin.partition(b"://")[2] != header(scope, b"host")
