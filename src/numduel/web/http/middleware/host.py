"""The names that the server answers to, so that no other name can be pointed at it (DNS rebinding):
a page of that name would be of the same origin."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable
from functools import lru_cache
from ipaddress import ip_address

from starlette.types import ASGIApp, Receive, Scope, Send

from numduel.web.http.middleware.client import header
from numduel.web.http.middleware.respond import reject_websocket, send_error


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
        name = _name(header(scope, b"host") or b"")
        return name is None or name in self._hosts


@lru_cache(1_000)
def _name(host: bytes) -> str | None:
    """The name in a header; None if it is an address."""
    text = host.decode("latin-1").lower()
    name = text[1:].partition("]")[0] if text.startswith("[") else text.partition(":")[0]
    try:
        ip_address(name)
    except ValueError:
        return name
    return None
