"""Solving processes: nothing else on the server ever waits for them.

A solving process is replaced when it takes too long, grows too large or dies: all that it knew can
be computed again.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Iterable
from contextlib import suppress
from datetime import date, timedelta
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from numduel.core.errors import NumduelError
from numduel.core.game import Game
from numduel.core.language import ENGLISH, N_, language, languages, speaking
from numduel.play.players import COMPUTERS, LEVELS
from numduel.play.record import parse
from numduel.system import end_with_parent, limit_memory, resident_memory, step_back
from numduel.web.http.errors import GOING_DOWN, Busy
from numduel.web.http.logs import set_up_logging
from numduel.web.http.middleware.client import current_address
from numduel.web.positions import RECORD
from numduel.web.solving.lanes import Client, Lane

log = logging.getLogger(__name__)
PING_TIMEOUT = 4.0
"""Seconds in which an idle solving process must answer a ping."""
TASK_TIMEOUT = 15.0
"""Seconds that values, a hint, a report or a puzzle may take."""
MOVE_TIMEOUT = 60.0
"""Seconds that a move of the computer, preparing a game, and judging may take."""
START_TIMEOUT = 60.0
"""Seconds in which a solving process must be ready for its first task, and in which it may compile
rules: that does not count as the time of the task."""
READY, COMPILING = "ready", "compiling"
"""What a solving process sends besides its results."""
SEARCHES = frozenset({
    "daily", "daily_puzzle", "judge_daily", "puzzle", "find_puzzle", "storm_puzzle",
})  # fmt: skip
"""Tasks that may take seconds on any board, because a puzzle is looked for."""
WHOLE_GAMES = frozenset({"report", "find_mistakes", "tell_mistakes", "judge_games"})
"""Tasks that look at every position of a game."""
CHANCE = frozenset({"choose", "choose_move", "lesson_answer", "try_step"})
"""Tasks whose result may be another one the next time, so each client gets its own."""
CACHED_TASKS = frozenset({
    "report", "daily", "daily_puzzle", "judge_daily", "puzzle", "find_puzzle",
    "lesson_list", "lesson_data",
})  # fmt: skip
"""Tasks whose results are cached, because many clients ask for the same."""
WORDLESS = frozenset({"choose", "choose_move", "judge", "warm", "ping"})
"""Tasks that say nothing in their results, or say it in English to be stored."""
MAX_CACHED = 500
"""Results that are cached; those that nobody has asked for longest go first."""
DAYS_SECONDS = 3600.0
"""Seconds after which the puzzles of these days are looked for again."""
JUDGING = Client("judging")
"""Who asks for the games of all events to be judged, whoever has played them."""
MAX_WAITING = 200
"""Short tasks that may wait in a lane; beyond that the server says that it has too much to do
(back-pressure)."""
MAX_WAITING_OF_ADDRESS = 100
"""Short tasks of one address that may wait."""
MAX_LARGE = 32
"""Tasks on large boards that may wait: each may take a minute."""
MAX_LARGE_OF_ADDRESS = 8
"""Tasks on large boards of one address that may wait."""
MAX_SMALL_ACTIONS = 40
"""Actions beyond which a board is large, even if it is the usual one of its game."""
IDEAS = ("random", *LEVELS)
"""The players that never use the solver."""
MAX_RESIDENT = 3 << 30
"""Bytes of memory beyond which a solving process is replaced after its task."""
MAX_ADDRESS_SPACE = 8 << 30
"""Bytes of address space that a solving process may have."""
MAX_TABLE = 512 << 20
"""Bytes that a table made for a task may take."""
NICE = 5
"""The niceness of solving: the server goes first."""
NICE_LARGE = 19
"""The niceness of solving large boards: they get the processor time that is left over."""
NICE_SLOW = 10
"""The niceness of what takes seconds: whoever waits for a move or a hint goes first."""
NOT_READY = N_("The computer is not ready yet; try again in a moment.")
TOO_MUCH = N_("That is too much to work out here; try a smaller board.")
_SPAWN = get_context("spawn")


class Solvers:
    """The solving processes, in four lanes that never wait for each other."""

    def __init__(self, count: int) -> None:
        self.ideas = Lane(
            [_Solver(compiler=False)], most=MAX_WAITING, of_address=MAX_WAITING_OF_ADDRESS
        )
        """For the players that never use the solver: its process never loads the compiler."""
        self.small = Lane(
            [_Solver() for _ in range(count)], most=MAX_WAITING, of_address=MAX_WAITING_OF_ADDRESS
        )
        """For what takes milliseconds; a move of the computer goes first."""
        self.slow = Lane(
            [_Solver(NICE_SLOW) for _ in range(count + 1)],
            most=MAX_WAITING,
            of_address=MAX_WAITING_OF_ADDRESS,
        )
        """For what may take seconds on a usual board: looking for puzzles, reports, and judging the
        games of events. There is one solver more than one address can have."""
        self.large = Lane(
            [_Solver(NICE_LARGE) for _ in range(count)],
            most=MAX_LARGE,
            of_address=MAX_LARGE_OF_ADDRESS,
        )
        """For large boards, where a task may take a minute."""
        self._lanes = (self.ideas, self.small, self.slow, self.large)
        self._cache: OrderedDict[tuple[Any, ...], Any] = OrderedDict()

    async def ask(self, task: str, *arguments: Any, seat: str = "") -> Any:
        """The result of a task, in the language spoken, for the address whose request is being
        served, and for a known key there. If this is cancelled, so is the task, unless others ask
        for it, too."""
        code = ENGLISH if task in WORDLESS else language()
        question = (code, task, *arguments)
        if question in self._cache:
            self._cache.move_to_end(question)
            return self._cache[question]
        lane = self._lane(task, arguments)
        urgent = task == "choose" and lane is not self.large
        client = JUDGING if task == "judge" else Client(current_address.get(), seat)
        shared = task not in CHANCE
        result = await lane.ask(
            task, arguments, client, urgent=urgent, shared=shared, language=code
        )
        if task in CACHED_TASKS:
            self._cache[question] = result
            if len(self._cache) > MAX_CACHED:
                self._cache.popitem(last=False)
        return result

    def admit(self, player: str, game: Game, seat: str = "") -> None:
        """Raise `Overloaded` if a computer player could not be asked for a move now."""
        if player in COMPUTERS:
            self._lane_of_player(player, game).admit(Client(current_address.get(), seat))

    async def prepare(self, games: Iterable[str]) -> None:
        """Compile games before somebody waits for them; then look for the puzzles of today, and of
        the days that it is elsewhere, day after day. They are found once: to tell them in another
        language is nothing."""
        for game in games:
            with suppress(NumduelError):
                await self.ask("warm", game)
        while True:
            today = date.today()
            latest = today + timedelta(1)
            for day in (today, latest, today - timedelta(1)):
                for code in languages():
                    with suppress(NumduelError), speaking(code):
                        await self.ask("daily", day, latest)
                        await self.ask("daily_puzzle", day.isoformat(), 0, day.isoformat())
            await asyncio.sleep(DAYS_SECONDS)

    async def check(self) -> None:
        """Raise `Busy` if the solving processes are dead and cannot be restarted. Busy ones are not
        disturbed, and unused ones are not started."""
        try:
            async with asyncio.timeout(PING_TIMEOUT):
                await asyncio.gather(*(lane.check() for lane in self._lanes))
        except TimeoutError:
            raise Busy(N_("The solver does not answer.")) from None

    def close(self) -> None:
        """Stop at once; unfinished tasks fail."""
        for lane in self._lanes:
            lane.close()

    def _lane(self, task: str, arguments: tuple[Any, ...]) -> Lane:
        if task == "choose":
            player, state = arguments
            return self._lane_of_player(player, state.game)
        if task in SEARCHES or task == "judge":
            return self.slow
        if records := [one for one in arguments if isinstance(one, str) and RECORD.search(one)]:
            lane = self._lane_of_game(parse(records[0]).state.game)
            return self.slow if task in WHOLE_GAMES and lane is self.small else lane
        if task in ("values", "hint", "answer"):
            return self._lane_of_game(arguments[0].game)
        return self.small

    def _lane_of_player(self, player: str, game: Game) -> Lane:
        return self.ideas if player in IDEAS else self._lane_of_game(game)

    def _lane_of_game(self, game: Game) -> Lane:
        return self.small if is_small(game) else self.large


def is_small(game: Game) -> bool:
    """Whether every task on a board is short: it is no larger than the usual one of its game or,
    if there is a deck, it is that one, whose table is made beforehand."""
    usual = type(game)()
    if game.bounds.actions > MAX_SMALL_ACTIONS or (game.has_deck and game != usual):
        return False
    return all(mine <= most for mine, most in zip(game.bounds, usual.bounds, strict=True))


class _Solver:
    """One solving process, started when it is first needed."""

    def __init__(self, nice: int = NICE, *, compiler: bool = True) -> None:
        self.needed = False
        """Whether it has had a task yet."""
        self._nice = nice
        self._compiler = compiler
        """Whether to load the compiler at the start, which takes a while."""
        self._started: tuple[BaseProcess, Connection] | None = None
        self._ready = False
        self._stopped = False
        self._interrupted = False
        """Whether the process was killed because nobody waits for its task."""

    def ask(self, task: str, arguments: tuple[Any, ...], language: str = ENGLISH) -> Any:
        """The result of a task, in a language; blocks until the process has answered or was
        killed."""
        self.needed = True
        if self._stopped:
            raise Busy(GOING_DOWN)
        if self._interrupted:  # It may hit this task instead of the last one: start anew.
            self._interrupted = False
            self._kill()
        try:
            pipe = self._start()
            if self._stopped:
                self._kill()
                raise Busy(GOING_DOWN)
            self._ready = self._ready or self._receive(pipe, START_TIMEOUT, "start") == READY
            pipe.send((task, arguments, language))
            patient = task in ("choose", "warm", "judge")
            limit = MOVE_TIMEOUT if patient else TASK_TIMEOUT
            while (told := self._receive(pipe, limit, task)) == COMPILING:
                limit = max(limit, START_TIMEOUT)
            result, error, size = told
        except (EOFError, OSError):
            self._kill()
            if self._stopped:
                raise Busy(GOING_DOWN) from None
            if self._interrupted:
                log.info("nobody waits for a task any more", extra={"task": task})
                raise Busy(NOT_READY) from None
            log.warning("a solving process died", extra={"task": task})
            raise Busy(TOO_MUCH) from None
        if size > MAX_RESIDENT:
            self._kill()
        if error is not None:
            raise error
        return result

    def interrupt(self) -> None:
        """Kill the process, so that its task fails; the next one starts another."""
        self._interrupted = True
        if self._started is not None:
            self._started[0].kill()

    def stop(self) -> None:
        """Kill the process, and start no other."""
        self._stopped = True
        self._kill()

    def _start(self) -> Connection:
        """The pipe to the process, which is started if it is not running."""
        if self._started is not None and not self._started[0].is_alive():
            self._kill()
        if self._started is None:
            ours, theirs = _SPAWN.Pipe()
            process = _SPAWN.Process(
                target=_serve, args=(theirs, self._nice, self._compiler), name="solver", daemon=True
            )
            process.start()
            theirs.close()
            self._started = process, ours
        return self._started[1]

    def _receive(self, pipe: Connection, seconds: float, task: str) -> Any:
        """The next message of the process, which is killed if it takes longer."""
        if not pipe.poll(seconds):
            self._kill()
            log.warning("solving took too long", extra={"task": task})
            if task == "start":
                raise Busy(NOT_READY)
            raise Busy(N_("That takes too long to work out here; try a smaller board."))
        return pipe.recv()

    def _kill(self) -> None:
        if self._started is not None:
            process, pipe = self._started
            self._started, self._ready = None, False
            process.kill()
            process.join()
            pipe.close()


def _serve(pipe: Connection, nice: int, compiler: bool) -> None:
    """The main loop of a solving process."""
    import signal

    end_with_parent()
    set_up_logging()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    step_back(nice, idle=nice == NICE_LARGE)
    limit_memory(MAX_ADDRESS_SPACE)
    from numduel.solver import limited
    from numduel.solver.notices import Notice, heard_by
    from numduel.web.solving.tasks import TASKS

    def tell(notice: Notice, _: Game | None) -> None:
        if notice is Notice.COMPILING:
            pipe.send(COMPILING)

    if compiler:
        import numduel.solver.compiled  # noqa: F401
    pipe.send(READY)
    while True:
        try:
            task, arguments, code = pipe.recv()
        except EOFError:
            return
        result: Any = None
        error: Exception | None = None
        try:
            with speaking(code), heard_by(tell), limited(MAX_TABLE):
                result = TASKS[task](*arguments)
        except NumduelError as refused:
            error = refused
        except MemoryError:
            error = Busy(TOO_MUCH)
        except Exception:
            log.exception("solving failed")
            error = Busy(N_("That could not be worked out here."))
        pipe.send((result, error, resident_memory()))
