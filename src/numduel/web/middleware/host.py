"""The names that the server answers to, so that no other name can be pointed at it (DNS rebinding):
a page of that name would be of the same origin."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable
from functools import lru_cache
from ipaddress import ip_address

from starlette.types import ASGIApp, Receive, Scope, Send

from numduel.web.middleware.client import header
from numduel.web.middleware.respond import reject_websocket, send_error


class HostCheck:
    """Refuses requests for other names. An address is never another name."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self.app = app
        self._hosts = frozenset(host.lower() for host in hosts)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Let a request through, or refuse it."""
        if scope["type"] not in ("http", "websocket") or self._allows(scope):
            return self.app(scope, receive, send)
        if scope["type"] == "websocket":
            return reject_websocket(receive, send)
        return send_error(
            send, 421, "The server does not answer to that name; --allow NAME lets it."
        )

    def _allows(self, scope: Scope) -> bool:
        host = (header(scope, b"host") or b"").decode("latin-1").lower()
        name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
        return name in self._hosts or _is_address(name)


@lru_cache(1_000)
def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
