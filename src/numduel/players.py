"""Who can sit in a seat, besides a person."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple, Protocol

from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.state import Move, State
from numduel.core.text import HUMAN


class Player(Protocol):
    """Anyone who chooses a move in a public state."""

    def choose(self, state: State) -> Move:
        """One of the state's legal moves."""
        ...


class Random:
    """Every legal move is as likely as any other."""

    def __init__(self, seed: int | None = None) -> None:
        self._seed = seed

    def choose(self, state: State) -> Move:
        """A legal move, blindly."""
        return chance(self._seed, state).choice(state.legal_moves)


class Level:
    """Plays best, but for a stated chance to give something away wherever that is possible.

    Without mistakes it is perfect: it wins as fast and loses as slowly as can be, or by the best
    margin, and any of several best moves is as likely as the others.
    """

    def __init__(self, mistakes: float, seed: int | None = None) -> None:
        self._mistakes = mistakes
        self._seed = seed
        self.exact = True
        """Whether everything so far was known exactly, or a board too large was searched."""

    def choose(self, state: State) -> Move:
        """A best move, or now and then one that loses value."""
        from numduel.solver import analyse

        luck = chance(self._seed, state)
        found = analyse(state)
        self.exact = self.exact and all(option.exact for option in found)
        wrong = [option.move for option in found if option.loss > SLIGHT]
        if wrong and luck.random() < self._mistakes:
            return luck.choice(wrong)
        return luck.choice([option.move for option in found if option.best])


class Search:
    """Knows no exact values: before each move it tries a fixed number of games out, in a tree that
    grows towards the moves that do well, and takes the one that won most of them. Only what wins
    or loses within two moves it sees for certain."""

    def __init__(self, tries: int, seed: int | None = None) -> None:
        self._tries = tries
        self._seed = seed

    def choose(self, state: State) -> Move:
        """The move that did best; any of several, if they did equally well."""
        from numduel.solver.mcts import MonteCarlo

        luck = chance(self._seed, state)
        guess = MonteCarlo(state.game, tries=self._tries, seed=luck.getrandbits(32))
        values = guess.values(state.position)
        top = max(value.rank for value in values.values())
        code = luck.choice([code for code, value in values.items() if value.rank == top])
        return state.game.moves(1 << code, state)[0]


SLIGHT = 1e-12
"""Less than this is no loss: chances are sums of many numbers."""
LEVELS = {"easy": 0.4, "medium": 0.2, "hard": 0.05, "perfect": 0.0}
"""How likely each level is to lose value with a decision that can."""
KINDS = (HUMAN, "random", *LEVELS)


def player(kind: str, seed: int | None = None) -> Player | None:
    """The player of a kind; None for a person, who is asked."""
    if kind == HUMAN:
        return None
    if kind == "random":
        return Random(seed)
    if kind in LEVELS:
        return Level(LEVELS[kind], seed)
    raise BadVariant(f"There is no player {kind[:40]!r}; there are {', '.join(KINDS)}.")


def chance(seed: int | None, state: State) -> random.Random:
    """The luck of a player at one decision.

    With a seed it depends on the seed and the number of moves made, so that a game that is left
    and resumed, or taken back and played again, goes as it would have gone.
    """
    return random.Random(None if seed is None else f"{seed} {len(state.moves)}")


# -- measuring players ----------------------------------------------------------------------


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
    from numduel.solver import analyse

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
