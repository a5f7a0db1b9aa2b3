"""Positions to decide: something is at stake, and what every move loses is known exactly.

They depend on the game and the seed alone. They come from games between players who make mistakes
at different rates, so that both good and bad play leads to them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple, TypeVar

from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.rules import Position
from numduel.core.state import Move, State, picked, settled
from numduel.lab.dataset.splits import TRANSFER, held_out, share, split_of
from numduel.learn.ideas import Idea, smallest
from numduel.solver import Option, analyse, evaluate
from numduel.solver.values import TIE, Report, unreported

PHASES = ("early", "middle", "late")
"""A third of the numbers or cards is used up in each."""
GRADES = ("easy", "medium", "hard")
GRADE_STEPS = (1 / 3, 1 / 2)
"""A difficulty above the first is medium, above the second hard."""
MISTAKES = (0.0, 0.1, 0.3, 1.0)
"""Shares of random moves; each player of a game has one of these."""
MIN_GAMES = 100
"""Fewest games in which positions are looked for."""
GAMES_PER_DECISION = 3
T = TypeVar("T")
Known = dict[Position, tuple[Option, ...]]
"""What the moves are worth in the positions that came up."""


class Decision(NamedTuple):
    """A position in which something is at stake."""

    state: State
    options: tuple[Option, ...]
    """Every legal move with its exact value, best first."""

    @property
    def phase(self) -> str:
        """One of `PHASES`, by how much of the game is used up."""
        used = self.state.game.progress(self.state)
        return PHASES[min(int(len(PHASES) * used), len(PHASES) - 1)]

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
    """So many different decisions to test with, or all that were found. Phases are balanced as far
    as possible, and so are grades in each phase. `BadVariant` if there are none."""
    split = tested_split(game)
    return balanced(pools(game, {split: count}, seed)[split])[:count]


def tested_split(game: Game) -> str:
    """The split that a board is tested with."""
    return TRANSFER if held_out(game) else "test"


def pools(
    game: Game, wanted: Mapping[str, int], seed: int, report: Report = unreported
) -> dict[str, list[Decision]]:
    """Different decisions of some splits in random order, many more than are wanted if the game has
    so many; `report` is told how many games were played. `BadVariant` if a split has none."""
    check_exact(game)
    games = max(round(GAMES_PER_DECISION * count / share(part)) for part, count in wanted.items())
    found = gathered(game, max(MIN_GAMES, games), seed, report)
    if not found:
        raise BadVariant(f"In {game} no move ever matters: choose a larger board.")
    splits = {split: [one for one in found if split_of(one.state) == split] for split in wanted}
    empty = next((split for split, some in splits.items() if not some), None)
    if empty is not None:
        raise BadVariant(
            f"There is no position of {game} in the split {empty}: choose a larger board."
        )
    return splits


def check_exact(game: Game, who: str = "decisions need") -> None:
    """Raise `BadVariant` if the values of a game are only estimates, and say who needs them."""
    if not evaluate(game.start()).exact:
        raise BadVariant(
            f"{game} is too large for exact values, which {who}: choose a smaller board."
        )


def gathered(game: Game, games: int, seed: int, report: Report = unreported) -> list[Decision]:
    """The different decisions that come up in so many games, in random order: as those of one game
    resemble each other, a few of them should come from many games. Of those that are the same by a
    symmetry, there is one."""
    found: dict[object, Decision] = {}
    met: set[Position] = set()
    known: Known = {}
    for number in range(games):
        luck = random.Random(f"numduel decisions {seed} {game.id} {number}").random
        for decision in _met(game, luck, known):
            position = decision.state.position
            if position not in met:  # to find its exercise takes longer than to play on
                met.add(position)
                found.setdefault(game.exercise(position), decision)
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


def at_stake(options: Sequence[Option]) -> bool:
    """Whether some move loses something that another keeps, and all of it is known exactly."""
    return all(option.exact for option in options) and worst_regret(options) > TIE


def difficulty(options: Sequence[Option]) -> float:
    """How hard a decision is: the share of legal moves that lose something."""
    return sum(option.loss > TIE for option in options) / len(options)


def unit(game: Game) -> str:
    """What regret is counted in: ``points`` in a counted game, else ``chance`` to win."""
    return "chance" if game.rules.margin is None else "points"


def judged(options: Sequence[Option], move: Move | None) -> Option:
    """The option that an answer is judged by: the move it names. None, an answer that is not a
    legal move, is judged as the worst one."""
    return next((option for option in options if option.move == move), options[-1])


def regret(options: Sequence[Option], move: Move | None) -> float:
    """What an answer loses: chance to win, or points in a counted game."""
    return judged(options, move).loss


def credit(options: Sequence[Option], move: Move | None) -> float:
    """The reward of a decision, from 0 to 1. None, an answer that is not a legal move, gets 0."""
    return 0.0 if move is None else kept(options, regret(options, move))


def kept(options: Sequence[Option], lost: float) -> float:
    """What is left after a loss, from 0 to 1: 1 less the regret, which in a counted game is a share
    of the worst move's."""
    return 1 - (lost if options[0].margin is None else lost / max(worst_regret(options), 1.0))


def worst_regret(options: Sequence[Option]) -> float:
    """What the worst move loses."""
    return max((option.loss for option in options), default=0.0)


def random_regret(options: Sequence[Option]) -> float:
    """What a random legal move loses on average."""
    return sum(option.loss for option in options) / len(options)


def _met(game: Game, luck: Callable[[], float], known: Known) -> Iterator[Decision]:
    mistakes = [picked(MISTAKES, luck), picked(MISTAKES, luck)]
    state = settled(game.start(), luck)
    while state.winner is None:
        if state.position not in known:  # on a small board most come up again and again
            known[state.position] = analyse(state)
        options = known[state.position]
        if at_stake(options):
            yield Decision(state, options)
        careless = luck() < mistakes[state.to_move - 1]
        moves = [option.move for option in options if careless or option.best]
        state = settled(state.play(picked(moves, luck)), luck)
