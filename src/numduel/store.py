"""Where games are kept: one file each, written after every move so that nothing is ever lost."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from numduel.core.errors import BadRecord
from numduel.core.text import printable
from numduel.record import UNFINISHED, Record, read


class SaveFile:
    """A game on disk, held by this process until it is closed.

    Each save writes a new file beside the old one and then takes its place, so that a reader,
    or a process killed at any moment, sees one whole record or the next, never a part.
    The lock is on the file itself and is taken before it is put in place.
    """

    def __init__(self, path: Path, file: int | None = None) -> None:
        self.path = path.resolve()
        self._file = file
        self.written = file is not None

    def save(self, record: Record) -> None:
        """Write the record; raises OSError if that is not possible, and changes nothing then."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        new = self.path.with_name(f".{self.path.name}.part")
        new.unlink(missing_ok=True)
        file = os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if self._file is not None:
                os.fchmod(file, os.fstat(self._file).st_mode & 0o777)
            write(file, record.text())
            os.replace(new, self.path)
        except BaseException:
            os.close(file)
            with suppress(OSError):
                new.unlink()
            raise
        self.close()
        self._file = file
        self.written = True
        # The record is in place; this only makes its name outlive a power cut.
        with suppress(OSError):
            sync(self.path.parent)

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def folder() -> Path:
    """Where the games of this user are kept."""
    from platformdirs import user_data_path

    return user_data_path("numduel", appauthor=False) / "games"


def new(record: Record) -> SaveFile:
    """A place for a new game, unlike any other; nothing is written yet."""
    stamp = f"{datetime.now():%Y-%m-%d-%H%M%S}-{record.game.name}-{os.urandom(4).hex()}.duel"
    return SaveFile(folder() / stamp)


def hold(path: Path) -> SaveFile:
    """The file of a game to go on with; `BadRecord` if another process is playing it."""
    name = printable(path.name)
    while True:
        try:
            file = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or "that is not the name of a file"
            raise BadRecord(f"{name} cannot be opened: {why}.") from None
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(file).st_ino == os.stat(path).st_ino:
                return SaveFile(path, file)
        except OSError:
            os.close(file)
            raise BadRecord(f"{name} is being played in another window.") from None
        os.close(file)


def kept(*, finished: bool) -> list[tuple[Path, Record]]:
    """The games of this user, the latest first; broken files are passed over."""
    found = []
    try:
        paths = list(folder().glob("*.duel"))
    except (OSError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or "it cannot be found"
        raise BadRecord(f"The folder of kept games cannot be read: {why}.") from None
    for path in paths:
        try:
            record = read(path)
        except BadRecord:
            continue
        if (record.result != UNFINISHED) == finished:
            found.append((path, record))
    return sorted(found, key=lambda pair: (str(pair[1].date or ""), pair[0].name), reverse=True)


def export(text: str, path: Path) -> None:
    """Write a text to a new file of the user's choice; an existing one is left alone."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    try:
        write(file, text)
    except OSError:
        path.unlink()
        raise
    finally:
        os.close(file)


def write(file: int, text: str) -> None:
    """Write a text to an open file, down to the disk."""
    data = text.encode("utf-8")
    while data:
        data = data[os.write(file, data) :]
    os.fsync(file)


def sync(folder: Path) -> None:
    """See that the names in a folder are on the disk, as their contents are."""
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
