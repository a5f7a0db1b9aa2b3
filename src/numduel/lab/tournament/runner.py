"""Playing the games of a tournament on some cores of this machine."""

from __future__ import annotations

import os
import signal
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread, current_thread, main_thread
from time import sleep

from numduel.core.errors import BadVariant, NumduelError
from numduel.core.game import Game
from numduel.lab.tournament.entrants import check
from numduel.lab.tournament.file import ResultFile
from numduel.lab.tournament.jobs import Tournament, play, prepare
from numduel.solver import TooLarge, solve

JOBS = 2
"""Games that are played at the same time, by default."""
MAX_TABLE = 1 << 26
"""Bytes of the largest table that is solved before a tournament."""
PARENT_CHECK_INTERVAL = 0.5
"""Seconds between a worker's checks that its parent process is still there."""


def make_ready(tournament: Tournament) -> None:
    """Solve its games, so that workers find compiled code and tables on disk. `BadVariant` if it
    cannot be played."""
    for game in tournament.games:
        _solve(game)
        prepare(game)
    for entrant in tournament.entrants:
        check(entrant)


def _solve(game: Game) -> None:
    """Solve a small game as a whole, once for all processes: a lookup is faster than a search and
    takes less memory."""
    from numduel.solver import tables

    if not tables.exists(game):
        # If it is too large or cannot be saved, each process searches for itself.
        with suppress(TooLarge, MemoryError, OSError):
            solve(game, limit=MAX_TABLE)


def run(
    tournament: Tournament,
    file: ResultFile,
    *,
    jobs: int = JOBS,
    advance: Callable[[], None] = lambda: None,
) -> None:
    """Play every game that the file does not have, and write down each result as it comes, in any
    order."""
    from joblib import Parallel, delayed, parallel_config

    left = [job for job in tournament.jobs() if job.key not in file.results]
    with warnings.catch_warnings(), _explain_lost_workers():
        # joblib replaces workers that use too much memory, and has advice for those who stop early.
        warnings.simplefilter("ignore")
        config = parallel_config("loky", initializer=_follow_parent, initargs=(os.getpid(),))
        with config, _deaf_to_ctrl_c():
            parallel = Parallel(n_jobs=jobs, return_as="generator_unordered")
            results = parallel(delayed(play)(job) for job in left)
        try:
            for result in results:
                file.add(result)
                advance()
        finally:
            results.close()


def _follow_parent(parent: int) -> None:
    """In a worker: exit when the parent process has ended, however it ended."""

    def watch() -> None:
        while os.getppid() == parent:
            sleep(PARENT_CHECK_INTERVAL)
        os._exit(1)

    Thread(target=watch, daemon=True).start()


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Start processes that ignore Ctrl-C: this process ends them."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _explain_lost_workers() -> Iterator[None]:
    """Turn what joblib raises when workers are lost into one sentence. Finished games are saved."""
    try:
        yield
    except NumduelError:
        raise
    except Exception as error:
        # joblib and loky have errors of their own for a worker that is gone.
        if type(error).__name__ not in ("TerminatedWorkerError", "BrokenProcessPool"):
            raise
        raise BadVariant(
            "A worker has died. Run the same command again to continue; fewer --jobs need less"
            " memory."
        ) from None
