"""The parts of a game's rules: pure functions on integers, their bounds, and parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from numduel.core.errors import BadVariant
from numduel.core.language import _, translated
from numduel.core.text import MAX_DIGITS, either, whole_number

Position = tuple[int, int]
"""Two integers, seen from the player to move; each game file says what they mean."""
POINT = 3
"""What a point is worth in `Rules.ahead`; winning a tie is worth less."""


class Rules(NamedTuple):
    """The rules of a game: pure functions on integers that Numba compiles unchanged.

    A position is two integers seen from the player to move, and `v` is the variant. The game is
    over when `legal` gives no move (and no card is due); only then is `result` asked. The functions
    may call helpers, also from other modules, as long as these are pure functions too.
    """

    start: Callable[[Any], Position]
    """``start(v)``: the first position."""
    legal: Callable[[int, int, Any], int]
    """``legal(a, b, v)``: the legal moves as a bit set; bit 0 is a forced pass."""
    play: Callable[[int, int, int, Any], Position]
    """``play(a, b, move, v)``: the position after a move, seen from the next player."""
    result: Callable[[int, int, Any], int]
    """``result(a, b, v)``: in a finished position, 1 if the player to move won, else -1."""
    margin: Callable[[int, int, Any], int] | None = None
    """``margin(a, b, v)``: in a game that is counted, how far the player to move is ahead, at most
    `Bounds.points`; it decides the result, unless it is 0."""
    edges: Callable[[int, Any], int] | None = None
    """``edges(number, v)``: where a token moves from number to number and never returns, the
    numbers next to one. The position is the set of used numbers and the token's number, and a
    player who cannot move loses. It lets the solver use matchings."""
    apart: Callable[[Any], bool] | None = None
    """``apart(v)``: whether a position is two sets of numbers, a player may claim any free number
    that is not next to one of their own, passes if there is none until nobody can claim, and the
    game is counted. It lets the solver number all positions of a long line."""
    rest: Callable[[int, int, Any], Position] | None = None
    """``rest(a, b, v)``: two integers that decide how the game goes on. Where they are equal, the
    same moves are legal, and lead to equal ones again. It lets the solver look at such positions
    once; in a game that is counted, `ahead` has to tell them apart."""
    ahead: Callable[[int, int, Any], int] | None = None
    """``ahead(a, b, v)``: how far the player to move is ahead so far, in a game that is counted:
    `POINT` for each point, and 1 more or less once it is decided who wins if the points are equal.
    A move adds the same whenever it is made."""
    aliases: Callable[[int, int, Any], int] | None = None
    """``aliases(a, b, v)``: moves that are other names of legal ones, as a bit set. Programs may
    send them; `play` takes them where the legal one leads. `legal` has each move once."""


class Chance(NamedTuple):
    """The rules of a deck, in the same form.

    Each player has a hand, which is one integer. The first integer of a position is both hands
    joined; the second is the undrawn cards and the drawn one that waits, 0 when there is neither.
    The effect of a card on a hand depends on these two alone, and playing a card ends the
    game at once only by winning it. A card is drawn on every turn, until there is none.
    """

    due: Callable[[int, int, Any], int]
    """``due(a, b, v)``: 1 if a card must be drawn before the next move, else 0."""
    left: Callable[[int, int, int, Any], int]
    """``left(a, b, card, v)``: how many of a card are undrawn; cards are 1 to `Bounds.cards`."""
    draw: Callable[[int, int, int, Any], Position]
    """``draw(a, b, card, v)``: the position after the draw; the same player is to move."""
    hand: Callable[[int, int, Any], int]
    """``hand(a, whose, v)``: the hand of the player to move (0) or of the opponent (1)."""
    join: Callable[[int, int, Any], int]
    """``join(own, other, v)``: the first integer of a position, from both hands."""


class Bounds(NamedTuple):
    """Upper bounds of a game in its variant. `numduel.testing.check_game` verifies them."""

    actions: int
    """The number of distinct moves, not counting passes: their bits are 1 to this."""
    plies: int
    """Moves, passes included, of the longest game."""
    bits: int
    """Both integers of every position are at least 0 and less than 2 to the power of this."""
    cards: int = 0
    """The highest card, where there is a deck: its cards are 1 to this."""
    points: int = 0
    """The largest margin, in a game that is counted."""


@translated("meaning", "phrases")
class Parameter(NamedTuple):
    """One setting of a variant: a whole number in a range, or one of a few words."""

    meaning: str
    low: int = 0
    high: int = 0
    words: tuple[str, ...] = ()
    """If given, the setting is one of these words, and its value is the word's index."""
    phrases: tuple[str, ...] = ()
    """What each word means where it is told: ``even first number``."""

    def read(self, name: str, value: object) -> int:
        """The integer for a value given as a number or as text."""
        if isinstance(value, int) and (isinstance(value, bool) or abs(value) >= 10**MAX_DIGITS):
            value = _("an absurd number") if value > 1 else _("no number")
        text = str(value) if isinstance(value, int | str) else ""
        if self.words:
            if text.lower() not in self.words:
                raise BadVariant(
                    _(
                        "{name} must be {choices}, not {given}.",
                        name=name, choices=self.choices, given=short(value),
                    )
                )  # fmt: skip
            return self.words.index(text.lower())
        number = whole_number(text)
        if number is None or not self.low <= number <= self.high:
            raise BadVariant(
                _(
                    "{name} ({meaning}) must be a whole number from {low} to {high}, not {given}.",
                    name=name, meaning=self.meaning, low=self.low, high=self.high,
                    given=short(value),
                )
            )  # fmt: skip
        return number

    def show(self, value: int) -> int | str:
        """The value as people write it."""
        return self.words[value] if self.words else value

    def told(self, shown: int | str) -> str:
        """A value in words: ``the length of the line: 24``, or ``even first number``."""
        if self.words and self.phrases:
            return self.phrases[self.words.index(str(shown))]
        if self.words:
            return f"{shown} {self.meaning.removeprefix('the ')}"
        return _("{setting}: {value}", setting=self.meaning, value=shown)

    @property
    def labels(self) -> tuple[str, ...]:
        """The words as people read them, who do not type them."""
        return tuple(map(_, self.words))

    @property
    def choices(self) -> str:
        """``1 to 999``, or ``any or even``."""
        if self.words:
            return either(self.words)
        return _("{low} to {high}", low=self.low, high=self.high)


def short(value: object) -> str:
    """A value that was given for a setting, quoted and not too long."""
    text = value if isinstance(value, str) else repr(value)
    return repr(text if len(text) <= 20 else text[:20] + "…")
