"""How much one address and one seat may ask for: requests a second, and live channels."""

from __future__ import annotations

import mmap
import os
import re
import time
from collections import Counter
from collections.abc import Callable
from hashlib import blake2b, sha256
from math import ceil
from pathlib import Path
from secrets import token_bytes
from struct import Struct

from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from numduel.web.http.middleware.client import client_address, client_seat
from numduel.web.http.middleware.respond import RETRY_SECONDS, refuse

BURST_SECONDS = 10.0
"""The capacity of a bucket: seconds' worth of requests that may come at once."""
SEAT_SHARE = 1 / 5
"""The share of what an address may ask for that one seat has: a class has one address."""
EVENTS = "/api/events"
"""Where events are created."""
CLASSES = "/api/classes"
"""Where classes are created."""
CREATING = re.compile(f"{EVENTS}|{CLASSES}(/[^/]+/host/event)?")
"""Where events and classes are created."""
COSTS = {
    "games": 5.0, "values": 4.0, "hint": 4.0, "report": 8.0, "puzzle": 4.0, "answer": 4.0,
    "position": 2.0, "lessons": 2.0, "analyse": 2.0, "position.png": 5.0, "puzzle.png": 8.0,
    "statistics": 10.0, "qr": 4.0, "link": 5.0, "use": 5.0, EVENTS: 20.0, "classes": 20.0,
    "event": 20.0, "slips": 20.0,
}  # fmt: skip
"""Requests that cost more than an ordinary one, by their path or the last part of it."""
ACTIVITIES = "/api/activities/"
ACTIVITY_COST = 4.0
WEBSOCKET_COST = 2.0
ASKING = re.compile("/api/games/[^/]+/requests")
"""Requests for the seat of a game."""
ASKING_BURST = 3.0
"""How many of those may come from one address at once."""
ASKING_RATE = 1 / 30
"""How many a second after that."""
EVENTS_BURST = 40.0
"""Events and classes that may be created from one address at once: a school has one."""
EVENTS_RATE = 1 / 120
"""How many a second after that."""
CLASSES_BURST = 12.0
"""Classes that one seat may create at once: a teacher has a few."""
CLASSES_RATE = 1 / 3600
"""How many a second after that."""
MAX_CHANNELS = 200
"""Live channels (WebSockets and event streams) that one address may have open."""
MAX_SEAT_CHANNELS = 20
"""Live channels that one seat may have open."""
SLOT = Struct("=Qdd")
"""A bucket: the hash of its key, its tokens when it was last used, and when that was."""
MAX_BUCKETS = 1 << 16
"""Buckets of each kind. If two keys meet in one, the later one gets it full."""
TABLE_SIZE = MAX_BUCKETS * SLOT.size


class TokenBuckets:
    """A bucket for each key, whose tokens are spent and return at a steady rate.

    Processes that serve together share the table of the buckets without a lock: if two use one
    bucket at the same moment, a few tokens are spent twice, or not at all.
    """

    def __init__(
        self,
        rate: float,
        capacity: float,
        table: memoryview | None = None,
        secret: bytes = b"",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._rate = rate
        self._capacity = capacity
        self._table = memoryview(bytearray(TABLE_SIZE)) if table is None else table
        self._secret = secret
        """Decides where in the table each key is."""
        self._clock = clock

    def spend(self, key: str, cost: float) -> float:
        """Take tokens from a bucket and return 0, or return the seconds until it has enough. What
        costs more than a bucket holds takes a full one: even at a low rate everything can be done
        now and then."""
        left, hashed, now = self._look(key)
        missing = min(cost, self._capacity) - left
        if missing <= 0:
            left = -missing
        SLOT.pack_into(self._table, _place(hashed), hashed, left, now)
        return max(0.0, missing / self._rate)

    def has(self, key: str, cost: float) -> bool:
        """Whether a bucket has so many tokens; takes none."""
        return self._look(key)[0] >= cost

    def _look(self, key: str) -> tuple[float, int, float]:
        """The tokens in a bucket, the hash of its key, and the time."""
        now = self._clock()
        digest = blake2b(key.encode(errors="replace"), digest_size=8, key=self._secret).digest()
        hashed = int.from_bytes(digest)
        owner, left, then = SLOT.unpack_from(self._table, _place(hashed))
        if owner != hashed:
            left, then = self._capacity, now
        left = min(self._capacity, left + max(0.0, now - then) * self._rate)
        return left, hashed, now


def _place(hashed: int) -> int:
    return hashed % MAX_BUCKETS * SLOT.size


def shared_tables(folder: str | None, name: str, count: int) -> list[memoryview]:
    """Some empty tables of buckets, the same for all processes that name the same folder."""
    size = count * TABLE_SIZE
    if folder is None:
        whole = memoryview(bytearray(size))
    else:
        with Path(folder, name).open("a+b") as file:
            os.ftruncate(file.fileno(), size)
            whole = memoryview(mmap.mmap(file.fileno(), size))
    return [whole[start : start + TABLE_SIZE] for start in range(0, size, TABLE_SIZE)]


def table_secret(folder: str | None) -> bytes:
    """The secret that decides where keys are in these tables. It is random, or follows from the
    random name of the shared folder, so that nobody can find two keys that meet in one bucket."""
    return sha256(folder.encode()).digest() if folder else token_bytes(32)


class RateLimit:
    """Each address has tokens to spend on requests, each seat a share of them; asking for seats
    and creating events have tokens of their own."""

    def __init__(
        self,
        app: ASGIApp,
        rate: float,
        page: Callable[[], bytes],
        is_file: Callable[[str], bool],
        folder: str | None = None,
    ) -> None:
        self.app = app
        self._page = page
        """The page for a browser that is refused."""
        self._is_file = is_file
        """Whether a path is a static file, which costs little and is fetched once."""
        addresses, seats, asking, creating, classes = shared_tables(folder, "limits", 5)
        secret = table_secret(folder)
        self._of_address = TokenBuckets(rate, rate * BURST_SECONDS, addresses, secret)
        share = rate * SEAT_SHARE
        self._of_seat = TokenBuckets(share, share * BURST_SECONDS, seats, secret)
        self._asking = TokenBuckets(ASKING_RATE, ASKING_BURST, asking, secret)
        self._creating = TokenBuckets(EVENTS_RATE, EVENTS_BURST, creating, secret)
        self._classes = TokenBuckets(CLASSES_RATE, CLASSES_BURST, classes, secret)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Spend the tokens of a request, or refuse it."""
        seconds = 0.0 if scope["type"] == "lifespan" else self._spend(scope)
        if not seconds:
            await self.app(scope, receive, send)
        elif scope["path"].startswith("/api/"):
            await refuse(scope, receive, send, 429, _too_much(seconds), after=seconds)
        else:
            headers = {"Retry-After": str(RETRY_SECONDS)}
            await HTMLResponse(self._page(), 429, headers)(scope, receive, send)

    def _spend(self, scope: Scope) -> float:
        """Spend the tokens of a request. Returns 0, or the seconds until there are enough."""
        path = scope["path"][:200]
        if self._is_file(path):
            return 0.0
        address, seat, cost = client_address(scope), client_seat(scope), _cost(scope)
        # The seat first: what it is refused takes nothing from the others at its address.
        missing = self._of_seat.spend(f"{address} {seat}", cost) if seat else 0.0
        missing = missing or self._of_address.spend(address, cost)
        if path == CLASSES and seat:
            missing = missing or self._classes.spend(f"{address} {seat}", 1.0)
        if CREATING.fullmatch(path):
            return missing or self._creating.spend(address, 1.0)
        if ASKING.fullmatch(path):
            return missing or self._asking.spend(f"{address} {path}", 1.0)
        return missing


def _too_much(seconds: float) -> str:
    wait = "a moment" if seconds <= RETRY_SECONDS else f"{ceil(seconds)} seconds"
    return f"That was too much at once; wait {wait}."


def _cost(scope: Scope) -> float:
    if scope["type"] == "websocket":
        return WEBSOCKET_COST
    path: str = scope["path"]
    if path.startswith(ACTIVITIES):
        return ACTIVITY_COST
    return COSTS.get(path, COSTS.get(path.rpartition("/")[2], 1.0))


class ChannelLimit:
    """Limits the open live channels of each address and seat."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._open: Counter[tuple[str, str]] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count a channel while it is open, or refuse it; other requests pass."""
        if not is_channel(scope):
            await self.app(scope, receive, send)
        elif self._has_room(scope):
            await self._counted(scope, receive, send)
        else:
            sentence = "Too many live channels are open at once; close some."
            await refuse(scope, receive, send, 429, sentence)

    def _has_room(self, scope: Scope) -> bool:
        address, seat = client_address(scope), client_seat(scope)
        if seat and self._open[address, seat] >= MAX_SEAT_CHANNELS:
            return False
        return self._open[address, ""] < MAX_CHANNELS

    async def _counted(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = client_address(scope)
        keys = {(address, ""), (address, client_seat(scope))}
        self._open.update(keys)
        try:
            await self.app(scope, receive, send)
        finally:
            self._open.subtract(keys)
            for key in keys:
                if not self._open[key]:
                    del self._open[key]


def is_channel(scope: Scope) -> bool:
    """Whether a request opens a live channel, which lasts as long as somebody watches."""
    path: str = scope.get("path", "")
    streams = path.endswith("/events") and path != EVENTS
    return scope["type"] == "websocket" or (scope["type"] == "http" and streams)
