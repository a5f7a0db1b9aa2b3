"""The list of saved games, from which a person picks one."""

from __future__ import annotations

from pathlib import Path

from numduel.core.errors import BadVariant
from numduel.core.text import counted, whole_number
from numduel.record import Record
from numduel.store import saved_games
from numduel.terminal.screen import Screen

MAX_LISTED = 20
"""Games in the list, the latest first."""


def pick(screen: Screen, which: str | None, command: str, *, finished: bool) -> Path | None:
    """The file of a game: the one that was named, or the one that is picked from the list. None if
    there is no game, or the person picks none."""
    number = whole_number(which or "")
    if which is not None and number is None:
        return Path(which)
    games = saved_games(finished=finished)
    if not games:
        screen.say(f"There is no {'finished' if finished else 'unfinished'} game.")
        return None
    if which is None and len(games) == 1:
        return games[0][0]
    if which is None:
        screen.say(*_listed([record for _, record in games]))
        if not screen.interactive:
            screen.say(f"Say which: numduel {command} NUMBER.")
            return None
        number = _ask(screen, len(games))
        if number is None:
            return None
    if number is None or not 1 <= number <= len(games):
        raise BadVariant(f"Choose a number from 1 to {len(games)}.")
    return games[number - 1][0]


def _listed(records: list[Record]) -> list[str]:
    """The latest games with their numbers, one on each line."""
    lines = [f"{place:3}  {label(record)}" for place, record in enumerate(records[:MAX_LISTED], 1)]
    older = len(records) - MAX_LISTED
    return [*lines, f"     and {older} older, up to number {len(records)}"] if older > 0 else lines


def _ask(screen: Screen, count: int) -> int | None:
    """Ask for the number of a game; None if the person leaves."""
    while True:
        try:
            answer = screen.ask("Which game? ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            screen.say("")
            return None
        number = whole_number(answer)
        if number is not None and 1 <= number <= count:
            return number
        if answer in ("q", "quit", "exit"):
            return None
        screen.fail(f"Please type a number from 1 to {count}, or q to leave.")


def label(record: Record) -> str:
    """A game in one line: which game, who plays, how many moves, and when."""
    names = " against ".join(
        name if kind == "human" else f"{name} ({kind})"
        for name, kind in zip(record.names, record.players, strict=True)
    )
    moves = len(record.state.moves)
    parts = [f"{record.game.title}: {names}", counted(moves, "move")]
    if record.state.winner:
        parts.append(f"{record.names[record.state.winner - 1]} won")
    if record.date is not None:
        parts.append(f"{record.date:%Y-%m-%d %H:%M}")
    return ", ".join(parts)
