"""Notices about what the solver does that takes long, for whoever waits for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum, auto

from numduel.core.game import Game


class Notice(Enum):
    """What the solver is doing."""

    COMPILING = auto()
    """Rules are about to be compiled: no earlier process has done so."""
    SOLVING = auto()
    """A game is about to be solved as a whole: nothing less gives the answer."""
    KEPT = auto()
    """The table of a game has been saved."""


Listener = Callable[[Notice, Game | None], None]
"""Called with a notice, and with the game it is about."""
_listeners: list[Listener] = []


def tell(notice: Notice, game: Game | None = None) -> None:
    """Pass a notice to every listener."""
    for listener in tuple(_listeners):
        listener(notice, game)


@contextmanager
def heard_by(listener: Listener) -> Iterator[None]:
    """Pass notices to a listener while the body runs, in whichever thread the solver works."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)
