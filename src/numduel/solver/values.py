"""The value of a position, and of each move in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from numduel.core.state import Move

SEARCH_LIMIT = 30_000_000
"""Nodes that one analysis may visit, which takes a few seconds."""
TIE = 1e-12
"""Chances that differ by less are equal, up to rounding."""
Report = Callable[[str, int, int | None], None]
"""Called now and then with what is being done, how much of it is done, and the total if it is
known."""
SOLVING = "solving"


def unreported(_what: str, _done: int, _total: int | None) -> None:
    """Report progress to nobody."""


class Lookup(NamedTuple):
    """How compiled code reads the values of a solved game."""

    chance: Callable[[Any, Any, Any], Any]
    """``chance(a, b, table)``: the win probability of the player to move, in a position that a move
    has just led to; a function that Numba compiles."""
    table: tuple[Any, ...]
    """The arrays that it reads."""
    score: Callable[[Any, Any, Any], Any] | None = None
    """``score(a, b, table)``: the score of a position, if the table holds scores; see `scores`."""


def scores(score: Callable[[Any, Any, Any], Any], table: tuple[Any, ...]) -> Lookup:
    """How compiled code reads a table of scores, which are positive where the player to move wins.
    The function must be registered with Numba."""

    def chance(a: Any, b: Any, table: Any) -> float:
        return 1.0 if score(a, b, table) > 0 else 0.0

    return Lookup(chance, table, score)


class TooLarge(Exception):
    """The game cannot be solved exactly within the memory and time allowed."""


class Value(NamedTuple):
    """The value of a position under best play by both, for the player to move."""

    win_probability: float
    """Exactly 0 or 1 where there is no luck."""
    plies: int | None = None
    """Moves to the end where there is no luck; the winner hurries, the loser delays."""
    margin: int | None = None
    """Points ahead at the end, in a game with points."""
    exact: bool = True

    @property
    def rank(self) -> tuple[float, float, float]:
        """Larger is better: first the result, then the points, then the time it takes."""
        hurry = 0 if self.plies is None else -self.plies if self.win_probability else self.plies
        return self.win_probability, self.margin or 0, hurry

    def before(self) -> Value:
        """This value one move earlier, for the player who makes that move."""
        return Value(
            1 - self.win_probability,
            None if self.plies is None else self.plies + 1,
            None if self.margin is None else -self.margin,
            self.exact,
        )


class Option(NamedTuple):
    """A legal move and its value for the player who makes it."""

    move: Move
    value: Value
    best: bool
    """Whether no other move is better. Of moves that all lose by as many points, the ones that hold
    out longest are best."""
    loss: float
    """How much worse it is than the best: in points if the game has them, else probability."""

    @property
    def win_probability(self) -> float:
        """The chance to win with this move; exactly 0 or 1 where there is no luck."""
        return self.value.win_probability

    @property
    def plies(self) -> int | None:
        """Moves to the end, this one included, where there is no luck."""
        return self.value.plies

    @property
    def margin(self) -> int | None:
        """Points ahead at the end, in a game with points."""
        return self.value.margin

    @property
    def exact(self) -> bool:
        """Whether the value is proved, not estimated."""
        return self.value.exact

    def json(self) -> dict[str, object]:
        """The option as plain data."""
        return {
            "move": str(self.move),
            **self.value._asdict(),
            "best": self.best,
            "loss": self.loss,
        }


def options(valued: list[tuple[Move, Value]]) -> tuple[Option, ...]:
    """The moves of a position, best first; ties stay in their order."""
    valued = sorted(valued, key=lambda pair: pair[1].rank, reverse=True)
    top = valued[0][1] if valued else Value(0)

    def best(value: Value) -> bool:
        chance = top.win_probability - value.win_probability
        return chance <= TIE and value.rank[1:] == top.rank[1:]

    return tuple(Option(move, value, best(value), loss(top, value)) for move, value in valued)


def loss(top: Value, value: Value) -> float:
    """How much worse a move is than the best one."""
    if top.margin is not None and value.margin is not None:
        return float(top.margin - value.margin)
    return top.win_probability - value.win_probability
