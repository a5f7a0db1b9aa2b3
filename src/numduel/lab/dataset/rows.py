"""One position as a row of plain data: what a player sees, and what every move is worth."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, NamedTuple

from numduel.core.game import Game
from numduel.core.ideas import Idea
from numduel.lab.dataset.decisions import Decision, regret, unit
from numduel.lab.dataset.splits import CANARY, name, split_of
from numduel.learn.puzzle import grade_of, theme_of

Row = dict[str, Any]
"""The value of each of `COLUMNS`, by its name."""
DIGITS = 12
"""Digits of a chance behind the point: what lies beyond is rounding."""


class Column(NamedTuple):
    """One column of the data."""

    name: str
    kind: str
    """The name of its type in Arrow."""
    meaning: str
    many: bool = False
    """Whether it holds a list."""


COLUMNS = (
    Column("position", "string", "names the row: game, variant and moves, in notation"),
    Column("game", "string", "the id of the game"),
    Column("variant", "string", "its settings"),
    Column("rules", "string", "the version of the rulebook text, which is in `rules/`"),
    Column("seat", "int8", "the player to move, 1 or 2; Player 1 moved first"),
    Column("history", "string", "the moves so far, and the drawn card"),
    Column("board", "string", "the board as text"),
    Column("card", "int32", "the drawn card, in a game of cards"),
    Column("legal_moves", "string", "every legal move", many=True),
    Column("regrets", "double", "what each of them loses, in the same order", many=True),
    Column("best_moves", "string", "those that lose nothing", many=True),
    Column("unit", "string", "what regret is counted in: `chance` to win, or `points`"),
    Column("win_probability", "double", "the chance to win with best play by both"),
    Column("margin", "int32", "points ahead at the end, where points are counted"),
    Column("plies", "int32", "moves to the end with best play, where that is known"),
    Column("phase", "string", "how much is used up: `early`, `middle` or `late`, each a third"),
    Column("ideas", "string", "the smallest list of ideas that finds the move", many=True),
    Column("idea", "string", "the hardest of them; null where no list of two finds one"),
    Column("grade", "int8", "the difficulty, 1 to 5: that of the ideas together"),
    Column("canary", "string", "a mark to find rows by in a training corpus; null in `train`"),
)
"""Every column, in order."""


def row(decision: Decision, ideas: tuple[Idea, ...] | None) -> Row:
    """A decision as plain data, given the smallest list of ideas that finds its move."""
    state, value, theme = decision.state, decision.options[0].value, theme_of(ideas)
    game, moves = state.game, state.legal_moves
    return {
        "position": name(state),
        "game": game.id,
        "variant": game.variant_text,
        "rules": rules_version(game),
        "seat": state.to_move,
        "history": state.text,
        "board": str(state),
        "card": state.card,
        "legal_moves": [str(move) for move in moves],
        "regrets": [round(regret(decision.options, move), DIGITS) for move in moves],
        "best_moves": [str(move) for move in decision.best],
        "unit": unit(game),
        "win_probability": round(value.win_probability, DIGITS),
        "margin": value.margin,
        "plies": value.plies,
        "phase": decision.phase,
        "ideas": None if ideas is None else [idea.name for idea in ideas],
        "idea": None if theme is None else theme.name,
        "grade": grade_of(ideas),
        "canary": None if split_of(state) == "train" else CANARY,
    }


def rules_text(game: Game) -> str:
    """What a player is told of the rules, as a file."""
    return f"{game.rulebook}\n"


def rules_version(game: Game) -> str:
    """The version of that text: the beginning of its SHA-256."""
    return sha256(rules_text(game).encode()).hexdigest()[:12]
