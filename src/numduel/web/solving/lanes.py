"""Lanes to the solving processes. In each, addresses take turns; no lane waits for another."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

from numduel.web.http.errors import GOING_DOWN, Busy, Overloaded

GRACE_SECONDS = 2.0
"""Seconds that a task may go on after its client has left."""


class Solver(Protocol):
    """A solving process."""

    needed: bool
    """Whether somebody has asked for anything yet."""

    def ask(self, task: str, arguments: tuple[Any, ...]) -> Any:
        """The result of a task; blocks."""
        ...

    def interrupt(self) -> None:
        """End the process, so that its task fails."""
        ...

    def stop(self) -> None:
        """End the process for good."""
        ...


class Lane:
    """Some solving processes, and the queue before them."""

    def __init__(self, solvers: Sequence[Solver], *, most: int, of_address: int) -> None:
        self.solvers = tuple(solvers)
        self.free = list(solvers)
        self.queue = FairQueue()
        """Tasks that wait for a solver."""
        self.urgent = FairQueue()
        """Tasks that wait and go first."""
        self._most = most
        """Tasks that may wait."""
        self._of_address = of_address
        """Tasks of one address that may wait."""
        self._threads = ThreadPoolExecutor(len(self.solvers), "solving")
        self._closed = False

    async def ask(
        self, task: str, arguments: tuple[Any, ...], address: str, *, urgent: bool = False
    ) -> Any:
        """The result of a task. If this is cancelled, so is the task."""
        solver = await self._acquire(address, self.urgent if urgent else self.queue)
        if self._closed:
            self._release(solver)
            raise Busy(GOING_DOWN)
        loop = asyncio.get_running_loop()
        running = loop.run_in_executor(self._threads, solver.ask, task, arguments)
        # The solver is busy until its thread is done, even if nobody waits for the result.
        running.add_done_callback(lambda _: self._release(solver))
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            giving_up = loop.call_later(GRACE_SECONDS, solver.interrupt)
            running.add_done_callback(lambda _: giving_up.cancel())
            running.add_done_callback(asyncio.Future.exception)  # Nobody else looks at it.
            raise

    def admit(self, address: str) -> None:
        """Raise `Overloaded` if there is no room for another task of this address."""
        if self.free:
            return
        if self.queue.count(address) + self.urgent.count(address) >= self._of_address:
            raise Overloaded(
                "The computer is already working on a lot for your network; try again in a minute."
            )
        if len(self.queue) + len(self.urgent) >= self._most:
            raise Overloaded(
                "The computer has too much to work out just now; try again in a minute, or choose"
                " a smaller board."
            )

    async def check(self) -> None:
        """Ping a process that is free, if it has been needed before."""
        if self.free and self.free[-1].needed:
            await self.ask("ping", (), "")

    def close(self) -> None:
        """Stop at once; unfinished tasks fail."""
        self._closed = True
        for solver in self.solvers:
            solver.stop()
        self._threads.shutdown(cancel_futures=True)

    async def _acquire(self, address: str, queue: FairQueue) -> Solver:
        self.admit(address)
        if self.free:
            return self.free.pop()
        turn: asyncio.Future[Solver] = asyncio.get_running_loop().create_future()
        queue.push(address, turn)
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                queue.remove(address, turn)
            else:  # Cancelled after the solver was handed over: pass it on.
                self._release(turn.result())
            raise

    def _release(self, solver: Solver) -> None:
        """Give a solver to the next task."""
        turn = self.urgent.pop() or self.queue.pop()
        if turn is not None:
            turn.set_result(solver)
        else:
            self.free.append(solver)


class FairQueue:
    """A queue in which addresses take turns, however many tasks each has."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[asyncio.Future[Solver]]] = OrderedDict()
        """The tasks of each address; the first address is next."""

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def count(self, address: str) -> int:
        """How many tasks of an address wait."""
        return len(self._waiting.get(address, ()))

    def push(self, address: str, turn: asyncio.Future[Solver]) -> None:
        """Add a task after the others of its address."""
        self._waiting.setdefault(address, deque()).append(turn)

    def remove(self, address: str, turn: asyncio.Future[Solver]) -> None:
        """Remove a task that has not been popped."""
        if turn in self._waiting.get(address, ()):
            self._waiting[address].remove(turn)
            if not self._waiting[address]:
                del self._waiting[address]

    def pop(self) -> asyncio.Future[Solver] | None:
        """Remove and return the next task; None if there is none."""
        while self._waiting:
            address, waiting = self._waiting.popitem(last=False)
            turn = waiting.popleft()
            if waiting:
                self._waiting[address] = waiting
            if not turn.done():
                return turn
        return None
