"""The database: one writer per process with group commit, readers, and notifications.

A write returns when it is durable. Writes that wait while one commit is on its way to the disk
share the next one (group commit), so that the disk sets the latency of a move but not the
throughput. Nobody waits for long: a database that does not answer is hung up on, and a file that
was removed or replaced is noticed before a write is acknowledged.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import secrets
import shutil
import socket
import sqlite3
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar
from weakref import WeakSet

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    bindparam,
    create_engine,
    event,
    inspect,
    make_url,
    select,
    text,
    update,
)
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
REPLY_SECONDS = 4.0
"""Seconds that a request waits for the database; then it is refused, and PostgreSQL hung up on."""
LOCK_MILLISECONDS = 3000
"""How long another program may keep a SQLite file locked."""
CONNECT_OPTIONS: dict[str, Any] = {
    "connect_timeout": 3, "keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3,
}  # fmt: skip
"""How soon a PostgreSQL server that is gone is noticed, in seconds."""
SERVER_OPTIONS = "-c statement_timeout=10000 -c lock_timeout=5000"
"""How long one process may keep the others waiting, in milliseconds."""
LISTEN_SECONDS = 1.0
"""Seconds that the listener waits for notifications, or before it connects again."""
DRIVERS = ("sqlite", "sqlite+pysqlite", "postgresql", "postgresql+psycopg")
MIN_FREE = 16 << 20
"""Bytes on the disk below which it counts as full."""
MAX_FIRST_CHECK = 64 << 20
"""Bytes up to which a file is checked for damage before the server starts."""
CHECK_SHARE = 20
"""A file is checked for damage in a twentieth of the time at most, however large it is."""
UNREACHABLE = "The games cannot be reached just now; try again."
UNWRITABLE = "The games cannot be written just now; try again in a moment."
GONE = "The database file was removed or replaced; the server must be started again."


@dataclass(eq=False)
class _Job:
    """A write, and the future of who waits for it."""

    game: str
    work: Callable[[Connection], Any]
    future: asyncio.Future[Any]
    result: Any = None
    error: BaseException | None = None


class FileGone(Exception):
    """The file that is open is not the one under its name any more."""

    def __init__(self) -> None:
        super().__init__(GONE)


class Database:
    """A SQLite file or a PostgreSQL server."""

    def __init__(self, address: str) -> None:
        self.url = _url(address)
        self.postgresql = self.url.get_backend_name() == "postgresql"
        self.path = None if self.postgresql else Path(self.url.database or "").absolute()
        """The SQLite file."""
        self.process = secrets.token_hex(8)
        self._file: tuple[int, int] | None = None
        """Which file was opened, by its device and inode."""
        self._damage = ""
        self._check_due = 0.0
        self._connections: WeakSet[Any] = WeakSet()
        """All connections to PostgreSQL."""
        self._writes = _engine(self.url, "BEGIN IMMEDIATE", self._connections)
        self._reads = _engine(self.url, "BEGIN", self._connections)
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
        try:
            if self.path is not None:
                _make_private(self.path)
                if self.path.stat().st_size <= MAX_FIRST_CHECK:
                    self._find_damage()
            if self._version() != schema.VERSION:
                self._upgrade()
        except (SQLAlchemyError, sqlite3.Error, OSError) as error:
            raise Unavailable(f"The database cannot be opened: {reason(error)}.") from None
        if self.path is not None:
            self._file = _identity(self.path)

    def _version(self) -> str | None:
        """The version of the tables; None if there are none."""
        with self._reads.connect() as connection:
            if not inspect(connection).has_table("alembic_version"):
                return None
            return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()

    def _upgrade(self) -> None:
        # Imported here, because hardly any start needs it, and it takes a tenth of one.
        from alembic import command
        from alembic.config import Config
        from alembic.util import CommandError

        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        try:
            with self._writes.begin() as connection:
                if self.postgresql:
                    connection.execute(text("SELECT pg_advisory_xact_lock(6180339887)"))
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
        except CommandError:
            raise Unavailable(
                "The database was made by a newer version of numduel; install that one."
            ) from None

    def open(
        self,
        on_notification: Callable[[dict[str, Any]], None],
        on_missed_notifications: Callable[[], None],
    ) -> None:
        """Start the writer and the listener. `on_notification` is called in this event loop with
        the payload that another process sent, and `on_missed_notifications` whenever something may
        have been missed: when the listener has connected, and when a write that nobody waited for
        any more became durable."""
        loop = asyncio.get_running_loop()
        self._writer = threading.Thread(
            target=self._write, args=(loop, on_missed_notifications), name="writer"
        )
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
            self._writer.join(REPLY_SECONDS)
            if self._writer.is_alive():
                self._hang_up()
                self._writer.join()
        if self._listener is not None:
            self._listener.join(2 * LISTEN_SECONDS)
        self._readers.shutdown(cancel_futures=True)
        self._writes.dispose()
        self._reads.dispose()

    # -- reading and writing ----------------------------------------------------------------

    async def write(self, game: str, work: Callable[[Connection], T]) -> T:
        """Do some work on one game in a transaction; when this returns it is durable."""
        if self._queue.qsize() > MAX_BACKLOG or self._closing.is_set():
            raise Unavailable("The server has too much to do just now; try again in a moment.")
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._queue.put(_Job(game, work, future))
        return await self._reply(future, UNWRITABLE)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Read from the database, outside the event loop."""

        def reading() -> T:
            try:
                self._require_file()
                with self._reads.connect() as connection:
                    return work(connection)
            except (SQLAlchemyError, FileGone) as error:
                log.warning("cannot read", extra={"why": reason(error)})
                raise Unavailable(UNREACHABLE) from None

        running = asyncio.get_running_loop().run_in_executor(self._readers, reading)
        return await self._reply(running, UNREACHABLE)

    async def _reply(self, future: Awaitable[T], refusal: str) -> T:
        """What the database answers; it is not waited for longer than a request may take."""
        try:
            return await asyncio.wait_for(future, REPLY_SECONDS)
        except TimeoutError:
            log.warning("the database does not answer")
            self._hang_up()
            raise Unavailable(refusal) from None

    def _hang_up(self) -> None:
        """Break the connections to PostgreSQL, so that no thread waits for it any more."""
        for connection in list(self._connections):
            # A connection that is closed already has no socket: its driver raises its own error.
            with suppress(Exception), socket.socket(fileno=os.dup(connection.fileno())) as wire:
                wire.shutdown(socket.SHUT_RDWR)

    def append(self, connection: Connection, entry: dict[str, Any]) -> bool:
        """Append an entry to the log of a game and notify the other processes, unless its number
        is taken; whether that was done."""
        if not self.postgresql:
            return connection.exec_driver_sql(_APPEND, entry).rowcount == 1
        payload = json.dumps({**entry, "process": self.process})
        appended = connection.exec_driver_sql(_APPEND_AND_NOTIFY, {**entry, "payload": payload})
        return appended.first() is not None

    def notify(self, connection: Connection, payload: dict[str, Any]) -> None:
        """Notify the other processes when the transaction is durable."""
        if self.postgresql:
            text = json.dumps({**payload, "process": self.process})
            connection.execute(_NOTIFY, {"channel": CHANNEL, "payload": text})

    # -- health -----------------------------------------------------------------------------

    async def check(self) -> None:
        """Read and write; raises `Unavailable` if that is not possible, if the disk is full, or if
        the file is damaged, removed or replaced."""
        await self.read(lambda connection: connection.execute(_ANY_GAME).first())
        if self.path is not None and shutil.disk_usage(self.path.parent).free < MIN_FREE:
            raise Unavailable("The disk is full.")
        await self.write("", self._leave_mark)
        if self.path is not None and time.monotonic() >= self._check_due:
            self._check_due = float("inf")
            looking = asyncio.create_task(asyncio.to_thread(self._look_for_damage))
            await asyncio.wait({looking}, timeout=REPLY_SECONDS)
        if self._damage:
            raise Unavailable(f"The database is damaged: {self._damage}.")

    def _leave_mark(self, connection: Connection) -> None:
        """Write something that changes nothing."""
        if self.postgresql:
            connection.execute(_SAME_LEASE, {"mine": self.process})
        else:
            connection.execute(_MARK, {"process": "health", "until": time.time()})

    def _look_for_damage(self) -> None:
        """Note what is wrong with the file, and when to look again."""
        start = time.monotonic()
        try:
            self._find_damage()
            self._damage = ""
        except (sqlite3.Error, OSError) as error:
            if not self._closing.is_set():
                self._damage = reason(error)
                log.error("the database is damaged", extra={"why": self._damage})
        took = time.monotonic() - start
        self._check_due = time.monotonic() + max(1.0, CHECK_SHARE * took)

    def _find_damage(self) -> None:
        """Read all of the file, and raise what is wrong with it."""
        address = f"{self.path.as_uri()}?mode=rw" if self.path else ""
        with closing(sqlite3.connect(address, uri=True)) as connection:
            connection.set_progress_handler(self._closing.is_set, 10_000)
            (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise sqlite3.DatabaseError(found)

    def _require_file(self) -> None:
        """Raise `FileGone` if the file under the name is not the one that was opened."""
        if self.path is not None and self._file is not None and _identity(self.path) != self._file:
            raise FileGone

    # -- the writer's thread ----------------------------------------------------------------

    def _write(self, loop: asyncio.AbstractEventLoop, on_late: Callable[[], None]) -> None:
        while True:
            batch, last = self._batch()
            if batch:
                self._commit(batch)
                loop.call_soon_threadsafe(_settle, batch, on_late)
            if last:
                self._disconnect()
                return

    def _batch(self) -> tuple[list[_Job], bool]:
        """The writes that wait, and whether they are the last. They are ordered by game, so that
        two processes never deadlock on each other's rows."""
        job = self._queue.get()
        batch: list[_Job] = []
        while job is not None:
            if not job.future.done():  # Nobody waits for the others any more.
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
            self._require_file()
            if self._connection is None:
                self._connection = self._writes.connect()
            with self._connection.begin():
                for job in batch:
                    job.result = job.work(self._connection)
            self._require_file()
        except Exception as error:
            self._disconnect()
            if len(batch) == 1 or isinstance(error, OperationalError | FileGone):
                log.warning("cannot write", extra={"why": reason(error)})
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
                log.warning("cannot listen", extra={"why": reason(error)})
                self._closing.wait(LISTEN_SECONDS)


# Every move is such a statement: they are not put together anew each time.
_APPEND = (
    "INSERT INTO log (game, number, seat, kind, text, at, token)"
    " VALUES (:game, :number, :seat, :kind, :text, :at, :token) ON CONFLICT DO NOTHING"
)
# One statement, because each is a round trip to the server.
_APPEND_AND_NOTIFY = (
    "WITH appended AS (INSERT INTO log (game, number, seat, kind, text, at, token)"
    " VALUES (%(game)s, %(number)s, %(seat)s, %(kind)s, %(text)s, %(at)s, %(token)s)"
    " ON CONFLICT DO NOTHING RETURNING 1)"
    f" SELECT pg_notify('{CHANNEL}', %(payload)s) FROM appended"
)
_NOTIFY = text("SELECT pg_notify(:channel, :payload)")
_ANY_GAME = select(schema.games.c.id).limit(1)
_MARK = insert(schema.processes)
_MARK = _MARK.on_conflict_do_update(
    index_elements=["process"], set_={"until": _MARK.excluded.until}
)
_SAME_LEASE = (
    update(schema.processes)
    .where(schema.processes.c.process == bindparam("mine"))
    .values(until=schema.processes.c.until)
)


def _settle(batch: list[_Job], on_late: Callable[[], None]) -> None:
    """Give the results to those who wait."""
    for job in batch:
        if job.future.done():
            if job.error is None:
                on_late()
        elif job.error is None:
            job.future.set_result(job.result)
        else:
            job.future.set_exception(Unavailable(UNWRITABLE))


def _url(address: str) -> URL:
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        url = None
    if url is None or url.drivername not in DRIVERS:
        raise Unavailable(
            "A database is sqlite:////path/to/file.db or postgresql://user@host/name."
        )
    in_memory = not url.database or url.database.startswith((":memory:", "file:"))
    if url.get_backend_name() == "sqlite" and in_memory:
        raise Unavailable(
            "A database in memory forgets every game; name a file: sqlite:////path/to/file.db."
        )
    return url.set(drivername="postgresql+psycopg") if url.drivername == "postgresql" else url


def _make_private(path: Path) -> None:
    """Make a file, if there is none, that this user alone can read and write."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    with suppress(PermissionError):  # It belongs to somebody else, who lets this user write.
        path.chmod(0o600)


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file has a name now."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _engine(url: URL, begin: str, connections: WeakSet[Any]) -> Engine:
    """An engine whose commits are durable."""
    if url.get_backend_name() == "postgresql":
        engine = create_engine(
            url, pool_pre_ping=True, pool_size=2, max_overflow=0,
            connect_args={**CONNECT_OPTIONS, "options": SERVER_OPTIONS},
        )  # fmt: skip
        event.listen(engine, "connect", lambda connection, _: connections.add(connection))
        return engine
    engine = create_engine(url, connect_args={"check_same_thread": False})

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _: object) -> None:
        connection.isolation_level = None
        for setting in (
            f"busy_timeout={LOCK_MILLISECONDS}", "journal_mode=WAL", "synchronous=FULL",
            "foreign_keys=ON",
        ):  # fmt: skip
            connection.execute(f"PRAGMA {setting}")

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def reason(error: BaseException) -> str:
    """Why something failed, in one line."""
    why = str(getattr(error, "orig", None) or getattr(error, "strerror", None) or error)
    return why.strip().split("\n")[0][:200].rstrip(".")
