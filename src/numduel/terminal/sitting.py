"""One game after another at the prompt: the players begin in turn, and the score is kept.

Every game is a record of its own. In a match it holds the games before, so that the match goes on
when it is resumed; otherwise the score is that of one sitting.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from numduel.core.errors import BadVariant
from numduel.core.text import MAX_DIGITS, printable
from numduel.play.match import Match, resume
from numduel.play.players import seats
from numduel.play.record import Record, read
from numduel.play.score import Score, match_rule
from numduel.play.store import SaveFile, new_save, open_save
from numduel.terminal.picker import label
from numduel.terminal.play import PromptGame
from numduel.terminal.screen import NO_BREAK, Screen

if TYPE_CHECKING:
    from numduel.learn.coach import Report

EXCHANGE, AGAIN, REPORT, MISTAKES, LEAVE = "exchange", "again", "report", "mistakes", "leave"
MATCH = 2
"""The games of a match; more can follow."""
ANSWERS = {
    "": EXCHANGE, "exchange": EXCHANGE,
    "a": AGAIN, "again": AGAIN, "rematch": AGAIN,
    "r": REPORT, "report": REPORT,
    "m": MISTAKES, "mistakes": MISTAKES,
    "q": LEAVE, "quit": LEAVE, "exit": LEAVE, "menu": LEAVE, "n": LEAVE, "no": LEAVE,
}  # fmt: skip
"""What can be typed after a game."""


def sit_down(
    match: Match,
    screen: Screen,
    save_file: SaveFile,
    seed: int | None,
    *,
    leaving: str = "leave",
) -> None:
    """Play a game, or a match of two, and on a terminal as many more as the players want. `leaving`
    says where who leaves goes."""
    games = 1 if match.record.earlier is None else MATCH
    score = Score(match.record.earlier or ())
    if games == MATCH and not score.games:
        screen.say(match_rule(match.state.game), "")
    while True:
        PromptGame(match, seats(match.record.players, seed), screen, save_file).play()
        if match.state.outcome is None:
            return
        score = score.add(match.state)
        _say_score(screen, score, match.record)
        wanted = EXCHANGE
        if len(score.games) >= games:
            wanted = _AfterGame(screen, match.record, leaving).ask()
        if wanted == LEAVE:
            return
        if wanted == AGAIN:  # a score counts games that the players begin in turn
            score = Score()
        seed = None if seed is None else Random(seed).randrange(10**MAX_DIGITS)
        match = match.rematch(seed, exchanged=wanted == EXCHANGE)
        save_file = new_save(match.record)
        screen.say("", f"Game {len(score.games) + 1}: {match.view.player} begins.", "")


def _say_score(screen: Screen, score: Score, record: Record) -> None:
    """Say how a match stands; outside a match, what several games in a row come to."""
    if record.earlier is not None:
        screen.say(*score.verdict(record.names))
    elif len(score.games) > 1:
        screen.say(*score.told(record.names))


def go_on(screen: Screen, path: Path, *, leaving: str = "leave") -> None:
    """Go on with a game that was left."""
    with closing(open_save(path)) as save_file:
        record = read(path)
        if record.state.winner:
            raise BadVariant(f"{printable(path.name)} is finished: numduel replay shows it.")
        screen.say(label(record))
        if record.earlier:
            screen.say(*Score(record.earlier).told(record.names))
        screen.say("")
        sit_down(resume(record), screen, save_file, record.seed, leaving=leaving)


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
            return LEAVE
        try:
            while True:
                wanted = ANSWERS.get(self.screen.ask(self.question).strip().lower())
                if wanted in (EXCHANGE, AGAIN, LEAVE):
                    return wanted
                if wanted is None:
                    self.screen.fail("Please press Enter, or type a, r, m or q.")
                else:
                    self._show(wanted)
        except (EOFError, KeyboardInterrupt):
            self.screen.say("")
            return LEAVE

    def _show(self, what: str) -> None:
        """Show the report of the game, or let its mistakes be tried again."""
        from numduel.terminal.review import make_report, show, try_again

        if self._report is None:
            self._report = make_report(self.record)
        if what == REPORT:
            show(self.screen, self._report)
        else:
            try_again(self.screen, self.record)
