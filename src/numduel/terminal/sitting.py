"""One game after another at the prompt: the players begin in turn, and the score is kept.

Every game is a record of its own. In a match it holds the games before, so that the match goes on
when it is resumed; otherwise the score is that of one sitting.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from numduel.activities.keeping import KeptGame, resumed
from numduel.play.record import Record
from numduel.play.score import match_rule
from numduel.terminal.picker import label
from numduel.terminal.play import PromptGame
from numduel.terminal.screen import NO_BREAK, Screen

if TYPE_CHECKING:
    from numduel.learn.coach import Report

ANSWERS = {
    "": "rematch", "exchange": "rematch",
    "a": "again", "again": "again", "rematch": "again",
    "r": "report", "report": "report",
    "m": "mistakes", "mistakes": "mistakes",
    **dict.fromkeys(("q", "quit", "exit", "menu", "n", "no"), "leave"),
}  # fmt: skip
"""What can be typed after a game, and what it means."""


def sit_down(kept: KeptGame, screen: Screen, *, leaving: str = "leave") -> None:
    """Play a game, or a match of two, and on a terminal as many more as the players want. `leaving`
    says where who leaves goes."""
    record = kept.activity.match.record
    if record.earlier == ():
        screen.say(match_rule(record.game), "")
    while True:
        PromptGame(kept, screen).play()
        sitting = kept.activity
        if not sitting.over:
            return
        screen.say(*sitting.standing)
        wanted = "rematch"
        if not sitting.goes_on:
            wanted = _AfterGame(screen, sitting.match.record, leaving).ask()
        if wanted == "leave":
            return
        another = sitting.act(wanted)
        kept.keep(another)
        number = len(another.score.games) + 1
        screen.say("", f"Game {number}: {another.view.player} begins.", "")


def go_on(screen: Screen, path: Path, *, leaving: str = "leave") -> None:
    """Go on with a game that was left."""
    with closing(resumed(path)) as kept:
        sitting = kept.activity
        screen.say(label(sitting.match.record))
        if sitting.score.games:
            screen.say(*sitting.score.told(sitting.names))
        screen.say("")
        sit_down(kept, screen, leaving=leaving)


class _AfterGame:
    """What is offered after a game."""

    def __init__(self, screen: Screen, record: Record, leaving: str) -> None:
        self.screen = screen
        self.record = record
        first = record.states[0].first
        self.question = (
            f"Enter: exchange seats ({record.names[2 - first]} begins),"
            f" a: rematch ({record.names[first - 1]} begins again),"
            f" r: report, m: mistakes, q: {leaving} > "
        ).replace(": ", f":{NO_BREAK}")
        self._report: Report | None = None

    def ask(self) -> str:
        """How to go on: exchange the seats, play again, or leave. Without a terminal there is
        nobody to ask."""
        if not self.screen.interactive:
            return "leave"
        try:
            while True:
                wanted = ANSWERS.get(self.screen.ask(self.question).strip().lower())
                if wanted in ("rematch", "again", "leave"):
                    return wanted
                if wanted is None:
                    self.screen.fail("Please press Enter, or type a, r, m or q.")
                else:
                    self._show(wanted)
        except (EOFError, KeyboardInterrupt):
            self.screen.say("")
            return "leave"

    def _show(self, what: str) -> None:
        """Show the report of the game, or let its mistakes be tried again."""
        from numduel.terminal.review import make_report, show, try_again

        if self._report is None:
            self._report = make_report(self.record)
        if what == "report":
            show(self.screen, self._report)
        else:
            try_again(self.screen, self.record)
