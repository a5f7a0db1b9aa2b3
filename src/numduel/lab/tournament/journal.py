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
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Self

from numduel.core.errors import BadRecord
from numduel.core.text import printable
from numduel.files import append, lock, sync, unlock
from numduel.lab.tournament.jobs import Key, Result, Tournament

if TYPE_CHECKING:
    from filelock import BaseFileLock

MAX_HEADER = 1 << 16
MAX_TOLD = 80
"""Characters that a message quotes of a file."""
ADVICE = "choose another --file, or start over with --fresh."


class Journal:
    """The results of a tournament on disk, locked by this process until it is closed."""

    def __init__(self, path: Path, tournament: Tournament, *, fresh: bool = False) -> None:
        self.results: dict[Key, Result] = {}
        """Of the rounds that the tournament has."""
        self.others = 0
        """How many lines of the file are about later rounds, or repeat a result."""
        self._name = printable(str(path))
        self._file = self._opened(path)
        try:
            self._lock = self._locked(path)
        except BaseException:
            self._file.close()
            raise
        try:
            self._start(path, tournament, fresh)
        except BaseException:
            self.close()
            raise

    def add(self, result: Result) -> bool:
        """Write a result, unless the game has one already; whether it was written."""
        if result.key in self.results:
            return False
        append(self._file.fileno(), _line(result.json()))
        self.results[result.key] = result
        return True

    def close(self) -> None:
        """Close the file, and let other processes write to it."""
        self._file.close()
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

    def _start(self, path: Path, tournament: Tournament, fresh: bool) -> None:
        head = _line(tournament.header())
        most = max(MAX_HEADER, len(head.encode()))
        begun = b"" if fresh else self._file.read(most)
        # The process may have been killed while it wrote the first line.
        if b"\n" not in begun and head.encode().startswith(begun):
            self._cut(0)
            append(self._file.fileno(), head)
            with suppress(OSError):
                sync(path.resolve().parent)
            return
        self._compare(begun.partition(b"\n")[0], tournament)
        self._read(tournament)

    def _compare(self, line: bytes, tournament: Tournament) -> None:
        """Refuse the file of another tournament, or of none."""
        try:
            found = json.loads(line)
        except ValueError:
            found = None
        if not isinstance(found, dict) or found.get("tournament") != "numduel":
            raise BadRecord(f"{self._name} is not a tournament file.")
        wanted = json.loads(_line(tournament.header()))
        self._compare_files(found, wanted)
        for key, value in wanted.items():
            if found.get(key) != value:
                its, other = (_told(one) for one in (found.get(key), value))
                raise BadRecord(
                    f"{self._name} holds a tournament with {key.replace('_', ' ')} {its}, not"
                    f" {other}; {ADVICE}"
                )

    def _compare_files(self, found: dict[str, Any], wanted: dict[str, Any]) -> None:
        with suppress(AttributeError, KeyError, TypeError):
            before = {one["name"]: one["files"] for one in found["players"]}
            for one in wanted["players"]:
                differing = before[one["name"]].items() ^ one["files"].items()
                if names := sorted({name for name, _ in differing}):
                    raise BadRecord(
                        f"{one['name']} has changed since {self._name} was begun"
                        f" ({printable(', '.join(names), 200)}); {ADVICE}"
                    )

    def _read(self, tournament: Tournament) -> None:
        """Read the results; an incomplete last line is removed."""
        self._file.seek(0)
        whole, end, _ = self._file.read().rpartition(b"\n")
        for number, line in enumerate(whole.split(b"\n")[1:], 2):
            try:
                result = Result.read(json.loads(line))
                if not tournament.has(result.key):
                    raise ValueError
            except (KeyError, TypeError, ValueError, RecursionError):
                raise BadRecord(
                    f"{self._name}: line {number} is not a result of this tournament; --fresh"
                    " starts over."
                ) from None
            if result.index < tournament.rounds and result.key not in self.results:
                self.results[result.key] = result
            else:
                self.others += 1
        self._cut(len(whole) + len(end))

    def _cut(self, size: int) -> None:
        """Shorten the file, and go on from its end."""
        self._file.truncate(size)
        self._file.seek(size)


def _told(value: object) -> str:
    """A value of the first line, short enough for a sentence."""
    if isinstance(value, list):
        return printable(", ".join(map(_told, value)), MAX_TOLD)
    if isinstance(value, dict):
        settings = value.get("variant")
        pairs = settings.items() if isinstance(settings, dict) else ()
        more = " ".join(f"{key}={setting}" for key, setting in pairs)
        name, spec = value.get("name", value.get("game")), value.get("spec")
        more = more or (str(spec) if spec != name and spec is not None else "")
        return f"{name} ({more})" if more else str(name)
    return printable(str(value), MAX_TOLD)


def _created(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_CREAT, 0o644)


def _line(data: dict[str, object]) -> str:
    return json.dumps(data, ensure_ascii=False) + "\n"
