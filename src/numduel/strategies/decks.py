"""The list of ideas that loses least where cards are drawn, by exact evaluation over all decks.

The list plays one seat, and its opponent plays perfectly against it. What a card does to a hand
depends on the two alone, so a list chooses by its own hand, the card and the undrawn cards. Values
are found deck by deck, from the empty one on; a deck needs only those with one card fewer, so two
generations of them are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
from numba.extending import register_jitable

from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.ideas import Idea
from numduel.ideas import FITS, USE, WIN, preferred
from numduel.solver import TooLarge, analyse, evaluate
from numduel.solver.compiled import shared
from numduel.solver.decks import DONE, NONE, all_hands, full_deck, kinds_left, results_of
from numduel.strategies.base import Strategy

JUDGED = (USE, FITS, WIN)
"""The ideas that can be told apart here; the compiled loop knows them by their index."""
START = 0
"""The number of the hand that a game begins with."""
MOST_IDEAS = 2
MOST_HANDS_BY_DECKS = 20_000_000
"""Of hands and decks: beyond this, the evaluation would take minutes."""
ROUNDING = 1e-12


class Board(NamedTuple):
    """The hands of a game and what each card can make of them, ways in the order of moves."""

    copies: Any
    """How many there are of each card."""
    follows: Any
    """``follows[hand, card - 1]``: the hands that the ways to play a card lead to, padded."""
    cards: Any
    """How many of each card it takes at least to build a hand."""
    lengths: Any
    results: Any
    """``results[own, other]`` when no card is left, for the player to move."""


def least_losing(game: Game, seat: int, report: Callable[[int], None] = lambda _: None) -> Strategy:
    """The list with the best chance to win against perfect play, of equal ones the shortest; and
    the cards to begin a hand with, if naming them makes it better."""
    board = _board(game)
    lists = [ideas for size in (1, MOST_IDEAS) for ideas in permutations(JUDGED, size)]
    best = -1.0
    for tried, ideas in enumerate(lists, 1):
        found = _chance(board, seat, ideas, None)
        if found > best + ROUNDING:
            best, chosen = found, ideas
        report(tried)
    begins: tuple[int, ...] | None = _first_cards(game)
    found = _chance(board, seat, chosen, begins)
    if found > best + ROUNDING:
        best = found
    else:
        begins = None
    value = evaluate(game.start()).win_probability
    return Strategy(
        game, seat, begins, chosen, 0,
        chance=best, perfect=value if seat == 1 else 1 - value,
    )  # fmt: skip


def _first_cards(game: Game) -> tuple[int, ...]:
    """The cards that perfect play makes use of when it draws them first."""
    drawn = [game.start().draw(card) for card in game.start().draws]
    return tuple(
        state.card or 0
        for state in drawn
        if set(preferred(state, USE)) & {option.move for option in analyse(state) if option.best}
    )


def _board(game: Game) -> Board:
    try:
        found, cards, lengths, follows = all_hands(game)
    except TooLarge:
        raise BadVariant(f"{game} has too many hands for an exact evaluation.") from None
    copies = full_deck(game)
    if len(found) * int(np.prod(copies + 1, dtype=object)) > MOST_HANDS_BY_DECKS:
        raise BadVariant(f"{game} has too many decks for an exact evaluation.")
    wide = max(len(options) for row in follows for options in row)
    table = np.full((len(found), len(copies), wide), NONE, np.int64)
    for own, row in enumerate(follows):
        for card, options in enumerate(row):
            table[own, card, : len(options)] = options
    return Board(copies, table, cards, lengths, results_of(game, found))


class Generation(NamedTuple):
    """All decks with the same number of cards left, and the chances of the list in each: a block
    with a row for each of its own hands and a column for each of the opponent's that the drawn
    cards allow."""

    decks: Any
    rows: Any
    columns: Any
    widths: Any
    starts: Any
    values: Any


def chance(
    game: Game, seat: int, ideas: Sequence[Idea], begins: Sequence[int] | None = None
) -> float:
    """The exact chance of a list of ideas to win from a seat, against perfect play. With `begins`,
    only these cards begin a hand."""
    return _chance(_board(game), seat, ideas, begins)


def _chance(board: Board, seat: int, ideas: Sequence[Idea], begins: Sequence[int] | None) -> float:
    """Go from the empty deck to the full one."""
    cards = np.arange(1, len(board.copies) + 1)
    refused = np.zeros(len(cards), np.bool_) if begins is None else ~np.isin(cards, begins)
    total = int(board.copies.sum())
    order = np.array([JUDGED.index(idea) for idea in ideas], np.int64)
    itself = np.arange(len(board.lengths))[:, None, None]
    takes = ((board.follows != NONE) & (board.follows != itself)).any(axis=2)
    places = np.concatenate(([1], np.cumprod(board.copies + 1)[:-1]))
    decks = np.arange(int(np.prod(board.copies + 1)))
    digits = decks[:, None] // places % (board.copies + 1)
    left, number = digits.sum(axis=1), np.zeros(len(decks), np.int64)
    last: Generation | None = None
    for count in range(total + 1):
        these = np.flatnonzero(left == count)
        now = _generation(board, these, board.copies - digits[these], total - count, seat)
        # The first turn is Player 1's, and so is every other one.
        mine = (total - count) % 2 == seat - 1
        _fill(
            board.copies, board.follows, board.results, takes, order, refused, mine, number,
            now, last or now,
        )  # fmt: skip
        number[these] = np.arange(len(these))
        last = now
    return float(now.values[0])


def _generation(board: Board, decks: Any, drawn: Any, turns: int, seat: int) -> Generation:
    """The decks with so many turns made, without their values."""
    allowed = (board.cards <= drawn[:, None]).all(axis=2)
    made = (turns + 1) // 2 if seat == 1 else turns // 2
    mine = allowed & (board.lengths <= made)
    theirs = allowed & (board.lengths <= turns - made)
    widths = theirs.sum(axis=1)
    starts = np.concatenate(([0], np.cumsum(mine.sum(axis=1) * widths)))
    return Generation(
        decks,
        np.where(mine, np.cumsum(mine, axis=1) - 1, -1),
        np.where(theirs, np.cumsum(theirs, axis=1) - 1, -1),
        widths,
        starts[:-1],
        np.empty(int(starts[-1])),
    )


@shared
def _fill(copies, follows, results, takes, order, refused, mine, number, now, last):  # type: ignore[no-untyped-def]
    """Fill in the chances of a generation from those of the last one."""
    hands, n, ways = follows.shape
    card = np.empty(n, np.int64)
    under = np.empty(n, np.int64)
    weight = np.empty(n, np.float64)
    others = np.empty(hands, np.int64)
    columns = np.empty((n, hands, ways), np.int64)
    chances = np.empty(hands, np.float64)
    for at in range(len(now.decks)):
        kinds = kinds_left(now.decks[at], copies, card, under, weight)
        wide = 0
        for other in range(hands):
            if now.columns[at, other] >= 0:
                others[wide] = other
                wide += 1
        # Where the chances are after each card: of an unchanged opponent's hand in the list's turn,
        # of each way to play the card in the opponent's.
        for i in range(kinds):
            for j in range(wide):
                for way in range(ways):
                    hand = others[j] if mine else follows[others[j], card[i], way]
                    columns[i, j, way] = last.columns[number[under[i]], hand] if hand >= 0 else hand
        for own in range(hands):
            row = now.rows[at, own]
            if row < 0:
                continue
            chances[:wide] = 0.0
            for i in range(kinds):
                before = number[under[i]]
                hand = own
                if mine:
                    # A card that is drawn is no longer undrawn.
                    weight[i] -= 1
                    hand = _choose(
                        own, follows[own, card[i]], card[:kinds], weight[:kinds], takes, order,
                        refused[card[i]],
                    )  # fmt: skip
                    weight[i] += 1
                if hand < 0:
                    chances[:wide] += weight[i] if hand == DONE else 0.0
                    continue
                line = last.starts[before] + last.rows[before, hand] * last.widths[before]
                for j in range(wide):
                    least = 1.0
                    for way in range(1 if mine else ways):
                        column = columns[i, j, way]
                        if column >= 0:
                            least = min(least, last.values[line + column])
                        elif column == DONE:
                            least = 0.0
                    chances[j] += weight[i] * least
            begin = now.starts[at] + row * wide
            if kinds:
                now.values[begin : begin + wide] = chances[:wide] / weight[:kinds].sum()
            else:
                for j in range(wide):
                    ahead = results[own, others[j]] > 0 if mine else results[others[j], own] < 0
                    now.values[begin + j] = 1.0 if ahead else 0.0


@register_jitable
def _choose(
    own: Any, ways: Any, card: Any, weight: Any, takes: Any, order: Any, refused: Any
) -> Any:
    """The hand that a list of ideas makes of a card: each idea keeps the ways it scores highest,
    and the first way decides the rest. A refused card does not begin a hand, if it need not."""
    count = 0
    while count < len(ways) and ways[count] != NONE:
        count += 1
        if own == START and refused and ways[count - 1] == own:
            return own
    if count == 0:
        return NONE
    kept = np.ones(count, np.bool_)
    for idea in order:
        top = -1.0
        for way in range(count):
            if kept[way]:
                top = max(top, _score(idea, own, ways[way], card, weight, takes))
        for way in range(count):
            kept[way] &= _score(idea, own, ways[way], card, weight, takes) == top
    for way in range(count):
        if kept[way]:
            return ways[way]
    return NONE


@register_jitable
def _score(idea: Any, own: Any, hand: Any, card: Any, weight: Any, takes: Any) -> Any:
    """How an idea of `JUDGED` scores a hand that a card can lead to."""
    if idea == 0:
        return 1.0 if hand != own else 0.0
    if idea == 2:
        return 1.0 if hand == DONE else 0.0
    if hand == DONE:
        return 1.0 + weight.sum()
    fits = 0.0
    for i in range(len(card)):
        if takes[hand, card[i]]:
            fits += weight[i]
    return fits
