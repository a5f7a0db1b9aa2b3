"""How two ways to play a game with a deck do against each other, exactly, over all decks.

A player chooses by its hand, the card and the undrawn cards; with the last card also by the other
hand. Ideas other than `WIN` and `FITS` are taken to look at the hand and the card alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numba.extending import register_jitable

from numduel.core.errors import BadVariant
from numduel.core.game import Game, numbers
from numduel.core.ideas import Idea, Situation
from numduel.core.language import _
from numduel.learn.ideas import FITS, WIN
from numduel.solver.hands import DONE, NONE, Hands, all_hands, hands
from numduel.solver.lattice import Lattice, line_of, swept
from numduel.solver.values import TIE, Report, unreported

WINS, VALUE, LOST, STAKES = range(4)
"""The columns of a position: the chance of the player to move to win; the same if both play
perfectly from here on; what the judged player loses; and how many of its decisions are at stake."""
BY_VALUE, BY_ANSWER, BY_WIN, BY_FITS, BY_TABLE = range(5)
"""What a player goes by, in turn: the exact value, or the best answer to how the other one plays,
each alone; an idea; or, from here on, the table of one."""


class Policy(NamedTuple):
    """How a player chooses among the ways to play a card."""

    codes: Any
    """What it goes by, in turn."""
    tables: Any
    """``tables[idea, hand, card - 1, way]``: whether an idea prefers a way."""
    worst: bool = False
    """Whether of the ways that are left the worst is chosen, instead of each as often."""


class Given(NamedTuple):
    """What compiled code knows of a generation, and room for what it finds of a deck."""

    player: Policy
    judged: bool
    """Whether it is the judged player who moves."""
    fitting: Any
    """``fitting[hand, card - 1]``: whether a card can be added to a hand."""
    now: Any
    """``now[column, position]``"""
    after: Any
    ways: Any
    """``ways[kind, row]``: where each way to play a card leads, padded; and those chosen."""
    chosen: Any
    share: Any
    """``share[kind, row]``: how likely each of the chosen ways is."""
    undrawn: Any
    scores: Any
    found: Any
    """``found[column, row]`` of one other hand."""


class Policies:
    """The players that can meet over some hands of a game."""

    def __init__(self, game: Game, found: Hands) -> None:
        self.game = game
        self.hands = found
        self.lattice = Lattice(game, found)
        own = np.arange(len(found.follows))[:, None, None]
        self._ways = found.follows >= DONE
        self._fitting = (self._ways & (found.follows != own)).any(axis=2)
        self.random = self._policy([])
        self.perfect = self._policy([BY_VALUE])
        self.answer = self._policy([BY_ANSWER])

    def by_ideas(
        self, ideas: Sequence[Idea], begins: Sequence[int] | None = None, *, worst: bool = False
    ) -> Policy:
        """A player who applies ideas in turn. With `begins`, only these cards begin a hand, unless
        another must."""
        codes, tables = [], []
        if begins is not None:
            discards = np.zeros(self._ways.shape, np.bool_)
            discards[0] = self.hands.follows[0] == 0
            discards[0, [card - 1 for card in begins]] = False
            codes, tables = [BY_TABLE], [discards]
        for idea in ideas:
            if idea in (WIN, FITS):
                codes.append(BY_WIN if idea == WIN else BY_FITS)
            else:
                codes.append(BY_TABLE + len(tables))
                tables.append(self._table(idea))
        return self._policy(codes, tables, worst)

    def _policy(self, codes: list[int], tables: Sequence[Any] = (), worst: bool = False) -> Policy:
        return Policy(np.array(codes, np.int64), np.array([*tables, self._ways]), worst)

    def _table(self, idea: Idea) -> Any:
        """``table[hand, card - 1, way]``: whether an idea prefers to play a card in a way."""
        game, v = self.game, self.game.variant
        (a, b), chance = game.rules.start(v), game.chance
        found = np.zeros(self._ways.shape, np.bool_)
        for hand, own in self.hands.of.items():
            for card in np.flatnonzero(self.lattice.board.copies).tolist():
                joined = chance.join(hand, chance.hand(a, 1, v), v)
                seen = Situation(game, chance.draw(joined, b, card + 1, v))
                for move in numbers(idea.prefers(seen, seen.legal)):
                    made = chance.hand(seen.after(move).position[0], 1, v)
                    made_of = self.hands.of.get(made, DONE)
                    found[own, card] |= self.hands.follows[own, card] == made_of
        return found

    def meet(
        self,
        one: Policy,
        two: Policy,
        judged: int | None = None,
        report: Report = unreported,
        what: str = "",
    ) -> list[float]:
        """The columns of the start, where the first player moves; with what the player in the seat
        `judged` loses, if one is given."""
        lattice, board, done = self.lattice, self.lattice.board, 0
        hands, cards, ways = self._ways.shape
        exact = BY_VALUE in (*one.codes, *two.codes)
        wide = STAKES + 1 if judged is not None else VALUE + 1 if exact else WINS + 1
        room = (
            *np.zeros((2, cards, hands, ways), np.int64), np.zeros((cards, hands)),
            np.zeros(cards, np.int64), np.zeros(ways, np.int64), np.zeros((wide, hands)),
        )  # fmt: skip
        now = np.empty((wide, 0))
        for left, size in enumerate(lattice.sizes):
            seat = 1 + (len(lattice.sizes) - 1 - left) % 2
            player = one if seat == 1 else two
            after, now = now, np.empty((wide, size))
            given = Given(player, seat == judged, self._fitting, now, after, *room)
            for decks in lattice.swept(_evaluate, left, given):
                done += decks
                report(what, done, len(board.starts))
        return [float(column) for column in now[:, 0]]


def classes(game: Game) -> Hands:
    """The classes of equivalent hands, with a way for each move; `BadVariant` if the hands of one
    differ in how many moves lead to the same class: that affects random play, though not values."""
    every, merged = all_hands(game), hands(game)
    of = np.array(list(merged.of.values()))
    follows = np.where(every.follows >= 0, of[np.maximum(every.follows, 0)], every.follows)
    follows.sort(axis=2)
    firsts = np.unique(of, return_index=True)[1]
    if (follows != follows[firsts][of]).any():
        raise BadVariant(
            _("This variant cannot be audited: equal hands can be played on in unequal ways.")
        )
    return merged._replace(follows=follows[firsts])


@register_jitable
def _score(code: Any, hand: Any, won: Any, undrawn: Any, fitting: Any) -> Any:
    """How good a way to play a card is, by the hand that it makes."""
    if code == BY_WIN:
        return 1 if won else 0
    if won:
        return undrawn.sum() + 1
    found = 0
    for card in range(len(undrawn)):
        if fitting[hand, card]:
            found += undrawn[card]
    return found


@register_jitable
def _choose(own: Any, other: Any, card: Any, board: Any, given: Any, chosen: Any) -> Any:
    """Keep the ways to play a card that a player's ideas prefer, applied in turn; returns how many
    there are."""
    ways, undrawn, player, scores = (
        board.follows[own, card], given.undrawn, given.player, given.scores
    )  # fmt: skip
    last = undrawn.sum() == 0
    many = 0
    for way in range(len(ways)):
        if ways[way] >= DONE:
            chosen[many] = way
            many += 1
    for code in player.codes:
        if code < BY_WIN or many == 1:
            continue
        top = -1
        for at in range(many):
            way = chosen[at]
            if code >= BY_TABLE:
                scores[at] = player.tables[code - BY_TABLE, own, card, way]
            else:
                won = ways[way] == DONE or (last and board.results[other, ways[way]] < 0)
                scores[at] = _score(code, ways[way], won, undrawn, given.fitting)
            top = max(top, scores[at])
        kept = 0
        for at in range(many):
            if scores[at] == top:
                chosen[kept] = chosen[at]
                kept += 1
        many = kept
    return many


@register_jitable
def _prepare(other: Any, draws: Any, board: Any, given: Any) -> None:
    """Find where the ways to play each card lead, and which are chosen. That depends on the other
    hand with the last card only."""
    left, kinds, rows, _ = draws
    undrawn, player = given.undrawn, given.player
    undrawn[:] = 0
    for kind in range(kinds):
        undrawn[board.card[kind]] = board.weight[kind]
    for kind in range(kinds):
        card, columns = board.card[kind], board.columns[board.under[kind]]
        undrawn[card] -= 1
        for row in range(rows):
            own, ways, chosen = board.mine[row], given.ways[kind, row], given.chosen[kind, row]
            for way in range(len(ways)):
                hand = board.follows[own, card, way]
                ways[way] = columns[hand] if hand >= 0 else hand
            many = _choose(own, other, card, board, given, chosen)
            for at in range(len(ways)):
                chosen[at] = ways[chosen[at]] if at < many else NONE
            one = player.worst or (len(player.codes) > 0 and player.codes[0] < BY_WIN)
            share = board.weight[kind] / left
            given.share[kind, row] = share if one or many == 0 else share / many
        undrawn[card] += 1


@register_jitable
def _meet(here: Any, other: Any, draws: Any, board: Any, given: Any) -> None:
    """Compute the columns of the positions with one other hand, from the generation after."""
    left, kinds, rows, step = draws
    codes, found = given.player.codes, given.found
    answers, worst = len(codes) > 0 and codes[0] == BY_ANSWER, given.player.worst
    found[:, :rows] = 0.0
    if left == 1:
        _prepare(other, draws, board, given)
    for row in range(rows if left == 0 else 0):
        found[: VALUE + 1, row] = board.results[board.mine[row], other] > 0
    for kind in range(kinds):
        line = line_of(board, board.under[kind], other)
        ways, chosen, share = given.ways[kind], given.chosen[kind], given.share[kind]
        if len(found) > VALUE:
            _judge(line, rows, ways, chosen, board.weight[kind] / left, given)
            continue
        for row in range(rows):
            wins = 1.0 if worst else 0.0
            for column in chosen[row]:
                if column != NONE:
                    chance = 1.0
                    if column != DONE:
                        chance -= given.after[WINS, line + np.uint64(column)]
                    if worst:
                        wins = min(wins, chance)
                    else:
                        wins = max(wins, chance) if answers else wins + chance
            found[WINS, row] += share[row] * wins
    for column in range(len(found)):
        for row in range(rows):
            given.now[column, here + row * step] = found[column, row]


@register_jitable
def _judge(line: Any, rows: Any, ways: Any, chosen: Any, likely: Any, given: Any) -> None:
    """Add what comes of a card to all columns of the positions with one other hand."""
    found, after = given.found, given.after
    perfect = len(given.player.codes) > 0 and given.player.codes[0] == BY_VALUE
    for row in range(rows):
        most, least = 0.0, 1.0
        for column in ways[row]:
            if column != NONE:
                value = _value(after, line, column)
                most, least = max(most, value), min(least, value)
        picked, wins, total, lost, stakes = 0, 0.0, 0.0, 0.0, 0.0
        for column in chosen[row]:
            if column == NONE:
                continue
            value = _value(after, line, column)
            if perfect and value < most - TIE:
                continue
            picked, total, wins = picked + 1, total + value, wins + 1.0
            if column != DONE:
                at = line + np.uint64(column)
                wins -= after[WINS, at]
                if len(found) > LOST:
                    lost, stakes = lost + after[LOST, at], stakes + after[STAKES, at]
        if picked == 0:  # No reachable position has this hand and this card.
            continue
        share = likely / picked
        found[WINS, row] += share * wins
        found[VALUE, row] += likely * most
        if len(found) > LOST:
            at_stake = given.judged and most - least > TIE
            found[LOST, row] += share * lost + (likely * most - share * total) * at_stake
            found[STAKES, row] += share * stakes + likely * at_stake


@register_jitable
def _value(after: Any, line: Any, column: Any) -> Any:
    """What a way to play a card is worth, by where it leads."""
    return 1.0 if column == DONE else 1.0 - after[VALUE, line + np.uint64(column)]


_evaluate = swept(_prepare, _meet)
