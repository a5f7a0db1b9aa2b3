"""Sequence Build: draw cards and be the first to build a sequence of k.

A position is ``(hands, pile)``. A sequence is a number whose digits, in base n+1, are its cards
from beginning to end; `hands` is the sequence of the player to move and that of the opponent, side
by side. `pile` is in mixed radix: how many of each card are undrawn, in base copies+1, and as
its lowest digit the drawn card that waits to be played (0 if one must be drawn).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, reduce
from typing import Any, NamedTuple

from numduel.core.cards import CardGame
from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.ideas import Idea, Score, by, highest
from numduel.core.language import N_, Texts, _, class_text, pgettext, plural
from numduel.core.observation import Observation
from numduel.core.rules import Bounds, Chance, Parameter, Position, Rules
from numduel.core.state import Move, State
from numduel.core.text import in_words
from numduel.core.view import Fact, Layout, View, told_to


class Variant(NamedTuple):
    """Cards 1 to n, `copies` of each; a sequence of k wins."""

    n: int = 10
    copies: int = 2
    k: int = 5


BEGINNING, END, DISCARD = 1, 2, 3
KEEP = N_("keep")
"""The word for starting a row with a card."""


def start(v: Variant) -> tuple[int, int]:
    """Setup: a full deck and two empty sequences."""
    return 0, ((v.copies + 1) ** v.n - 1) * (v.n + 1)


def legal(hands: int, pile: int, v: Variant) -> int:
    """Decision Phase: add the drawn card where the Sequence Rule allows it, or discard it.

    The first card of a sequence counts as played at the end.
    """
    base = v.n + 1
    card = pile % base
    if card == 0:
        return 0
    own = hands // base**v.k
    moves = 1 << DISCARD
    if own == 0 or fits(card, own % base):
        moves |= 1 << END
    if own and fits(card, first(own, v)):
        moves |= 1 << BEGINNING
    return moves


def fits(card: int, end: int) -> bool:
    """The Sequence Rule: one higher or one lower than the card it comes next to."""
    return abs(card - end) == 1


def play(hands: int, pile: int, move: int, v: Variant) -> tuple[int, int]:
    """Add or discard the drawn card; the opponent draws next."""
    base = v.n + 1
    whole = base**v.k
    card = pile % base
    own = hands // whole
    if move == END:
        own = own * base + card
    elif move == BEGINNING:
        place = 1
        while place <= own:
            place *= base
        own += card * place
    return hands % whole * whole + own, pile - card


def aliases(hands: int, pile: int, v: Variant) -> int:
    """The beginning of an empty sequence is its end."""
    return 1 << BEGINNING if pile % (v.n + 1) and not sequence(hands, 0, v) else 0


def result(hands: int, pile: int, v: Variant) -> int:
    """Winning the Game, and the Exhausted Deck Condition: the longer sequence, then the higher
    sum, then the player who moved first (ruling: the rulebook leaves this dead tie open)."""
    own = sequence(hands, 0, v)
    other = sequence(hands, 1, v)
    mine = length(own, v)
    theirs = length(other, v)
    if mine == theirs:
        mine = total(own, v)
        theirs = total(other, v)
    if mine == theirs:
        # Every card took one turn: if the deck is even, the first player is to move now.
        return 1 if v.n * v.copies % 2 == 0 else -1
    return 1 if mine > theirs else -1


def due(hands: int, pile: int, v: Variant) -> int:
    """Draw a Card: on every turn, until the deck is empty or the opponent has just won."""
    base = v.n + 1
    if pile < base or pile % base:
        return 0
    almost = base ** (v.k - 1)
    return 1 if hands % (almost * base) < almost else 0


def left(hands: int, pile: int, card: int, v: Variant) -> int:
    """How many of a card are undrawn."""
    place: int = (v.copies + 1) ** (card - 1)
    return pile // (v.n + 1) // place % (v.copies + 1)


def draw(hands: int, pile: int, card: int, v: Variant) -> tuple[int, int]:
    """Take a card from the deck; it waits to be played."""
    return hands, pile - (v.copies + 1) ** (card - 1) * (v.n + 1) + card


def sequence(hands: int, whose: int, v: Variant) -> int:
    """The sequence of the player to move (0) or of the opponent (1)."""
    place: int = (v.n + 1) ** v.k
    return hands % place if whose else hands // place


def join(own: int, other: int, v: Variant) -> int:
    """Both sequences side by side."""
    place: int = (v.n + 1) ** v.k
    return own * place + other


def first(cards: int, v: Variant) -> int:
    """The card at the beginning of a sequence."""
    while cards > v.n:
        cards //= v.n + 1
    return cards


def length(cards: int, v: Variant) -> int:
    """How many cards a sequence has."""
    found = 0
    while cards:
        cards //= v.n + 1
        found += 1
    return found


def total(cards: int, v: Variant) -> int:
    """The sum of a sequence."""
    found = 0
    while cards:
        found += cards % (v.n + 1)
        cards //= v.n + 1
    return found


def observation_size(v: Variant) -> int:
    """Both sequences, the drawn card, and how many of each card are undrawn."""
    return 2 * v.k + 1 + v.n


def write(row: Any, hands: int, pile: int, v: Variant) -> None:
    """One's own sequence from its beginning, then the opponent's, each followed by zeros; the
    drawn card; then how many of 1, 2, … are undrawn."""
    base = v.n + 1
    for whose in range(2):
        cards = sequence(hands, whose, v)
        at = whose * v.k + length(cards, v)
        while cards:
            at -= 1
            row[at] = cards % base
            cards //= base
    row[2 * v.k] = pile % base
    pile //= base
    for card in range(1, base):
        row[2 * v.k + card] = pile % (v.copies + 1)
        pile //= v.copies + 1


def flip(hands: int, pile: int, v: Variant) -> tuple[int, int]:
    """The position with the sequences exchanged."""
    return join(sequence(hands, 1, v), sequence(hands, 0, v), v), pile


def largest(v: Variant) -> int:
    """The highest number in an observation."""
    return max(v.n, v.copies)


# -- ideas ----------------------------------------------------------------------------------


def _begins(game: Game) -> Score:
    """0 for a move that starts a row with the lowest or the highest number."""

    def score(hands: int, pile: int, move: int, v: Variant) -> int:
        card = pile % (v.n + 1)
        bad = v.n > 3 and (card == 1 or card == v.n) and sequence(hands, 0, v) == 0
        return 0 if bad and move != DISCARD else 1

    return score


_BEGIN = highest(_begins)


def _why_begin(state: State, move: int) -> str:
    why = (
        N_("{card} is the lowest number: a row that starts with it can grow one way only")
        if state.card == 1
        else N_("{card} is the highest number: a row that starts with it can grow one way only")
    )
    return _(why, card=state.card)


BEGIN = Idea(
    "begin",
    N_("Don't start your row with the lowest or the highest number."),
    N_("Is this a good card to start with?"),
    N_("that the lowest and the highest card are bad to start with"),
    by(_BEGIN),
    _why_begin,
)


class _Pile(Fact):
    """The discard pile, which is empty in other words than a list of numbers."""

    __slots__ = ()

    @property
    def text(self) -> str:
        return super().text if self.value else pgettext("no cards on the discard pile", "None")


class Build(CardGame):
    """Sequence Build with two each of 1 to 10."""

    id = "sequence-build"
    name = "build"
    title = class_text("Sequence Build")
    summary = class_text("Draw cards, and be the first to build a row of five in steps of one.")
    rules = Rules(start, legal, play, result, aliases=aliases)
    chance = Chance(due, left, draw, sequence, join)
    observation = Observation(observation_size, None, 0, largest, flip, write)
    ideas = dangers = (BEGIN,)
    levels = {"hard": ("win", "begin", "use", "fits")}
    Variant = Variant
    parameters = {
        "n": Parameter(N_("the highest number"), 1, 99),
        "copies": Parameter(N_("how many of each card"), 1, 9),
        "k": Parameter(N_("the length of the row that wins"), 1, 99),
    }
    strict = True
    order = 4
    ways = Texts({"b": N_("beginning"), "e": N_("end"), "x": N_("discard")})

    def check(self) -> None:
        cards = self.variant.n * self.variant.copies
        if self.variant.k > cards:
            raise BadVariant(
                plural(
                    "A row of {k} needs more than the {n:,} card of the deck: choose a length from"
                    " 1 to {n}, or more cards.",
                    "A row of {k} needs more than the {n:,} cards of the deck: choose a length from"
                    " 1 to {n}, or more cards.",
                    cards,
                    k=self.variant.k,
                )
            )

    @cached_property
    def bounds(self) -> Bounds:
        n, copies, k = self.variant
        hands, pile = (n + 1) ** (2 * k), (copies + 1) ** n * (n + 1)
        return Bounds(
            actions=DISCARD, plies=n * copies, bits=max(hands, pile).bit_length(), cards=n
        )

    def read(self, move: Move, state: State) -> Move:
        """Accept ``d`` for discard; the beginning of an empty sequence is its end, and to keep a
        card (``k``) is to put it there."""
        if isinstance(move, str) and move.strip().lower().lstrip("0123456789") == "d":
            move = move.strip()[:-1] + "x"
        empty = not self.hands(state)[state.to_move - 1]
        words = (KEEP, _(KEEP))
        said = _("keep {card}", card=state.card)
        keeping = (KEEP[0], *words, *(f"{word} {state.card}" for word in words), said)
        if empty and isinstance(move, str) and " ".join(move.lower().split()) in keeping:
            move = "e"
        found = str(super().read(move, state))
        return found[:-1] + "e" if found.endswith("b") and empty else found

    def worded(self, move: Move, state: State) -> Move:
        """A card that starts a row is kept: ``7k``."""
        empty = not self.hands(state)[state.to_move - 1]
        return _kept(move) if empty and str(move).endswith("e") else move

    def worded_moves(self, state: State) -> tuple[Move, ...]:
        moves, movers = list(state.moves), state.movers
        for seat in (1, 2):  # Only the first card of each row is kept.
            for at, move in enumerate(moves):
                if movers[at] == seat and str(move).endswith(("b", "e")):
                    moves[at] = _kept(move)
                    break
        return tuple(moves)

    def label(self, move: Move) -> str:
        card, kept = str(move)[:-1], str(move).endswith(KEEP[0])
        return _("keep {card}", card=card) if kept and card.isdigit() else super().label(move)

    def hands(self, state: State) -> tuple[tuple[int, ...], tuple[int, ...]]:
        mover, rival = (
            _cards(sequence(state.position[0], whose, self.variant), self.variant)
            for whose in (0, 1)
        )
        return (mover, rival) if state.to_move == 1 else (rival, mover)

    def facts(self, state: State) -> tuple[Fact, ...]:
        discards = [str(card) for card, way in self.played(state) if way == "x"]
        return _Pile(N_("Discard pile"), tuple(discards)), Fact(
            N_("Cards left"), str(state.cards_left)
        )

    def winning(self, state: State) -> tuple[int, ...]:
        hand = _cards(sequence(state.position[0], 1, self.variant), self.variant)
        return hand if len(hand) == self.variant.k else ()

    def exercise(self, position: Position) -> tuple[object, ...]:
        """A row read from its other end; and high cards for low ones, which is not the same only
        where sums decide."""
        (hands, pile), v = position, self.variant
        base = v.n + 1
        rows = [_cards(sequence(hands, whose, v), v) for whose in (0, 1)]
        deck = tuple(left(hands, pile, card, v) for card in range(1, base))
        drawn = pile % base
        turned = [tuple(base - card for card in row) for row in rows]
        return (
            *v,
            *min(
                _packed(rows, deck, drawn, v),
                _packed(turned, deck[::-1], base - drawn if drawn else 0, v),
            ),
        )

    @property
    def brief(self) -> tuple[str, ...]:
        k = self.variant.k
        return (
            _("Each turn brings you a card: put it at either end of your own row, or discard it."),
            _("It must be one more or one less than the card it comes next to."),
            _(
                "The first row of {count} wins. If the deck runs out, the longer row wins, or the"
                " higher sum if both are equally long.",
                count=in_words(k),
            ),
        )

    @property
    def details(self) -> tuple[str, ...]:
        n, copies = self.variant[:2]
        return (
            plural(
                "The deck is shuffled and holds one card of each number from 1 to {highest}, {all}"
                " in all. Nobody knows its order; both players see every card that is drawn.",
                "The deck is shuffled and holds {count} cards of each number from 1 to {highest},"
                " {all} in all. Nobody knows its order; both players see every card that is drawn.",
                copies,
                count=in_words(copies),
                highest=n,
                all=n * copies,
            ),
            _("Any card may start an empty row, where the beginning and the end mean the same."),
            _(
                "A row may hold a number more than once, but never next to itself: neighbours"
                " always differ by exactly one."
            ),
            _("A card may be discarded even if it fits, and does not come back."),
            _(
                "The deck has run out when its last card has been added or discarded. If the rows"
                " are then equally long and their sums equal, the player who moved first wins."
            ),
        )

    @property
    def layout(self) -> Layout:
        return Layout("rows", places=self.variant.k, ends=(self.ways["b"], self.ways["e"]))

    def advice(self, move: Move) -> str:
        card, letter = str(move)[:-1], str(move)[-1:]
        told = ADVISED.get(letter) if card.isdigit() else None
        return _(told) if told else super().advice(move)

    def subject(self, move: Move) -> str:
        return self._deed(move, DOING) or super().subject(move)

    def after(self, move: Move) -> str:
        return self._deed(move, AFTER) or super().after(move)

    def does(self, move: Move, *, past: bool = False) -> str:
        return self._deed(move, DID if past else DOES) or super().does(move, past=past)

    def _deed(self, move: Move, words: Mapping[str, str]) -> str:
        """What is done with a card, in these words; empty for other moves."""
        card, letter = str(move)[:-1], str(move)[-1:]
        return _(words[letter], card=card) if card.isdigit() and letter in words else ""

    def goal(self, view: View, you: int | None = None) -> str:
        k, card = in_words(self.variant.k), view.card
        if card is None:
            return _("Build a row of {k}.", k=k) + view.holding(you)
        if view.to_move != you:
            return _(
                "Build a row of {k}. {name} has drawn {card}.", k=k, name=view.player, card=card
            )
        hand = view.hand(view.to_move)
        if not hand:
            goal = N_("Build a row of {k}. Start it with the {card}, or discard it.")
        else:
            goal = GOALS[fits(card, hand[0]), fits(card, hand[-1])]
        return _(goal, k=k, card=card)

    def board(self, view: View) -> list[str]:
        return [
            *(
                _("{name}'s Sequence: {row}", name=view.name(seat), row=list(view.hand(seat)))
                for seat in (1, 2)
            ),
            _("Discard Pile: {cards}", cards=view.fact("Discard pile").text),
            _("Cards Left: {count}", count=view.fact("Cards left").text),
        ]

    def prompt(self, view: View) -> list[str]:
        add = _(
            "{name}, add {card} to the beginning or the end, or discard it:",
            name=view.player, card=view.card,
        )  # fmt: skip
        return [_("{name} draws {card}.", name=view.player, card=view.card), f"{add} "]

    def move_lines(self, view: View) -> list[str]:
        name, move = view.name(view.mover), str(view.last)
        card, hand = move[:-1], view.hand(view.mover)
        if move.endswith("x"):
            said = N_("{name} discards {card}.")
        elif len(hand) == 1:
            said = N_("{name} starts a sequence: {row}")
        elif move.endswith("b"):
            said = N_("{name} adds {card} to the beginning: {row}")
        else:
            said = N_("{name} adds {card} to the end: {row}")
        return [_(said, name=name, card=card, row=list(hand)), "", *self.board(view)]

    def end_lines(self, view: View, winner: int) -> list[str]:
        name, opponent = view.name(winner), view.name(3 - winner)
        mine, theirs = view.hand(winner), view.hand(3 - winner)
        if len(mine) == self.variant.k:
            return [
                _(
                    "{name} has completed a sequence of {length}: {row}.",
                    name=name,
                    length=len(mine),
                    row=list(mine),
                )
            ]
        if len(mine) > len(theirs):
            why = _(
                "{name}'s sequence of {length} is longer than {opponent}'s of {shorter}.",
                name=name, length=len(mine), opponent=opponent, shorter=len(theirs),
            )  # fmt: skip
        elif sum(mine) > sum(theirs):
            why = plural(
                "Both sequences have {n} number; {name}'s sum of {sum} is higher than"
                " {opponent}'s of {lower}.",
                "Both sequences have {n} numbers; {name}'s sum of {sum} is higher than"
                " {opponent}'s of {lower}.",
                len(mine), name=name, sum=sum(mine), opponent=opponent, lower=sum(theirs),
            )  # fmt: skip
        else:
            why = _(
                "Both sequences have the same length and sum; {name} moved first and wins the tie.",
                name=name,
            )
        return [_("The deck is exhausted."), why]

    def end_told(self, view: View, winner: int, you: int) -> list[str]:
        if view.winning:
            return super().end_told(view, winner, you)
        mine, theirs = view.hand(winner), view.hand(3 - winner)
        longer = len(mine) > len(theirs)
        count: Callable[[tuple[int, ...]], int] = len if longer else sum
        why = LONGER if longer else HIGHER if sum(mine) > sum(theirs) else BEGAN
        return [
            _(
                why[told_to(winner, you)],
                winner=view.name(winner),
                loser=view.name(3 - winner),
                mine=count(mine),
                theirs=count(theirs),
            )
        ]

    def refusal(self, move: Move, view: View) -> str:
        hand = list(view.hand(view.to_move))
        card, place = str(move)[:-1], str(move)[-1]
        if place == "b":
            end, why = hand[0], N_(
                "{card} cannot go to the beginning of {row}: it is neither one higher nor one lower"
                " than {end}."
            )  # fmt: skip
        else:
            end, why = hand[-1], N_(
                "{card} cannot go to the end of {row}: it is neither one higher nor one lower than"
                " {end}."
            )  # fmt: skip
        return _(why, card=card, row=hand, end=end)

    def input_error(self) -> str:
        return _("Please type beginning, end or discard (or b, e, d).")

    def input_hint(self) -> str:
        return _("beginning, end or discard, or just b, e, d")


ADVISED = {
    "k": N_("start your row with it"),
    "b": N_("put it at the beginning of your row"),
    "e": N_("put it at the end of your row"),
    "x": N_("discard it"),
}
"""What to do with a card, by the letter of a move; `DOING`, `AFTER`, `DOES` and `DID` likewise."""
DOING = {
    "k": N_("starting with {card}"),
    "b": N_("adding {card} at the beginning"),
    "e": N_("adding {card} at the end"),
    "x": N_("discarding {card}"),
}
AFTER = {
    "k": N_("after starting with {card}"),
    "b": N_("after adding {card} at the beginning"),
    "e": N_("after adding {card} at the end"),
    "x": N_("after discarding {card}"),
}
DOES = {
    "k": N_("starts with {card}"),
    "b": N_("adds {card} at the beginning"),
    "e": N_("adds {card} at the end"),
    "x": N_("discards {card}"),
}
DID = {
    "k": N_("started with {card}"),
    "b": N_("added {card} at the beginning"),
    "e": N_("added {card} at the end"),
    "x": N_("discarded {card}"),
}
GOALS = {
    (True, True): N_(
        "Build a row of {k}. Add the {card} at the beginning or the end, or discard it."
    ),
    (True, False): N_("Build a row of {k}. Add the {card} at the beginning, or discard it."),
    (False, True): N_("Build a row of {k}. Add the {card} at the end, or discard it."),
    (False, False): N_(
        "Build a row of {k}. The {card} fits at neither end and has to be discarded."
    ),
}
"""What to do with a card, by whether it fits at the beginning and at the end."""
LONGER = {
    "won": N_("The deck is used up: your row of {mine} is longer than {loser}'s row of {theirs}."),
    "lost": N_(
        "The deck is used up: {winner}'s row of {mine} is longer than your row of {theirs}."
    ),
}
HIGHER = {
    "won": N_(
        "The deck is used up: the rows are equally long; your sum of {mine} beats {loser}'s"
        " {theirs}."
    ),
    "lost": N_(
        "The deck is used up: the rows are equally long; {winner}'s sum of {mine} beats your"
        " {theirs}."
    ),
}
BEGAN = {
    "won": N_("The deck is used up: the rows have the same length and sum; you began, and so won."),
    "lost": N_(
        "The deck is used up: the rows have the same length and sum; {winner} began, and so won."
    ),
}
"""Why a deck that is used up was won, told to the winner or the loser."""


def _kept(move: Move) -> Move:
    """A move that puts a card at the end, as one that starts a row with it."""
    return str(move)[:-1] + KEEP[0]


def _packed(
    rows: Sequence[tuple[int, ...]], deck: tuple[int, ...], drawn: int, v: Variant
) -> Position:
    """A position of two rows, each from the end that gives the smaller number, how many of each
    card are undrawn, and the drawn card."""
    base = v.n + 1
    own, other = (
        reduce(lambda cards, card: cards * base + card, min(row, row[::-1]), 0) for row in rows
    )
    undrawn = sum(count * (v.copies + 1) ** at for at, count in enumerate(deck))
    return join(own, other, v), undrawn * base + drawn


def _cards(cards: int, v: Variant) -> tuple[int, ...]:
    hand: list[int] = []
    while cards:
        cards, card = divmod(cards, v.n + 1)
        hand.insert(0, card)
    return tuple(hand)
