"""Exact values by search, for any game without luck: negamax with alpha-beta pruning and a
transposition table, on an explicit stack, compiled from the game's rules."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import register_jitable

from numduel.core.errors import BadGame
from numduel.core.game import Game
from numduel.core.state import Position
from numduel.solver.compiled import kernel
from numduel.solver.values import SEARCH_LIMIT, TooLarge, Value

EMPTY, EXACT, AT_LEAST, AT_MOST = 0, 1, 2, 3
"""What the transposition table knows of a score."""
WIN = 10_000
"""The score of a finished game in which distance counts; each ply before it takes one away."""
INFINITE = 20_000
TOO_DEEP = -1
"""Returned as the number of nodes if a game goes on past its declared bound."""
ENTRY = 16 + 2 + 1
"""Bytes of a position in the table: its key, its score, and what is known of the score."""
PROBES = 8
WORD = 62
"""Bits of a machine word that a position or a set of moves may use."""


class Search:
    """Values found on demand, with a transposition table."""

    def __init__(self, game: Game, *, entries: int = 1 << 22) -> None:
        check_bounds(game)
        self.game = game
        self.nodes_left = SEARCH_LIMIT
        self._kernel = search_kernel(type(game))
        size = 1 << min(entries.bit_length() - 1, 2 * game.bounds.bits + 2)
        self._table = new_table(size)

    def value(self, position: Position) -> Value:
        """The value of a position; `TooLarge` if it takes more nodes than are left."""
        score, nodes, _ = self._kernel(
            *position, self.game.variant, self.game.bounds.plies, True, self.nodes_left, PROBES,
            *self._table,
        )  # fmt: skip
        if nodes == TOO_DEEP:
            raise too_deep(self.game)
        self.nodes_left -= nodes
        if self.nodes_left < 0:
            raise TooLarge
        return read(self.game, int(score))


def check_bounds(game: Game) -> None:
    """Raise `TooLarge` if a game's positions, moves, distances or points do not fit into the words
    of the transposition table."""
    bounds = game.bounds
    if bounds.actions > WORD:
        raise TooLarge(f"it has {bounds.actions} different moves, more than the {WORD} of a word")
    if bounds.bits > WORD:
        raise TooLarge(f"its positions do not fit into two words of {WORD} bits")
    if max(bounds.plies, bounds.points) >= WIN:
        raise TooLarge(f"it can have {WIN} moves or points and more")


def too_deep(game: Game) -> BadGame:
    """The error for a game that exceeds its declared bound."""
    return BadGame(
        f"{game} declares that no game has more than {game.bounds.plies} moves, but one has."
    )


def new_table(size: int) -> tuple[Any, Any, Any]:
    """An empty transposition table: keys, scores, and what is known of the scores."""
    return np.zeros((size, 2), np.int64), np.zeros(size, np.int16), np.zeros(size, np.int8)


def read(game: Game, score: int) -> Value:
    """The value of a score: points or a distance, with the result as its sign."""
    sign = 1 if score > 0 else -1
    won = 1.0 if score > 0 else 0.0
    if game.rules.margin is not None:
        return Value(won, margin=score - sign)
    return Value(won, plies=WIN - abs(score))


@register_jitable
def no_margin(_a: int, _b: int, _v: Any) -> int:
    """The margin in a game without points."""
    return 0


@register_jitable
def hash_of(a: Any, b: Any) -> Any:
    """A 40-bit hash of a position."""
    mixed = np.uint64(a) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ np.uint64(b)) * np.uint64(0xC2B2AE3D27D4EB4F)
    return mixed >> np.uint64(24)


def search_kernel(kind: type[Game]) -> Any:
    """The compiled search of a game."""
    return kernel("search", kind, _made)


def _made(kind: type[Game]) -> Any:
    legal, play, result = kind.rules.legal, kind.rules.play, kind.rules.result
    margin, step = kind.rules.margin or no_margin, 0 if kind.rules.margin else 1

    def search(a, b, v, deepest, cut, limit, probes, keys, scores, kinds):  # type: ignore[no-untyped-def]
        """The score of a position, how many nodes were visited, and how many were stored.

        With `cut`, alpha-beta prunes what cannot decide the score, and `limit` is on nodes;
        without, every position below is stored with its score, and `limit` is on those. Past the
        limit the score means nothing.
        """
        room = np.uint64(len(scores) - 1)
        places = deepest + 1
        own = np.empty(places, np.int64)
        other = np.empty(places, np.int64)
        low = np.empty(places, np.int64)
        high = np.empty(places, np.int64)
        floor = np.empty(places, np.int64)
        best = np.empty(places, np.int64)
        moves = np.empty(places, np.int64)
        at = np.empty(places, np.int64)
        home = np.empty(places, np.uint64)
        depth = 0
        nodes = 0
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
                slot = hash_of(a, b) & room
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
                        at[depth] = WORD + 1
                        entering = False
                if known:
                    entering = False
                    if depth == 0:
                        return score, nodes, stored
                    depth -= 1
                else:
                    score = INFINITE
            if score != INFINITE:
                # Back up the score of a child: negated, one ply further from the end.
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
                if depth == places:
                    return 0, TOO_DEEP, stored
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
            if not cut and stored > limit:
                return 0, nodes, stored
            if not cut:
                # Descendants may have taken the slot that was free on the way in.
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
