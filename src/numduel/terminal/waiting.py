"""Waiting for an answer that takes long: a person is told, and Ctrl-C works at once."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from threading import Thread, Timer
from typing import TYPE_CHECKING, Any, TypeVar

from numduel.core.game import Game
from numduel.core.text import byte_size, file_name
from numduel.solver.notices import Notice, heard_by
from numduel.terminal.progress import ProgressBar
from numduel.terminal.screen import complain

if TYPE_CHECKING:
    from concurrent.futures import Future

Result = TypeVar("Result")
NOTICE_DELAY = 5.0
"""Seconds after which a person is told that the work goes on."""
AT_WORK = "Still working; Ctrl-C stops it."
HEARING_INTERVAL = 0.1
"""Seconds between two looks for Ctrl-C, on systems where it does not interrupt a wait."""


_abandoned: list[Future[Any]] = []
"""Work that was interrupted: compiled code goes on until it is done."""


def waited(work: Callable[[], Result], *, bar: ProgressBar | None = None) -> Result:
    """The result of some work. On a terminal, standard error says what takes long, unless a
    progress bar shows it.

    The work has a thread of its own, because Python does not hear Ctrl-C while compiled code runs.
    Work that was interrupted cannot be stopped; other work waits for it, as both may change the
    same tables.
    """
    from concurrent.futures import Future

    watched = sys.stderr is not None and sys.stderr.isatty()
    with _told(bar) if watched else nullcontext():
        while _abandoned:
            _join(_abandoned[0])
            del _abandoned[0]
        future: Future[Result] = Future()
        Thread(target=_do, args=(work, future), daemon=True).start()
        try:
            _join(future)
        except KeyboardInterrupt:
            _abandoned.append(future)
            raise
    return future.result()


def abandoned() -> bool:
    """Whether interrupted work still goes on: then the process must end without waiting for it."""
    return not all(future.done() for future in _abandoned)


def _do(work: Callable[[], Result], future: Future[Result]) -> None:
    try:
        future.set_result(work())
    except BaseException as error:
        future.set_exception(error)


def _join(future: Future[Result]) -> None:
    from concurrent.futures import wait

    while not future.done():
        wait([future], HEARING_INTERVAL)


@contextmanager
def _told(bar: ProgressBar | None) -> Iterator[None]:
    """Say once what the solver does that takes long, or else that the work goes on."""
    said: set[str] = set()

    def tell(sentence: str) -> None:
        if sentence not in said and not (bar and bar.drawn):
            said.add(sentence)
            complain(sentence)

    def remind() -> None:
        if not said:
            tell(AT_WORK)

    timer = Timer(NOTICE_DELAY, remind)
    timer.daemon = True
    timer.start()
    try:
        with heard_by(lambda notice, game: tell(in_words(notice, game))):
            yield
    finally:
        timer.cancel()


def in_words(notice: Notice, game: Game | None) -> str:
    """What the solver does, in a sentence."""
    if notice is Notice.COMPILING or game is None:
        return "The first time takes a moment; after that it is quick."
    if notice is Notice.SOLVING:
        return f"Solving {game.display_name}; the result is saved, so that it is quicker next time."
    from numduel.solver import tables

    size, place = byte_size(tables.path(game).stat().st_size), file_name(tables.folder())
    told = f"The table of {game.display_name} takes {size} in {place}"
    return f"{told}; it can be deleted at any time."
