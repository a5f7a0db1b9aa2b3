"""Retrograde analysis of claim games in which nobody ever holds two neighbours.

A position is a string over free, own and other, with no two equal owners side by side.
Strings are numbered in lexicographic order, from number n down to 1. Claiming a number makes a
string larger, so one sweep from the last string to the first finds every value after those it
depends on. Each string has two values: one for each player to move.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba.extending import register_jitable

from numduel.core.game import Game
from numduel.core.state import Position
from numduel.solver.compiled import kernel
from numduel.solver.search import read
from numduel.solver.values import Lookup, Report, TooLarge, Value, unreported

LARGEST = 45
"""Longer strings cannot be numbered in a machine word."""
CHUNK = 1 << 22
"""Strings between two reports of progress."""
_DEBRUIJN = 0x03F79D71B4CB0A89
_PLACES = np.zeros(64, np.uint64)
for _place in range(64):
    _PLACES[((_DEBRUIJN << _place) & (1 << 64) - 1) >> 58] = _place


def strings(n: int) -> int:
    """How many strings there are."""
    return int(_counts(n)[n, 0])


def size(game: Game) -> int:
    """Bytes that the values of all strings take."""
    return int(2 * strings(game.bounds.actions) * kind(game)().itemsize)


class Claims:
    """Every value of a game of claims, by the number of its string."""

    nodes_left = 0

    def __init__(self, game: Game, values: Any) -> None:
        self.game = game
        self.values = values
        self._smaller = smaller(game).tolist()

    def value(self, position: Position) -> Value:
        """The value of a position for the player to move."""
        return read(self.game, int(self.values[0, number_of(*position, self._smaller)]))

    def lookup(self) -> Lookup:
        """How compiled code reads the values."""
        return Lookup(_chance, (smaller(self.game), np.ascontiguousarray(self.values[0])))


@register_jitable
def number_of(own: Any, other: Any, smaller: Any) -> Any:
    """The number of a position's string, with what `smaller` returns, as an array or a list."""
    number, above = 0, 0
    for place in range(len(smaller) - 1, 0, -1):
        here = 1 if own >> place & 1 else 2 if other >> place & 1 else 0
        number += smaller[place][above][here]
        above = here
    return number


def _chance(own: Any, other: Any, table: Any) -> float:
    """The result for the player to move, by the number of the string."""
    smaller, scores = table
    return 1.0 if scores[number_of(own, other, smaller)] > 0 else 0.0


def smaller(game: Game) -> Any:
    """``smaller[place, above, here]``: what the owner of a place adds to the number of a string, by
    the owner just above."""
    n = game.bounds.actions
    counts = _counts(n)
    found = np.zeros((n + 1, 3, 3), np.int64)
    for place, above, here in np.ndindex(n, 3, 3):
        found[place + 1, above, here] = _smaller(counts, place + 1, above, here)
    return found


def solve(game: Game, report: Report = unreported) -> Claims:
    """Find every value; `report` is called now and then with the number of strings done."""
    n = game.bounds.actions
    total = strings(n)
    values = np.zeros((2, total), kind(game))
    held = np.zeros((2, n + 2), np.int64)
    held[1] = 2
    where = np.array([n, total, 0, 0], np.int64)
    sweep, rises = kernel("claims", type(game), _made), _rises(n)
    while where[0] <= n:
        sweep(n, game.variant, rises, _PLACES, where, held, values, CHUNK)
        report(total - int(where[1]), total)
    return Claims(game, values)


def kind(game: Game) -> Any:
    """The smallest type that holds every score, which is one more than the margin."""
    most = game.bounds.points + 1
    if most >= 1 << 15:
        raise TooLarge
    return np.int8 if most < 128 else np.int16


@cache
def _counts(n: int) -> Any:
    """The number of strings by length and by the owner just above."""
    if n > LARGEST:
        raise TooLarge
    counts = np.ones((n + 2, 3), np.int64)
    for length in range(1, n + 2):
        for above in range(3):
            counts[length, above] = sum(
                counts[length - 1, here] for here in range(3) if here == 0 or here != above
            )
    return counts


def _smaller(counts: Any, place: int, above: int, here: int) -> int:
    """How many strings come first for a smaller owner at a place."""
    if place < 1:
        return 0
    return int(sum(counts[place - 1, less] for less in range(here) if less == 0 or less != above))


@cache
def _rises(n: int) -> Any:
    """How much a string's number grows when a player claims a place, by its neighbours."""
    counts = _counts(n)
    rises = np.zeros((2, n + 1, 3, 3), np.uint64)
    for player in (1, 2):
        for place in range(1, n + 1):
            for above in range(3):
                for below in range(3):
                    rise = _smaller(counts, place, above, player)
                    rise += _smaller(counts, place - 1, player, below)
                    rise -= _smaller(counts, place - 1, 0, below)
                    rises[player - 1, place, above, below] = max(rise, 0)
    return rises


def _made(kind: type[Game]) -> Any:
    legal, result = kind.rules.legal, kind.rules.result
    margin: Any = kind.rules.margin

    def sweep(n, v, rises, places, where, held, values, chunk):  # type: ignore[no-untyped-def]
        """Continue the sweep for one chunk: `where` holds the place, the string's number and both
        players' sets; `held` the owners of the string, and what each place tries next."""
        owner, following = held[0], held[1]
        place, number, one, two = where[0], np.uint64(where[1]), where[2], where[3]
        stop = max(where[1] - chunk, 0)
        step = np.uint64(1)
        debruijn = np.uint64(_DEBRUIJN)
        while place <= n and (number > stop or stop == 0):
            here = following[place]
            if owner[place] == 1:
                one &= ~(np.int64(1) << place)
            elif owner[place] == 2:
                two &= ~(np.int64(1) << place)
            owner[place] = 0
            if here < 0:
                following[place] = 2
                place += 1
                continue
            following[place] = here - 1
            if here != 0 and here == owner[place + 1]:
                continue
            owner[place] = here
            if here == 1:
                one |= np.int64(1) << place
            elif here == 2:
                two |= np.int64(1) << place
            if place > 1:
                place -= 1
                continue
            number -= step
            if legal(one, two, v) == 0:
                score = margin(one, two, v)
                if score == 0:
                    score = result(one, two, v)
                else:
                    score += 1 if score > 0 else -1
                values[0, number] = score
                values[1, number] = -score
                continue
            passing = 0
            for player in range(2):
                own, other = (one, two) if player == 0 else (two, one)
                moves = legal(own, other, v)
                if moves == 1:
                    passing |= 1 << player
                    continue
                score = np.int64(-32768)
                while moves:
                    low = np.uint64(moves & -moves)
                    moves &= moves - 1
                    i = places[(low * debruijn) >> np.uint64(58)]
                    rise = rises[player, i, np.uint64(owner[i + step]), np.uint64(owner[i - step])]
                    score = max(score, -np.int64(values[1 - player, number + rise]))
                values[player, number] = score
            if passing:
                values[passing - 1, number] = -values[2 - passing, number]
        where[0], where[1], where[2], where[3] = place, number, one, two

    return sweep
