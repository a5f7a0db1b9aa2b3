"""Who a request comes from, as far as limits and the access log care."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import ip_network

from starlette.types import Scope

MAX_ADDRESSES = 10_000
"""Addresses that are remembered, here and by the rate limit."""


def client_address(scope: Scope) -> str:
    """The address that limits are counted for; empty if the server does not know it."""
    client = scope.get("client")
    return network(client[0]) if client else ""


@lru_cache(MAX_ADDRESSES)
def network(host: str) -> str:
    """An IPv4 address as it is, or the /64 network of an IPv6 address: one customer of a provider
    has at least a whole /64, and could use a new address for every request."""
    try:
        return str(ip_network(f"{host}/64", strict=False)) if ":" in host else host[:40]
    except ValueError:
        return host[:40]
