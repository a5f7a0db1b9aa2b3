"""`numduel serve --check`: whether a server could run here, and what would trouble it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import closing

from numduel.core.errors import BadVariant, NumduelError
from numduel.core.text import file_name, printable
from numduel.files import cache_folder, make_private, refused, unlock
from numduel.network import LOOPBACK, check_port
from numduel.terminal.serve import check_processes, lock_database
from numduel.web.http.protocol import check_files, file_limit
from numduel.web.settings import Settings
from numduel.web.storage.database import MIN_FREE, Database

ENOUGH_FILES = 4096
"""Files that may be open at once; with fewer, there is no room for many visitors."""


class Concern(NumduelError):
    """Trouble that does not keep a server from starting."""


def check_surroundings(settings: Settings, host: str, port: int, proxy: str) -> int:
    """Print what is fine and what is wrong here; the exit code, 2 if a server could not start."""
    checks: dict[str, Callable[[], str]] = {
        "address": lambda: _address(host, port),
        "database": lambda: _database(settings),
        "disk": lambda: _disk(settings),
        "cache": _cache,
        "limits": _limits,
        "proxy": lambda: _proxy(host, proxy),
    }
    code = 0
    for what, check in checks.items():
        try:
            print(f"fine     {what}: {check()}")
        except Concern as concern:
            print(f"warning  {what}: {concern}")
        except NumduelError as error:
            print(f"WRONG    {what}: {error}")
            code = 2
    return code


def _address(host: str, port: int) -> str:
    check_port(host, port)
    return f"The server can listen at {printable(host)}:{port}."


def _database(settings: Settings) -> str:
    """Make and migrate the database, as the server would do."""
    check_processes(settings)
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
            raise BadVariant(refused(storage.path.parent, error)) from None
    if free < MIN_FREE:
        raise BadVariant("The disk is full: make room, or choose another --database.")
    return f"{free >> 20:,} MiB are free."


def _cache() -> str:
    """A folder in which compiled code can be kept, and nobody else can write."""
    folder = cache_folder() / "kernels"
    try:
        make_private(folder)
        why = "" if os.access(folder, os.W_OK) else "Permission denied"
    except OSError as error:
        why = error.strerror or str(error)
    if why:
        raise Concern(
            f"{file_name(folder)} cannot be written, so every start is slow: {why}."
            " XDG_CACHE_HOME names another place."
        )
    return f"Only this user can write to {file_name(folder.parent)}."


def _limits() -> str:
    check_files()
    files = file_limit()
    if files < ENOUGH_FILES:
        raise Concern(
            f"Only {files} open files are allowed, and every visitor needs one: raise it with"
            f" ulimit -n {ENOUGH_FILES}, or with LimitNOFILE= in the systemd unit."
        )
    return f"{files:,} open files are allowed."


def _proxy(host: str, proxy: str) -> str:
    if host not in LOOPBACK and not proxy:
        raise Concern(
            "Anyone who can reach this machine can come in, without https. Behind a proxy, listen"
            " at 127.0.0.1, and give the proxy's address with --proxy."
        )
    if not proxy:
        return "Only this machine can connect; behind a proxy, give its address with --proxy."
    return f"{printable(proxy)} is trusted to say who is asking."
