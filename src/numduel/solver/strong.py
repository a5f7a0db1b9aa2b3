"""Strong solutions: every position of a game without luck, each with its value."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

import numpy as np

from numduel.core.game import Game
from numduel.solver.compiled import kernel, shared
from numduel.solver.search import TOO_DEEP, WIN, check_bounds, nothing, too_deep
from numduel.solver.strong_table import StrongSolution
from numduel.solver.transposition import hash_of
from numduel.solver.values import SOLVING, Report, TooLarge, unreported

UNSEEN, SEEN = 0, 1
ENTRY = 16 + 2 + 1
"""Bytes of a position in the table: its key, its score, and whether the slot is used."""
SMALLEST = 1 << 12
FULL = 0.6
"""A table fuller than this is moved to one four times as large."""
WATCH_INTERVAL = 0.2
"""Seconds between two reports."""


def solve(game: Game, limit: int, report: Report = unreported) -> StrongSolution:
    """Find every value by visiting every position once; `TooLarge` past the limit in bytes.

    How many positions there are is not known beforehand: `report` is told how many have a value. A
    full table is moved to a larger one, and nothing is searched again.
    """
    check_bounds(game)
    explore = kernel("explore", type(game), _made)
    start = game.rules.start(game.variant)
    table, known, size = new_table(0), 0, SMALLEST
    while size * ENTRY <= limit:
        smaller, table = table, new_table(size)
        _move(*smaller, *table)
        room = int(FULL * size)
        with _watched(table[2], report):
            stored = explore(*start, game.variant, game.bounds.plies, room - known, *table)
        if stored == TOO_DEEP:
            raise too_deep(game)
        known += int(stored)
        report(SOLVING, known, None)
        if known <= room:
            return StrongSolution(game, _sorted(*table))
        size *= 4
    raise TooLarge


def new_table(size: int) -> tuple[Any, Any, Any]:
    """An empty table: keys, scores, and which slots are used."""
    return np.zeros((size, 2), np.int64), np.zeros(size, np.int16), np.zeros(size, np.int8)


def _made(kind: type[Game]) -> Any:
    legal, play, result = kind.rules.legal, kind.rules.play, kind.rules.result
    margin = kind.rules.margin or nothing
    step, won = (0, 1) if kind.rules.margin else (1, WIN)

    def explore(a, b, v, deepest, limit, keys, scores, seen):  # type: ignore[no-untyped-def]
        """Score every position that follows from one and is not in the table yet; how many were
        added, which is more than the limit if the table is full."""
        last = np.uint64(len(scores) - 1)
        places = deepest + 1
        own, other = np.empty(places, np.int64), np.empty(places, np.int64)
        moves, best = np.empty(places, np.int64), np.empty(places, np.int64)
        depth = stored = 0
        own[0], other[0] = a, b
        while True:
            a, b = own[depth], other[depth]
            slot = hash_of(a, b) & last
            while seen[slot] and (keys[slot, 0] != a or keys[slot, 1] != b):
                slot = (slot + np.uint64(1)) & last
            known = seen[slot] == SEEN
            moves[depth], best[depth] = 0, scores[slot]
            if not known:
                moves[depth], best[depth] = legal(a, b, v), -WIN
                if moves[depth] == 0:
                    best[depth] = margin(a, b, v) + won * result(a, b, v)
            while moves[depth] == 0:
                if not known:
                    # Descendants may have taken the slot that was free on the way in.
                    a, b = own[depth], other[depth]
                    slot = hash_of(a, b) & last
                    while seen[slot]:
                        slot = (slot + np.uint64(1)) & last
                    keys[slot, 0], keys[slot, 1] = a, b
                    scores[slot], seen[slot] = best[depth], SEEN
                    stored += 1
                if depth == 0 or stored > limit:
                    return stored
                score = best[depth]
                depth -= 1
                known = False
                score = step - score if score > 0 else -score - step
                best[depth] = max(best[depth], score)
            move = 0
            while not moves[depth] >> move & 1:
                move += 1
            moves[depth] ^= 1 << move
            depth += 1
            if depth == places:
                return TOO_DEEP
            own[depth], other[depth] = play(own[depth - 1], other[depth - 1], move, v)

    return explore


def _sorted(keys: Any, scores: Any, seen: Any) -> Any:
    used = seen != UNSEEN
    found = np.column_stack((keys[used], scores[used].astype(np.int64)))
    return found[np.lexsort((found[:, 1], found[:, 0]))]


@shared
def _move(keys, scores, seen, new_keys, new_scores, new_seen):  # type: ignore[no-untyped-def]
    last = np.uint64(len(new_scores) - 1)
    for at in range(len(scores)):
        if seen[at] == UNSEEN:
            continue
        slot = hash_of(keys[at, 0], keys[at, 1]) & last
        while new_seen[slot] != UNSEEN:
            slot = (slot + np.uint64(1)) & last
        new_keys[slot, 0], new_keys[slot, 1] = keys[at, 0], keys[at, 1]
        new_scores[slot], new_seen[slot] = scores[at], seen[at]


@contextmanager
def _watched(seen: Any, report: Report) -> Iterator[None]:
    """Report how many positions a table has while compiled code fills it."""
    ended = Event()

    def watch() -> None:
        while not ended.wait(WATCH_INTERVAL):
            report(SOLVING, int(np.count_nonzero(seen.view(np.bool_))), None)

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()
