"""The games of a batch on this machine's cores."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from numduel.core.game import Game
from numduel.lab.batch.kernels import Arrays, Body, bodies, looped
from numduel.solver.compiled import LEAN, compiled, register

SMALL = 32_768
"""The fewest moves for which a thread is worth it: they take a quarter of a millisecond, and waking
two threads takes a twentieth of one, more on a busy machine."""

_LOOPS: dict[Game, dict[str, Any]] = {}


class Host:
    """The device "cpu": arrays of NumPy, and threads that share the games."""

    each = staticmethod(looped)

    def __init__(self, game: Game, count: int, threads: int | None) -> None:
        self._game = game
        if game not in _LOOPS:
            register(type(game))
            self.learn(bodies(game, self.each))
        self._count = count
        self._threads = min(threads or os.cpu_count() or 1, count)
        self._pool = ThreadPoolExecutor(self._threads)  # which starts a thread when it needs one

    def zeros(self, shape: tuple[int, ...], kind: Any) -> NDArray[Any]:
        """A new array."""
        return np.zeros(shape, kind)

    def shown(self, array: Any) -> Any:
        """An array as users get it."""
        return array

    def taken(self, array: Any) -> NDArray[Any]:
        """A user's array, as compiled code needs it."""
        return np.ascontiguousarray(array)

    def read(self, array: NDArray[Any]) -> NDArray[Any]:
        """The numbers of an array, as NumPy has them."""
        return array

    def write(self, array: NDArray[Any], numbers: NDArray[Any]) -> None:
        """Put numbers into an array."""
        array[...] = numbers

    def learn(self, more: dict[str, Body]) -> None:
        """Compile more bodies, by their names."""
        known = _LOOPS.setdefault(self._game, {})
        known |= {name: loop(self._game, name, body) for name, body in more.items()}

    def run(self, name: str, games: Arrays, given: Any = 0, moves: int = 1) -> None:
        """Run a body for all games, on several threads if that is worth it; `moves` is how many it
        makes in each."""
        loop = _LOOPS[self._game][name]
        parts = min(self._threads, self._count * moves // SMALL)
        if parts < 2:
            loop(games, 0, self._count, given)
        else:
            edges = [self._count * part // parts for part in range(parts + 1)]
            list(self._pool.map(lambda part: loop(games, *part, given), pairwise(edges)))


def loop(game: Game, name: str, body: Body) -> Any:
    """A body, compiled as a loop over some games."""
    one = njit(inline="always")(body)

    def loop(games, begin, end, given):  # type: ignore[no-untyped-def]
        for i in range(begin, end):
            one(games, i, given)

    loop.__qualname__ = body.__qualname__
    return compiled(loop, type(game), key=f"{name} {game.variant_text}", **LEAN)
