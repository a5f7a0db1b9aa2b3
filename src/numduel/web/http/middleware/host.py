"""The names that the server answers to. If another name is pointed at it (DNS rebinding), a page of
that name would have the same origin."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable
from functools import lru_cache
from ipaddress import ip_address

from starlette.types import ASGIApp, Receive, Scope, Send

from numduel.web.http.middleware.client import header
from numduel.web.http.middleware.respond import refuse


class HostCheck:
    """Refuses requests for other names. Addresses are always allowed."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self.app = app
        self._hosts = frozenset(host.lower() for host in hosts)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Let a request through, or refuse it."""
        if scope["type"] not in ("http", "websocket") or self._allows(scope):
            return self.app(scope, receive, send)
        sentence = "This server does not answer to that name; start it with --allow NAME."
        return refuse(scope, receive, send, 421, sentence)

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
