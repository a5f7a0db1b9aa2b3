"""Positions to decide: something is at stake, and what every move loses is known exactly.

They depend on the game and the seed alone. They come from games between players who make mistakes
at different rates, so that both good and bad play leads to them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple, TypeVar

from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.state import Move, State, picked, settled
from numduel.learn.ideas import Idea, smallest
from numduel.solver import Option, analyse, evaluate
from numduel.solver.values import TIE, Report, unreported

PHASES = ("early", "middle", "late")
"""The thirds of the game in which a position was found."""
GRADES = ("easy", "medium", "hard")
GRADE_STEPS = (1 / 3, 1 / 2)
"""A difficulty above the first is medium, above the second hard."""
MISTAKES = (0.0, 0.1, 0.3, 1.0)
"""Shares of random moves; each player of a game has one of these."""
MIN_GAMES = 100
"""Fewest games in which positions are looked for."""
GAMES_PER_DECISION = 3
T = TypeVar("T")


class Decision(NamedTuple):
    """A position in which something is at stake."""

    state: State
    options: tuple[Option, ...]
    """Every legal move with its exact value, best first."""
    phase: str
    """One of `PHASES`."""

    @property
    def grade(self) -> str:
        """One of `GRADES`, by its difficulty."""
        return GRADES[sum(difficulty(self.options) > step for step in GRADE_STEPS)]

    @property
    def best(self) -> tuple[Move, ...]:
        """The moves that lose nothing, in the order of legal moves."""
        kept = {option.move for option in self.options if option.loss <= TIE}
        return tuple(move for move in self.state.legal_moves if move in kept)

    def ideas(self) -> tuple[Idea, ...] | None:
        """The smallest list of ideas that leaves only moves that lose nothing, if there is one."""
        best = sum(1 << self.state.game.code(move) for move in self.best)
        return smallest(self.state, lambda left: not left & ~best)


def decisions(game: Game, count: int, seed: int) -> list[Decision]:
    """So many different decisions, or all that were found. Phases are balanced as far as possible,
    and so are grades in each phase. `BadVariant` if there are none."""
    return balanced(pool(game, count, seed))[:count]


def pool(game: Game, count: int, seed: int, report: Report = unreported) -> list[Decision]:
    """Different decisions in random order, many more than are wanted if the game has so many;
    `report` is told how many games were played. `BadVariant` if there are none."""
    check_exact(game)
    found = gathered(game, max(MIN_GAMES, GAMES_PER_DECISION * count), seed, report)
    if not found:
        raise BadVariant(f"In {game} no move ever matters: choose a larger board.")
    return found


def check_exact(game: Game, who: str = "decisions need") -> None:
    """Raise `BadVariant` if the values of a game are only estimates, and say who needs them."""
    if not evaluate(game.start()).exact:
        raise BadVariant(
            f"{game} is too large for exact values, which {who}: choose a smaller board."
        )


def gathered(game: Game, games: int, seed: int, report: Report = unreported) -> list[Decision]:
    """The different decisions that come up in so many games, in random order: as those of one game
    are alike, a few of them should come from many games."""
    found: dict[State, Decision] = {}
    for number in range(games):
        luck = random.Random(f"numduel decisions {seed} {game.id} {number}").random
        for decision in _met(game, luck):
            found.setdefault(decision.state, decision)
        report(f"{game.display_name}: playing games", number + 1, games)
    luck = random.Random(f"numduel decisions {seed} {game.id}").random
    return sorted(found.values(), key=lambda _: luck())


def balanced(found: list[Decision]) -> list[Decision]:
    """Decisions of all phases in turn, and in each phase of all grades in turn."""
    return in_turn(found, lambda one: PHASES.index(one.phase), lambda one: GRADES.index(one.grade))


def in_turn(found: list[T], *kinds: Callable[[T], Any]) -> list[T]:
    """Things of every kind in turn, until all are used up; those of one kind in turn by the next
    kind."""
    if not kinds:
        return found
    piles: dict[Any, list[T]] = {}
    for one in found:
        piles.setdefault(kinds[0](one), []).append(one)
    rows = zip_longest(*(in_turn(piles[kind], *kinds[1:]) for kind in sorted(piles)))
    return [one for row in rows for one in row if one is not None]


def phase(at: int, moves: int) -> str:
    """The phase of a move in a game of so many, counted from 0, without forced passes."""
    return PHASES[len(PHASES) * at // moves]


def at_stake(options: Sequence[Option]) -> bool:
    """Whether some move loses something that another keeps, and all of it is known exactly."""
    return all(option.exact for option in options) and worst_regret(options) > TIE


def difficulty(options: Sequence[Option]) -> float:
    """How hard a decision is: the share of legal moves that lose something."""
    return sum(option.loss > TIE for option in options) / len(options)


def unit(game: Game) -> str:
    """What regret is counted in: ``points`` in a counted game, else ``chance`` to win."""
    return "chance" if game.rules.margin is None else "points"


def regret(options: Sequence[Option], move: Move | None) -> float:
    """What a move loses: chance to win, or points in a counted game. None, an answer that is not a
    legal move, loses as much as the worst one."""
    return next((option.loss for option in options if option.move == move), worst_regret(options))


def credit(options: Sequence[Option], move: Move | None) -> float:
    """The reward of a decision, from 0 to 1: 1 less its regret, which in a counted game is a share
    of the worst move's. None, an answer that is not a legal move, gets 0."""
    if move is None:
        return 0.0
    lost, worst = regret(options, move), worst_regret(options)
    return 1 - (lost if options[0].margin is None else lost / max(worst, 1.0))


def worst_regret(options: Sequence[Option]) -> float:
    """What the worst move loses."""
    return max((option.loss for option in options), default=0.0)


def random_regret(options: Sequence[Option]) -> float:
    """What a random legal move loses on average."""
    return sum(option.loss for option in options) / len(options)


def _met(game: Game, luck: Callable[[], float]) -> Iterator[Decision]:
    mistakes = [picked(MISTAKES, luck), picked(MISTAKES, luck)]
    path = []
    state = settled(game.start(), luck)
    while state.winner is None:
        options = analyse(state)
        path.append((state, options))
        careless = luck() < mistakes[state.to_move - 1]
        moves = [option.move for option in options if careless or option.best]
        state = settled(state.play(picked(moves, luck)), luck)
    for at, (state, options) in enumerate(path):
        if at_stake(options):
            yield Decision(state, options, phase(at, len(path)))
