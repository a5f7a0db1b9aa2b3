"""Playing the games of a tournament: on some cores of this machine, or on a Dask cluster."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from threading import Thread
from time import sleep
from typing import Any

from numduel.core.errors import BadVariant, NumduelError
from numduel.core.game import Game
from numduel.core.text import printable
from numduel.solver import TooLarge, solve
from numduel.tournament.entrants import check
from numduel.tournament.jobs import Tournament, play, prepare
from numduel.tournament.journal import Journal

JOBS = 2
"""Games at a time, unless told otherwise."""
BACKENDS = ("loky", "dask")
SMALL = 1 << 26
"""Bytes of the largest table that a tournament makes for itself."""
HEARTBEAT = 0.5
"""Seconds between two looks of a worker whether it is still needed."""
CONNECTING = 10
"""Seconds that a scheduler, and then its first worker, have to answer."""
LONGEST = 200
"""Decisions of the longest game that is allowed for when workers are called lost."""
AT_LEAST = 600.0
"""Seconds without any result before workers are called lost."""


def make_ready(tournament: Tournament, backend: str = "loky", address: str = "") -> None:
    """Refuse what cannot be played, and solve the games: what is compiled and kept now, the workers
    of this machine find on the disk. Comes before `run`."""
    if backend not in BACKENDS:
        raise BadVariant(f"--backend is {' or '.join(BACKENDS)}, not {printable(backend, 40)!r}.")
    if backend == "dask" and not address:
        raise BadVariant("--backend dask needs the --address of a scheduler: tcp://host:8786.")
    if backend == "loky":
        for entrant in tournament.entrants:
            check(entrant)
    for game in tournament.games:
        _solved(game)
        prepare(game)


def _solved(game: Game) -> None:
    """Solve a small game as a whole, once for all processes: looking up is faster than searching,
    and takes less memory."""
    from numduel.solver import tables

    if not tables.path(game).exists():
        # Too large, or nowhere to keep it: then each process finds values for itself.
        with suppress(TooLarge, MemoryError, OSError):
            solve(game, limit=SMALL)


def run(
    tournament: Tournament,
    journal: Journal,
    *,
    jobs: int = JOBS,
    backend: str = "loky",
    address: str = "",
    advance: Callable[[], None] = lambda: None,
) -> None:
    """Play every game that the journal does not have, and keep each result as it comes.

    Results come in any order, and may come twice where a worker was lost: each is kept once.
    """
    try:
        from joblib import Parallel, delayed
    except ImportError:
        raise BadVariant("A tournament needs joblib: pip install 'numduel[tournament]'.") from None
    left = [job for job in tournament.jobs() if job.key not in journal.results]
    if not left:
        return
    # The end of a worker of this machine is noticed; a cluster may just be silent.
    silence = max(AT_LEAST, LONGEST * tournament.patience) if backend == "dask" else None
    with _configured(backend, address), _told():
        parallel = Parallel(n_jobs=jobs, return_as="generator_unordered", timeout=silence)
        for result in parallel(delayed(play)(job) for job in left):
            if journal.add(result):
                advance()


@contextmanager
def _configured(backend: str, address: str) -> Iterator[None]:
    """Have joblib use a backend."""
    from joblib import parallel_config

    if backend == "loky":
        with parallel_config(backend="loky", initializer=_follow, initargs=(os.getpid(),)):
            yield
        return
    client = _connected(address)
    try:
        with parallel_config(backend="dask", client=client, wait_for_workers_timeout=CONNECTING):
            yield
    finally:
        client.close()


def _follow(parent: int) -> None:
    """In a worker: end when the process that it works for has gone, however that went."""

    def watch() -> None:
        while os.getppid() == parent:
            sleep(HEARTBEAT)
        os._exit(1)

    Thread(target=watch, daemon=True).start()


def _connected(address: str) -> Any:
    """A client of the cluster, whose workers have this version of numduel."""
    try:
        from distributed import Client
    except ImportError:
        raise BadVariant("A cluster needs Dask: pip install 'numduel[dask]'.") from None
    try:
        client: Any = Client(  # type: ignore[no-untyped-call]
            address, timeout=CONNECTING, set_as_default=False
        )
    except (OSError, ValueError) as error:
        said = printable(str(error) or type(error).__name__, 200)
        raise BadVariant(f"There is no scheduler at {printable(address)}: {said}") from None
    try:
        found = set(client.run(_version).values())
    except Exception as error:
        client.close()
        said = printable(f"{type(error).__name__}: {error}", 200)
        raise BadVariant(f"The workers at {printable(address)} have no numduel: {said}.") from None
    if found - {_version()}:
        client.close()
        raise BadVariant(
            f"The workers at {printable(address)} have numduel {', '.join(sorted(found))}, and"
            f" this is {_version()}."
        )
    return client


def _version() -> str:
    return version("numduel")


@contextmanager
def _told() -> Iterator[None]:
    """Say in one sentence what ended the workers; whatever was finished is kept."""
    try:
        with warnings.catch_warnings():
            # Workers that have grown are replaced, and nothing is lost.
            warnings.filterwarnings("ignore", "A worker stopped while some jobs were given")
            yield
    except NumduelError:
        raise
    except TimeoutError:
        raise BadVariant("No worker answers any more; the same command goes on.") from None
    except Exception as error:
        # joblib and loky have errors of their own for a worker that is gone.
        if type(error).__name__ not in ("TerminatedWorkerError", "BrokenProcessPool"):
            raise
        raise BadVariant(
            "A worker has died; the same command goes on. A player that takes its process with it"
            " must be run by exec:."
        ) from None
