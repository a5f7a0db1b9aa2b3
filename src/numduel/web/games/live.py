"""The games in memory: how `live` reads, writes and shows them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from sqlalchemy import Connection, bindparam, select

from numduel.core.errors import BadVariant, IllegalMove, UnknownGame
from numduel.core.language import N_
from numduel.web.games.room import GAME_ID, Entry, Room
from numduel.web.games.rows import NewGame, insert_games, insert_new_game
from numduel.web.games.serialise import GameClock, Said, serialise
from numduel.web.http.errors import NoGame, Unavailable
from numduel.web.live.bus import Bus
from numduel.web.live.live import Live
from numduel.web.live.registry import Registry, legible
from numduel.web.people.keys import Proof
from numduel.web.storage import schema

log = logging.getLogger(__name__)


_HEADER = select(schema.games).where(schema.games.c.id == bindparam("id"))
_SEATS = select(schema.seats).where(schema.seats.c.game == bindparam("id"))
_LOG = schema.entries_after(schema.log, Entry._fields)


class LiveGame(Live[Room]):
    """A game in memory."""

    kind = "game"

    def __init__(self, id: str, bus: Bus) -> None:
        super().__init__(id, bus)
        self.remarks: dict[int, Said] = {}
        """What each seat said last. It is not stored: latecomers have missed it."""
        self.computer_running = False
        """Whether the computer is working on its move."""
        self.computer_failures = 0
        """How often in a row it has failed."""
        self.known_key = ""
        """The known key of whoever did something here last, for whom the computer thinks."""
        self.thinking: asyncio.Future[tuple[str, bool]] | None = None
        """Its move, while it is worked out."""
        self.thinking_of = 0
        """The number of the room for which that move is worked out."""
        self.clock: GameClock | None = None
        """The clock that the event of this game adds to it."""
        self.asked: dict[int, float] = {}
        """When each seat last asked for the game or did something in it, without a channel."""
        self._trimming = False

    @property
    def room(self) -> Room:
        """The room, which must be loaded."""
        return self.fold

    @property
    def busy(self) -> bool:
        return self.computer_running

    def serialise(self) -> str:
        return serialise(self.room, self.watching | self.elsewhere, self.remarks, self.clock)

    @property
    def group(self) -> str:
        return self.room.event or ""

    def who(self, proof: Proof) -> int | None:
        return self.room.seat_of(proof)

    def changed(self) -> None:
        self.serialise_again()
        for watcher in self.watchers:
            watcher.push()
        self.sent()

    def sent(self) -> None:
        """Free the memory of the state soon, if every watcher has been sent it."""
        if not self._trimming:
            self._trimming = True
            asyncio.get_running_loop().call_soon(self._trim)

    def _trim(self) -> None:
        self._trimming = False
        if not any(watcher.due for watcher in self.watchers):
            self.serialise_again()


class LiveGames(Registry[LiveGame]):
    """The games that somebody watches or has used lately."""

    live = LiveGame
    limit = 4_000
    missing = NoGame
    exists = _HEADER

    def __init__(self, bus: Bus) -> None:
        super().__init__(bus)
        self.wake_computer: Callable[[LiveGame], None] = _nothing
        """Called when a game has changed or somebody looks at it: it may be the computer's turn."""
        self.on_game_over: list[Callable[[Room], None]] = []
        """Called when a game has ended, and perhaps again when something happens in it after
        that."""
        self.halted: Callable[[Room], str] = _no_reason
        """Why nobody can move in a game of an event now; empty if they can."""
        self.clock_of: Callable[[Room], GameClock | None] = _nothing
        """What an event adds to one of its games."""

    @staticmethod
    def fold(connection: Connection, id: str) -> Room:
        key = {"id": id}
        header: Any = GAME_ID.fullmatch(id) and connection.execute(_HEADER, key).mappings().first()
        if header is None:
            raise NoGame
        seats: Any = connection.execute(_SEATS, key).mappings().all()
        try:
            with legible("game", id):
                room = Room(header, seats)
                for entry in LiveGames.entries(connection, id, 0):
                    room.apply(entry)
        except (UnknownGame, BadVariant):
            raise NoGame(N_("This kind of game is no longer installed here.")) from None
        except IllegalMove as error:
            log.error("the log does not fold", extra={"game": id, "why": str(error)})
            raise NoGame(
                N_("This game was played under other rules than those installed now.")
            ) from None
        return room

    @staticmethod
    def entries(connection: Connection, id: str, after: int) -> list[Entry]:
        return [Entry(*row) for row in connection.execute(_LOG, {"id": id, "after": after})]

    async def append(
        self, live: LiveGame, entries: Sequence[Entry], games: Sequence[NewGame] = ()
    ) -> None:
        """Write entries, those of an event by its clock, and apply them."""
        if live.room.event is not None:
            now = self.bus.uptime.now()
            entries = [entry._replace(at=now) for entry in entries]
        await super().append(live, entries, games)

    def proved(self, live: LiveGame, proof: Proof) -> str:
        live.known_key = super().proved(live, proof)
        return live.known_key

    def write(
        self, live: LiveGame, entries: Sequence[Entry], games: Sequence[NewGame]
    ) -> Awaitable[bool]:
        rows = [{"game": live.id, **entry._asdict()} for entry in entries]
        work = partial(insert_games, games=games) if games else None
        return self._database.append(live.id, rows, work)

    def written(self, live: LiveGame, entries: Sequence[Entry], games: Sequence[NewGame]) -> None:
        """Take the rematch into memory, and tell that a game is over."""
        room = live.room
        for tell in self.on_game_over if room.over else ():
            tell(room)
        for game in games:
            self.adopt(game.room()).known_key = live.known_key

    def publish(self, live: LiveGame, *, elsewhere: bool = False) -> None:
        """Push a game to its watchers. Some may have lost their seat, because it was offered
        again. A game that changed elsewhere and is not watched here is left to that process."""
        room = live.room
        unseated = [
            watcher
            for watcher in live.watchers
            if watcher.you is not None and not room.seats[watcher.you].taken
        ]
        for watcher in unseated:
            watcher.you = None
        live.clock = self.clock_of(room)
        live.changed()
        if unseated:
            self.channels_changed(live)
        if live.watchers or live.computer_running or not elsewhere:
            self.due(live)

    def due(self, live: LiveGame) -> None:
        self.wake_computer(live)

    # -- reading and writing ----------------------------------------------------------------

    async def look(self, id: str, proof: Proof, *, aside: bool = False) -> str:
        """A game as somebody with this proof is sent it. Needs no lock if the game is in memory
        and nothing is being written. `aside` if they do not look at the board."""
        live = self.in_memory(id)
        if live is not None and not live.lock.locked():
            seat = live.who(proof)
            if seat is not None or not proof or live.room.free_seat is None:
                self.due(live)
                if seat is not None:
                    self.proved(live, proof)
                return self._looked(live, seat, aside)
        async with self.locked(id) as live:
            return self._looked(live, await self.who(live, proof), aside)

    @staticmethod
    def _looked(live: LiveGame, seat: int | None, aside: bool) -> str:
        if seat is not None and not aside:
            live.asked[seat] = time.monotonic()
        return live.json(seat)

    def event_changed(self, id: str, *, elsewhere: bool = False) -> None:
        """Look again at a game of an event that has changed: its clock may have been started or
        stopped, and the computer may go on after a pause."""
        live = self.in_memory(id)
        if live is None:
            return
        if live.clock != self.clock_of(live.room):
            self.publish(live, elsewhere=elsewhere)
        elif not elsewhere:
            self.due(live)

    async def log(self, id: str) -> list[Entry]:
        """All entries of a game."""
        return await self._database.read(lambda connection: self.entries(connection, id, 0))

    async def create(self, new: NewGame) -> LiveGame | None:
        """Write a new game; None if it exists already."""

        room = new.room()
        written = await self._database.write(new.id, partial(insert_new_game, game=new))
        return self.adopt(room) if written else None

    def adopt(self, room: Room) -> LiveGame:
        """Take a game that was just written into memory."""
        live = self._live(room.id)
        live.loaded = live.loaded or room
        self.evict()
        self.publish(live)
        return live

    def adopt_remote(self, new: NewGame) -> None:
        """Take a game that another process has just written into memory, if there is room, so
        that nobody has to wait while it is read."""
        if new.id not in self and len(self._lives) < self.limit:
            with suppress(UnknownGame, BadVariant):  # Not installed here; players are told so.
                self._live(new.id).loaded = new.room()

    def remark(self, live: LiveGame, seat: int, what: str) -> None:
        """Pass a remark on, also to the other processes."""
        said: Said = {"what": what, "at": time.time()}
        live.remarks[seat] = said
        if self._database.postgresql:
            payload = {"game": live.id, "seat": seat, **said}
            self.bus.background.spawn(self._send_remark(payload))
        self.publish(live)

    async def _send_remark(self, payload: dict[str, Any]) -> None:
        with suppress(Unavailable):
            await self._database.write(payload["game"], lambda _: self._database.notify(payload))

    # -- memory -----------------------------------------------------------------------------

    def watched(self, id: str) -> bool:
        """Whether somebody watches a game over this process."""
        return id in self and bool(self._lives[id].watchers)

    def discard_event(self, code: str) -> None:
        """Drop the games of a deleted event from memory, in use or not."""
        for live in list(self._lives.values()):
            if live.loaded is None:  # It may be one of them, read just before.
                self.bus.background.spawn(self.reload(live))
            elif live.loaded.event == code:
                self.discard(live)

    # -- other processes --------------------------------------------------------------------

    def on_notification(self, id: str, payload: dict[str, Any]) -> None:
        for gone in payload.get("deleted", ()):
            self.forget(gone)
        live = self._lives.get(id)
        if live is None:
            return
        if "what" in payload:
            live.remarks[payload["seat"]] = {"what": payload["what"], "at": payload["at"]}
            self._republish(live, elsewhere=True)
        else:
            entry = Entry._make(map(payload.get, Entry._fields))
            if not self.hear_next(live, entry):
                self.bus.background.spawn(self.hear(live, [entry]))

    def on_presence(self, id: str, *, elsewhere: bool) -> None:
        if id in self:
            self._republish(self._lives[id], elsewhere=elsewhere)

    def channels_changed(self, live: LiveGame) -> None:
        if self.announce(live, live.watching):
            self._republish(live)

    def _republish(self, live: LiveGame, *, elsewhere: bool = False) -> None:
        """Publish a game after somebody came, went or said something, unless it must be loaded:
        that publishes it."""
        if live.loaded is not None:
            self.publish(live, elsewhere=elsewhere)


def _nothing(_: object) -> None:
    pass


def _no_reason(_: object) -> str:
    return ""
