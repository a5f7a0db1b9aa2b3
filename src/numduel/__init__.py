"""Five two-player number games."""

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

__version__ = "0.1.0"

__all__ = [
    "BadRecord",
    "BadVariant",
    "Cell",
    "Game",
    "IllegalMove",
    "NotAMove",
    "NumduelError",
    "Outcome",
    "State",
    "UnknownGame",
    "View",
    "game",
    "games",
    "view",
]
