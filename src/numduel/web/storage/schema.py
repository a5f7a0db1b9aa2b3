"""The tables: games, their seats and logs, who is connected to which process, the links that bring
a browser's keys to another device, events with their logs, and the server's secret."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    ColumnElement,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Select,
    String,
    Table,
    Text,
    TextClause,
    bindparam,
    select,
    text,
)

metadata = MetaData()


def _partial_index(name: str, condition: ColumnElement[bool], *columns: Column[Any]) -> None:
    """An index of few rows: the others must not pay for it."""
    Index(name, *columns, sqlite_where=condition, postgresql_where=condition)


games = Table(
    "games",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("game", String(80), nullable=False),
    Column("variant", String(200), nullable=False),
    Column("first", Integer, nullable=False),
    Column("forgiving", Boolean, nullable=False),
    Column("deck", Text, nullable=False),  # never leaves the server
    Column("created", Float, nullable=False),
    Column("event", String(6), nullable=True),  # the code of its event
)
_partial_index("games_event", games.c.event.is_not(None), games.c.event)

seats = Table(
    "seats",
    metadata,
    Column("game", String(32), ForeignKey("games.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("player", String(40), nullable=False),
    Column("name", String(40), nullable=False),
    Column("token", String(64), nullable=True),  # hashed; an invited player's is in the log
    Column("invite", String(64), nullable=True),
    PrimaryKeyConstraint("game", "seat"),
    Index("seats_token", "token"),
)

log = Table(
    "log",
    metadata,
    Column("game", String(32), ForeignKey("games.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("kind", String(10), nullable=False),
    Column("text", String(60), nullable=False),
    Column("at", Float, nullable=False),  # in an event by its clock, else by the calendar
    Column("token", String(64), nullable=True),  # hashed
    # Optimistic concurrency: of two processes that write a number, one succeeds.
    PrimaryKeyConstraint("game", "number"),
)
_partial_index("log_token", log.c.token.is_not(None), log.c.token)

presence = Table(
    "presence",
    metadata,
    Column("game", String(32), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("process", String(32), nullable=False),
    PrimaryKeyConstraint("game", "seat", "process"),
)

processes = Table(
    "processes",
    metadata,
    Column("process", String(32), primary_key=True),
    Column("until", Float, nullable=False),
)

device_links = Table(
    "device_links",
    metadata,
    Column("owner", String(64), primary_key=True),  # the hash of a key: each has one link at most
    Column("secret", String(64), nullable=False),  # hashed
    Column("sealed", Text, nullable=False),  # the keys, readable only with the secret
    Column("until", Float, nullable=False),
    Column("used_by", String(64), nullable=True),  # the hash of a key
    Index("device_links_secret", "secret", unique=True),
)

events = Table(
    "events",
    metadata,
    Column("code", String(6), primary_key=True),
    Column("host", String(64), nullable=False),  # the hash of the secret of the host's link
    Column("created", Float, nullable=False),
    Index("events_host", "host", unique=True),
)

event_log = Table(
    "event_log",
    metadata,
    Column("event", String(6), ForeignKey("events.code"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("kind", String(10), nullable=False),
    Column("player", Integer, nullable=False),
    Column("data", Text, nullable=False),  # JSON
    Column("at", Float, nullable=False),  # by the clock of events
    Column("written", Float, nullable=True),  # by the calendar
    PrimaryKeyConstraint("event", "number"),
)
_partial_index(
    "event_log_course",
    event_log.c.kind.in_(("start", "end")),
    event_log.c.event,
    event_log.c.kind,
)

server = Table(
    "server",
    metadata,
    Column("secret", String(64), primary_key=True),
    Column("uptime", Float, nullable=True),  # the clock of events
)
"""One row."""


def entries_after(log: Table, fields: Iterable[str]) -> Select[Any]:
    """The query for the entries of an `id` that come `after` a number."""
    key, number = log.primary_key.columns
    return (
        select(*(log.c[field] for field in fields))
        .where(key == bindparam("id"), number > bindparam("after"))
        .order_by(number)
    )


def insert_unless_taken(table: Table) -> TextClause:
    """The statement that inserts a row unless one of its unique columns is taken."""
    names = [column.name for column in table.columns]
    values = ", ".join(f":{name}" for name in names)
    return text(
        f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({values}) ON CONFLICT DO NOTHING"
    )
