"""The puzzle of a day: a line of several moves to find, each of them the only right one.

>>> from datetime import date
>>> from numduel.learn.daily import daily
>>> line = daily(date(2026, 11, 17))
>>> [puzzle.solution for puzzle in line.puzzles]
[20, 12, 9]

Between them the opponent resists as well as possible: where every answer loses, with the one that
asks for the most only moves.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from datetime import date
from functools import lru_cache
from itertools import permutations, starmap
from typing import NamedTuple

from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.language import _
from numduel.core.state import Move, State, drawn, played_at_random
from numduel.core.text import day_told
from numduel.games import offered, shipped
from numduel.learn.ideas import situation
from numduel.learn.puzzle import MIN_CHOICES, Puzzle, only_answer, posed
from numduel.solver import analyse

Way = tuple[State, ...]
"""The states from a right move to the next that is to be found."""
SHORTEST, LONGEST = 3, 5
"""Moves to find in a line."""
VARIETY = 2
"""How many different ideas a line should take."""
Rank = tuple[int, bool, bool, int]
GOOD: Rank = (SHORTEST, True, True, VARIETY)
"""The rank of a line that is good enough."""
MAX_POSITIONS = 1500
"""Positions to begin with, before a shorter or a plainer line will do."""
LONGEST_WAY = 6
"""Moves that are made without the player at most, between two that are to be found."""
MAX_DAYS = 400
"""Days whose puzzles are remembered: finding one may take seconds."""
SMALL, LARGER = 10, 3
"""A board with so few numbers has few lines: the sizes from the usual one on take turns."""


class Daily(NamedTuple):
    """The puzzle of a day."""

    day: date
    puzzles: tuple[Puzzle, ...]
    """The moves to find, in their order."""
    ways: tuple[Way, ...]
    """How it goes on after each of them."""

    @property
    def grade(self) -> int:
        """How hard the hardest of its moves is."""
        return max(puzzle.grade for puzzle in self.puzzles)

    def json(self) -> dict[str, object]:
        """The first move to find as plain data, and `line`, all of them."""
        moves = [{"moves": one.state.text, "solution": str(one.solution)} for one in self.puzzles]
        return self.puzzles[0].json() | {"grade": self.grade, "line": moves}


def daily_game(day: date) -> Game:
    """The game of a day: the games of this package take turns, except those with points, where the
    only best move is always the plainest one."""
    return _sizes(day)[0]


def _sizes(day: date) -> list[Game]:
    """The game of a day; if its board is small, in each of its sizes, that of the day first."""
    kinds = [kind for kind in shipped() if kind.rules.margin is None]
    turn, place = divmod(day.toordinal(), len(kinds))
    usual = offered(kinds[place].name)
    if usual.has_deck or usual.bounds.actions > SMALL:
        return [usual]
    size, number = next(iter(usual.settings.items()))
    turns = range(turn, turn + LARGER)
    return [offered(usual.name, **{size: int(number) + one % LARGER}) for one in turns]


@lru_cache(maxsize=MAX_DAYS)
def daily(day: date) -> Daily:
    """The puzzle of a day, the same for everyone. Where its board has no line that is long enough,
    another size is tried."""
    best = _Found((), ())
    for game in _sizes(day):
        best = max(best, _searched(day, game), key=lambda found: found.rank)
        if len(best.puzzles) >= SHORTEST:
            break
    if not best.puzzles:
        raise BadVariant(_("No puzzle was found for {day}; try another day.", day=day_told(day)))
    puzzles = tuple(puzzle._replace(day=day) for puzzle in best.puzzles)
    return Daily(day, puzzles, (*best.ways[:-1], tuple(puzzles[-1].line())))


def _searched(day: date, game: Game) -> _Found:
    """The best line that is found in games of a day."""
    best, seed, tried = _Found((), ()), 0, 0
    while best.rank < GOOD and tried < MAX_POSITIONS:
        chance = random.Random(f"numduel daily {day.isoformat()} {game.id} {seed}").random
        *states, _ = played_at_random(game, chance)
        for _, place in sorted((chance(), place) for place in range(2, len(states))):
            best = max(best, _found(states[place], chance), key=lambda found: found.rank)
            if best.rank >= GOOD:
                break
        tried, seed = tried + len(states), seed + 1
    return best


def contradicts(one: Puzzle, other: Puzzle) -> bool:
    """Whether the right move of a puzzle goes against the idea that another one is about."""
    if other.theme is None:
        return False
    seen = situation(one.state)
    some = other.theme.prefers(seen, seen.legal)
    return not some >> one.state.game.code(one.solution) & 1


class _Found(NamedTuple):
    """A line that could be the puzzle of a day."""

    puzzles: tuple[Puzzle, ...]
    ways: tuple[Way, ...]

    @property
    def rank(self) -> Rank:
        """Larger is better: long enough, then without a contradiction, then with a reason for every
        move, then of several ideas."""
        ideas = {puzzle.theme for puzzle in self.puzzles}
        explained = all(puzzle.theme is not None for puzzle in self.puzzles)
        agreed = not any(starmap(contradicts, permutations(self.puzzles, 2)))
        return min(len(self.puzzles), SHORTEST), agreed, explained, min(len(ideas), VARIETY)


def _found(state: State, chance: Callable[[], float]) -> _Found:
    ways = _line(state, chance, LONGEST, MIN_CHOICES)
    asked = [state, *(way[-1] for way in ways[:-1])][: len(ways)]
    puzzles = [posed(one, fewest=2) for one in asked]
    return _Found(tuple(filter(None, puzzles)), tuple(ways))


def _line(state: State, chance: Callable[[], float], longest: int, fewest: int = 2) -> list[Way]:
    """The longest line from a state on: the way after each of its moves."""
    move = _only_move(state, fewest)
    if move is None:
        return []
    after = state.play(move)
    best: list[Way] = [(after,)]
    for way in _answered(after, chance) if longest > 1 else ():
        found = [way, *_line(way[-1], chance, longest - 1)]
        if len(found) > len(best) and len(found) > 1:
            best = found
        if len(best) == longest:
            break
    return best


def _only_move(state: State, fewest: int = 2) -> Move | None:
    if state.winner is not None:
        return None
    answer = only_answer(state.game, analyse(state), fewest)
    return answer.move if answer is not None and answer.best else None


def _answered(state: State, chance: Callable[[], float]) -> Iterator[Way]:
    """The ways from a right move to the next one that is to be found. With luck the opponent makes
    the best move, and both play on until there is something to find; without, any answer of a lost
    game is as good as the others, and only what is forced is played for the player."""
    first = drawn(state, chance)
    options = analyse(first)
    for option in options[:1] if first.game.has_deck else options:
        way = [state, drawn(first.play(option.move), chance)]
        while len(way) < LONGEST_WAY and _goes_on(way[-1]):
            for _turn in range(2):
                if way[-1].winner is None:
                    way.append(drawn(way[-1].play(analyse(way[-1])[0].move), chance))
        if _only_move(way[-1]) is not None:
            yield tuple(way)


def _goes_on(state: State) -> bool:
    """Whether there is nothing to find, but the game goes on."""
    if state.winner is not None or _only_move(state) is not None:
        return False
    return state.game.has_deck or len(state.legal_moves) == 1
