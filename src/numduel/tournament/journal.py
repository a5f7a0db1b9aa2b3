"""The file of a tournament: a line that says what it is, and one for every finished game.

Each line is JSON, written whole and down to the disk. What a kill cuts off is a part of the last
line; it is taken away, and that game is played again. One process at a time can hold the file.
"""

from __future__ import annotations

import fcntl
import json
import os
import stat
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from numduel.core.errors import BadRecord
from numduel.core.text import printable
from numduel.store import sync, write
from numduel.tournament.jobs import Key, Result, Tournament

MAX_HEADER = 1 << 16


class Journal:
    """The results of a tournament on disk, held by this process until it is closed."""

    def __init__(self, path: Path, tournament: Tournament, *, fresh: bool = False) -> None:
        self.results: dict[Key, Result] = {}
        self._name = printable(str(path))
        self._file = self._held(path)
        try:
            self._start(path, tournament, fresh)
        except BaseException:
            os.close(self._file)
            raise

    def add(self, result: Result) -> bool:
        """Keep a result, unless that game has one already; say whether it was kept."""
        if result.key in self.results:
            return False
        write(self._file, _line(result.json()))
        self.results[result.key] = result
        return True

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _held(self, path: Path) -> int:
        """The file, open and locked. A lock goes with its process, however that ends."""
        try:
            file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK, 0o644)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or "that is not the name of a file"
            raise BadRecord(f"{self._name} cannot be opened: {why}.") from None
        try:
            if not stat.S_ISREG(os.fstat(file).st_mode):
                raise BadRecord(f"{self._name} is not a file.")
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
            raise BadRecord(f"{self._name} is being written by another tournament.") from None
        except BadRecord:
            os.close(file)
            raise
        return file

    def _start(self, path: Path, tournament: Tournament, fresh: bool) -> None:
        head = _line(tournament.header())
        most = max(MAX_HEADER, len(head.encode()))
        begun = b"" if fresh else os.pread(self._file, most, 0)
        # A kill may have come while the first line was written.
        if b"\n" not in begun and head.encode().startswith(begun):
            os.ftruncate(self._file, 0)
            write(self._file, head)
            with suppress(OSError):
                sync(path.resolve().parent)
            return
        self._compare(begun.partition(b"\n")[0], tournament)
        self._read({job.key for job in tournament.jobs()})

    def _compare(self, line: bytes, tournament: Tournament) -> None:
        """Refuse the file of another tournament, or of none."""
        try:
            found = json.loads(line)
        except ValueError:
            found = None
        if not isinstance(found, dict) or found.get("tournament") != "numduel":
            raise BadRecord(f"{self._name} is not the file of a tournament.")
        for key, value in json.loads(_line(tournament.header())).items():
            if found.get(key) != value:
                its, other = (printable(json.dumps(one), 200) for one in (found.get(key), value))
                raise BadRecord(
                    f"{self._name} holds a tournament with {key} {its}, not {other}; choose another"
                    " --file, or --fresh to start anew."
                )

    def _read(self, known: set[Key]) -> None:
        """Read the results; cut off a line that does not end."""
        os.lseek(self._file, 0, os.SEEK_SET)
        with open(os.dup(self._file), "rb") as file:
            whole, end, _ = file.read().rpartition(b"\n")
        for number, line in enumerate(whole.split(b"\n")[1:], 2):
            try:
                result = Result.read(json.loads(line))
                if result.key not in known:
                    raise ValueError
            except (KeyError, TypeError, ValueError, RecursionError):
                raise BadRecord(
                    f"{self._name}: line {number} is not a result of this tournament; --fresh"
                    " starts anew."
                ) from None
            self.results.setdefault(result.key, result)
        size = len(whole) + len(end)
        os.ftruncate(self._file, size)
        os.lseek(self._file, size, os.SEEK_SET)


def _line(data: dict[str, object]) -> str:
    return json.dumps(data, ensure_ascii=False) + "\n"
