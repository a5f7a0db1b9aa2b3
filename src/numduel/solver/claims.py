"""Retrograde analysis of claim games in which nobody ever holds two neighbours.

A position is a string over free, own and other, with no two equal owners side by side.
Strings are numbered in lexicographic order, from number n down to 1. Claiming a number makes a
string larger, so one sweep from the last string to the first finds every value after those it
depends on. Each string has two values: one for each player to move.

Strings that differ only in their last few places are neighbours, and so are those that follow when
the same number above these places is claimed in all of them. So they are compared as rows of a
table.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numba.cpython.unsafe import numbers as bits
from numba.extending import register_jitable

from numduel.core.game import Game, numbers
from numduel.core.state import Position
from numduel.solver.compiled import kernel
from numduel.solver.search import read
from numduel.solver.values import SOLVING, Lookup, Report, TooLarge, Value, scores, unreported

LARGEST = 45
"""Longer strings cannot be numbered in a machine word."""
CHUNK = 1 << 22
"""Strings between two reports of progress."""
LAST = 7
"""How many places the strings of a block differ in: with fewer, blocks are too short to be worth
it; with more, too much happens inside them."""
trailing_zeros: Any = bits.trailing_zeros


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
        return scores(_score, (smaller(self.game), np.ascontiguousarray(self.values[0])))


@register_jitable
def number_of(own: Any, other: Any, smaller: Any) -> Any:
    """The number of a position's string; `smaller` is the array of that name, or a list."""
    number, above = 0, 0
    for place in range(len(smaller) - 1, 0, -1):
        here = 1 if own >> place & 1 else 2 if other >> place & 1 else 0
        number += smaller[place][above][here]
        above = here
    return number


def _score(own: Any, other: Any, table: Any) -> Any:
    smaller, scores = table
    return scores[number_of(own, other, smaller)]


def smaller(game: Game) -> Any:
    """``smaller[place, above, here]``: what the owner of a place adds to the number of a string,
    given the owner just above."""
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
    sweep, rises, block = kernel("claims", type(game), _made), rises_of(n), _block(game)
    space = np.zeros((2, len(block.sets[0])), values.dtype)
    while where[0] <= n:
        sweep(n, game.variant, rises, block, space, where, held, values, CHUNK)
        report(SOLVING, total - int(where[1]), total)
    np.negative(values[1], out=values[1])
    return Claims(game, values)


def kind(game: Game) -> Any:
    """The smallest type that holds every score (one more than the margin), with room to spare."""
    most = game.bounds.points + 1
    if most >= np.iinfo(np.int16).max:
        raise TooLarge
    return np.int8 if most < np.iinfo(np.int8).max else np.int16


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
    """How many strings come first because they have a smaller owner at a place."""
    if place < 1:
        return 0
    return int(sum(counts[place - 1, less] for less in range(here) if less == 0 or less != above))


@cache
def rises_of(n: int) -> Any:
    """How much a string's number grows when a player claims a place, by its neighbours."""
    counts = _counts(n)
    rises = np.zeros((2, n + 1, 3, 3), np.uint64)
    for player, place, above, below in product((1, 2), range(1, n + 1), range(3), range(3)):
        rise = _smaller(counts, place, above, player) + _smaller(counts, place - 1, player, below)
        rise -= _smaller(counts, place - 1, 0, below)
        rises[player - 1, place, above, below] = max(rise, 0)
    return rises


class Block(NamedTuple):
    """The strings of the last places, in order, for each owner just above them."""

    last: int
    """How many places these are."""
    sizes: Any
    """``sizes[above, here]``: how many strings have an owner at the highest of these places."""
    sets: Any
    """``sets[above, string]``: the numbers of both players, as bit sets."""
    starts: Any
    """``starts[above, player, string]``: where its moves begin in `after`, and those of the string
    before end."""
    after: Any
    """The string that a move leads to."""
    most: int
    """More than any value: the value, up to its sign, of a player without a move so far."""


def _block(game: Game) -> Block:
    n, legal = game.bounds.actions, game.rules.legal
    last = min(LAST, n - 1)
    counts, rises = _counts(n), rises_of(n)
    most = int(counts[last, 0])
    sizes = np.zeros((3, 3), np.int64)
    sets = np.zeros((3, most, 2), np.int64)
    starts = np.zeros((3, 2, most + 1), np.uint64)
    after: list[int] = []
    for above in range(3):
        found = _strings(last, above)
        for owners in found:
            sizes[above, owners[last]] += 1
        for at, owners in enumerate(found):
            for player in (1, 2):
                held = (place for place in range(1, last + 1) if owners[place] == player)
                sets[above, at, player - 1] = sum(1 << place for place in held)
        for player in range(2):
            for at, owners in enumerate(found):
                starts[above, player, at] = len(after)
                own, other = (
                    int(sets[above, at, one]) | (above == one + 1) << last + 1
                    for one in (player, 1 - player)
                )
                for move in numbers(legal(own, other, game.variant) & (2 << last) - 2):
                    rise = rises[player, move, owners[move + 1], owners[move - 1]]
                    after.append(at + int(rise))
            starts[above, player, len(found) :] = len(after)
    return Block(last, sizes, sets, starts, np.array(after, np.uint64), np.iinfo(kind(game)).max)


def _strings(last: int, above: int) -> list[list[int]]:
    """The strings of the last places in order, each as its owners by place, from place 0 to the one
    just above."""
    found = [[above]]
    for _ in range(last):
        found = [
            [here, *owners]
            for owners in found
            for here in range(3)
            if here == 0 or here != owners[0]
        ]
    return [[0, *owners] for owners in found]


@register_jitable
def next_owner(place: Any, last: Any, one: Any, two: Any, held: Any) -> Any:
    """Give a place of a string its next owner; returns the place to go on with, both players' sets,
    and whether all places down to the last one have owners. `held` has the owners of the string,
    and what each place tries next."""
    owner, following = held[0], held[1]
    here, bit = following[place], np.int64(1) << place
    one, two = one & ~bit, two & ~bit
    if here < 0:
        following[place] = 2
        return place + 1, one, two, False
    following[place] = here - 1
    if here != 0 and here == owner[place + 1]:
        return place, one, two, False
    owner[place] = here
    if here == 1:
        one |= bit
    elif here == 2:
        two |= bit
    return (place - 1, one, two, False) if place > last else (place, one, two, True)


@register_jitable
def raise_to(row: Any, values: Any, begin: Any) -> None:
    """Replace the values of a row by others that are larger."""
    others = values[begin : begin + len(row)]
    for at in range(len(row)):
        row[at] = others[at] if others[at] > row[at] else row[at]


@register_jitable
def lower_to(row: Any, values: Any, begin: Any) -> None:
    """Replace the values of a row by others that are smaller."""
    others = values[begin : begin + len(row)]
    for at in range(len(row)):
        row[at] = others[at] if others[at] < row[at] else row[at]


def _made(kind: type[Game]) -> Any:
    legal, result = kind.rules.legal, kind.rules.result
    margin: Any = kind.rules.margin

    @register_jitable
    def claim_above(
        player: Any, one: Any, two: Any, v: Any, here: Any, number: Any, rises: Any, block: Any,
        owner: Any, row: Any, values: Any,
    ) -> None:  # fmt: skip
        """Put into a row the best that a player's moves above the last places lead to, for all
        strings of a block at once."""
        last, sizes = block.last, block.sizes[here]
        step = np.uint64(1)
        moves = legal(one, two, v) if player == 0 else legal(two, one, v)
        moves = moves >> last + 1 << last + 1
        while moves:
            i = np.uint64(trailing_zeros(moves))
            moves &= moves - 1
            begin = 0
            for below in range(3):
                many = sizes[below]
                if i > last + 1:
                    below, many = owner[i - step], len(row)
                if below != player + 1:
                    rise = rises[player, i, np.uint64(owner[i + step]), np.uint64(below)]
                    child = begin + np.int64(number + rise)
                    if player == 0:
                        raise_to(row[begin : begin + many], values, child)
                    else:
                        lower_to(row[begin : begin + many], values, child)
                begin += many
                if i > last + 1:
                    break

    @register_jitable
    def settle(
        one: Any, two: Any, v: Any, here: Any, number: Any, block: Any, rows: Any, values: Any
    ) -> None:
        """Find the values of a block, from the moves above the last places and those within
        them."""
        sets, after, starts = block.sets[here], block.after, block.starts[here]
        first, second, most, step = values[0], values[1], block.most, np.uint64(1)
        for back in range(1, rows.shape[1] + 1):
            at = np.uint64(rows.shape[1] - back)
            best, worst = rows[0, at], rows[1, at]
            for move in range(starts[0, at], starts[0, at + step]):
                best = max(best, second[number + after[move]])
            for move in range(starts[1, at], starts[1, at + step]):
                worst = min(worst, first[number + after[move]])
            if best == -most and worst == most:
                mine, theirs = one | sets[at, 0], two | sets[at, 1]
                best = worst = margin(mine, theirs, v) + result(mine, theirs, v)
            elif best == -most:
                best = worst
            elif worst == most:
                worst = best
            first[number + at], second[number + at] = best, worst

    def sweep(n, v, rises, block, space, where, held, values, chunk):  # type: ignore[no-untyped-def]
        """Continue the sweep for one chunk. `where` holds the place, the string's number and both
        players' sets; `held` is that of `next_owner`. All values here are for the first player, who
        wants the largest; the other wants the smallest."""
        owner = held[0]
        place, number, one, two = where[0], np.uint64(where[1]), where[2], where[3]
        stop = max(where[1] - chunk, 0)
        while place <= n and (number > stop or stop == 0):
            place, one, two, whole = next_owner(place, block.last + 1, one, two, held)
            if not whole:
                continue
            here = owner[place]
            size = block.sizes[here].sum()
            number -= np.uint64(size)
            rows = space[:, :size]
            for player in range(2):
                row, children = rows[player], values[1 - player]
                row[:] = block.most if player else -block.most
                claim_above(player, one, two, v, here, number, rises, block, owner, row, children)
            settle(one, two, v, here, number, block, rows, values)
        where[0], where[1], where[2], where[3] = place, number, one, two

    return sweep
