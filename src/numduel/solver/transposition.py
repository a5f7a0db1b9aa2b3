"""The transposition table of the compiled search: one array, a row for each position."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.cpython.unsafe import numbers
from numba.extending import register_jitable

from numduel.core.game import Game
from numduel.solver.compiled import kernel, shared
from numduel.solver.search import FRAME, INFINITE, UNKNOWN, Memory, made, nothing, whole

leading_zeros: Any = numbers.leading_zeros
SMALLEST, LARGEST = 1 << 16, 1 << 22
"""Rows of a table. A small one fits into the processor's cache; the largest forgets positions."""
GROWTH = 2
PROBES = 8
"""How many rows a position may be in."""
HALF = 32
"""Bits of a bound of a score; a word holds both."""

register_jitable(nothing)
register_jitable(whole)


def new_table(size: int | None = None) -> Any:
    """An empty table: the two words of a position, and a word with its bounds (0 if none)."""
    return np.zeros((size or SMALLEST, 3), np.int64)


def room(table: Any) -> int:
    """How many nodes to search before a larger table is better."""
    size = len(table)
    return 2 * size if size < LARGEST else 1 << 62


def larger(table: Any) -> Any:
    """A larger table with the positions of another one."""
    found = new_table(len(table) * GROWTH)
    _move(table, found)
    return found


def search_kernel(kind: type[Game]) -> Any:
    """The compiled search of a game."""
    return kernel("search", kind, lambda one: made(one, MEMORY))


@register_jitable
def hash_of(a: Any, b: Any) -> Any:
    """A 40-bit hash of a position."""
    mixed = np.uint64(a) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ np.uint64(b)) * np.uint64(0xC2B2AE3D27D4EB4F)
    return mixed >> np.uint64(24)


@register_jitable
def _frames(places: Any) -> Any:
    return np.zeros((FRAME, places), np.int64)


@register_jitable
def _highest(moves: Any) -> Any:
    return 63 - np.int64(leading_zeros(moves))


@register_jitable
def _row(table: Any, x: Any, y: Any) -> Any:
    """The row of a position, or the one it may take."""
    last = np.uint64(len(table) - 1)
    home = hash_of(x, y) & last
    row = home
    for _ in range(PROBES):
        if table[row, 2] == 0 or (table[row, 0] == x and table[row, 1] == y):
            return row
        row = (row + np.uint64(1)) & last
    return home


@register_jitable
def _find(table: Any, x: Any, y: Any) -> Any:
    row = _row(table, x, y)
    if table[row, 2] == 0 or table[row, 0] != x or table[row, 1] != y:
        return UNKNOWN
    bounds = table[row, 2]
    return (bounds >> HALF) - INFINITE, (bounds & (1 << HALF) - 1) - INFINITE


@register_jitable
def _keep(table: Any, x: Any, y: Any, least: Any, most: Any) -> None:
    row = _row(table, x, y)
    table[row, 0], table[row, 1] = x, y
    table[row, 2] = (least + INFINITE) << HALF | (most + INFINITE)


@shared
def _move(table, found):  # type: ignore[no-untyped-def]
    for row in range(len(table)):
        if table[row, 2]:
            new = _row(found, table[row, 0], table[row, 1])
            found[new, 0], found[new, 1], found[new, 2] = (
                table[row, 0],
                table[row, 1],
                table[row, 2],
            )


MEMORY = Memory(_frames, _highest, _find, _keep)
