"""The database: one writer per process, readers, and notifications.

A write returns when it is durable. Writes that wait while one commit is on its way to the disk
share the next one, so the disk sets the latency of a move but not the throughput. Nobody waits for
long: a database that does not answer is disconnected, and a file that was removed or replaced is
noticed before a write is acknowledged.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import shutil
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from contextvars import copy_context
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakSet

import orjson
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
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from numduel.core.language import N_
from numduel.web.http.errors import Unavailable
from numduel.web.storage import schema
from numduel.web.storage.envelope import Envelope
from numduel.web.storage.writer import CHANNEL, GONE, UNWRITABLE, FileGone, Job, Writer, reason

log = logging.getLogger(__name__)
T = TypeVar("T")
MAX_BACKLOG = 5_000
"""Writes that may wait; beyond that the server says that it is busy (back-pressure)."""
REPLY_SECONDS = 4.0
"""Seconds for which a request waits for the database before it is refused."""
STUCK_SHARE = 0.75
"""The part of that time after which PostgreSQL is disconnected, if a statement is under way. Work
that only waits behind other work says nothing about the database."""
LOCK_MILLISECONDS = 3000
"""Milliseconds for which another program may lock a SQLite file."""
STATEMENT_SECONDS = 10.0
"""Seconds that PostgreSQL may work on one statement."""
LOCK_SECONDS = 5.0
"""Seconds for which a statement waits there for the rows of another process."""
SILENT_SECONDS = 4.0
"""Seconds after which PostgreSQL ends a transaction in which nothing happens, for instance because
the machine has lost its network: before the locks that it holds have failed the others."""
SERVER_OPTIONS = (
    "tcp_keepalives_idle=5", "tcp_keepalives_interval=2", "tcp_keepalives_count=3",
    "tcp_user_timeout=10s",
)  # fmt: skip
"""How soon PostgreSQL notices that a process is gone."""
CONNECT_OPTIONS: dict[str, Any] = {
    "connect_timeout": 3, "keepalives_idle": 2, "keepalives_interval": 1, "keepalives_count": 3,
    "tcp_user_timeout": 3000,
}  # fmt: skip
"""How soon a lost PostgreSQL server is noticed, in seconds; the last in milliseconds."""
NOTICE_HANG_UP = "SET client_connection_check_interval = 500"
"""How soon PostgreSQL gives up a statement whose client has disconnected, in milliseconds."""
LISTEN_SECONDS = 1.0
"""Seconds for which the listener waits for notifications, and before it reconnects."""
DRIVERS = ("sqlite", "sqlite+pysqlite", "postgresql", "postgresql+psycopg")
MIN_FREE = 16 << 20
"""Bytes on the disk below which it counts as full."""
MAX_CHECK = 16 << 20
"""Bytes up to which a file is checked for damage before the server starts."""
OTHER_VERSION = N_(
    "The database was made by another version of numduel; choose another with --database."
)
UNREACHABLE = N_("The games cannot be reached just now; try again.")


class Database:
    """A SQLite file or a PostgreSQL database."""

    def __init__(self, address: str) -> None:
        self.url = _url(address)
        self.postgresql = self.url.get_backend_name() == "postgresql"
        self.path = None if self.postgresql else Path(self.url.database or "").absolute()
        self.process = secrets.token_hex(8)
        self._file: tuple[int, int] | None = None
        """The device and inode of the file that was opened."""
        self._connections: WeakSet[Any] = WeakSet()
        """All connections to PostgreSQL."""
        self._writes = _engine(self.url, "BEGIN IMMEDIATE", self._connections)
        self._reads = _engine(self.url, "BEGIN", self._connections)
        self._readers = ThreadPoolExecutor(2, "reader")
        self._reading: dict[object, float] = {}
        """When each read that is under way began."""
        self._writer = Writer(self._writes, self.process, self._require_file)
        self._listener: threading.Thread | None = None
        self._closing = threading.Event()

    # -- starting and stopping --------------------------------------------------------------

    def make_tables(self) -> None:
        """Make the tables if there are none; processes wait for each other."""
        try:
            if self.path is not None:
                _make_private(self.path)
                if self.path.stat().st_size <= MAX_CHECK:
                    _require_whole(self.path)
            with self._writes.begin() as connection:
                if self.postgresql:
                    connection.execute(text("SELECT pg_advisory_xact_lock(6180339887)"))
                if not inspect(connection).get_table_names():
                    schema.metadata.create_all(connection)
                    connection.execute(schema.server.insert(), _first_row())
                elif not _is_ours(connection):
                    raise Unavailable(OTHER_VERSION)
            self._checkpoint()
        except (SQLAlchemyError, sqlite3.Error, OSError) as error:
            why = reason(error)
            raise Unavailable(N_("The database cannot be opened: {why}."), why=why) from None
        if self.path is not None:
            self._file = _identity(self.path)

    def secret(self) -> str:
        """The secret with which the server signs, the same in all processes and after a restart.
        The tables must be up to date."""
        with self._reads.connect() as connection:
            return str(connection.execute(select(schema.server.c.secret)).scalar_one())

    def _checkpoint(self) -> None:
        """Move new tables from SQLite's write-ahead log to the file."""
        if self.path is not None:
            with closing(sqlite3.connect(self.path)) as connection:
                connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def open(
        self,
        on_notification: Callable[[dict[str, Any]], None],
        on_missed_notifications: Callable[[], None],
    ) -> None:
        """Start the writer and the listener. In this event loop, `on_notification` is called with
        each payload from another process, and `on_missed_notifications` whenever something may
        have been missed: when the listener has connected, and when a write became durable that
        nobody was waiting for any more."""
        loop = asyncio.get_running_loop()
        if self.postgresql:
            self._writer.envelope = Envelope(self.secret())
        self._writer.start(on_missed_notifications)
        if self._writer.envelope is not None:
            self._listener = threading.Thread(
                target=self._listen,
                args=(loop, self._writer.envelope, on_notification, on_missed_notifications),
                name="listener",
                daemon=True,
            )
            self._listener.start()

    def close(self) -> None:
        """Finish the writes that wait, then disconnect."""
        self._closing.set()
        self._writer.stop(REPLY_SECONDS, self.hang_up)
        if self._listener is not None:
            self._listener.join(2 * LISTEN_SECONDS)
        self._readers.shutdown(cancel_futures=True)
        self._writes.dispose()
        self._reads.dispose()

    # -- reading and writing ----------------------------------------------------------------

    async def write(self, game: str, work: Callable[[Connection], T]) -> T:
        """Do some work on a game in a transaction, which is durable when this returns."""
        written: T = await self._put(Job(game, _future(), work=work))
        return written

    async def append(
        self,
        game: str,
        entries: Sequence[Mapping[str, Any]],
        work: Callable[[Connection], Any] | None = None,
    ) -> bool:
        """Append entries to the log of a game, notify the other processes, and do some work in the
        same transaction, unless the number of the first entry is taken. Returns whether it was
        free."""
        appended: bool = await self._put(Job(game, _future(), entries, work))
        return appended

    async def _put(self, job: Job) -> Any:
        """Queue a job, and wait for it no longer than a request may take."""
        if self._writer.queue.qsize() > MAX_BACKLOG or self._closing.is_set():
            raise Unavailable(N_("The server has too much to do just now; try again in a moment."))
        self._writer.queue.put(job)
        loop = job.future.get_loop()
        giving_up = loop.call_later(REPLY_SECONDS, self._give_up, job.future)
        try:
            return await job.future
        finally:
            giving_up.cancel()

    def _give_up(self, future: asyncio.Future[Any]) -> None:
        if not future.done():
            future.set_exception(Unavailable(UNWRITABLE))
            self._hang_up_if_stuck()

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Read from the database, outside the event loop."""

        def reading() -> T:
            mine = object()
            self._reading[mine] = time.monotonic()
            try:
                self._require_file()
                with self._reads.connect() as connection:
                    return work(connection)
            except (SQLAlchemyError, FileGone) as error:
                log.warning("cannot read", extra={"why": reason(error)})
                raise Unavailable(UNREACHABLE) from None
            finally:
                del self._reading[mine]

        # What is read may be told, in the language of this task.
        told = copy_context().run
        running = asyncio.get_running_loop().run_in_executor(self._readers, told, reading)
        try:
            # Python 3.11's `wait_for` forgets that it was cancelled if the answer comes just then.
            async with asyncio.timeout(REPLY_SECONDS):
                return await running
        except TimeoutError:
            self._hang_up_if_stuck()
            raise Unavailable(UNREACHABLE) from None

    def _hang_up_if_stuck(self) -> None:
        began = [*self._reading.values(), self._writer.began]
        if min(began) < time.monotonic() - STUCK_SHARE * REPLY_SECONDS:
            log.warning("the database does not answer")
            self.hang_up()

    def hang_up(self) -> None:
        """Break the connections to PostgreSQL, so that no thread goes on waiting for it."""
        for connection in list(self._connections):
            # A closed connection has no socket: the driver raises an error of its own.
            with suppress(Exception), socket.socket(fileno=os.dup(connection.fileno())) as wire:
                wire.shutdown(socket.SHUT_RDWR)

    def notify(self, payload: dict[str, Any]) -> None:
        """Notify the other processes once the write that calls this is durable."""
        self._writer.notify(payload)

    # -- health -----------------------------------------------------------------------------

    async def check(self) -> None:
        """Read and write. Raises `Unavailable` if that is impossible, the disk is full, or the
        file was removed or replaced."""
        await self.read(lambda connection: connection.execute(_ANY_GAME).first())
        if self.path is not None and shutil.disk_usage(self.path.parent).free < MIN_FREE:
            raise Unavailable(N_("The disk is full."))
        await self.write("", self._leave_mark)

    def _leave_mark(self, connection: Connection) -> None:
        """Write something that changes nothing."""
        if self.postgresql:
            connection.execute(_SAME_LEASE, {"mine": self.process})
        else:
            connection.execute(_MARK, {"process": "health", "until": time.time()})

    def _require_file(self) -> None:
        """Raise `FileGone` if the file of that name is not the one that was opened."""
        if self.path is not None and self._file is not None and _identity(self.path) != self._file:
            raise FileGone(GONE)

    # -- the listener's thread --------------------------------------------------------------

    def _listen(
        self,
        loop: asyncio.AbstractEventLoop,
        envelope: Envelope,
        on_notification: Callable[[dict[str, Any]], None],
        on_missed_notifications: Callable[[], None],
    ) -> None:
        import psycopg

        _, place = self._reads.dialect.create_connect_args(self.url)
        options: dict[str, Any] = {**place, **_connect_options(), "autocommit": True}
        silent = False
        while not self._closing.is_set():
            try:
                with psycopg.connect(**options) as connection:
                    self._connections.add(connection)
                    connection.execute(f"LISTEN {CHANNEL}")
                    loop.call_soon_threadsafe(on_missed_notifications)
                    silent = False
                    while not self._closing.is_set():
                        for told in connection.notifies(timeout=LISTEN_SECONDS):
                            process, _, content = told.payload.partition(" ")
                            if process != self.process:
                                with suppress(ValueError):  # Somebody else uses this channel.
                                    opened = envelope.open(content, process)
                                    payload = {**orjson.loads(opened), "process": process}
                                    loop.call_soon_threadsafe(on_notification, payload)
                        connection.execute("SELECT")  # Notifications that come now are kept.
            except RuntimeError:  # The event loop is closed: so is the server.
                return
            except Exception as error:
                if not silent:  # Once, however long it lasts.
                    log.warning("cannot listen", extra={"why": reason(error)})
                silent = True
                self._closing.wait(LISTEN_SECONDS)


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


def _future() -> asyncio.Future[Any]:
    return asyncio.get_running_loop().create_future()


def _url(address: str) -> URL:
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        url = None
    if url is None or url.drivername not in DRIVERS:
        raise Unavailable(
            N_("A database is sqlite:////path/to/file.db or postgresql://user@host/name.")
        )
    in_memory = not url.database or url.database.startswith((":memory:", "file:"))
    if url.get_backend_name() == "sqlite" and in_memory:
        raise Unavailable(
            N_("A database in memory forgets every game; name a file: sqlite:////path/to/file.db.")
        )
    return url.set(drivername="postgresql+psycopg") if url.drivername == "postgresql" else url


def _make_private(path: Path) -> None:
    """Create the file if need be, and let only this user read and write it."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    with suppress(PermissionError):  # It belongs to another user, who lets this one write.
        path.chmod(0o600)


def _require_whole(path: Path) -> None:
    """Read a whole SQLite file. Raises an error if it is damaged."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True)) as connection:
        (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise sqlite3.DatabaseError(found)


def _is_ours(connection: Connection) -> bool:
    """Whether the tables are those that the program works with."""
    found = inspect(connection)
    return all(
        found.has_table(table.name)
        and {column["name"] for column in found.get_columns(table.name)} == {*table.columns.keys()}
        for table in schema.metadata.sorted_tables
    )


def _first_row() -> dict[str, Any]:
    """The row of `server` in a new database."""
    return {"secret": secrets.token_urlsafe(32), "uptime": time.time()}


def _identity(path: Path) -> tuple[int, int] | None:
    """The device and inode of a file; None if there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _connect_options() -> dict[str, Any]:
    """How to connect to PostgreSQL, with how long one process may keep it and the others busy."""
    limits = {
        "statement_timeout": STATEMENT_SECONDS,
        "lock_timeout": LOCK_SECONDS,
        "idle_in_transaction_session_timeout": SILENT_SECONDS,
    }
    settings = (
        *(f"{name}={seconds * 1000:.0f}" for name, seconds in limits.items()),
        *SERVER_OPTIONS,
    )
    return CONNECT_OPTIONS | {"options": " ".join(f"-c {setting}" for setting in settings)}


def _engine(url: URL, begin: str, connections: WeakSet[Any]) -> Engine:
    """An engine whose commits are durable."""
    if url.get_backend_name() == "postgresql":
        engine = create_engine(
            url, pool_pre_ping=True, pool_size=2, max_overflow=0,
            connect_args=_connect_options(),
        )  # fmt: skip

        @event.listens_for(engine, "connect")
        def known(connection: Any, _: object) -> None:
            connections.add(connection)
            try:
                connection.execute(NOTICE_HANG_UP)
                connection.commit()
            except engine.dialect.loaded_dbapi.Error:  # Old servers, and some systems, cannot.
                connection.rollback()

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
        if not connection.connection.driver_connection.in_transaction:  # type: ignore[union-attr]
            connection.exec_driver_sql(begin)

    return engine
