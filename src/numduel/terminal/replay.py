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
    at = 0
    while at < len(record.states) - 1:
        step = 1
        if screen.interactive:
            try:
                answer = screen.ask("Enter: next move, b: back, q: leave > ").strip().lower()
            except (EOFError, KeyboardInterrupt):
                screen.say("")
                return
            if answer in ("q", "quit", "exit"):
                return
            step = -1 if answer == "b" else 1
        at = max(0, at + step)
        screen.say("", *_shown(record, record.states[at]))


def _shown(record: Record, state: State) -> list[str]:
    """One position of a record: how it came about, and how the game ended if it did."""
    game, seen = record.game, view(state, record.names)
    if not state.moves:
        return game.board(seen)
    lines = [f"Move {len(state.moves)}: {seen.name(seen.mover)}, {seen.last}"]
    if state.outcome is None:
        return [*lines, *game.moved(seen)]
    if state.fault is None and not state.resigned:
        lines += game.moved(seen)
    return [*lines, "", *game.conclusion(seen)]
