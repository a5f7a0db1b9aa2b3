"""Running numduel as people do: through a pipe, on a terminal, killed at any moment."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from tests.games import NAMES, prompt, three_moves

NUMDUEL = [sys.executable, "-m", "numduel"]
TIMEOUT = 180.0
"""Seconds after which a process that should have answered is called stuck."""
WIDE = struct.pack("HHHH", 50, 200, 0, 0)
"""A terminal on which no line of a test has to be wrapped."""
CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
PROMPTS = {name: prompt(name) for name in NAMES}
MOVES = {name: three_moves(name) for name in NAMES} | {
    "line": ["5", "6", "1"],
    "factors": ["6", "12", "4"],
    "capture": ["11", "5", "20"],
    "build": ["end", "discard", "discard"],
    "duel": ["4", "6", "5"],
}
"""Three moves of every game that are legal whatever is drawn, and do not end it."""

INTERRUPTIBLE = "import signal; signal.signal(signal.SIGINT, signal.SIG_DFL)"
CONTROLLING = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)"
FULL_DISK = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))"


def command(*arguments: str, before: tuple[str, ...] = ()) -> list[str]:
    """The command line of numduel; `before` is done in the new process first.

    An interpreter does that and becomes numduel: preexec_fn would run in a fork of a process
    with threads, which pytest-xdist has.
    """
    if not before:
        return [*NUMDUEL, *arguments]
    program = "; ".join((*before, "import os, sys; os.execv(sys.argv[1], sys.argv[1:])"))
    return [sys.executable, "-I", "-S", "-c", program, *NUMDUEL, *arguments]


def environment(home: Path, **extra: str) -> dict[str, str]:
    """An environment in which nothing but the test matters."""
    kept = {key: os.environ[key] for key in ("PATH", "LANG", "LC_ALL") if key in os.environ}
    return {
        **kept,
        "HOME": str(home),
        "XDG_DATA_HOME": str(home),
        "XDG_CACHE_HOME": os.environ["XDG_CACHE_HOME"],
        "INPUTRC": os.devnull,
        "PYTHONUTF8": "1",
        "TERM": "xterm",
        **extra,
    }


class Ran(NamedTuple):
    """What a finished process did."""

    code: int
    out: str
    err: str


def run(
    home: Path,
    *arguments: str,
    typed: str | bytes = "",
    env: dict[str, str] | None = None,
    before: tuple[str, ...] = (),
) -> Ran:
    """Run numduel to its end, with all of its input waiting in a pipe."""
    done = subprocess.run(
        command(*arguments, before=before),
        input=typed.encode() if isinstance(typed, str) else typed,
        capture_output=True,
        env=environment(home, **(env or {})),
        cwd=home,
        timeout=TIMEOUT,
        check=False,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def free_port() -> int:
    """A port that nobody listens on, and that nobody else is given for a minute: the system does
    not choose one on which a connection has just ended, and whoever names it may listen there."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        with socket.create_connection(probe.getsockname()) as other:
            probe.accept()[0].close()
            other.recv(1)
        return int(probe.getsockname()[1])


def records(home: Path) -> list[Path]:
    """The games kept in a data folder."""
    return sorted((home / "numduel" / "games").glob("*.duel"))


def the_record(home: Path) -> Path:
    """The one game kept in a data folder."""
    (path,) = records(home)
    return path


def keep(home: Path, name: str, text: str) -> Path:
    """Put a file among the kept games."""
    folder = home / "numduel" / "games"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


class Session:
    """A conversation with a running numduel, through pipes."""

    def __init__(
        self,
        home: Path,
        *arguments: str,
        env: dict[str, str] | None = None,
        before: tuple[str, ...] = (),
    ) -> None:
        self.said = ""
        """Everything that came out so far, errors included."""
        self._answer = 0
        self._start(command(*arguments, before=before), environment(home, **(env or {})), home)

    def _start(self, words: list[str], env: dict[str, str], home: Path) -> None:
        reading, its_output = os.pipe()
        its_input, writing = os.pipe()
        self._run(words, env, home, its_input, its_output)
        self._reading, self._writing = reading, writing

    def _run(
        self, words: list[str], env: dict[str, str], home: Path, its_input: int, its_output: int
    ) -> None:
        self.process = subprocess.Popen(
            words,
            stdin=its_input,
            stdout=its_output,
            stderr=its_output,
            env=env,
            cwd=home,
            start_new_session=True,
        )
        for file in {its_input, its_output}:
            os.close(file)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.wait(TIMEOUT)
        for file in {self._reading, self._writing} - {-1}:
            os.close(file)

    @property
    def answer(self) -> str:
        """What came out since something was last sent."""
        return self.said[self._answer :]

    def send(self, line: str, end: str = "\n") -> Self:
        """Type a line."""
        self._answer = len(self.said)
        data = (line + end).encode()
        while data:
            data = data[os.write(self._writing, data) :]
        return self

    def until(self, ending: str) -> str:
        """Wait until what is said ends so, colours aside; the answer to what was last sent."""
        while not plain(self.answer).endswith(ending):
            more = self._more()
            assert more, f"no {ending!r} before the end: {self.said!r}"
            self.said += more
        return self.answer

    def read(self, size: int) -> None:
        """Wait until so much has been said."""
        while len(self.said) < size:
            more = self._more()
            assert more, f"only {len(self.said)} of {size} characters came out"
            self.said += more

    def rest(self) -> str:
        """Wait for the end of the output; the answer to what was last sent."""
        while more := self._more():
            self.said += more
        return self.answer

    def hang_up(self) -> None:
        """End the input."""
        os.close(self._writing)
        self._writing = -1

    def code(self) -> int:
        """Wait for the end of the process; its exit code."""
        self.rest()
        return self.process.wait(TIMEOUT)

    def interrupt(self) -> None:
        """Send what Ctrl-C sends."""
        self._wait_until_it_waits()
        self._answer = len(self.said)
        self.process.send_signal(signal.SIGINT)

    def press(self, key: str) -> Self:
        """Press a key that acts at once, such as Ctrl-C."""
        self._wait_until_it_waits()
        return self.send(key, end="")

    def kill(self) -> None:
        """Kill the process without warning, and read what it had said."""
        self.process.kill()
        self.process.wait(TIMEOUT)
        self.rest()

    def _wait_until_it_waits(self) -> None:
        """A signal that comes after the prompt, but before the process waits for an answer, is
        only noticed with the next key; no person is that fast."""
        status = Path(f"/proc/{self.process.pid}/stat")
        deadline = time.monotonic() + TIMEOUT
        while status.exists() and status.read_text().rpartition(")")[2].split()[0] in "RD":
            assert time.monotonic() < deadline, f"busy after {self.said!r}"

    def _more(self) -> str:
        deadline = time.monotonic() + TIMEOUT
        while not select.select([self._reading], [], [], max(0, deadline - time.monotonic()))[0]:
            assert time.monotonic() < deadline, f"stuck after {self.said!r}"
        return self._received().decode(errors="replace")

    def _received(self) -> bytes:
        return os.read(self._reading, 1 << 16)


class Terminal(Session):
    """A conversation with a running numduel, on a pseudo-terminal of its own; without a command it
    is the menu, not the app."""

    def __init__(self, home: Path, *arguments: str, env: dict[str, str] | None = None) -> None:
        env = env if arguments else {"TERM": "dumb", **(env or {})}
        super().__init__(home, *arguments, env=env, before=(INTERRUPTIBLE, CONTROLLING))

    def resign(self) -> Self:
        """Give up, and mean it."""
        self.send("resign").until("no) ")
        return self.send("yes")

    def _start(self, words: list[str], env: dict[str, str], home: Path) -> None:
        terminal, its_end = pty.openpty()
        fcntl.ioctl(its_end, termios.TIOCSWINSZ, WIDE)
        self._run(words, env, home, its_end, its_end)
        self._reading = self._writing = terminal

    def _received(self) -> bytes:
        try:
            return super()._received()
        except OSError:  # Linux: nobody holds the other end any more
            return b""


def plain(text: str) -> str:
    """A text without its colours, with the line ends of a file."""
    return CODES.sub("", text).replace("\r\n", "\n")
