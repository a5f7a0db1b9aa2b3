"""Machines of their own: network namespaces with cables to the database and to the players.

Everything happens inside namespaces that end with the process: the names of the machines, their
interfaces, PostgreSQL and the servers. However the process ends, the kernel takes all of it away,
and nothing outside can be touched.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from load.cable import READY, TUN, ends
from load.servers import NUMDUEL, PROJECT, NotThere, Server

INSIDE = "NUMDUEL_LOAD_INSIDE"
"""The environment variable that says that this process has namespaces of its own."""
TOOLS = ("ip", "mount", "setpriv", "unshare")
NO_RIGHTS = (
    "Machines are network namespaces: only root on Linux can make them, with iproute2, util-linux"
    f" and {TUN}."
)
NAMESPACES = [
    "setpriv", "--pdeathsig", "KILL",
    "unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc",
]  # fmt: skip
"""What ends with whoever runs it."""
DELAY = 0.002
"""Seconds that a packet takes between a machine and the database, one way."""


class Machine(NamedTuple):
    """A machine with its own network."""

    number: int

    @property
    def address(self) -> str:
        """Where players find it."""
        return f"198.19.{self.number}.2"

    @property
    def database(self) -> str:
        """Where it finds PostgreSQL."""
        return f"postgresql://postgres@198.18.{self.number}.1/postgres"

    @property
    def name(self) -> str:
        """The name of its namespace."""
        return f"machine{self.number}"

    def server(self, *options: str) -> Server:
        """The server on this machine."""
        # Cold, because nobody here asks for a value.
        serve = [NUMDUEL, "serve", "--database", self.database, "--host", self.address]
        usual = ["--rate", "0", "--cold", "--no-browser", *options]
        return Server(["ip", "netns", "exec", self.name, *serve, *usual])


def inside() -> bool:
    """Whether this process has namespaces of its own."""
    return INSIDE in os.environ


def go_inside() -> int:
    """Run the same command again in namespaces of its own; returns its exit code."""
    if not _allowed():
        raise NotThere(NO_RIGHTS)
    with tempfile.TemporaryDirectory(prefix="numduel-load-") as folder:
        os.chmod(folder, 0o755)  # PostgreSQL runs as another user.
        command = [*NAMESPACES, sys.executable, "-m", "load", *sys.argv[1:]]
        surroundings = {**os.environ, INSIDE: "1", "TMPDIR": folder}
        with subprocess.Popen(command, cwd=PROJECT, env=surroundings) as running:
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, lambda *_: _end(running.pid))
            running.wait()
        return 1 if running.returncode < 0 else running.returncode


def _end(pid: int) -> None:
    """Kill everything inside. `unshare` ends when the last process has: the first one inside, its
    child, takes all others with it."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    os.kill(int(children[0]) if children else pid, signal.SIGKILL)


def _allowed() -> bool:
    if not all(map(shutil.which, TOOLS)) or not os.access(TUN, os.R_OK | os.W_OK):
        return False
    return subprocess.run([*NAMESPACES, "true"], capture_output=True).returncode == 0


class Network:
    """Machines that are connected to the players and, by cables, to the database."""

    def __init__(self, count: int, cables: "subprocess.Popen[bytes]") -> None:
        self.machines = [Machine(number) for number in range(count)]
        self._cables = cables

    def cut(self, machine: Machine) -> None:
        """Cut the cable between a machine and the database, or mend it if it is cut."""
        assert self._cables.stdin is not None
        self._cables.stdin.write(b"%d\n" % machine.number)
        self._cables.stdin.flush()


@contextmanager
def network(count: int, delay: float = DELAY) -> Iterator[Network]:
    """So many machines, in the namespaces of this process."""
    _run("mount", "-t", "tmpfs", "tmpfs", "/run")  # Where the names of namespaces are.
    _run("ip", "link", "set", "lo", "up")
    command = [sys.executable, "-m", "load.cable", str(count), str(delay)]
    pipe: Any = subprocess.PIPE
    with subprocess.Popen(command, cwd=PROJECT, stdin=pipe, stdout=pipe) as cables:
        try:
            assert cables.stdout is not None
            if cables.stdout.readline().decode().strip() != READY:
                raise NotThere(NO_RIGHTS)
            made = Network(count, cables)
            for machine in made.machines:
                _connect(machine)
            yield made
        finally:
            cables.kill()


def _connect(machine: Machine) -> None:
    """Make the namespace of a machine, and connect it."""
    number, name = machine.number, machine.name
    near, far = ends(number)
    _run("ip", "netns", "add", name)
    _run("ip", "-n", name, "link", "set", "lo", "up")
    _run("ip", "link", "set", far, "netns", name)
    _address(near, f"198.18.{number}.1", f"198.18.{number}.2")
    _address(far, f"198.18.{number}.2", f"198.18.{number}.1", "-n", name)
    front = f"front{number}"
    _run("ip", "link", "add", front, "type", "veth", "peer", "name", "front", "netns", name)
    _address(front, f"198.19.{number}.1", machine.address)
    _address("front", machine.address, f"198.19.{number}.1", "-n", name)


def _address(interface: str, own: str, other: str, *where: str) -> None:
    _run("ip", *where, "address", "add", own, "peer", other, "dev", interface)
    _run("ip", *where, "link", "set", interface, "up")


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise NotThere(f"{' '.join(command)}: {done.stderr.strip()}")
