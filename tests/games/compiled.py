"""The rules compiled by Numba, unchanged: for counting where plain Python is too slow."""

from typing import Any

import numpy as np
from numba import njit

from numduel import Game
from numduel.solver.compiled import register

PARTS = 256
"""The positions of a ply are dealt to so many parts, by their hash, before equal ones are looked
for in each: a table of one part stays in the processor's cache, where one of all would not."""


def spreader(game: Game) -> Any:
    """The kernel that finds what follows the positions of a ply, in a game of claims."""
    register(type(game))
    legal: Any = game.rules.legal
    play: Any = game.rules.play

    @njit
    def spread(keys, ways, v, ends, new_keys, new_ways):  # type: ignore[no-untyped-def]
        """Write the position after every move behind those of its part, or, if there is no room at
        all, only count how many each part gets; and say how many games end here."""
        over = 0
        for i in range(len(keys)):
            own = np.int64(keys[i] >> np.uint64(32))
            other = np.int64(keys[i] & np.uint64(0xFFFFFFFF))
            moves = legal(own, other, v)
            if moves == 0:
                over += ways[i]
            move = 0
            while moves:
                if moves & 1:
                    a, b = play(own, other, move, v)
                    key = np.uint64(a) << np.uint64(32) | np.uint64(b)
                    part = key * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(56)
                    at = ends[part]
                    ends[part] += 1
                    if len(new_keys):
                        new_keys[at], new_ways[at] = key, ways[i]
                moves >>= 1
                move += 1
        return over

    return spread


@njit
def merge(keys, ways, slots, sums):  # type: ignore[no-untyped-def]
    """Add up equal positions in place, with an empty hash table; how many different ones are left
    at the front. The table is left empty again."""
    room = np.uint64(len(slots) - 1)
    found = 0
    for i in range(len(keys)):
        slot = (keys[i] * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(20)) & room
        while sums[slot] and slots[slot] != keys[i]:
            slot = (slot + np.uint64(1)) & room
        slots[slot] = keys[i]
        sums[slot] += ways[i]
    for slot in range(len(slots)):
        if sums[slot]:
            keys[found], ways[found] = slots[slot], sums[slot]
            found += 1
            sums[slot] = 0
    return found


def perft(game: Game) -> tuple[tuple[int, int], ...]:
    """As `tests.games.perft.perft`, for games of claims."""
    spread = spreader(game)
    own, other = game.rules.start(game.variant)
    keys, ways = np.array([own << 32 | other], np.uint64), np.array([1], np.int64)
    counts = []
    while len(keys):
        sizes = np.zeros(PARTS, np.int64)
        over = spread(keys, ways, game.variant, sizes, keys[:0], ways[:0])
        counts.append((len(keys), int(over)))
        ends = np.cumsum(sizes) - sizes
        new_keys, new_ways = np.empty(sizes.sum(), np.uint64), np.empty(sizes.sum(), np.int64)
        spread(keys, ways, game.variant, ends, new_keys, new_ways)
        slots = 1 << (int(sizes.max()) * 3 // 2).bit_length()
        table = np.zeros(slots, np.uint64), np.zeros(slots, np.int64)
        parts = [slice(end - size, end) for end, size in zip(ends, sizes, strict=True)]
        found = [merge(new_keys[part], new_ways[part], *table) for part in parts]
        kept = [slice(part.start, part.start + n) for part, n in zip(parts, found, strict=True)]
        keys = np.concatenate([new_keys[part] for part in kept])
        ways = np.concatenate([new_ways[part] for part in kept])
    return tuple(counts)
