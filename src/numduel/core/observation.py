"""What a learner observes of a position: small whole numbers, seen from the player to move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Observation(NamedTuple):
    """How a position becomes a row of numbers; like the rules, functions that Numba compiles."""

    size: Callable[[Any], int]
    """``size(v)``: how many numbers."""
    observe: Callable[[int, int, int, Any], int]
    """``observe(a, b, at, v)``: the number at index `at`."""
    low: int
    high: Callable[[Any], int]
    """``high(v)``: the largest possible number; `low` is the smallest."""


def claims(size: Callable[[Any], int]) -> Observation:
    """For a position of two sets of numbers from 1 to `size(v)`: 1 for each of one's own, -1 for
    the opponent's, 0 for free ones."""
    return Observation(size, _owner, -1, _one)


def _owner(own: int, other: int, at: int, v: Any) -> int:
    return (own >> at + 1 & 1) - (other >> at + 1 & 1)


def _one(v: Any) -> int:
    return 1


def _sixteen(v: Any) -> int:
    return 16


def _byte(a: int, b: int, at: int, v: Any) -> int:
    return (b if at & 8 else a) >> 8 * (at & 7) & 255


def _largest_byte(v: Any) -> int:
    return 255


BYTES = Observation(_sixteen, _byte, 0, _largest_byte)
"""The default: the bytes of a position's two integers."""
