"""The rules of a game, compiled by Numba: the same functions, never a second copy.

A kernel is made by a function that closes over a game's rules. Numba keeps compiled kernels on disk
by what they close over; the stamp, a digest of the game file, makes it compile anew when a rule
changes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import njit
from numba.extending import register_jitable

from numduel.core.game import Game

EMPTY, EXACT, AT_LEAST, AT_MOST = 0, 1, 2, 3
WIN = 10_000
"""The score of a finished game in which distance counts; each ply before it takes one away."""
INFINITE = 20_000
DEEPEST = 256


def stamp(kind: type[Game]) -> int:
    """A digest of the rules: it changes when the game file does."""
    return int(sha256(Path(str(_module(kind).__file__)).read_bytes()).hexdigest()[:12], 16)


def _module(kind: type[Game]) -> ModuleType:
    return sys.modules[kind.__module__]


def register(kind: type[Game]) -> None:
    """Let compiled code call every function of a game file."""
    for value in vars(_module(kind)).values():
        if isinstance(value, FunctionType) and value.__module__ == kind.__module__:
            register_jitable(value)


@register_jitable
def _uncounted(_a: int, _b: int, _v: Any) -> int:
    return 0


_KERNELS: dict[str, Any] = {}


def kernel(name: str, kind: type[Game], make: Callable[[type[Game]], Any]) -> Any:
    """The kernel of a name for a game, made once in a process."""
    key = f"{name} {kind.__module__}"
    if key not in _KERNELS:
        register(kind)
        _KERNELS[key] = make(kind)
    return _KERNELS[key]


def search_kernel(kind: type[Game]) -> Any:
    """Alpha-beta with a table, on an explicit stack, for a game without luck."""
    return kernel("search", kind, _made)


def _made(kind: type[Game]) -> Any:
    counted = kind.rules.margin is not None
    return _search(
        kind.rules.legal,
        kind.rules.play,
        kind.rules.result,
        kind.rules.margin or _uncounted,
        0 if counted else 1,
        stamp(kind),
    )


def _search(legal: Any, play: Any, result: Any, margin: Any, step: int, mark: int) -> Any:
    @njit(cache=True)
    def search(a, b, v, cut, limit, probes, keys, scores, kinds):  # type: ignore[no-untyped-def]
        """The score of a position, how often positions were looked at, and how many were stored.

        With `cut` only what decides the score is looked at, and `limit` is on looks; without, every
        position below is stored with its score, and `limit` is on those. Past the limit
        the score means nothing.
        """
        room = np.uint64(len(scores) - 1)
        own = np.empty(DEEPEST, np.int64)
        other = np.empty(DEEPEST, np.int64)
        low = np.empty(DEEPEST, np.int64)
        high = np.empty(DEEPEST, np.int64)
        floor = np.empty(DEEPEST, np.int64)
        best = np.empty(DEEPEST, np.int64)
        moves = np.empty(DEEPEST, np.int64)
        at = np.empty(DEEPEST, np.int64)
        home = np.empty(DEEPEST, np.uint64)
        depth = 0
        nodes = 0 * mark
        stored = 0
        own[0], other[0], low[0], high[0] = a, b, -INFINITE, INFINITE
        score = 0
        entering = True
        while True:
            if entering:
                nodes += 1
                if (nodes if cut else stored) > limit:
                    return 0, nodes, stored
                a, b = own[depth], other[depth]
                mixed = np.uint64(a) * np.uint64(0x9E3779B97F4A7C15)
                mixed = (mixed ^ np.uint64(b)) * np.uint64(0xC2B2AE3D27D4EB4F)
                slot = (mixed >> np.uint64(24)) & room
                known = False
                for _ in range(probes):
                    if kinds[slot] == EMPTY or (keys[slot, 0] == a and keys[slot, 1] == b):
                        break
                    slot = (slot + np.uint64(1)) & room
                home[depth] = slot
                if kinds[slot] != EMPTY and keys[slot, 0] == a and keys[slot, 1] == b:
                    score = int(scores[slot])
                    kind = kinds[slot]
                    known = (
                        kind == EXACT
                        or (kind == AT_LEAST and score >= high[depth])
                        or (kind == AT_MOST and score <= low[depth])
                    )
                if not known:
                    mask = legal(a, b, v)
                    if mask == 0:
                        score = margin(a, b, v) + result(a, b, v) * (WIN if step else 1)
                        known = True
                        if not cut:
                            stored += 1
                            keys[slot, 0], keys[slot, 1] = a, b
                            scores[slot], kinds[slot] = score, EXACT
                    else:
                        moves[depth] = mask
                        best[depth] = -INFINITE
                        floor[depth] = low[depth]
                        at[depth] = 63
                        entering = False
                if known:
                    entering = False
                    if depth == 0:
                        return score, nodes, stored
                    depth -= 1
                else:
                    score = INFINITE
            if score != INFINITE:
                # A child has its score: see it from this side, one ply earlier.
                score = -score
                if score > 0:
                    score -= step
                elif score < 0:
                    score += step
                best[depth] = max(best[depth], score)
                low[depth] = max(low[depth], score)
            if moves[depth] and not (cut and low[depth] >= high[depth]):
                move = at[depth]
                while not moves[depth] >> move & 1:
                    move -= 1
                moves[depth] ^= np.int64(1) << move
                at[depth] = move
                depth += 1
                own[depth], other[depth] = play(own[depth - 1], other[depth - 1], move, v)
                if cut:
                    low[depth] = -high[depth - 1] - step
                    high[depth] = -low[depth - 1] + step
                else:
                    low[depth], high[depth] = -INFINITE, INFINITE
                entering = True
                continue
            score = best[depth]
            slot = home[depth]
            if not cut:
                # Positions below may have taken the place that was free on the way in.
                while kinds[slot] != EMPTY:
                    slot = (slot + np.uint64(1)) & room
            stored += kinds[slot] == EMPTY
            keys[slot, 0], keys[slot, 1] = own[depth], other[depth]
            scores[slot] = score
            if not cut or floor[depth] < score < high[depth]:
                kinds[slot] = EXACT
            else:
                kinds[slot] = AT_LEAST if score >= high[depth] else AT_MOST
            if depth == 0:
                return score, nodes, stored
            depth -= 1

    return search
