"""The list of saved games, from which a person picks one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from numduel.core.errors import BadVariant
from numduel.core.language import plural
from numduel.core.text import (
    DEFAULT_NAMES,
    HUMAN,
    MAX_NAME,
    ago,
    name_told,
    printable,
    titled,
    whole_number,
)
from numduel.play.players import COMPUTERS, seat_names
from numduel.play.record import UNFINISHED, Record
from numduel.play.store import all_games
from numduel.terminal.screen import Screen

MAX_LISTED = 20
"""Games in the list, the latest first."""
LEAST_NAME = 4
"""Characters of a name that are shown at least; with less room, a game takes two lines."""
GAP = 2
"""Columns between two columns."""
MAX_WINNER = 20
"""Characters of the winner's name."""
NO_GAMES = "There are no saved games."
NONE = {
    None: NO_GAMES,
    True: "There are no finished games.",
    False: "There are no unfinished games.",
}
"""What is said if there are no games, by whether they must be over."""
LEAVE = ("q", "quit", "exit", "b", "back")


class Kept(NamedTuple):
    """A kept game, and its number in every list and for every command."""

    number: int
    path: Path
    record: Record

    @property
    def over(self) -> bool:
        """Whether it is finished."""
        return self.record.result != UNFINISHED


def kept_games() -> list[Kept]:
    """All games of this user, the latest first. The oldest is number 1, so that a new game does not
    renumber the others."""
    saved = all_games()
    numbers = range(len(saved), 0, -1)
    return [Kept(number, *one) for number, one in zip(numbers, saved, strict=True)]


def pick(
    screen: Screen, which: str | None, command: str, *, over: bool | None = None
) -> Path | None:
    """The file of the game that was named, or that the person picks from the list; None if there is
    none. With `over`, only a finished or only an unfinished game will do."""
    if which is not None and whole_number(which) is None:
        return Path(which)
    games = kept_games()
    if which is not None:
        return numbered(games, which, command, over=over).path
    usable = [game for game in games if over in (None, game.over)]
    if not usable:
        screen.say(NONE[over])
        return None
    if len(usable) == 1:
        return usable[0].path
    show_games(screen, usable)
    if not screen.interactive:
        screen.say(f"Choose one: numduel {command} NUMBER")
        return None
    return _ask(screen, games, command, over)


def numbered(games: Sequence[Kept], which: str, command: str, *, over: bool | None = None) -> Kept:
    """The game with a number; `BadVariant` says why a command cannot use it."""
    number = whole_number(which) or 0
    if not games:
        raise BadVariant(NO_GAMES)
    if not 1 <= number <= len(games):
        told = "There is no game {given}: there is only game 1."
        if len(games) > 1:
            told = (
                "There is no game {given}: the numbers go from 1 to {last}, and numduel {command}"
                " lists them."
            )
        given = printable(which, 20)
        raise BadVariant(told.format(given=given, last=len(games), command=command))
    game = games[-number]
    if over is False and game.over:
        raise BadVariant(f"Game {number} is over; replay it with numduel replay {number}.")
    if over and not game.over:
        raise BadVariant(f"Game {number} is not over; go on with numduel resume {number}.")
    return game


def show_games(screen: Screen, games: Sequence[Kept]) -> None:
    """Print the latest games with their numbers, in columns that fit."""
    now = datetime.now()
    going_on = "not over" if any(game.over for game in games) else ""
    shown = games[:MAX_LISTED]
    screen.say(*_columns(shown, now, going_on, screen.limit))
    older = len(games) - MAX_LISTED
    if older > 0:
        told = plural(
            "and {n:,} older game, down to number {last}",
            "and {n:,} older games, down to number {last}",
            older,
            last=games[-1].number,
        )
        screen.say(f"     {told}")


def _row(game: Kept, now: datetime, going_on: str, *, short: bool = False) -> list[str]:
    """A game in columns: number, name, players, moves, result, and when it was begun."""
    record = game.record
    won = f"{cut(_winner(record), MAX_WINNER)} won"
    if short and _unnamed(record):
        won = "won" if record.state.winner == record.person else "lost"
    return [
        f"{game.number:3}",
        record.game.display_name,
        _who(record, short=short),
        plural("{n} move", "{n} moves", record.made),
        won if game.over else going_on,
        "" if record.date is None else ago(record.date, now),
    ]


def _columns(games: Sequence[Kept], now: datetime, going_on: str, width: int | None) -> list[str]:
    """Games as lines that fit the terminal. Where there is little room, a person without a name is
    left out, then names are shortened; where there is less, the players get a line of their own."""
    whole = rows = [_row(game, now, going_on) for game in games]
    if width is not None and sum(_widths(rows)) > width:
        rows = [_row(game, now, going_on, short=True) for game in games]
    wide = _widths(rows)
    if width is not None and sum(wide) > width:
        wide[2] -= sum(wide) - width
        for row, game in zip(rows, games, strict=True):
            row[2] = _who(game.record, wide[2] - GAP, short=True)
        if any(len(row[2]) + GAP > wide[2] for row in rows):
            return _two_lines(whole, max(len(row[1]) for row in whole))
    return [
        "".join(
            f"{cell:>{size - GAP}}{'':{GAP}}" if column == 3 else f"{cell:{size}}"
            for column, (cell, size) in enumerate(zip(row, wide, strict=True))
            if size
        ).rstrip()
        for row in rows
    ]


def _widths(rows: list[list[str]]) -> list[int]:
    """How wide the columns are, with what is between them; an empty column has no width."""
    longest = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [size + GAP if size else 0 for size in longest]


def _two_lines(rows: list[list[str]], wide: int) -> list[str]:
    """Rows as two lines each, the players on the second."""
    return [
        line
        for place, name, who, moves, won, when in rows
        for line in (
            f"{place}  {name:{wide}}  {moves}, {when}".rstrip(" ,"),
            f"{'':3}  {titled(who, won) if won else who}",
        )
    ]


def _ask(screen: Screen, games: Sequence[Kept], command: str, over: bool | None) -> Path | None:
    """Ask for the number of a game; None if the person leaves."""
    while True:
        try:
            answer = screen.ask("Which game? ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            screen.say("")
            return None
        if answer in LEAVE:
            return None
        if whole_number(answer) is None:
            screen.fail("Please type the number of a game, or q to leave.")
            continue
        try:
            return numbered(games, answer, command, over=over).path
        except BadVariant as refused:
            screen.fail(str(refused))


def players(record: Record, width: int | None = None) -> str:
    """Who plays: ``Player 1 – Computer (hard)``. To fit, names are shortened, but never levels."""
    (one, level), (two, other) = _names_and_levels(record)
    room = 2 * MAX_NAME if width is None else width - len(f"{level} – {other}")
    room = max(room, min(len(one), LEAST_NAME) + min(len(two), LEAST_NAME))
    first = min(len(one), max(room // 2, room - len(two)))
    return f"{cut(one, first)}{level} – {cut(two, room - first)}{other}"


def _who(record: Record, width: int | None = None, *, short: bool) -> str:
    """The players, or in `short` only the opponent of a person without a name."""
    if short and record.person and _unnamed(record):
        return "".join(_names_and_levels(record)[2 - record.person])
    return players(record, width)


def _unnamed(record: Record) -> bool:
    """Whether one person plays, and has no name of their own."""
    seat = record.person
    return seat is not None and record.names[seat - 1] == DEFAULT_NAMES[seat - 1]


def _winner(record: Record) -> str:
    """The name of the winner, without the level unless it tells the players apart."""
    (one, level), (two, other) = _names_and_levels(record)
    names = (one + level, two + other) if one == two else (one, two)
    return names[(record.state.winner or 1) - 1]


def _names_and_levels(record: Record) -> list[tuple[str, str]]:
    """The names of the players, and the levels of computers: ``Computer`` and `` (hard)``."""
    found = []
    for kind, name in zip(record.players, seat_names(record.players, record.names), strict=True):
        level = f" ({kind})"
        bare = name.removesuffix(level)
        told = bare != name or (kind != HUMAN and kind not in name)
        level = f" ({kind})" if kind in COMPUTERS else level
        found.append((_computer(bare), level if told else ""))
    return found


def _computer(name: str) -> str:
    """A name as it is shown; a computer's without its level."""
    return "Computer" if name == "Computer" else name_told(name)


def label(record: Record) -> str:
    """A game in one line: which game, who plays, how many moves, and when."""
    moves = plural("{n} move", "{n} moves", record.made)
    parts = [titled(record.game.display_name, players(record)), moves]
    if record.date is not None:
        parts.append(ago(record.date, datetime.now()))
    return ", ".join(parts)


def cut(text: str, width: int) -> str:
    """A text that fits into some columns."""
    return text if len(text) <= width else f"{text[: width - 1]}…"
