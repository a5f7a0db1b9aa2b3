"""Reach: add up cards to a target; a card can also be doubled, taken away or left.

A position is ``(totals, deck)``. `totals` is both totals, that of the player to move first, as
digits in base target + 1. `deck` is how many of each card are undrawn, as digits in base suits + 1,
and below them the drawn card that waits (0 if none does). Of the highest card there is only one.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from numduel.core.cards import CardGame
from numduel.core.rules import Bounds, Chance, Parameter, Rules
from numduel.core.state import State
from numduel.core.text import in_words
from numduel.core.view import Fact, View


class Variant(NamedTuple):
    """Cards 1 to high, only one of the highest; exactly the target wins."""

    high: int = 5
    suits: int = 2
    target: int = 12


ADD, DOUBLE, TAKE_AWAY, LEAVE = 1, 2, 3, 4


def start(v: Variant) -> tuple[int, int]:
    """Nobody has anything, and the deck is full."""
    deck = 0
    for card in range(v.high, 0, -1):
        deck = deck * (v.suits + 1) + copies(card, v)
    return 0, deck * (v.high + 1)


def copies(card: int, v: Variant) -> int:
    """How many there are of a card."""
    return 1 if card == v.high else v.suits


def legal(totals: int, deck: int, v: Variant) -> int:
    """Everything that stays between 0 and the target; a card can always be left."""
    card = deck % (v.high + 1)
    if card == 0:
        return 0
    own = hand(totals, 0, v)
    moves = 1 << LEAVE
    if own + card <= v.target:
        moves |= 1 << ADD
    if own + 2 * card <= v.target:
        moves |= 1 << DOUBLE
    if own >= card:
        moves |= 1 << TAKE_AWAY
    return moves


def play(totals: int, deck: int, move: int, v: Variant) -> tuple[int, int]:
    """Do something with the card; the opponent draws next."""
    card = deck % (v.high + 1)
    own = hand(totals, 0, v)
    if move == ADD:
        own += card
    elif move == DOUBLE:
        own += 2 * card
    elif move == TAKE_AWAY:
        own -= card
    return join(hand(totals, 1, v), own, v), deck - card


def result(totals: int, deck: int, v: Variant) -> int:
    """The higher total wins; if they are equal, whoever played the last card."""
    return 1 if hand(totals, 0, v) > hand(totals, 1, v) else -1


def due(totals: int, deck: int, v: Variant) -> int:
    """A card is drawn every turn, until there is none or the target is reached."""
    if deck < v.high + 1 or deck % (v.high + 1):
        return 0
    return 0 if hand(totals, 1, v) == v.target else 1


def left(totals: int, deck: int, card: int, v: Variant) -> int:
    """How many of a card are undrawn."""
    place: int = (v.suits + 1) ** (card - 1)
    return deck // (v.high + 1) // place % (v.suits + 1)


def draw(totals: int, deck: int, card: int, v: Variant) -> tuple[int, int]:
    """Take a card from the deck; it waits."""
    return totals, deck - (v.suits + 1) ** (card - 1) * (v.high + 1) + card


def hand(totals: int, whose: int, v: Variant) -> int:
    """The total of the player to move (0) or of the opponent (1)."""
    return totals % (v.target + 1) if whose else totals // (v.target + 1)


def join(own: int, other: int, v: Variant) -> int:
    """Both totals in one number."""
    return own * (v.target + 1) + other


class Reach(CardGame):
    """Add up cards to exactly the target."""

    id = "reach-the-target"
    name = "reach"
    title = "Reach the Target"
    summary = "Add, double, take away or leave each card you draw; reach exactly the target."
    rules = Rules(start, legal, play, result)
    chance = Chance(due, left, draw, hand, join)
    Variant = Variant
    parameters = {
        "high": Parameter("the highest card", 1, 20),
        "suits": Parameter("how many of each card but the highest", 1, 4),
        "target": Parameter("the total that wins", 1, 99),
    }
    ways = {"a": "add", "d": "double", "t": "take away", "x": "leave"}

    @cached_property
    def bounds(self) -> Bounds:
        """Every card is one turn."""
        high, suits, target = self.variant
        totals, deck = (target + 1) ** 2, (suits + 1) ** high * (high + 1)
        bits = max(totals, deck).bit_length()
        return Bounds(actions=LEAVE, plies=suits * (high - 1) + 1, bits=bits, cards=high)

    @property
    def brief(self) -> tuple[str, ...]:
        """The rules with the numbers of the variant."""
        return (
            "Each turn brings you a card: add it to your total, add it twice, take it away from"
            " your total, or leave it.",
            f"Whoever has exactly {self.variant.target} wins at once.",
        )

    @property
    def details(self) -> tuple[str, ...]:
        """The limits of totals, the deck, and what happens when it runs out."""
        high, suits, target = self.variant
        lower = "" if high == 1 else f"{in_words(suits)} of each card from 1 to {high - 1}, and "
        return (
            f"Both totals begin at 0. A total never goes below 0 or beyond {target}: a card cannot"
            " be played that way.",
            f"The deck is shuffled and holds {lower}a single {high}. Nobody knows its order; both"
            " players see every card that is drawn.",
            "If the deck runs out, the higher total wins; if both are equal, the player of the last"
            " card.",
        )

    def facts(self, state: State) -> tuple[Fact, ...]:
        """Both totals, and the cards still in the deck."""
        mover, rival = (hand(state.position[0], whose, self.variant) for whose in (0, 1))
        totals = (mover, rival) if state.to_move == 1 else (rival, mover)
        cards = self.undrawn(state.position).items()
        deck = tuple(str(card) for card, count in cards for _ in range(count))
        return (
            *(Fact("Total", str(total), seat) for seat, total in enumerate(totals, 1)),
            Fact("In the deck", deck),
        )

    def end_lines(self, view: View, winner: int) -> list[str]:
        """Who reached the target, or came closer."""
        mine, theirs = (int(view.fact("Total", seat).text) for seat in (winner, 3 - winner))
        if mine == self.variant.target:
            return [f"{view.name(winner)} has reached {mine}."]
        if mine > theirs:
            return ["The deck is empty.", f"{view.name(winner)} is ahead, {mine} to {theirs}."]
        return [
            "The deck is empty.",
            f"Both have {mine}: {view.name(winner)} played the last card and wins the tie.",
        ]
