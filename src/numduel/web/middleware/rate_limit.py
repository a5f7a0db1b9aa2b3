"""How much one address may ask for: requests per second, and live channels at a time."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send

from numduel.web.middleware import client
from numduel.web.middleware.client import client_address
from numduel.web.middleware.respond import reject_websocket, send_error

BURST_SECONDS = 10.0
"""The capacity of a bucket: seconds' worth of requests that may come at once."""
COSTS = {
    "games": 5.0, "values": 4.0, "hint": 4.0, "report": 8.0, "puzzle": 4.0, "answer": 4.0,
    "position": 2.0, "lessons": 2.0,
}  # fmt: skip
"""Requests that cost more than an ordinary one, by the last part of their path."""
WEBSOCKET_COST = 2.0
MAX_CHANNELS = 50
"""Live channels (WebSockets and event streams) that one address may have open."""


class RateLimit:
    """A token bucket for each address: requests spend tokens, which return at a steady rate."""

    def __init__(
        self, app: ASGIApp, rate: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.app = app
        self._rate = rate
        """Tokens per second."""
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """For each address the tokens that were left, and when; least recently used first."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Spend the tokens of a request, or refuse it."""
        if scope["type"] == "lifespan" or self.spend(client_address(scope), _cost(scope)):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await reject_websocket(receive, send)
        else:
            await send_error(send, 429, "That was too much at once; wait a moment.")

    def spend(self, address: str, cost: float) -> bool:
        """Take tokens from the bucket of an address, if it has as many."""
        now, capacity = self._clock(), self._rate * BURST_SECONDS
        left, then = self._buckets.pop(address, (capacity, now))
        left = min(capacity, left + (now - then) * self._rate)
        affordable = left >= cost
        self._buckets[address] = (left - cost if affordable else left), now
        if len(self._buckets) > client.MAX_ADDRESSES:
            self._buckets.popitem(last=False)
        return affordable


def _cost(scope: Scope) -> float:
    if scope["type"] == "websocket":
        return WEBSOCKET_COST
    return COSTS.get(scope["path"].rpartition("/")[2], 1.0)


class ChannelLimit:
    """Counts the open live channels of each address, and refuses those beyond the limit."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._open: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count a channel while it is open, or refuse it; other requests pass."""
        if not is_channel(scope):
            await self.app(scope, receive, send)
        elif self._open[client_address(scope)] < MAX_CHANNELS:
            await self._counted(scope, receive, send)
        elif scope["type"] == "websocket":
            await reject_websocket(receive, send)
        else:
            await send_error(send, 429, "Too many channels are open at once; close some.")

    async def _counted(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = client_address(scope)
        self._open[address] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]


def is_channel(scope: Scope) -> bool:
    """Whether a request opens a live channel, which lasts as long as somebody watches."""
    path: str = scope.get("path", "")
    return scope["type"] == "websocket" or (scope["type"] == "http" and path.endswith("/events"))
