"""The command ``numduel serve``: the games in a browser."""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
import tempfile
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Annotated

import typer

from numduel.core.errors import BadVariant
from numduel.core.text import file_name
from numduel.files import lock, unlock
from numduel.network import EVERYWHERE, LOOPBACK, bracketed, check_port, near
from numduel.system import require

if TYPE_CHECKING:
    from filelock import BaseFileLock

    from numduel.web.settings import Settings

SHUTDOWN_SECONDS = 5
"""Seconds that open connections have to end when the server shuts down."""


def serve(
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="The address to listen at; 0.0.0.0 lets in anyone who can reach this machine.",
        ),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, metavar="NUMBER", help="The port.")] = 8000,
    database: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help=(
                "sqlite:////path/to/file.db or postgresql://user@host/name;"
                " without it, a file beside your other games."
            ),
        ),
    ] = "",
    processes: Annotated[
        int,
        typer.Option(
            min=1,
            max=64,
            metavar="COUNT",
            help="Server processes; two or more need PostgreSQL.",
        ),
    ] = 1,
    solvers: Annotated[
        int,
        typer.Option(
            min=1, max=64, metavar="COUNT", help="Solver processes for each server process."
        ),
    ] = 1,
    rate: Annotated[
        float,
        typer.Option(
            min=0,
            metavar="COUNT",
            help="Requests per second that one address may keep up; 0: no limit.",
        ),
    ] = 100.0,
    proxy: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="The address of a proxy in front, which is trusted to say who is asking.",
        ),
    ] = "",
    allow: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help=(
                "A host name, address or network to answer to, such as your site's name; may be"
                " repeated."
            ),
        ),
    ] = None,
    keep: Annotated[
        int,
        typer.Option(
            min=0, metavar="DAYS", help="Delete finished games after this many days; 0: never."
        ),
    ] = 365,
    keep_events: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="DAYS",
            help="Delete events, their nicknames and games after this many days; 0: never.",
        ),
    ] = 30,
    warm: Annotated[
        bool, typer.Option("--warm/--cold", help="Prepare the solver at the start.")
    ] = True,
    watch_stdin: Annotated[
        bool,
        typer.Option(
            "--watch-stdin",
            help="Stop when standard input ends, as when the program that started the server ends.",
        ),
    ] = False,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")
    ] = True,
) -> None:
    """Serve the games as a web page, for friends in two browsers."""
    gc.disable()  # Looking for garbage would take a sixth of the start, and there is none.
    require("The server needs Linux or macOS; on Windows, use it in WSL.")
    import uvicorn

    from numduel.web.http.protocol import OPTIONS, check_files, raise_file_limit
    from numduel.web.settings import Settings

    with ExitStack() as stack:
        shared = ""
        if processes > 1:
            folder = tempfile.TemporaryDirectory(prefix="numduel-limits-")
            shared = stack.enter_context(folder)
        settings = Settings(
            database, processes, solvers, rate, warm, _names(host, allow or []), keep, keep_events,
            shared, near(host, port),
        )  # fmt: skip
        check_processes(settings)
        check_port(host, port)
        check_files()
        raise_file_limit()
        settings.pass_on()
        # A server that is asked to end exits with 0.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        if watch_stdin:
            Thread(target=_end_with_input, daemon=True).start()
        _prepare(settings, stack)
        _greet(settings, host, port, browser=browser)
        uvicorn.run(
            "numduel.web.app:create",
            factory=True,
            host=host,
            port=port,
            workers=processes,
            proxy_headers=bool(proxy),
            forwarded_allow_ips=proxy,
            timeout_graceful_shutdown=SHUTDOWN_SECONDS,
            **OPTIONS,
        )


def _end_with_input() -> None:
    """Ask this process to end when its standard input does."""
    with suppress(OSError):
        while os.read(0, 4096):
            pass
    os.kill(os.getpid(), signal.SIGTERM)


def check_processes(settings: Settings) -> None:
    """Refuse several processes without PostgreSQL."""
    if settings.processes > 1 and not settings.database.startswith("postgresql"):
        raise BadVariant("Several processes need PostgreSQL: --database postgresql://…")


def _names(host: str, allowed: list[str]) -> tuple[str, ...]:
    """The names and addresses that the server answers to, besides the one that a connection was
    made to."""
    own = socket.gethostname()
    return (*LOOPBACK, own, f"{own}.local", host, *allowed)


def _prepare(settings: Settings, stack: ExitStack) -> None:
    """Lock the database if it is a file, and make its tables."""
    from numduel.web.storage.database import Database

    with closing(Database(settings.address)) as storage:
        if storage.path is not None:
            stack.callback(unlock, lock_database(storage.path))
        storage.make_tables()


def lock_database(path: Path) -> BaseFileLock:
    """Lock a SQLite file for one server; `BadVariant` if there is another."""
    name = file_name(path)
    if not path.parent.is_dir():  # A lock would make the folder.
        folder = file_name(path.parent)
        raise BadVariant(f"There is no folder {folder}; make it, or choose another --database.")
    try:
        return lock(path.resolve())
    except BlockingIOError:
        raise BadVariant(
            f"Another server is using {name}; stop it, or choose another --database."
        ) from None
    except OSError as error:
        raise BadVariant(
            f"{name} cannot be opened: {error.strerror}; choose another --database."
        ) from None


# -- the greeting ---------------------------------------------------------------------------


def _greet(settings: Settings, host: str, port: int, *, browser: bool) -> None:
    """Say where the server is, with a QR code on a terminal."""
    local = host in (*LOOPBACK, *EVERYWHERE)
    url = f"http://{'localhost' if local else bracketed(host)}:{port}/"
    print(f"numduel is at {url} (Ctrl-C stops it; games are saved).")
    if settings.near and sys.stdout.isatty():
        import segno

        print(f"\nFor a phone or a friend on the same network: {settings.near}/\n")
        segno.make(f"{settings.near}/", micro=False).terminal(compact=True)
    sys.stdout.flush()
    if browser and _has_screen():
        import webbrowser

        webbrowser.open(url)


def _has_screen() -> bool:
    graphical = (
        sys.platform == "darwin" or "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ
    )
    return sys.stdout.isatty() and graphical
