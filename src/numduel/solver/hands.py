"""The hands of a game with a deck, and where the values of its positions are.

What a card does to a hand depends on the hand and the card alone. So the hands are found by asking
the rules what every card makes of every hand, and equivalent hands (a sequence and its mirror
image, say) are merged. Decks are numbered by how many of each card are left, in a mixed radix, so
that drawing makes the number smaller.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from numduel.core.game import Game, numbers
from numduel.solver.values import TooLarge

DONE = -1
"""Stands for a hand that wins at once."""
NONE = -2
"""Padding: there is no further way to play a card."""
MOST_HANDS = 2_000
MOST_PAIRS = 200_000_000
"""Of decks and hands: beyond this, the index of the positions alone is too large."""


class Hands(NamedTuple):
    """The hands of a game, or classes of equivalent ones, and the transitions between them."""

    of: dict[int, int]
    """The number of each hand, or of its class."""
    cards: Any
    """How many of each card, at least, it takes to build a hand."""
    lengths: Any
    """How many cards that takes in total, at least."""
    follows: Any
    """``follows[hand, card - 1]``: the hands that playing a card can make, padded. In classes, the
    first is never `DONE`."""
    results: Any
    """``results[own, other]``: who wins when the deck is exhausted, for the player to move."""


class Layout(NamedTuple):
    """Where the values of each deck are: in a block with a row for each own hand and a column for
    each other hand that the drawn cards allow."""

    starts: Any
    rows: Any
    columns: Any
    widths: Any
    total: int


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
    """The different classes of some hands, in order."""
    return sorted({DONE if hand == DONE else int(classes[hand]) for hand in options if hand > NONE})


def _padded(follows: list[list[list[int]]]) -> Any:
    wide = max(len(options) for row in follows for options in row)
    filled = [[options + [NONE] * (wide - len(options)) for options in row] for row in follows]
    return np.array(filled, np.int64)


def all_hands(game: Game) -> Hands:
    """Every hand that has not won by itself, with the ways to play a card in the order of moves."""
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
    # Hands are found breadth first, so no way to one takes fewer cards in all.
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
    """The hands that a card can make of a hand, in the order of moves, and whether each wins at
    once."""
    rules, chance, v = game.rules, game.chance, game.variant
    a, b = rules.start(v)
    position = chance.draw(chance.join(hand, chance.hand(a, 0, v), v), b, card, v)
    for move in numbers(rules.legal(*position, v)):
        after = rules.play(*position, move, v)[0]
        # With a full deck, a draw is due unless the hand has won.
        yield chance.hand(after, 1, v), not chance.due(after, b, v)


def _least(cards: Any, follows: list[list[list[int]]]) -> Any:
    """The fewest of each card that it takes to build each hand. As another way than the one found
    first may need fewer of some card, bounds are relaxed over all transitions to a fixed point."""
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
    rules, join, v = game.rules, game.chance.join, game.variant
    return np.array(
        [[rules.result(join(own, other, v), 0, v) for other in found] for own in found], np.int8
    )


def _merged(every: Hands) -> list[int]:
    """The class of each hand, by partition refinement: by cards and results, then by successors."""
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
    """Number the positions: for each deck, the hands that the drawn cards allow."""
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
