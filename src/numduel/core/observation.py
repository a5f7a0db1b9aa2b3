"""What a learner observes of a position: small whole numbers, seen from the observer.

The last number of every observation says whose turn it is: 1 if it is the observer's, else 0. A
game file gives the others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from numduel.core.rules import Position


def _same(a: int, b: int, v: Any) -> Position:
    return a, b


class Observation(NamedTuple):
    """How a position becomes a row of numbers; like the rules, functions that Numba compiles."""

    size: Callable[[Any], int]
    """``size(v)``: how many numbers, whose turn it is not counted."""
    observe: Callable[[int, int, int, Any], int] | None
    """``observe(a, b, at, v)``: the number at index `at`, for the player to move. None if the game
    writes them all at once."""
    low: int
    high: Callable[[Any], int]
    """``high(v)``: the largest possible number; `low` is the smallest."""
    flip: Callable[[int, int, Any], Position] = _same
    """``flip(a, b, v)``: the position with the players exchanged, for the one who waits. By default
    both observe the same, except for whose turn it is."""
    write: Callable[[Any, int, int, Any], None] | None = None
    """``write(row, a, b, v)``: write all numbers into a row of zeros, in a game where one follows
    from the last."""

    def length(self, v: Any) -> int:
        """How many numbers there are in all."""
        return self.size(v) + 1

    def row(self, a: int, b: int, mine: bool, v: Any) -> list[int]:
        """The whole observation, for the player to move or for the one who waits."""
        if not mine:
            a, b = self.flip(a, b, v)
        row = [0] * self.size(v)
        if self.write is not None:
            self.write(row, a, b, v)
        elif self.observe is not None:
            row = [self.observe(a, b, at, v) for at in range(len(row))]
        return [*row, int(mine)]


def claims(size: Callable[[Any], int]) -> Observation:
    """For a position of two sets of numbers from 1 to `size(v)`: 1 for each of one's own, -1 for
    the opponent's, 0 for free ones."""
    return Observation(size, _owner, -1, _one, _exchanged)


def _owner(own: int, other: int, at: int, v: Any) -> int:
    return (own >> at + 1 & 1) - (other >> at + 1 & 1)


def _exchanged(own: int, other: int, v: Any) -> Position:
    return other, own


def _one(v: Any) -> int:
    return 1


def _sixteen(v: Any) -> int:
    return 16


def _byte(a: int, b: int, at: int, v: Any) -> int:
    return (b if at & 8 else a) >> 8 * (at & 7) & 255


def _largest_byte(v: Any) -> int:
    return 255


BYTES = Observation(_sixteen, _byte, 0, _largest_byte)
"""The default: the bytes of a position's two integers, always seen from the player to move; the
last number says whether that is the observer."""
