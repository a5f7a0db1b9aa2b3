"""Why a move is better than another: the one idea that is told, at every door.

An idea is the reason for a slip if the move goes against it, and what it prefers keeps the exact
value that the move gave away. Of several the most specific is told; if there is none, nobody is
told an idea.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from numduel.core.ideas import Idea
from numduel.core.state import Move, State
from numduel.learn.ideas import DENY, DENY_FORK, WIN, explaining, reason, situation
from numduel.solver import Option
from numduel.solver.values import TIE

MOST_MOVES = 128
"""Where there are more legal moves, a person would not look at each: no idea is looked for, and
equally good moves are not compared by the answers that they leave."""


class Cause(NamedTuple):
    """The idea that tells right moves from wrong ones."""

    idea: Idea
    right: tuple[Move, ...]
    """The right moves that it prefers."""

    def clause(self, state: State, move: Move) -> str:
        """``after 13 their only answer is 1``; empty if the idea says nothing for the move."""
        return (reason(self.idea, state, move) or "") if move in self.right else ""


def cause(state: State, options: tuple[Option, ...], played: Move) -> Cause | None:
    """The idea that a slip went against; None if no idea explains it."""
    kept = instead(options, played)
    right, wrong = _bits(state, kept), 1 << state.game.code(played)
    lost = _option(options, played).win_probability < options[0].win_probability - TIE
    return next(causes(state, options, right, wrong, thrown=lost), None)


def causes(
    state: State, options: tuple[Option, ...], right: int, wrong: int, *, thrown: bool = False
) -> Iterator[Cause]:
    """The ideas that tell right moves from wrong ones, both bit sets, the most specific first.
    Whatever they prefer is right; but where a win was thrown away, an idea about what the opponent
    could do next also counts if every right move heeds it. An idea that has nothing to say for a
    right move is left out. Against what the players of a game are warned of, nothing is told but
    how the game would end at once."""
    if len(options) > MOST_MOVES or not all(option.exact for option in options):
        return
    seen = situation(state)
    warned = [idea.prefers(seen, seen.legal) for idea in state.game.dangers]
    forced = {DENY, DENY_FORK, *state.game.dangers} if thrown else set()
    for idea in explaining(state.game):
        some = idea.prefers(seen, seen.legal)
        if some & wrong or not some & right:
            continue
        if idea not in (WIN, DENY) and not all(some & right & safe for safe in warned):
            continue
        if not some & ~right or (idea in forced and not right & ~some):
            moves = state.game.moves(some & right, state)
            if any(reason(idea, state, move) for move in moves):
                yield Cause(idea, moves)


def instead(options: tuple[Option, ...], played: Move) -> tuple[Option, ...]:
    """The moves that keep what a slip gave away: the chance to win, or else points, or else time;
    the best first."""
    best = options[0]
    chance = [best.win_probability - option.win_probability <= TIE for option in options]
    points = [option.loss - best.loss <= TIE for option in options]
    for kept in (chance, points, [option.best for option in options]):
        found = tuple(option for option, right in zip(options, kept, strict=True) if right)
        if all(option.move != played for option in found):
            return found
    return ()


def _bits(state: State, options: Iterable[Option]) -> int:
    return sum(1 << state.game.code(option.move) for option in options)


def _option(options: tuple[Option, ...], move: Move) -> Option:
    return next(option for option in options if option.move == move)
