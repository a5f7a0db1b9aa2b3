"""The games in the browser: start the server."""

from __future__ import annotations

import os
import signal
import socket
import sys
import tempfile
from contextlib import ExitStack, closing
from typing import Annotated

import typer

from numduel.core.errors import BadVariant

LOOPBACK = ("127.0.0.1", "localhost", "::1")
SHUTDOWN_SECONDS = 5
"""Seconds that open connections have to end when the server shuts down."""


def serve(
    host: Annotated[
        str, typer.Option(help="Where to listen; 0.0.0.0 is for everybody who can reach this.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535)] = 8000,
    database: Annotated[
        str,
        typer.Option(
            help="sqlite:////path/to/file.db or postgresql://user@host/name;"
            " without it, a file beside your other games.",
        ),
    ] = "",
    processes: Annotated[
        int, typer.Option(min=1, max=64, help="Server processes; more than 1 need PostgreSQL.")
    ] = 1,
    solvers: Annotated[
        int, typer.Option(min=1, max=64, help="Solving processes beside each server process.")
    ] = 1,
    rate: Annotated[
        float,
        typer.Option(min=0, help="Requests a second that one address may make for long; 0: any."),
    ] = 100.0,
    proxy: Annotated[
        str,
        typer.Option(help="The address of a proxy in front, which is believed about who asks."),
    ] = "",
    warm: Annotated[
        bool, typer.Option("--warm/--cold", help="Prepare the solver before somebody needs it.")
    ] = True,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Show the page, where there is a screen.")
    ] = True,
) -> None:
    """Serve the games as a page, for friends in two browsers."""
    try:
        import uvicorn

        from numduel.web.database import Database
        from numduel.web.protocol import OPTIONS, raise_file_limit
        from numduel.web.settings import Settings
    except ImportError:
        raise BadVariant(
            "The server needs a few more packages: pip install 'numduel[web]'."
        ) from None
    if processes > 1 and not database.startswith("postgresql"):
        raise BadVariant("Several processes need PostgreSQL: --database postgresql://…")
    _check_port(host, port)
    raise_file_limit()
    settings = Settings(database, processes, solvers, rate, warm)
    settings.pass_on()
    with closing(Database(settings.address)) as storage:
        storage.migrate()
    # A server that is asked to end exits with 0.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    url = f"http://{'localhost' if host in (*LOOPBACK, '0.0.0.0', '::') else host}:{port}/"  # noqa: S104
    print(f"numduel is at {url} (Ctrl-C ends it; games are kept).", flush=True)
    if browser and _has_screen():
        import webbrowser

        webbrowser.open(url)
    with ExitStack() as stack:
        if processes > 1:  # Prometheus sums the metrics of several processes in a folder.
            folder = tempfile.TemporaryDirectory(prefix="numduel-metrics-")
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = stack.enter_context(folder)
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


def _check_port(host: str, port: int) -> None:
    """Raise one sentence if nothing can listen at an address."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            why = error.strerror or error
            raise BadVariant(
                f"The server cannot listen at {host}:{port}: {why}; choose another --port."
            ) from None


def _has_screen() -> bool:
    """Whether a browser can be shown here."""
    graphical = (
        sys.platform == "darwin" or "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ
    )
    return sys.stdout.isatty() and graphical
