"""Strong solution of a game with a deck, by expectimax: every position's win probability.

What a card does to a hand depends on the hand and the card alone. So the hands are found by asking
the rules what every card makes of every hand; equivalent hands
(a sequence and its mirror image, say) are merged; and a table of transitions is all that the
sweep needs. Decks are numbered by how many of each card are left, in a mixed radix, so that drawing
makes the number smaller: one sweep from the empty deck to the full one finds every value after
those it depends on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numba.extending import register_jitable

from numduel.core.game import Game, numbers
from numduel.core.state import Position
from numduel.solver.compiled import shared
from numduel.solver.values import SOLVING, Lookup, Report, TooLarge, Value, unreported

DONE = -1
"""In place of a hand that wins at once."""
NONE = -2
"""Padding, where there is no further way to play a card."""
CHUNK = 512
"""Decks between two reports of progress."""
MOST_HANDS = 2_000
MOST_PAIRS = 200_000_000
"""Of decks and hands: beyond this, even the index of the positions is too large."""


class Hands(NamedTuple):
    """The hands of a game, or classes of equivalent ones, and the transitions between them."""

    of: dict[int, int]
    """The number of each hand, or of its class."""
    cards: Any
    """How many of each card, at least, it takes to build a hand."""
    lengths: Any
    """How many cards that takes in total, at least."""
    follows: Any
    """``follows[hand, card - 1]``: what playing a card can lead to, padded. In classes, the first
    is never `DONE`."""
    results: Any
    """``results[own, other]``: who wins when the deck is exhausted, for the player to move."""


class Layout(NamedTuple):
    """Where the values of each deck are: a block with a row for each own hand and a column for
    each other hand that its drawn cards allow."""

    starts: Any
    rows: Any
    columns: Any
    widths: Any
    total: int


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


def full_deck(game: Game) -> Any:
    """How many there are of each card, from card 1 on."""
    start, v = game.rules.start(game.variant), game.variant
    cards = range(1, game.bounds.cards + 1)
    return np.array([game.chance.left(*start, card, v) for card in cards], np.int64)


def digits(copies: Any) -> Any:
    """How many of each card every deck has left."""
    places = np.concatenate(([1], np.cumprod(copies + 1)[:-1]))
    return np.arange(int(np.prod(copies + 1)))[:, None] // places % (copies + 1)


def hands(game: Game) -> Hands:
    """The hands of a game, with equivalent ones merged."""
    every = all_hands(game)
    classes = np.array(_merged(every))
    firsts = np.unique(classes, return_index=True)[1]
    follows = [[_classes_of(options, classes) for options in row] for row in every.follows[firsts]]
    for row in follows:
        for options in row:
            options.sort(reverse=True)
            if options and options[0] == DONE:
                raise TooLarge
    return Hands(
        dict(zip(every.of, classes.tolist(), strict=True)),
        every.cards[firsts],
        every.lengths[firsts],
        _padded(follows),
        every.results[np.ix_(firsts, firsts)],
    )


def _classes_of(options: Any, classes: Any) -> list[int]:
    """The different classes of some hands in a table, in order."""
    return sorted({DONE if hand == DONE else int(classes[hand]) for hand in options if hand > NONE})


def _padded(follows: list[list[list[int]]]) -> Any:
    """A table of the hands that each card can make of each hand."""
    wide = max(len(options) for row in follows for options in row)
    filled = [[options + [NONE] * (wide - len(options)) for options in row] for row in follows]
    return np.array(filled, np.int64)


def all_hands(game: Game) -> Hands:
    """Every hand that does not win yet by itself, with the ways to play a card in the order of
    moves."""
    rules, chance, v = game.rules, game.chance, game.variant
    start, copies = rules.start(v), full_deck(game)
    found = [chance.hand(start[0], 0, v)]
    known = {found[0]: 0}
    follows: list[list[list[int]]] = []
    needs = [np.zeros(len(copies), np.int64)]
    for own, needed in zip(found, needs, strict=False):
        follows.append([])
        for card in range(1, len(copies) + 1):
            options = []
            for hand, won in played(game, own, card) if copies[card - 1] else ():
                if won:
                    options.append(DONE)
                    continue
                needing = needed.copy()
                needing[card - 1] += hand != own
                if hand not in known:
                    if needing.sum() > copies.sum():
                        continue
                    known[hand] = len(found)
                    found.append(hand)
                    needs.append(needing)
                options.append(known[hand])
            follows[-1].append(options)
        if len(found) > MOST_HANDS:
            raise TooLarge
    # Found breadth first, so that no way to a hand takes fewer cards together.
    lengths = np.array(needs).sum(axis=1)
    cards = _least(np.array(needs), follows)
    possible = np.flatnonzero((cards <= copies).all(axis=1)).tolist()
    number = {old: new for new, old in enumerate(possible)} | {DONE: DONE}
    kept = [
        [[number[hand] for hand in options if hand in number] for options in follows[own]]
        for own in possible
    ]
    of = {found[own]: new for new, own in enumerate(possible)}
    return Hands(of, cards[possible], lengths[possible], _padded(kept), _results(game, list(of)))


def played(game: Game, hand: int, card: int) -> Iterator[tuple[int, bool]]:
    """The hands that a card can make of a hand, in the order of moves, each with whether it wins at
    once."""
    rules, chance, v = game.rules, game.chance, game.variant
    a, b = rules.start(v)
    position = chance.draw(chance.join(hand, chance.hand(a, 0, v), v), b, card, v)
    for move in numbers(rules.legal(*position, v)):
        after = rules.play(*position, move, v)[0]
        # With a full deck, a draw is due unless the hand has won.
        yield chance.hand(after, 1, v), not chance.due(after, b, v)


def _least(cards: Any, follows: list[list[list[int]]]) -> Any:
    """How many of each card it takes at least to build each hand. Another way than the first one
    found may need fewer of some card: bounds are relaxed over all transitions to a fixed point."""
    cards, lowered = cards.copy(), True
    while lowered:
        lowered = False
        for own, row in enumerate(follows):
            for card, options in enumerate(row):
                needed = cards[own].copy()
                needed[card] += 1
                for hand in options:
                    if hand in (DONE, own):
                        continue
                    better = np.minimum(cards[hand], needed)
                    if (better < cards[hand]).any():
                        cards[hand], lowered = better, True
    return cards


def _results(game: Game, found: list[int]) -> Any:
    """The result of each pair of hands when no card is left."""
    rules, join, v = game.rules, game.chance.join, game.variant
    return np.array(
        [[rules.result(join(own, other, v), 0, v) for other in found] for own in found], np.int8
    )


def _merged(every: Hands) -> list[int]:
    """The class of each hand: partition refinement by cards and results, then successors."""
    marks: list[object] = [
        (held.tobytes(), every.results[i].tobytes(), every.results[:, i].tobytes())
        for i, held in enumerate(every.cards)
    ]
    count = 0
    while True:
        numbered = {mark: number for number, mark in enumerate(dict.fromkeys(marks))}
        classes = [numbered[mark] for mark in marks]
        if len(numbered) == count:
            return classes
        count = len(numbered)
        marks = [
            (classes[i], tuple(tuple(_classes_of(options, classes)) for options in row))
            for i, row in enumerate(every.follows)
        ]


def layout(game: Game, found: Hands) -> Layout:
    """Number the positions: for each deck the hands that the drawn cards allow."""
    copies = full_deck(game)
    decks = int(np.prod(copies + 1, dtype=object))
    if decks * len(found.cards) > MOST_PAIRS:
        raise TooLarge
    drawn = copies - digits(copies)
    turns = drawn.sum(axis=1)
    allowed = np.ones((decks, len(found.cards)), bool)
    for card in range(len(copies)):
        allowed &= found.cards[:, card] <= drawn[:, card : card + 1]
    own = allowed & (found.lengths <= (turns // 2)[:, None])
    other = allowed & (found.lengths <= ((turns + 1) // 2)[:, None])
    widths = other.sum(axis=1)
    sizes = own.sum(axis=1) * widths
    starts = np.concatenate(([0], np.cumsum(sizes)))
    rows = np.where(own, np.cumsum(own, axis=1) - 1, -1).astype(np.int16)
    columns = np.where(other, np.cumsum(other, axis=1) - 1, -1).astype(np.int16)
    return Layout(starts[:-1], rows, columns, widths, int(starts[-1]))


def solve(game: Game, found: Hands, at: Layout, report: Report = unreported) -> Decks:
    """Find every value; `report` is called now and then with the number of positions done."""
    values = np.empty(at.total, np.float64)
    decks = len(at.starts)
    for begin in range(0, decks, CHUNK):
        end = min(begin + CHUNK, decks)
        _sweep(
            begin, end, full_deck(game), found.follows, found.results,
            at.starts, at.rows, at.columns, at.widths, values,
        )  # fmt: skip
        report(SOLVING, int(at.starts[end]) if end < decks else at.total, at.total)
    return Decks(game, found, at, values)


@register_jitable
def kinds_left(deck: Any, copies: Any, card: Any, under: Any, weight: Any) -> Any:
    """How many kinds of card a deck has left; fills in which, the decks after drawing each, and
    how many of each."""
    kinds, place = 0, 1
    for number in range(len(copies)):
        count = deck // place % (copies[number] + 1)
        if count:
            card[kinds], under[kinds], weight[kinds] = number, deck - place, count
            kinds += 1
        place *= copies[number] + 1
    return kinds


@shared
def _sweep(  # type: ignore[no-untyped-def]
    begin, end, copies, follows, results, starts, rows, columns, widths, values
):
    """Fill the blocks of some decks. With own hand s and other hand t, each kind of card that is
    left adds its weight times the least that any way to play it leaves the opponent.

    Most cards can be played in one way only, so that way is summed first, in a plain loop, and
    corrected afterwards where another way is better.
    """
    hands = len(results)
    ways = follows.shape[2]
    n = len(copies)
    card = np.empty(n, np.int64)
    under = np.empty(n, np.int64)
    weight = np.empty(n, np.float64)
    mine = np.empty(hands, np.int64)
    first = np.empty((n, hands), np.uint64)
    better = np.empty((n * hands * ways, 3), np.int64)
    leaves = np.empty(hands, np.float64)
    for deck in range(begin, end):
        kinds = kinds_left(deck, copies, card, under, weight)
        left = weight[:kinds].sum()
        own = 0
        for s in range(hands):
            if rows[deck, s] >= 0:
                mine[own] = s
                own += 1
        others = 0
        for i in range(kinds):
            for row in range(own):
                options = follows[mine[row], card[i]]
                # Without a way to play a card, no reachable position has this hand and this card.
                first[i, row] = columns[under[i], options[0]] if options[0] != NONE else 0
                for option in range(1, ways):
                    hand = options[option]
                    if hand >= DONE:
                        better[others, 0], better[others, 1] = i, row
                        better[others, 2] = DONE if hand == DONE else columns[under[i], hand]
                        others += 1
        for t in range(hands):
            column = columns[deck, t]
            if column < 0:
                continue
            leaves[:own] = 0.0
            for i in range(kinds):
                line = np.uint64(starts[under[i]] + np.int64(rows[under[i], t]) * widths[under[i]])
                for row in range(own):
                    leaves[row] += weight[i] * values[line + first[i, row]]
            at = 0
            while at < others:
                i, row = better[at, 0], better[at, 1]
                line = np.uint64(starts[under[i]] + np.int64(rows[under[i], t]) * widths[under[i]])
                plain = values[line + first[i, row]]
                least = plain
                while at < others and better[at, 0] == i and better[at, 1] == row:
                    if better[at, 2] == DONE:
                        least = 0.0
                    else:
                        least = min(least, values[line + np.uint64(better[at, 2])])
                    at += 1
                leaves[row] -= weight[i] * (plain - least)
            for row in range(own):
                if left:
                    chance = 1.0 - leaves[row] / left
                else:
                    chance = 1.0 if results[mine[row], t] > 0 else 0.0
                values[starts[deck] + row * widths[deck] + column] = chance
