"""A process that reads questions and writes answers, a line each."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from time import monotonic

from numduel.core.language import N_
from numduel.system import kill_session, require, wait_for, without_waiting

MAX_ANSWER = 1024
"""Bytes of the longest answer that is read."""
OWN_PROCESS = N_(
    "A player in a process of its own needs Linux or macOS; on Windows, use it in WSL."
)
"""Said elsewhere, before anything is started that could not be ended there."""
EXIT_TIMEOUT = 0.2
"""Seconds that a process has to end by itself once its input is closed."""


class Fault(Exception):
    """A player did not answer with a legal move; the text is a sentence that says what it did."""


class Unavailable(Exception):
    """A player cannot be asked, through no fault of its own, so the game does not count; the text
    says why."""


class Child:
    """A process that answers questions. Its n-th line answers the n-th question, even if it came
    before the question, so that timing changes nothing."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        require(OWN_PROCESS)
        self._received = b""
        self._process: subprocess.Popen[bytes] | None = None
        with suppress(OSError):
            # In a session of its own, so that Ctrl-C does not reach it and look like a fault.
            self._process = subprocess.Popen(  # noqa: S603
                words,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, **environment},
                start_new_session=True,
            )
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    without_waiting(pipe.fileno())

    @property
    def alive(self) -> bool:
        """Whether the process is still there."""
        return self._process is not None and self._process.poll() is None

    def ask(self, line: str, timeout: float, longest: int = MAX_ANSWER) -> str:
        """The answer to a line; `Fault` if none comes in time."""
        if self._process is None or self._process.stdin is None or self._process.stdout is None:
            raise Fault("Its program cannot be started.")
        end = monotonic() + timeout
        try:
            self._send(self._process.stdin.fileno(), line.encode() + b"\n", end)
            return self._receive(self._process.stdout.fileno(), end, longest)
        except TimeoutError:
            raise Fault(f"It did not answer within {timeout:g} s.") from None

    def close(self) -> None:
        """Close its input, then kill it if it does not end soon, and whatever it has started."""
        if self._process is None:
            return
        with self._process as process:
            if process.stdin is not None:
                process.stdin.close()
            with suppress(subprocess.TimeoutExpired):
                process.wait(EXIT_TIMEOUT)
            # Its session outlives it if it has left processes running, such as an engine.
            kill_session(process.pid)

    def _send(self, file: int, data: bytes, end: float) -> None:
        # A process that has ended may have answered before; then its answer is still to be read.
        with suppress(BrokenPipeError):
            while data:
                _wait(file, end, to_write=True)
                data = data[os.write(file, data) :]

    def _receive(self, file: int, end: float, longest: int) -> str:
        while b"\n" not in self._received[: longest + 1]:
            if len(self._received) > longest:
                raise Fault(f"It answered with a line of more than {longest} bytes.")
            _wait(file, end)
            more = os.read(file, 4 * longest)
            if not more:
                raise Fault("Its program ended without an answer.")
            self._received += more
        line, _, self._received = self._received.partition(b"\n")
        return line.decode(errors="replace")


def _wait(file: int, end: float, *, to_write: bool = False) -> None:
    """Wait until a pipe can be read or written; `TimeoutError` if that takes too long."""
    if not wait_for(file, end - monotonic(), to_write=to_write):
        raise TimeoutError
