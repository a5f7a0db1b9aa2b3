"""What an idea is: a rule of thumb that prefers some moves of a situation to others, with words.

Ideas are made of what a player can see: the position, its legal moves, the last two moves, and what
follows within a few moves by the rules. They never know a value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from numduel.core.rules import Position, Rules

if TYPE_CHECKING:
    from numduel.core.game import Game
    from numduel.core.state import State

Score = Callable[[int, int, int, Any], int]
"""``score(a, b, move, v)``: how good a move is, by one idea."""


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


class Theorem(NamedTuple):
    """A proved way to win on boards of every size."""

    reason: str
    """Why it wins, in a sentence."""
    seat: int = 1
    opening: int | None = None
    pairs: tuple[tuple[int, int], ...] | None = None
    """Answer every number with its partner, or with any number where that is not possible."""
    ideas: tuple[str, ...] = ()
    """Or the names of ideas, applied in turn."""
    margin: int | None = None
    """The points by which it wins at least."""


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
    score: Callable[[Rules], Score] | None = None
    """For an idea that prefers the moves with the highest score: makes the score from the rules, so
    that it can be compiled like them."""
    title: str = ""
    """What people call it, in one or two words, if not by its name: see `called`."""

    @property
    def called(self) -> str:
        """What people call it: ``Few answers``."""
        return self.title or self.name.replace("-", " ").capitalize()


def best(moves: int, score: Callable[[int], float]) -> int:
    """The moves of a bit set with the highest score."""
    found, top = 0, None
    rest = moves
    while rest:
        low = rest & -rest
        rest ^= low
        worth = score(low.bit_length() - 1)
        if top is None or worth > top:
            found, top = low, worth
        elif worth == top:
            found |= low
    return found
