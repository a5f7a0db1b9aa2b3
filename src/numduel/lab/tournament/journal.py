"""The file of a tournament: a line that says what it is and promises its secret, one for every
finished game, and one that tells the secret when all are finished.

Each line is JSON, and is on the disk before the next game is counted. If the process is killed
while it writes, the last line may be incomplete; it is removed, and that game is played again. Only
one process can write to the file at a time.

A tournament with more rounds continues in the same file, with a line that promises another secret
if the last one has been told, or is lost. One with fewer rounds takes its games from the file, and
leaves the others there; it tells no secret that they, too, came from.
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
from numduel.lab.tournament.jobs import FORMAT, Key, Result, Tournament
from numduel.lab.tournament.secret import ADVICE, Secret, secrets_for

if TYPE_CHECKING:
    from filelock import BaseFileLock

MAX_HEADER = 1 << 16
MAX_TOLD = 80
"""Characters that a message quotes of a file."""
MARK = b'{"tournament": "numduel"'
"""What the file of a tournament begins with."""


class Journal:
    """The results of a tournament on disk, locked by this process until it is closed."""

    def __init__(self, path: Path, tournament: Tournament, *, fresh: bool = False) -> None:
        self.results: dict[Key, Result] = {}
        """Of the rounds that the tournament has."""
        self.others = 0
        """How many lines after the first are about later rounds or secrets, or repeat a result."""
        self.told: set[Secret] = set()
        """The secrets that the file tells."""
        self.mixed = False
        """Whether games come from a secret before the one of their round: it was lost then."""
        self.held: list[Secret] = []
        """The secrets that this process alone knows, until it tells or saves them."""
        self._tournament = tournament
        self._has_later = False
        self._name = printable(str(path))
        self._file = self._opened(path)
        try:
            self._lock = self._locked(path)
        except BaseException:
            self._file.close()
            raise
        try:
            self._start(path, fresh)
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

    def reveal(self) -> None:
        """Tell the secrets, once, when every game that comes from them has been played."""
        for secret in tuple(self.held):
            if secret.start < self._tournament.rounds and not self._has_later:
                self._note(secret.told)
                self.told.add(secret)
                self.held.remove(secret)

    def close(self) -> None:
        """Save the secrets that the file does not tell, close it, and let other processes write to
        it. Those that cannot be saved, or that an interruption leaves unsaved, are still held."""
        try:
            for secret in tuple(self.held):
                with suppress(OSError):
                    secret.keep()
                    self.held.remove(secret)
        finally:
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

    def _start(self, path: Path, fresh: bool) -> None:
        if not fresh:
            self._check_secrets(path)
        _, *more = self._tournament.secrets
        head = _line(self._tournament.header())
        most = max(MAX_HEADER, len(head.encode()))
        begun = b"" if fresh else self._file.read(most)
        # The process may have been killed while it wrote the first line: there is no game yet.
        if b"\n" not in begun and len(begun) < most and begun[: len(MARK)] == MARK[: len(begun)]:
            self._cut(0)
            self._hold()
            append(self._file.fileno(), head)
            with suppress(OSError):
                sync(path.resolve().parent)
            promised: list[Secret] = []
        else:
            self._compare(begun.partition(b"\n")[0])
            promised = self._read(more)
            self._hold()
        for secret in more:
            if secret not in promised:
                self._note(secret.promise)
                self._see_promised(secret)

    def _hold(self) -> None:
        """Have the secrets in memory alone: from now on, players may look for them."""
        known = [one for one in self._tournament.secrets if not one.lost]
        self.held = [one for one in known if one not in self.told]
        for secret in known:
            secret.forget()

    def _see_promised(self, secret: Secret) -> None:
        self.mixed |= any(result.index >= secret.start for result in self.results.values())

    def _note(self, line: dict[str, object]) -> None:
        """Write a line that is not a result."""
        append(self._file.fileno(), _line(line))
        self.others += 1

    def _compare(self, line: bytes) -> None:
        """Refuse the file of another tournament, or of none."""
        try:
            found = json.loads(line)
        except ValueError:
            found = None
        if not isinstance(found, dict) or found.get("tournament") != "numduel":
            raise BadRecord(f"{self._name} is not a tournament file.")
        if "seed" in found:
            raise BadRecord(
                f"{self._name} is from a version of numduel whose players could work out cards and"
                f" seeds; {ADVICE}"
            )
        check_format(found, self._name)
        wanted = json.loads(_line(self._tournament.header()))
        found.setdefault("format", FORMAT)
        self._compare_files(found, wanted)
        for key, value in wanted.items():
            if found.get(key) != value:
                its, other = (_told(one) for one in (found.get(key), value))
                raise BadRecord(
                    f"{self._name} holds a tournament with {key.replace('_', ' ')} {its}, not"
                    f" {other}; {ADVICE}"
                )

    def _check_secrets(self, path: Path) -> None:
        """Refuse secrets that were worked out before the file was locked, if another process has
        written to it since, or has saved a secret that seemed to be lost."""
        known = [str(one) for one in self._tournament.secrets if not one.lost]
        with suppress(BadRecord):
            found = secrets_for(path, self._tournament.rounds, known)
            if found == self._tournament.secrets:
                return
        raise BadRecord(
            f"{self._name} was being written until just now; run the same command again."
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

    def _read(self, more: list[Secret]) -> list[Secret]:
        """Read the results, and return which of the later secrets are promised; an incomplete last
        line is removed."""
        self._file.seek(0)
        whole, end, _ = self._file.read().rpartition(b"\n")
        promised: list[Secret] = []
        for number, line in enumerate(whole.split(b"\n")[1:], 2):
            try:
                read = json.loads(line)
                new = [one for one in more if one.promise == read]
                told = [one for one in self._tournament.secrets if one.told == read]
                if new or told:
                    for secret in new:
                        promised.append(secret)
                        self._see_promised(secret)
                    self.told.update(told)
                    self.others += 1
                    continue
                result = Result.read(read)
                if not self._tournament.has(result.key):
                    raise ValueError
            except (KeyError, TypeError, ValueError, RecursionError):
                raise BadRecord(
                    f"{self._name}: line {number} is not a result of this tournament; --fresh"
                    " starts over."
                ) from None
            later = result.index >= self._tournament.rounds
            self._has_later |= later
            if later or result.key in self.results:
                self.others += 1
            else:
                self.results[result.key] = result
        self._cut(len(whole) + len(end))
        return promised

    def _cut(self, size: int) -> None:
        """Shorten the file, and go on from its end."""
        self._file.truncate(size)
        self._file.seek(size)


def check_format(header: dict[str, Any], name: str) -> None:
    """Raise `BadRecord` if the first line of a file says that this version cannot read it."""
    if header.get("format", FORMAT) != FORMAT:
        raise BadRecord(
            f"{name} is written in format {_told(header['format'])}; this version of numduel reads"
            f" format {FORMAT}."
        )


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
