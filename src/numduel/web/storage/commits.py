"""Notices when the last transactions of a SQLite file are missing.

SQLite ends its write-ahead log at the first frame whose checksum is wrong, and says nothing: what
came after a damaged byte is gone. So every transaction counts itself, in the file, and when it is
durable, the count is also noted in another file beside it. If the count in the database is lower
when it is opened, transactions are missing. A note without a sync is enough: it outlives the
process, and if the machine loses power, an older note only misses something.
"""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from numduel.system import write_at_start

COUNT = "UPDATE server SET commits = commits + 1 RETURNING commits"
"""Counts the transaction that it is part of."""
SUFFIX = "-commits"


class CommitNote:
    """The file beside the database. Without it, as in a folder that cannot be written, nothing is
    noticed, and nothing else changes."""

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(database.name + SUFFIX)
        self._whose = ""
        self._file: int | None = None

    def open(self, secret: str, count: int) -> int:
        """Open the note of the database with this secret, which has counted so many transactions.
        Returns how many are missing there."""
        self._whose = sha256(secret.encode()).hexdigest()[:16]
        with suppress(OSError):
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        return max(0, self._noted() - count)

    def _noted(self) -> int:
        """The count of the note; 0 if there is none, or it is another database's."""
        with suppress(OSError, ValueError):
            whose, count = self._path.read_text("ascii").split()
            return int(count) if whose == self._whose else 0
        return 0

    def write(self, count: int) -> None:
        """Note that so many transactions are durable."""
        if self._file is not None:
            with suppress(OSError):  # Less would be noticed: no reason to refuse a move.
                write_at_start(self._file, f"{self._whose} {count:020}\n".encode())

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
