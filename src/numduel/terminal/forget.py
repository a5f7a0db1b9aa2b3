"""The command ``numduel forget``: remove saved games."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer

from numduel.core.errors import BadRecord, BadVariant, UnknownGame
from numduel.core.text import byte_size, counted, printable, whole_number
from numduel.games import game as find
from numduel.play.store import remove
from numduel.terminal.choice import confirmed
from numduel.terminal.options import Plain, complete_game
from numduel.terminal.picker import NO_GAMES, Kept, kept_games, label, pick, show_games
from numduel.terminal.screen import Screen

AGE = re.compile(r"([0-9]{1,5})([dhw])", re.IGNORECASE)
UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


def forget(
    which: Annotated[
        str | None,
        typer.Argument(
            metavar="[NUMBER|FILE|GAME]",
            help="A number in the list, a file, or a game such as duel, for all its games.",
            autocompletion=complete_game,
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Remove all saved games.")] = False,
    older: Annotated[
        str | None,
        typer.Option(metavar="AGE", help="Remove only games older than this: 12h, 30d or 8w."),
    ] = None,
    tables: Annotated[
        bool,
        typer.Option(
            "--tables", help="Remove the tables of solved games, which are made again when needed."
        ),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask first.")] = False,
    plain: Plain = False,
) -> None:
    """Remove saved games, after asking; or the tables of solved games."""
    if everything and which is not None:
        raise BadVariant("--all removes every game: leave it out, or name no game.")
    if tables and (everything or older or which is not None):
        raise BadVariant("--tables removes no games: use it alone.")
    screen = Screen(plain=plain)
    if tables:
        from numduel.solver.tables import remove_all

        sizes = remove_all()
        screen.say(f"Removed: {counted(len(sizes), 'table')}, {byte_size(sum(sizes))}.")
        return
    kept = kept_games()
    if not kept:
        screen.say(NO_GAMES)
        return
    chosen = kept if which is None and (everything or older) else _chosen(screen, kept, which)
    aged = _older(chosen, older)
    if aged:
        forget_games(screen, aged, yes=yes)
    elif chosen:
        screen.say("No game is that old.")


def forget_games(screen: Screen, games: Sequence[Kept], *, yes: bool = False) -> None:
    """Remove games, after asking; one that is being played stays."""
    if len(games) == 1:
        what = label(games[0].record)
        screen.say(what)
    else:
        show_games(screen, games)
        what = counted(len(games), "game")
    if not yes:
        if not screen.interactive:
            raise BadVariant("Nothing was removed: without a terminal, that takes --yes.")
        question = "Remove it for good?" if len(games) == 1 else f"Remove {what} for good?"
        if not confirmed(screen, f"{question} (yes, Enter: no) ", default=False):
            screen.say("Nothing was removed.")
            return
    removed = 0
    for game in games:
        try:
            remove(game.path)
            removed += 1
        except BadRecord as error:
            screen.fail(str(error))
    renumbered = removed and len(kept_games()) >= min(game.number for game in games)
    note = " Newer games have lower numbers now." if renumbered else ""
    screen.say(f"Removed: {counted(removed, 'game')}.{note}")


def _older(games: list[Kept], text: str | None) -> list[Kept]:
    """The games that were begun longer ago than an age."""
    if text is None:
        return games
    found = AGE.fullmatch(text.strip())
    if found is None:
        raise BadVariant(f"--older is written 12h, 30d or 8w, not {printable(text, 20)!r}.")
    limit = datetime.now() - int(found[1]) * UNITS[found[2].lower()]
    return [game for game in games if game.record.date and game.record.date < limit]


def _chosen(screen: Screen, kept: list[Kept], which: str | None) -> list[Kept]:
    """The games that a number, a file or the name of a game stands for."""
    if which is None or whole_number(which) is not None:
        picked = pick(screen, which, "forget")
        return [one for one in kept if one.path == picked]
    try:
        kind = type(find(which))
    except UnknownGame as error:
        path = Path(which)
        found = [one for one in kept if path.name == which and one.path.name == which]
        found = found or [one for one in kept if one.path.resolve() == path.resolve()]
        if found:
            return found
        if path.suffix == ".duel":
            raise BadVariant(f"{printable(which)} is not among the saved games.") from None
        raise error
    found = [one for one in kept if type(one.record.game) is kind]
    if not found:
        screen.say(f"There are no saved games of {kind().display_name}.")
    return found
