"""The classes in memory: how `live` reads, writes and shows them."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, String, bindparam, delete, insert, select, text

from numduel.classes.classroom import Classroom, Entry, fold
from numduel.classes.codes import new_class_code
from numduel.web.classes.serialise import own, serialise
from numduel.web.events.live import LiveEvents
from numduel.web.http.errors import NoClass, Unavailable
from numduel.web.live.bus import Bus
from numduel.web.live.live import Live, Locked
from numduel.web.live.news import news
from numduel.web.live.registry import Registry
from numduel.web.people.keys import Proof, digest
from numduel.web.storage import schema

MAX_CODES = 20
"""Codes that are tried for a new class before the server gives up."""
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
        self._state = ""
        for watcher in self.watchers:
            watcher.you = self._pupil(watcher.hashes)
            watcher.push()

    def _pupil(self, hashes: Iterable[str]) -> int | None:
        pupil = self.classroom.pupil_with(hashes)
        return None if pupil is None else pupil.number


class LiveClasses(Registry[LiveClass]):
    """The classes that somebody watches or has used lately."""

    live = LiveClass
    limit = 300
    missing = NoClass
    exists = _EXISTS

    def __init__(self, bus: Bus, events: LiveEvents) -> None:
        super().__init__(bus)
        self._events = events

    def fold(self, connection: Connection, id: str) -> Classroom:
        entries = self.entries(connection, id, 0)
        if not entries:
            raise self.missing()
        return fold(entries)

    def entries(self, connection: Connection, id: str, after: int) -> list[Entry]:
        rows = connection.execute(_LOG, {"id": id, "after": after})
        return [
            Entry(number, kind, pupil, json.loads(data), at, token)
            for number, kind, pupil, data, at, token in rows
        ]

    def write(
        self, live: LiveClass, entries: Sequence[Entry], games: Sequence[Any]
    ) -> Awaitable[bool]:
        def write(connection: Connection) -> bool:
            first, *others = (_row(live.id, entry) for entry in entries)
            if connection.execute(_EXISTS, {"id": live.id}).first() is None:
                raise self.missing()
            if connection.execute(_APPEND, first).rowcount != 1:
                return False  # Another process wrote that number.
            if others:
                connection.execute(_APPEND, others)
            for payload in news("classroom", live.id, "entries", [[*one] for one in entries]):
                self._database.notify(payload)
            return True

        return self._database.write(live.id, write)

    def written(self, live: LiveClass, entries: Sequence[Entry], games: Sequence[Any]) -> None:
        """Nothing else follows from an entry."""

    async def create(self, entries: Sequence[Entry], until: float) -> str:
        """Write the first entries of a new class, which is deleted when `until` has come. Returns
        its code, or that of the class that the same teacher has created already."""
        created = entries[0]
        host = created.data["host"]

        def write(connection: Connection) -> str:
            known = connection.execute(_OF_HOST, {"hashed": host}).scalar()
            if known is not None:
                return str(known)
            for _ in range(MAX_CODES):
                code = new_class_code()
                if connection.execute(_EXISTS, {"id": code}).first() is None:
                    row = {"code": code, "host": host, "created": created.at, "until": until}
                    connection.execute(insert(schema.classes), row)
                    connection.execute(_APPEND, [_row(code, entry) for entry in entries])
                    return code
            raise Unavailable("There are too many classes just now; try again later.")

        return await self._database.write(f"class {host}", write)

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
            events = connection.execute(_EVENTS, {"id": code}).scalars()
            left = {json.loads(data)["event"] for data in events} - gone
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

    def on_notification(self, id: str, payload: dict[str, Any]) -> None:
        live = self._lives.get(id)
        if live is None:
            return
        if payload.get("deleted"):
            self.discard(live)
        elif live.loaded is not None and payload["entries"]:
            entries = [Entry(*entry) for entry in payload["entries"]]
            self.bus.background.spawn(self.hear(live, entries))
        elif live.loaded is not None:
            self.bus.background.spawn(self.reload(live))


def _row(code: str, entry: Entry) -> dict[str, Any]:
    return {"classroom": code, **entry._asdict(), "data": json.dumps(entry.data)}


_APPEND = text(
    "INSERT INTO class_log (classroom, number, kind, pupil, data, at, token)"
    " VALUES (:classroom, :number, :kind, :pupil, :data, :at, :token) ON CONFLICT DO NOTHING"
)
_LOG = schema.entries_after(schema.class_log, Entry._fields)
_OF_HOST = select(schema.classes.c.code).where(schema.classes.c.host == bindparam("hashed"))
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
