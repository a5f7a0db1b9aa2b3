"""Two-player number games: play them, and know the exact value of every move."""

from importlib import import_module
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
    from numduel.learn.coach import hint
    from numduel.learn.puzzle import puzzle
    from numduel.learn.strategies import Strategy, strategy
    from numduel.play.players import player
    from numduel.play.record import Record, parse
    from numduel.solver import Option, Value, analyse, evaluate

__version__ = "2.0.0.dev0"

__all__ = [
    "BadRecord", "BadVariant", "Cell", "Game", "IllegalMove", "NotAMove", "NumduelError", "Option",
    "Outcome", "Record", "State", "Strategy", "UnknownGame", "Value", "View", "analyse", "evaluate",
    "game", "games", "hint", "parse", "player", "puzzle", "strategy", "view",
]  # fmt: skip
_LATE = {
    **dict.fromkeys(("Option", "Value", "analyse", "evaluate"), "solver"),
    **dict.fromkeys(("Record", "parse"), "play.record"),
    **dict.fromkeys(("Strategy", "strategy"), "learn.strategies"),
    "hint": "learn.coach",
    "player": "play.players",
    "puzzle": "learn.puzzle",
}
"""Names that are imported on first use, so that a game between two people never waits for them."""


def __getattr__(name: str) -> Any:
    """Import what is not needed to play."""
    if name in _LATE:
        return getattr(import_module(f"numduel.{_LATE[name]}"), name)
    raise AttributeError(f"module 'numduel' has no attribute {name!r}")
