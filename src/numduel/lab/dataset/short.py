"""Short heuristics: rules of two or three lines, with which somebody scores who knows no more.

Positions to test with are chosen so that no rule that fits in a line scores, nor any that goes by
the look of a move. Of longer rules there is no end, so positions are not chosen against them: what
they score is printed beside the scores. These are the best that we found for each game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from numduel.core.game import Game, numbers
from numduel.core.state import State
from numduel.games import build, capture
from numduel.lab.dataset import trivial
from numduel.lab.dataset.decisions import Decision, random_regret
from numduel.lab.dataset.trivial import RANDOM, Best
from numduel.solver import Option

Worth = Callable[[State, int], float]
"""What a move, by the bit that the rules use, is worth by a rule."""


class Short(NamedTuple):
    """A rule that takes the moves that are worth most by it, each equally often."""

    name: str
    told: str
    """What it does, in words."""
    worth: Worth


def heuristics(game: Game) -> tuple[Short, ...]:
    """The short heuristics that we know for a game."""
    return _KNOWN.get(game.id, ())


def regrets(state: State, options: Iterable[Option]) -> dict[str, float]:
    """What each short heuristic of a game loses in a position, on average where it takes several
    moves."""
    losses = {state.game.code(option.move): option.loss for option in options}
    found = {}
    for rule in heuristics(state.game):
        worth = {move: rule.worth(state, move) for move in losses}
        most = max(worth.values())
        taken = [losses[move] for move in worth if worth[move] == most]
        found[rule.name] = sum(taken) / len(taken)
    return found


def skills(decisions: Iterable[Decision]) -> list[Best]:
    """The skill of each short heuristic in some positions of one game, the best first."""
    found = trivial.skills(
        {RANDOM.name: random_regret(one.options), **regrets(*one)} for one in decisions
    )
    found.pop(RANDOM.name, None)
    return sorted((Best(*one) for one in found.items()), key=lambda one: -one.skill)


# -- in a row, and evenly spaced ------------------------------------------------------------


def _rows(game: Game) -> Iterator[int]:
    """The sets of numbers that win, as bit sets."""
    n, k = game.variant
    for step in range(1, 2 if game.name == "line" else n):
        for first in range(1, n + 1 - (k - 1) * step):
            yield sum(1 << first + at * step for at in range(k))


def _windows(state: State, move: int) -> float:
    """Rows through a number that only one player can still complete, by 10 to the power of how many
    numbers that player holds in them."""
    own, other = state.position
    through = [row for row in _rows(state.game) if row >> move & 1]
    return sum(_weight(row, own, other, 10) + _weight(row, other, own, 10) for row in through)


def _balance(state: State, move: int) -> float:
    """The same after the move for all rows, one's own less the opponent's, by 4 to that power."""
    own, other = state.position
    own |= 1 << move
    return sum(
        _weight(row, own, other, 4) - _weight(row, other, own, 4) for row in _rows(state.game)
    )


def _weight(row: int, holder: int, against: int, base: int) -> int:
    return 0 if row & against else base ** (row & holder).bit_count()


# -- the other games ------------------------------------------------------------------------


def _replies(state: State, move: int) -> float:
    """The opponent's answers, each as 1 divided by how many moves one has then."""
    rules, v = state.game.rules, state.game.variant
    after = rules.play(*state.position, move, v)
    left = [
        rules.legal(*rules.play(*after, answer, v), v).bit_count()
        for answer in numbers(rules.legal(*after, v))
    ]
    # An answer after which one has lost is worse than any number of others.
    return -sum(1 / count if count else 1e9 for count in left)


def _contested(state: State, move: int) -> float:
    """A number by its value if the opponent could claim it, too; else less than any of these."""
    own, other = state.position
    v = state.game.variant
    return move if capture.open_to(other, own, v) >> move & 1 else move / (v.n + 1)


def _net(state: State, move: int) -> float:
    """The same, less half of the neighbours that one could still claim."""
    mine = capture.open_to(*state.position, state.game.variant)
    lost = sum(one for one in (move - 1, move + 1) if mine >> one & 1)
    return _contested(state, move) - lost / 2


def _growth(state: State, move: int) -> float:
    """Eight times the length of one's row after the move, and the undrawn cards that would fit at
    its beginning and at its end; at an empty row all do."""
    rules, v = state.game.rules, state.game.variant
    hands, pile = rules.play(*state.position, move, v)
    row = build.sequence(hands, 1, v)
    ends = (build.first(row, v), row % (v.n + 1))
    fitting = [one for end in ends for one in (end - 1, end + 1) if 1 <= one <= v.n]
    cards = fitting if row else range(1, v.n + 1)
    return 8 * build.length(row, v) + sum(build.left(hands, pile, one, v) for one in cards)


_ROWS = (
    Short(
        "windows",
        "Of each winning set with a number in it that only one of you can still complete, count 10"
        " to the power of how many of it are held; take the number with the largest sum.",
        _windows,
    ),
    Short(
        "balance",
        "After the move, count 4 to the power of how many are held of each winning set that only"
        " you can still complete, less the same for theirs; take the largest sum.",
        _balance,
    ),
)
_KNOWN = {
    "sequence-capture-line": _ROWS,
    "sequence-duel": _ROWS,
    "sequence-capture-factors": (
        Short(
            "replies",
            "Add up 1 ÷ (the moves that you have left) over their answers; take the smallest sum.",
            _replies,
        ),
    ),
    "number-capture": (
        Short(
            "contested",
            "Take the highest number that they could claim, too, or else the highest.",
            _contested,
        ),
        Short(
            "net",
            "A number counts if they could claim it, too, less half of each neighbour that you"
            " could still claim; take the largest.",
            _net,
        ),
    ),
    "sequence-build": (
        Short(
            "growth",
            "After the move, count 8 for each card of your row, and 1 for each undrawn card that"
            " would fit at an end of it (all, if it is empty); take the largest sum.",
            _growth,
        ),
    ),
}
"""By the id of the game."""
