"""The computer players."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple, Protocol, runtime_checkable

from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.state import Move, State
from numduel.core.text import HUMAN, printable, whole_number


class Player(Protocol):
    """Anything that can choose a legal move."""

    def choose(self, state: State) -> Move:
        """One of the state's legal moves."""
        ...


@runtime_checkable
class Policy(Player, Protocol):
    """A player whose choice depends on the position and chance alone, with odds that it can
    tell."""

    exact: bool
    """Whether the odds so far rest on exact values, not on estimates."""

    def odds(self, state: State) -> dict[Move, float]:
        """How likely each move is; those that are never chosen may be left out."""
        ...


class Random:
    """Plays uniformly random legal moves."""

    exact = True

    def __init__(self, seed: int | None = None) -> None:
        self._seed = seed

    def choose(self, state: State) -> Move:
        """A random legal move."""
        return chance(self._seed, state).choice(state.legal_moves)

    def odds(self, state: State) -> dict[Move, float]:
        """The same for every legal move."""
        return dict.fromkeys(state.legal_moves, 1 / len(state.legal_moves))


class Level:
    """Plays best moves, except for mistakes, with a given probability, where value can be lost.

    Without mistakes it is perfect: it wins as fast and loses as slowly as can be, or by the best
    margin, and chooses uniformly among the best moves.
    """

    def __init__(self, mistakes: float, seed: int | None = None) -> None:
        self._mistakes = mistakes
        self._seed = seed
        self.exact = True
        """Whether all values so far were exact, not estimated."""

    def choose(self, state: State) -> Move:
        """A best move, or by mistake one that loses value."""
        luck = chance(self._seed, state)
        best, wrong = self._judged(state)
        return luck.choice(wrong if wrong and luck.random() < self._mistakes else best)

    def odds(self, state: State) -> dict[Move, float]:
        """The best moves share what the mistakes leave."""
        best, wrong = self._judged(state)
        share = self._mistakes if wrong else 0.0
        found = {move: (1 - share) / len(best) for move in best}
        return found | {move: share / len(wrong) for move in wrong}

    def _judged(self, state: State) -> tuple[list[Move], list[Move]]:
        """The best moves, and those that lose value."""
        from numduel.solver import analyse

        found = analyse(state)
        self.exact = self.exact and all(option.exact for option in found)
        best = [option.move for option in found if option.best]
        return best, [option.move for option in found if option.loss > SLIGHT]


class Search:
    """Plays by Monte Carlo tree search, with a fixed number of simulated games for each move. Only
    wins and losses within two moves are known exactly."""

    exact = False

    def __init__(self, tries: int, seed: int | None = None) -> None:
        self._tries = tries
        self._seed = seed

    def choose(self, state: State) -> Move:
        """The move with the best estimate; a random one of several."""
        from numduel.solver.mcts import MonteCarlo

        luck = chance(self._seed, state)
        guess = MonteCarlo(state.game, tries=self._tries, seed=luck.getrandbits(32))
        values = guess.values(state.position)
        top = max(value.rank for value in values.values())
        code = luck.choice([code for code, value in values.items() if value.rank == top])
        return state.game.moves(1 << code, state)[0]


SLIGHT = 1e-12
"""Less than this is not a loss but rounding."""
LEVELS = {"easy": 0.4, "medium": 0.2, "hard": 0.05, "perfect": 0.0}
"""Each level's chance of a mistake where a move can lose value."""
COMPUTERS = ("random", *LEVELS)
"""The kinds of computer players that a person can choose from."""
KINDS = (HUMAN, *COMPUTERS)
ESTIMATES = "This board is too large to be solved: the computer plays by search."
"""What a person or a program is told who plays against a computer player that `estimates`."""
SEARCH_GAMES = 200
"""Games that ``search`` plays out before each move."""
MAX_SEARCH_GAMES = 1_000_000


def player(kind: str, seed: int | None = None) -> Player | None:
    """The player of a kind, such as ``hard`` or ``search:500``; None for a person, who is asked."""
    if kind == HUMAN:
        return None
    if kind == "random":
        return Random(seed)
    if kind in LEVELS:
        return Level(LEVELS[kind], seed)
    name, colon, number = kind.partition(":")
    if name == "search":
        tries = whole_number(number) if colon else SEARCH_GAMES
        if tries is None or not 1 <= tries <= MAX_SEARCH_GAMES:
            raise BadVariant(
                f"search:N plays out N games before each move, from 1 to {MAX_SEARCH_GAMES:,}."
            )
        return Search(tries, seed)
    raise BadVariant(
        f"There is no player {printable(kind, 40)!r}; there are {', '.join(KINDS)}, search and"
        " search:N."
    )


def estimates(player: Player) -> bool:
    """Whether a computer player has chosen by estimates, because a board was too large."""
    return not getattr(player, "exact", True)


def chance(seed: int | None, state: State) -> random.Random:
    """The random generator of a player for one decision.

    With a seed it depends on the seed and the number of moves made, so that a game that is
    resumed, or undone and played again, is reproducible.
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
