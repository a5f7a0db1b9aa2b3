"""Processes that solve, so that nobody else on the server ever waits for them.

A solving process is replaced when it takes too long, grows too large or dies: all it knew can be
computed again.
"""

from __future__ import annotations

import asyncio
import logging
import os
import resource
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from heapq import heappop, heappush
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from numduel.core.errors import NumduelError
from numduel.web.errors import Busy

log = logging.getLogger(__name__)
PATIENCE = 15.0
"""Seconds that values, a report or a puzzle may take."""
URGENT = 60.0
"""Seconds that a move of the computer may take."""
REMEMBERED = ("report", "daily")
"""Tasks whose answers many ask for."""
MOST = 500
"""Answers that are remembered."""
WAITING = 200
"""Tasks that may wait; beyond, the server says that it is busy."""
LARGE = 3 << 30
"""Bytes that a solving process may hold between tasks."""
ROOM = 8 << 30
"""Bytes of address space that it may take at all."""
_SPAWN = get_context("spawn")


class Solvers:
    """A few solving processes and the queue before them. A computer's move goes before values:
    somebody waits for it."""

    def __init__(self, count: int) -> None:
        self._all = [_Solver() for _ in range(count)]
        self._free = list(self._all)
        self._waiting: list[tuple[bool, int, asyncio.Future[_Solver]]] = []
        self._count = 0
        self._threads = ThreadPoolExecutor(count, "solving")
        self._known: OrderedDict[tuple[Any, ...], Any] = OrderedDict()

    async def ask(self, task: str, *arguments: Any) -> Any:
        """Have a task of `numduel.web.tasks` done."""
        question = (task, *arguments)
        if question in self._known:
            return self._known[question]
        solver = await self._next(urgent=task == "choose")
        try:
            found = await asyncio.get_running_loop().run_in_executor(
                self._threads, solver.ask, task, arguments
            )
        finally:
            self._release(solver)
        if task in REMEMBERED:
            self._known[question] = found
            if len(self._known) > MOST:
                self._known.popitem(last=False)
        return found

    def prepare(self, game: str) -> None:
        """Have a game compiled before somebody waits for it."""
        task = asyncio.get_running_loop().create_task(self.ask("warm", game))
        task.add_done_callback(lambda done: None if done.cancelled() else done.exception())

    def close(self) -> None:
        """Stop at once: nothing here is worth waiting for."""
        for solver in self._all:
            solver.stop()
        self._threads.shutdown(cancel_futures=True)

    async def _next(self, *, urgent: bool) -> _Solver:
        """A solver, when it is this one's turn."""
        if self._free:
            return self._free.pop()
        if len(self._waiting) >= WAITING:
            raise Busy("The solver has too much to do just now; try again in a moment.")
        self._count += 1
        turn: asyncio.Future[_Solver] = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (not urgent, self._count, turn))
        return await turn

    def _release(self, solver: _Solver) -> None:
        while self._waiting:
            turn = heappop(self._waiting)[2]
            if not turn.done():
                turn.set_result(solver)
                return
        self._free.append(solver)


class _Solver:
    """One solving process, started when it is first needed."""

    def __init__(self) -> None:
        self._started: tuple[BaseProcess, Connection] | None = None
        self._stopped = False

    def ask(self, task: str, arguments: tuple[Any, ...]) -> Any:
        if self._stopped:
            raise Busy("The server is going down.")
        try:
            pipe = self._start()
            if self._stopped:
                self._kill()
                raise Busy("The server is going down.")
            pipe.send((task, arguments))
            if not pipe.poll(URGENT if task in ("choose", "warm") else PATIENCE):
                self._kill()
                log.warning("solving took too long", extra={"task": task})
                raise Busy("That takes too long to work out here; try a smaller board.")
            found, error, size = pipe.recv()
        except (EOFError, OSError):
            self._kill()
            log.warning("a solving process died", extra={"task": task})
            raise Busy("That is too much to work out here; try a smaller board.") from None
        if size > LARGE:
            self._kill()
        if error is not None:
            raise error
        return found

    def stop(self) -> None:
        self._stopped = True
        self._kill()

    def _start(self) -> Connection:
        """The pipe to the process, which is started if there is none, or none any more."""
        if self._started is not None and not self._started[0].is_alive():
            self._kill()
        if self._started is None:
            ours, theirs = _SPAWN.Pipe()
            process = _SPAWN.Process(target=_serve, args=(theirs,), name="solver", daemon=True)
            process.start()
            theirs.close()
            self._started = process, ours
        return self._started[1]

    def _kill(self) -> None:
        if self._started is not None:
            process, pipe = self._started
            self._started = None
            process.kill()
            process.join()
            pipe.close()


def _serve(pipe: Connection) -> None:
    """The life of a solving process."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(5)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")  # Where memory runs out, it is not the server that must go.
    from numduel import solver
    from numduel.web.tasks import TASKS

    solver.frugal = True

    while True:
        try:
            task, arguments = pipe.recv()
        except EOFError:
            return
        found: Any = None
        error: Exception | None = None
        try:
            found = TASKS[task](*arguments)
        except NumduelError as refused:
            error = refused
        except MemoryError:
            error = Busy("That is too much to work out here; try a smaller board.")
        except Exception:
            log.exception("solving failed")
            error = Busy("That could not be worked out.")
        pipe.send((found, error, _size()))


def _size() -> int:
    """The memory that this process holds, where the system tells."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize()
    except OSError:
        return 0
