"""The list of saved games, from which a person picks one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from numduel.core.errors import BadVariant
from numduel.core.text import HUMAN, counted, whole_number
from numduel.record import Record
from numduel.store import saved_games
from numduel.terminal.screen import Screen

MAX_LISTED = 20
"""Games in the list, the latest first."""
NARROWEST = 60
"""Columns from which on a game takes one line."""
MAX_WINNER = 20
"""Characters of the winner's name."""
Saved = tuple[Path, Record]


def pick(screen: Screen, which: str | None, command: str, *, finished: bool) -> Path | None:
    """The file of a game: the one that was named, or the one that is picked from the list. None if
    there is no game, or the person picks none."""
    if which is not None and whole_number(which) is None:
        return Path(which)
    games = saved_games(finished=finished)
    if not games:
        screen.say(f"There is no {'finished' if finished else 'unfinished'} game.")
        return None
    if which is None and len(games) == 1:
        return games[0][0]
    return pick_from(screen, games, which, command)


def pick_from(
    screen: Screen, games: Sequence[Saved], which: str | None, command: str
) -> Path | None:
    """The file of the game with a number, or of the one that a person picks from the list."""
    number = None if which is None else whole_number(which)
    if which is None:
        show_games(screen, games)
        if not screen.interactive:
            screen.say(f"Say which: numduel {command} NUMBER.")
            return None
        number = _ask(screen, len(games))
        if number is None:
            return None
    if number is None or not 1 <= number <= len(games):
        raise BadVariant(f"Choose a number from 1 to {len(games)}.")
    return games[number - 1][0]


def show_games(screen: Screen, games: Sequence[Saved]) -> None:
    """Print the latest games with their numbers, in columns that fit."""
    now = datetime.now()
    rows = [_row(place, record, now) for place, (_, record) in enumerate(games[:MAX_LISTED], 1)]
    older = len(games) - MAX_LISTED
    screen.say(*_columns(rows, screen.limit))
    if older > 0:
        screen.say(f"     and {older} older, up to number {len(games)}")


def _row(place: int, record: Record, now: datetime) -> tuple[str, ...]:
    """A game in columns: number, name, players, moves, result, and when it was begun."""
    winner = record.state.winner
    return (
        f"{place:3}",
        record.game.name,
        players(record),
        counted(len(record.state.moves), "move"),
        f"{cut(record.names[winner - 1], MAX_WINNER)} won" if winner else "",
        "" if record.date is None else ago(record.date, now),
    )


def _columns(rows: Sequence[tuple[str, ...]], width: int | None) -> list[str]:
    """Rows as lines that are not wider than the terminal: the players are cut to what is left, or
    have a line of their own."""
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if width is not None and width < NARROWEST:
        return [
            line
            for place, name, who, moves, won, when in rows
            for line in (
                f"{place}  {name:{wide[1]}}  {moves}, {when}".rstrip(" ,"),
                f"{'':3}  {f'{who}: {won}' if won else who}",
            )
        ]
    used = sum(wide) - wide[2] + sum(2 for size in wide if size) - 2
    wide[2] = wide[2] if width is None else max(10, min(wide[2], width - used))
    return [
        "  ".join(
            f"{cut(cell, size):>{size}}" if column == 3 else f"{cut(cell, size):{size}}"
            for column, (cell, size) in enumerate(zip(row, wide, strict=True))
            if size
        ).rstrip()
        for row in rows
    ]


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
        if answer in ("q", "quit", "exit", "b", "back"):
            return None
        screen.fail(f"Please type a number from 1 to {count}, or q to leave.")


def players(record: Record) -> str:
    """Who plays: ``Player 1 – Computer (hard)``."""
    return " – ".join(
        name if kind == HUMAN or kind in name else f"{name} ({kind})"
        for name, kind in zip(record.names, record.players, strict=True)
    )


def label(record: Record) -> str:
    """A game in one line: which game, who plays, how many moves, and when."""
    moves = counted(len(record.state.moves), "move")
    parts = [f"{record.game.title}: {players(record)}", moves]
    if record.date is not None:
        parts.append(ago(record.date, datetime.now()))
    return ", ".join(parts)


def ago(date: datetime, now: datetime) -> str:
    """How long ago something was: ``5 min ago``; a long time ago, the day."""
    minutes = (now - date).total_seconds() // 60
    if minutes < -1 or minutes >= 60 * 24 * 30:
        return f"{date:%Y-%m-%d}"
    if minutes < 1:
        return "just now"
    if minutes < 60:
        return f"{minutes:.0f} min ago"
    if minutes < 60 * 24:
        return f"{minutes // 60:.0f} h ago"
    days = minutes // (60 * 24)
    return "yesterday" if days < 2 else f"{days:.0f} days ago"


def cut(text: str, width: int) -> str:
    """A text that is not longer than some columns."""
    return text if len(text) <= width else f"{text[: width - 1]}…"
