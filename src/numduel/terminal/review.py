"""The report of a game, and a second try at its mistakes."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Annotated

import typer

from numduel.activities import Mistakes
from numduel.activities.keeping import unkept
from numduel.activities.mistakes import to_try
from numduel.core.text import in_range
from numduel.play.players import seat_names
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
    judged = Review(screen, record, reader, everyone=everyone)
    if as_json:
        print(json.dumps(judged.report.json()))
        return
    screen.tell_apart(record.names, record.game.markers)
    judged.tell()
    judged.try_again()


class Review:
    """The report of a game at the prompt. Its better moves are told when its mistakes were tried
    again, or when somebody asks for them."""

    def __init__(
        self, screen: Screen, record: Record, seat: int | None = None, *, everyone: bool = False
    ) -> None:
        self._screen = screen
        self._record = replace(record, names=seat_names(record.players, record.names))
        self._seat, self._everyone = seat, everyone
        self._told: set[int] = set()
        """The numbers of the mistakes whose better moves were told."""

    @cached_property
    def report(self) -> Report:
        """Every move judged, for the player in the seat if there is one."""
        from numduel.learn.coach import report

        return waited(lambda: report(self._record, self._seat))

    @property
    def _asked(self) -> set[int]:
        """The mistakes that are still to be tried."""
        wrong = to_try(self.report, everyone=self._everyone)
        return {ply.number for ply in wrong} - self._told

    def tell(self) -> None:
        """Print what can be told by now, and the chart."""
        self._screen.say(*self.report.lines(slips=not self._asked))
        self._screen.say("", *self.report.chart.lines())

    def show(self) -> None:
        """Print what can be told by now; asked once more, everything."""
        self.tell()
        if asked := self._asked:
            told = "Type m to try the mistakes again, or r to see everything."
            self._screen.say("", told)
            self._told |= asked

    def try_again(self) -> None:
        """Ask for better moves in place of the mistakes, then tell what else went wrong."""
        self._screen.say("")
        mistakes = Mistakes(record=self._record.text(), seat=self._seat, everyone=self._everyone)
        prompt = Prompt(unkept(mistakes), self._screen)
        prompt.run("")
        self._told |= set(prompt.activity.told)
