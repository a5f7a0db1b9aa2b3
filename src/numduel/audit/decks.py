"""The audit of a game with a deck, deck by deck.

Values are found over the solver's classes of equivalent hands; positions and games are counted
over the hands themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from numduel.audit.endings import counted_endings, sentence
from numduel.audit.findings import (
    COLUMNS,
    EQUALS,
    PERFECT,
    RANDOM,
    VALUE,
    Audit,
    Decisions,
    Opening,
    Report,
    between_equals,
)
from numduel.core.errors import BadVariant
from numduel.core.game import Game, numbers
from numduel.core.state import State
from numduel.solver import decks, memory
from numduel.solver.compiled import shared
from numduel.solver.values import TooLarge, Value, options

DONE, NONE = decks.DONE, decks.NONE
kinds_left = decks.kinds_left
TIE = 1e-12
"""Chances that differ by less are equal: that is rounding."""


class DeckAudit:
    """The audit of a game with a deck."""

    def __init__(self, game: Game, report: Report) -> None:
        self.game = game
        self.report = report
        self.merged = decks.hands(game)
        self.hands = list(self.merged.of)
        self.classes = np.array(list(self.merged.of.values()), np.int64)
        self.follows, self.complete, self.wins = _followed(game, self.hands)
        self.at = decks.layout(game, self.merged)
        self.copies = decks.full_deck(game)
        single = self.merged._replace(
            cards=self.merged.cards[self.classes], lengths=self.merged.lengths[self.classes]
        )
        self.place = decks.layout(game, single)
        if max(8 * COLUMNS * self.at.total, 8 * self.at.total + 24 * self.place.total) > memory():
            raise TooLarge

    def audit(self) -> Audit:
        """Run the backward and forward passes."""
        known = self._backward()
        first = known[-1].copy()
        values = known[:, VALUE].copy()
        del known
        value = Value(float(first[VALUE]))
        solver = decks.Decks(self.game, self.merged, self.at, values)
        tally, shares, games, lengths, exhausted, completed = self._forward(values)
        endings = self._endings(exhausted, completed)
        return Audit(
            self.game,
            value,
            _drawn_openings(self.game, solver),
            int(tally[0]) + endings.total(),
            endings.total(),
            self._draws(exhausted),
            games,
            lengths,
            Decisions(
                int(tally[1]),
                int(tally[2]),
                None,
                float(shares[1] / shares[0]) if shares[0] else 0.0,
                None,
            ),
            float(first[PERFECT]),
            1 - float(first[RANDOM]),
            between_equals(first, value),
            counted_endings(self.game, endings),
            (),
        )

    def _backward(self) -> Any:
        """What is known of every position before a draw, from the empty deck to the full one."""
        at, found = self.at, self.merged
        known = np.empty((at.total, COLUMNS))
        follows = class_follows(self.classes, self.follows)
        for begin, end in _chunks(len(at.starts)):
            _weigh_cards(
                begin, end, self.copies, follows, found.results, at.starts, at.rows, at.columns,
                at.widths, known,
            )  # fmt: skip
            self.report("weighing positions", int(at.starts[end - 1]), at.total)
        return known

    def _forward(self, values: Any) -> tuple[Any, Any, dict[int, int], dict[int, float], Any, Any]:
        """Count positions, choices and games, from the full deck to the empty one."""
        at, place, turns = self.at, self.place, int(self.copies.sum())
        ways, chance = np.zeros((place.total, 2), np.uint64), np.zeros(place.total)
        ways[-1, 0], chance[-1] = 1, 1.0
        tally, shares = np.zeros(3, np.int64), np.zeros(2)
        games = np.zeros((turns + 1, 2), np.uint64)
        over = np.zeros(turns + 1)
        exhausted = np.zeros((len(self.hands), len(self.hands)), np.bool_)
        completed = np.zeros(len(self.wins), np.int64)
        for begin, end in reversed(list(_chunks(len(place.starts)))):
            _spread_cards(
                begin, end, self.copies, self.follows, self.classes, place.starts, place.rows,
                place.columns, place.widths, at.starts, at.rows, at.columns, at.widths, values,
                ways, chance, tally, shares, games, over, exhausted,
            )  # fmt: skip
            done = place.total - int(place.starts[begin])
            self.report("counting positions", done, place.total)
        for begin, end in _chunks(len(place.starts)):
            _completed(
                begin, end, self.copies, self.wins, place.starts, place.rows, place.columns,
                place.widths, ways, completed,
            )  # fmt: skip
            self.report("counting endings", end, len(place.starts))
        counts = {i: int(low) + (int(high) << 64) for i, (low, high) in enumerate(games)}
        return (
            tally,
            shares,
            {length: count for length, count in counts.items() if count},
            {length: float(over[length]) for length, count in counts.items() if count},
            exhausted,
            completed,
        )

    def _pairs(self, exhausted: Any) -> Iterator[State]:
        """The states in which the deck is exhausted."""
        game, v = self.game, self.game.variant
        seat = 1 + int(self.copies.sum()) % 2
        for own, other in np.argwhere(exhausted):
            position = game.chance.join(self.hands[own], self.hands[other], v), 0
            yield State(game, position, seat, 1, ())

    def _endings(self, exhausted: Any, completed: Any) -> Counter[str]:
        """The finished positions by the sentence that ends the game."""
        found = Counter(sentence(state) for state in self._pairs(exhausted))
        for hand, count in zip(self.complete, completed.tolist(), strict=True):
            if count:
                found[sentence(self._won_with(hand))] += count
        return found

    def _won_with(self, hand: int) -> State:
        """A state in which the last move has made a hand that wins at once."""
        hands = self.game.chance.join(self.hands[0], hand, self.game.variant)
        return State(self.game, (hands, 0), 2, 1, ())

    def _draws(self, exhausted: Any) -> int:
        """Finished positions that nobody won: a hand that ends the game at once wins it."""
        rules, v = self.game.rules, self.game.variant
        return sum(rules.result(*s.position, v) not in (1, -1) for s in self._pairs(exhausted))


def _chunks(decks_in_all: int) -> Iterator[tuple[int, int]]:
    for begin in range(0, decks_in_all, decks.CHUNK):
        yield begin, min(begin + decks.CHUNK, decks_in_all)


def _followed(game: Game, hands: list[int]) -> tuple[Any, list[int], Any]:
    """What each move makes of each hand and card; the hands that are complete; and for each of
    these the pairs of hand and card that lead to it, padded."""
    rules, chance, v = game.rules, game.chance, game.variant
    start = rules.start(v)
    number = {hand: i for i, hand in enumerate(hands)}
    cards, ways = game.bounds.cards, game.bounds.actions
    follows = np.full((len(hands), cards, ways), NONE, np.int64)
    wins: dict[int, list[tuple[int, int]]] = {}
    for i, hand in enumerate(hands):
        for card in np.flatnonzero(decks.full_deck(game)).tolist():
            position = chance.draw(chance.join(hand, hands[0], v), start[1], card + 1, v)
            options = []
            for move in numbers(rules.legal(*position, v)):
                after = rules.play(*position, move, v)
                made = chance.hand(after[0], 1, v)
                # With a full deck, a draw is due unless the hand has won.
                if not chance.due(after[0], start[1], v):
                    options.append(DONE)
                    wins.setdefault(made, []).append((i, card))
                elif made in number:
                    options.append(number[made])
            follows[i, card, : len(options)] = options
    table = np.full((len(wins), max(map(len, wins.values()), default=1), 2), -1, np.int64)
    for row, pairs in zip(table, wins.values(), strict=True):
        row[: len(pairs)] = pairs
    return follows, list(wins), table


def class_follows(classes: Any, follows: Any) -> Any:
    """What each move makes of a class of hands; `BadVariant` if its hands differ in how many moves
    lead to the same class: that affects random play, though not values."""
    merged = np.where(follows >= 0, classes[np.maximum(follows, 0)], follows)
    merged.sort(axis=2)
    firsts = np.unique(classes, return_index=True)[1]
    if (merged != merged[firsts][classes]).any():
        raise BadVariant(
            "This variant cannot be audited: equal hands can be played on in unequal ways."
        )
    return merged[firsts]


def _drawn_openings(game: Game, solver: decks.Decks) -> tuple[Opening, ...]:
    """The first moves after each first card."""
    found = []
    for card in game.start().draws:
        state = game.start().draw(card)
        valued = [(move, solver.value(state.play(move).position).before())
                  for move in state.legal_moves]  # fmt: skip
        found += [Opening(card, option) for option in options(valued)]
    return tuple(found)


@shared
def _weigh_cards(  # type: ignore[no-untyped-def]
    begin, end, copies, follows, results, starts, rows, columns, widths, known
):
    """Compute the columns of the positions of some decks, from smaller decks."""
    n, ways = len(copies), follows.shape[2]
    card, under, weight = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    worth = np.empty((ways, COLUMNS))
    for deck in range(begin, end):
        kinds = kinds_left(deck, copies, card, under, weight)
        left = weight[:kinds].sum()
        for s in range(len(results)):
            for t in range(len(results)):
                if rows[deck, s] < 0 or columns[deck, t] < 0:
                    continue
                here = known[
                    starts[deck] + np.int64(rows[deck, s]) * widths[deck] + columns[deck, t]
                ]
                here[:] = 0.0
                if left == 0:
                    here[:] = 1.0 if results[s, t] > 0 else 0.0
                for kind in range(kinds):
                    d = under[kind]
                    line = starts[d] + np.int64(rows[d, t]) * widths[d]
                    count = 0
                    top = -1.0
                    for way in range(ways):
                        hand = follows[s, card[kind], way]
                        if hand < DONE:
                            continue
                        for column in range(COLUMNS):
                            after = 0.0 if hand == DONE else known[line + columns[d, hand], column]
                            worth[count, column] = 1.0 - after
                        top = max(top, worth[count, VALUE])
                        count += 1
                    share = weight[kind] / left
                    here[VALUE] += share * top
                    best, good = 0, 0.0
                    for way in range(count):
                        here[EQUALS] += share * worth[way, EQUALS] / count
                        here[RANDOM] += share * worth[way, PERFECT] / count
                        if worth[way, VALUE] >= top - TIE:
                            best += 1
                            good += worth[way, RANDOM]
                    here[PERFECT] += share * good / best


@shared
def _add(total, ways):  # type: ignore[no-untyped-def]
    """Add a 128-bit number, in two words."""
    total[0] += ways[0]
    total[1] += ways[1] + np.uint64(total[0] < ways[0])


@shared
def _spread_cards(  # type: ignore[no-untyped-def]
    begin, end, copies, follows, classes, starts, rows, columns, widths, at_starts, at_rows,
    at_columns, at_widths, values, ways, chance, tally, shares, games, over, exhausted,
):  # fmt: skip
    """Propagate counts from the positions of some decks to smaller decks, largest first."""
    n = len(copies)
    card, under, weight = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    for deck in range(end - 1, begin - 1, -1):
        kinds = kinds_left(deck, copies, card, under, weight)
        left = weight[:kinds].sum()
        turn = copies.sum() - left
        for s in range(len(classes)):
            for t in range(len(classes)):
                if rows[deck, s] < 0 or columns[deck, t] < 0:
                    continue
                here = starts[deck] + np.int64(rows[deck, s]) * widths[deck] + columns[deck, t]
                if ways[here, 0] == 0 and ways[here, 1] == 0:
                    continue
                if left == 0:
                    exhausted[s, t] = True
                    _add(games[turn], ways[here])
                    over[turn] += chance[here]
                for kind in range(kinds):
                    d = under[kind]
                    line = starts[d] + np.int64(rows[d, t]) * widths[d]
                    twin = classes[t]
                    at_line = at_starts[d] + np.int64(at_rows[d, twin]) * at_widths[d]
                    count = 0
                    for way in range(follows.shape[2]):
                        count += follows[s, card[kind], way] >= DONE
                    likely = chance[here] * weight[kind] / left
                    most, least = -1.0, 2.0
                    for way in range(count):
                        hand = follows[s, card[kind], way]
                        worth = 1.0
                        if hand == DONE:
                            _add(games[turn + 1], ways[here])
                            over[turn + 1] += likely / count
                        else:
                            worth -= values[at_line + at_columns[d, classes[hand]]]
                            _add(ways[line + columns[d, hand]], ways[here])
                            chance[line + columns[d, hand]] += likely / count
                        most, least = max(most, worth), min(least, worth)
                    tally[0] += 1
                    if count > 1:
                        matters = most - least > TIE
                        tally[1] += 1
                        tally[2] += matters
                        shares[0] += likely
                        shares[1] += likely * matters


@shared
def _completed(  # type: ignore[no-untyped-def]
    begin, end, copies, wins, starts, rows, columns, widths, ways, completed
):
    """Count the positions that come after some decks and in which a hand has just won, by hand."""
    places = np.ones(len(copies) + 1, np.int64)
    for card in range(len(copies)):
        places[card + 1] = places[card] * (copies[card] + 1)
    for deck in range(begin, end):
        for t in range(columns.shape[1]):
            for w in range(len(wins)):
                reached = False
                for pair in range(wins.shape[1]):
                    s, card = wins[w, pair]
                    if s < 0 or deck // places[card] % (copies[card] + 1) == copies[card]:
                        continue
                    before = deck + places[card]
                    if rows[before, s] < 0 or columns[before, t] < 0:
                        continue
                    at = starts[before] + np.int64(rows[before, s]) * widths[before]
                    at += columns[before, t]
                    reached |= ways[at, 0] != 0 or ways[at, 1] != 0
                completed[w] += reached
