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
    """Every legal move is as likely as any other.

    With a seed, the choice depends on the seed and the number of moves made, so that a game that
    is left and resumed, or taken back and played again, goes as it would have gone.
    """

    def __init__(self, seed: int | None = None) -> None:
        self._seed = seed

    def choose(self, state: State) -> Move:
        """A legal move, blindly."""
        seed = None if self._seed is None else f"{self._seed} {len(state.moves)}"
        return random.Random(seed).choice(state.legal_moves)


KINDS = (HUMAN, "random")


def player(kind: str, seed: int | None = None) -> Player | None:
    """The player of a kind; None for a person, who is asked."""
    if kind == HUMAN:
        return None
    if kind == "random":
        return Random(seed)
    raise BadVariant(f"There is no player {kind[:40]!r}; there are {', '.join(KINDS)}.")
