"""Stepping through a recorded game."""

from __future__ import annotations

from numduel.core.state import State
from numduel.core.view import view
from numduel.record import Record
from numduel.terminal.screen import Screen


def step_through(record: Record, screen: Screen) -> None:
    """Show a game move by move: one at a time on a terminal, all of it through a pipe."""
    game, names = record.game, record.names
    screen.tell_apart(
        *((name, f"[{marker}]") for name, marker in zip(names, game.markers, strict=True))
    )
    screen.say(*game.welcome(), *game.board(view(record.states[0], names)))
    at, last = 0, len(record.states) - 1
    while at < last or screen.interactive:
        step = _step(screen, at == last) if screen.interactive else 1
        if step == 0:
            return
        at = min(last, max(0, at + step))
        screen.say("", *_position(record, record.states[at]))


def _step(screen: Screen, ended: bool) -> int:
    """Ask how to go on: 1 to the next move, -1 to the one before, 0 to leave."""
    question = "Enter: leave, b: back > " if ended else "Enter: next move, b: back, q: leave > "
    steps = {"": 0 if ended else 1, "n": 1, "b": -1, "q": 0, "quit": 0, "exit": 0}
    try:
        answer = screen.ask(question).strip().lower()
        while answer not in steps:
            answer = screen.ask(question).strip().lower()
    except (EOFError, KeyboardInterrupt):
        screen.say("")
        return 0
    return steps[answer]


def _position(record: Record, state: State) -> list[str]:
    """A position of the game: the last move, the board, and the result if it is the end."""
    game, seen = record.game, view(state, record.names)
    if not state.moves:
        return game.board(seen)
    lines = [f"Move {len(state.moves)}: {seen.name(seen.mover)}, {seen.last}"]
    if state.outcome is None:
        return [*lines, *game.told(seen)]
    if state.fault is None and not state.resigned:
        lines += game.told(seen)
    return [*lines, "", *game.conclusion(seen)]
