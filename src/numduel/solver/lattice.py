"""One sweep over the positions of a game with a deck, deck by deck, for whatever is done in each.

A deck leads to decks with one card fewer, so they can be taken in the order of their numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numba.extending import register_jitable

from numduel.core.game import Game
from numduel.solver.compiled import LEAN, compiled
from numduel.solver.hands import Hands, Layout, full_deck

CHUNK = 512
"""Decks between two reports of progress."""


class Board(NamedTuple):
    """What compiled code knows of a game: how many there are of each card, the hands, and where
    each position is, as in `hands.Layout`; then room for what it finds of a deck."""

    copies: Any
    follows: Any
    results: Any
    starts: Any
    rows: Any
    columns: Any
    widths: Any
    card: Any
    """Of each kind of card that is left: which it is, the deck after drawing it, and how many there
    are."""
    under: Any
    weight: Any
    mine: Any
    """The hands of the player to move, in the order of their rows."""


def board_of(game: Game, found: Hands, at: Layout) -> Board:
    """The board of a game with these hands."""
    copies = full_deck(game)
    card, under, weight = np.zeros((3, len(copies)), np.int64)
    return Board(
        copies, found.follows, found.results, at.starts, at.rows, at.columns, at.widths,
        card, under, weight, mine=np.zeros(len(found.results), np.int64),
    )  # fmt: skip


def in_chunks(sweep: Any, decks: Any, board: Board, given: Any) -> Iterator[int]:
    """Sweep over some decks; yields how many are done each time that progress can be reported."""
    for begin in range(0, len(decks), CHUNK):
        these = decks[begin : begin + CHUNK]
        sweep(these, board, given)
        yield len(these)


@register_jitable
def line_of(board: Any, deck: Any, own: Any) -> Any:
    """Where the row of a hand begins in the block of a deck."""
    return np.uint64(board.starts[deck] + np.int64(board.rows[deck, own]) * board.widths[deck])


def swept(prepare: Any, visit: Any) -> Any:
    """The compiled sweep over the positions of some decks: ``sweep(decks, board, given)``.

    It calls ``prepare(other, draws, board, given)`` once for each deck, before the other hand is
    known (0), and then ``visit(here, other, draws, board, given)`` for each other hand, where
    `here` is the first of its positions, one for each hand of the player to move. `draws` says how
    many cards and kinds of card are left, how many hands the player to move can have, and how far
    apart the positions are.
    """

    prepare, each = njit(inline="always")(prepare), njit(inline="always")(visit)

    def sweep(decks, board, given):  # type: ignore[no-untyped-def]
        card, under, weight, mine = board.card, board.under, board.weight, board.mine
        for deck in decks:
            kinds, left, place = 0, 0, 1
            for number in range(len(board.copies)):
                count = deck // place % (board.copies[number] + 1)
                if count:
                    card[kinds], under[kinds], weight[kinds] = number, deck - place, count
                    kinds, left = kinds + 1, left + count
                place *= board.copies[number] + 1
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
                    each(here, other, draws, board, given)

    return compiled(sweep, None, key=visit.__name__, **LEAN)
