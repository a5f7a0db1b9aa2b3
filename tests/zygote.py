"""Processes that start fast: forks of one that has imported numduel already.

A test that starts ``numduel`` is about the process: its pipes, its terminal, its signals and its
death, not about the second that an interpreter takes to import the libraries. So every test process
has a zygote, which imports them once; `start` makes it fork, and the fork becomes
``python -m numduel`` or ``python -c PROGRAM`` in a session of its own, with its own files, folder
and environment. Variables that an interpreter reads only when it starts (``PYTHONPATH`` and the
like) need a real one, and get it.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import io
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.abc import SourceLoader
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from numduel.system import PR_SET_PDEATHSIG

IMPORTED = (
    "filelock", "numba", "numpy", "psycopg", "rich.console", "rich.markdown", "textual.app",
    "sqlalchemy.dialects.postgresql", "uvicorn", "websockets", "numduel.__main__",
    "numduel.learn.coach", "numduel.learn.puzzle", "numduel.solver.claims",
    "numduel.solver.decks", "numduel.solver.strong", "numduel.learn.strategies",
    "numduel.terminal.app", "numduel.lab.tournament", "numduel.tui.app", "numduel.web.app",
    "numduel.web.http.protocol", "numduel.web.solving.tasks",
)  # fmt: skip
READ_AT_START = ("PYTHON", "NUMBA", "LD_")
"""Variables that begin so are read when an interpreter or a library starts, and never again."""
MAX_REQUEST = 1 << 20


class Fork:
    """A fork of the zygote, with what the tests use of `subprocess.Popen`."""

    def __init__(self, words: Sequence[str], line: socket.socket) -> None:
        self.args = words
        self.returncode: int | None = None
        self._line = line
        self.pid = int(self._told())

    def _told(self) -> bytes:
        told = self._line.recv(64)
        assert told, "the zygote is gone"
        return told

    def poll(self) -> int | None:
        """The exit code, if it has ended."""
        if self.returncode is None and select.select([self._line], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; the exit code, negative if a signal has ended it."""
        if self.returncode is None:
            if not select.select([self._line], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(list(self.args), timeout or 0)
            self.returncode = int(self._told())
            self._line.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it has not ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)


Process = Fork | subprocess.Popen[bytes]


def start(
    words: Sequence[str],
    *,
    stdin: int,
    stdout: int,
    stderr: int,
    env: Mapping[str, str],
    cwd: Path,
    before: Sequence[str] = (),
) -> Process:
    """Start a command in a session of its own, after running some Python statements there."""
    if forkable(words, env):
        with open(os.devnull, "rb") as nothing:
            files = [nothing.fileno() if file == subprocess.DEVNULL else file for file in
                     (stdin, stdout, stderr)]  # fmt: skip
            return _zygote().fork(words, files, env, cwd, before)
    if before:  # preexec_fn would run in a fork of a process with threads, which pytest-xdist has.
        program = "; ".join((*before, "import os, sys; os.execv(sys.argv[1], sys.argv[1:])"))
        words = [sys.executable, "-I", "-S", "-c", program, *words]
    return subprocess.Popen(
        words, stdin=stdin, stdout=stdout, stderr=stderr, env=dict(env), cwd=cwd,
        start_new_session=True,
    )  # fmt: skip


def forkable(words: Sequence[str], env: Mapping[str, str]) -> bool:
    """Whether a fork can become this command."""
    known = [*words[:3]] == [sys.executable, "-m", "numduel"] or [*words[:2]] == [
        sys.executable,
        "-c",
    ]
    return known and all(
        os.environ.get(name) == value
        for name, value in env.items()
        if name.startswith(READ_AT_START) and name != "PYTHONUTF8"
    )


def run(
    words: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: Path,
    typed: bytes = b"",
    before: Sequence[str] = (),
) -> subprocess.CompletedProcess[bytes]:
    """Run a command to its end, with all of its input waiting in a pipe."""
    (given, writing), (out, its_out), (err, its_err) = os.pipe(), os.pipe(), os.pipe()
    theirs = {"stdin": given, "stdout": its_out, "stderr": its_err}
    process = start(words, **theirs, env=env, cwd=cwd, before=before)
    for file in theirs.values():
        os.close(file)
    with ThreadPoolExecutor(2) as threads:
        said = [threads.submit(_everything, file) for file in (out, err)]
        with suppress(BrokenPipeError), open(writing, "wb") as pipe:
            pipe.write(typed)
        return subprocess.CompletedProcess(words, process.wait(), *(each.result() for each in said))


def _everything(file: int) -> bytes:
    with open(file, "rb") as pipe:
        return pipe.read()


# -- the zygote -----------------------------------------------------------------------------


class _Zygote:
    """The zygote of this process of tests."""

    def __init__(self) -> None:
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.zygote", str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            cwd=Path(__file__).parents[1],
            env=_plain(os.environ) | {"PYTHONUTF8": "1", "OPENBLAS_NUM_THREADS": "1"},
        )
        theirs.close()
        atexit.register(self._end)

    def fork(
        self,
        words: Sequence[str],
        files: Sequence[int],
        env: Mapping[str, str],
        cwd: Path,
        before: Sequence[str],
    ) -> Fork:
        """A new process with these files as its standard ones."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        request = json.dumps([[*words], dict(env), str(cwd), [*before]]).encode()
        assert len(request) <= MAX_REQUEST
        socket.send_fds(self._line, [request], [theirs.fileno(), *files])
        theirs.close()
        return Fork(words, ours)

    def _end(self) -> None:
        self._line.close()
        self._process.wait()


def _plain(env: Mapping[str, str]) -> dict[str, str]:
    """An environment without what the tests set for themselves."""
    return {name: value for name, value in env.items() if not name.startswith("NUMBA")}


@cache
def _zygote() -> _Zygote:
    return _Zygote()


def _serve(line: socket.socket) -> tuple[list[str], list[str]]:
    """Fork whenever that is asked for. Returns in the forks only: with the command that each is to
    become, and the statements before it. Ends when the process of tests does."""
    waking, wake = socket.socketpair()
    wake.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
    asked: dict[int, socket.socket] = {}
    while True:
        ready = select.select([line, waking], [], [])[0]
        if waking in ready:
            waking.recv(4096)
            _tell_the_dead(asked)
        if line in ready:
            request, given, _, _ = socket.recv_fds(line, MAX_REQUEST, 4)
            if not request:
                os._exit(0)
            (answer, *files), (words, env, cwd, before) = given, json.loads(request)
            pid = os.fork()
            if pid == 0:
                for each in (line, waking, wake, *asked.values()):
                    each.close()
                os.close(answer)
                _become(files, env, cwd)
                return words, before
            asked[pid] = socket.socket(fileno=answer)
            asked[pid].send(str(pid).encode())
            for file in files:
                os.close(file)


def _tell_the_dead(asked: dict[int, socket.socket]) -> None:
    """Report the processes that have ended, to those who asked for them."""
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            with asked.pop(ended[0]) as answer, suppress(OSError):
                answer.send(str(os.waitstatus_to_exitcode(ended[1])).encode())


def _become(files: list[int], env: dict[str, str], cwd: str) -> None:
    """Take on the files, the environment and the signals of a new process."""
    os.setsid()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # It ends with the zygote.
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    for number, file in enumerate(files):
        os.dup2(file, number)
        if file > 2:
            os.close(file)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    time.tzset()
    sys.stdin = sys.__stdin__ = _text(0, "r")  # type: ignore[misc]
    sys.stdout = sys.__stdout__ = _text(1, "w")  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = _text(2, "w", line_buffering=True, errors="backslashreplace")  # type: ignore[misc]


def _text(file: int, mode: str, **options: Any) -> io.TextIOWrapper:
    """A standard stream as an interpreter makes it when it starts."""
    options.setdefault("line_buffering", os.isatty(file))
    options.setdefault("errors", "surrogateescape")
    raw = open(file, f"{mode}b", closefd=False)  # noqa: SIM115
    return io.TextIOWrapper(raw, "utf-8", newline=None if mode == "r" else "\n", **options)


def _main(words: list[str], before: list[str]) -> None:
    """Run the command; the interpreter reports whatever it raises."""
    names = {"__name__": "__main__", "__builtins__": __builtins__}
    for statement in before:
        exec(statement, {})
    if signal.getsignal(signal.SIGINT) == signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # as an interpreter does
    if words[1] == "-c":
        main, sys.argv = ModuleType("__main__"), ["-c", *words[3:]]
        program: CodeType | None = compile(words[2], "<string>", "exec")
    else:
        spec = find_spec("numduel.__main__")
        assert spec is not None
        assert isinstance(spec.loader, SourceLoader)
        main, sys.argv = ModuleType("__main__"), [str(spec.origin), *words[3:]]
        main.__spec__, main.__file__ = spec, spec.origin
        program = spec.loader.get_code(spec.name)
    assert program is not None
    main.__dict__.update(names)
    sys.modules["__main__"] = main  # Spawned processes import it again.
    try:
        exec(program, main.__dict__)
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            _leave(end.code or 0)
        raise
    _leave(0)


def _leave(code: int) -> None:
    """End as an interpreter does, but without unloading all modules, which takes longer than most
    commands. If output cannot be written, leave that to the interpreter to report."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    with suppress(OSError, ValueError):
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code)


def _prepare() -> None:
    """Import everything, and build what every command needs first: the list of games, for which all
    installed packages are searched, and the options of all commands."""
    for name in IMPORTED:
        import_module(name)
    from typer import main

    from numduel.games import games
    from numduel.terminal.app import app
    from numduel.terminal.commands import COMMANDS, command

    games()
    main.get_command = cache(main.get_command)
    main.get_command(app)
    for name in COMMANDS:
        command(name)


if __name__ == "__main__":
    _prepare()
    gc.collect()
    gc.freeze()
    _main(*_serve(socket.socket(fileno=int(sys.argv[1]))))
