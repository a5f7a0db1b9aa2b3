"""Where a request comes from, for limits and the access log."""

from __future__ import annotations

from collections.abc import Awaitable
from contextvars import ContextVar
from functools import lru_cache
from hashlib import sha256
from ipaddress import ip_network

from starlette.types import ASGIApp, Receive, Scope, Send

MAX_ADDRESSES = 10_000
"""Addresses whose networks are remembered."""


current_address: ContextVar[str] = ContextVar("current_address", default="")
"""The address whose request is being served, also in what that request starts in the background."""


class ClientAddress:
    """Sets `current_address`."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass a request on."""
        current_address.set(client_address(scope))
        return self.app(scope, receive, send)


def client_address(scope: Scope) -> str:
    """The address for which limits are counted; empty if it is unknown."""
    client = scope.get("client")
    return network(client[0]) if client else ""


def header(scope: Scope, name: bytes) -> bytes | None:
    """The value of a header."""
    for key, value in scope["headers"]:
        if key == name:
            return value  # type: ignore[no-any-return]
    return None


def client_seat(scope: Scope) -> str:
    """Tells the browsers and programs of one address apart, by what they prove their seats with;
    empty for those that prove none."""
    for name, value in scope["headers"]:
        if name in (b"authorization", b"cookie"):
            return sha256(value).hexdigest()
    return ""


@lru_cache(MAX_ADDRESSES)
def network(host: str) -> str:
    """An IPv4 address, or the /64 network of an IPv6 address: one customer of a provider has at
    least a whole /64, and could use a new address for every request."""
    try:
        return str(ip_network(f"{host}/64", strict=False)) if ":" in host else host[:40]
    except ValueError:
        return host[:40]
