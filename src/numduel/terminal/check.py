"""`numduel serve --check`: whether a server could run here, and what would trouble it."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from contextlib import closing

from numduel.core.errors import BadVariant, NumduelError
from numduel.core.language import N_, _
from numduel.core.text import byte_size, file_name, printable, titled
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
        _("address"): lambda: _address(host, port),
        _("database"): lambda: _database(settings),
        _("disk"): lambda: _disk(settings),
        _("cache"): _cache,
        _("limits"): _limits,
        _("proxy"): lambda: _proxy(host, proxy),
    }
    code = 0
    for what, check in checks.items():
        try:
            how, told = _("fine"), check()
        except Concern as concern:
            how, told = _("warning"), str(concern)
        except NumduelError as error:
            how, told, code = _("WRONG"), str(error), 2
        print(f"{how:8} {titled(what, told)}")
    return code


def _address(host: str, port: int) -> str:
    check_port(host, port)
    place = f"{printable(host)}:{port}"
    return _("The server can listen at {place}.", place=place)


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
        return _("{place} can be read and written.", place=storage.url.render_as_string())


def _disk(settings: Settings) -> str:
    with closing(Database(settings.address)) as storage:
        if storage.path is None:
            return _("The games are on the database server.")
        try:
            free = shutil.disk_usage(storage.path.parent).free
        except OSError as error:
            raise BadVariant(refused(storage.path.parent, error)) from None
    if free < MIN_FREE:
        raise BadVariant(_("The disk is full: make room, or choose another --database."))
    return _("{size} are free.", size=byte_size(free))


def _cache() -> str:
    """A folder in which compiled code can be kept, and nobody else can write."""
    folder = cache_folder() / "kernels"
    try:
        make_private(folder)
        why = "" if os.access(folder, os.W_OK) else os.strerror(errno.EACCES)
    except OSError as error:
        why = error.strerror or str(error)
    if why:
        told = N_(
            "{folder} cannot be written, so every start is slow: {why}. XDG_CACHE_HOME names"
            " another place."
        )
        raise Concern(_(told, folder=file_name(folder), why=why))
    return _("Only this user can write to {folder}.", folder=file_name(folder.parent))


def _limits() -> str:
    check_files()
    files = file_limit()
    if files < ENOUGH_FILES:
        told = N_(
            "Only {files} open files are allowed, and every visitor needs one: raise it with"
            " ulimit -n {enough}, or with LimitNOFILE= in the systemd unit."
        )
        raise Concern(_(told, files=files, enough=ENOUGH_FILES))
    return _("{files:,} open files are allowed.", files=files)


def _proxy(host: str, proxy: str) -> str:
    if host not in LOOPBACK and not proxy:
        told = N_(
            "Anyone who can reach this machine can come in, without https. Behind a proxy, listen"
            " at 127.0.0.1, and give the proxy's address with --proxy."
        )
        raise Concern(_(told))
    if not proxy:
        return _("Only this machine can connect; behind a proxy, give its address with --proxy.")
    return _("{proxy} is trusted to say who is asking.", proxy=printable(proxy))
