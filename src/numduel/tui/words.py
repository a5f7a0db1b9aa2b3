"""Words that several screens use."""

from __future__ import annotations

from datetime import date, datetime

from numduel.core.game import Game
from numduel.core.language import plural
from numduel.core.text import ago, name_told
from numduel.learn import streaks
from numduel.play.players import computer_name, seat_names
from numduel.play.record import Record

REPORT = "How the game went, and mistakes to try again"


def name(game: Game) -> str:
    """The name of a game, and any settings that are not the usual ones."""
    return " · ".join([game.display_name, *game.changes])


def streak_line() -> str:
    """For how many days in a row the daily puzzle was finished."""
    days = streaks.load().on(date.today())
    return plural("Daily puzzle: {n} day in a row", "Daily puzzle: {n} days in a row", days)


def shown_names(record: Record) -> tuple[str, str]:
    """The names of the players; a computer without a name of its own is called by its level."""
    return seat_names(record.players, record.names)


def told_names(record: Record) -> tuple[str, str]:
    """The same in the language spoken."""
    one, two = shown_names(record)
    return name_told(one), name_told(two)


def opponent(record: Record) -> str:
    """The opponent of the only person who plays, a computer by its level alone; or else both
    names."""
    names, person = shown_names(record), record.person
    if not person:
        return " – ".join(told_names(record))
    kind, name = record.players[2 - person], names[2 - person]
    return kind if name == computer_name(kind) else name_told(name)


def moves_made(count: int) -> str:
    """How many moves a game has."""
    return plural("{n} move", "{n} moves", count)


def summary(record: Record, *, short: bool = False) -> str:
    """A kept game in one line: which game, who plays, how far it is, and when it began; in `short`
    without the person's own name, and a computer by its level alone."""
    names, state = told_names(record), record.state
    who = opponent(record) if short else " – ".join(names)
    told = [who, *(["online"] if record.online else []), moves_made(len(state.moves))]
    if state.winner:
        told = [f"{names[state.winner - 1]} beat {names[2 - state.winner]}"]
    when = [ago(record.date, datetime.now())] if record.date else []
    return " · ".join([record.game.display_name, *told, *when])
