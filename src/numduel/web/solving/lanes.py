"""Lanes to the solving processes. In each, addresses share the time of the solvers; no lane waits
for another."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, Protocol

from numduel.core.language import ENGLISH, N_
from numduel.web.http.errors import GOING_DOWN, Busy, Overloaded
from numduel.web.solving.fair import FairQueue, Turn, half

GRACE_SECONDS = 2.0
"""Seconds that a task may go on after the last client that asked for it has left."""
ASSUMED_SECONDS = 0.1
"""What a task costs until it is known how long it took."""


class Solver(Protocol):
    """A solving process."""

    needed: bool
    """Whether somebody has asked for anything yet."""

    def ask(self, task: str, arguments: tuple[Any, ...], language: str) -> Any:
        """The result of a task, in a language; blocks."""
        ...

    def interrupt(self) -> None:
        """End the process, so that its task fails."""
        ...

    def stop(self) -> None:
        """End the process for good."""
        ...


class Client(NamedTuple):
    """Who asks: a browser or a program at an address."""

    address: str = ""
    """Empty for the server itself."""
    seat: str = ""
    """Their known key; all of one address who have none count as one."""


class Job:
    """A task, and everybody who asks for it."""

    def __init__(
        self, question: Hashable, task: str, arguments: tuple[Any, ...], language: str
    ) -> None:
        self.question = question
        self.task = task
        self.arguments = arguments
        self.language = language
        self.askers: dict[asyncio.Future[Any], tuple[FairQueue[Job], Turn[Job]] | None] = {}
        """What each waits for, and their place in a queue until it begins."""
        self.solver: Solver | None = None
        """The solver that works on it, if it has begun."""
        self.giving_up: asyncio.TimerHandle | None = None
        """Interrupts it, because nobody asks for it any more."""

    def dequeue(self, asker: asyncio.Future[Any]) -> None:
        """Give up the place of somebody in the queue, if it has not come up."""
        place, self.askers[asker] = self.askers[asker], None
        if place is not None:
            queue, turn = place
            queue.remove(turn)

    def go_on(self) -> None:
        """Do not interrupt it."""
        if self.giving_up is not None:
            self.giving_up.cancel()
            self.giving_up = None

    def settle(self, result: Any, error: BaseException | None) -> None:
        """Tell everybody who asks."""
        for asker in self.askers:
            if asker.done():
                continue
            if error is None:
                asker.set_result(result)
            else:
                asker.set_exception(error)


class Lane:
    """Some solving processes, and the queue before them. If there are several, one address never
    has them all."""

    def __init__(
        self,
        solvers: Sequence[Solver],
        *,
        most: int,
        of_address: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.solvers = tuple(solvers)
        self.free = list(reversed(solvers))
        """Those without a task; the last one is next."""
        self.queue: FairQueue[Job] = FairQueue()
        """Tasks that wait for a solver."""
        self.urgent: FairQueue[Job] = FairQueue()
        """Tasks that wait and go first."""
        self._most = most
        """Tasks that may wait."""
        self._of_address = of_address
        """Tasks of one address that may wait."""
        self._clock = clock
        self._jobs: dict[Hashable, Job] = {}
        """What is waited for or being worked on."""
        self._held: Counter[str] = Counter()
        """How many solvers each address has."""
        self._threads = ThreadPoolExecutor(len(self.solvers), "solving")
        self._closed = False

    async def ask(
        self,
        task: str,
        arguments: tuple[Any, ...],
        client: Client,
        *,
        urgent: bool = False,
        shared: bool = True,
        language: str = ENGLISH,
    ) -> Any:
        """The result of a task, told in a language; if it is `shared`, the same for all who ask
        while it is worked on. It is cancelled when this is, and nobody else asks for it."""
        if self._closed:
            raise Busy(GOING_DOWN)
        question: Hashable = (task, arguments, language) if shared else object()
        job = self._jobs.get(question)
        if job is None or job.solver is None:
            self.admit(client)
        job = job or self._jobs.setdefault(question, Job(question, task, arguments, language))
        asker: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        job.go_on()
        job.askers[asker] = None
        if job.solver is None:
            queue, turn = self.urgent if urgent else self.queue, Turn((*client,), job)
            queue.push(turn)
            job.askers[asker] = queue, turn
            self._start()
        try:
            return await asker
        except asyncio.CancelledError:
            self._leave(job, asker)
            raise

    def admit(self, client: Client) -> None:
        """Raise `Overloaded` if there is no room for another task of this client."""
        address, seat = client
        if self.free and address not in self._sated():
            return
        too_many = self._waiting(address) >= self._of_address
        if address:  # The server itself has one seat.
            too_many = too_many or self._waiting(address, seat) >= half(self._of_address)
        if too_many:
            raise Overloaded(
                N_(
                    "The computer is already working on a lot for your network; try again in a"
                    " minute."
                )
            )
        if self._waiting() >= self._most:
            raise Overloaded(
                N_(
                    "The computer has too much to work out just now; try again in a minute, or"
                    " choose a smaller board."
                )
            )

    def _waiting(self, *path: str) -> int:
        """How many tasks of an address wait, or of a seat there."""
        return self.queue.count(*path) + self.urgent.count(*path)

    async def check(self) -> None:
        """Ping a process that is free, if it has been needed before."""
        if self.free and self.free[-1].needed:
            await self.ask("ping", (), Client(), urgent=True)

    def close(self) -> None:
        """Stop at once; unfinished tasks fail."""
        self._closed = True
        for solver in self.solvers:
            solver.stop()
        self._threads.shutdown(cancel_futures=True)
        for job in self._jobs.values():
            job.settle(None, Busy(GOING_DOWN))

    def _sated(self) -> set[str]:
        """The addresses that have as many solvers as one may have."""
        most = max(1, len(self.solvers) - 1)
        return {address for address, held in self._held.items() if address and held >= most}

    def _start(self) -> None:
        """Give the free solvers to the next tasks."""
        while self.free and not self._closed:
            sated, queue = self._sated(), self.urgent
            turn = queue.pop(sated)
            if turn is None:
                queue = self.queue
                turn = queue.pop(sated)
            if turn is None:
                return
            self._work(queue, turn)

    def _work(self, queue: FairQueue[Job], turn: Turn[Job]) -> None:
        job, solver, began = turn.task, self.free.pop(), self._clock()
        for asker, place in job.askers.items():
            if place is not None and place[1] is turn:
                job.askers[asker] = None
            job.dequeue(asker)
        job.solver = solver
        self._held[turn.path[0]] += 1
        queue.charge(turn, ASSUMED_SECONDS)

        def done(running: asyncio.Future[Any]) -> None:
            # The solver was busy until its thread was done, even if nobody waited for the result.
            queue.charge(turn, self._clock() - began - ASSUMED_SECONDS)
            self._held -= Counter([turn.path[0]])
            self.free.append(solver)
            self._finish(job, running)
            self._start()

        loop = asyncio.get_running_loop()
        running = loop.run_in_executor(
            self._threads, solver.ask, job.task, job.arguments, job.language
        )
        running.add_done_callback(done)

    def _finish(self, job: Job, running: asyncio.Future[Any]) -> None:
        del self._jobs[job.question]
        job.go_on()
        error = Busy(GOING_DOWN) if running.cancelled() else running.exception()
        job.settle(None if error else running.result(), error)

    def _leave(self, job: Job, asker: asyncio.Future[Any]) -> None:
        """Somebody does not want to know any more."""
        job.dequeue(asker)
        del job.askers[asker]
        if job.askers or self._jobs.get(job.question) is not job:
            return
        if job.solver is None:
            del self._jobs[job.question]
        else:
            later = asyncio.get_running_loop().call_later
            job.giving_up = later(GRACE_SECONDS, job.solver.interrupt)
