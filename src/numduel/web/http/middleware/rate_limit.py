"""How much one address, one seat and one known key may ask for: requests a second, and live
channels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from math import ceil, exp

from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from numduel.core.language import _, plural
from numduel.web.http.middleware.client import AddressBuckets, client_address, client_seat
from numduel.web.http.middleware.respond import RETRY_SECONDS, WHEN_CLOSED, refuse, slow_down
from numduel.web.http.tables import Table, TokenBuckets, shared_tables, table_secret

BURST_SECONDS = 10.0
"""The capacity of a bucket: seconds' worth of requests that may come at once."""
SEAT_SHARE = 1 / 5
"""The share of what an address may ask for that one seat has: a class has one address."""
OWN_SHARE = 1 / 20
"""How much a known key may ask for, as a share of the same, whatever others at its address do; less
if there are more than `FEW_KEYS`."""
OWN_BURST_SECONDS = 20.0
"""Seconds' worth of that which may come at once: somebody who reloads a few times."""
FEW_KEYS = 60.0
"""Known keys of an address, in the last seconds, that have their whole share; of more, each has
less. So all of them together have three times as much as the address: a large event, or some
classes that calmly play, and no more for somebody who has made hundreds of keys."""
MANY_KEYS = 1200.0
"""More than so many take nothing from each other: everybody can still make a move now and then."""
FILES_BURST = 1_000.0
"""Static files that one address may fetch at once: a class opens a page. After that, as many a
second as it may make requests."""
EVENTS = "/api/v1/events"
"""Where events are created."""
STREAM = re.compile("/api/v1/(games|events)/[^/]+/events")
"""Where a live channel is an event stream."""
COSTS = {
    "games": 5.0, "values": 4.0, "hint": 4.0, "report": 8.0, "puzzle": 4.0, "answer": 4.0,
    "position": 2.0, "why": 2.0, "lessons": 2.0, "statistics": 10.0, "qr": 20.0, "link": 5.0,
    "use": 5.0, EVENTS: 20.0, "health": 5.0, "openapi.json": 4.0,
}  # fmt: skip
"""Requests that cost more than an ordinary one, by their path or by the last part of it."""
OF_GAME = re.compile("/play/[^/]+")
"""The page of a game."""
RENDERED_COST = 4.0
"""What it takes: it is rendered for one who asks, not once for all."""
ACTIVITIES = "/api/v1/activities/"
ACTIVITY_COST = 4.0
HOSTING = "/host/"
HOSTING_COST = 4.0
"""What the host of an event does changes what many are sent, which is made again."""
WEBSOCKET_COST = 2.0
ASKING = re.compile("/api/v1/games/[^/]+/requests")
"""Requests for the seat of a game."""
ASKING_BURST = 3.0
"""How many of those may come from one address at once."""
ASKING_RATE = 1 / 30
"""How many a second after that."""
EVENTS_BURST = 40.0
"""Events that may be created from one address at once: a school has one."""
EVENTS_RATE = 1 / 120
"""How many a second after that."""
OWN_EVENTS_BURST = 10.0
"""Events that a known key may create at once, besides those of its address: whoever
creates many there stops no host who has been here before."""
OWN_EVENTS_RATE = 1 / 600
"""How many a second after that."""
KNOWN_EVENTS_BURST = 120.0
"""How many all known keys of an address may create so at once."""
KNOWN_EVENTS_RATE = 1 / 60
"""How many a second after that."""
MAX_CHANNELS = 200
"""Live channels (WebSockets and event streams) that one address may have open, besides those of
known keys."""
MAX_SEAT_CHANNELS = 20
"""Live channels that one seat may have open."""


class Crowds(Table):
    """About how many people are at each place. Who is there just now counts as one, and then less
    and less until they come again."""

    def come(self, place: str, away: float) -> float:
        """Somebody comes who was last there so many seconds ago. Returns how many are there."""
        found = self.find(place)
        still = (found.number or 0.0) * exp(-found.idle / OWN_BURST_SECONDS)
        count = still + 1.0 - exp(-away / OWN_BURST_SECONDS)
        self.note(found, count)
        return count


class RateLimit:
    """Each address has tokens to spend on requests, each seat a share of them. A known key has
    tokens of its own, so that nobody else at its address can use them up; the more known keys there
    are, the dearer is each request. Asking for seats and creating events have tokens of their own,
    too."""

    def __init__(
        self,
        app: ASGIApp,
        rate: float,
        page: Callable[[], bytes],
        is_file: Callable[[str], bool],
        known_key: Callable[[Scope], str],
        folder: str = "",
    ) -> None:
        self.app = app
        self._page = page
        """The page for a browser that is refused."""
        self._is_file = is_file
        """Whether a path is a static file: those have tokens of their own, so that pages stay
        whole however much is asked for beside them."""
        self._known_key = known_key
        """Who sends a request, if they have proved something before; empty if they have not."""
        addresses, seats, asking, creating, own, crowds, files, hosting, known = shared_tables(
            folder, "limits", 9
        )
        secret = table_secret(folder)
        self._of_address = AddressBuckets(rate, rate * BURST_SECONDS, addresses, secret)
        share = rate * SEAT_SHARE
        self._of_seat = TokenBuckets(share, share * BURST_SECONDS, seats, secret)
        share = rate * OWN_SHARE
        self._own = TokenBuckets(share, share * OWN_BURST_SECONDS, own, secret)
        self._crowds = Crowds(crowds, secret)
        """The known keys at each address."""
        self._files = AddressBuckets(rate, FILES_BURST, files, secret)
        self._asking = TokenBuckets(ASKING_RATE, ASKING_BURST, asking, secret)
        self._creating = AddressBuckets(EVENTS_RATE, EVENTS_BURST, creating, secret)
        self._own_creating = TokenBuckets(OWN_EVENTS_RATE, OWN_EVENTS_BURST, hosting, secret)
        self._known_creating = AddressBuckets(KNOWN_EVENTS_RATE, KNOWN_EVENTS_BURST, known, secret)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Spend the tokens of a request, or refuse it."""
        seconds = 0.0 if scope["type"] == "lifespan" else self._spend(scope)
        if not seconds:
            await self.app(scope, receive, send)
            return
        await slow_down(scope)
        if scope["path"].startswith("/api/"):
            await refuse(scope, receive, send, 429, _too_much(seconds), after=seconds)
        else:
            headers = {"Retry-After": str(RETRY_SECONDS)}
            await HTMLResponse(self._page(), 429, headers)(scope, receive, send)

    def _spend(self, scope: Scope) -> float:
        """Spend the tokens of a request. Returns 0, or the seconds until there are enough."""
        path, address = scope["path"][:200], client_address(scope)
        if self._is_file(path):
            return self._spend_on_file(scope, address)
        seat, known = client_seat(scope, self._known_key)
        cost = _cost(scope)
        # The seat first: what it is refused takes nothing from the others at its address.
        missing = self._of_seat.spend(seat, cost) if seat else 0.0
        if not missing and not (known and self._pays_itself(seat, address, cost)):
            missing = self._of_address.spend(address, cost)
        if path == EVENTS:
            return missing or self._create(seat if known else "", address)
        if ASKING.fullmatch(path):
            return missing or self._asking.spend(f"{address} {path}", 1.0)
        return missing

    def _spend_on_file(self, scope: Scope, address: str) -> float:
        """Spend the token of a static file. If its address has none left, a known key may have."""
        missing = self._files.spend(address, 1.0)
        if not missing:
            return 0.0
        seat, known = client_seat(scope, self._known_key)
        return 0.0 if known and self._pays_itself(seat, address, 1.0) else missing

    def _pays_itself(self, key: str, address: str, cost: float) -> bool:
        """Whether a known key has the tokens of a request, which are then spent."""
        here = f"{key} {address}"
        crowd = self._crowds.come(address, self._own.find(here).idle)
        times = min(max(FEW_KEYS, crowd), MANY_KEYS) / FEW_KEYS
        return not self._own.spend(here, cost, times)

    def _create(self, known: str, address: str) -> float:
        """Spend what creating an event takes: a known key's own first."""
        own = known and self._own_creating.has(known, 1.0)
        if own and not self._known_creating.spend(address, 1.0):
            return self._own_creating.spend(known, 1.0)
        return self._creating.spend(address, 1.0)


def _too_much(seconds: float) -> str:
    if seconds <= RETRY_SECONDS:
        return _("That was too much at once; wait a moment.")
    return plural(
        "That was too much at once; wait {n} second.",
        "That was too much at once; wait {n} seconds.",
        ceil(seconds),
    )


def _cost(scope: Scope) -> float:
    if scope["type"] == "websocket":
        return WEBSOCKET_COST
    path: str = scope["path"]
    if path.startswith(ACTIVITIES):
        return ACTIVITY_COST
    if OF_GAME.fullmatch(path):
        return RENDERED_COST
    of_part = COSTS.get(path.rpartition("/")[2])
    if HOSTING in path:
        return of_part or HOSTING_COST
    return COSTS.get(path, of_part or 1.0)


class ChannelLimit:
    """Limits the live channels of each seat, and of all at an address that have no known key. One
    counts until its socket is closed, which a client can put off by not reading."""

    def __init__(self, app: ASGIApp, known_key: Callable[[Scope], str]) -> None:
        self.app = app
        self._known_key = known_key
        self._open: Counter[str] = Counter()

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Count a channel while it is open, or refuse it; other requests pass."""
        if not is_channel(scope):
            return self.app(scope, receive, send)
        seat, known = client_seat(scope, self._known_key)
        address = "" if known else client_address(scope)
        if not self._has_room(seat, address):
            sentence = _("Too many live channels are open at once; close some.")
            return refuse(scope, receive, send, 429, sentence)
        keys = {seat, address} - {""}
        self._open.update(keys)
        release = partial(self._release, keys)
        when_closed = scope.get("extensions", {}).get(WHEN_CLOSED)
        if when_closed is None:
            return self._served(scope, receive, send, release)
        when_closed(release)
        return self.app(scope, receive, send)

    def _has_room(self, seat: str, address: str) -> bool:
        if seat and self._open[seat] >= MAX_SEAT_CHANNELS:
            return False
        return not address or self._open[address] < MAX_CHANNELS

    async def _served(
        self, scope: Scope, receive: Receive, send: Send, release: Callable[[], None]
    ) -> None:
        """Serve a channel that lasts until its socket is closed, as an event stream does."""
        try:
            await self.app(scope, receive, send)
        finally:
            release()

    def _release(self, keys: set[str]) -> None:
        self._open.subtract(keys)
        for key in keys:
            if not self._open[key]:
                del self._open[key]


def is_channel(scope: Scope) -> bool:
    """Whether a request opens a live channel, which lasts as long as somebody watches."""
    if scope["type"] == "http" and scope["method"] == "GET":
        return STREAM.fullmatch(scope["path"]) is not None
    return bool(scope["type"] == "websocket")
