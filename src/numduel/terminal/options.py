"""Options that several commands share, and what a shell can complete of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from numduel.games import games


def complete_game(incomplete: str) -> Iterator[tuple[str, str]]:
    """The games whose names begin like a word, with their titles."""
    for kind in games():
        if kind.name.startswith(incomplete.lower()):
            yield kind.name, kind.title


def complete_setting(context: typer.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    """The settings of the game on the command line, or of every game."""
    words = [context.params.get("game"), *context.args]
    chosen = [kind for kind in games() if {kind.id, kind.name} & {str(word) for word in words}]
    for kind in chosen or games():
        for name, parameter in kind.parameters.items():
            values = parameter.words or (kind().settings[name],)
            for setting in (f"{name}={value}" for value in values):
                if setting.startswith(incomplete):
                    yield setting, f"{kind.name}: {parameter.meaning}"


def complete_player(incomplete: str) -> Iterator[str]:
    """The kinds of players that begin like a word."""
    from numduel.players import KINDS

    yield from (kind for kind in (*KINDS, "search") if kind.startswith(incomplete.lower()))


def complete_kept(incomplete: str) -> Iterator[tuple[str, str]]:
    """The record files here, and among the kept games, that begin like a word."""
    from pathlib import Path

    folder, _, start = incomplete.rpartition("/")
    here = Path(folder or ("/" if incomplete.startswith("/") else ".")).expanduser()
    try:
        found = sorted(here.iterdir())
    except (OSError, RuntimeError):
        found = []
    before = f"{folder}/" if "/" in incomplete else ""
    for path in found:
        if path.name.startswith(start) and (start.startswith(".") or path.name[0] != "."):
            if path.is_dir():
                yield f"{before}{path.name}/", "a folder"
            elif path.suffix == ".duel":
                yield f"{before}{path.name}", "a game"


def complete_game_or_file(incomplete: str) -> Iterator[tuple[str, str]]:
    """The games and the record files that begin like a word."""
    yield from complete_game(incomplete)
    yield from complete_kept(incomplete)


GameName = Annotated[
    str,
    typer.Argument(metavar="GAME", help="A game: see numduel games.", autocompletion=complete_game),
]
AnyGame = Annotated[
    str | None,
    typer.Argument(
        metavar="[GAME]",
        help="A game: see numduel games. Without, you choose one.",
        autocompletion=complete_game,
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="A setting of the variant, such as n=12; repeatable.",
        autocompletion=complete_setting,
    ),
]
Which = Annotated[
    str | None,
    typer.Argument(
        metavar="[NUMBER|FILE]",
        help="Which game: its number in the list, the same for every command, or its file.",
        autocompletion=complete_kept,
    ),
]
Plain = Annotated[bool, typer.Option("--plain", help="No colour.")]
Json = Annotated[bool, typer.Option("--json", help="Print plain data instead.")]
