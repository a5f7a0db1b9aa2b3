"""The rules compiled by Numba, unchanged: for counting where plain Python is too slow."""

from types import FunctionType
from typing import Any

import numpy as np
from numba import njit
from numba.extending import register_jitable

from numduel import Game


def register(game: Game) -> None:
    """Make every rule of a game callable from compiled code."""
    for value in vars(__import__(type(game).__module__, fromlist=["*"])).values():
        if isinstance(value, FunctionType) and value.__module__ == type(game).__module__:
            register_jitable(value)


def counter(game: Game) -> Any:
    """The counting kernel of a game of claims."""
    register(game)
    legal: Any = game.rules.legal
    play: Any = game.rules.play

    @njit
    def step(keys, ways, v, new_keys, new_ways):  # type: ignore[no-untyped-def]
        """One ply: fill an open-addressing table with the positions after every move."""
        room = len(new_keys) - 1
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
                    slot = np.int64(key * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(20)) & room
                    while new_ways[slot] and new_keys[slot] != key:
                        slot = (slot + 1) & room
                    new_keys[slot] = key
                    new_ways[slot] += ways[i]
                moves >>= 1
                move += 1
        return over

    return step


def perft(game: Game, room: int) -> tuple[tuple[int, int], ...]:
    """As `tests.perft.perft`, for games of claims whose largest ply fits in `room` slots."""
    step = counter(game)
    own, other = game.rules.start(game.variant)
    keys, ways = np.array([own << 32 | other], np.uint64), np.array([1], np.int64)
    counts = []
    while len(keys):
        slots = min(room, 1 << (len(keys) * game.variant.n).bit_length())
        new_keys, new_ways = np.zeros(slots, np.uint64), np.zeros(slots, np.int64)
        over = step(keys, ways, game.variant, new_keys, new_ways)
        counts.append((len(keys), int(over)))
        keys, ways = new_keys[new_ways > 0], new_ways[new_ways > 0]
    return tuple(counts)
