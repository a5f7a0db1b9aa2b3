"""An immutable position of a game, with the moves that led to it; and how a game ends."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from numduel.core.errors import BadVariant, IllegalMove, NotAMove
from numduel.core.language import _, language
from numduel.core.rules import Position as Position
from numduel.core.view import view

if TYPE_CHECKING:
    from numduel.core.game import Game

Picked = TypeVar("Picked")
Move = int | str
"""A number, or text where a number is not enough: ``"pass"``, ``"7e"``."""
_NUMBERS = {str(number): number for number in range(1, 200)}
"""The usual moves, so that reading them is fast."""
RESIGNATIONS: Mapping[Move, int | None] = {"resign": None, "resign1": 1, "resign2": 2}
"""How the notation writes a resignation, and whose it is; None is the player to move."""


class Outcome(NamedTuple):
    """How a game ended: the winning seat, and why in one sentence."""

    winner: int
    reason: str


class _Deck:
    """An opaque handle for a shuffled deck. The order is kept in `_ORDERS`, so that nothing that
    walks, prints, copies or pickles a state can reveal it."""

    __slots__ = ()

    def __del__(self) -> None:
        _ORDERS.pop(id(self), None)


_ORDERS: dict[int, tuple[int, ...]] = {}
"""The order of each live deck, by the `id` of its handle."""


class State:
    """A position: whose turn it is, what they may do, and whether the game is over.

    States never change: `play` returns the next one. Two states are equal when the same player
    is to move in the same position of the same game, whatever moves led to it.
    """

    __slots__ = (
        "_card",
        "_deck",
        "_drawn",
        "_ending",
        "_first",
        "_game",
        "_mask",
        "_moves",
        "_outcome",
        "_position",
        "_to_move",
    )

    def __init__(
        self,
        game: Game,
        position: Position,
        to_move: int,
        first: int,
        moves: tuple[Move, ...],
        deck: _Deck | None = None,
        drawn: int = 0,
        card: int | None = None,
    ) -> None:
        self._game = game
        self._position = position
        self._to_move = to_move
        self._first = first
        self._moves = moves
        self._deck = deck
        self._drawn = drawn
        self._card = card
        a, b = position
        self._mask = game.rules.legal(a, b, game.variant)
        self._outcome: tuple[str, Outcome] | None = None
        """How it ended, and the language that this is told in."""
        self._ending: tuple[Move, int] | None = None
        """The move that broke a rule, or ``resign``; and who won by it."""

    # -- the position -----------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The game and its variant."""
        return self._game

    @property
    def first(self) -> int:
        """The seat that begins."""
        return self._first

    @property
    def to_move(self) -> int:
        """The seat whose turn it is, 1 or 2; in a finished game, whose turn it would be."""
        return self._to_move

    @property
    def moves(self) -> tuple[Move, ...]:
        """Every move so far, in notation."""
        return self._moves

    @property
    def ply(self) -> int:
        """How many moves were made; a resignation does not count."""
        return len(self._moves) - self.resigned

    @property
    def movers(self) -> tuple[int, ...]:
        """The seat that made each move; a player may resign on the other player's turn."""
        first, count = self._first, len(self._moves)
        seats = [first, 3 - first] * (count // 2) + [first] * (count % 2)
        if self._moves and (resigned := RESIGNATIONS.get(self._moves[-1])):
            seats[-1] = resigned
        return tuple(seats)

    @property
    def position(self) -> Position:
        """The two integers that the rules work on."""
        return self._position

    # -- what may be done -------------------------------------------------------------------

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """Every legal move; none when the game is over or a card must be drawn first."""
        return self._game.moves(self._mask, self)

    @property
    def mask(self) -> int:
        """The legal moves as the bit set that the rules use."""
        return self._mask

    @property
    def forced_pass(self) -> bool:
        """Whether the player to move can do nothing but pass."""
        return self._mask == 1

    @property
    def forced_card(self) -> Move | None:
        """What must be done with the drawn card, if there is no choice."""
        return self.legal_moves[0] if self.card and len(self.legal_moves) == 1 else None

    @property
    def draws(self) -> Mapping[int, float]:
        """The cards that may be drawn now, each with its probability; empty if none is due."""
        if not self._due:
            return {}
        counts = self._game.undrawn(self._position)
        total = sum(counts.values())
        return {card: count / total for card, count in counts.items()}

    def pick_card(self, luck: float) -> int:
        """The card that a random number in [0, 1) selects."""
        counts = self._game.undrawn(self._position).items()
        cards = [card for card, count in counts for _ in range(count)]
        return cards[int(luck * len(cards))]

    @property
    def card(self) -> int | None:
        """The drawn card that waits to be played, if there is one."""
        return self._card

    @property
    def cards_left(self) -> int:
        """How many cards are left to draw."""
        return sum(self._game.undrawn(self._position).values())

    @property
    def winner(self) -> int | None:
        """The seat that won, or None while the game goes on."""
        if self._ending is not None:
            return self._ending[1]
        if self._outcome is not None:
            return self._outcome[1].winner
        if self._mask or self._due:
            return None
        sign = self._game.rules.result(*self._position, self._game.variant)
        return self._to_move if sign > 0 else 3 - self._to_move

    @property
    def is_over(self) -> bool:
        """Whether somebody has won."""
        return self.winner is not None

    @property
    def returns(self) -> tuple[int, int]:
        """What Player 1 and Player 2 get: 1 for a win, -1 for a loss, 0 while the game goes on."""
        return {None: (0, 0), 1: (1, -1), 2: (-1, 1)}[self.winner]

    @property
    def outcome(self) -> Outcome | None:
        """Who won and why, or None while the game goes on."""
        spoken, known = language(), self._outcome  # read once: another thread may speak otherwise
        if known is not None and known[0] == spoken:
            return known[1]
        winner = self.winner
        if winner is None:
            return None
        outcome = Outcome(winner, self._game.reason_text(self, winner))
        self._outcome = spoken, outcome
        return outcome

    @property
    def fault(self) -> str | None:
        """The sentence that names the broken rule, if the game was lost by breaking one."""
        if self._ending is None or self.resigned:
            return None
        before = State(
            self._game, self._position, self._to_move, self._first, self._moves[:-1],
            card=self._card,
        )  # fmt: skip
        return self._game.refusal(self._ending[0], view(before))

    @property
    def resigned(self) -> bool:
        """Whether the game ended by resignation."""
        return self._ending is not None and self._ending[0] == "resign"

    # -- what comes next --------------------------------------------------------------------

    def play(self, move: Move) -> State:
        """The state after a legal move, given as in `legal_moves` or as text.

        Raises `IllegalMove` if the rules forbid it, `NotAMove` if it is no move at all.
        """
        game, deck, drawn, card = self._game, self._deck, self._drawn, None
        if game.numeric and type(move) is str:
            move = _NUMBERS.get(move, move)
        if game.numeric and type(move) is int and move > 0 and self._mask >> move & 1:
            code = move
        elif type(move) is str and move in game.moves(self._mask, self):
            code = game.code(move)
        else:
            code, move = self._checked(move)
        a, b = self._position
        position = game.rules.play(a, b, code, game.variant)
        if deck is not None:
            a, b = position
            if game.chance.due(a, b, game.variant):
                card = _ORDERS[id(deck)][drawn]
                position = game.chance.draw(a, b, card, game.variant)
                drawn += 1
        return State(
            game, position, 3 - self._to_move, self._first, (*self._moves, move), deck, drawn,
            card,
        )  # fmt: skip

    def attempt(self, move: Move, *, forgiving: bool = False) -> State:
        """The state after a player tries a move, legal or not.

        A legal move is played. A rule-breaking one loses at once in a strict game, unless it is
        forgiving; everything else changes nothing.
        """
        try:
            return self.play(move)
        except NotAMove:
            return self
        except IllegalMove:
            if forgiving or not self._game.strict or not self._mask:
                return self
            kept = self._game.read(move, self)
            return self._ended(kept, f"{kept}!", self._to_move)

    def resign(self, seat: int | None = None) -> State:
        """The state after a player resigns: the one to move, or the one in a seat.

        In notation that is ``resign``, or ``resign1`` and ``resign2`` on the other player's turn.
        """
        if self.winner is not None:
            raise IllegalMove(_("The game is over."))
        if seat in (None, self._to_move):
            return self._ended("resign", "resign", self._to_move)
        return self._ended("resign", f"resign{seat}", 3 - self._to_move)

    def draw(self, card: int) -> State:
        """The state after a card is drawn: the chance step of a game with a deck."""
        game = self._game
        if type(card) is not int:
            raise IllegalMove(_("A card is a whole number."))
        if self.winner is not None:
            raise IllegalMove(_("The game is over."))
        if card not in self.draws:
            expected = ", ".join(map(str, self.draws)) or _("no card is due")
            raise IllegalMove(
                _("{card} cannot be drawn now (expected: {cards}).", card=card, cards=expected)
            )
        position = game.chance.draw(*self._position, card, game.variant)
        return State(
            game, position, self._to_move, self._first, self._moves, self._deck, self._drawn + 1,
            card,
        )  # fmt: skip

    def apply_token(self, token: str, *, forgiving: bool = False) -> State:
        """The state after one token of the notation: a move, ``resign``, a rule-breaking ``5!``,
        or, where there is a deck, a bare card that has been drawn and not yet played."""
        if token in RESIGNATIONS:
            return self.resign(RESIGNATIONS[token])
        state, move = self._game.reveal(self, token)
        if not move.endswith("!"):
            return state.play(move) if move else state
        after = state.attempt(move[:-1], forgiving=forgiving)
        if after.fault is None:
            raise IllegalMove(
                _("{token!r} says that a rule was broken, but none was.", token=token[:20])
            )
        return after

    def revealed(self, token: str) -> State:
        """This state with the card drawn that a token of the notation plays, if it plays one."""
        return self if token in RESIGNATIONS else self._game.reveal(self, token)[0]

    @property
    def successors(self) -> tuple[State, ...]:
        """The states after every card that may be drawn now, or after every legal move."""
        if self.draws:
            return tuple(self.draw(card) for card in self.draws)
        return tuple(self.play(move) for move in self.legal_moves)

    def walk(self) -> Iterator[State]:
        """This state and every one that can follow it, breadth first; equal ones once."""
        level, known = [self], {self}
        while level:
            yield from level
            following = (after for state in level for after in state.successors)
            level = [state for state in dict.fromkeys(following) if state not in known]
            known.update(level)

    @property
    def public(self) -> State:
        """This state without its hidden deck: cards must be drawn explicitly from here on."""
        return self if self._deck is None else self._with(None, 0)

    def reshuffled(self, keep: int, luck: random.Random) -> State:
        """This state with the undrawn cards of its deck shuffled again, except the first `keep`
        cards of the whole deck."""
        if self._deck is None:
            return self
        order, keep = _ORDERS[id(self._deck)], max(keep, self._drawn)
        ticket = _Deck()
        _ORDERS[id(ticket)] = order[:keep] + _in_random_order(order[keep:], luck)
        return self._with(ticket, self._drawn)

    def _with(self, deck: _Deck | None, drawn: int) -> State:
        """This state with another deck, or none."""
        state = State(
            self._game, self._position, self._to_move, self._first, self._moves, deck, drawn,
            self._card,
        )  # fmt: skip
        state._outcome, state._ending, state._mask = self._outcome, self._ending, self._mask
        return state

    # -- value semantics --------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __copy__(self) -> State:
        return self

    def __deepcopy__(self, memo: object) -> State:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (self._game, self._first, self.text)

    def __repr__(self) -> str:
        won = f", Player {self.winner} won" if self.winner else ""
        return f"<State of {self._game.id}: {self.text or 'start'}{won}>"

    def __str__(self) -> str:
        return "\n".join(self._game.board(view(self)))

    @property
    def text(self) -> str:
        """The game so far in notation: its moves, and the drawn card if one waits."""
        tokens = [str(move) for move in self._moves]
        if self.card is not None and self.fault is None:
            tokens.insert(len(tokens) - self.resigned, str(self.card))
        return " ".join(tokens)

    # -- internals --------------------------------------------------------------------------

    def _key(self) -> tuple[object, ...]:
        return self._game, self._position, self._to_move, self._ending

    @property
    def _due(self) -> bool:
        """Whether a card must be drawn before the next move."""
        game = self._game
        return (
            game.has_deck
            and self._ending is None
            and game.chance.due(*self._position, game.variant) == 1
        )

    def _checked(self, move: Move) -> tuple[int, Move]:
        """The code and the canonical form of a move, or the error that refuses it."""
        if self._ending or not self._mask:
            raise IllegalMove(
                _("A card must be drawn first.") if self._due else _("The game is over.")
            )
        move = self._game.read(move, self)
        code = self._game.code(move)
        if code < 0 or code >= self._mask.bit_length() or not self._mask >> code & 1:
            raise IllegalMove(self._game.refusal(move, view(self)))
        return code, move

    def _ended(self, ending: Move, token: str, loser: int) -> State:
        moves = (*self._moves, token)
        state = State(
            self._game, self._position, self._to_move, self._first, moves, card=self._card,
        )  # fmt: skip
        state._mask = 0
        state._ending = ending, 3 - loser
        return state


def settled(state: State, chance: Callable[[], float]) -> State:
    """The state at the next decision, or at the end: cards are drawn by random numbers from 0 to 1,
    and forced passes made."""
    while state.draws or state.forced_pass:
        state = drawn(state, chance) if state.draws else state.play("pass")
    return state


def drawn(state: State, chance: Callable[[], float]) -> State:
    """The state with a card drawn, if one is due."""
    return state.draw(state.pick_card(chance())) if state.draws else state


def picked(things: Sequence[Picked], chance: Callable[[], float]) -> Picked:
    """One of several things, by a random number from 0 to 1: Python promises only for these that
    they stay the same."""
    return things[int(chance() * len(things))]


def middle(game: Game) -> State:
    """A position some way into a random game, always the same one: what the game looks like."""
    luck, state, before = random.Random(game.id), game.start(), game.start()
    for _ply in range(2 + game.bounds.plies // 3):
        before, state = state, drawn(state, luck.random)
        state = state.play(luck.choice(state.legal_moves))
        if state.winner is not None:
            return before
    return drawn(state, luck.random)


def played_at_random(game: Game, chance: Callable[[], float]) -> Iterator[State]:
    """The states of a random game: each in which a move is due, with its card, and the last."""
    state = drawn(game.start(), chance)
    while state.winner is None:
        yield state
        state = drawn(state.play(picked(state.legal_moves, chance)), chance)
    yield state


def start(game: Game, first: int, seed: int | None, deck: Iterable[int] | None) -> State:
    """The first state of a game; `Game.start` is its public form."""
    if type(first) is not int or first not in (1, 2):
        raise BadVariant(_("The first player is 1 or 2, not {given!r}.", given=str(first)[:20]))
    if seed is not None and type(seed) is not int:
        raise BadVariant(_("A seed is a whole number, not {given!r}.", given=str(seed)[:20]))
    if deck is not None:
        deck = tuple(deck)
        if any(type(card) is not int for card in deck):
            raise BadVariant(_("A deck is a list of whole numbers, such as [7, 5, 6]."))
    state = State(game, game.rules.start(game.variant), first, first, ())
    if deck is not None and not game.has_deck:
        raise BadVariant(_("{game} has no deck.", game=game.display_name))
    if not game.has_deck or (seed is None and deck is None):
        return state
    ticket = _Deck()
    order = _ORDERS[id(ticket)] = _shuffled(game.cards, deck or (), seed)
    position = game.chance.draw(*state._position, order[0], game.variant)
    return State(game, position, first, first, (), ticket, 1, order[0])


def _shuffled(cards: tuple[int, ...], top: tuple[int, ...], seed: int | None) -> tuple[int, ...]:
    """The named cards in their order, then the rest of the deck, shuffled."""
    rest = list(cards)
    for card in top:
        if card not in rest:
            copies = cards.count(card)
            raise BadVariant(
                _("The deck has only {copies} of card {card}.", copies=copies, card=card)
                if copies
                else _(
                    "There is no card {card} in the deck: its cards are 1 to {highest}.",
                    card=card,
                    highest=max(cards),
                )
            )
        rest.remove(card)
    luck = random.Random(seed) if seed is not None else random.SystemRandom()
    return top + _in_random_order(rest, luck)


def _in_random_order(cards: Iterable[int], luck: random.Random) -> tuple[int, ...]:
    """Shuffle by sorting on random(): only its sequence is promised never to change."""
    return tuple(card for _, card in sorted([(luck.random(), card) for card in cards]))


def _rebuild(game: Game, first: int, text: str) -> State:
    return game.replay(text, first=first)
