"""Solving processes, so that nobody else on the server ever waits for them.

A solving process is replaced when it takes too long, grows too large or dies: everything that it
knew can be computed again.
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
from numduel.web.errors import GOING_DOWN, Busy
from numduel.web.lifeline import end_with_parent
from numduel.web.logs import set_up_logging
from numduel.web.settings import inherited

log = logging.getLogger(__name__)
PING_TIMEOUT = 4.0
"""Seconds in which a solving process must say that it is there, when it has nothing to do."""
TASK_TIMEOUT = 15.0
"""Seconds that values, a hint, a report or a puzzle may take."""
MOVE_TIMEOUT = 60.0
"""Seconds that a move of the computer may take, and the preparation of a game."""
CACHED_TASKS = ("report", "daily", "themes", "strategy", "lesson_list", "lesson_data")
"""Tasks whose results are cached, because many ask for the same."""
MAX_CACHED = 500
"""Results in the cache."""
MAX_QUEUE = 200
"""Tasks that may wait; beyond that, back-pressure: the server says that it is busy."""
MAX_RESIDENT = 3 << 30
"""Bytes of memory beyond which a solving process is replaced after its task."""
MAX_ADDRESS_SPACE = 8 << 30
"""Bytes that a solving process may allocate at all."""
_SPAWN = get_context("spawn")


class Solvers:
    """A pool of solving processes and the priority queue before it: a computer's move goes first,
    because somebody waits for it."""

    def __init__(self, count: int) -> None:
        self._all = [_Solver() for _ in range(count)]
        self._free = list(self._all)
        self._queue: list[tuple[bool, int, asyncio.Future[_Solver]]] = []
        """A heap: urgent tasks first, each kind in the order of arrival."""
        self._arrivals = 0
        self._threads = ThreadPoolExecutor(count, "solving")
        self._cache: OrderedDict[tuple[Any, ...], Any] = OrderedDict()
        self._closed = False

    async def ask(self, task: str, *arguments: Any) -> Any:
        """The result of a task of `numduel.web.tasks`."""
        question = (task, *arguments)
        if question in self._cache:
            return self._cache[question]
        solver = await self._acquire(urgent=task == "choose")
        if self._closed:
            self._release(solver)
            raise Busy(GOING_DOWN)
        loop = asyncio.get_running_loop()
        running = loop.run_in_executor(self._threads, solver.ask, task, arguments)
        # The solver is busy until its thread is done, even if nobody waits for the result now.
        running.add_done_callback(lambda _: self._release(solver))
        result = await asyncio.shield(running)
        if task in CACHED_TASKS:
            self._cache[question] = result
            if len(self._cache) > MAX_CACHED:
                self._cache.popitem(last=False)
        return result

    def prepare(self, game: str) -> None:
        """Have a game compiled before somebody waits for it."""
        task = asyncio.get_running_loop().create_task(self.ask("warm", game))
        task.add_done_callback(lambda done: None if done.cancelled() else done.exception())

    async def check(self) -> None:
        """Raises `Busy` if the solving processes are dead and cannot be started again. One that is
        at work is not disturbed, and one that nobody needed yet is not started."""
        if self._free and self._free[-1].needed:
            try:
                await asyncio.wait_for(self.ask("ping"), PING_TIMEOUT)
            except TimeoutError:
                raise Busy("The solver does not answer.") from None

    def close(self) -> None:
        """Stop at once; unfinished tasks fail."""
        self._closed = True
        for solver in self._all:
            solver.stop()
        self._threads.shutdown(cancel_futures=True)

    async def _acquire(self, *, urgent: bool) -> _Solver:
        """Wait for a free solver."""
        if self._free:
            return self._free.pop()
        if sum(not turn.done() for _, _, turn in self._queue) >= MAX_QUEUE:
            raise Busy("The solver has too much to do just now; try again in a moment.")
        self._arrivals += 1
        turn: asyncio.Future[_Solver] = asyncio.get_running_loop().create_future()
        heappush(self._queue, (not urgent, self._arrivals, turn))
        try:
            return await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # Cancelled after the solver was handed over: pass it on.
                self._release(turn.result())
            raise

    def _release(self, solver: _Solver) -> None:
        """Give a solver to the first task that still waits for one."""
        while self._queue:
            turn = heappop(self._queue)[2]
            if not turn.done():
                turn.set_result(solver)
                return
        self._free.append(solver)


class _Solver:
    """One solving process, started when it is first needed."""

    def __init__(self) -> None:
        self.needed = False
        """Whether somebody has asked for anything yet."""
        self._started: tuple[BaseProcess, Connection] | None = None
        self._stopped = False

    def ask(self, task: str, arguments: tuple[Any, ...]) -> Any:
        """The result of a task; blocks until the process has answered or was given up."""
        self.needed = True
        if self._stopped:
            raise Busy(GOING_DOWN)
        try:
            pipe = self._start()
            if self._stopped:
                self._kill()
                raise Busy(GOING_DOWN)
            pipe.send((task, arguments))
            if not pipe.poll(MOVE_TIMEOUT if task in ("choose", "warm") else TASK_TIMEOUT):
                self._kill()
                log.warning("solving took too long", extra={"task": task})
                raise Busy("That takes too long to work out here; try a smaller board.")
            result, error, size = pipe.recv()
        except (EOFError, OSError):
            self._kill()
            if self._stopped:
                raise Busy(GOING_DOWN) from None
            log.warning("a solving process died", extra={"task": task})
            raise Busy("That is too much to work out here; try a smaller board.") from None
        if size > MAX_RESIDENT:
            self._kill()
        if error is not None:
            raise error
        return result

    def stop(self) -> None:
        """Kill the process, and start no other."""
        self._stopped = True
        self._kill()

    def _start(self) -> Connection:
        """The pipe to the process, which is started if there is none or if it died."""
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
    """The main loop of a solving process."""
    import signal

    end_with_parent()
    set_up_logging(inherited().log)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(5)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MAX_ADDRESS_SPACE, MAX_ADDRESS_SPACE))
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")  # Where memory runs out, the kernel kills this process first.
    from numduel import solver
    from numduel.web.tasks import TASKS

    solver.frugal = True

    while True:
        try:
            task, arguments = pipe.recv()
        except EOFError:
            return
        result: Any = None
        error: Exception | None = None
        try:
            result = TASKS[task](*arguments)
        except NumduelError as refused:
            error = refused
        except MemoryError:
            error = Busy("That is too much to work out here; try a smaller board.")
        except Exception:
            log.exception("solving failed")
            error = Busy("That could not be worked out.")
        pipe.send((result, error, _resident()))


def _resident() -> int:
    """Bytes of memory that this process holds; 0 where the system does not say."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize()
    except OSError:
        return 0
