"""The command ``numduel audit``: facts about a whole game, as a table, as data or as a page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from numduel.core.text import read_settings
from numduel.games import game as find
from numduel.terminal.choice import choose_game
from numduel.terminal.options import AnyGame, Json, Settings
from numduel.terminal.progress import ProgressBar
from numduel.terminal.screen import Screen
from numduel.terminal.tournament import refuse_to_overwrite, write
from numduel.terminal.waiting import waited

if TYPE_CHECKING:
    from numduel.lab.audit import Audit

BAR_DELAY = 1.0
"""Seconds before a progress bar appears."""

Html = Annotated[
    str | None,
    typer.Option("--html", metavar="FILE", help="Also write a page with plots to this file."),
]


def audit(
    game: AnyGame = None, settings: Settings = None, html: Html = None, as_json: Json = False
) -> None:
    """Work out exact facts about a game, over all of its positions."""
    chosen = choose_game(Screen(), game, "audit")
    if chosen is None:
        return
    kind = find(chosen, **read_settings(settings or ()))
    refuse_to_overwrite(html)
    from numduel.lab.audit import audit as prove
    from numduel.lab.audit import report

    with ProgressBar(delay=BAR_DELAY) as bar:
        found = waited(lambda: prove(kind, bar.report), bar=bar)
    if html is not None:
        write(html, report.page(found))
    if as_json:
        print(json.dumps(report.data(found)))
    else:
        _show(found, Screen())


def _show(found: Audit, screen: Screen) -> None:
    """Print the table: laid out on a terminal, plain lines through a pipe."""
    from numduel.lab.audit.report import rows

    title, lines = str(found.game), rows(found)
    if not screen.colour:
        screen.say(title)
        wide = max(len(row.name) for row in lines if row.part != "Endings")
        for i, (part, name, value) in enumerate(lines):
            if not i or lines[i - 1].part != part:
                screen.say("", part)
            screen.say(f"  {name:{wide}}  {value}")
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, title_justify="left", show_header=False)
    table.add_column(style="bold")
    table.add_column()
    table.add_column()
    for i, (part, name, value) in enumerate(lines):
        first = not i or lines[i - 1].part != part
        if first and i:
            table.add_section()
        table.add_row(part if first else "", name.replace("[", r"\["), value)
    Console().print(table)
