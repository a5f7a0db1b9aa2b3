"""The classes in memory: how `live` reads, writes and shows them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from pydantic import TypeAdapter
from sqlalchemy import Connection, String, bindparam, delete, select

from numduel.classes.classroom import Classroom, Entry, fold
from numduel.classes.codes import new_class_code
from numduel.core.language import N_
from numduel.web.classes.serialise import own, serialise
from numduel.web.classes.stored import Data
from numduel.web.events.live import LiveEvents, NewEvent
from numduel.web.http.errors import Conflict, NoClass
from numduel.web.live.bus import Bus
from numduel.web.live.json_log import JsonLogs
from numduel.web.live.live import Live, Locked
from numduel.web.people.keys import Proof, digest
from numduel.web.storage import schema

_log = schema.class_log.c
_EXISTS = select(schema.classes.c.code).where(schema.classes.c.code == bindparam("id"))


class LiveClass(Live[Classroom]):
    """A class in memory."""

    kind = "classroom"

    @property
    def classroom(self) -> Classroom:
        """The class, which must be loaded."""
        return self.fold

    @property
    def busy(self) -> bool:
        return False

    def serialise(self) -> str:
        return serialise(self.id, self.classroom)

    def json(self, you: int | None) -> str:
        """What one client is sent. Whoever is not in the class is not told what goes on there."""
        if you is None:
            told = serialise(self.id, self.classroom, known=False)
            return f'{{"you":null,"own":null,"classroom":{told}}}'
        return f'{{"own":{own(self.classroom, you)},{super().json(you)[1:]}'

    def who(self, proof: Proof) -> int | None:
        return self._pupil(map(digest, proof))

    def changed(self) -> None:
        """Send the newest state to every watcher; some may be somebody else by now."""
        self.serialise_again()
        for watcher in self.watchers:
            watcher.you = self._pupil(watcher.hashes)
            watcher.push()

    def _pupil(self, hashes: Iterable[str]) -> int | None:
        pupil = self.classroom.pupil_with(hashes)
        return None if pupil is None else pupil.number


class LiveClasses(JsonLogs[LiveClass]):
    """The classes that somebody watches or has used lately."""

    live = LiveClass
    limit = 300
    missing = NoClass
    exists = _EXISTS
    heads = schema.classes
    log = schema.class_log
    entry = Entry
    data = TypeAdapter(Data)
    folded = staticmethod(fold)
    new_code = staticmethod(new_class_code)

    def __init__(self, bus: Bus, events: LiveEvents) -> None:
        super().__init__(bus)
        self._events = events

    def begin(self, connection: Connection, games: Sequence[NewEvent]) -> list[object]:
        """Write the events that entries begin: an event of a class is noted there, or is not.
        Raises `Conflict` if a code is taken, so that another one is drawn."""
        for code, created in games:
            if not self._events.insert(connection, code, [created], created=time.time()):
                raise Conflict(N_("That code is taken; try again."))
        return []

    async def of_browser(self, hashes: Sequence[str]) -> list[str]:
        """The codes of the classes in which a browser is, or has been, a pupil's."""
        if not hashes:
            return []
        return await self._database.read(
            lambda connection: list(connection.execute(_OF_BROWSER, {"hashes": hashes}).scalars())
        )

    async def delete(self, code: str) -> None:
        """Delete a class with its events and their games, in the database and in the memory of all
        processes. The class goes last, so that nothing is left if this is interrupted and
        repeated."""
        gone: set[str] = set()

        def write(connection: Connection) -> set[str]:
            """Delete the class, unless some events have to go before it. Returns those."""
            connection.execute(_EXISTS.with_for_update(), {"id": code})
            left = set(_events(connection.execute(_EVENTS, {"id": code}).scalars())) - gone
            if not left:
                for statement in _DELETE:
                    connection.execute(statement, {"id": code})
                self._database.notify({"classroom": code, "deleted": True})
            return left

        async with Locked(self._live(code)) as live:
            while left := await self._database.write(code, write):
                for event in left:
                    await self._events.delete(event)
                gone |= left
            self.discard(live)


def _events(data: Iterable[str]) -> Iterator[str]:
    """The codes of the events of a class, as far as its log can be read."""
    for text in data:
        with suppress(ValueError, LookupError, TypeError):
            if isinstance(code := json.loads(text)["event"], str):
                yield code


_OF_BROWSER = (
    select(_log.classroom)
    .where(_log.token.in_(bindparam("hashes", type_=String, expanding=True)))
    .distinct()
)
_EVENTS = select(_log.data).where(_log.classroom == bindparam("id"), _log.kind == "event")
_DELETE = (
    delete(schema.class_log).where(_log.classroom == bindparam("id")),
    delete(schema.classes).where(schema.classes.c.code == bindparam("id")),
)
