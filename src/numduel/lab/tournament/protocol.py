"""The lines that ask a player in another process for a move."""

from __future__ import annotations

from numduel.core.state import State
from numduel.games import game as find


def question(state: State) -> str:
    """The line that asks for a move: the game so far, as both players see it."""
    game = state.game
    return f"{game.id} {game.variant_text} seat={state.to_move}: {state.text}".rstrip()


def read_question(line: str) -> State:
    """The state that a line asks about."""
    head, _, moves = line.partition(":")
    name, *pairs = head.split()
    settings = dict(pair.split("=", 1) for pair in pairs)
    del settings["seat"]
    return find(name, **settings).replay(moves)
