"""The names and addresses that the server answers to. If another name is pointed at it (DNS
rebinding), a page of that name would have the same origin; and a page is rendered for each."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable
from contextlib import suppress
from functools import lru_cache
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)

from starlette.types import ASGIApp, Receive, Scope, Send

from numduel.core.language import N_, _
from numduel.web.http.middleware.respond import refuse

Address = IPv4Address | IPv6Address
MAX_HOSTS = 1_000
"""Hosts that are remembered."""
ONE_HOST = N_("A request names one host.")
OTHER_HOST = N_("This server does not answer to that name or address; start it with --allow NAME.")


class HostCheck:
    """Refuses requests for other names, and for addresses that neither are allowed nor have the
    connection that the request came over."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self.app = app
        allowed = [host.lower() for host in hosts]
        self._addresses = frozenset(filter(None, map(_address, allowed)))
        self._networks = [network for host in allowed if (network := _network(host))]
        self._names = frozenset(allowed)
        self._allowed = lru_cache(MAX_HOSTS)(self._allows)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Let a request through, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            return self.app(scope, receive, send)
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        if len(hosts) != 1:
            return refuse(scope, receive, send, 400, _(ONE_HOST))
        if not self._allowed(hosts[0], scope.get("server")):
            return refuse(scope, receive, send, 421, _(OTHER_HOST))
        return self.app(scope, receive, send)

    def _allows(self, host: bytes, server: tuple[str, int | None] | None) -> bool:
        name = _name(host)
        if isinstance(name, str):
            return name in self._names
        if name in self._addresses or (server is not None and name == _address(server[0])):
            return True
        return any(name in network for network in self._networks)


def _name(host: bytes) -> str | Address:
    """The name or address in a header."""
    text = host.decode("latin-1").lower()
    name = text[1:].partition("]")[0] if text.startswith("[") else text.partition(":")[0]
    return _address(name) or name


def _network(text: str) -> IPv4Network | IPv6Network | None:
    """A network such as 192.168.0.0/16; None if it is something else."""
    with suppress(ValueError):
        return ip_network(text) if "/" in text else None
    return None


@lru_cache(MAX_HOSTS)
def _address(text: str) -> Address | None:
    """An address; that of IPv4 if it is written as one of IPv6. None if it is something else."""
    with suppress(ValueError):
        found = ip_address(text)
        return getattr(found, "ipv4_mapped", None) or found
    return None
