"""Options that several commands share, and what a shell completes for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from numduel.core.language import N_, _, plural
from numduel.core.text import titled
from numduel.games import games


def complete_game(incomplete: str) -> Iterator[tuple[str, str]]:
    """The games whose names begin so, with what they are called."""
    for kind in games():
        if kind.name.startswith(incomplete.lower()):
            yield kind.name, kind().display_name


def complete_setting(context: typer.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    """The settings of the game on the command line, or of every game."""
    words = [context.params.get("game"), *context.args]
    chosen = [kind for kind in games() if {kind.id, kind.name} & {str(word) for word in words}]
    for kind in chosen or games():
        for name, parameter in kind.parameters.items():
            values = parameter.words or (kind().settings[name],)
            for setting in (f"{name}={value}" for value in values):
                # A shell that is offered nothing offers files; here, any number will do.
                if incomplete.startswith(f"{name}=") and not parameter.words:
                    setting = incomplete if incomplete[-1] != "=" else setting
                if setting.startswith(incomplete):
                    yield setting, titled(kind().display_name, parameter.meaning)


def complete_player(incomplete: str) -> Iterator[str]:
    """The kinds of players that begin so."""
    from numduel.play.players import KINDS

    yield from (kind for kind in (*KINDS, "search") if kind.startswith(incomplete.lower()))


def complete_which(context: typer.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    """The numbers of the saved games that a command can use, and the record files."""
    from datetime import datetime

    from numduel.core.text import ago
    from numduel.terminal.picker import kept_games

    over = {"resume": False, "review": True}.get(context.info_name or "")
    now = datetime.now()
    for game in kept_games():
        if over in (None, game.over) and str(game.number).startswith(incomplete):
            date, made = game.record.date, game.record.made
            moves = plural("{n} move", "{n} moves", made)
            when = f", {ago(date, now)}" if date else ""
            yield str(game.number), f"{game.record.game.display_name}, {moves}{when}"
    yield from complete_file(incomplete)


def complete_file(incomplete: str) -> Iterator[tuple[str, str]]:
    """The record files that begin so, and the folders once something is typed."""
    from pathlib import Path

    folder, _slash, start = incomplete.rpartition("/")
    here = Path(folder or ("/" if incomplete.startswith("/") else ".")).expanduser()
    try:
        found = sorted(here.iterdir())
    except (OSError, RuntimeError):
        found = []
    before = f"{folder}/" if "/" in incomplete else ""
    for path in found:
        if path.name.startswith(start) and (start.startswith(".") or path.name[0] != "."):
            if path.is_dir() and incomplete:
                yield f"{before}{path.name}/", _("a folder")
            elif path.suffix == ".duel":
                yield f"{before}{path.name}", _("a game")


def complete_game_or_file(incomplete: str) -> Iterator[tuple[str, str]]:
    """The games and the record files that begin so."""
    yield from complete_game(incomplete)
    yield from complete_file(incomplete)


AnyGame = Annotated[
    str | None,
    typer.Argument(
        metavar="[GAME]",
        help=N_("A game (numduel games lists them). Without one, you are asked."),
        autocompletion=complete_game,
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help=N_("A setting of the game, such as n=12; may be repeated."),
        autocompletion=complete_setting,
    ),
]
Which = Annotated[
    str | None,
    typer.Argument(
        metavar="[NUMBER|FILE]",
        help=N_("The number of a game in the list, or its file."),
        autocompletion=complete_which,
    ),
]
Plain = Annotated[bool, typer.Option("--plain", help=N_("No colour."))]
Json = Annotated[bool, typer.Option("--json", help=N_("Print JSON instead."))]
