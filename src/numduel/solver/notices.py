"""What the solver does that takes long, or a lot of room, told to whoever waits for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum, auto

from numduel.core.game import Game


class Notice(Enum):
    """What is told."""

    COMPILING = auto()
    """Rules are about to be compiled, because no earlier process has."""
    SOLVING = auto()
    """A game is about to be solved as a whole, because nothing less answers."""
    KEPT = auto()
    """The table of a game is on disk now."""


Listener = Callable[[Notice, Game | None], None]
"""Told what is done, and with which game if that matters."""
_listeners: list[Listener] = []


def tell(notice: Notice, game: Game | None = None) -> None:
    """Tell everybody who listens."""
    for listener in tuple(_listeners):
        listener(notice, game)


@contextmanager
def heard_by(listener: Listener) -> Iterator[None]:
    """Tell somebody, in whichever thread the solver works, while the body runs."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)
