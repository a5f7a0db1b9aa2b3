"""The games in memory: loaded from the database, changed through their logs, pushed to watchers.

Memory is a cache. A game can be dropped at any time and loaded again, and a watcher who reconnects
is sent the whole state. Nobody is ever sent anything that is not durable.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, NamedTuple, Protocol

from sqlalchemy import Connection, bindparam, insert, select

from numduel.core.errors import BadVariant, IllegalMove, UnknownGame
from numduel.web import metrics, schema
from numduel.web.database import Database
from numduel.web.errors import GOING_DOWN, NO_GAME, Conflict, NoGame, Refusal, Unavailable
from numduel.web.keys import Proof
from numduel.web.presence import LEASE_SECONDS, Presence
from numduel.web.room import GAME_ID, Entry, Remark, Room

log = logging.getLogger(__name__)
MAX_GAMES = 4_000
"""Games in memory beyond which those that nobody watches are evicted, least recently used first."""
LOADED_AT_ONCE = 4
"""Games that are loaded again at once, when all may be old: people's requests come between."""
RETRY_SECONDS = 2.0
"""Seconds before something that failed is tried again."""


class NewGame(NamedTuple):
    """The rows of a game that is to be created."""

    header: dict[str, Any]
    seats: list[dict[str, Any]]
    entries: list[Entry]

    @property
    def id(self) -> str:
        """The id of the game."""
        return str(self.header["id"])

    def room(self) -> Room:
        """The game as it begins."""
        room = Room(self.header, self.seats)
        for entry in self.entries:
            room.apply(entry)
        return room

    def insert(self, connection: Connection) -> bool:
        """Write the rows, unless there is such a game already; whether that was done."""
        if connection.execute(_HEADER, {"id": self.id}).first() is not None:
            return False
        insert_games(connection, [self])
        return True


def insert_games(connection: Connection, games: Sequence[NewGame]) -> None:
    """Write the rows of games that are not there yet."""
    rows = {
        schema.games: [game.header for game in games],
        schema.seats: [{"game": game.id, **row} for game in games for row in game.seats],
        schema.log: [{"game": game.id, **row._asdict()} for game in games for row in game.entries],
    }
    for table, some in rows.items():
        if some:
            connection.execute(insert(table), some)


class Snapshot(NamedTuple):
    """What one client is sent: their seat, and the serialised state that everybody is sent."""

    seat: int | None
    state: str

    @property
    def json(self) -> str:
        """Both as one JSON object."""
        return f'{{"you":{self.seat or "null"},"game":{self.state}}}'


Send = Callable[[str], bool]


class Watcher:
    """A live channel. It holds no state: a slow client skips those between."""

    def __init__(self, live: LiveGame, seat: int | None, send: Send | None = None) -> None:
        self.seat = seat
        self._live = live
        self._send = send
        """Sends a text at once if the client can take it, and says whether it could. Waking the
        task of the channel for each state would take longer than sending it."""
        self.due = True
        """Whether there is a state that the client has not been sent."""
        self._refusal: Refusal | None = None
        """Why the channel is to be closed."""
        self._changed: asyncio.Future[None] | None = None
        """While somebody waits for the next state."""

    def push(self) -> None:
        """Have the client sent the newest state."""
        waiting = self._changed is not None and not self._changed.done()
        if waiting and self._send is not None:  # Its task is not sending anything older.
            self.due = not self._send(Snapshot(self.seat, self._live.state).json)
        else:
            self.due = True
        if self.due:
            self._wake()

    def end(self, refusal: Refusal) -> None:
        """Have the channel closed."""
        self._refusal = refusal
        self._wake()

    def _wake(self) -> None:
        if self._changed is not None and not self._changed.done():
            self._changed.set_result(None)

    async def next(self) -> Snapshot:
        """Wait for a state that the client has not seen; raises why there are no more."""
        while not (self._refusal or (self.due and self._live.loaded is not None)):
            self._changed = asyncio.get_running_loop().create_future()
            await self._changed
        if self._refusal is not None:
            raise self._refusal
        self.due = False
        snapshot = Snapshot(self.seat, self._live.state)
        self._live.trim()
        return snapshot


class LiveGame:
    """A game in memory, its watchers, and the lock under which it changes."""

    def __init__(self, id: str, presence: Presence) -> None:
        self.id = id
        self.lock = asyncio.Lock()
        self.loaded: Room | None = None
        """None if it must be loaded from the database before it is used."""
        self.watchers: set[Watcher] = set()
        self.remarks: dict[int, Remark] = {}
        """What was said last from each seat. It is not kept: who comes later has missed it."""
        self.users = 0
        """How many hold the lock or wait for it."""
        self.computer_running = False
        """Whether the computer has been asked for its move."""
        self.computer_failures = 0
        """How often in a row it could not answer."""
        self.thinking: asyncio.Future[tuple[str, bool]] | None = None
        """Its move, while that is worked out."""
        self.thinking_of = 0
        """The number of the entry after which that move is to be made."""
        self._presence = presence
        self._state = ""
        """The room, serialised; empty if that must be done again."""
        self._trimming = False
        """Whether the state is about to be trimmed."""

    @property
    def room(self) -> Room:
        """The room, which must be loaded."""
        if self.loaded is None:
            raise Unavailable("The game cannot be reached just now; try again.")
        return self.loaded

    @property
    def state(self) -> str:
        """The room, serialised once for everybody who is sent it, and not before somebody is."""
        if not self._state:
            here = self.present | self._presence.seats(self.id)
            self._state = self.room.serialise(here, self.remarks)
        return self._state

    def push(self) -> None:
        """Have all who watch sent the newest state."""
        self._state = ""
        for watcher in self.watchers:
            watcher.push()
        self.trim()

    def trim(self) -> None:
        """Soon take no more memory for a state that all who watch have been sent."""
        if not self._trimming:
            self._trimming = True
            asyncio.get_running_loop().call_soon(self._trim)

    def _trim(self) -> None:
        self._trimming = False
        if not any(watcher.due for watcher in self.watchers):
            self._state = ""

    @property
    def idle(self) -> bool:
        """Whether it can be evicted."""
        return not (self.watchers or self.computer_running or self.users)

    @property
    def present(self) -> set[int]:
        """The seats that watch over this process."""
        return {watcher.seat for watcher in self.watchers if watcher.seat is not None}


class Events(Protocol):
    """What the games of events belong to, and what processes tell each other about them."""

    def game_over(self, room: Room) -> None:
        """A game of an event has ended."""
        ...

    def knows(self, code: str) -> bool:
        """Whether an event is in memory."""
        ...

    def paused(self, code: str) -> bool:
        """Whether the host has paused an event."""
        ...

    async def match_goes_on(self, code: str, id: str) -> bool:
        """Whether another game of the same match is still to be played."""
        ...

    def present(self) -> list[tuple[str, int]]:
        """Every player who is connected to this process, with the code of the event."""
        ...

    def on_notification(self, payload: dict[str, Any]) -> None:
        """Another process changed an event."""
        ...

    def on_missed_notifications(self) -> None:
        """What is in memory may be old."""
        ...


class Locked:
    """Holds the lock of a live game, which is loaded first if it must be. (As a generator it would
    take as long as making a move.)"""

    def __init__(
        self, live: LiveGame, load: Callable[[LiveGame], Awaitable[None]] | None = None
    ) -> None:
        self._live = live
        self._load = load

    async def __aenter__(self) -> LiveGame:
        live = self._live
        live.users += 1
        try:
            await live.lock.acquire()
        except BaseException:
            live.users -= 1
            raise
        if live.loaded is None and self._load is not None:
            try:
                await self._load(live)
            except BaseException:
                self._release()
                raise
        return live

    async def __aexit__(self, *_: object) -> None:
        self._release()

    def _release(self) -> None:
        self._live.lock.release()
        self._live.users -= 1


class Registry:
    """Every game that somebody watches, and those that were used lately."""

    def __init__(self, database: Database, on_change: Callable[[LiveGame], None]) -> None:
        self._database = database
        self._on_change = on_change
        """Called whenever a game has changed or was loaded: it may be the computer's turn."""
        self.presence = Presence(database)
        self.events: Events | None = None
        self._games: OrderedDict[str, LiveGame] = OrderedDict()
        self.loading = asyncio.Semaphore(LOADED_AT_ONCE)
        """Held while something is loaded again for which nobody in particular waits."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._ending = False

    async def open(self) -> None:
        """Start the writer, and listen to the other processes."""
        self._database.open(self._on_notification, self._on_missed_notifications)
        if self._database.postgresql:
            await self.presence.renew_lease([])
            self.spawn(self._renew_leases())

    def end_channels(self) -> None:
        """Close every live channel, and open no more: the server is going down."""
        self._ending = True
        for live in self._games.values():
            for watcher in live.watchers:
                watcher.end(Unavailable(GOING_DOWN))

    async def close(self) -> None:
        """Cancel the background tasks; what was acknowledged is durable already."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._database.postgresql:
            with suppress(Unavailable):
                await self.presence.release_lease()

    async def check_health(self) -> None:
        """Read and write in the database; raises `Unavailable` if that is not possible."""
        await self._database.check()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something in the background; a failure is logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("failed in the background", exc_info=task.exception())

    # -- reading ----------------------------------------------------------------------------

    async def look(self, id: str, proof: Proof) -> Snapshot:
        """A game as it is sent to who brings some proof of a seat. Needs no lock if the game is in
        memory and nothing is being written."""
        live = self._games.get(id)
        if live is not None and live.loaded is not None and not live.lock.locked():
            seat = live.loaded.seat_of(proof)
            if seat is not None or not proof or live.loaded.full:
                self._on_change(live)
                return Snapshot(seat, live.state)
        async with self.locked(id) as live:
            return Snapshot(await self.seat(live, proof), live.state)

    async def seat(self, live: LiveGame, proof: Proof) -> int | None:
        """The seat that somebody can prove. It may have become theirs over another process just
        now."""
        seat = live.room.seat_of(proof)
        if seat is None and proof:
            seat = (await self.refresh(live)).seat_of(proof)
        return seat

    @asynccontextmanager
    async def watch(
        self, id: str, proof: Proof, send: Send | None = None
    ) -> AsyncIterator[Watcher]:
        """A live channel. Who watches from a seat is present."""
        if self._ending:
            raise Unavailable(GOING_DOWN)
        async with self.locked(id) as live:
            watcher = Watcher(live, await self.seat(live, proof), send)
            live.watchers.add(watcher)
        metrics.WATCHERS.inc()
        self._presence_changed(live, watcher.seat, here=True)
        try:
            yield watcher
        finally:
            live.watchers.discard(watcher)
            metrics.WATCHERS.dec()
            self._presence_changed(live, watcher.seat, here=False)

    def locked(self, id: str) -> Locked:
        """A game, loaded, with its lock held."""
        return Locked(self._live_game(id), self._load_first)

    async def _load_first(self, live: LiveGame) -> None:
        try:
            await self._load(live)
        except NoGame:
            self._discard(live)
            raise
        self._evict()

    async def refresh(self, live: LiveGame) -> Room:
        """The room as the database has it, where other processes may have changed it."""
        if self._database.postgresql:
            await self._load(live)
        return live.room

    # -- writing ----------------------------------------------------------------------------

    async def create(self, new: NewGame) -> str | None:
        """Write a new game; its serialised state, or None if there is such a game already."""
        room = new.room()
        return self.adopt(room).state if await self._database.write(new.id, new.insert) else None

    def adopt(self, room: Room) -> LiveGame:
        """Take a game that was just written into memory."""
        metrics.GAMES.inc()
        live = self._live_game(room.id)
        live.loaded = live.loaded or room
        self._evict()
        self._publish(live)
        return live

    def adopt_remote(self, new: NewGame) -> None:
        """Take a game into memory that another process has just written, if there is room, so that
        it need not be read when somebody comes."""
        if new.id not in self._games and len(self._games) < MAX_GAMES:
            with suppress(UnknownGame, BadVariant):  # Not installed here; who comes is told so.
                self._live_game(new.id).loaded = new.room()

    async def append(
        self, live: LiveGame, entries: list[Entry], rematch: NewGame | None = None
    ) -> str:
        """Write entries to the log, together with the rematch that one of them agrees to, and
        apply them; the serialised state, which the watchers are sent too.

        This is optimistic concurrency: raises `Conflict` if another process has used the number.
        When the write fails nobody knows whether it became durable, for instance if the connection
        broke during the commit. Nothing is applied then, and the room is loaded again.
        """
        rows = [{"game": live.id, **entry._asdict()} for entry in entries]
        following = rematch and rematch.room()
        try:
            written = await self._database.append(live.id, rows, rematch and rematch.insert)
            if not written:
                live.loaded = None
                await self._load(live)
        except BaseException:
            live.loaded = None
            if live.watchers:
                self.spawn(self.reload(live))
            raise
        if not written:
            raise Conflict("The game has moved on since you looked; look again.")
        for entry in entries:
            live.room.apply(entry)
        _count(live.room, entries)
        if live.room.event is not None and live.room.over and self.events is not None:
            self.events.game_over(live.room)
        if following is not None:
            self.adopt(following)
        self._publish(live)
        return live.state

    def remark(self, live: LiveGame, seat: int, what: str) -> str:
        """Pass on what a player says, also to the other processes; the serialised state."""
        remark = live.remarks[seat] = Remark(what, time.time())
        if self._database.postgresql:
            self.spawn(self._send_remark({"game": live.id, "seat": seat, **remark._asdict()}))
        self._publish(live)
        return live.state

    async def _send_remark(self, payload: dict[str, Any]) -> None:
        with suppress(Unavailable):
            await self._database.write(payload["game"], lambda _: self._database.notify(payload))

    async def reload(self, live: LiveGame) -> None:
        """Load a game again for those who watch it, however often that takes. One that is not
        there any more is dropped."""
        while True:
            try:
                async with self.loading, Locked(live):
                    await self._load(live)
                    return
            except NoGame:
                self._discard(live)
                return
            except Refusal as error:
                log.warning("cannot load", extra={"game": live.id, "why": str(error)})
            if not live.watchers:
                return
            await asyncio.sleep(RETRY_SECONDS)

    # -- memory -----------------------------------------------------------------------------

    def in_use(self, id: str) -> bool:
        """Whether somebody watches a game, or it is being changed."""
        return id in self._games and not self._games[id].idle

    def forget(self, id: str) -> None:
        """Drop a game from memory that is not in use; one that is in use is read again, and
        dropped if it is not there any more."""
        if self.in_use(id):
            self.spawn(self.reload(self._games[id]))
        elif id in self._games:
            self._drop(id)

    def discard_event(self, code: str) -> None:
        """Drop the games of an event from memory that was deleted, in use or not."""
        for live in list(self._games.values()):
            if live.loaded is None:  # It may be one of them, read just before.
                self.spawn(self.reload(live))
            elif live.loaded.event == code:
                self._discard(live)

    def _discard(self, live: LiveGame) -> None:
        """Drop a game that is not there any more, and close its channels."""
        live.loaded = None
        for watcher in live.watchers:
            watcher.end(NoGame(NO_GAME))
        if self._games.get(live.id) is live:
            self._drop(live.id)

    def in_memory(self, id: str) -> LiveGame | None:
        """A game, if it is in memory and loaded."""
        live = self._games.get(id)
        return live if live is not None and live.loaded is not None else None

    def watched(self, id: str) -> bool:
        """Whether somebody watches a game over this process."""
        return id in self._games and bool(self._games[id].watchers)

    def _live_game(self, id: str) -> LiveGame:
        live = self._games.get(id)
        if live is None:
            live = self._games[id] = LiveGame(id, self.presence)
        self._games.move_to_end(id)
        return live

    async def _load(self, live: LiveGame) -> None:
        """Fold a room from the database; the lock is held."""

        def read(connection: Connection) -> tuple[Room, list[Any]]:
            return fold(connection, live.id), self.presence.read(connection, live.id)

        if not GAME_ID.fullmatch(live.id):
            raise NoGame(NO_GAME)
        live.loaded, present = await self._database.read(read)
        self.presence.load(live.id, present)
        self._publish(live)

    def _evict(self) -> None:
        """Drop the games that nobody uses, least recently used first."""
        if len(self._games) > MAX_GAMES:
            for id, live in list(self._games.items()):
                if live.idle:
                    self._drop(id)
                    if len(self._games) <= MAX_GAMES:
                        break
        metrics.GAMES_IN_MEMORY.set(len(self._games))

    def _drop(self, id: str) -> None:
        del self._games[id]
        self.presence.drop(id)

    def _publish(self, live: LiveGame, *, elsewhere: bool = False) -> None:
        """Push a game to its watchers; some may have lost their seat, which was offered again. What
        changed elsewhere, and nobody watches here, is for that process to see to."""
        unseated = []
        for watcher in live.watchers:
            seat = watcher.seat
            if seat is not None and not live.room.seats[seat].taken:
                watcher.seat = None
                unseated.append(seat)
        live.push()
        for seat in unseated:
            self._presence_changed(live, seat, here=False)
        if live.watchers or live.computer_running or not elsewhere:
            self._on_change(live)

    # -- other processes --------------------------------------------------------------------

    def _on_notification(self, payload: dict[str, Any]) -> None:
        """Another process wrote an entry, or somebody came, went or said something there."""
        live = self._games.get(payload.get("game", ""))
        if "event" in payload and self.events is not None:
            self.events.on_notification(payload)
        elif "lease" in payload:
            for id in self.presence.on_notification(payload, self._knows):
                if id in self._games:
                    self._republish(self._games[id], elsewhere=True)
        elif live is not None and "what" in payload:
            live.remarks[payload["seat"]] = Remark(payload["what"], payload["at"])
            self._republish(live, elsewhere=True)
        elif live is not None:
            values: dict[str, Any] = {field: payload.get(field) for field in Entry._fields}
            self.spawn(self._apply_remote(live, Entry(**values)))

    def _knows(self, id: str) -> bool:
        """Whether a game is in memory, or an event."""
        return id in self._games or (self.events is not None and self.events.knows(id))

    async def _apply_remote(self, live: LiveGame, entry: Entry) -> None:
        """Apply an entry that another process wrote; load everything if one is missing."""
        async with Locked(live):
            room = live.loaded
            if room is None or entry.number <= room.number:
                return
            if entry.number == room.number + 1:
                room.apply(entry)
                self._publish(live, elsewhere=True)
                return
        await self.reload(live)

    def _on_missed_notifications(self) -> None:
        """The connection to the other processes was interrupted: what is in memory may be old."""
        for id, live in list(self._games.items()):
            if live.idle:
                self._drop(id)
            else:
                self.spawn(self.reload(live))
        if self.events is not None:
            self.events.on_missed_notifications()

    # -- presence ---------------------------------------------------------------------------

    def _presence_changed(self, live: LiveGame, seat: int | None, *, here: bool) -> None:
        """Tell the others if this was the first or the last channel of a seat."""
        if seat is None or sum(watcher.seat == seat for watcher in live.watchers) != here:
            return
        self._republish(live)
        self.announce(live.id, seat, here=here)

    def announce(self, id: str, seat: int, *, here: bool) -> None:
        """Tell the other processes that somebody came to a game or an event, or went."""
        if self._database.postgresql and self.presence.note(id, seat, here=here):
            self.spawn(self.presence.tell())

    def _present(self) -> list[tuple[str, int]]:
        """Every seat that is watching over this process, with its game, and so with events."""
        seats = [(live.id, seat) for live in self._games.values() for seat in live.present]
        return seats if self.events is None else [*seats, *self.events.present()]

    def _republish(self, live: LiveGame, *, elsewhere: bool = False) -> None:
        """Publish a game whose people came, went or said something; if it has to be loaded, that
        publishes it."""
        if live.loaded is not None:
            self._publish(live, elsewhere=elsewhere)

    async def _renew_leases(self) -> None:
        """Renew the lease of this process, and notice when that of another runs out."""
        while True:
            await asyncio.sleep(LEASE_SECONDS / 4)
            with suppress(Unavailable):
                await self.presence.renew_lease(self._present())
            for id in self.presence.expired():
                if id in self._games:
                    self._republish(self._games[id])


def fold(connection: Connection, id: str) -> Room:
    """A room as its log in the database makes it; `NoGame` if there is none."""
    key = {"id": id}
    header: Any = connection.execute(_HEADER, key).mappings().first()
    if header is None:
        raise NoGame(NO_GAME)
    try:
        room = Room(header, list(connection.execute(_SEATS, key).mappings()))  # type: ignore[arg-type]
        for row in connection.execute(_LOG, key):
            room.apply(Entry(*row))
    except (UnknownGame, BadVariant):
        raise NoGame("This game is of a kind that is not installed here any more.") from None
    except IllegalMove as error:
        log.error("the log does not fold", extra={"game": id, "why": str(error)})
        raise NoGame("This game was played by other rules than those installed now.") from None
    return room


def _count(room: Room, entries: list[Entry]) -> None:
    moves = sum(entry.kind == "move" for entry in entries)
    if moves:
        metrics.moves_of(room.match.state.game.name).inc(moves)


_HEADER = select(schema.games).where(schema.games.c.id == bindparam("id"))
_SEATS = select(schema.seats).where(schema.seats.c.game == bindparam("id"))
_LOG = (
    select(*(schema.log.c[field] for field in Entry._fields))
    .where(schema.log.c.game == bindparam("id"))
    .order_by(schema.log.c.number)
)
