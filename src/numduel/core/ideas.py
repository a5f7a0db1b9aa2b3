"""What an idea is: a rule of thumb that prefers some moves of a situation to others, with words.

Ideas are made of what a player can see: the position, its legal moves, the last two moves, and what
follows within a few moves by the rules. They never know a value.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from numduel.core.language import translated
from numduel.core.rules import Position

if TYPE_CHECKING:
    from numduel.core.game import Game
    from numduel.core.state import State

Score = Callable[[int, int, int, Any], Any]
"""``score(a, b, move, v)``: how good a move is, by one idea, as a number."""
Narrow = Callable[[int, int, int, Any], int]
"""``narrow(a, b, moves, v)``: the moves of a bit set that an idea prefers."""
Made = Callable[["Game"], Narrow]
"""Makes such a function from the rules of a game."""


class Situation(NamedTuple):
    """A position as the player to move sees it. Moves are the bits that the rules use."""

    game: Game
    position: Position
    theirs: int = 0
    """The opponent's last move, 0 if there is none."""
    mine: int = 0
    """The last move of the player to move, 0 if there is none."""

    @property
    def legal(self) -> int:
        """The legal moves as a bit set."""
        return self.game.rules.legal(*self.position, self.game.variant)

    def after(self, move: int) -> Situation:
        """What the opponent sees after a move."""
        position = self.game.rules.play(*self.position, move, self.game.variant)
        return Situation(self.game, position, move, self.theirs)


@translated("instruction", "nudge", "sees")
class Idea(NamedTuple):
    """A rule of thumb, in code and in words."""

    name: str
    """One word, for programs: ``starve``."""
    instruction: str
    """What to do: ``Leave them as few answers as you can.``"""
    nudge: str
    """What to look at, without the move: ``Count the answers you leave them.``"""
    sees: str
    """What a player who knows it sees, after "it sees": ``how few answers a move leaves``."""
    prefers: Callable[[Situation, int], int]
    """``prefers(situation, moves)``: the moves of a bit set that it prefers; all of them if it has
    nothing to say."""
    reason: Callable[[State, int], str]
    """``reason(state, move)``: what it says for a move that it prefers, as a clause
    without a full stop: ``after 13 their only answer is 1``; empty if that says nothing. The player
    to move is "you"."""
    grade: int = 1
    """How hard it is to see, from 1 to 5."""
    history: bool = False
    """Whether it looks at the last moves, and not at the position alone."""
    ahead: int = 0
    """How many moves ahead it looks, itself included, by playing them."""


REMEMBERED = 1 << 18
"""Results that Python remembers, of all functions together."""


@lru_cache(maxsize=REMEMBERED)
def _remembered(function: Any, *given: Any) -> Any:
    return function(*given)


def remembered(function: Any) -> Any:
    """A pure function whose last results are remembered."""
    return lambda *given: _remembered(function, *given)


def by(made: Made) -> Callable[[Situation, int], int]:
    """What an idea prefers that looks at the position alone."""
    of = lru_cache(maxsize=64)(made)

    def prefers(seen: Situation, moves: int) -> int:
        return of(seen.game)(*seen.position, moves, seen.game.variant)

    return prefers


def highest(score: Callable[[Game], Score], few: int = 1) -> Made:
    """Prefers the moves with the highest score: so many of them, or more if some are equal."""

    def made(game: Game) -> Narrow:
        worth_of = score(game)

        def narrow(a: int, b: int, moves: int, v: Any) -> int:
            found = 0
            count = 0
            while moves and count < few:
                best = 0
                top: float = 0
                rest = moves
                move = 0
                while rest:
                    if rest & 1:
                        worth = worth_of(a, b, move, v)
                        if best == 0 or worth > top:
                            best = 1 << move
                            top = worth
                        elif worth == top:
                            best |= 1 << move
                    rest >>= 1
                    move += 1
                found |= best
                count += size(best)
                moves &= ~best
            return found

        return narrow

    return made


def size(mask: int) -> int:
    """How many members a bit set has."""
    found = 0
    while mask:
        mask &= mask - 1
        found += 1
    return found
