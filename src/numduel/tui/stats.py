"""Statistics of the saved games. Nothing is sent anywhere."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from numduel.core.errors import NumduelError
from numduel.core.text import counted
from numduel.play.players import COMPUTERS
from numduel.play.statistics import Statistics, Tally, accuracies, statistics
from numduel.play.store import saved_games
from numduel.tui.footer import Footer
from numduel.tui.page import Page
from numduel.tui.paragraph import Paragraph
from numduel.tui.words import streak_line

BLOCKS = "▁▂▃▄▅▆▇█"
LATEST = 40
"""Games whose accuracy is shown."""
BAR = 20
"""Columns of a bar at most."""


class Stats(Page):
    """Games, wins, accuracy and streaks."""

    AUTO_FOCUS = "VerticalScroll"

    def compose(self) -> ComposeResult:
        """One long page."""
        yield Static("Statistics", id="title")
        with VerticalScroll(id="statistics"):
            yield Paragraph(id="numbers")
            yield Paragraph(id="accuracy")
        yield Footer()

    def on_mount(self) -> None:
        """Count, and then judge the latest games."""
        try:
            found = statistics(saved_games(finished=True))
        except NumduelError as error:
            self.fail(str(error))
            return
        self.query_one("#numbers", Static).update(_numbers(found, self.app.size.width))
        latest = found.played[:LATEST]
        if latest:
            self.think(
                lambda: [share for _, share in accuracies(latest) if share is not None],
                self._judged,
                "Judging the latest games",
            )

    def _judged(self, shares: list[float]) -> None:
        if not shares:
            return
        line = "".join(BLOCKS[min(7, int(share * 8))] for share in reversed(shares))
        mean = 100 * sum(shares) / len(shares)
        self.query_one("#accuracy", Static).update(
            Content.assemble(
                ("Accuracy, newest game last\n", "bold"),
                (line, "$text-accent"),
                f"  {mean:.0f} % on average in {counted(len(shares), 'game')}",
            )
        )


def _numbers(found: Statistics, width: int) -> Content:
    """Everything that need not be computed."""
    parts: list[tuple[str, str] | str] = [
        ("Games\n", "bold"),
        f"  {found.text}.\n",
        f"  Won against the computer: {found.total.text}.\n",
        f"  Wins in a row: {found.streak}; the most so far: {found.longest}.\n\n",
    ]
    groups = (
        ("By game", found.by_game()),
        ("By level", dict(sorted(found.by_level().items(), key=_strength))),
        ("By seat", found.by_seat()),
    )
    for title, tallies in groups:
        if tallies:
            parts.append((f"{title}\n", "bold"))
            wide = max(map(len, tallies))
            room = min(BAR, (width - wide - 4) // 3)
            for name, tally in tallies.items():
                parts += [
                    f"  {name:<{wide}}  ",
                    *_bar(tally, room),
                    f"  {tally.text}\n",
                ]
            parts.append("\n")
    parts += [("Puzzles\n", "bold"), f"  {streak_line()}\n"]
    return Content.assemble(*parts)


def _strength(row: tuple[str, Tally]) -> int:
    return COMPUTERS.index(row[0]) if row[0] in COMPUTERS else len(COMPUTERS)


def _bar(tally: Tally, width: int) -> list[tuple[str, str]]:
    filled = round(tally.share * width)
    return [("█" * filled, "$success"), ("░" * (width - filled), "dim")]
