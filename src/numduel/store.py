"""Where games are saved: one file each, written after every move so that nothing is ever lost."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from numduel.core.errors import BadRecord
from numduel.core.text import printable
from numduel.record import UNFINISHED, Record, read

if TYPE_CHECKING:
    from filelock import BaseFileLock

LOCK_TIMEOUT = 0.2
"""Seconds to wait for a lock that another process is about to give up."""
LOCK_INTERVAL = 0.02
"""Seconds between two tries."""


class SaveFile:
    """A game on disk. Until it is closed, only this process can play it; others can read it.

    Each save writes a new file beside the old one and then takes its place, so that a reader, or a
    process killed at any moment, leaves one whole record or the next, never a part of one.
    """

    def __init__(
        self, path: Path, lock: BaseFileLock | None = None, *, on_disk: bool = False
    ) -> None:
        self.path = path.resolve()
        self.on_disk = on_disk
        """Whether there is a file yet."""
        self._lock = lock

    def save(self, record: Record) -> None:
        """Write the record; raises OSError if that is not possible, and changes nothing then."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if self._lock is None:
            self._lock = lock(self.path)
        part = self.path.with_name(f".{self.path.name}.part")
        part.unlink(missing_ok=True)
        try:
            # Mode "x" fails on anything that is there, also on a link to somewhere else.
            with open(part, "xb", buffering=0, opener=_private) as file:
                write(file.fileno(), record.text())
            with suppress(FileNotFoundError):
                part.chmod(self.path.stat().st_mode & 0o777)
            part.replace(self.path)
        except BaseException:
            with suppress(OSError):
                part.unlink()
            raise
        self.on_disk = True
        # The record is in place; this only makes its name outlive a power cut.
        with suppress(OSError):
            sync(self.path.parent)

    def close(self) -> None:
        """Let other processes play the game."""
        if self._lock is not None:
            unlock(self._lock)
            self._lock = None


def folder() -> Path:
    """The folder that the games of this user are in."""
    from platformdirs import user_data_path

    return user_data_path("numduel", appauthor=False) / "games"


def new_save(record: Record) -> SaveFile:
    """A save file for a new game, under a name of its own; nothing is written yet."""
    stamp = f"{datetime.now():%Y-%m-%d-%H%M%S}-{record.game.name}-{os.urandom(4).hex()}.duel"
    return SaveFile(folder() / stamp)


def open_save(path: Path) -> SaveFile:
    """The save file of a game to go on with; `BadRecord` if another process is playing it.

    Read the record after this, not before: until then, another process may have added moves.
    """
    name = printable(path.name)
    try:
        path = path.resolve()
        with open(path, "r+b", buffering=0):
            pass
    except (OSError, RuntimeError, ValueError) as error:
        why = getattr(error, "strerror", None) or "that is not the name of a file"
        raise BadRecord(f"{name} cannot be opened: {why}.") from None
    try:
        return SaveFile(path, lock(path), on_disk=True)
    except BlockingIOError:
        raise BadRecord(f"{name} is being played in another window.") from None
    except OSError:
        # In a folder that takes no new files the game cannot be saved either, from no window.
        return SaveFile(path, on_disk=True)


def saved_games(*, finished: bool) -> list[tuple[Path, Record]]:
    """The games of this user, the latest first; broken files are left out."""
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
    file = open(path, "xb", buffering=0)  # noqa: SIM115
    try:
        with file:
            write(file.fileno(), text)
    except OSError:
        path.unlink()
        raise


# -- for files of any kind ------------------------------------------------------------------


def lock(path: Path) -> BaseFileLock:
    """Lock a file; `BlockingIOError` if another process has locked it.

    The lock is on a hidden file beside it. The operating system takes it back when the process
    ends, in whatever way, so a lock file that a killed process left behind locks nothing.
    """
    from filelock import FileLock, Timeout

    found = FileLock(_lock_file(path), timeout=LOCK_TIMEOUT, thread_local=False)
    try:
        found.acquire(poll_interval=LOCK_INTERVAL)
    except Timeout:
        raise BlockingIOError(errno.EWOULDBLOCK, "another process is using it") from None
    return found


def unlock(found: BaseFileLock) -> None:
    """Give up a lock, and remove its file.

    The file is removed first. Afterwards it may already be the next process's lock, and removing it
    would let a third one in. A process that opened it just before notices, and tries again. Windows
    refuses to remove a locked file; there, `release` removes it.
    """
    with suppress(OSError):
        os.unlink(found.lock_file)
    found.release()


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


def _lock_file(path: Path) -> Path:
    return path.with_name(f".{path.name}.lock")


def _private(path: str, flags: int) -> int:
    """Open a file that only its owner can read."""
    return os.open(path, flags, 0o600)
