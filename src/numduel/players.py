"""Who can sit in a seat, besides a person."""

from __future__ import annotations

import random
from typing import Protocol

from numduel.core.errors import BadVariant
from numduel.core.state import Move, State
from numduel.match import HUMAN


class Player(Protocol):
    """Anyone who chooses a move in a public state."""

    def choose(self, state: State) -> Move:
        """One of the state's legal moves."""
        ...


class Random:
    """Every legal move is as likely as any other."""

    def __init__(self, seed: int | None = None) -> None:
        self._chance = random.Random(seed)

    def choose(self, state: State) -> Move:
        """A legal move, blindly."""
        return self._chance.choice(state.legal_moves)


KINDS = (HUMAN, "random")


def player(kind: str, seed: int | None = None) -> Player | None:
    """The player of a kind; None for a person, who is asked."""
    if kind == HUMAN:
        return None
    if kind == "random":
        return Random(seed)
    raise BadVariant(f"There is no player {kind[:40]!r}; there are {', '.join(KINDS)}.")
