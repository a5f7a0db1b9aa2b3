"""The command ``numduel audit``: facts about a whole game, as a table, as data or as a page."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from numduel.core.text import file_name, read_settings
from numduel.games import game as find
from numduel.terminal.choice import choose_game
from numduel.terminal.options import AnyGame, Json, Settings
from numduel.terminal.progress import ProgressBar
from numduel.terminal.screen import Screen
from numduel.terminal.waiting import waited
from numduel.terminal.writing import Force, refuse_to_overwrite, write

BAR_DELAY = 1.0
"""Seconds before a progress bar appears."""


def audit(
    game: AnyGame = None,
    settings: Settings = None,
    html: Annotated[
        str | None, typer.Option(metavar="FILE", help="Also write a page with plots to this file.")
    ] = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Work out exact facts about a game, over all of its positions."""
    screen = Screen()
    chosen = choose_game(screen, game)
    if chosen is None:
        return
    kind = find(chosen, **read_settings(settings or ()))
    refuse_to_overwrite(html, force=force)
    from numduel.lab.audit import audit as prove
    from numduel.lab.audit import report

    with ProgressBar(delay=BAR_DELAY) as bar:
        found = waited(lambda: prove(kind, bar.report), bar=bar)
    if html is not None:
        write(html, report.page(found))
    if as_json:
        print(json.dumps(report.data(found)))
        return
    screen.say(str(found.game))
    rows = report.rows(found)
    wide = max(len(row.name) for row in rows if row.part != "Endings")
    part = ""
    for row in rows:
        if row.part != part:
            part = row.part
            screen.say("", part)
        screen.say(f"  {row.name:{wide}}  {row.value}")
    if html is not None:
        screen.say("", f"The page is in {file_name(html)}.")
