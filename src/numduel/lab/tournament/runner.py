"""Playing the games of a tournament: on some cores of this machine, or on a Dask cluster."""

from __future__ import annotations

import logging
import os
import signal
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib.metadata import version
from threading import Thread
from time import sleep
from typing import Any

from numduel.core.errors import BadVariant, NumduelError
from numduel.core.game import Game
from numduel.core.text import printable
from numduel.extras import install
from numduel.lab.tournament.entrants import Entrant, stamped
from numduel.lab.tournament.jobs import Job, Tournament, play, prepare
from numduel.lab.tournament.journal import Journal
from numduel.solver import TooLarge, solve
from numduel.system import deaf_children, hear_again

JOBS = 2
"""Games that are played at the same time, by default."""
BACKENDS = ("loky", "dask")
MAX_TABLE = 1 << 26
"""Bytes of the largest table that is solved before a tournament."""
LATE = ("cannot schedule new futures", "'NoneType' object has no attribute 'submit'")
"""What joblib fails with when it would give another game to workers that are ended, or gone."""
PARENT_CHECK_INTERVAL = 0.5
"""Seconds between a worker's checks that its parent process is still there."""
CONNECT_TIMEOUT = 10
"""Seconds that a scheduler, and then its first worker, has to answer."""
MAX_DECISIONS = 200
"""Decisions of the longest game, to work out how long a cluster may go without a result."""
MIN_RESULT_TIMEOUT = 600.0
"""Seconds that a cluster may go without a result, at least."""


def make_ready(tournament: Tournament, backend: str = "loky", address: str = "") -> Tournament:
    """The tournament with the files of its players, once its games are solved: workers on this
    machine then find compiled code and tables on disk. `BadVariant` if it cannot be played."""
    if backend not in BACKENDS:
        raise BadVariant(f"--backend is {' or '.join(BACKENDS)}, not {printable(backend, 40)!r}.")
    if backend == "dask" and not address:
        raise BadVariant("--backend dask needs the --address of a scheduler: tcp://host:8786.")
    for game in tournament.games:
        _solve(game)
        prepare(game)
    if backend == "dask":
        return replace(tournament, entrants=_stamped_on(address, tournament.entrants))
    return replace(tournament, entrants=tuple(map(stamped, tournament.entrants)))


def _stamped_on(address: str, entrants: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """The players with their files on a cluster, where all workers must have the same."""
    client = _connect(address)
    try:
        found = [set(client.run(stamped, entrant).values()) for entrant in entrants]
    finally:
        client.close()
    for entrant, versions in zip(entrants, found, strict=True):
        if len(versions) > 1:
            raise BadVariant(
                f"The workers at {printable(address)} do not all have the same {entrant.name}."
            )
    return tuple(versions.pop() for versions in found)


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
    journal: Journal,
    *,
    jobs: int = JOBS,
    backend: str = "loky",
    address: str = "",
    advance: Callable[[], None] = lambda: None,
) -> None:
    """Play every game that the journal does not have, and write down each result as it comes, in
    any order. One that comes twice, after a worker was lost, is counted once. At the end, secrets
    are told."""
    left = [job for job in tournament.jobs() if job.key not in journal.results]
    if left:
        _run(tournament, left, journal, jobs, backend, address, advance)
    journal.reveal()


def _run(
    tournament: Tournament,
    left: list[Job],
    journal: Journal,
    jobs: int,
    backend: str,
    address: str,
    advance: Callable[[], None],
) -> None:
    from joblib import Parallel, delayed

    # On this machine joblib notices when a worker dies; a lost cluster just gives no more results.
    longest = max(MIN_RESULT_TIMEOUT, MAX_DECISIONS * tournament.move_timeout)
    timeout = longest if backend == "dask" else None
    with _configured(backend, address), _explain_lost_workers():
        parallel = Parallel(n_jobs=jobs, return_as="generator_unordered", timeout=timeout)
        with deaf_children():
            results = parallel(delayed(play)(job) for job in left)
        with _closing(results):
            for result in results:
                if journal.add(result):
                    advance()


@contextmanager
def _closing(results: Any) -> Iterator[None]:
    """Stop what is still being played when the body ends, without joblib's advice for those who
    stop early."""
    try:
        yield
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results.close()


@contextmanager
def _configured(backend: str, address: str) -> Iterator[None]:
    from joblib import parallel_config

    if backend == "loky":
        logging.getLogger("concurrent.futures").addFilter(_is_in_time)
        with parallel_config(backend="loky", initializer=_follow_parent, initargs=(os.getpid(),)):
            yield
        return
    client = _connect(address)
    try:
        with parallel_config(
            backend="dask", client=client, wait_for_workers_timeout=CONNECT_TIMEOUT
        ):
            yield
    finally:
        client.close()


def _is_in_time(record: logging.LogRecord) -> bool:
    """Whether a log message is not just about a result that came after Ctrl-C ended the workers."""
    said = str(record.exc_info and record.exc_info[1])
    return not any(late in said for late in LATE)


def _follow_parent(parent: int) -> None:
    """In a worker: exit when the parent process has ended, however it ended. Ctrl-C is left to the
    parent, which ends its workers. It is not ignored: the programs that a worker starts would then
    ignore it, too."""
    signal.signal(signal.SIGINT, lambda *_: None)
    hear_again()

    def watch() -> None:
        while os.getppid() == parent:
            sleep(PARENT_CHECK_INTERVAL)
        os._exit(1)

    Thread(target=watch, daemon=True).start()


def _connect(address: str) -> Any:
    """A client of the cluster; `BadVariant` if its workers have another version of numduel."""
    try:
        from distributed import Client
    except ImportError:
        raise BadVariant(f"A cluster needs Dask: {install('dask')}") from None
    try:
        client: Any = Client(address, timeout=CONNECT_TIMEOUT, set_as_default=False)
    except (OSError, ValueError) as error:
        said = printable(str(error) or type(error).__name__, 200)
        raise BadVariant(f"There is no scheduler at {printable(address)}: {said}") from None
    try:
        found = set(client.run(_version).values())
    except Exception as error:
        client.close()
        said = printable(f"{type(error).__name__}: {error}", 200)
        raise BadVariant(
            f"The workers at {printable(address)} do not have numduel: {said}."
        ) from None
    if found - {_version()}:
        client.close()
        raise BadVariant(
            f"The workers at {printable(address)} have numduel {', '.join(sorted(found))};"
            f" this is {_version()}."
        )
    return client


def _version() -> str:
    return version("numduel")


@contextmanager
def _explain_lost_workers() -> Iterator[None]:
    """Turn what joblib raises when workers are lost into one sentence. Finished games are saved."""
    try:
        with warnings.catch_warnings():
            # joblib replaces workers that use too much memory; nothing is lost by that.
            warnings.filterwarnings("ignore", "A worker stopped while some jobs were given")
            yield
    except NumduelError:
        raise
    except TimeoutError:
        raise BadVariant(
            "The workers no longer answer. Run the same command again to continue."
        ) from None
    except Exception as error:
        # joblib and loky have errors of their own for a worker that is gone.
        if type(error).__name__ not in ("TerminatedWorkerError", "BrokenProcessPool"):
            raise
        raise BadVariant(
            "A worker has died. Run the same command again to continue; fewer --jobs need less"
            " memory."
        ) from None
