"""What an audit finds."""

from __future__ import annotations

from typing import NamedTuple

from numduel.core.game import Game
from numduel.solver.values import Option, Value

VALUE, EQUALS, PERFECT, RANDOM, COLUMNS = range(5)
"""The columns of a position: its value, and the chance to win of the player to move between two
random players, as a perfect player against a random one, and the other way round."""


class Opening(NamedTuple):
    """A first move and its exact value, after the drawn card if there is a deck."""

    card: int | None
    option: Option


class Ending(NamedTuple):
    """A way to end a game, and in how many finished positions it occurs."""

    text: str
    positions: int


class Decisions(NamedTuple):
    """How often a choice between several moves matters."""

    positions: int
    """Positions with two or more legal moves."""
    result: int
    """Those where some moves win less often than others."""
    points: int | None
    """Those where some moves give away points, in a game with points."""
    random_result: float
    """The share of `result` among the choices in a random game."""
    random_points: float | None


class Audit(NamedTuple):
    """Everything that was found about a game."""

    game: Game
    value: Value
    """For the player who moves first."""
    openings: tuple[Opening, ...]
    positions: int
    finished: int
    draws: int
    """Finished positions that nobody won."""
    games: dict[int, int]
    """Different games by their length in moves."""
    random_lengths: dict[int, float]
    """How likely a random game is to have each length."""
    decisions: Decisions
    perfect_first: float
    """How often a perfect player who moves first beats a random one."""
    perfect_second: float
    equals: dict[str, float]
    """How often the first player wins between two perfect players, and between two random ones."""
    endings: tuple[Ending, ...]
    missing: tuple[str, ...]
    """What was not computed, and why."""
