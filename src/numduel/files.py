"""File operations: atomic replacement, durable writes, small data, and locks between processes."""

from __future__ import annotations

import errno
import glob
import json
import os
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numduel.core.text import file_name
from numduel.system import is_for_me_alone

if TYPE_CHECKING:
    from filelock import BaseFileLock

LOCK_TIMEOUT = 0.2
"""Seconds to wait for a lock, which another process may be about to release."""
LOCK_INTERVAL = 0.02
"""Seconds between two tries."""
ABANDONED = 3600.0
"""Seconds after which an unfinished file counts as abandoned."""
NOWHERE = Path(os.devnull, "home", "numduel")
"""The folder of a user without a home, such as a service: it cannot be made."""


def cache_folder() -> Path:
    """The folder of this user's caches, which can be made again."""
    from platformdirs import user_cache_path

    try:
        return user_cache_path("numduel", appauthor=False)
    except RuntimeError:
        return NOWHERE


def data_folder() -> Path:
    """The folder of this user's games."""
    from platformdirs import user_data_path

    try:
        return user_data_path("numduel", appauthor=False)
    except RuntimeError:
        return NOWHERE


# -- folders that this user alone can write -------------------------------------------------


def make_private(folder: Path) -> None:
    """Make a folder among the caches, for this user alone; OSError if others can write there."""
    cache_folder().parent.mkdir(parents=True, exist_ok=True)
    for part in _in_cache(folder):
        part.mkdir(mode=0o700, exist_ok=True)
    if not is_private(folder):
        raise PermissionError(errno.EPERM, "others can write to its folder")


def is_private(folder: Path) -> bool:
    """Whether this user alone can write to a folder among the caches: anyone who can may run
    programs as this user. A warning says once that others can."""
    for part in _in_cache(folder):
        try:
            found = part.stat()
        except OSError:
            return False
        if not is_for_me_alone(found):
            _say_unsafe(part)
            return False
    return True


def _in_cache(folder: Path) -> list[Path]:
    """A folder and its parents, from that of the caches down."""
    root = cache_folder()
    return [part for part in (*reversed(folder.parents), folder) if part.is_relative_to(root)]


@cache
def _say_unsafe(folder: Path) -> None:
    import logging

    logging.getLogger(__name__).warning(
        "Nothing is read from or saved in %s, because others can write there; if it is yours,"
        " chmod -R go-w makes it yours alone.",
        file_name(folder),
    )


# -- small data -----------------------------------------------------------------------------


def read_json(name: str) -> Any:
    """The content of a small file in this user's folder; None if it is missing or damaged."""
    try:
        return json.loads((data_folder() / name).read_bytes())
    except (OSError, ValueError, RecursionError):
        return None


def write_json(name: str, data: object) -> None:
    """Write a small file in this user's folder; raises OSError if that is not possible."""
    path = data_folder() / name
    path.parent.mkdir(parents=True, exist_ok=True)
    replace(path, [f"{json.dumps(data)}\n".encode()])


# -- writing --------------------------------------------------------------------------------


def replace(
    path: Path, parts: Iterable[Any], *, locked: bool = False, private: bool = True
) -> None:
    """Replace a file atomically: sync a temporary file beside it, then rename it, so that readers
    see the old one or the new one. Raises OSError if that fails, and changes nothing.

    A process that holds the lock of the file (`locked`) also removes what a killed one left. A new
    file is for its owner alone, if it is `private`.
    """
    part = path.with_name(f".{path.name}{'' if locked else f'.{os.urandom(6).hex()}'}.part")
    if locked:
        part.unlink(missing_ok=True)
    else:
        remove_abandoned(path.parent, f"{glob.escape(path.name)}.*")
    try:
        # Mode "x" fails on anything that is there, also on a link to somewhere else.
        with open(part, "xb", buffering=0, opener=_private if private else None) as file:
            for data in parts:
                _write(file.fileno(), data)
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            part.chmod(path.stat().st_mode & 0o777)
        os.replace(part, path)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise
    # The file is in place; this only makes the rename survive a power cut.
    with suppress(OSError):
        sync(path.parent)


def remove_abandoned(folder: Path, names: str = "*") -> None:
    """Remove the files that processes left in a folder when they were killed while writing: all of
    them, or those for some file names."""
    with suppress(OSError):
        for part in folder.glob(f".{names}.part"):
            if part.stat().st_mtime < time.time() - ABANDONED:
                part.unlink()


def export(text: str, path: Path) -> None:
    """Write a text to a new file; an existing one is left alone."""
    file = open(path, "xb", buffering=0)  # noqa: SIM115
    try:
        with file:
            append(file.fileno(), text)
    except OSError:
        path.unlink()
        raise


def refused(path: object, error: Exception) -> str:
    """Why a file cannot be read or written, and what to do about it, in a sentence."""
    name = file_name(path)
    match error:
        case FileExistsError():
            return f"{name} exists already; choose another name."
        case FileNotFoundError():
            if Path(name).expanduser().parent.is_dir():
                return f"There is no file {name}; choose another name."
            return f"There is no folder for {name}; choose another name."
        case PermissionError():
            return f"You are not allowed to read or write {name}; choose another place."
        case IsADirectoryError() | NotADirectoryError():
            return f"{name} is a folder, or is not in one; choose another name."
        case OSError(errno=errno.ENOSPC):
            return f"The disk is full: {name} was not written. Free some space and try again."
    why = getattr(error, "strerror", None) or str(error)
    return f"{name} cannot be read or written: {why}."


def append(file: int, text: str) -> None:
    """Write a text to an open file, and sync it."""
    _write(file, text.encode("utf-8"))
    os.fsync(file)


def sync(folder: Path) -> None:
    """Sync a folder, so that new names in it survive a power cut."""
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _write(file: int, data: Any) -> None:
    left = memoryview(data).cast("B")
    while left:
        left = left[os.write(file, left) :]


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


# -- locking --------------------------------------------------------------------------------


def lock(path: Path, timeout: float = LOCK_TIMEOUT) -> BaseFileLock:
    """Lock a file; `BlockingIOError` if another process keeps it locked for `timeout` seconds.

    The lock is on a hidden file beside it. The system releases it when the process ends, however it
    ends, so a lock file that a killed process left behind locks nothing.
    """
    from filelock import FileLock, Timeout

    place = path.with_name(f".{path.name}.lock")
    found = FileLock(place, timeout=timeout, thread_local=False)
    try:
        found.acquire(poll_interval=LOCK_INTERVAL)
    except Timeout:
        raise BlockingIOError(errno.EWOULDBLOCK, "another process is using it") from None
    return found


def unlock(found: BaseFileLock) -> None:
    """Release a lock, and remove its file.

    The file is removed first: later it may already be the next process's lock, and removing it
    would let a third one in. A process that opened it just before notices, and tries again. Windows
    does not remove a locked file; there, `release` removes it.
    """
    with suppress(OSError):
        os.unlink(found.lock_file)
    found.release()
