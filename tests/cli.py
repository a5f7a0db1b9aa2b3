"""Running numduel as people do: through a pipe, on a terminal, killed at any moment."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import signal
import socket
import struct
import subprocess
import sys
import termios
from pathlib import Path
from types import TracebackType
from typing import Self

from tests import zygote
from tests.everywhere import Ran
from tests.games import NAMES, prompt, three_moves

NUMDUEL = [sys.executable, "-m", "numduel"]
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


def environment(home: Path, **extra: str) -> dict[str, str]:
    """An environment in which nothing but the test matters."""
    names = ("PATH", "LANG", "LC_ALL")
    kept = {key: os.environ[key] for key in names if key in os.environ}
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


def run(
    home: Path,
    *arguments: str,
    typed: str | bytes = "",
    env: dict[str, str] | None = None,
    before: tuple[str, ...] = (),
) -> Ran:
    """Run numduel to its end, with all of its input waiting in a pipe."""
    done = zygote.run(
        [*NUMDUEL, *arguments],
        typed=typed.encode() if isinstance(typed, str) else typed,
        env=environment(home, **(env or {})),
        cwd=home,
        before=before,
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
    """Put a file among the saved games."""
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
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._reading, self._writing, its_input, its_output = self._files()
        self.process = zygote.start(
            [*NUMDUEL, *arguments],
            stdin=its_input,
            stdout=its_output,
            stderr=its_output,
            env=environment(home, **(env or {})),
            cwd=home,
            before=before,
        )
        for file in {its_input, its_output}:
            os.close(file)

    def _files(self) -> tuple[int, int, int, int]:
        """Where its output is read, where its input is written, and its ends of both."""
        reading, its_output = os.pipe()
        its_input, writing = os.pipe()
        return reading, writing, its_input, its_output

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.wait()
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
        return self.process.wait()

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
        self.process.wait()
        self.rest()

    def _wait_until_it_waits(self) -> None:
        """A signal that comes after the prompt, but before the process waits for an answer, is
        only noticed with the next key; no person is that fast."""
        status = Path(f"/proc/{self.process.pid}/stat")
        while status.exists() and status.read_text().rpartition(")")[2].split()[0] in "RD":
            os.sched_yield()

    def _more(self) -> str:
        """What comes out next; nothing at the end. A read may end within a character."""
        text = ""
        while not text and (data := self._received()):
            text = self._decoder.decode(data)
        return text

    def _received(self) -> bytes:
        return os.read(self._reading, 1 << 16)


class Terminal(Session):
    """A conversation with a running numduel, on a pseudo-terminal of its own."""

    def __init__(
        self,
        home: Path,
        *arguments: str,
        env: dict[str, str] | None = None,
        before: tuple[str, ...] = (),
    ) -> None:
        super().__init__(home, *arguments, env=env, before=(INTERRUPTIBLE, CONTROLLING, *before))

    def resign(self) -> Self:
        """Give up, and mean it."""
        self.send("resign").until("no) ")
        return self.send("yes")

    def hang_up(self) -> None:
        """Close the window."""
        super().hang_up()
        self._reading = -1

    def _files(self) -> tuple[int, int, int, int]:
        terminal, its_end = pty.openpty()
        fcntl.ioctl(its_end, termios.TIOCSWINSZ, WIDE)
        return terminal, terminal, its_end, its_end

    def _received(self) -> bytes:
        try:
            return super()._received()
        except OSError:  # Linux: nobody holds the other end any more
            return b""


class Tmux:
    """A real terminal, in a tmux server of its own."""

    def __init__(self, home: Path, columns: int, lines: int, *command: str) -> None:
        self._tmux = ["tmux", "-S", str(home / "tmux"), "-f", "/dev/null"]
        self._home, self._env = home, environment(home, TERM="xterm-256color")
        self.ask("new-session", "-d", "-x", str(columns), "-y", str(lines), *command)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.ask("kill-server")

    def ask(self, *words: str) -> str:
        """What tmux answers to a command."""
        return subprocess.run(
            [*self._tmux, *words], env=self._env, cwd=self._home, capture_output=True, text=True,
            check=False,
        ).stdout  # fmt: skip

    def press(self, *keys: str) -> None:
        """Press keys."""
        self.ask("send-keys", *keys)


def plain(text: str) -> str:
    """A text without its colours, with the line ends of a file."""
    return CODES.sub("", text).replace("\r\n", "\n")
