"""One sweep over the positions of a game with a deck, deck by deck, for whatever is done in each.

A deck with so many cards left leads to decks with one card fewer. So decks are taken generation by
generation, and what is known of two of them is all that has to be kept at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numba.extending import register_jitable

from numduel.core.game import Game
from numduel.solver.compiled import LEAN, compiled
from numduel.solver.decks import Hands, digits, full_deck, kinds_left, layout

CHUNK = 512
"""Decks between two reports of progress."""


class Board(NamedTuple):
    """What compiled code knows of a lattice: how many there are of each card, the hands, and where
    a position is in its generation, as in `decks.Layout`; then room for what it finds of a deck."""

    copies: Any
    follows: Any
    results: Any
    starts: Any
    rows: Any
    columns: Any
    widths: Any
    card: Any
    """Of each kind of card that is left: which it is, the deck after drawing it, how many there
    are."""
    under: Any
    weight: Any
    mine: Any
    """The hands of the player to move, in the order of their rows."""


class Lattice:
    """The positions before each draw, in generations of decks with as many cards left."""

    def __init__(self, game: Game, found: Hands) -> None:
        copies, at = full_deck(game), layout(game, found)
        left = digits(copies).sum(axis=1)
        sizes = np.diff(at.starts, append=at.total)
        self.generations = [np.flatnonzero(left == count) for count in range(copies.sum() + 1)]
        self.sizes = [int(sizes[these].sum()) for these in self.generations]
        """How many positions each generation has."""
        starts = np.zeros(len(left), np.int64)
        for these in self.generations:
            starts[these] = np.cumsum(sizes[these]) - sizes[these]
        card, under, weight = np.zeros((3, len(copies)), np.int64)
        self.board = Board(
            copies, found.follows, found.results, starts, at.rows, at.columns, at.widths,
            card, under, weight, mine=np.zeros(len(found.results), np.int64),
        )  # fmt: skip

    def swept(self, sweep: Any, left: int, given: Any) -> Iterator[int]:
        """Sweep over the decks with so many cards left; of how many of them, each time that
        progress can be reported."""
        for begin in range(0, len(self.generations[left]), CHUNK):
            these = self.generations[left][begin : begin + CHUNK]
            sweep(these, self.board, given)
            yield len(these)


@register_jitable
def line_of(board: Any, deck: Any, own: Any) -> Any:
    """Where the row of a hand begins in the generation of a deck."""
    return np.uint64(board.starts[deck] + np.int64(board.rows[deck, own]) * board.widths[deck])


def swept(prepare: Any, visit: Any) -> Any:
    """The compiled sweep over the positions of some decks: ``sweep(decks, board, given)``.

    It calls ``prepare(other, draws, board, given)`` once for each deck, when the other hand is not
    known (0), and then for each other hand ``visit(here, other, draws, board, given)``: the first
    of its positions, which has one for each hand of the player to move. `draws` says how many cards
    and kinds of card are left, how many hands the player to move can have, and how far apart the
    positions are.
    """

    def sweep(decks, board, given):  # type: ignore[no-untyped-def]
        card, under, weight, mine = board.card, board.under, board.weight, board.mine
        for deck in decks:
            kinds = kinds_left(deck, board.copies, card, under, weight)
            left = 0
            for kind in range(kinds):
                left += weight[kind]
            many = 0
            for own in range(len(mine)):
                if board.rows[deck, own] >= 0:
                    mine[many] = own
                    many += 1
            draws = left, kinds, many, board.widths[deck]
            prepare(0, draws, board, given)
            for other in range(len(mine)):
                if board.columns[deck, other] >= 0:
                    here = board.starts[deck] + board.columns[deck, other]
                    visit(here, other, draws, board, given)

    return compiled(sweep, None, key=visit.__name__, **LEAN)
