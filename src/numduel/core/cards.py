"""Games in which a player draws a card each turn and decides what to do with it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import ClassVar

from numduel.core.errors import IllegalMove, NotAMove
from numduel.core.game import Game, numbers
from numduel.core.language import Texts, _
from numduel.core.state import RESIGNATIONS, Move, State
from numduel.core.text import BLANKS, either
from numduel.core.view import View


class CardGame(Game):
    """A game with a deck. A move is written as the card and a letter for what is done with it."""

    ways: ClassVar[Mapping[str, str]]
    """What can be done with a card: letters and their words, in the order of the rules' bits,
    from bit 1. Letters are not digits."""
    numeric = False

    def moves(self, mask: int, state: State) -> tuple[Move, ...]:
        """The moves in a bit set, for the drawn card."""
        return _moves(mask, state.card or 0, "".join(self.ways))

    def read(self, move: Move, state: State) -> Move:
        """A move in its canonical form: a word or a letter, with or without the card before it."""
        text = move.strip(BLANKS).lower() if isinstance(move, str) else ""
        text = text.removeprefix(str(state.card)) if text[-1:] in self.ways else text
        letter = next((way for way in self.ways if text in (way, *_words(self.ways, way))), None)
        if letter is None:
            raise NotAMove(self._typed_now(state))
        return f"{state.card}{letter}"

    def _typed_now(self, state: State) -> str:
        """What to type; first the words that only this position has for it, if it has any."""
        words = (self.label(self.worded(move, state)) for move in state.legal_moves)
        own = [word for word in words if word not in {*self.ways.values(), _("pass")}]
        if not own:
            return self.input_error()
        return _("Please type {words}.", words=either([*own, *self.ways.values()]))

    def code(self, move: Move) -> int:
        """The bit of a canonical move."""
        return 1 + "".join(self.ways).index(str(move)[-1])

    def reveal(self, state: State, token: str) -> tuple[State, str]:
        """The state after drawing the token's card, and the token, empty if it is only a card."""
        named = token.rstrip("!" + "".join(self.ways))
        if not (named.isascii() and named.isdigit() and len(named) <= 3):
            raise NotAMove(
                _("{token!r} does not name a card and what was done with it.", token=token[:20])
            )
        if state.card is None:
            state = state.draw(int(named))
        elif state.card != int(named):
            raise IllegalMove(
                _("The drawn card is {card}, not {named}.", card=state.card, named=named)
            )
        return state, "" if token == named else token

    def played(self, state: State) -> tuple[tuple[int, str], ...]:
        """Every card that was played, with the letter of what was done with it."""
        tokens = (str(move).removesuffix("!") for move in state.moves)
        return tuple((int(t[:-1]), t[-1]) for t in tokens if t not in RESIGNATIONS)

    def drawn(self, state: State) -> tuple[int, ...]:
        """Every card drawn so far, in order, the waiting one included."""
        waiting = [state.card] if state.card and not state.fault else []
        return (*(card for card, _ in self.played(state)), *waiting)

    def progress(self, state: State) -> float:
        """The share of the cards that are drawn."""
        return len(self.drawn(state)) / len(self.cards)

    def prompt(self, view: View) -> list[str]:
        """The drawn card, and what can be done with it."""
        return [
            _("{name} draws {card}.", name=view.player, card=view.card),
            *super().prompt(view),
        ]

    def input_error(self) -> str:
        """What to type."""
        return _("Please type {words}.", words=self.input_hint())

    def input_hint(self) -> str:
        """The words and the letters."""
        return _(
            "{words} (or {letters})",
            words=either(self.ways.values()), letters=", ".join(self.ways),
        )  # fmt: skip

    def label(self, move: Move) -> str:
        """The word for what is done with a card."""
        card, letter = str(move)[:-1], str(move)[-1:]
        if card.isdigit() and letter in self.ways:
            return self.ways[letter]
        return super().label(move)

    def _made(self, move: Move) -> str:
        """The card, and the word for what is done with it: ``7: keep``."""
        card, letter = str(move)[:-1], str(move)[-1:]
        known = card.isdigit() and letter in self.ways
        return f"{card}: {self.label(move)}" if known else super()._made(move)


def _words(ways: Mapping[str, str], way: str) -> tuple[str, str]:
    """What a way may be called: its word in English, and in the language in which the page shows
    it."""
    return ways.english[way] if isinstance(ways, Texts) else ways[way], ways[way].lower()


@cache
def _moves(mask: int, card: int, letters: str) -> tuple[Move, ...]:
    return tuple(f"{card}{letters[code - 1]}" for code in numbers(mask))
