"""Levels against each other in a game with a deck, deck by deck.

What a level chooses depends on its hand, the card and the deck; with the last card also on the
other hand. So one sweep over the solver's classes of hands, from the empty deck to the full one,
finds what comes of all games between two players. Other ideas than `WIN` and `FITS` are taken to
look at the hand and the card alone.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numba.extending import register_jitable

from numduel.audit.decks import TIE, DeckAudit, class_follows
from numduel.audit.findings import Report
from numduel.audit.strength import Meeting
from numduel.core.game import Game, numbers
from numduel.core.ideas import Idea, Situation
from numduel.ideas import FITS, WIN
from numduel.players import known
from numduel.solver import decks, memory, solve
from numduel.solver.compiled import shared
from numduel.solver.values import TooLarge

DONE = decks.DONE
kinds_left = decks.kinds_left
BY_VALUE, BY_WIN, BY_FITS, BY_TABLE = range(4)
"""What a player goes by, in turn: the exact value, an idea, or, from here on, the table of one."""
COLUMNS = 3
"""Of a position: the first player's chance to win, what it loses, and its decisions at stake."""


class DeckArena:
    """Where two kinds of player meet in a game with a deck."""

    def __init__(self, game: Game, report: Report) -> None:
        self.game = game
        self.report = report
        audit = DeckAudit(game, report)
        if 8 * (2 * COLUMNS + 1) * audit.at.total > memory():
            raise TooLarge
        self._hands, self._at, self._copies = audit.merged, audit.at, audit.copies
        self._classes = dict(zip(audit.hands, audit.classes.tolist(), strict=True))
        self._follows = class_follows(audit.classes, audit.follows)
        self._values = solve(game, report=partial(report, "solving")).values

    def meet(self, one: str, two: str, judged: bool) -> Meeting:
        """How one kind does against another from both seats."""
        at, tables = self._at, list[Any]()
        codes = self._codes(one, tables), self._codes(two, tables)
        preferred = np.array([*tables, np.zeros(self._follows.shape, np.bool_)])
        fitting = _fitting(self._follows)
        found = np.empty((at.total, 2, COLUMNS))
        for begin in range(0, len(at.starts), decks.CHUNK):
            end = min(begin + decks.CHUNK, len(at.starts))
            _sweep(
                begin, end, self._copies, self._follows, fitting, self._hands.results, at.starts,
                at.rows, at.columns, at.widths, self._values, preferred, *codes, found,
            )  # fmt: skip
            self.report(f"{one} against {two}", int(at.starts[end - 1]), at.total)
        first, second = found[-1]
        return Meeting(float(first[0] + second[0]) / 2, *map(float, first[1:] + second[1:]))

    def _codes(self, kind: str, tables: list[Any]) -> Any:
        """What a kind of player goes by; the tables of its ideas are added to the others."""
        if kind in ("random", "perfect"):
            return np.array([BY_VALUE] if kind == "perfect" else [], np.int64)
        codes = []
        for idea in known(self.game, kind):
            if idea in (WIN, FITS):
                codes.append(BY_WIN if idea == WIN else BY_FITS)
            else:
                codes.append(BY_TABLE + len(tables))
                tables.append(self._table(idea))
        return np.array(codes, np.int64)

    def _table(self, idea: Idea) -> Any:
        """``table[hand, card - 1, way]``: whether an idea prefers to play a card in a way."""
        game, v = self.game, self.game.variant
        (a, b), chance = game.rules.start(v), game.chance
        found = np.zeros(self._follows.shape, np.bool_)
        for hand, own in self._classes.items():
            for card in np.flatnonzero(self._copies).tolist():
                joined = chance.join(hand, chance.hand(a, 1, v), v)
                seen = Situation(game, chance.draw(joined, b, card + 1, v))
                for move in numbers(idea.prefers(seen, seen.legal)):
                    made = chance.hand(seen.after(move).position[0], 1, v)
                    found[own, card] |= self._follows[own, card] == self._classes.get(made, DONE)
        return found


def _fitting(follows: Any) -> Any:
    """``fitting[hand, card - 1]``: whether a card can be added to a hand of a class."""
    own = np.arange(len(follows))[:, None, None]
    return ((follows >= DONE) & (follows != own)).any(axis=2)


@register_jitable
def _score(code: Any, hand: Any, won: Any, deck: Any, fitting: Any) -> Any:
    """How good a way to play a card is, by the hand that it makes."""
    if code == BY_WIN:
        return 1 if won else 0
    if won:
        return deck.sum() + 1
    found = 0
    for card in range(len(deck)):
        if fitting[hand, card]:
            found += deck[card]
    return found


@register_jitable
def _choose(
    codes: Any, ways: Any, other: Any, results: Any, deck: Any, fitting: Any, preferred: Any,
    chosen: Any,
) -> None:  # fmt: skip
    """Fill in which ways to play a card are left when a player's ideas are applied in turn."""
    last = deck.sum() == 0
    scores = np.empty(len(ways), np.int64)
    for way in range(len(ways)):
        chosen[way] = ways[way] >= DONE
    for code in codes:
        if code == BY_VALUE:
            continue
        top = -1
        for way in range(len(ways)):
            if chosen[way]:
                hand = ways[way]
                if code >= BY_TABLE:
                    scores[way] = preferred[code - BY_TABLE, way]
                else:
                    won = hand == DONE or (last and results[other, hand] < 0)
                    scores[way] = _score(code, hand, won, deck, fitting)
                top = max(top, scores[way])
        for way in range(len(ways)):
            chosen[way] = chosen[way] and scores[way] == top


@shared
def _sweep(  # type: ignore[no-untyped-def]
    begin, end, copies, follows, fitting, results, starts, rows, columns, widths, values, preferred,
    one, two, found,
):  # fmt: skip
    """Fill in the positions of some decks, before a draw, with the first player (0) or the second
    (1) to move, from smaller decks."""
    n, hands = len(copies), len(results)
    card, under, weight = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    deck_left = np.empty(n, np.int64)
    worth = np.empty(follows.shape[2])
    chosen = np.empty((2, follows.shape[2]), np.bool_)
    for deck in range(begin, end):
        kinds = kinds_left(deck, copies, card, under, weight)
        left = weight[:kinds].sum()
        for s in range(hands):
            if rows[deck, s] < 0:
                continue
            line = starts[deck] + np.int64(rows[deck, s]) * widths[deck]
            for t in range(hands):
                if columns[deck, t] >= 0:
                    here = found[line + columns[deck, t]]
                    here[:] = 0.0
                    if left == 0:
                        mine = results[s, t] > 0
                        here[0, 0], here[1, 0] = (1.0, 0.0) if mine else (0.0, 1.0)
            for kind in range(kinds):
                d = under[kind]
                share = weight[kind] / left
                ways = follows[s, card[kind]]
                liked = preferred[:, s, card[kind]]
                deck_left[:] = 0
                for other_kind in range(kinds):
                    deck_left[card[other_kind]] = weight[other_kind]
                deck_left[card[kind]] -= 1
                if left > 1:
                    _choose(one, ways, 0, results, deck_left, fitting, liked, chosen[0])
                    _choose(two, ways, 0, results, deck_left, fitting, liked, chosen[1])
                for t in range(hands):
                    if columns[deck, t] < 0:
                        continue
                    here = found[line + columns[deck, t]]
                    if left == 1:
                        _choose(one, ways, t, results, deck_left, fitting, liked, chosen[0])
                        _choose(two, ways, t, results, deck_left, fitting, liked, chosen[1])
                    row = starts[d] + np.int64(rows[d, t]) * widths[d]
                    most, least = -1.0, 2.0
                    for way in range(len(ways)):
                        if ways[way] < DONE:
                            continue
                        after = 0.0 if ways[way] == DONE else values[row + columns[d, ways[way]]]
                        worth[way] = 1.0 - after
                        most, least = max(most, worth[way]), min(least, worth[way])
                    for side in range(2):
                        codes = one if side == 0 else two
                        perfect = len(codes) == 1 and codes[0] == BY_VALUE
                        picked, total = 0, 0.0
                        wins, lost, stakes = 0.0, 0.0, 0.0
                        for way in range(len(ways)):
                            if not chosen[side, way] or (perfect and worth[way] < most - TIE):
                                continue
                            picked += 1
                            total += worth[way]
                            if ways[way] == DONE:
                                wins += 1.0 if side == 0 else 0.0
                            else:
                                next_one = found[row + columns[d, ways[way]], 1 - side]
                                wins += next_one[0]
                                lost += next_one[1]
                                stakes += next_one[2]
                        here[side, 0] += share * wins / picked
                        here[side, 1] += share * lost / picked
                        here[side, 2] += share * stakes / picked
                        if side == 0 and most - least > TIE:
                            here[side, 1] += share * (most - total / picked)
                            here[side, 2] += share
