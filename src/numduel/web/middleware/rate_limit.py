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
    "position": 2.0, "lessons": 2.0, "analyse": 2.0, "position.png": 5.0, "puzzle.png": 8.0,
    "qr": 4.0,
}  # fmt: skip
"""Requests that cost more than an ordinary one, by the last part of their path."""
WEBSOCKET_COST = 2.0
ASKING_BURST = 3.0
"""Requests for the seat of a game that may come from one address at once."""
ASKING_RATE = 1 / 30
"""Requests for the seat of a game that one address may make for long, a second."""
MAX_CHANNELS = 50
"""Live channels (WebSockets and event streams) that one address may have open."""


class TokenBuckets:
    """A bucket of tokens for each key, which are spent, and return at a steady rate."""

    def __init__(
        self, rate: float, capacity: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate = rate
        """Tokens per second."""
        self._capacity = capacity
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """For each key the tokens that were left, and when; least recently used first."""

    def spend(self, key: str, cost: float) -> bool:
        """Take tokens from a bucket, if it has as many."""
        now = self._clock()
        left, then = self._buckets.pop(key, (self._capacity, now))
        left = min(self._capacity, left + (now - then) * self._rate)
        affordable = left >= cost
        self._buckets[key] = (left - cost if affordable else left), now
        if len(self._buckets) > client.MAX_ADDRESSES:
            self._buckets.popitem(last=False)
        return affordable


class RateLimit:
    """Each address has tokens to spend on requests, and a few on asking for the seat of a game."""

    def __init__(self, app: ASGIApp, rate: float) -> None:
        self.app = app
        self._requests = TokenBuckets(rate, rate * BURST_SECONDS)
        self._asking = TokenBuckets(ASKING_RATE, ASKING_BURST)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Spend the tokens of a request, or refuse it."""
        if scope["type"] == "lifespan" or self._affordable(scope):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await reject_websocket(receive, send)
        else:
            await send_error(send, 429, "That was too much at once; wait a moment.")

    def _affordable(self, scope: Scope) -> bool:
        address, path = client_address(scope), scope["path"][:200]
        if not self._requests.spend(address, _cost(scope)):
            return False
        return not path.endswith("/requests") or self._asking.spend(f"{address} {path}", 1.0)


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
