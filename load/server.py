"""A server that is started for a measurement, and stopped by its id whatever happens."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.request import ProxyHandler, build_opener

HOST = "127.0.0.1"
START_TIMEOUT = 60.0
"""Seconds in which a server must have started or stopped."""
HURRIED = """
import sys
from numduel.events import clock, director
from numduel.web.events import runner
factor = float(sys.argv.pop(1))
for module, names in (
    (director, "WAIT_SECONDS FORFEIT_SECONDS"), (clock, "FREE_SECONDS"),
    (runner, "TICK_SECONDS AWAY_SECONDS ASKING_SECONDS IDLE_SECONDS"),
):
    for name in names.split():
        setattr(module, name, getattr(module, name) / factor)
from numduel.terminal.app import main
main()
"""
"""`numduel serve`, where everything that events wait for takes a fraction of the time."""


class Server:
    """A server without limits on a free port, for events that go so many times as fast."""

    def __init__(self, factor: float = 1.0) -> None:
        with socket.socket() as probe:
            probe.bind((HOST, 0))
            self.port: int = probe.getsockname()[1]
        self._factor = factor
        self._folder = tempfile.TemporaryDirectory(prefix="numduel-load-")
        self._log = Path(self._folder.name, "log")
        self._running: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start, and wait until it answers."""
        serve = ["serve", "--port", str(self.port), "--rate", "0", "--cold", "--no-browser"]
        database = f"sqlite:///{self._folder.name}/games.db"
        with self._log.open("ab") as log:
            self._running = subprocess.Popen(
                [sys.executable, "-c", HURRIED, str(self._factor), *serve, "--database", database],
                cwd=Path(__file__).parents[1], stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        end = time.monotonic() + START_TIMEOUT
        while not self._answers():
            if self._running.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"The server did not start: {self._log.read_text()[-500:]}")
            time.sleep(0.05)

    def _answers(self) -> bool:
        try:
            build_opener(ProxyHandler({})).open(f"http://{HOST}:{self.port}/api/v1/health")
        except OSError:
            return False
        return True

    def kill(self) -> None:
        """End it as a power cut would."""
        if self._running is not None:
            os.killpg(self._running.pid, signal.SIGKILL)
            self._running.wait()

    def complaints(self) -> Counter[str]:
        """The errors in its log."""
        lines = self._log.read_text(errors="replace").splitlines()
        return Counter(f"log:{line.partition('ERROR')[2]}" for line in lines if " ERROR " in line)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._running is not None and self._running.poll() is None:
            self._running.terminate()
            try:
                self._running.wait(START_TIMEOUT)
            except subprocess.TimeoutExpired:
                self.kill()
        self._folder.cleanup()
