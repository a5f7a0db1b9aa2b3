"""Positions with exactly one right move, found in seeded games and graded by how hard they are.

A puzzle depends on its seed alone: of Python's random numbers only ``random()`` is used, on a text
as seed, because nothing else is promised to stay the same from version to version.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from datetime import date
from typing import NamedTuple

from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.state import Move, State
from numduel.games import games
from numduel.solver import Option, analyse, line

GRADES = range(1, 6)
MIN_CHOICES = 3
"""Fewest legal moves of a puzzle, in a game without a deck."""
MIN_LEAD = 0.05
"""In a game with a deck, how much likelier to win the right move is than any other."""
DIFFICULTY_STEPS = (4, 6, 8, 10)
"""A difficulty above the first is of grade 2, above the second of grade 3, and so on."""
COUNTED_DIVISOR = 3
"""The difficulty of a counted game is divided by this: such a game always lasts to its end."""
LEAD_STEPS = (0.4, 0.25, 0.15, 0.1)
"""In a game with a deck, a lead below the first is of grade 2, and so on."""
MAX_GAMES = 300
"""Games to search for a puzzle before giving up."""


class Puzzle(NamedTuple):
    """A position in which one move is right and every other wrong."""

    state: State
    options: tuple[Option, ...]
    """Every legal move with its value, the right one first."""
    grade: int
    """From 1, easy, to 5."""

    @property
    def solution(self) -> Move:
        """The right move."""
        return self.options[0].move

    def json(self) -> dict[str, object]:
        """The puzzle as plain data; ``moves`` is what ``numduel analyse --moves`` reads."""
        return {
            "game": self.state.game.id,
            "variant": self.state.game.settings,
            "moves": self.state.text,
            "to_move": self.state.to_move,
            "grade": self.grade,
            "solution": str(self.solution),
        }


def puzzle(game: Game | None, seed: object, grade: int | None = None) -> Puzzle:
    """The puzzle of a seed. A game or grade that is not given is drawn from the seed, each as
    likely as any other."""
    chance = random.Random(f"numduel puzzle {seed}").random
    drawn = chance(), chance()
    kinds = games()
    game = kinds[int(drawn[0] * len(kinds))]() if game is None else game
    grade = GRADES[int(drawn[1] * len(GRADES))] if grade is None else grade
    for attempt in range(MAX_GAMES):
        own = random.Random(f"numduel puzzle {seed} {game.id} {grade} {attempt}").random
        found = [p for p in _candidates(game, own) if _grade(*p) == grade]
        if found:
            return Puzzle(*found[int(own() * len(found))], grade)
    raise BadVariant(f"No puzzle of level {grade} was found in {game.title}; try another level.")


def daily(day: date) -> Puzzle:
    """The puzzle of a day, the same for everyone; the games take turns."""
    kinds = games()
    return puzzle(kinds[day.toordinal() % len(kinds)](), f"daily {day.isoformat()}")


def _candidates(
    game: Game, chance: Callable[[], float]
) -> Iterator[tuple[State, tuple[Option, ...]]]:
    """The positions of one game, played at random, that have exactly one right move. The start is
    never among them: it is always the same."""
    state = game.start()
    while state.winner is None:
        if state.draws:
            state = state.draw(state.pick_card(chance()))
        options = analyse(state)
        if state.moves and single(options, luck=game.has_deck):
            yield state, options
        moves = state.legal_moves
        state = state.play(moves[int(chance() * len(moves))])


def single(options: tuple[Option, ...], *, luck: bool) -> bool:
    """Whether exactly one move is right: the only one that wins or, in a game with a deck, one that
    is clearly likelier to win than all others."""
    if len(options) < (2 if luck else MIN_CHOICES) or not all(option.exact for option in options):
        return False
    if luck:
        return options[1].loss >= MIN_LEAD
    return options[0].win_probability == 1 and all(
        option.loss > 0 and option.win_probability == 0 for option in options[1:]
    )


def _grade(state: State, options: tuple[Option, ...]) -> int:
    """How hard a puzzle is, from 1 to 5.

    Its difficulty is the number of moves that lose plus the number of moves to the end of the win;
    a third of that in a counted game. In a game with a deck there is no such end, and a puzzle is
    harder the closer the second-best move comes.
    """
    if state.game.has_deck:
        return 1 + sum(options[1].loss < lead for lead in LEAD_STEPS)
    plies = options[0].plies
    depth = len(line(state)) / COUNTED_DIVISOR if plies is None else plies
    wrong = len(options) - 1
    difficulty = depth + (wrong / COUNTED_DIVISOR if plies is None else wrong)
    return 1 + sum(difficulty > step for step in DIFFICULTY_STEPS)
