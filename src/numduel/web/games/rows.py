"""The rows of games in the database: new ones, and how to delete them."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from random import SystemRandom
from typing import Any, NamedTuple

from sqlalchemy import Connection, Delete, Table, delete, insert, select, tuple_

from numduel.core.game import Game
from numduel.web.games.room import Entry, Room, Seat
from numduel.web.storage import schema

ID_BYTES = 9
"""Random bytes of an id: nobody can guess it."""
_system_random = SystemRandom()


class NewGame(NamedTuple):
    """The rows of a game that is to be created."""

    header: dict[str, Any]
    seats: list[dict[str, Any]]
    entries: Sequence[Entry] = ()

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


def new_id() -> str:
    """The id of a new game."""
    return secrets.token_urlsafe(ID_BYTES)


def new_game(
    id: str,
    game: Game,
    seats: Iterable[Seat],
    *,
    first: int = 1,
    forgiving: bool,
    event: str | None = None,
    entries: Sequence[Entry] = (),
    drawn: tuple[int, ...] = (),
) -> NewGame:
    """The rows of a game whose first entries have drawn some cards."""
    rest = list(game.cards) if game.has_deck else []
    for card in drawn:
        rest.remove(card)
    _system_random.shuffle(rest)
    header = {
        "id": id,
        "game": game.id,
        "variant": game.variant_text,
        "first": first,
        "forgiving": forgiving and game.strict,
        "deck": " ".join(map(str, (*drawn, *rest))),
        "created": time.time(),
        "event": event,
    }
    rows = [{"seat": number, **asdict(seat)} for number, seat in enumerate(seats, 1)]
    return NewGame(header, rows, entries)


def insert_games(connection: Connection, games: Sequence[NewGame]) -> None:
    """Insert new games."""
    _insert(connection, schema.games, [game.header for game in games])
    _insert_parts(connection, games)


def insert_new_game(connection: Connection, game: NewGame) -> bool:
    """Insert a game, unless it is there already: another process may write it at this moment.
    Returns whether it was new."""
    if connection.execute(_INSERT, game.header).rowcount != 1:
        return False
    _insert_parts(connection, [game])
    return True


def _insert_parts(connection: Connection, games: Sequence[NewGame]) -> None:
    """Insert the seats and the first entries of games."""
    seats = [{"game": game.id, **row} for game in games for row in game.seats]
    entries = [{"game": game.id, **row._asdict()} for game in games for row in game.entries]
    _insert(connection, schema.seats, seats)
    _insert(connection, schema.log, entries)


def _insert(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    if rows:
        connection.execute(_INSERTS[table], rows)


def delete_games(ids: Any) -> list[Delete]:
    """The statements that delete all rows of some games; `ids` may be a query."""
    rows = [delete(table).where(table.c.game.in_(ids)) for table in (schema.log, schema.seats)]
    games = delete(schema.games).where(schema.games.c.id.in_(ids))
    return [delete_presence(ids), *rows, games]


def delete_presence(ids: Any) -> Delete:
    """The statement that deletes who is connected to some games. What another process is writing
    of that is left to it: whoever waited here for it might keep it waiting for a game."""
    key = schema.presence.primary_key.columns
    rows = select(*key).where(schema.presence.c.game.in_(ids)).correlate(None)
    return delete(schema.presence).where(tuple_(*key).in_(rows.with_for_update(skip_locked=True)))


_INSERT = schema.insert_unless_taken(schema.games)
_INSERTS = {table: insert(table) for table in (schema.games, schema.seats, schema.log)}
