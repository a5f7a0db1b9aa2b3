"""Headers that every answer carries."""

from __future__ import annotations

from collections.abc import Awaitable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
        " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_ENCODED = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
_HTTPS_ONLY = (b"strict-transport-security", b"max-age=31536000")


class SecurityHeaders:
    """Adds the security headers, and forbids caching, where the answer does not say otherwise. Who
    came over https once is to come so always."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass a request on; its answer gets the headers."""
        return (self._secured if scope["type"] == "http" else self.app)(scope, receive, send)

    async def _secured(self, scope: Scope, receive: Receive, send: Send) -> None:

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                said = {name for name, _ in message["headers"]}
                added = [header for header in _ENCODED if header[0] not in said]
                if scope["scheme"] == "https":
                    added.append(_HTTPS_ONLY)
                message["headers"] = [*message["headers"], *added]
            await send(message)

        await self.app(scope, receive, with_headers)
