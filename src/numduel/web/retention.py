"""Old games and events are deleted, a few at a time, so that nobody waits for it."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, select

from numduel.core.errors import NumduelError
from numduel.web import schema
from numduel.web.database import Database
from numduel.web.errors import Refusal
from numduel.web.event_registry import EventRegistry
from numduel.web.registry import Registry, fold

log = logging.getLogger(__name__)
DAY = 24 * 3600.0
FIRST_PAUSE = 1.0
"""Seconds after the start before the first old game is looked for."""
PAUSE = 0.2
"""Seconds between two transactions."""
BATCH = 20
"""Games in one transaction."""


class _Old(NamedTuple):
    """A game in which nothing has happened for long, and the number of its last entry."""

    id: str
    last: int


async def delete_old_games(database: Database, registry: Registry, days: int) -> None:
    """Every day, delete the finished games in which nothing has happened for so many days."""
    await asyncio.sleep(FIRST_PAUSE)
    while True:
        deleted, after = 0, ""
        while found := await _found(database, time.time() - days * DAY, after):
            after = found[-1].id
            idle = [old for old in found if not registry.in_use(old.id)]
            over = [old for old in idle if await _over(database, old)]
            deleted += await _delete(database, over)
            for old in over:
                registry.forget(old.id)
            await asyncio.sleep(PAUSE)
        if deleted:
            log.info("old games were deleted", extra={"games": deleted, "days": days})
        await asyncio.sleep(DAY)


async def delete_old_events(database: Database, registry: EventRegistry, days: int) -> None:
    """Every day, delete the events in which nothing has happened for so many days, and their
    games."""
    await asyncio.sleep(FIRST_PAUSE)
    while True:
        with suppress(Refusal):  # The next day is soon enough.
            before, deleted = time.time() - days * DAY, 0
            while codes := await _old_events(database, before):
                for code in codes:
                    await registry.delete(code)
                    await asyncio.sleep(PAUSE)
                deleted += len(codes)
            if deleted:
                log.info("old events were deleted", extra={"events": deleted, "days": days})
        await asyncio.sleep(DAY)


async def _old_events(database: Database, before: float) -> list[str]:
    return await database.read(
        lambda connection: list(connection.execute(_OLD_EVENTS, {"before": before}).scalars())
    )


async def _found(database: Database, before: float, after: str) -> list[_Old]:
    """Some old games, in the order of their ids."""
    try:
        return await database.read(
            lambda connection: [
                _Old(*row) for row in connection.execute(_OLD, {"before": before, "after": after})
            ]
        )
    except Refusal:
        return []  # The next day is soon enough.


async def _over(database: Database, old: _Old) -> bool:
    """Whether a game is finished. One that cannot be folded is left alone."""
    try:
        room = await database.read(lambda connection: fold(connection, old.id))
    except NumduelError:
        return False
    return room.over


async def _delete(database: Database, games: list[_Old]) -> int:
    """Delete games in which still nothing has happened; how many that are."""

    def write(connection: Connection) -> int:
        count = 0
        for old in games:
            if connection.execute(_LAST, {"id": old.id}).scalar() == old.last:
                for statement in _DELETE:
                    connection.execute(statement, {"id": old.id})
                count += 1
        return count

    try:
        return await database.write("", write) if games else 0
    except Refusal:
        return 0


_LAST = select(func.max(schema.log.c.number)).where(schema.log.c.game == bindparam("id"))
_OLD = (
    select(schema.games.c.id, func.max(schema.log.c.number))
    .join(schema.log, schema.log.c.game == schema.games.c.id)
    .where(
        schema.games.c.created < bindparam("before"),
        schema.games.c.id > bindparam("after"),
        schema.games.c.event.is_(None),  # It is deleted with its event.
    )
    .group_by(schema.games.c.id)
    .having(func.max(schema.log.c.at) < bindparam("before"))
    .order_by(schema.games.c.id)
    .limit(BATCH)
)
_OLD_EVENTS = (
    select(schema.event_log.c.event)
    .group_by(schema.event_log.c.event)
    .having(func.max(schema.event_log.c.at) < bindparam("before"))
    .order_by(schema.event_log.c.event)
    .limit(BATCH)
)
_DELETE = tuple(
    delete(table).where(column == bindparam("id"))
    for table, column in (
        (schema.presence, schema.presence.c.game), (schema.log, schema.log.c.game),
        (schema.seats, schema.seats.c.game), (schema.games, schema.games.c.id),
    )
)  # fmt: skip
