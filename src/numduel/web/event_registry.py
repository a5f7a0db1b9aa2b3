"""The events in memory: loaded from the database, changed through their logs, pushed to watchers.

As with games, memory is a cache: an event can be dropped at any time and loaded again, and nobody
is sent anything that is not durable. Processes tell each other the new entries of an event and
the games that begin by them, and read what they have missed.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from math import inf
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, insert, select, text

from numduel.arena.event import Entry, Event, fold
from numduel.arena.names import new_code
from numduel.web import metrics, schema
from numduel.web.database import Database
from numduel.web.errors import GOING_DOWN, NO_EVENT, Conflict, NoEvent, Refusal, Unavailable
from numduel.web.event_state import serialise
from numduel.web.keys import Proof, digest
from numduel.web.registry import NewGame, Registry, Send, insert_games
from numduel.web.room import Room

MAX_EVENTS = 300
"""Events in memory beyond which those that nobody watches and that do not run are evicted."""
PUSH_SECONDS = 0.25
"""Seconds from one state that watchers are sent to the next, at least."""
TABLE_SECONDS = 1.0
"""The same for players whom the news does not concern: in a large class the table changes all the
time, and sending it takes longer than all moves together."""
MAX_NEWS = 7_000
"""Characters of what the other processes are told at once, of which PostgreSQL takes 8,000 bytes
with everything; what is longer they read."""
MAX_CODES = 20
"""How many codes are tried for a new event before the server gives up."""


class Told(NamedTuple):
    """What one client is sent: who they are, and the serialised event that everybody is sent."""

    you: int | None
    state: str

    @property
    def json(self) -> str:
        """Both as one JSON object, with the time of the server for countdowns."""
        return f'{{"you":{json.dumps(self.you)},"now":{time.time():.3f},"event":{self.state}}}'


class EventWatcher:
    """A live channel to an event. It holds only the newest state: a slow client skips others."""

    def __init__(self, proof: Proof, send: Send | None = None) -> None:
        self.player: int | None = None
        """Who watches, which may change: somebody joins, or goes on in another browser."""
        self.hashes = frozenset(map(digest, proof))
        """The hashes of what the client brought."""
        self.concern: object = None
        """What the client was last sent of what concerns them."""
        self.due = -inf
        """When they may next be sent what does not."""
        self.state = ""
        """The newest state that they were sent, or will be as soon as they can take it."""
        self._refusal: Refusal | None = None
        """Why the channel is to be closed."""
        self._send = send
        """Sends a text at once if the client can take it, and says whether it could."""
        self._changed = asyncio.Event()

    def push(self, player: int | None, concern: object, state: str) -> None:
        """Replace what the client has not fetched yet, unless they have it."""
        if state is not self.state:
            self.player, self.concern, self.state = player, concern, state
            self.due = time.monotonic() + TABLE_SECONDS
            older = self._changed.is_set()
            if older or self._send is None or not self._send(Told(player, state).json):
                self._changed.set()

    def end(self, refusal: Refusal) -> None:
        """Have the channel closed."""
        self._refusal = refusal
        self._changed.set()

    async def told(self) -> Told:
        """Wait for what the client has not seen; raises why there is no more."""
        await self._changed.wait()
        self._changed.clear()
        if self._refusal is not None:
            raise self._refusal
        return Told(self.player, self.state)


class LiveEvent:
    """An event in memory, its watchers, and the lock under which it changes."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.lock = asyncio.Lock()
        self.loaded: Event | None = None
        """None if it must be loaded from the database before it is used."""
        self._state = ""
        """The event, serialised; empty if that must be done again."""
        self._timer: asyncio.Handle | None = None
        """By which the watchers will be sent the newest state."""
        self._push_due = inf
        """When that will be."""
        self._pushed = 0.0
        """When any of them were sent one."""
        self.watchers: set[EventWatcher] = set()
        self.users = 0
        """How many hold the lock or wait for it."""
        self.seen: dict[int, float] = {}
        """When each player was last known to be connected, to whichever process."""
        self.asked: dict[int, float] = {}
        """When each player last asked how the event stands, without a channel."""
        self.looked = -inf
        """When anybody last asked."""
        self.here: set[int] = set()
        """The players whom the others know to be connected to this process."""
        self.time_was_up = False
        """Whether the time was up when the event was last serialised."""
        self.check_due = 0.0
        """When the games are next compared with the log."""
        self.judging: set[str] = set()
        """The games that are being judged."""
        self.judging_failures: Counter[str] = Counter()
        """How often that has failed."""

    @property
    def event(self) -> Event:
        """The event, which must be loaded."""
        if self.loaded is None:
            raise Unavailable("The event cannot be reached just now; try again.")
        return self.loaded

    @property
    def state(self) -> str:
        """The event, serialised once for everybody who is sent it, and not before somebody is."""
        if not self._state:
            now = time.time()
            self._state = serialise(self.code, self.event, now)
            self.time_was_up = self.event.time_is_up(now)
        return self._state

    def push(self) -> None:
        """Have all who watch sent the newest state: at once where it concerns them."""
        self._timer, self._push_due, self._pushed = None, inf, time.monotonic()
        if self.loaded is None:
            return
        later = False
        players = {one.token: one.number for one in self.loaded.members if one.token}
        for watcher in self.watchers:
            player = next((players[one] for one in watcher.hashes if one in players), None)
            concern = _concern(self.loaded, player)
            if watcher.concern != concern or watcher.due <= self._pushed:
                watcher.push(player, concern, self.state)
            else:
                later = later or watcher.state is not self._state
        if later:
            self._push_in(TABLE_SECONDS)

    def changed(self) -> None:
        """Have all who watch sent the newest state soon. In a class something happens all the
        time: what comes within a moment is sent together."""
        self._state = ""
        if self.watchers:
            self._push_in(max(0.0, self._pushed + PUSH_SECONDS - time.monotonic()))

    def _push_in(self, seconds: float) -> None:
        """Push in some seconds, unless that is done earlier."""
        if (due := time.monotonic() + seconds) < self._push_due:
            if self._timer is not None:
                self._timer.cancel()
            self._push_due = due
            self._timer = asyncio.get_running_loop().call_later(seconds, self.push)

    @property
    def idle(self) -> bool:
        """Whether it can be evicted."""
        going_on = self.loaded is not None and self.loaded.phase in ("running", "paused")
        return not (self.watchers or self.users or going_on)

    @asynccontextmanager
    async def locked(self) -> AsyncIterator[None]:
        """Hold the lock."""
        self.users += 1
        try:
            async with self.lock:
                yield
        finally:
            self.users -= 1


class EventRegistry:
    """Every event that goes on or that somebody watches, and those that were used lately."""

    def __init__(
        self, database: Database, games: Registry, on_game_over: Callable[[Room], None]
    ) -> None:
        self._database = database
        self._games = games
        self._events: OrderedDict[str, LiveEvent] = OrderedDict()
        self._ending = False
        self.game_over = on_game_over
        games.events = self

    @property
    def live(self) -> list[LiveEvent]:
        """The events in memory."""
        return list(self._events.values())

    def end_channels(self) -> None:
        """Close every live channel, and open no more: the server is going down."""
        self._ending = True
        for live in self._events.values():
            for watcher in live.watchers:
                watcher.end(Unavailable(GOING_DOWN))

    # -- reading ----------------------------------------------------------------------------

    async def running(self) -> list[str]:
        """The codes of all events that have begun and not ended."""
        return await self._database.read(
            lambda connection: list(connection.execute(_RUNNING).scalars())
        )

    @asynccontextmanager
    async def locked(self, code: str) -> AsyncIterator[LiveEvent]:
        """An event, loaded, with its lock held."""
        live = self._live_event(code)
        async with live.locked():
            if live.loaded is None:
                await self._load(live)
                self._evict()
            yield live

    def paused(self, code: str) -> bool:
        """Whether the host has paused an event. Whoever plays in it keeps it in memory."""
        live = self._events.get(code)
        return live is not None and live.loaded is not None and live.event.phase == "paused"

    async def match_goes_on(self, code: str, id: str) -> bool:
        """Whether another game of the same match is still to be played."""
        async with self.locked(code) as live:
            if not live.event.match_goes_on(id):
                return False
            return not await self.refresh(live) or live.event.match_goes_on(id)

    async def refresh(self, live: LiveEvent) -> bool:
        """Read what other processes have written; whether that was anything. The lock is held."""
        if not self._database.postgresql:
            return False
        before = live.event.number
        await self._catch_up(live)
        return live.event.number > before

    @asynccontextmanager
    async def watch(
        self, code: str, proof: Proof, send: Send | None = None
    ) -> AsyncIterator[EventWatcher]:
        """A live channel."""
        if self._ending:
            raise Unavailable(GOING_DOWN)
        watcher = EventWatcher(proof, send)
        async with self.locked(code) as live:
            live.watchers.add(watcher)
            player = player_of(live.event, watcher.hashes)
            watcher.push(player, _concern(live.event, player), live.state)
        metrics.WATCHERS.inc()
        try:
            yield watcher
        finally:
            live.watchers.discard(watcher)
            metrics.WATCHERS.dec()

    # -- writing ----------------------------------------------------------------------------

    async def create(self, created: Entry) -> str:
        """Write the first entry of a new event; its code, or that of the event which the same host
        has created already."""
        host = created.data["host"]

        def write(connection: Connection) -> str:
            known = connection.execute(_OF_HOST, {"hashed": host}).scalar()
            if known is not None:
                return str(known)
            for _ in range(MAX_CODES):
                code = new_code()
                row = {"code": code, "host": host, "created": created.at}
                if connection.execute(_EXISTS, {"id": code}).first() is None:
                    connection.execute(insert(schema.events), row)
                    connection.execute(_APPEND, _row(code, created))
                    return code
            raise Unavailable("There are too many events just now; try again later.")

        return await self._database.write(f"host {host}", write)

    async def append(
        self, live: LiveEvent, entries: Sequence[Entry], games: Sequence[NewGame] = ()
    ) -> None:
        """Write entries to the log, together with the games that begin by them, and apply them.

        Raises `Conflict` if another process has used the number; what that wrote is then applied.
        """

        def write(connection: Connection) -> bool:
            first, *others = (_row(live.code, entry) for entry in entries)
            if connection.execute(_APPEND, first).rowcount != 1:
                return False  # Who has its number knew everything before it.
            if others:
                connection.execute(_APPEND, others)
            insert_games(connection, games)
            begun = [[game.header, game.seats] for game in games]
            for what, rows in (("begun", begun), ("entries", [[*entry] for entry in entries])):
                for news in _news(live.code, what, rows):
                    self._database.notify(news)
            return True

        try:
            written = await self._database.write(live.code, write)
        except BaseException:
            live.loaded = None
            if live.watchers:
                self._games.spawn(self._follow(live))
            raise
        if not written:
            await self._catch_up(live)
            raise Conflict("The event has moved on since you looked; look again.")
        for entry in entries:
            live.event.apply(entry)
        for game in games:
            self._games.adopt(game.room())
        live.changed()

    async def delete(self, code: str) -> None:
        """Delete an event and its games, in memory and in the database, here and elsewhere."""

        def write(connection: Connection) -> None:
            for statement in (*_LOCK, *_DELETE):
                connection.execute(statement, {"id": code})
            self._database.notify({"event": code, "deleted": True})

        async with self._live_event(code).locked():
            await self._database.write(code, write)
            self._discard(code)

    # -- memory -----------------------------------------------------------------------------

    def _live_event(self, code: str) -> LiveEvent:
        live = self._events.get(code)
        if live is None:
            live = self._events[code] = LiveEvent(code)
        self._events.move_to_end(code)
        return live

    async def _load(self, live: LiveEvent) -> None:
        """Fold an event from the database; the lock is held."""

        def read(connection: Connection) -> tuple[Event | None, list[Any]]:
            log = _entries(connection, live.code, 0)
            return fold(log) if log else None, self._games.presence.read(connection, live.code)

        event, present = await self._database.read(read)
        if event is None:
            self._close(live)
            raise NoEvent(NO_EVENT)
        live.loaded = event
        self._games.presence.load(live.code, present)
        live.changed()

    async def _catch_up(self, live: LiveEvent) -> None:
        """Apply what another process has written since; the lock is held."""
        if live.loaded is None:
            await self._load(live)
            return
        number = live.loaded.number

        def read(connection: Connection) -> list[Entry] | None:
            known = connection.execute(_EXISTS, {"id": live.code}).first() is not None
            return _entries(connection, live.code, number) if known else None

        try:
            new = await self._database.read(read)
        except BaseException:
            live.loaded = None
            raise
        if new is None:
            self._discard(live.code)
            raise NoEvent(NO_EVENT)
        self._apply_remote(live, new)

    def _apply_remote(self, live: LiveEvent, entries: Sequence[Entry]) -> None:
        """Apply entries that another process wrote."""
        for entry in entries:
            live.event.apply(entry)
            if entry.kind in ("join", "return", "back"):  # They were seen elsewhere.
                live.seen[entry.player] = time.monotonic()
        if entries:
            live.changed()

    async def _hear(self, live: LiveEvent, entries: Sequence[Entry]) -> None:
        """Apply entries that another process wrote and told; read them if some are missing."""
        with suppress(Unavailable, NoEvent):
            async with live.locked():
                if live.loaded is None or live.loaded.number >= entries[-1].number:
                    return
                if live.loaded.number + 1 == entries[0].number:
                    self._apply_remote(live, entries)
                else:
                    await self._catch_up(live)

    async def _follow(self, live: LiveEvent) -> None:
        """Have an event in memory as it is now. If the database is away, whoever needs it next
        tries again."""
        with suppress(Unavailable, NoEvent):
            async with live.locked():
                await self._catch_up(live)

    async def _follow_in_turn(self, live: LiveEvent) -> None:
        async with self._games.loading:
            await self._follow(live)

    def _evict(self) -> None:
        """Drop the events that nobody uses, least recently used first."""
        for code, live in list(self._events.items()):
            if len(self._events) <= MAX_EVENTS:
                return
            if live.idle:
                self._drop(code)

    def _drop(self, code: str) -> None:
        self._events.pop(code, None)
        self._games.presence.drop(code)

    def _discard(self, code: str) -> None:
        """Drop an event that is not there any more, with its games and all channels."""
        self._games.discard_event(code)
        if code in self._events:
            self._close(self._events[code])

    def _close(self, live: LiveEvent) -> None:
        live.loaded = None
        for watcher in live.watchers:
            watcher.end(NoEvent(NO_EVENT))
        self._drop(live.code)

    # -- other processes --------------------------------------------------------------------

    def knows(self, code: str) -> bool:
        """Whether an event is in memory."""
        return code in self._events

    def present(self) -> list[tuple[str, int]]:
        """Every player who is connected to this process, with the code of the event."""
        return [(live.code, player) for live in self._events.values() for player in live.here]

    def announce(self, live: LiveEvent, here: set[int]) -> None:
        """Tell the other processes who has come here or gone."""
        for player in live.here ^ here:
            self._games.announce(live.code, player, here=player in here)
        live.here = here

    def on_notification(self, payload: dict[str, Any]) -> None:
        """Another process wrote entries, or deleted an event."""
        live = self._events.get(payload["event"])
        if payload.get("deleted"):
            self._discard(payload["event"])
        elif live is None or live.loaded is None:
            return
        elif "begun" in payload:
            for header, seats in payload["begun"]:
                self._games.adopt_remote(NewGame(header, seats, []))
        elif payload["entries"]:
            self._games.spawn(self._hear(live, [Entry(*entry) for entry in payload["entries"]]))
        else:
            self._games.spawn(self._follow(live))

    def on_missed_notifications(self) -> None:
        """The connection to the other processes was interrupted: what is in memory may be old."""
        for live in self.live:
            self._games.spawn(self._follow_in_turn(live))


def _concern(event: Event, player: int | None) -> object:
    """What one client should be told at once; the rest is the table. The host and the wall show all
    of it: they are told everything."""
    if player is None:
        return event.number
    everybody = event.phase, event.message, event.locked, event.round
    pairing = event.pairing_of(player)
    game = pairing.current.id if pairing and pairing.current else None
    return everybody, player, event.participants[player].nickname, game


def player_of(event: Event, hashes: Iterable[str]) -> int | None:
    """The number of the player whose token has one of these hashes."""
    for one in event.members:
        if one.token is not None and one.token in hashes:
            return one.number
    return None


def _row(code: str, entry: Entry) -> dict[str, Any]:
    return {"event": code, **entry._asdict(), "data": json.dumps(entry.data)}


def _news(code: str, what: str, rows: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """What the other processes are told, as much of it at a time as fits. Where a row does not fit
    alone they are told of none, and read."""
    some: list[Any] = []
    length = 0
    for row in rows:
        size = len(json.dumps(row)) + 2
        if some and length + size > MAX_NEWS:
            yield {"event": code, what: some}
            some, length = [], 0
        if size > MAX_NEWS:
            yield {"event": code, what: []}
        else:
            some.append(row)
            length += size
    if some:
        yield {"event": code, what: some}


def _entries(connection: Connection, code: str, after: int) -> list[Entry]:
    """The entries of an event after a number."""
    rows = connection.execute(_LOG, {"id": code, "after": after})
    return [
        Entry(number, kind, player, json.loads(data), at) for number, kind, player, data, at in rows
    ]


_log = schema.event_log.c
_APPEND = text(
    "INSERT INTO event_log (event, number, kind, player, data, at)"
    " VALUES (:event, :number, :kind, :player, :data, :at) ON CONFLICT DO NOTHING"
)
_LOG = (
    select(*(_log[field] for field in Entry._fields))
    .where(_log.event == bindparam("id"), _log.number > bindparam("after"))
    .order_by(_log.number)
)
_EXISTS = select(schema.events.c.code).where(schema.events.c.code == bindparam("id"))
_OF_HOST = select(schema.events.c.code).where(schema.events.c.host == bindparam("hashed"))
_ended = schema.event_log.alias()
_RUNNING = select(_log.event).where(
    _log.kind == "start",
    ~select(_ended.c.event)
    .where(_ended.c.event == _log.event, _ended.c.kind == "end")
    .correlate(schema.event_log)
    .exists(),
)
_of_event = schema.games.c.event == bindparam("id")
_LOCK = (
    # Whatever another process writes to the event or its games is there before, or not at all.
    _EXISTS.with_for_update(),
    select(schema.games.c.id).where(_of_event).with_for_update(),
)
_its_games = select(schema.games.c.id).where(_of_event)
_DELETE = (
    *(delete(table).where(table.c.game.in_(_its_games)) for table in (schema.log, schema.seats)),
    delete(schema.presence).where(
        schema.presence.c.game.in_(_its_games) | (schema.presence.c.game == bindparam("id"))
    ),
    delete(schema.games).where(_of_event),
    delete(schema.event_log).where(_log.event == bindparam("id")),
    delete(schema.events).where(schema.events.c.code == bindparam("id")),
)
