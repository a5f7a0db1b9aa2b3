"""Where a request comes from, for limits and the access log."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from functools import lru_cache
from hashlib import sha256
from ipaddress import IPv6Address, ip_network

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from numduel.web.http.tables import TokenBuckets

MAX_ADDRESSES = 10_000
"""Addresses whose networks are remembered."""
SITE_SHARE = 4.0
"""How many times as much as one address all of an IPv6 site may ask for. A site may be one server
with 65,536 networks of its own, or as many telephones."""


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


def proxy_headers(app: object, host: str) -> ProxyHeadersMiddleware | None:
    """The middleware that believes what a host says about whom it asks for, which uvicorn has put
    around the application; None if the host is no proxy."""
    if isinstance(app, ProxyHeadersMiddleware) and host in app.trusted_hosts:
        return app
    return None


def forwarded_address(proxy: ProxyHeadersMiddleware, scope: Scope) -> str:
    """What `client_address` will be when a proxy's request has passed that middleware."""
    said = b", ".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
    host, _ = proxy.trusted_hosts.get_trusted_client_address(said.decode("latin-1"))
    return network(host) if host else client_address(scope)


def at_this_address(id: str) -> str:
    """A name for something, and the address from which somebody asks for it."""
    return f"{id} {current_address.get()}"


def header(scope: Scope, name: bytes) -> bytes | None:
    """The value of a header."""
    for key, value in scope["headers"]:
        if key == name:
            return value  # type: ignore[no-any-return]
    return None


def client_seat(scope: Scope, known_key: Callable[[Scope], str]) -> tuple[str, bool]:
    """Tells browsers and programs apart, and whether the server knows them: by their known key, or
    by their address and what they would prove a seat with. Empty if they prove nothing."""
    for name, value in scope["headers"]:
        if name in (b"authorization", b"cookie"):
            if key := known_key(scope):
                return key, True
            return f"{client_address(scope)} {sha256(value).hexdigest()}", False
    return "", False


@lru_cache(MAX_ADDRESSES)
def network(host: str) -> str:
    """An IPv4 address, also if it is written as one of IPv6, or the /64 network of an IPv6 address:
    one customer of a provider has at least a whole /64, and could use a new address for every
    request."""
    if ":" not in host:
        return host[:40]
    try:
        mapped = IPv6Address(host).ipv4_mapped
        return str(mapped or ip_network(f"{host}/64", strict=False))
    except ValueError:
        return host[:40]


@lru_cache(MAX_ADDRESSES)
def site(address: str) -> str:
    """The /48 network around the /64 that counts as an address; any other address is its own."""
    if not address.endswith("/64"):
        return address
    return str(ip_network(address).supernet(new_prefix=48))


class AddressBuckets(TokenBuckets):
    """A bucket for each address, and one that holds `SITE_SHARE` times as much for its site."""

    def spend(self, key: str, cost: float, times: float = 1.0) -> float:
        """Take tokens from the bucket of an address, and from that of its site."""
        missing, whole = super().spend(key, cost, times), site(key)
        if missing or whole == key:
            return missing
        return super().spend(whole, cost, times / SITE_SHARE)

    def has(self, key: str, cost: float) -> bool:
        """Whether both have so many tokens."""
        whole = site(key)
        return super().has(key, cost) and (whole == key or super().has(whole, cost / SITE_SHARE))
