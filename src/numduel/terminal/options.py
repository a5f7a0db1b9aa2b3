"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game: see numduel games.")]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="KEY=VALUE", help="A setting of the variant, such as n=12; repeatable."
    ),
]
Which = Annotated[
    str | None,
    typer.Argument(
        metavar="[NUMBER|FILE]", help="Which game: its number in the list of games, or its file."
    ),
]
Plain = Annotated[bool, typer.Option("--plain", help="No colour.")]
Json = Annotated[bool, typer.Option("--json", help="Print plain data instead.")]
