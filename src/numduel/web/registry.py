"""The rooms that are in memory: told from the database, made durable in it, and looked on at.

What is here can be lost at any time: rooms are told again from the database, and whoever was
looking on comes back and is told the whole truth. Only what is durable is ever shown.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select

from numduel.web import metrics, schema
from numduel.web.database import Database
from numduel.web.errors import Conflict, NoGame, Refusal, Unavailable
from numduel.web.presence import KNOWN, LEASE, Presence
from numduel.web.room import Entry, Room

log = logging.getLogger(__name__)
REMEMBERED = 4_000
"""Registry that stay in memory although nobody looks on."""
PAUSE = 2.0
"""Seconds before something is tried again that failed."""


class Watcher:
    """Somebody who looks on: told the newest state, and never more than one behind."""

    def __init__(self, seat: int | None) -> None:
        self.seat = seat
        self._news = ""
        self._woken = asyncio.Event()

    def tell(self, text: str) -> None:
        """Here is the truth now; what was not fetched before is of no interest any more."""
        self._news = text
        self._woken.set()

    async def news(self) -> str:
        """The truth, when there is news."""
        await self._woken.wait()
        self._woken.clear()
        return self._news


class LiveGame:
    """A room in memory, who looks on, and the lock that lets one thing happen at a time."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.lock = asyncio.Lock()
        self.told: Room | None = None
        self.shown = ""
        """What everybody may know; only what is durable gets here."""
        self.watchers: set[Watcher] = set()
        self.users = 0
        """How many hold the live or wait for it."""
        self.thinking = False
        """Whether the computer has been asked for its move."""
        self.failed = 0
        """How often in a row it could not answer."""

    @property
    def room(self) -> Room:
        """The room, for who holds the live."""
        if self.told is None:
            raise Unavailable("The game cannot be reached just now; try again.")
        return self.told

    @property
    def idle(self) -> bool:
        """Whether nobody would miss it."""
        return not (self.watchers or self.thinking or self.users)

    @asynccontextmanager
    async def used(self) -> AsyncIterator[None]:
        """Hold the live; one at a time."""
        self.users += 1
        try:
            async with self.lock:
                yield
        finally:
            self.users -= 1

    @property
    def present(self) -> set[int]:
        """The seats that look on here."""
        return {watcher.seat for watcher in self.watchers if watcher.seat is not None}


class Registry:
    """Every room that somebody looks at, and those of late."""

    def __init__(self, database: Database, turned: Callable[[LiveGame], None]) -> None:
        self._database = database
        self._turned = turned
        """Called whenever a room has changed: it may be the computer's turn."""
        self._presence = Presence(database)
        self._games: OrderedDict[str, LiveGame] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Begin to write, and to hear of what happens in other processes."""
        self._database.open(self._heard, self._deaf)
        if self._database.postgresql:
            await self._presence.live([])
            self.go(self._renew_leases())

    async def close(self) -> None:
        """Stop what can be done again; what was acknowledged is durable already."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._database.postgresql:
            with suppress(Unavailable):
                await self._presence.leave()

    async def well(self) -> None:
        """Nothing, unless the database cannot be reached."""
        await self._database.read(lambda connection: connection.execute(select(1)).one())

    def go(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something in the background, and not forget it."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("failed in the background", exc_info=task.exception())

    # -- looking on -------------------------------------------------------------------------

    async def shown(self, id: str, token: str | None) -> tuple[int | None, str]:
        """The seat that a token proves, and what everybody may know of a game."""
        live = self._games.get(id)
        if live is not None and live.told is not None and not live.lock.locked():
            seat = live.told.seat_of(token)
            if seat is not None or token is None or live.told.full:
                self._turned(live)
                return seat, live.shown
        async with self.held(id) as live:
            return await self.seat(live, token), live.shown

    async def seat(self, live: LiveGame, token: str | None) -> int | None:
        """The seat that a token proves. It may have been taken over another process just now."""
        seat = live.room.seat_of(token)
        if seat is None and token is not None and not live.room.full:
            seat = (await self.renewed(live)).seat_of(token)
        return seat

    @asynccontextmanager
    async def watching(self, id: str, token: str | None) -> AsyncIterator[Watcher]:
        """Look on for a while. Whoever looks on from a seat is present."""
        async with self.held(id) as live:
            watcher = Watcher(await self.seat(live, token))
            live.watchers.add(watcher)
            watcher.tell(live.shown)
        metrics.WATCHERS.inc()
        self._came_or_went(live, watcher.seat, here=True)
        try:
            yield watcher
        finally:
            live.watchers.discard(watcher)
            metrics.WATCHERS.dec()
            self._came_or_went(live, watcher.seat, here=False)

    # -- doing something --------------------------------------------------------------------

    @asynccontextmanager
    async def held(self, id: str) -> AsyncIterator[LiveGame]:
        """The live of a game, with its room, for one who does something there."""
        live = self._live_game(id)
        async with live.used():
            if live.told is None:
                try:
                    await self._tell(live)
                except NoGame:
                    self._games.pop(id, None)
                    raise
                self._forget()
            yield live

    async def renewed(self, live: LiveGame) -> Room:
        """The room as the database has it: another process may know more than this one."""
        if self._database.postgresql:
            await self._tell(live)
        return live.room

    async def append(
        self,
        live: LiveGame,
        entries: list[Entry],
        also: Callable[[Connection], object] | None = None,
    ) -> None:
        """Make entries durable, with what belongs to them, or find that somebody else was faster.
        Whenever this does not return, the room is told again before it is used."""
        id = live.id

        def writing(connection: Connection) -> bool:
            # Who writes the next number knew everything before it: the rest cannot fail.
            for entry in entries:
                if not self._database.enter(connection, {"game": id, **entry._asdict()}):
                    return False
            if also is not None:
                also(connection)
            return True

        try:
            done = await self._database.write(id, writing)
        except BaseException:
            live.told = None
            if live.watchers:
                self.go(self.retell(live))
            raise
        if not done:
            live.told = None
            await self._tell(live)
            raise Conflict("The game has moved on since you looked; look again.")

    async def found(
        self, header: dict[str, Any], sits: list[dict[str, Any]], entries: list[Entry]
    ) -> None:
        """Make a new game durable."""
        rows = [{"game": header["id"], **entry._asdict()} for entry in entries]

        def writing(connection: Connection) -> None:
            write_down(connection, header, sits)
            if rows:
                connection.execute(insert(schema.log), rows)

        await self._database.write(header["id"], writing)
        metrics.GAMES.inc()

    def changed(self, live: LiveGame) -> None:
        """Tell everybody who looks on how things stand now."""
        self._push(live)
        self._turned(live)

    async def retell(self, live: LiveGame) -> None:
        """Tell a room again, for those who look on."""
        while True:
            try:
                async with live.used():
                    await self._tell(live)
                    return
            except Refusal as error:
                log.warning("cannot tell", extra={"game": live.id, "why": str(error)})
            if not live.watchers:
                return
            await asyncio.sleep(PAUSE)

    # -- memory -----------------------------------------------------------------------------

    def _live_game(self, id: str) -> LiveGame:
        live = self._games.get(id)
        if live is None:
            live = self._games[id] = LiveGame(id)
        self._games.move_to_end(id)
        return live

    async def _tell(self, live: LiveGame) -> None:
        """Tell a room from the database; the live is held."""

        def reading(connection: Connection) -> tuple[Any, list[Entry], list[Any], list[Any]]:
            # The log before the seats: who joins in between is heard of, and told again.
            at = {"id": live.id}
            return (
                connection.execute(_HEADER, at).mappings().first(),
                [Entry(*row) for row in connection.execute(_LOG, at)],
                list(connection.execute(_SEATS, at).mappings()),
                [(row[0], row[1], row[2]) for row in connection.execute(KNOWN, at)],
            )

        header, entries, sits, present = await self._database.read(reading)
        if header is None:
            raise NoGame("There is no such game.")
        room = Room(header, sits)
        for entry in entries:
            room.apply(entry)
        live.told = room
        self._presence.learn(live.id, present)
        self.changed(live)

    def _forget(self) -> None:
        """Let go of the rooms that nobody has looked at for longest."""
        if len(self._games) > REMEMBERED:
            for id, live in list(self._games.items()):
                if live.idle:
                    del self._games[id]
                    self._presence.forget(id)
                    if len(self._games) <= REMEMBERED:
                        break
        metrics.ROOMS.set(len(self._games))

    def _push(self, live: LiveGame) -> None:
        live.shown = live.room.shown(live.present | self._presence.seats(live.id))
        for watcher in live.watchers:
            watcher.tell(live.shown)

    # -- other processes --------------------------------------------------------------------

    def _heard(self, what: dict[str, Any]) -> None:
        """Another process announced something."""
        live = self._games.get(what.get("game", ""))
        if "until" in what:
            self._presence.heard(what, known=live is not None)
            if live is not None:
                self.go(self._show(live))
        elif live is not None:
            self.go(self._follow(live, Entry(*(what[field] for field in Entry._fields))))

    async def _follow(self, live: LiveGame, entry: Entry) -> None:
        """Let something happen here that happened elsewhere."""
        async with live.used():
            room = live.told
            if room is None or entry.number <= room.number:
                return
            if entry.number == room.number + 1 and entry.kind != "join":
                room.apply(entry)
                self.changed(live)
                return
        await self.retell(live)

    def _deaf(self) -> None:
        """Something may have been missed: tell every room again that somebody looks at."""
        for id, live in list(self._games.items()):
            if live.idle:
                del self._games[id]
                self._presence.forget(id)
            else:
                self.go(self.retell(live))

    # -- presence ---------------------------------------------------------------------------

    def _came_or_went(self, live: LiveGame, seat: int | None, *, here: bool) -> None:
        """Somebody looks on from a seat, or does no longer: the others are told."""
        if seat is None or sum(watcher.seat == seat for watcher in live.watchers) != here:
            return
        self.go(self._show(live))
        if self._database.postgresql:
            self.go(self._presence.say(live.id, seat, here=here))

    def _present(self) -> list[tuple[str, int]]:
        """Everybody who looks on here from a seat."""
        return [(live.id, seat) for live in self._games.values() for seat in live.present]

    async def _show(self, live: LiveGame) -> None:
        """Tell how things stand, when nothing is under way that is not durable yet."""
        async with live.used():
            if live.told is not None:
                self.changed(live)

    async def _renew_leases(self) -> None:
        """Say again and again that this process lives, and notice when another does not."""
        while True:
            await asyncio.sleep(LEASE / 4)
            with suppress(Unavailable):
                await self._presence.live(self._present())
            for id in self._presence.dead():
                if id in self._games:
                    await self._show(self._games[id])


def write_down(connection: Connection, header: dict[str, Any], sits: list[dict[str, Any]]) -> None:
    """Write a new game down."""
    connection.execute(insert(schema.games), header)
    connection.execute(insert(schema.seats), [{"game": header["id"], **row} for row in sits])


_HEADER = select(schema.games).where(schema.games.c.id == bindparam("id"))
_SEATS = select(schema.seats).where(schema.seats.c.game == bindparam("id"))
_LOG = (
    select(*(schema.log.c[field] for field in Entry._fields))
    .where(schema.log.c.game == bindparam("id"))
    .order_by(schema.log.c.number)
)
