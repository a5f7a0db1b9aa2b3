"""The events in memory: how `live` reads, writes and shows them."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from contextlib import suppress
from math import inf
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import Connection, bindparam, collate, delete, select

from numduel.core.errors import BadEvent
from numduel.core.game import Game
from numduel.core.language import N_, _
from numduel.events import actions, clock
from numduel.events.clock import Turn
from numduel.events.event import COMPUTER, Entry, Event, Participant, fold
from numduel.events.names import new_code
from numduel.events.settings import read_game
from numduel.web.events.serialise import game_clock, own_rows, serialise
from numduel.web.events.stored import Data
from numduel.web.games.live import LiveGames
from numduel.web.games.room import Room, Seat
from numduel.web.games.rows import NewGame, delete_games, delete_presence, insert_games, new_game
from numduel.web.games.serialise import GameClock
from numduel.web.http.errors import NoEvent, Refusal, Unavailable
from numduel.web.live.bus import Bus
from numduel.web.live.live import Live, Locked, Watcher
from numduel.web.live.news import news
from numduel.web.live.registry import Registry, legible, retried
from numduel.web.people.keys import Proof, digest
from numduel.web.storage import schema

PUSH_SECONDS = 0.25
"""Seconds between two states that watchers are sent, at least."""
TABLE_SECONDS = 1.0
"""The same for players who are not concerned: in a large class the table changes all the time,
and sending it takes longer than all moves together."""
MAX_CODES = 20
"""Codes that are tried for a new event before the server gives up."""


_log = schema.event_log.c
_EXISTS = select(schema.events.c.code).where(schema.events.c.code == bindparam("id"))


class LiveEvent(Live[Event]):
    """An event in memory."""

    kind = "event"

    def __init__(self, id: str, bus: Bus) -> None:
        super().__init__(id, bus)
        self.uptime = bus.uptime
        self._behind: set[Watcher] = set()
        """The watchers who have not been sent the newest state."""
        self._timer: asyncio.Handle | None = None
        """The timer of the next push."""
        self._push_due = inf
        """When that is."""
        self._pushed = 0.0
        self.seen: dict[int, float] = {}
        """When each player was last connected, to any process."""
        self.asked: dict[int, float] = {}
        """When each player last asked for the state, without a channel."""
        self.looked = -inf
        """When anybody did."""
        self.turns: list[Turn] = []
        """Who is to move in each game, as far as this process knows."""
        self.idle_since: dict[int, float] = {}
        """The people who have not moved for long, and since when it has been their turn."""
        self._own: dict[int, str] = {}
        """The rows that only their players are sent, as of when it was last serialised."""
        self.time_was_up = False
        """Whether the time was up when the event was last serialised."""
        self.check_due = 0.0
        """When the games are next checked against the log."""
        self.judging: set[str] = set()
        self.judging_failures: Counter[str] = Counter()

    @property
    def event(self) -> Event:
        """The event, which must be loaded."""
        return self.fold

    @property
    def busy(self) -> bool:
        return self.loaded is not None and self.loaded.phase in ("running", "paused")

    def serialise(self) -> str:
        now = self.uptime.now()
        self.time_was_up = self.event.time_is_up(now)
        self._own = own_rows(self.event) if self.event.top_only else {}
        return serialise(self.id, self.event, now, self.idle_since)

    def json(self, you: int | None) -> str:
        """What one client is sent, with the time for countdowns, and their own row of the
        table if nobody else is sent it."""
        told = super().json(you)
        own = self._own.get(you or 0, "null")
        return f'{{"now":{self.uptime.now():.3f},"own":{own},{told[1:]}'

    def who(self, proof: Proof) -> int | None:
        return _player(_tokens(self.event), map(digest, proof))

    def apply_remote(self, entry: Entry) -> None:
        super().apply_remote(entry)
        self.uptime.reach(entry.at)
        if entry.kind in ("join", "return", "back"):  # They were seen elsewhere.
            self.seen[entry.player] = time.monotonic()

    def welcome(self, watcher: Watcher) -> None:
        """Add a watcher, who is then sent everything that concerns them."""
        super().welcome(watcher)
        watcher.concern = _concern(self.event, watcher.you)
        watcher.rests_until = time.monotonic() + TABLE_SECONDS

    def changed(self) -> None:
        """Send the newest state to every watcher soon. In a class something happens all the time:
        changes within a moment are sent together."""
        self.serialise_again()
        self._behind = set(self.watchers)
        if self._behind:
            self._push_in(max(0.0, self._pushed + PUSH_SECONDS - time.monotonic()))

    def turn_in(self, room: Room) -> Turn | None:
        """Whose turn it is in a game; None if it is not being played."""
        pairing = self.event.by_game.get(room.id)
        if pairing is None or pairing.end is not None or room.over:
            return None
        return clock.turn(self.event, pairing, room.match.state.to_move, room.moved)

    def push(self) -> None:
        """Send the newest state to the watchers it concerns, and to the others now and then."""
        self._timer, self._push_due, self._pushed = None, inf, time.monotonic()
        if self.loaded is None:
            return
        self._behind &= self.watchers
        tokens = _tokens(self.loaded)
        for watcher in list(self._behind):
            you = _player(tokens, watcher.hashes)
            concern = _concern(self.loaded, you)
            if watcher.concern != concern or watcher.rests_until <= self._pushed:
                watcher.you, watcher.concern = you, concern
                watcher.rests_until = self._pushed + TABLE_SECONDS
                watcher.push()
                self._behind.discard(watcher)
        if self._behind:
            self._push_in(TABLE_SECONDS)

    def _push_in(self, seconds: float) -> None:
        if (due := time.monotonic() + seconds) < self._push_due:
            if self._timer is not None:
                self._timer.cancel()
            self._push_due = due
            self._timer = asyncio.get_running_loop().call_later(seconds, self.push)


class LiveEvents(Registry[LiveEvent]):
    """The events that go on, that somebody watches, or that were used lately."""

    live = LiveEvent
    limit = 300
    missing = NoEvent
    exists = _EXISTS

    def __init__(self, bus: Bus, games: LiveGames) -> None:
        super().__init__(bus)
        self._games = games
        games.halted, games.clock_of = self.halted, self.clock_of

    async def load(self, live: LiveEvent) -> bool:
        """Read the log, or its new part. The clock is never behind what was written."""
        found = await super().load(live)
        self.bus.uptime.reach(live.event.changed)
        return found

    def fold(self, connection: Connection, id: str) -> Event:
        with legible("event", id):
            entries = _read(connection, id, 0)
            if not entries:
                raise NoEvent
            return fold(entries)

    def entries(self, connection: Connection, id: str, after: int) -> list[Entry]:
        with legible("event", id):
            return _read(connection, id, after)

    # -- writing ----------------------------------------------------------------------------

    async def create(self, created: Entry) -> str:
        """Write the first entry of an event. Returns its code, or that of what the same host has
        created already, perhaps at this moment over another process."""
        host = created.data["host"]

        def write(connection: Connection) -> str:
            for _attempt in range(MAX_CODES):
                known = connection.execute(_OF_HOST, {"host": host}).scalar()
                if known is not None:
                    return str(known)
                code = new_code()
                head = {"code": code, "host": host, "created": time.time()}
                # Waits for another process that writes the same host or code.
                if connection.execute(_INSERT_HEAD, head).rowcount == 1:
                    connection.execute(_INSERT, _row(code, created))
                    return code
            raise Unavailable(N_("There are too many of them just now; try again later."))

        return await self._database.write(host, write)

    async def append(
        self, live: LiveEvent, entries: Sequence[Entry], games: Sequence[NewGame] = ()
    ) -> None:
        """Write entries, with the games of those that are pairings, and apply them."""
        pairings = [entry for entry in entries if entry.kind == "pair"]
        games = [game for one in pairings for game in _games_of(live.id, live.event, one)]
        await super().append(live, entries, games)

    def write(
        self, live: LiveEvent, entries: Sequence[Entry], games: Sequence[NewGame]
    ) -> Awaitable[bool]:
        def write(connection: Connection) -> bool:
            first, *others = (_row(live.id, entry) for entry in entries)
            if connection.execute(_EXISTS, {"id": live.id}).first() is None:
                raise NoEvent
            if connection.execute(_INSERT, first).rowcount != 1:
                return False  # Another process wrote that number.
            if others:
                connection.execute(_INSERT, others)
            insert_games(connection, games)
            begun = [[game.header, game.seats] for game in games]
            for what, rows in (("begun", begun), ("entries", [[*entry] for entry in entries])):
                for payload in news("event", live.id, what, rows):
                    self._database.notify(payload)
            return True

        return self._database.write(live.id, write)

    def written(self, live: LiveEvent, entries: Sequence[Entry], games: Sequence[NewGame]) -> None:
        for game in games:
            self._games.adopt(game.room())

    async def delete(self, code: str) -> None:
        """Delete an event and its games, in the database and in the memory of all processes."""

        def write(connection: Connection) -> None:
            locks = _LOCK if self._database.postgresql else ()
            for statement in (*locks, *_DELETE):
                connection.execute(statement, {"id": code})
            self._database.notify({"event": code, "deleted": True})

        async with Locked(self._live(code)):
            await self._database.write(code, write)
            self._deleted(code)

    def _deleted(self, id: str) -> None:
        """Drop a deleted event and its games from memory, and close their channels."""
        if id in self:
            self.discard(self._lives[id])
        self._games.discard_event(id)

    # -- what goes on -----------------------------------------------------------------------

    @property
    def all(self) -> list[LiveEvent]:
        """The events in memory."""
        return list(self._lives.values())

    async def running(self) -> list[str]:
        """The codes of all events that have begun and not ended."""
        return await self._database.read(
            lambda connection: list(connection.execute(_RUNNING).scalars())
        )

    def publish(self, live: LiveEvent, *, elsewhere: bool = False) -> None:
        """Push an event to its watchers, and what it changed in its games to theirs."""
        super().publish(live, elsewhere=elsewhere)
        for pairing in live.event.open_pairings:
            self._games.event_changed(pairing.id, elsewhere=elsewhere)

    def halted(self, room: Room) -> str:
        """Why nobody can move in a game now: the host has paused the event, or has ended the game.
        Whoever plays in an event keeps it in memory. Empty if they can."""
        live = self.in_memory(room.event) if room.event is not None else None
        if live is None:
            return ""
        if live.event.phase == "paused":
            return _("The host has paused the event; you can move when it goes on.")
        pairing = live.event.by_game.get(room.id)
        return "" if pairing is None or pairing.end is None else _("This game is over.")

    def clock_of(self, room: Room) -> GameClock | None:
        """The clock that its event adds to a game."""
        live = self.in_memory(room.event) if room.event is not None else None
        turn = None if live is None else live.turn_in(room)
        if live is None or turn is None:
            return None
        return game_clock(live.event, turn, self.bus.uptime.now())

    async def help_is_refused(self, proof: Proof, game: Game, *, noted: bool = True) -> bool:
        """Whether somebody plays a game in an event that goes on, and so gets no help with it. That
        they asked is `noted` for the host."""
        for live in self.all:
            if live.busy and live.event.settings.plays(game):
                player = live.who(proof)
                if player is not None:
                    if noted:
                        await self._note_help(live.id, player)
                    return True
        return False

    @retried
    async def _note_help(self, code: str, player: int) -> None:
        with suppress(BadEvent):
            async with self.locked(code) as live:
                entry = actions.ask_for_help(
                    live.event, player, self.bus.uptime.now(), calendar=time.time()
                )
                await self.append(live, [entry])

    # -- other processes --------------------------------------------------------------------

    def on_notification(self, id: str, payload: dict[str, Any]) -> None:
        """Handle what another process has changed."""
        live = self._lives.get(id)
        spawn = self.bus.background.spawn
        if payload.get("deleted"):
            self._deleted(id)
        elif live is None or live.loaded is None:
            # Who plays in an event that begins gets no help, over any process.
            if any(Entry(*entry).kind == "start" for entry in payload.get("entries", ())):
                spawn(self._load(id))
        elif "begun" in payload:
            for header, seats in payload["begun"]:
                self._games.adopt_remote(NewGame(header, seats))
        elif payload["entries"]:
            spawn(self.hear(live, [Entry(*entry) for entry in payload["entries"]]))
        else:
            spawn(self.reload(live))

    async def _load(self, code: str) -> None:
        with suppress(Refusal):
            async with self.locked(code):
                pass


def _concern(event: Event, player: int | None) -> object:
    """What a client must be sent at once if it changes; the rest is the table. The host and the
    wall, which show all of it, are sent every change at once."""
    if player is None:
        return event.number
    everybody = event.phase, event.message, event.locked, event.round, event.top_only
    pairing = event.pairing_of(player)
    game = pairing.id if pairing else None
    one = event.participants[player]
    return everybody, player, one.nickname, one.nudged, game


def _tokens(event: Event) -> dict[str, int]:
    return {one.token: one.number for one in event.members if one.token is not None}


def _player(tokens: Mapping[str, int], hashes: Iterable[str]) -> int | None:
    return next((tokens[one] for one in hashes if one in tokens), None)


def _games_of(code: str, event: Event, entry: Entry) -> list[NewGame]:
    """The game of a pairing."""
    seats = [_seat(event, player) for player in entry.data["players"]]
    game, forgiving = read_game(entry.data["game"]), event.settings.forgiving
    return [new_game(entry.data["id"], game, seats, forgiving=forgiving, event=code)]


def _seat(event: Event, player: int) -> Seat:
    if player == COMPUTER:
        return Seat(event.settings.level, f"Computer ({event.settings.level})", None, None)
    return seat_of(event.participants[player])


def seat_of(one: Participant) -> Seat:
    """The seat of a player in a game."""
    return Seat(one.player, one.nickname, one.token, None)


def _read(connection: Connection, id: str, after: int) -> list[Entry]:
    rows = connection.execute(_ENTRIES, {"id": id, "after": after}).mappings()
    return [Entry(**{**row, "data": _parse(row["data"])}) for row in rows]


def _parse(text: str) -> Any:
    """The data of an entry. Of another type it would be a surprise to all who use it."""
    _DATA.validate_json(text, strict=True)
    return json.loads(text)


def _row(code: str, entry: Entry) -> dict[str, Any]:
    """The row of an entry, with the time by the calendar: retention goes by it."""
    told = {**entry._asdict(), "data": json.dumps(entry.data)}
    return {"event": code, **told, "written": time.time()}


_DATA = TypeAdapter(Data)
_ENTRIES = schema.entries_after(schema.event_log, Entry._fields)
_OF_HOST = select(schema.events.c.code).where(schema.events.c.host == bindparam("host"))
_INSERT_HEAD = schema.insert_unless_taken(schema.events)
_INSERT = schema.insert_unless_taken(schema.event_log)
_ended = schema.event_log.alias()
_RUNNING = select(_log.event).where(
    _log.kind == "start",
    ~select(_ended.c.event)
    .where(_ended.c.event == _log.event, _ended.c.kind == "end")
    .correlate(schema.event_log)
    .exists(),
)
_its_games = select(schema.games.c.id).where(schema.games.c.event == bindparam("id"))
_its_games = _its_games.correlate(None)
_in_order = collate(schema.games.c.id, "C")
_LOCK = (
    # What another process writes to the event or its games comes before, or not at all. These are
    # locked in the order in which batches are sorted, so that nobody waits for each other; the
    # last statement also finds games that were begun meanwhile.
    _its_games.where(_in_order < bindparam("id")).order_by(_in_order).with_for_update(),
    _EXISTS.with_for_update(),
    _its_games.order_by(_in_order).with_for_update(),
)
_DELETE = (
    *delete_games(_its_games),
    delete_presence([bindparam("id")]),
    delete(schema.event_log).where(_log.event == bindparam("id")),
    delete(schema.events).where(schema.events.c.code == bindparam("id")),
)
