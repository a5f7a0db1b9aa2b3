"""Words that several screens use."""

from __future__ import annotations

from datetime import datetime

from numduel.core.game import Game
from numduel.core.text import ago, counted
from numduel.play.players import seat_names
from numduel.play.record import Record


def name(game: Game) -> str:
    """What the game is called, and its settings where they are not the usual ones."""
    return " · ".join([game.display_name, *game.changes])


def shown_names(record: Record) -> tuple[str, str]:
    """The names of the players; a computer without a name of its own is called by its level."""
    return seat_names(record.players, record.names)


def summary(record: Record, *, short: bool = False) -> str:
    """A kept game in one line: which one, who plays, how far it is, and when it was begun; in
    short, one's own name is left out."""
    names, state, person = shown_names(record), record.state, record.person
    who = names[2 - person] if short and person else " – ".join(names)
    told = [who, counted(len(state.moves), "move")]
    if state.winner:
        told = [f"{names[state.winner - 1]} beat {names[2 - state.winner]}"]
    when = [ago(record.date, datetime.now())] if record.date else []
    return " · ".join([record.game.display_name, *told, *when])
