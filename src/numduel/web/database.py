"""The database: one writer per process with group commit, readers, and notifications.

A write returns when it is durable. Writes that wait while one commit is on its way to the disk
share the next one (group commit), so that the disk sets the latency of a move but not the
throughput.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from alembic import command
from alembic.config import Config
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.exc import ArgumentError, OperationalError, SQLAlchemyError

from numduel.web import schema
from numduel.web.errors import Unavailable

log = logging.getLogger(__name__)
T = TypeVar("T")
CHANNEL = "numduel"
MAX_BATCH = 256
"""Writes that share a commit, at most."""
MAX_BACKLOG = 5_000
"""Writes that may wait; beyond that, back-pressure: the server says that it is busy."""
CONNECT_OPTIONS: dict[str, Any] = {
    "connect_timeout": 5, "keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3,
}  # fmt: skip
"""How soon a PostgreSQL server that is gone is noticed, in seconds."""
SERVER_OPTIONS = "-c statement_timeout=10000 -c lock_timeout=5000"
"""How long one process may keep the others waiting, in milliseconds."""
LISTEN_SECONDS = 1.0
"""Seconds that the listener waits for notifications, or before it connects again."""


@dataclass(eq=False)
class _Job:
    """A write, and the future of who waits for it."""

    game: str
    work: Callable[[Connection], Any]
    future: asyncio.Future[Any]
    result: Any = None
    error: BaseException | None = None


class Database:
    """A SQLite file or a PostgreSQL server."""

    def __init__(self, address: str) -> None:
        self.url = _url(address)
        self.postgresql = self.url.get_backend_name() == "postgresql"
        self.process = secrets.token_hex(8)
        self._writes = _engine(self.url, "BEGIN IMMEDIATE")
        self._reads = _engine(self.url, "BEGIN")
        self._readers = ThreadPoolExecutor(2, "reader")
        self._connection: Connection | None = None
        """The writer's, kept until it fails."""
        self._queue: SimpleQueue[_Job | None] = SimpleQueue()
        self._writer: threading.Thread | None = None
        self._listener: threading.Thread | None = None
        self._closing = threading.Event()

    # -- starting and stopping --------------------------------------------------------------

    def migrate(self) -> None:
        """Bring the tables to the version of this program; processes wait for each other."""
        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        try:
            with self._writes.begin() as connection:
                if self.postgresql:
                    connection.execute(text("SELECT pg_advisory_xact_lock(6180339887)"))
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
        except (OperationalError, OSError) as error:
            why = str(getattr(error, "orig", error)).strip().split("\n")[0]
            raise Unavailable(f"The database cannot be opened: {why}.") from None

    def open(
        self,
        on_notification: Callable[[dict[str, Any]], None],
        on_missed_notifications: Callable[[], None],
    ) -> None:
        """Start the writer and the listener. `on_notification` is called in this event loop with
        the payload that another process sent, and `on_missed_notifications` whenever the listener
        has connected, because it may have missed some."""
        loop = asyncio.get_running_loop()
        self._writer = threading.Thread(target=self._write, args=(loop,), name="writer")
        self._writer.start()
        if self.postgresql:
            self._listener = threading.Thread(
                target=self._listen,
                args=(loop, on_notification, on_missed_notifications),
                name="listener",
                daemon=True,
            )
            self._listener.start()

    def close(self) -> None:
        """Finish the writes that wait, then disconnect."""
        self._closing.set()
        if self._writer is not None:
            self._queue.put(None)
            self._writer.join()
        if self._listener is not None:
            self._listener.join(2 * LISTEN_SECONDS)
        self._readers.shutdown()
        self._writes.dispose()
        self._reads.dispose()

    # -- reading and writing ----------------------------------------------------------------

    async def write(self, game: str, work: Callable[[Connection], T]) -> T:
        """Do some work on one game in a transaction; when this returns it is durable."""
        if self._queue.qsize() > MAX_BACKLOG or self._closing.is_set():
            raise Unavailable("The server has too much to do just now; try again in a moment.")
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._queue.put(_Job(game, work, future))
        return await future

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Read from the database, outside the event loop."""

        def reading() -> T:
            try:
                with self._reads.connect() as connection:
                    return work(connection)
            except SQLAlchemyError as error:
                log.warning("cannot read", extra={"why": _first_line(error)})
                raise Unavailable("The games cannot be reached just now; try again.") from None

        return await asyncio.get_running_loop().run_in_executor(self._readers, reading)

    def append(self, connection: Connection, entry: dict[str, Any]) -> bool:
        """Append an entry to the log of a game and notify the other processes, unless its number
        is taken; whether that was done."""
        if not self.postgresql:
            return connection.execute(_APPEND, entry).rowcount == 1
        payload = json.dumps({**entry, "process": self.process})
        appended = connection.exec_driver_sql(_APPEND_AND_NOTIFY, {**entry, "payload": payload})
        return appended.first() is not None

    def notify(self, connection: Connection, payload: dict[str, Any]) -> None:
        """Notify the other processes when the transaction is durable."""
        if self.postgresql:
            text = json.dumps({**payload, "process": self.process})
            connection.execute(_NOTIFY, {"channel": CHANNEL, "payload": text})

    # -- the writer's thread ----------------------------------------------------------------

    def _write(self, loop: asyncio.AbstractEventLoop) -> None:
        while True:
            batch, last = self._batch()
            if batch:
                self._commit(batch)
                loop.call_soon_threadsafe(_settle, batch)
            if last:
                self._disconnect()
                return

    def _batch(self) -> tuple[list[_Job], bool]:
        """The writes that wait, and whether they are the last. They are ordered by game, so that
        two processes never deadlock on each other's rows."""
        job = self._queue.get()
        batch: list[_Job] = []
        while job is not None:
            batch.append(job)
            if len(batch) == MAX_BATCH:
                break
            try:
                job = self._queue.get_nowait()
            except Empty:
                break
        batch.sort(key=lambda job: job.game)
        return batch, job is None

    def _commit(self, batch: list[_Job]) -> None:
        try:
            if self._connection is None:
                self._connection = self._writes.connect()
            with self._connection.begin():
                for job in batch:
                    job.result = job.work(self._connection)
        except Exception as error:
            self._disconnect()
            if len(batch) == 1 or isinstance(error, OperationalError):
                log.warning("cannot write", extra={"why": _first_line(error)})
                for job in batch:
                    job.error = error
            else:  # One of them failed: commit each alone, so that the others do not.
                for job in batch:
                    self._commit([job])

    def _disconnect(self) -> None:
        """Close a connection that failed; the next batch opens another."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(SQLAlchemyError):
                connection.invalidate()
            connection.close()

    # -- the listener's thread --------------------------------------------------------------

    def _listen(
        self,
        loop: asyncio.AbstractEventLoop,
        on_notification: Callable[[dict[str, Any]], None],
        on_missed_notifications: Callable[[], None],
    ) -> None:
        import psycopg

        address = self.url.set(drivername="postgresql").render_as_string(hide_password=False)
        while not self._closing.is_set():
            try:
                with psycopg.connect(address, autocommit=True, **CONNECT_OPTIONS) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    loop.call_soon_threadsafe(on_missed_notifications)
                    while not self._closing.is_set():
                        for notification in connection.notifies(timeout=LISTEN_SECONDS):
                            payload = json.loads(notification.payload)
                            if payload["process"] != self.process:
                                loop.call_soon_threadsafe(on_notification, payload)
            except RuntimeError:  # The event loop is closed: so is the server.
                return
            except Exception as error:
                log.warning("cannot listen", extra={"why": _first_line(error)})
                self._closing.wait(LISTEN_SECONDS)


_APPEND = insert(schema.log).on_conflict_do_nothing()
# One statement, because each is a round trip to the server.
_APPEND_AND_NOTIFY = (
    "WITH appended AS (INSERT INTO log (game, number, seat, kind, text, at, token)"
    " VALUES (%(game)s, %(number)s, %(seat)s, %(kind)s, %(text)s, %(at)s, %(token)s)"
    " ON CONFLICT DO NOTHING RETURNING 1)"
    f" SELECT pg_notify('{CHANNEL}', %(payload)s) FROM appended"
)
_NOTIFY = text("SELECT pg_notify(:channel, :payload)")


def _settle(batch: list[_Job]) -> None:
    """Give the results to those who wait."""
    for job in batch:
        if job.future.done():
            continue
        if job.error is None:
            job.future.set_result(job.result)
        else:
            job.future.set_exception(
                Unavailable("The games cannot be written just now; try again in a moment.")
            )


def _url(address: str) -> URL:
    try:
        url = make_url(address)
    except ArgumentError:
        url = None
    if url is None or url.get_backend_name() not in ("sqlite", "postgresql"):
        raise Unavailable(
            "A database is sqlite:////path/to/file.db or postgresql://user@host/name."
        )
    return url.set(drivername="postgresql+psycopg") if url.drivername == "postgresql" else url


def _engine(url: URL, begin: str) -> Engine:
    """An engine whose commits are durable."""
    if url.get_backend_name() == "postgresql":
        return create_engine(
            url, pool_pre_ping=True, pool_size=2, max_overflow=0,
            connect_args={**CONNECT_OPTIONS, "options": SERVER_OPTIONS},
        )  # fmt: skip
    engine = create_engine(url, connect_args={"check_same_thread": False})

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _: object) -> None:
        connection.isolation_level = None
        for setting in (
            "journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000", "foreign_keys=ON"
        ):  # fmt: skip
            connection.execute(f"PRAGMA {setting}")

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _first_line(error: BaseException) -> str:
    return str(error).split("\n")[0][:200]
