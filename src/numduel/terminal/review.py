"""The report of a game, and a second try at its mistakes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from numduel.core.errors import BadVariant, IllegalMove
from numduel.core.text import HUMAN, printable
from numduel.core.view import view
from numduel.files import export
from numduel.record import Record, read
from numduel.terminal.options import Json, Plain, Which
from numduel.terminal.picker import pick
from numduel.terminal.screen import Screen
from numduel.terminal.waiting import waiting

if TYPE_CHECKING:
    from numduel.coach import Ply, Report

MAX_TRIES = 2
"""Tries at a better move before it is shown."""
SKIP = ("skip", "s")
QUIT = ("quit", "exit", "q")


class _Leave(Exception):
    """The person leaves."""


def review(
    which: Which = None,
    svg: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the chart to a new SVG file.")
    ] = None,
    as_json: Json = False,
    plain: Plain = False,
) -> None:
    """Show where a game was won and lost, and let the person try its mistakes again."""
    screen = Screen(plain=plain)
    path = pick(screen, which, "review", finished=True)
    if path is None:
        return
    record = read(path)
    found = make_report(record, quiet=as_json)
    if svg is not None:
        _write_chart(found, svg)
    if as_json:
        print(json.dumps(found.json()))
        return
    _tell_apart(screen, record)
    show(screen, found)
    if svg is not None:
        screen.say(f"The chart is in {printable(svg)}.")
    try_again(screen, found)


def make_report(record: Record, *, quiet: bool = False) -> Report:
    """The report of a game."""
    from numduel.coach import report

    with waiting(quiet=quiet):
        return report(record)


def show(screen: Screen, found: Report) -> None:
    """Print a report and its chart."""
    screen.say(*found.lines(), "", *found.chart.lines())


def try_again(screen: Screen, found: Report) -> None:
    """Go through the mistakes of the human players, and ask for better moves."""
    record = found.record
    wrong = [ply for ply in found.mistakes if record.players[ply.seat - 1] == HUMAN and ply.options]
    if not wrong:
        screen.say("", "There is no mistake to try again.")
        return
    screen.say("", f"Try again: type a better move, {SKIP[0]} or {QUIT[0]}.")
    try:
        for place, ply in enumerate(wrong, 1):
            screen.say("", f"Mistake {place} of {len(wrong)}.", *_before(ply, record))
            _retry(screen, ply, record)
    except (EOFError, KeyboardInterrupt):
        if screen.interactive:
            screen.say("")
    except _Leave:
        pass


def _retry(screen: Screen, ply: Ply, record: Record) -> None:
    """Ask for a better move, up to twice, and then show it."""
    from numduel.coach import why

    for tries in range(MAX_TRIES):
        chosen = _ask(screen, ply, record)
        if chosen is None:
            break
        option = next(option for option in ply.options if option.move == chosen)
        if ply.keeps(option):
            screen.say(f"Right. {why(ply.state, option, record.names)}")
            return
        last = tries + 1 == MAX_TRIES
        screen.say(f"No. {why(ply.state, option, record.names)}" + ("" if last else " Once more."))
    screen.say(f"Better: {ply.better}. {why(ply.state, ply.options[0], record.names)}")


def _ask(screen: Screen, ply: Ply, record: Record) -> int | str | None:
    """Ask for a legal move; None if the person would rather see the answer."""
    *_, question = record.game.prompt(view(ply.state, record.names))
    while True:
        typed = screen.ask(question)
        word = typed.strip().lower()
        if word in QUIT:
            raise _Leave
        if word in SKIP:
            return None
        try:
            return ply.state.play(typed).moves[-1]
        except IllegalMove as refused:
            screen.fail(str(refused))


def _before(ply: Ply, record: Record) -> list[str]:
    """The position in which a mistake was made."""
    seen = view(ply.state, record.names)
    *lines, _ = record.game.prompt(seen)
    made = str(ply.move)
    if made == "resign":
        said = "resigned"
    elif made.endswith("!"):
        said = f"broke a rule with {made[:-1]}"
    else:
        said = f"played {made}"
    what = f"At move {ply.number}, {record.names[ply.seat - 1]} {said}."
    return [what, *record.game.board(seen), *lines]


def _tell_apart(screen: Screen, record: Record) -> None:
    pairs = zip(record.names, record.game.markers, strict=True)
    screen.tell_apart(*((name, f"[{marker}]") for name, marker in pairs))


def _write_chart(found: Report, name: str) -> None:
    """Write the chart to a new file; an existing one is left alone."""
    try:
        export(found.svg(), Path(name).expanduser())
    except (OSError, RuntimeError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise BadVariant(f"Nothing is written to {printable(name)}: {why}.") from None
