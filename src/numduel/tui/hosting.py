"""A server of the app's own, for games with friends. It ends with the app, however that ends."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from threading import Lock
from time import monotonic, sleep
from typing import IO
from urllib.parse import urlsplit

from numduel.core.errors import BadVariant
from numduel.core.text import printable
from numduel.network import EVERYWHERE, LOOPBACK, check_port, near

PORT = 8000
"""The port of the server, if no other program has it."""
PORTS = 10
"""How many ports are tried."""
WAIT = 0.05
"""Seconds between two looks at a server that is starting."""
LONGEST = 30.0
"""Seconds after which a server that does not answer is given up."""
PREPARING = "Getting your server ready"
"""What is said meanwhile: it may be there already."""


def local(server: str) -> bool:
    """Whether an address means this computer."""
    return urlsplit(server).hostname in LOOPBACK


def answers(server: str) -> bool:
    """Whether there is a numduel server at an address."""
    from numduel.client import Failure, ask

    try:
        return bool(ask(server, "/api/v1/health"))
    except Failure:
        return False


def for_others(server: str) -> str:
    """The address of a server on this computer for other devices, or the same one, if only this
    computer can reach it."""
    there = near(EVERYWHERE[0], urlsplit(server).port or 80)
    return there if answers(there) else server


class OwnServer:
    """A server that this app has started, if it has."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = Lock()
        """Only one server is started, even if two screens ask for it."""

    @property
    def running(self) -> bool:
        """Whether there is one."""
        return self._process is not None and self._process.poll() is None

    def host(self) -> str:
        """The address of a server on this computer: one that is there, or a new one."""
        for port in range(PORT, PORT + PORTS):
            server = f"http://localhost:{port}"
            with suppress(PortTaken):
                self.start(server)
                return server
        raise BadVariant(
            f"Other programs have all ports from {PORT} to {PORT + PORTS - 1}; stop one of them."
        )

    def start(self, server: str) -> None:
        """Have a server at an address of this computer, and wait until it answers."""
        from tempfile import TemporaryFile

        port = urlsplit(server).port or 80
        with self._lock:
            if answers(server):
                return
            try:
                check_port(EVERYWHERE[0], port)
            except BadVariant:
                raise PortTaken(
                    f"Another program has port {port}, so your server cannot start; stop it and"
                    " try again. Nothing is lost."
                ) from None
            with TemporaryFile() as log:
                self._process = _serve(port, log)
                given_up = monotonic() + LONGEST
                while not answers(server):
                    if self._process.poll() is not None:
                        raise BadVariant(_why(log))
                    if monotonic() > given_up:
                        self.stop()
                        late = f"It did not answer for {LONGEST:.0f} seconds."
                        raise BadVariant(f"{_why(log)} {late}")
                    sleep(WAIT)

    def stop(self) -> None:
        """End it; the games on it are saved."""
        if self._process is not None:
            self._process.terminate()
            if self._process.stdin is not None:
                self._process.stdin.close()


OWN = OwnServer()
"""The server of this process."""


class PortTaken(BadVariant):
    """Another program listens at the port."""


def _serve(port: int, log: IO[bytes]) -> subprocess.Popen[bytes]:
    """A server that ends when its standard input does, which is open as long as this process lives.
    In a session of its own, it goes on while the app is suspended."""
    return subprocess.Popen(  # noqa: S603
        [
            sys.executable, "-m", "numduel", "serve", "--host", EVERYWHERE[0],
            "--port", str(port), "--cold", "--no-browser", "--watch-stdin",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=log,
        start_new_session=True,
    )  # fmt: skip


def _why(log: IO[bytes]) -> str:
    """What a server said last, in the sentence that it prints."""
    log.seek(0)
    lines = log.read().decode("utf-8", "replace").split("\n")
    told = [line.removeprefix("numduel: ") for line in lines if line.startswith("numduel: ")]
    return " ".join(["Your server did not start.", printable(" ".join(told), 300)]).strip()
