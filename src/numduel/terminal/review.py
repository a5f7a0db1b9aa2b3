"""The report of a game, and a second try at its mistakes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from numduel.activities import Mistakes
from numduel.activities.keeping import unkept
from numduel.activities.mistakes import to_try
from numduel.core.text import in_range, printable
from numduel.files import export
from numduel.play.record import Record, read
from numduel.terminal.activity import Prompt
from numduel.terminal.options import Json, Plain, Which
from numduel.terminal.picker import pick
from numduel.terminal.screen import Screen
from numduel.terminal.waiting import waited

if TYPE_CHECKING:
    from numduel.learn.coach import Report


def review(
    which: Which = None,
    svg: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the chart to a new SVG file.")
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option(metavar="SEAT", help="Whose mistakes to try again: 1 or 2."),
    ] = None,
    everyone: Annotated[
        bool, typer.Option("--all", help="Try the mistakes of both players again.")
    ] = False,
    as_json: Json = False,
    plain: Plain = False,
) -> None:
    """Show where a game was won and lost, and try its mistakes again.

    Without --seat or --all, these are the mistakes of the people who played.
    """
    reader = in_range("--seat", seat, 1, 2)
    screen = Screen(plain=plain)
    path = pick(screen, which, "review", over=True)
    if path is None:
        return
    record = read(path)
    found = make_report(record, reader)
    if svg is not None:
        export(found.svg(), Path(svg).expanduser())
    if as_json:
        print(json.dumps(found.json()))
        return
    screen.tell_apart(record.names, record.game.markers)
    asked = to_try(found, everyone=everyone)
    show(screen, found, slips=not asked)  # these sentences would give the answers away
    if svg is not None:
        screen.say(f"The chart is in {printable(svg)}.")
    try_again(screen, record, reader, everyone=everyone)


def make_report(record: Record, seat: int | None = None) -> Report:
    """The report of a game, for the player in a seat if one is given."""
    from numduel.learn.coach import report

    return waited(lambda: report(record, seat))


def show(screen: Screen, found: Report, *, slips: bool = True) -> None:
    """Print a report and its chart."""
    screen.say(*found.lines(slips=slips))
    screen.say("", *found.chart.lines())


def try_again(
    screen: Screen, record: Record, seat: int | None = None, *, everyone: bool = False
) -> None:
    """Ask for better moves in place of the mistakes, then tell what else went wrong."""
    screen.say("")
    mistakes = Mistakes(record=record.text(), seat=seat, everyone=everyone)
    Prompt(unkept(mistakes), screen).run("")
