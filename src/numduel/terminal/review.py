"""The report of a game, and a second try at its mistakes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from numduel.core.errors import BadVariant, IllegalMove
from numduel.core.state import RESIGNATIONS, Move
from numduel.core.text import HUMAN, printable
from numduel.core.view import view
from numduel.files import export
from numduel.record import Record, read
from numduel.terminal.options import Json, Plain, Which
from numduel.terminal.picker import pick
from numduel.terminal.screen import Screen
from numduel.terminal.waiting import waited

if TYPE_CHECKING:
    from numduel.coach import Ply, Report

MAX_TRIES = 2
"""Tries at a better move before it is shown."""
HINT = "hint"
SKIP = ("skip", "s")
QUIT = ("quit", "exit", "q")


class _Leave(Exception):
    """The person leaves."""


def review(
    which: Which = None,
    svg: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the chart to a new SVG file.")
    ] = None,
    seat: Annotated[
        str | None, typer.Option(metavar="SEAT", help="Whose mistakes to try again: 1 or 2.")
    ] = None,
    everyone: Annotated[
        bool, typer.Option("--all", help="Try the mistakes of both players again.")
    ] = False,
    as_json: Json = False,
    plain: Plain = False,
) -> None:
    """Show where a game was won and lost, and let the person try its mistakes again.

    These are the mistakes of the people who played, or of the seat that is given.
    """
    reader = _seat(seat)
    screen = Screen(plain=plain)
    path = pick(screen, which, "review", over=True)
    if path is None:
        return
    record = read(path)
    found = make_report(record, reader)
    if svg is not None:
        _write_chart(found, svg)
    if as_json:
        print(json.dumps(found.json()))
        return
    _tell_apart(screen, record)
    asked = to_try(found, everyone=everyone)
    if asked:  # the sentences name the moves that are asked for
        screen.say(*found.summary(), *found.counts())
        screen.say("", *found.chart.lines())
    else:
        show(screen, found)
    if svg is not None:
        screen.say(f"The chart is in {printable(svg)}.")
    try_again(screen, found, asked)


def make_report(record: Record, seat: int | None = None) -> Report:
    """The report of a game, for the reader in a seat if it is known."""
    from numduel.coach import report

    return waited(lambda: report(record, seat))


def show(screen: Screen, found: Report) -> None:
    """Print a report and its chart."""
    screen.say(*found.lines())
    screen.say("", *found.chart.lines())


def _seat(text: str | None) -> int | None:
    if text not in (None, "1", "2"):
        raise BadVariant(f"--seat must be 1 or 2, not {printable(text, 40)!r}.")
    return None if text is None else int(text)


def to_try(found: Report, *, everyone: bool = False) -> list[Ply]:
    """The mistakes that are tried again: of the reader, or of all people if nobody knows who reads;
    or of both players."""
    players, reader = found.record.players, found.reader
    return [
        ply
        for ply in found.mistakes
        if ply.options
        and (everyone or ply.seat == reader or (not reader and players[ply.seat - 1] == HUMAN))
    ]


def try_again(screen: Screen, found: Report, wrong: list[Ply]) -> None:
    """Go through mistakes, and ask for better moves; then tell what else went wrong."""
    if not wrong:
        why = found.spotless() or " ".join(found.summary()[1:])
        screen.say("", f"There is no mistake to try again. {why}".rstrip())
        return
    words = f"{HINT}, {SKIP[0]} or {QUIT[0]}"
    screen.say("")
    screen.say(f"Try again: type a better move, {words}.")
    try:
        for place, ply in enumerate(wrong, 1):
            said = f"Mistake {place} of {len(wrong)}."
            screen.say("", said, *_before(ply, found.record))
            _Retry(screen, ply, found.record).run()
    except (EOFError, KeyboardInterrupt):
        if screen.interactive:
            screen.say("")
    except _Leave:
        pass
    else:
        rest = found.sentences(ply for ply in found.slips if ply not in wrong)
        screen.say(*(["", *rest] if rest else []))


class _Retry:
    """Another try at one mistake."""

    def __init__(self, screen: Screen, ply: Ply, record: Record) -> None:
        self.screen = screen
        self.ply = ply
        self.record = record
        self.hinted = False

    def run(self) -> None:
        """Ask for a better move, up to twice, and then show it."""
        from numduel.coach import hint, why

        state, names = self.ply.state, self.record.names
        for tries in range(MAX_TRIES):
            chosen = self._ask()
            if chosen is None:
                break
            option = next(option for option in self.ply.options if option.move == chosen)
            if self.ply.better(option):
                self.screen.say(f"Right. {why(state, option, names)}")
                return
            last = tries + 1 == MAX_TRIES
            again = "" if last else " Once more."
            self.screen.say(f"No. {why(state, option, names)}{again}")
        self.screen.say(" ".join(hint(state, names).lines))

    def _ask(self) -> Move | None:
        """Ask for a legal move; None if the person would rather see the answer."""
        *_, question = self.record.game.prompt(view(self.ply.state, self.record.names))
        while True:
            typed = self.screen.ask(question)
            word = typed.strip().lower()
            if word in QUIT:
                raise _Leave
            if word in SKIP:
                return None
            if word == HINT:
                self._hint()
                continue
            try:
                return self.ply.state.play(typed).moves[-1]
            except IllegalMove as refused:
                self.screen.fail(str(refused))

    def _hint(self) -> None:
        """What to look at; and if it is asked again, the move and why."""
        from numduel.coach import hint

        found = hint(self.ply.state, self.record.names)
        self.screen.say(*(found.lines if self.hinted else [found.nudge]))
        self.hinted = True


def _before(ply: Ply, record: Record) -> list[str]:
    """The position in which a mistake was made."""
    seen = view(ply.state, record.names)
    *lines, _ = record.game.prompt(seen)
    made = str(ply.move)
    if made in RESIGNATIONS:
        said = "resigned"
    elif made.endswith("!"):
        said = f"broke a rule with {made[:-1]}"
    else:
        said = f"played {record.game.made(ply.move)}"
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
