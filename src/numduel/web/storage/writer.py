"""The writer of a process: one thread, whose transactions many share (group commit).

Moves are written all the time: they go to the driver of the database as they are, on PostgreSQL all
of a transaction in one round trip. Everything else goes through SQLAlchemy in the same transaction.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from math import inf
from queue import Empty, SimpleQueue
from typing import Any

import orjson
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from numduel.core.language import N_
from numduel.web.http.errors import Refusal, Unavailable
from numduel.web.storage.envelope import Envelope

log = logging.getLogger(__name__)
CHANNEL = "numduel"
"""The channel on which the processes notify each other."""
MAX_BATCH = 256
"""Writes in one commit, at most."""
STALE_SECONDS = 1.0
"""Seconds after which an idle connection is tested before use: PostgreSQL may have restarted."""
COMMIT_SECONDS = 0.02
"""Seconds from one commit to the next, at least. A single move is committed at once; many share a
commit, which takes a fraction of the processor time."""
UNWRITABLE = N_("The games cannot be written just now; try again in a moment.")
GONE = N_("The database file was removed or replaced; the server must be started again.")
APPEND = (
    "INSERT INTO log (game, number, seat, kind, text, at, token)"
    " VALUES (:game, :number, :seat, :kind, :text, :at, :token) ON CONFLICT DO NOTHING"
)
APPEND_AND_NOTIFY = (
    "WITH entries AS (SELECT * FROM json_to_recordset(%s) AS entries (game text, number int,"
    " seat int, kind text, text text, at float, token text, told text)),"
    " appended AS (INSERT INTO log (game, number, seat, kind, text, at, token)"
    " SELECT game, number, seat, kind, text, at, token FROM entries"
    " ON CONFLICT DO NOTHING RETURNING game, number)"
    f" SELECT game, number, pg_notify('{CHANNEL}', told) FROM appended JOIN entries"
    " USING (game, number)"
)
"""Many entries in one round trip, which takes longest."""
NOTIFY = f"SELECT pg_notify('{CHANNEL}', told) FROM json_array_elements_text(%s) AS told"


class FileGone(Exception):
    """The open file is no longer the one of that name."""


@dataclass(eq=False, slots=True)
class Job:
    """Something to write about a game, and the future of its result."""

    game: str
    future: asyncio.Future[Any]
    entries: Sequence[Mapping[str, Any]] = ()
    """Entries of the log. If the number of the first is taken, nothing is written, and the result
    is False. The others cannot collide: whoever wrote the first knew everything before it."""
    work: Callable[[Connection], Any] | None = None
    """Done after that; without entries, what it returns is the result. If it raises a `Refusal`,
    nothing is written, and whoever waits for the result is told that."""
    result: Any = None
    error: BaseException | None = None

    @property
    def is_simple(self) -> bool:
        """Whether it is one statement, as most moves are."""
        return len(self.entries) == 1 and self.work is None


class Writer:
    """Writes to a database."""

    def __init__(self, engine: Engine, process: str, require_file: Callable[[], None]) -> None:
        self.queue: SimpleQueue[Job | None] = SimpleQueue()
        self._engine = engine
        self._postgresql = engine.dialect.name == "postgresql"
        self._process = process
        self._require_file = require_file
        """Raises `FileGone` if a write would be lost."""
        driver: Any = engine.dialect.loaded_dbapi
        self._hopeless = OperationalError, driver.OperationalError, FileGone
        """Errors of the database itself, not of one write."""
        self._connection: Connection | None = None
        """Kept until it fails."""
        self._driver: Any = None
        """The driver's connection behind it."""
        self._used = 0.0
        """When it was last used."""
        self.began = inf
        """When the write that is under way began; infinite if there is none."""
        self.envelope: Envelope | None = None
        """Seals what the other processes are told; the database has the secret. Without one,
        nothing is written to PostgreSQL."""
        self._notices: list[str] = []
        """The notifications of the transaction that is being written."""
        self._thread: threading.Thread | None = None

    def start(self, on_late: Callable[[], None]) -> None:
        """Start the thread. `on_late` is called in this event loop when a write became durable
        that nobody was waiting for any more."""
        loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, args=(loop, on_late), name="writer")
        self._thread.start()

    def stop(self, seconds: float, hang_up: Callable[[], None]) -> None:
        """Finish the waiting writes; after some seconds, disconnect the database."""
        if self._thread is not None:
            self.queue.put(None)
            self._thread.join(seconds)
            if self._thread.is_alive():
                log.warning("the database does not answer")
                hang_up()
                self._thread.join()

    def _run(self, loop: asyncio.AbstractEventLoop, on_late: Callable[[], None]) -> None:
        due = 0.0
        while True:
            batch, last = self._batch(due)
            if batch:
                self.began = time.monotonic()
                due = self.began + COMMIT_SECONDS
                self.commit(batch)
                self.began = inf
                loop.call_soon_threadsafe(_settle, batch, on_late)
            if last:
                self._disconnect()
                return

    def _batch(self, due: float) -> tuple[list[Job], bool]:
        """The waiting writes when the next commit is due, and whether they are the last. They are
        sorted by game, so that two processes never deadlock on each other's rows."""
        job = self.queue.get()
        if job is not None and (early := due - time.monotonic()) > 0:
            time.sleep(early)
        batch: list[Job] = []
        while job is not None:
            if not job.future.done():  # Otherwise nobody waits for it any more.
                batch.append(job)
            if len(batch) == MAX_BATCH:
                break
            try:
                job = self.queue.get_nowait()
            except Empty:
                break
        batch.sort(key=lambda job: job.game)
        return batch, job is None

    def commit(self, batch: list[Job]) -> None:
        """Write a batch in one transaction; if that fails, each alone."""
        try:
            self._require_file()
            connection = self._connected()
            if self._postgresql:
                self._write_to_postgresql(connection, batch)
            else:
                self._write(connection, batch)
            self._require_file()
        except Exception as error:
            self._disconnect()
            if len(batch) == 1 or isinstance(error, self._hopeless):
                if not isinstance(error, Refusal):
                    log.warning("cannot write", extra={"why": reason(error)})
                for job in batch:
                    job.error = error
            else:  # One of them failed; the others must not.
                for job in batch:
                    if job.future.done():  # It was refused meanwhile.
                        job.error = error
                    else:
                        self.commit([job])

    def _write(self, connection: Connection, batch: list[Job]) -> None:
        self._driver.execute("BEGIN IMMEDIATE")
        for job in batch:
            self._do(connection, job)
        self._end(connection)

    def _write_to_postgresql(self, connection: Connection, batch: list[Job]) -> None:
        """Write with as few round trips as possible: one, if there are only moves."""
        alone = all(job.is_simple for job in batch)
        self._notices.clear()
        if not alone:
            self._driver.execute("BEGIN")
        for simple, jobs in groupby(batch, lambda job: job.is_simple):
            if simple:
                self._append_together(list(jobs))
            else:
                for job in jobs:
                    self._do(connection, job)
        if self._notices:
            self._driver.execute(NOTIFY, (orjson.dumps(self._notices).decode(),))
        if not alone:
            self._end(connection)

    def notify(self, payload: Mapping[str, Any]) -> None:
        """Notify the other processes once the transaction is durable; for a job's work."""
        if self._postgresql:
            self._notices.append(self._told(payload))

    def _told(self, payload: Mapping[str, Any]) -> str:
        """A notification. The process comes first, so that it need not open its own."""
        if self.envelope is None:
            raise RuntimeError("the database has not been opened")
        sealed = self.envelope.seal(orjson.dumps(payload), self._process)
        return f"{self._process} {sealed}"

    def _do(self, connection: Connection, job: Job) -> None:
        """Write a job, statement by statement."""
        for entry in job.entries:
            if not self._append([entry]):
                job.result = False
                return
        outcome = job.work(connection) if job.work else True
        job.result = True if job.entries else outcome

    def _append_together(self, jobs: list[Job]) -> None:
        """Write simple jobs in one statement."""
        appended = self._append([job.entries[0] for job in jobs])
        for job in jobs:
            key = job.game, job.entries[0]["number"]
            job.result = key in appended
            appended.discard(key)

    def _append(self, entries: Sequence[Mapping[str, Any]]) -> set[tuple[str, int]]:
        """Append entries to the logs of games and notify the other processes, unless their numbers
        are taken. Returns those that were appended."""
        if self._postgresql:
            once: dict[tuple[str, int], Mapping[str, Any]] = {}
            for entry in entries:  # Of two with one number the first is appended, and told.
                once.setdefault((entry["game"], entry["number"]), entry)
            told = [{**entry, "told": self._told(entry)} for entry in once.values()]
            found = self._driver.execute(APPEND_AND_NOTIFY, (orjson.dumps(told).decode(),))
            return {(game, number) for game, number, _ in found}
        return {
            (entry["game"], entry["number"])
            for entry in entries
            if self._driver.execute(APPEND, entry).rowcount == 1
        }

    def _end(self, connection: Connection) -> None:
        """Commit, through SQLAlchemy if that has been used."""
        if self._postgresql and self._driver.info.transaction_status.name == "INERROR":
            raise RuntimeError("a statement failed, and nobody said so")
        if connection.in_transaction():
            connection.commit()
        else:
            self._driver.execute("COMMIT")

    def _connected(self) -> Connection:
        """A connection whose transactions are begun and ended by hand."""
        now = time.monotonic()
        stale = self._postgresql and now > self._used + STALE_SECONDS
        if self._connection is not None and stale:
            self._connection.close()  # The pool tests it before it hands it out again.
            self._connection = None
        if self._connection is None:
            options = {"isolation_level": "AUTOCOMMIT"}
            self._connection = self._engine.connect().execution_options(**options)
            self._driver = self._connection.connection.driver_connection
        self._used = now
        return self._connection

    def _disconnect(self) -> None:
        """Close the connection after a failure; the next batch opens another."""
        connection, self._connection, self._driver = self._connection, None, None
        if connection is not None:
            with suppress(SQLAlchemyError):
                connection.invalidate()
            connection.close()


def _settle(batch: list[Job], on_late: Callable[[], None]) -> None:
    """Hand out the results."""
    late = False
    for job in batch:
        if job.future.done():
            late = late or job.error is None
        elif job.error is None:
            job.future.set_result(job.result)
        else:
            known = isinstance(job.error, Refusal)
            job.future.set_exception(job.error if known else Unavailable(UNWRITABLE))
    if late:
        on_late()


def reason(error: BaseException) -> str:
    """Why something failed, in one line."""
    why = str(getattr(error, "orig", None) or getattr(error, "strerror", None) or error)
    return why.strip().split("\n")[0][:200].rstrip(".")
