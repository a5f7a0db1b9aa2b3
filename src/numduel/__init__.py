"""Two-player number games: play them, and know the exact value of every move."""

from typing import TYPE_CHECKING, Any

from numduel.core.errors import (
    BadRecord,
    BadVariant,
    IllegalMove,
    NotAMove,
    NumduelError,
    UnknownGame,
)
from numduel.core.game import Game
from numduel.core.state import Outcome, State
from numduel.core.view import Cell, View, view
from numduel.games import game, games

if TYPE_CHECKING:
    from numduel.learn.strategies import Strategy, strategy
    from numduel.solver import Option, Value, analyse, evaluate

__version__ = "0.2.0"

__all__ = [
    "BadRecord", "BadVariant", "Cell", "Game", "IllegalMove", "NotAMove", "NumduelError", "Option",
    "Outcome", "State", "Strategy", "UnknownGame", "Value", "View", "analyse", "evaluate", "game",
    "games", "strategy", "view",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import the solver on first use, so that a game between two people never waits for it."""
    if name in ("Option", "Value", "analyse", "evaluate"):
        from numduel import solver

        return getattr(solver, name)
    if name in ("Strategy", "strategy"):
        from numduel.learn import strategies

        return getattr(strategies, name)
    raise AttributeError(f"module 'numduel' has no attribute {name!r}")
