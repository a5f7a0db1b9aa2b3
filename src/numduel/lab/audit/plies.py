"""The audit of a game without luck, ply by ply.

Going forward, every position of a ply is found once, with the number of games that lead to it and
its chance under random play; going back, each gets its value and the chances to win between given
players.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numba.extending import register_jitable

from numduel.core.game import Game, numbers
from numduel.lab.audit.endings import counted_endings, sentence
from numduel.lab.audit.findings import (
    COLUMNS,
    EQUALS,
    PERFECT,
    RANDOM,
    VALUE,
    Audit,
    Decisions,
    Opening,
)
from numduel.solver import memory
from numduel.solver.compiled import kernel, shared
from numduel.solver.search import WIN, WORD, check_bounds, nothing, read, too_deep
from numduel.solver.transposition import hash_of
from numduel.solver.values import Report, TooLarge, options

POSITION = 80
"""The most bytes that a position takes."""
MOST_TEXTS = 400_000
"""Finished positions whose ending is read one by one."""
FULL = 0.7
"""The load factor of a hash table."""
EQUAL = "Both have the same number of points."


class _Ply(NamedTuple):
    """The positions of one ply, each with its chance under random play and a move that leads to
    it."""

    keys: Any
    chance: Any
    parent: Any
    move: Any


class PlyAudit:
    """The audit of a game without luck."""

    def __init__(self, game: Game, report: Report) -> None:
        check_bounds(game)
        self.game = game
        self.report = report
        self.plies: list[_Ply] = []
        self.games: dict[int, int] = {}
        self.lengths: dict[int, float] = {}
        self.tally = np.zeros(len(TALLY), np.int64)
        self.shares = np.zeros(3, np.float64)
        self.equal = 0
        """Finished positions with equal points."""

    def audit(self) -> Audit:
        """Run the forward and backward passes."""
        self._forward()
        fresh = _fresh([ply.keys for ply in self.plies])
        first, second = self._backward(fresh)
        endings, missing = self._endings(fresh)
        value = read(self.game, int(first[0, VALUE]))
        tally = dict(zip(TALLY, map(int, self.tally), strict=True))
        counted = self.game.rules.margin is not None
        choices, result, points = (float(share) for share in self.shares)
        return Audit(
            self.game,
            value,
            self._openings(second),
            int(sum(map(np.count_nonzero, fresh))),
            tally["finished"],
            tally["draws"],
            self.games,
            self.lengths,
            Decisions(
                tally["choices"],
                tally["result"],
                tally["points"] if counted else None,
                result / choices if choices else 0.0,
                (points / choices if choices else 0.0) if counted else None,
            ),
            float(first[0, PERFECT]),
            1 - float(first[0, RANDOM]),
            {"perfect": value.win_probability, "random": float(first[0, EQUALS])},
            counted_endings(self.game, endings),
            missing,
        )

    def _forward(self) -> None:
        """Find the positions of every ply, and count the games that end in each."""
        start = np.array([self.game.rules.start(self.game.variant)], np.int64)
        ply = _Ply(start, np.ones(1), np.zeros(1, np.int32), np.zeros(1, np.int8))
        ways = np.array([[1, 0]], np.uint64)
        most = memory() // POSITION
        total, growth = 0, 4.0
        while len(ply.keys):
            if len(self.plies) > self.game.bounds.plies:
                raise too_deep(self.game)
            self.plies.append(ply)
            total += len(ply.keys)
            self.report("finding positions", total, None)
            following, ways = self._grown(ply, ways, growth, most - total)
            growth = max(1.0, len(following.keys) / len(ply.keys))
            ply = following

    def _grown(self, ply: _Ply, ways: Any, growth: float, most: int) -> tuple[_Ply, Any]:
        grow = kernel("audit grow", type(self.game), _grow)
        for room in rooms(len(ply.keys) * growth, most):
            made = _Ply(
                np.empty((room, 2), np.int64),
                np.empty(room, np.float64),
                np.empty(room, np.int32),
                np.empty(room, np.int8),
            )
            new_ways = np.empty((room, 2), np.uint64)
            found, low, high, over = grow(
                ply.keys, ways, ply.chance, self.game.variant, slots_for(room), *made, new_ways
            )
            if found < 0:
                continue
            if low or high:
                self.games[len(self.plies) - 1] = int(low) + (int(high) << 64)
                self.lengths[len(self.plies) - 1] = float(over)
            return _Ply(*(column[:found] for column in made)), new_ways[:found]
        raise TooLarge

    def _backward(self, fresh: list[Any]) -> tuple[Any, Any]:
        """Compute the columns of every position; those of the first two plies."""
        weigh = kernel("audit weigh", type(self.game), _weigh)
        total = sum(len(ply.keys) for ply in self.plies)
        done = 0
        after, slots = np.empty((0, COLUMNS)), slots_for(1)
        second = after
        for ply, new in zip(reversed(self.plies), reversed(fresh), strict=True):
            known = np.empty((len(ply.keys), COLUMNS))
            weigh(
                ply.keys, ply.chance, new, self.game.variant, slots, after, known,
                self.tally, self.shares,
            )  # fmt: skip
            slots = slots_for(len(ply.keys))
            _place(ply.keys, slots)
            second, after = after, known
            done += len(ply.keys)
            self.report("weighing positions", done, total)
        return after, second

    def _openings(self, second: Any) -> tuple[Opening, ...]:
        game, v = self.game, self.game.variant
        state = game.start()
        keys = self.plies[1].keys.tolist() if state.mask else []
        at = {tuple(key): i for i, key in enumerate(keys)}
        valued = []
        for code in numbers(state.mask):
            score = int(second[at[game.rules.play(*state.position, code, v)], VALUE])
            valued.append((game.moves(1 << code, state)[0], read(game, score).before()))
        return tuple(Opening(None, option) for option in options(valued))

    def _endings(self, fresh: list[Any]) -> tuple[Counter[str], tuple[str, ...]]:
        """How often each sentence ends a game, and what was left out."""
        over = kernel("audit over", type(self.game), _over)
        found: Counter[str] = Counter()
        counted = self.game.rules.margin is not None
        total = int(self.tally[TALLY.index("finished")])
        if not counted and total > MOST_TEXTS:
            return found, (
                f"endings: {total:,} finished positions are too many to read one by one",
            )
        done = 0
        for depth, (ply, new) in enumerate(zip(self.plies, fresh, strict=True)):
            kinds = over(ply.keys, new, self.game.variant)
            if counted:
                # Points decide, or the tiebreak if they are equal.
                self._decided(depth, kinds, found)
                continue
            for i in np.flatnonzero(kinds):
                found[self._sentence(depth, int(i))] += 1
                done += 1
                if done % 1000 == 0:
                    self.report("reading endings", done, total)
        if counted and not self.equal:
            found[EQUAL] = 0
        return found, ()

    def _decided(self, depth: int, kinds: Any, found: Counter[str]) -> None:
        """Count the finished positions of a ply by kind, with the sentence of one of each kind."""
        for kind in (1, 2):
            where = np.flatnonzero(kinds == kind)
            if len(where):
                found[self._sentence(depth, int(where[0]))] += len(where)
            self.equal += len(where) * (kind == 2)

    def _sentence(self, depth: int, at: int) -> str:
        """The sentence that ends the game in a position."""
        codes = []
        for ply in reversed(self.plies[1 : depth + 1]):
            codes.append(int(ply.move[at]))
            at = int(ply.parent[at])
        state = self.game.start()
        for code in reversed(codes):
            state = state.play(self.game.moves(1 << code, state)[0])
        return sentence(state)


def _fresh(keys: list[Any]) -> list[Any]:
    """Which positions of each ply count there: a position counts at one ply only."""
    every = np.concatenate(keys)
    low = int(every[:, 1].max()).bit_length()
    if int(every[:, 0].max()).bit_length() + low <= 64:
        packed = every[:, 0].astype(np.uint64) << np.uint64(low) | every[:, 1].astype(np.uint64)
        order = np.argsort(packed)
        same = packed[order][1:] == packed[order][:-1]
    else:
        order = np.lexsort((every[:, 1], every[:, 0]))
        same = (every[order][1:] == every[order][:-1]).all(axis=1)
    fresh = np.ones(len(every), np.bool_)
    fresh[order[1:][same]] = False
    return np.split(fresh, np.cumsum([len(ply) for ply in keys])[:-1])


def rooms(expected: float, most: int) -> Iterator[int]:
    """Sizes to try for arrays of positions, whose number is not known beforehand: twice as many
    each time, as long as they fit into memory."""
    room = int(expected * 1.1) + 1024
    while room <= max(most, 1024):
        yield room
        room *= 2


def slots_for(room: int) -> Any:
    """An empty hash table for so many positions: both integers, and the index plus 1."""
    return np.zeros((1 << int(room / FULL + 1).bit_length(), 3), np.int64)


@register_jitable
def slot_of(slots: Any, a: Any, b: Any) -> Any:
    """A position's slot, by open addressing."""
    room = np.uint64(len(slots) - 1)
    slot = hash_of(a, b) & room
    while slots[slot, 2] and (slots[slot, 0] != a or slots[slot, 1] != b):
        slot = (slot + np.uint64(1)) & room
    return slot


@register_jitable
def added(slots: Any, keys: Any, found: Any, a: Any, b: Any) -> Any:
    """The index of a position among those found, to which it is added if it is new (-1 if there is
    no room), and how many there are then."""
    slot = slot_of(slots, a, b)
    at = slots[slot, 2] - 1
    if at >= 0:
        return at, found
    if found == len(keys):
        return -1, found
    slots[slot, 0], slots[slot, 1], slots[slot, 2] = a, b, found + 1
    keys[found, 0], keys[found, 1] = a, b
    return found, found + 1


@shared
def _place(keys, slots):  # type: ignore[no-untyped-def]
    for i in range(len(keys)):
        slot = slot_of(slots, keys[i, 0], keys[i, 1])
        slots[slot, 0], slots[slot, 1], slots[slot, 2] = keys[i, 0], keys[i, 1], i + 1


def _grow(kind: type[Game]) -> Any:
    legal, play = kind.rules.legal, kind.rules.play

    def grow(  # type: ignore[no-untyped-def]
        keys, ways, chance, v, slots, new_keys, new_chance, new_parent, new_move, new_ways
    ):
        """Find the positions after every move: how many (-1 if there is no room); how many games
        end here (in two words), and how likely that is."""
        found = 0
        low, high, over = np.uint64(0), np.uint64(0), 0.0
        for i in range(len(keys)):
            a, b = keys[i, 0], keys[i, 1]
            moves = legal(a, b, v)
            if moves == 0:
                low += ways[i, 0]
                high += ways[i, 1] + np.uint64(low < ways[i, 0])
                over += chance[i]
            count = 0
            rest = moves
            while rest:
                rest &= rest - 1
                count += 1
            move = 0
            while moves:
                if moves & 1:
                    c, d = play(a, b, move, v)
                    at, more = added(slots, new_keys, found, c, d)
                    if at < 0:
                        return -1, low, high, over
                    if more > found:
                        found = more
                        new_chance[at], new_parent[at], new_move[at] = 0.0, i, move
                        new_ways[at, 0], new_ways[at, 1] = 0, 0
                    new_chance[at] += chance[i] / count
                    new_ways[at, 0] += ways[i, 0]
                    carry = np.uint64(new_ways[at, 0] < ways[i, 0])
                    new_ways[at, 1] += ways[i, 1] + carry
                moves >>= 1
                move += 1
        return found, low, high, over

    return grow


TALLY = ("finished", "draws", "choices", "result", "points")


def _weigh(kind: type[Game]) -> Any:
    legal, play, result = kind.rules.legal, kind.rules.play, kind.rules.result
    margin, step = kind.rules.margin or nothing, 0 if kind.rules.margin else 1

    def weigh(  # type: ignore[no-untyped-def]
        keys, chance, fresh, v, slots, after, known, tally, shares
    ):
        """Compute the columns of a ply's positions from those of the next ply."""
        child = np.empty(WORD + 1, np.int64)
        score = np.empty(WORD + 1, np.int64)
        for i in range(len(keys)):
            a, b = keys[i, 0], keys[i, 1]
            moves = legal(a, b, v)
            if moves == 0:
                sign = result(a, b, v)
                known[i] = 1.0 if sign > 0 else 0.0
                known[i, VALUE] = margin(a, b, v) + sign * (WIN if step else 1)
                if fresh[i]:
                    tally[0] += 1
                    tally[1] += sign != 1 and sign != -1
                continue
            count = 0
            move = 0
            while moves:
                if moves & 1:
                    c, d = play(a, b, move, v)
                    child[count] = slots[slot_of(slots, c, d), 2] - 1
                    worth = -np.int64(after[child[count], VALUE])
                    score[count] = worth - step if worth > 0 else worth + step
                    count += 1
                moves >>= 1
                move += 1
            most, least = score[:count].max(), score[:count].min()
            known[i, VALUE] = most
            _mixed(child, score, count, most, after, known[i])
            if count > 1:
                matters = most > 0 and least < 0
                shares[0] += chance[i]
                shares[1] += chance[i] * matters
                shares[2] += chance[i] * (most != least)
                if fresh[i]:
                    tally[2] += 1
                    tally[3] += matters
                    tally[4] += most != least

    return weigh


@register_jitable
def _mixed(child: Any, score: Any, count: Any, most: Any, after: Any, known: Any) -> None:
    """The chances to win of the player to move, over all moves and over the best ones."""
    best, good = 0, 0.0
    known[EQUALS], known[RANDOM] = 0.0, 0.0
    for k in range(count):
        known[EQUALS] += (1.0 - after[child[k], EQUALS]) / count
        known[RANDOM] += (1.0 - after[child[k], PERFECT]) / count
        if score[k] == most:
            best += 1
            good += 1.0 - after[child[k], RANDOM]
    known[PERFECT] = good / best


def _over(kind: type[Game]) -> Any:
    legal, margin = kind.rules.legal, kind.rules.margin or nothing

    def over(keys, fresh, v):  # type: ignore[no-untyped-def]
        """1 for a finished position, 2 if its points are equal; else 0."""
        kinds = np.zeros(len(keys), np.int8)
        for i in range(len(keys)):
            a, b = keys[i, 0], keys[i, 1]
            if fresh[i] and legal(a, b, v) == 0:
                kinds[i] = 1 + (margin(a, b, v) == 0)
        return kinds

    return over
