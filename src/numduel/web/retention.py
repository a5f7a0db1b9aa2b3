"""Deletes old games and events, a few at a time, so that nobody waits."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

from sqlalchemy import Column, Connection, Select, Table, bindparam, func, select

from numduel.core.errors import NumduelError
from numduel.web.events.live import LiveEvents
from numduel.web.games.live import LiveGame, LiveGames
from numduel.web.games.rows import delete_games
from numduel.web.http.errors import Refusal
from numduel.web.live.news import news
from numduel.web.storage import schema
from numduel.web.storage.database import Database

log = logging.getLogger(__name__)
DAY = 24 * 3600.0
FIRST_PAUSE = 1.0
"""Seconds between the start of the server and the first search."""
PAUSE = 0.2
"""Seconds between two transactions."""
BATCH = 20
"""How many are found at a time; so many games are deleted in one transaction."""
Old = tuple[str, int]
"""The id of an old game or event, and the number of its last entry."""


async def delete_old_games(games: LiveGames, days: int) -> None:
    """Delete finished games in which nothing has happened for so many days, every day."""
    database = games.bus.database

    async def delete(found: list[Old]) -> int:
        idle = [old for old in found if not games.in_use(old[0])]
        over = [old for old in idle if await _over(database, old[0])]
        if not over:
            return 0

        def write(connection: Connection) -> int:
            gone = _delete(connection, over)
            for payload in news(LiveGame.kind, "", "deleted", gone):
                database.notify(payload)
            return len(gone)

        deleted = await database.write("", write)
        for id, _ in over:
            games.forget(id)
        return deleted

    await _every_day("games", days, database, _OLD_GAMES, delete)


async def delete_old_events(events: LiveEvents, days: int) -> None:
    """Delete events in which nothing has happened for so many days, with their games, every day."""

    async def delete(found: list[Old]) -> int:
        for code, _ in found:
            await events.delete(code)
            await asyncio.sleep(PAUSE)
        return len(found)

    await _every_day("events", days, events.bus.database, _OLD_EVENTS, delete)


async def _every_day(
    what: str,
    days: int,
    database: Database,
    statement: Select[str, int],
    delete: Callable[[list[Old]], Awaitable[int]],
) -> None:
    """Find old games or events, in the order of their ids, and delete them, every day."""

    def find(connection: Connection) -> list[Old]:
        values = {"before": time.time() - days * DAY, "after": after, "most": BATCH}
        return [(id, last) for id, last in connection.execute(statement, values)]

    await asyncio.sleep(FIRST_PAUSE)
    while True:
        deleted, after = 0, ""
        with suppress(Refusal):  # Tomorrow is soon enough.
            while found := await database.read(find):
                after = found[-1][0]
                deleted += await delete(found)
                await asyncio.sleep(PAUSE)
        if deleted:
            log.info(f"old {what} were deleted", extra={what: deleted, "days": days})
        await asyncio.sleep(DAY)


async def _over(database: Database, id: str) -> bool:
    """Whether a game is finished; False if it cannot be read."""
    try:
        return (await database.read(lambda connection: LiveGames.fold(connection, id))).over
    except NumduelError:
        return False


def _delete(connection: Connection, games: list[Old]) -> list[str]:
    """Delete those games in which nothing has happened since. Returns their ids."""
    ids = [id for id, last in games if connection.execute(_LAST, {"id": id}).scalar() == last]
    for statement in delete_games(ids):
        connection.execute(statement)
    return ids


def _old(log: Table, at: Column[float]) -> Select[str, int]:
    """The query for what is old in a log, `at` being when each entry was written."""
    id, number = log.primary_key.columns
    return (
        select(id, func.max(number))
        .where(id > bindparam("after"))
        .group_by(id)
        .having(func.max(at) < bindparam("before"))
        .order_by(id)
        .limit(bindparam("most"))
    )


_log = schema.log.c
_LAST = select(func.max(_log.number)).where(_log.game == bindparam("id"))
_OLD_EVENTS = _old(schema.event_log, schema.event_log.c.written)
_OLD_GAMES = (
    _old(schema.log, _log.at)
    .join(schema.games, _log.game == schema.games.c.id)
    .where(
        schema.games.c.created < bindparam("before"),
        schema.games.c.event.is_(None),  # It is deleted with its event.
    )
)
