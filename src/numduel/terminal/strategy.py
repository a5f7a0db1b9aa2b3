"""The command ``numduel strategy``: how to win a game, short enough to remember."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from numduel.core.errors import BadVariant
from numduel.core.language import N_, _
from numduel.core.text import file_name, in_range, read_settings
from numduel.games import game as find
from numduel.terminal.choice import choose_game
from numduel.terminal.options import AnyGame, Json, Plain, Settings
from numduel.terminal.progress import ProgressBar
from numduel.terminal.screen import Screen
from numduel.terminal.waiting import waited
from numduel.terminal.writing import Force, refuse_to_overwrite, write

Seat = Annotated[
    str | None,
    typer.Option(
        metavar="SEAT", help=N_("The seat to win from, 1 or 2; without it, the winning one.")
    ),
]
CardFile = Annotated[
    Path | None,
    typer.Option("--card", metavar="FILE.html|.svg", help=N_("Also write a card to print.")),
]


def strategy(
    game: AnyGame = None,
    settings: Settings = None,
    seat: Seat = None,
    card_file: CardFile = None,
    force: Force = False,
    as_json: Json = False,
    plain: Plain = False,
) -> None:
    """Explain how to win a game, in a few proven sentences."""
    winner = in_range("--seat", seat, 1, 2)
    if card_file is not None and card_file.suffix not in (".html", ".svg"):
        raise BadVariant(
            _("The card's name must end in .html or .svg, not {given!r}.", given=card_file.name)
        )
    refuse_to_overwrite(card_file, force=force)
    chosen = choose_game(Screen(plain=plain), game)
    if chosen is None:
        return
    from numduel.learn.strategies import strategy as found_for

    kind = find(chosen, **read_settings(settings or ()))
    with ProgressBar(delay=1.0) as bar:
        bar.begin(_("Lists tried"), None)
        found = waited(lambda: found_for(kind, winner, bar.reach), bar=bar)
    if card_file is not None:
        from numduel.learn.strategies.card import card

        made = card(found)
        write(card_file, made.svg() if card_file.suffix == ".svg" else made.html())
    if as_json:
        print(json.dumps(found.json()))
    else:
        Screen(plain=plain).say(*found.lines())
        if card_file is not None:
            Screen(plain=plain).say("", _("The card is in {file}.", file=file_name(card_file)))
