"""Measuring players: what they do over many games."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from numduel.core.game import Game
from numduel.players import SLIGHT, player
from numduel.solver import analyse


class Mistakes(NamedTuple):
    """How often a player lost value, of the decisions that could have."""

    decisions: int
    lost: int

    @property
    def rate(self) -> float:
        """The share of decisions that lost value."""
        return self.lost / self.decisions if self.decisions else 0.0


def mistakes(
    game: Game, kind: str, count: int, seed: int, advance: Callable[[], None] = lambda: None
) -> Mistakes:
    """Let a kind of player play many games against random moves, seats alternating."""
    decisions = lost = 0
    for number in range(count):
        measured = number % 2 + 1
        luck = seed * count + number
        seats = [player(kind if seat == measured else "random", 2 * luck + seat) for seat in (1, 2)]
        state = game.start(seed=luck)
        while state.winner is None:
            chooser = seats[state.to_move - 1]
            if chooser is None:
                raise ValueError("a person cannot be measured")
            move = chooser.choose(state.public)
            if state.to_move == measured:
                found = {option.move: option.loss for option in analyse(state.public)}
                if max(found.values()) > SLIGHT:
                    decisions += 1
                    lost += found[move] > SLIGHT
            state = state.play(move)
        advance()
    return Mistakes(decisions, lost)
