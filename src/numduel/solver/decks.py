"""Strong solution of a game with a deck, by expectimax: every position's win probability.

Drawing a card makes the number of a deck smaller, so that one sweep from the empty deck to the full
one finds every value after those it depends on.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba.extending import register_jitable

from numduel.core.game import Game, numbers
from numduel.core.state import Position
from numduel.solver.hands import DONE, NONE, Hands, Layout, full_deck
from numduel.solver.lattice import board_of, in_chunks, line_of, swept
from numduel.solver.values import SOLVING, Lookup, Report, Value, unreported


class Decks:
    """The chance to win in every position, before the next card is drawn."""

    nodes_left = 0

    def __init__(self, game: Game, found: Hands, at: Layout, values: Any) -> None:
        self.game = game
        self.values = values
        hands, classes = zip(*sorted(found.of.items()), strict=True)
        table = (full_deck(game), hands, classes, at.starts, at.rows, at.columns, at.widths, values)
        self._lookup = Lookup(_chance(game), tuple(map(np.ascontiguousarray, table)))

    def value(self, position: Position) -> Value:
        """The value of a position for the player to move, with or without a drawn card."""
        game, v = self.game, self.game.variant
        if game.chance.due(*position, v):
            return Value(float(self._lookup.chance(*position, self._lookup.table)))
        moves = numbers(game.rules.legal(*position, v))
        if not moves:
            return Value(1.0 if game.rules.result(*position, v) > 0 else 0.0)
        return Value(
            max(1 - self.value(game.rules.play(*position, m, v)).win_probability for m in moves)
        )

    def lookup(self) -> Lookup:
        """How compiled code reads the values."""
        return self._lookup


def _chance(game: Game) -> Any:
    due, left, hand, result = *game.chance[:2], game.chance.hand, game.rules.result
    v, cards = game.variant, game.bounds.cards

    def chance(a: Any, b: Any, table: Any) -> Any:
        """The chance to win before the next card is drawn, or the result if there is none."""
        copies, hands, classes, starts, rows, columns, widths, values = table
        if not due(a, b, v):
            return 1.0 if result(a, b, v) > 0 else 0.0
        deck, place = 0, 1
        for card in range(1, cards + 1):
            deck += place * left(a, b, card, v)
            place *= copies[card - 1] + 1
        own = classes[index_of(hand(a, 0, v), hands)]
        other = classes[index_of(hand(a, 1, v), hands)]
        return values[starts[deck] + rows[deck, own] * widths[deck] + columns[deck, other]]

    return chance


@register_jitable
def index_of(number: Any, ordered: Any) -> Any:
    """The index of a number in an ordered array that has it."""
    low, high = 0, len(ordered) - 1
    while low < high:
        middle = (low + high) >> 1
        if ordered[middle] < number:
            low = middle + 1
        else:
            high = middle
    return low


class Given(NamedTuple):
    """The values that are found, and room for what is known of a deck."""

    values: Any
    first: Any
    """``first[kind, row]``: the column that the first way to play a card leads to."""
    better: Any
    """All other ways: the kind of card, the row, and the column or `DONE`; then -1."""
    leaves: Any
    """``leaves[row]``: what the cards leave the opponent, with one other hand."""


def solve(game: Game, found: Hands, at: Layout, report: Report = unreported) -> Decks:
    """Find every value; `report` is called now and then with the number of positions done."""
    hands, cards, ways = found.follows.shape
    given = Given(
        np.empty(at.total), np.zeros((cards, hands), np.uint64),
        np.zeros((cards * hands * ways + 1, 3), np.int64), np.zeros(hands),
    )  # fmt: skip
    board, ends, done = board_of(game, found, at), np.append(at.starts, at.total), 0
    for decks in in_chunks(_sweep, np.arange(len(at.starts)), board, given):
        done += decks
        report(SOLVING, int(ends[done]), at.total)
    return Decks(game, found, at, given.values)


def _prepare(_other: Any, draws: Any, board: Any, given: Any) -> None:
    """Find where the ways to play each card lead. Most cards can be played in one way only, so that
    way is summed first, in a plain loop, and corrected where another way is better."""
    _, kinds, rows, _ = draws
    better, others = given.better, 0
    for kind in range(kinds):
        columns = board.columns[board.under[kind]]
        for row in range(rows):
            ways = board.follows[board.mine[row], board.card[kind]]
            # Without a way to play a card, no reachable position has this hand and this card.
            given.first[kind, row] = columns[ways[0]] if ways[0] != NONE else 0
            for way in range(1, len(ways)):
                if ways[way] >= DONE:
                    better[others, 0], better[others, 1] = kind, row
                    better[others, 2] = DONE if ways[way] == DONE else columns[ways[way]]
                    others += 1
    better[others, 0] = -1


def _expect(here: Any, other: Any, draws: Any, board: Any, given: Any) -> None:
    """Find the values of the positions with one other hand: each kind of card adds its weight times
    the least that any way to play it leaves the opponent."""
    left, kinds, rows, step = draws
    values, first, better, leaves = given.values, given.first, given.better, given.leaves
    leaves[:rows] = 0.0
    for kind in range(kinds):
        line, weight = line_of(board, board.under[kind], other), np.float64(board.weight[kind])
        for row in range(rows):
            leaves[row] += weight * values[line + first[kind, row]]
    at = 0
    while better[at, 0] >= 0:
        kind, row = better[at, 0], better[at, 1]
        line = line_of(board, board.under[kind], other)
        plain = values[line + first[kind, row]]
        least = plain
        while better[at, 0] == kind and better[at, 1] == row:
            if better[at, 2] == DONE:
                least = 0.0
            else:
                least = min(least, values[line + np.uint64(better[at, 2])])
            at += 1
        leaves[row] -= board.weight[kind] * (plain - least)
    for row in range(rows):
        if left:
            values[here + row * step] = 1.0 - leaves[row] / left
        else:
            values[here + row * step] = 1.0 if board.results[board.mine[row], other] > 0 else 0.0


_sweep = swept(_prepare, _expect)
