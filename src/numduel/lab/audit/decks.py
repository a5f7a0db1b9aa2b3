"""The audit of a game with a deck, deck by deck.

Chances are found over the solver's classes of equivalent hands; positions and games are counted
over the hands themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numba.extending import register_jitable

from numduel.core.game import Game
from numduel.core.state import State
from numduel.lab.audit.endings import counted_endings, sentence
from numduel.lab.audit.findings import Audit, Decisions, Opening
from numduel.learn.strategies.policies import WINS, Policies, classes
from numduel.solver import decks, memory
from numduel.solver.hands import DONE, all_hands, full_deck, hands, layout, played
from numduel.solver.lattice import Lattice, line_of, swept
from numduel.solver.values import TIE, Report, TooLarge, options

POSITION = 32
"""Bytes that a position takes at most."""


class Counts(NamedTuple):
    """The counts so far, on the way from the full deck to the empty one."""

    tally: Any
    """Positions with a card, those with a choice, and those where it matters."""
    shares: Any
    """How often a random game has a choice, and one that matters."""
    games: Any
    """``games[length]``, in two words."""
    over: Any
    """``over[length]``: how likely a random game is to have that length."""
    exhausted: Any
    """``exhausted[own, other]``: whether the deck can run out with these hands."""


class Given(NamedTuple):
    """What compiled code is given for a generation."""

    turn: int
    counts: Counts
    ways: Any
    """``ways[position]``: how many games lead to it, in two words."""
    chance: Any
    """``chance[position]``: how likely a random game reaches it."""
    ways_after: Any
    chance_after: Any
    completes: Any
    """``completes[hand, card - 1, way]``: the number of the hand that wins at once, or -1."""
    completed: Any
    """``completed[deck, other, number]``: whether a hand that wins at once is reached there."""
    number: Any
    """``number[deck]`` in its generation."""
    classes: Any
    at: Any
    """Where in `values` the solver has those of the classes."""
    values: Any


class DeckAudit:
    """The audit of a game with a deck."""

    def __init__(self, game: Game, report: Report) -> None:
        self.game = game
        self.report = report
        self.merged = hands(game)
        self.at = layout(game, self.merged)
        if POSITION * self.at.total > memory():
            raise TooLarge
        self.every = all_hands(game)
        self.hands = list(self.every.of)

    def audit(self) -> Audit:
        """Find values and chances, then count positions and games."""
        solver = decks.solve(self.game, self.merged, self.at, self.report)
        value = solver.value(self.game.rules.start(self.game.variant))
        players = Policies(self.game, classes(self.game))
        perfect, blind = players.perfect, players.random
        first, second, equals = (
            players.meet(*pair, report=self.report, what="weighing positions")[WINS]
            for pair in ((perfect, blind), (blind, perfect), (blind, blind))
        )
        counts, endings = self._counted(solver)
        endings += Counter(sentence(state) for state in self._pairs(counts.exhausted))
        games = {i: int(low) + (int(high) << 64) for i, (low, high) in enumerate(counts.games)}
        games = {length: count for length, count in games.items() if count}
        positions, choices, matter = counts.tally.tolist()
        chosen, mattered = counts.shares.tolist()
        return Audit(
            self.game,
            value,
            _drawn_openings(self.game, solver),
            positions + endings.total(),
            endings.total(),
            self._draws(counts.exhausted),
            games,
            {length: float(counts.over[length]) for length in games},
            Decisions(choices, matter, None, mattered / chosen if chosen else 0.0, None),
            first,
            1 - second,
            {"perfect": value.win_probability, "random": equals},
            counted_endings(self.game, endings),
            (),
        )

    def _counted(self, solver: decks.Decks) -> tuple[Counts, Counter[str]]:
        """Count positions, choices and games; and the positions where a hand has just won, by the
        sentence that ends the game."""
        lattice, many = Lattice(self.game, self.every), len(self.hands)
        board, turns, done = lattice.board, len(lattice.generations) - 1, 0
        complete, completes = self._completions()
        number = np.zeros(len(board.starts), np.int64)
        of_class = np.array(list(self.merged.of.values()), np.int64)
        counts = Counts(
            np.zeros(3, np.int64), np.zeros(2), np.zeros((turns + 1, 2), np.uint64),
            np.zeros(turns + 1), np.zeros((many, many), np.bool_),
        )  # fmt: skip
        ways, chance = np.array([[1, 0]], np.uint64), np.ones(1)
        endings: Counter[str] = Counter()
        sentences = [sentence(self._won_with(hand)) for hand in complete]
        for left in range(turns, -1, -1):
            under: Any = lattice.generations[left - 1] if left else []
            size = lattice.sizes[left - 1] if left else 0
            number[under] = np.arange(len(under))
            ways_after, chance_after = np.zeros((size, 2), np.uint64), np.zeros(size)
            completed = np.zeros((len(under), many, len(complete)), np.bool_)
            given = Given(
                turns - left, counts, ways, chance, ways_after, chance_after, completes, completed,
                number, of_class, self.at, solver.values,
            )  # fmt: skip
            for decks_done in lattice.swept(_count, left, given):
                done += decks_done
                self.report("counting positions", done, len(number))
            for text, count in zip(sentences, completed.sum(axis=(0, 1)).tolist(), strict=True):
                endings[text] += count
            ways, chance = ways_after, chance_after
        return counts, +endings

    def _completions(self) -> tuple[list[int], Any]:
        """The hands that win at once, and for each way to play a card the number of the one it
        makes, or -1."""
        complete: dict[int, int] = {}
        every, table = self.every, np.full(self.every.follows.shape, -1, np.int64)
        for hand, own in every.of.items():
            for card in np.flatnonzero((every.follows[own] == DONE).any(axis=1)).tolist():
                ways = played(self.game, hand, card + 1)
                made = [(after, won) for after, won in ways if won or after in every.of]
                for way, (after, won) in enumerate(made):
                    if won:
                        table[own, card, way] = complete.setdefault(after, len(complete))
        return list(complete), table

    def _pairs(self, exhausted: Any) -> Iterator[State]:
        """The states in which the deck is exhausted."""
        game, v = self.game, self.game.variant
        seat = 1 + int(full_deck(game).sum()) % 2
        for own, other in np.argwhere(exhausted):
            position = game.chance.join(self.hands[own], self.hands[other], v), 0
            yield State(game, position, seat, 1, ())

    def _won_with(self, hand: int) -> State:
        """A state in which the last move has just won with a hand."""
        joined = self.game.chance.join(self.hands[0], hand, self.game.variant)
        return State(self.game, (joined, 0), 2, 1, ())

    def _draws(self, exhausted: Any) -> int:
        """Finished positions that nobody won. Only exhausted decks can have them: a hand that ends
        the game at once wins it."""
        rules, v = self.game.rules, self.game.variant
        return sum(rules.result(*s.position, v) not in (1, -1) for s in self._pairs(exhausted))


def _drawn_openings(game: Game, solver: decks.Decks) -> tuple[Opening, ...]:
    found = []
    for card in game.start().draws:
        state = game.start().draw(card)
        valued = [(move, solver.value(state.play(move).position).before())
                  for move in state.legal_moves]  # fmt: skip
        found += [Opening(card, option) for option in options(valued)]
    return tuple(found)


@register_jitable
def _add(total: Any, ways: Any) -> None:
    """Add a 128-bit number, in two words."""
    total[0] += ways[0]
    total[1] += ways[1] + np.uint64(total[0] < ways[0])


def _nothing(_other: Any, _draws: Any, _board: Any, _given: Any) -> None:
    """Counting needs nothing of a deck as a whole."""


def _spread(here: Any, other: Any, draws: Any, board: Any, given: Any) -> None:
    """Pass on the counts of the positions with one other hand to the generation after."""
    left, kinds, rows, step = draws
    counts, turn = given.counts, given.turn
    for row in range(rows):
        own, at = board.mine[row], here + row * step
        ways = given.ways[at]
        if ways[0] == 0 and ways[1] == 0:
            continue
        if left == 0:
            counts.exhausted[own, other] = True
            _add(counts.games[turn], ways)
            counts.over[turn] += given.chance[at]
        for kind in range(kinds):
            deck, follows = board.under[kind], board.follows[own, board.card[kind]]
            count = 0
            for hand in follows:
                count += hand >= DONE
            likely = given.chance[at] * board.weight[kind] / left
            most, least = -1.0, 2.0
            line = line_of(board, deck, other)
            values = line_of(given.at, deck, given.classes[other])
            for way in range(count):
                hand, worth = follows[way], 1.0
                if hand == DONE:
                    _add(counts.games[turn + 1], ways)
                    counts.over[turn + 1] += likely / count
                    made = given.completes[own, board.card[kind], way]
                    given.completed[given.number[deck], other, made] = True
                else:
                    column = np.uint64(given.at.columns[deck, given.classes[hand]])
                    worth -= given.values[values + column]
                    after = line + np.uint64(board.columns[deck, hand])
                    _add(given.ways_after[after], ways)
                    given.chance_after[after] += likely / count
                most, least = max(most, worth), min(least, worth)
            counts.tally[0] += 1
            if count > 1:
                matters = most - least > TIE
                counts.tally[1] += 1
                counts.tally[2] += matters
                counts.shares[0] += likely
                counts.shares[1] += likely * matters


_count = swept(_nothing, _spread)
