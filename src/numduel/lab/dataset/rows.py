"""One position as a row of plain data: what a player sees, and what every move is worth."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from numduel.core.game import Game
from numduel.core.ideas import Idea
from numduel.lab.dataset.decisions import Decision, regret, unit
from numduel.lab.dataset.splits import CANARY, name, split_of
from numduel.learn.puzzle import grade_of, theme_of

Row = dict[str, Any]
"""The value in each of `COLUMNS`."""
DIGITS = 12
"""Digits of a chance behind the point: what lies beyond is rounding."""
COLUMNS = {
    "position": "names the row: game, variant and moves, in notation",
    "game": "the id of the game",
    "variant": "its settings",
    "rules": "the version of the rulebook text, which is in `rules/`",
    "seat": "the player to move, 1 or 2; Player 1 moved first",
    "history": "the moves so far, and the drawn card",
    "board": "the board as text",
    "card": "the drawn card, in a game of cards",
    "legal_moves": "every legal move",
    "regrets": "what each of them loses, in the same order",
    "best_moves": "those that lose nothing",
    "unit": "what regret is counted in: `chance` to win, or `points`",
    "win_probability": "the chance to win with best play by both",
    "margin": "points ahead at the end, where points are counted",
    "plies": "moves to the end with best play, where that is known",
    "phase": "how much is used up: `early`, `middle` or `late`, each a third",
    "ideas": "the smallest list of ideas that finds the move",
    "idea": "the hardest of them; null where no list of two finds one",
    "grade": "the difficulty, 1 to 5: that of the ideas together",
    "canary": "a mark to find rows by in a training corpus; null in `train`",
}
"""What every column means, in order."""


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
