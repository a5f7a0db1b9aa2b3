"""Words that several screens use."""

from __future__ import annotations

from datetime import datetime

from numduel.core.game import Game
from numduel.core.text import DEFAULT_NAMES, HUMAN, counted
from numduel.record import Record


def name(game: Game) -> str:
    """What the game is called, its title beside it where that is another, and its settings where
    they are not the usual ones."""
    known = game.called if game.called == game.title else f"{game.called} · {game.title}"
    return " · ".join([known, *game.changes])


def shown_names(record: Record) -> tuple[str, str]:
    """The names of the players; a computer without a name of its own is called by its level."""
    one, two = (
        f"Computer ({kind})" if kind != HUMAN and name == default else name
        for name, kind, default in zip(record.names, record.players, DEFAULT_NAMES, strict=True)
    )
    return (one, two) if one != two else (f"{one} 1", f"{two} 2")


def summary(record: Record) -> str:
    """A kept game in one line: which one, who plays, how far it is, and when it was begun."""
    one, two = shown_names(record)
    state = record.state
    end = (
        f"{(one, two)[state.winner - 1]} won" if state.winner else counted(len(state.moves), "move")
    )
    return " · ".join([record.game.called, f"{one} – {two}", end, *ago(record.date)])


def ago(date: datetime | None) -> list[str]:
    """``5 min ago``, ``3 h ago``, ``2 days ago`` or the date, if it is known."""
    if date is None:
        return []
    minutes = int((datetime.now() - date).total_seconds() // 60)
    if minutes < 0 or minutes >= 7 * 24 * 60:
        return [f"{date:%Y-%m-%d}"]
    if minutes < 60:
        return [f"{minutes} min ago"]
    return [
        f"{minutes // 60} h ago" if minutes < 24 * 60 else f"{counted(minutes // 1440, 'day')} ago"
    ]
