"""Positions to decide: something is at stake, and what every move loses is known exactly.

They depend on the game and the seed alone. They come from games between players who make mistakes
at different rates, so that they are those that good and bad play leads to.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple, TypeVar

from numduel.agents.common import settled
from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.state import Move, State
from numduel.players import SLIGHT
from numduel.solver import Option, analyse, evaluate

PHASES = ("early", "middle", "late")
"""The thirds of the game in which a position was found."""
GRADES = ("easy", "medium", "hard")
GRADE_STEPS = (1 / 3, 1 / 2)
"""A difficulty above the first is medium, above the second hard."""
MISTAKES = (0.0, 0.1, 0.3, 1.0)
"""Shares of random moves: each player of a game has one of these."""
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


def decisions(game: Game, count: int, seed: int) -> list[Decision]:
    """So many different decisions, or all that were found if they are fewer. Phases are balanced as
    far as possible, and so are grades in each phase. `BadVariant` if there are none."""
    if not evaluate(game.start()).exact:
        raise BadVariant(
            f"{game} is too large for exact values, which decisions need: choose a smaller board."
        )
    found = gathered(game, max(MIN_GAMES, GAMES_PER_DECISION * count), seed)
    if not found:
        raise BadVariant(f"In {game} no move ever matters: choose a larger board.")
    return balanced(found)[:count]


def gathered(game: Game, games: int, seed: int) -> list[Decision]:
    """The different decisions that come up in so many games, in random order: those of one game
    are alike, and so a few of them should come from many games."""
    found: dict[State, Decision] = {}
    for number in range(games):
        luck = random.Random(f"numduel decisions {seed} {game.id} {number}").random
        for decision in _met(game, luck):
            found.setdefault(decision.state, decision)
    luck = random.Random(f"numduel decisions {seed} {game.id}").random
    return sorted(found.values(), key=lambda _: luck())


def balanced(found: list[Decision]) -> list[Decision]:
    """Decisions of all phases in turn, and in each phase of all grades in turn."""

    def cell(phase: str, grade: str) -> list[Decision]:
        return [one for one in found if (one.phase, one.grade) == (phase, grade)]

    return _in_turn([_in_turn([cell(phase, grade) for grade in GRADES]) for phase in PHASES])


def at_stake(options: Sequence[Option]) -> bool:
    """Whether some move loses something that another keeps, and all of it is known exactly."""
    return all(option.exact for option in options) and worst_regret(options) > SLIGHT


def difficulty(options: Sequence[Option]) -> float:
    """How hard a decision is: the share of legal moves that lose something."""
    return sum(option.loss > SLIGHT for option in options) / len(options)


def regret(options: Sequence[Option], move: Move | None) -> float:
    """What a move loses: chance to win, or points in a counted game. An answer that is no legal
    move, None, loses as much as the worst one."""
    return next((option.loss for option in options if option.move == move), worst_regret(options))


def worst_regret(options: Sequence[Option]) -> float:
    """What the worst move loses."""
    return max((option.loss for option in options), default=0.0)


def random_regret(options: Sequence[Option]) -> float:
    """What a random legal move loses on average."""
    return sum(option.loss for option in options) / len(options)


def _met(game: Game, luck: Callable[[], float]) -> Iterator[Decision]:
    """The decisions in one game."""
    mistakes = [_pick(MISTAKES, luck), _pick(MISTAKES, luck)]
    path = []
    state = settled(game.start(), luck)
    while state.winner is None:
        options = analyse(state)
        path.append((state, options))
        careless = luck() < mistakes[state.to_move - 1]
        moves = [option.move for option in options if careless or option.best]
        state = settled(state.play(_pick(moves, luck)), luck)
    for at, (state, options) in enumerate(path):
        if at_stake(options):
            yield Decision(state, options, PHASES[len(PHASES) * at // len(path)])


def _pick(things: Sequence[T], luck: Callable[[], float]) -> T:
    return things[int(luck() * len(things))]


def _in_turn(piles: list[list[T]]) -> list[T]:
    """One of each pile, again and again, until all are used up."""
    return [thing for row in zip_longest(*piles) for thing in row if thing is not None]
