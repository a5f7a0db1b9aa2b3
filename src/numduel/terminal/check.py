"""`numduel serve --check`: what would be wrong with a server in this place."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing

from numduel.core.errors import BadVariant, NumduelError
from numduel.core.text import file_name, printable
from numduel.files import cache_folder, make_private, unlock
from numduel.terminal.serve import LOOPBACK, check_port, lock_database
from numduel.web.http.protocol import file_limit
from numduel.web.settings import Settings
from numduel.web.storage.database import MIN_FREE, Database

ENOUGH_FILES = 4096
"""Files that may be open at once, below which many visitors are too many."""


class Doubt(NumduelError):
    """Something that a server can do without."""


def check_surroundings(settings: Settings, host: str, port: int, proxy: str) -> int:
    """Print what is well and what is wrong here; the exit code, 2 if a server could not start."""
    code = 0
    for what, look in _looks(settings, host, port, proxy):
        try:
            print(f"fine   {what}: {look()}")
        except Doubt as doubt:
            print(f"doubt  {what}: {doubt}")
        except NumduelError as error:
            print(f"WRONG  {what}: {error}")
            code = 2
    return code


def _looks(
    settings: Settings, host: str, port: int, proxy: str
) -> Iterator[tuple[str, Callable[[], str]]]:
    yield "address", lambda: _address(host, port)
    yield "database", lambda: _database(settings)
    yield "disk", lambda: _disk(settings)
    yield "cache", _cache
    yield "limits", _limits
    yield "proxy", lambda: _proxy(host, proxy)


def _address(host: str, port: int) -> str:
    check_port(host, port)
    return f"The server can listen at {printable(host)}:{port}."


def _database(settings: Settings) -> str:
    """The database is made and migrated, as the server would do."""
    if settings.processes > 1 and not settings.database.startswith("postgresql"):
        raise BadVariant("Several processes need PostgreSQL: --database postgresql://…")
    with closing(Database(settings.address)) as storage:
        locked = lock_database(storage.path) if storage.path else None
        try:
            storage.migrate()
        finally:
            if locked is not None:
                unlock(locked)
        return f"{storage.url.render_as_string()} can be read and written."


def _disk(settings: Settings) -> str:
    with closing(Database(settings.address)) as storage:
        if storage.path is None:
            return "The games are on the database server."
        try:
            free = shutil.disk_usage(storage.path.parent).free
        except OSError as error:
            raise BadVariant(f"The folder cannot be read: {error.strerror}.") from None
    if free < MIN_FREE:
        raise BadVariant("The disk is full.")
    return f"{free >> 20:,} MiB are free."


def _cache() -> str:
    """A folder in which compiled code can be kept, and nobody else can write."""
    folder = cache_folder() / "kernels"
    try:
        make_private(folder)
        writable = os.access(folder, os.W_OK)
    except OSError as error:
        raise Doubt(
            f"Nothing solved or compiled can be kept ({error.strerror}): every start is slow;"
            " XDG_CACHE_HOME names another folder."
        ) from None
    if not writable:
        raise Doubt(f"{file_name(folder)} cannot be written: every start is slow.")
    return f"{file_name(folder.parent)} is for this user alone."


def _limits() -> str:
    files = file_limit()
    if files < ENOUGH_FILES:
        raise Doubt(
            f"{files} open files are allowed, one for each visitor: ulimit -Hn {ENOUGH_FILES},"
            " or LimitNOFILE= in the unit."
        )
    return f"{files:,} open files are allowed."


def _proxy(host: str, proxy: str) -> str:
    if host not in LOOPBACK and not proxy:
        raise Doubt(
            "Everybody who can reach this machine can come, without https; behind a proxy listen"
            " at 127.0.0.1 and say --proxy with its address."
        )
    if not proxy:
        return "Nobody else can come; behind a proxy, say --proxy with its address."
    return f"{printable(proxy)} is trusted to say who is asking."
