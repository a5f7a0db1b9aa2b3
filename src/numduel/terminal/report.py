"""The command ``numduel report``: the results of models and players as one page."""

from __future__ import annotations

import json
from shlex import quote
from typing import Annotated

import typer

from numduel.core.errors import BadVariant
from numduel.core.text import file_name
from numduel.terminal.options import Json
from numduel.terminal.progress import ProgressBar
from numduel.terminal.screen import Screen
from numduel.terminal.waiting import waited
from numduel.terminal.writing import Force, refuse_to_overwrite, write


def report(
    logs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="LOG…",
            help="Inspect's logs (.eval or .json), a folder of them, or files of tournaments.",
        ),
    ] = None,
    html: Annotated[str, typer.Option(metavar="FILE", help="The page to write.")] = "report.html",
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Show where models and players go wrong, by game, phase, idea and seat, as one page."""
    from numduel.agents import report as reports
    from numduel.agents.results import read

    if not logs:
        raise BadVariant("Name the logs: numduel report logs/*.eval.")
    if not as_json:
        refuse_to_overwrite(html, reports.MARK, force=force)
    with ProgressBar() as bar:
        results = waited(lambda: read(logs, bar.report), bar=bar)
    if as_json:
        print(json.dumps(reports.data(results)))
        return
    words = ["numduel", "report", *map(quote, logs), "--html", quote(html)]
    write(html, reports.page(results, " ".join(words)))
    screen = Screen(plain=True)
    screen.say_page(*reports.headlines(results))
    screen.say_page(*reports.findings(results), *reports.notes(results))
    screen.say(f"The whole report is in {file_name(html)}.")
