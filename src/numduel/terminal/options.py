"""Options that several commands share, and what a shell completes for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from numduel.games import games


def complete_game(incomplete: str) -> Iterator[tuple[str, str]]:
    """The games whose names begin so, with what they are called."""
    for kind in games():
        if kind.name.startswith(incomplete.lower()):
            yield kind.name, kind().display_name


def complete_player(incomplete: str) -> Iterator[str]:
    """The kinds of players that begin so."""
    from numduel.play.players import KINDS

    yield from (kind for kind in (*KINDS, "search") if kind.startswith(incomplete.lower()))


AnyGame = Annotated[
    str | None,
    typer.Argument(
        metavar="[GAME]",
        help="A game (numduel games lists them). Without one, you are asked.",
        autocompletion=complete_game,
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="A setting of the game, such as n=12; may be repeated.",
    ),
]
Which = Annotated[
    str | None,
    typer.Argument(
        metavar="[NUMBER|FILE]",
        help="The number of a game in the list, or its file.",
    ),
]
Plain = Annotated[bool, typer.Option("--plain", help="No colour.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead.")]
