"""The command ``numduel forget``: remove saved games."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer

from numduel.core.errors import BadRecord, BadVariant, UnknownGame
from numduel.core.language import N_, _, plural
from numduel.core.text import byte_size, printable, whole_number
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
            help=N_("A number in the list, a file, or a game such as duel, for all its games."),
            autocompletion=complete_game,
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help=N_("Remove all saved games."))] = False,
    older: Annotated[
        str | None,
        typer.Option(metavar="AGE", help=N_("Remove only games older than this: 12h, 30d or 8w.")),
    ] = None,
    tables: Annotated[
        bool,
        typer.Option(
            "--tables",
            help=N_("Remove the tables of solved games, which are made again when needed."),
        ),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help=N_("Don't ask first."))] = False,
    plain: Plain = False,
) -> None:
    """Remove saved games, after asking; or the tables of solved games."""
    if everything and which is not None:
        raise BadVariant(_("--all removes every game: leave it out, or name no game."))
    if tables and (everything or older or which is not None):
        raise BadVariant(_("--tables removes no games: use it alone."))
    screen = Screen(plain=plain)
    if tables:
        from numduel.solver.tables import remove_all

        sizes = remove_all()
        told = plural(
            "Removed: {n} table, {size}.",
            "Removed: {n} tables, {size}.",
            len(sizes),
            size=byte_size(sum(sizes)),
        )
        screen.say(told)
        return
    kept = kept_games()
    if not kept:
        screen.say(_(NO_GAMES))
        return
    chosen = kept if which is None and (everything or older) else _chosen(screen, kept, which)
    aged = _older(chosen, older)
    if aged:
        forget_games(screen, aged, yes=yes)
    elif chosen:
        screen.say(_("No game is that old."))


def forget_games(screen: Screen, games: Sequence[Kept], *, yes: bool = False) -> None:
    """Remove games, after asking; one that is being played stays."""
    if len(games) == 1:
        screen.say(label(games[0].record))
    else:
        show_games(screen, games)
    if not yes:
        if not screen.interactive:
            raise BadVariant(_("Nothing was removed: without a terminal, that takes --yes."))
        question = _("Remove it for good? (yes, Enter: no) ")
        if len(games) > 1:
            question = plural(
                "Remove {n:,} game for good? (yes, Enter: no) ",
                "Remove {n:,} games for good? (yes, Enter: no) ",
                len(games),
            )
        if not confirmed(screen, question, default=False):
            screen.say(_("Nothing was removed."))
            return
    removed = 0
    for game in games:
        try:
            remove(game.path)
            removed += 1
        except BadRecord as error:
            screen.fail(str(error))
    renumbered = removed and len(kept_games()) >= min(game.number for game in games)
    told = [plural("Removed: {n:,} game.", "Removed: {n:,} games.", removed)]
    told += [_("Newer games have lower numbers now.")] if renumbered else []
    screen.say(" ".join(told))


def _older(games: list[Kept], text: str | None) -> list[Kept]:
    """The games that were begun longer ago than an age."""
    if text is None:
        return games
    found = AGE.fullmatch(text.strip())
    if found is None:
        raise BadVariant(
            _("--older is written 12h, 30d or 8w, not {given!r}.", given=printable(text, 20))
        )
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
            raise BadVariant(
                _("{file} is not among the saved games.", file=printable(which))
            ) from None
        raise error
    found = [one for one in kept if type(one.record.game) is kind]
    if not found:
        screen.say(_("There are no saved games of {game}.", game=kind().display_name))
    return found
