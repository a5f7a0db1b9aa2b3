"""Levels against each other in a game without luck, ply by ply.

Every position that two players can reach is found once at its ply, with the chance that they reach
it. Compiled code applies ideas to many positions; to a few, or if an idea cannot be compiled, it is
asked position by position.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.extending import register_jitable

from numduel.core.game import Game
from numduel.core.ideas import Idea, Narrow, Situation, once, size
from numduel.core.state import State
from numduel.lab.audit.plies import POSITION, added, rooms, slots_for
from numduel.lab.audit.strength import Meeting
from numduel.play.players import Perfect, known
from numduel.solver import memory, solve
from numduel.solver.compiled import kernel, register
from numduel.solver.search import check_bounds
from numduel.solver.values import Report, TooLarge

MANY = 5_000
"""Positions for which it is worth it to compile an idea, which takes seconds."""
MOST_DECISIONS = 2_000
"""Traps of a perfect player that are worked out for one meeting, which takes a minute."""


class _TooLong(Exception):
    """Too many traps of a perfect player would have to be worked out."""


class PlyArena:
    """The arena of a game without luck."""

    def __init__(self, game: Game, report: Report) -> None:
        check_bounds(game)
        self.game = game
        self.report = report
        self._decided = 0
        _, self._table, score = solve(game, report=report).lookup()
        self._score = register_jitable(score)

    def meet(self, one: str, two: str, judged: bool) -> Meeting:
        """How one kind does against another from both seats."""
        if one == two:
            return Meeting(0.5, *self._played(one, two, {0, 1})[1:])
        self._decided = 0
        try:
            return self._both(one, two, judged)
        except _TooLong:
            return Meeting(None)

    def _both(self, one: str, two: str, judged: bool) -> Meeting:
        first = self._played(one, two, {0} if judged else set())
        second = self._played(two, one, {1} if judged else set())
        return Meeting((first[0] + 1 - second[0]) / 2, first[1] + second[1], first[2] + second[2])

    def _played(self, one: str, two: str, judged: set[int]) -> tuple[float, float, float]:
        """The first player's chance to win, what the judged players (0 and 1) lose, and how many of
        their decisions are at stake."""
        game, v, kinds = self.game, self.game.variant, (one, two)
        judge = kernel("arena judge", type(game), _judge(self._score))
        keys, chance = np.array([game.rules.start(v)], np.int64), np.ones(1)
        wins = lost = stakes = 0.0
        ply = total = 0
        growth = 4.0
        while len(keys):
            who = ply % 2
            if kinds[who] == "perfect":
                # A perfect player wins every position that is won: it need not be followed.
                won = self._won(keys)
                wins += float(chance[won].sum()) if who == 0 else 0.0
                keys, chance = keys[~won], chance[~won]
            masks = self._chosen(kinds[who], keys)
            if who in judged:
                more = judge(keys, chance, masks, v, self._table)
                lost, stakes = lost + float(more[0]), stakes + float(more[1])
            total += len(keys)
            self.report(f"{one} against {two}", total, None)
            after, after_chance, mine, over = self._spread(keys, chance, masks, growth)
            wins += mine if who == 0 else over - mine
            growth = max(1.0, len(after) / max(1, len(keys)))
            keys, chance, ply = after, after_chance, ply + 1
        return wins, lost, stakes

    def _won(self, keys: Any) -> Any:
        return kernel("arena scores", type(self.game), _each(self._score))(keys, self._table) > 0

    def _spread(
        self, keys: Any, chance: Any, masks: Any, growth: float
    ) -> tuple[Any, Any, float, float]:
        """The next ply, and how likely the game is over here: won by the player to move, and in
        all."""
        spread = kernel("arena spread", type(self.game), _spread)
        for room in rooms(len(keys) * growth, memory() // POSITION):
            after, after_chance = np.empty((room, 2), np.int64), np.zeros(room)
            found, won, over = spread(
                keys, chance, masks, self.game.variant, slots_for(room), after, after_chance
            )
            if found >= 0:
                return after[:found], after_chance[:found], float(won), float(over)
        raise TooLarge

    def _chosen(self, kind: str, keys: Any) -> Any:
        """The moves that a kind of player may choose in each position, as bit sets."""
        if kind == "perfect":
            return self._best(keys)
        masks = self._legal(keys)
        for idea in known(self.game, kind) if kind != "random" else ():
            self._narrow(idea, keys, masks)
        return masks

    def _legal(self, keys: Any) -> Any:
        legal = kernel("arena legal", type(self.game), _each(self.game.rules.legal))
        return legal(keys, self.game.variant)

    def _narrow(self, idea: Idea, keys: Any, masks: Any) -> None:
        choices = np.flatnonzero(masks & masks - 1).tolist()
        if idea.made is not None and len(choices) >= MANY:
            name = f"arena {idea.name} {self.game.variant_text}"
            narrow = kernel(name, type(self.game), _narrow(idea.made(self.game, once)))
            narrow(keys, masks, self.game.variant)
            return
        for at in choices:
            seen = Situation(self.game, (int(keys[at, 0]), int(keys[at, 1])))
            masks[at] = idea.prefers(seen, int(masks[at]))

    def _best(self, keys: Any) -> Any:
        game, who, masks = self.game, Perfect(), self._legal(keys)
        choices = np.flatnonzero(masks & masks - 1).tolist()
        self._decided += len(choices)
        if self._decided > MOST_DECISIONS:
            raise _TooLong
        for at in choices:
            state = State(game, (int(keys[at, 0]), int(keys[at, 1])), 1, 1, ())
            masks[at] = sum(1 << game.code(move) for move in who.candidates(state))
        return masks


def _each(function: Any) -> Callable[[type[Game]], Any]:
    """A kernel that calls a function for each position."""

    def make(_: type[Game]) -> Any:
        def each(keys, given):  # type: ignore[no-untyped-def]
            found = np.empty(len(keys), np.int64)
            for i in range(len(keys)):
                found[i] = function(keys[i, 0], keys[i, 1], given)
            return found

        return each

    return make


def _narrow(one: Narrow) -> Callable[[type[Game]], Any]:
    def make(kind: type[Game]) -> Any:
        register(kind, one)

        def narrow(keys, masks, v):  # type: ignore[no-untyped-def]
            """Leave only the moves of each position that an idea prefers."""
            for i in range(len(keys)):
                if masks[i] & masks[i] - 1:
                    masks[i] = one(keys[i, 0], keys[i, 1], masks[i], v)

        return narrow

    return make


def _spread(kind: type[Game]) -> Any:
    play, result = kind.rules.play, kind.rules.result

    def spread(keys, chance, masks, v, slots, after, after_chance):  # type: ignore[no-untyped-def]
        """Find the positions after every chosen move: how many (-1 if there is no room), and how
        likely the game is over here: won by the player to move, and in all."""
        found, won, over = 0, 0.0, 0.0
        for i in range(len(keys)):
            a, b = keys[i, 0], keys[i, 1]
            moves = masks[i]
            if moves == 0:
                over += chance[i]
                if result(a, b, v) > 0:
                    won += chance[i]
                continue
            share = chance[i] / size(moves)
            move = 0
            while moves:
                if moves & 1:
                    c, d = play(a, b, move, v)
                    at, found = added(slots, after, found, c, d)
                    if at < 0:
                        return -1, won, over
                    after_chance[at] += share
                moves >>= 1
                move += 1
        return found, won, over

    register_jitable(size)
    return spread


def _judge(score_of: Any) -> Callable[[type[Game]], Any]:
    def make(kind: type[Game]) -> Any:
        legal, play = kind.rules.legal, kind.rules.play
        counted = kind.rules.margin is not None

        def judge(keys, chance, masks, v, table):  # type: ignore[no-untyped-def]
            """What the chosen moves lose on average, and how many decisions are at stake."""
            lost, stakes = 0.0, 0.0
            for i in range(len(keys)):
                a, b = keys[i, 0], keys[i, 1]
                moves = legal(a, b, v)
                if moves & moves - 1 == 0:
                    continue
                most, least, total, count = -(1 << 30), 1 << 30, 0, 0
                move = 0
                while moves:
                    if moves & 1:
                        c, d = play(a, b, move, v)
                        score = 0 - score_of(c, d, table)
                        if not counted:
                            worth = 1 if score > 0 else 0
                        else:  # a score is one more than the margin, either way
                            worth = score - 1 if score > 0 else score + 1
                        most, least = max(most, worth), min(least, worth)
                        if masks[i] >> move & 1:
                            total += worth
                            count += 1
                    moves >>= 1
                    move += 1
                if most > least:
                    stakes += chance[i]
                    lost += chance[i] * (most - total / count)
            return lost, stakes

        return judge

    return make
