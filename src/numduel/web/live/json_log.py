"""Logs whose entries hold JSON, as those of events do: how they are read, written and created, and
what the other processes are told of them."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import Connection, Table, bindparam, select

from numduel.core.language import N_
from numduel.web.http.errors import Unavailable
from numduel.web.live.bus import Bus
from numduel.web.live.live import L
from numduel.web.live.news import news
from numduel.web.live.registry import Registry, legible
from numduel.web.storage import schema

MAX_CODES = 20
"""Codes that are tried for something new before the server gives up."""


class JsonLogs(Registry[L]):
    """The events in memory."""

    heads: Table
    """The table with a row for each, by its code."""
    log: Table
    entry: type[Any]
    """What an entry is: a named tuple whose `data` is JSON."""
    data: TypeAdapter[Any]
    """What that may hold."""

    def __init__(self, bus: Bus) -> None:
        super().__init__(bus)
        heads = self.heads.c
        self._entries = schema.entries_after(self.log, self.entry._fields)
        self._of_host = select(heads.code).where(heads.host == bindparam("host"))
        self._insert_head = schema.insert_unless_taken(self.heads)
        self._insert_entry = schema.insert_unless_taken(self.log)

    # -- what a subclass says ---------------------------------------------------------------

    @staticmethod
    @abstractmethod
    def folded(log: Iterable[Any]) -> Any:
        """The fold of a log, which is not empty."""

    @staticmethod
    @abstractmethod
    def new_code() -> str:
        """A code at random."""

    def begin(self, connection: Connection, games: Sequence[Any]) -> list[Any]:
        """Write the games that entries begin. Returns what the other processes are told of them."""
        return []

    def written(self, live: L, entries: Sequence[Any], games: Sequence[Any]) -> None:
        """Nothing else follows from an entry."""

    # -- reading ----------------------------------------------------------------------------

    def fold(self, connection: Connection, id: str) -> Any:
        """The fold of a log. Raises `NoGame` if there is none."""
        with legible(self.live.kind, id):
            entries = self._read(connection, id, 0)
            if not entries:
                raise self.missing()
            return self.folded(entries)

    def entries(self, connection: Connection, id: str, after: int) -> list[Any]:
        """The entries of a log after a number."""
        with legible(self.live.kind, id):
            return self._read(connection, id, after)

    def _read(self, connection: Connection, id: str, after: int) -> list[Any]:
        rows = connection.execute(self._entries, {"id": id, "after": after}).mappings()
        return [self.entry(**{**row, "data": self._parse(row["data"])}) for row in rows]

    def _parse(self, text: str) -> Any:
        """The data of an entry. Of another type it would be a surprise to all who use it."""
        self.data.validate_json(text, strict=True)
        return json.loads(text)

    # -- writing ----------------------------------------------------------------------------

    def row(self, code: str, entry: Any) -> dict[str, Any]:
        """The row of an entry."""
        return {self.live.kind: code, **entry._asdict(), "data": json.dumps(entry.data)}

    def write(self, live: L, entries: Sequence[Any], games: Sequence[Any]) -> Awaitable[bool]:
        """Write entries and the games that they begin, unless the number of the first is taken."""

        def write(connection: Connection) -> bool:
            first, *others = (self.row(live.id, entry) for entry in entries)
            if connection.execute(self.exists, {"id": live.id}).first() is None:
                raise self.missing()
            if connection.execute(self._insert_entry, first).rowcount != 1:
                return False  # Another process wrote that number.
            if others:
                connection.execute(self._insert_entry, others)
            begun = self.begin(connection, games)
            for what, rows in (("begun", begun), ("entries", [[*entry] for entry in entries])):
                for payload in news(self.live.kind, live.id, what, rows):
                    self._database.notify(payload)
            return True

        return self._database.write(live.id, write)

    async def create(self, entries: Sequence[Any], **head: float) -> str:
        """Write the first entries of something new, with the other columns of its `head`. Returns
        its code, or that of what the same host has created already, perhaps at this moment over
        another process."""
        created = entries[0]
        host = created.data["host"]

        def write(connection: Connection) -> str:
            for _ in range(MAX_CODES):
                known = connection.execute(self._of_host, {"host": host}).scalar()
                if known is not None:
                    return str(known)
                if self.insert(connection, code := self.new_code(), entries, **head):
                    return code
            raise Unavailable(N_("There are too many of them just now; try again later."))

        return await self._database.write(f"{self.live.kind} of {host}", write)

    def insert(
        self, connection: Connection, code: str, entries: Sequence[Any], **head: float
    ) -> bool:
        """Insert the first entries of something new, unless its host or code is taken. Returns
        whether both were free."""
        row = {"code": code, "host": entries[0].data["host"], **head}
        # Waits for another process that writes the same host or code.
        if connection.execute(self._insert_head, row).rowcount != 1:
            return False
        connection.execute(self._insert_entry, [self.row(code, entry) for entry in entries])
        return True

    # -- other processes --------------------------------------------------------------------

    def on_notification(self, id: str, payload: dict[str, Any]) -> None:
        """Handle what another process has changed."""
        live = self._lives.get(id)
        spawn = self.bus.background.spawn
        if payload.get("deleted"):
            self.deleted(id)
        elif live is None or live.loaded is None:
            self.unknown(id, payload)
        elif "begun" in payload:
            self.begun(payload["begun"])
        elif payload["entries"]:
            spawn(self.hear(live, [self.entry(*entry) for entry in payload["entries"]]))
        else:
            spawn(self.reload(live))

    def deleted(self, id: str) -> None:
        """Drop what was deleted from memory, and close its channels."""
        if id in self:
            self.discard(self._lives[id])

    def unknown(self, id: str, payload: Mapping[str, Any]) -> None:
        """Called when something has changed that is not in memory."""

    def begun(self, games: Iterable[Any]) -> None:
        """Called with the games that another process has begun."""
