"""The file of a tournament: a line that says what it is, and one for every finished game.

Each line is JSON, and is on the disk before the next game is counted. If the process is killed
while it writes, the last line may be incomplete; it is removed, and that game is played again. Only
one process can write to the file at a time.

A tournament with more rounds continues in the same file. One with fewer rounds takes its games from
the file, and leaves the others there.
"""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Self

from numduel.core.errors import BadRecord
from numduel.core.text import printable
from numduel.files import append, lock, unlock
from numduel.lab.tournament.jobs import FORMAT, Key, Result, Tournament

if TYPE_CHECKING:
    from filelock import BaseFileLock

ADVICE = "choose another --file, or start over with --fresh."
MAX_QUOTED = 80
"""Characters that a message quotes of a file."""


class ResultFile:
    """The results of a tournament on disk, locked by this process until it is closed."""

    def __init__(self, path: Path, tournament: Tournament, *, fresh: bool = False) -> None:
        self.results: dict[Key, Result] = {}
        """Of the rounds that the tournament has."""
        self._tournament = tournament
        self._name = printable(str(path))
        self._file = self._opened(path)
        try:
            self._lock = self._locked(path)
        except BaseException:
            self._file.close()
            raise
        try:
            self._start(fresh)
        except BaseException:
            self.close()
            raise

    def add(self, result: Result) -> None:
        """Write a result."""
        # Counted first: Ctrl-C comes while the system writes, and then the line is there.
        self.results[result.key] = result
        append(self._file.fileno(), _line(result.json()))

    def close(self) -> None:
        """Close the file, and let other processes write to it."""
        try:
            self._file.close()
        finally:
            unlock(self._lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _opened(self, path: Path) -> BinaryIO:
        try:
            file = open(path, "r+b", buffering=0, opener=_created)  # noqa: SIM115
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or "that is not a file name"
            raise BadRecord(f"{self._name} cannot be opened: {why}.") from None
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            file.close()
            raise BadRecord(f"{self._name} is not a file.")
        return file

    def _locked(self, path: Path) -> BaseFileLock:
        try:
            return lock(path.resolve())
        except BlockingIOError:
            raise BadRecord(f"{self._name} is being written by another tournament.") from None
        except OSError as error:
            why = error.strerror or str(error)
            raise BadRecord(f"{self._name} cannot be locked: {why}.") from None

    def _start(self, fresh: bool) -> None:
        """Read what is there; an incomplete last line is removed."""
        head = _line(self._tournament.header())
        text = b"" if fresh else self._file.read()
        whole = text[: text.rfind(b"\n") + 1]
        # The process may have been killed while it wrote the first line: there is no game yet.
        begins = not whole and head.encode().startswith(text)
        if not begins:
            first, *others = whole.splitlines() or [text]
            self._compare(first)
            for number, line in enumerate(others, 2):
                self._read(number, line)
        self._file.truncate(len(whole))
        self._file.seek(len(whole))
        if begins:
            append(self._file.fileno(), head)

    def _compare(self, line: bytes) -> None:
        """Refuse the file of another tournament, or of none."""
        try:
            found = json.loads(line)
        except ValueError:
            found = None
        if not isinstance(found, dict) or found.get("tournament") != "numduel":
            raise BadRecord(f"{self._name} is not a tournament file.")
        wanted: dict[str, Any] = json.loads(_line(self._tournament.header()))
        if found.get("format") != FORMAT:
            raise BadRecord(
                f"{self._name} is not written in format {FORMAT}, which this version of numduel"
                f" reads; {ADVICE}"
            )
        for key, value in wanted.items():
            if found.get(key) != value:
                its = printable(json.dumps(found.get(key), ensure_ascii=False), MAX_QUOTED)
                raise BadRecord(f"{self._name} holds a tournament with {key} {its}; {ADVICE}")

    def _read(self, number: int, line: bytes) -> None:
        try:
            result = Result.read(json.loads(line))
            if not self._tournament.has(result.key):
                raise ValueError
        except (KeyError, TypeError, ValueError, RecursionError):
            raise BadRecord(
                f"{self._name}: line {number} is not a result of this tournament; --fresh"
                " starts over."
            ) from None
        if result.index < self._tournament.rounds:
            self.results.setdefault(result.key, result)


def _created(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_CREAT, 0o644)


def _line(data: dict[str, object]) -> str:
    return json.dumps(data, ensure_ascii=False) + "\n"
