"""The saved games: go on with one, see its report, or replay it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from textual.app import ComposeResult
from textual.binding import Binding
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option as Row

from numduel.activities.keeping import accuracies
from numduel.core.text import ago, percentage
from numduel.play.accuracy import Accuracy
from numduel.play.record import Record, read
from numduel.play.store import remove, saved_games
from numduel.tui.footer import Footer
from numduel.tui.listing import Listing
from numduel.tui.page import Page, refill
from numduel.tui.seats import continued, unfinished_games
from numduel.tui.words import moves_made, opponent, summary, told_names

MAX_LISTED = 500
"""Games in the list, the latest first."""
MARGIN = 2
"""Columns beside the list, for a scroll bar."""
STYLES = {"✓": "bold $text-success", "✗": "$text-error"}
"""The colour of a result, which its mark tells as well."""
RESULTS = {
    (True, False): "won",
    (True, True): "won, help",
    (False, False): "lost",
    (False, True): "lost, help",
}
"""How a game ended for its only person, by whether they won and had help."""
MARK, GAME, WHO, RESULT, MOVES, ACCURACY, WHEN = range(7)
"""The columns of a game."""


class Games(Page):
    """The saved games of this user, unfinished ones first."""

    BINDINGS = [
        Binding("a", "replay", "Replay", tooltip="Step through the game"),
        Binding("delete,d", "remove", "Remove", tooltip="Remove the game", key_display="d"),
    ]
    AUTO_FOCUS = "OptionList"

    def __init__(self) -> None:
        super().__init__()
        self._games: list[tuple[Path, Record]] = []

    def compose(self) -> ComposeResult:
        """The list."""
        yield Static("My games", id="title")
        yield Listing(id="list", markup=False)
        yield Footer()

    def on_screen_resume(self) -> None:
        """Read the games, which may have changed."""
        self.attempt(self._list)

    def _list(self) -> None:
        found = [*unfinished_games(), *saved_games(finished=True)]
        self._games = found[:MAX_LISTED]
        none = Row("No games yet. Press Esc, then p, to start one.", disabled=True)
        known, listing = accuracies(), self.query_one(OptionList)
        width = min(listing.scrollable_content_region.width, self.app.size.width - MARGIN)
        cells = [_cells(record, known.get(path.name)) for path, record in self._games]
        wide = [max(map(len, column)) for column in zip(*cells, strict=True)]
        narrow = sum(wide) + 2 * len(wide) - 2 > width
        rows = [
            Row(_below(one, record, width) if narrow else _in_columns(one, wide), id=str(number))
            for number, (one, (_path, record)) in enumerate(zip(cells, self._games, strict=True))
        ]
        refill(listing, rows or [none])

    def on_resize(self) -> None:
        """Arrange the columns anew."""
        self.attempt(self._list)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Go on with an unfinished game; show the report of a finished one."""
        path, record = self._games[event.option_index]
        self.attempt(lambda: self.app.push_screen(_opened(path, record)))

    @property
    def _chosen(self) -> tuple[Path, Record] | None:
        """The highlighted game."""
        at = next((listing.highlighted for listing in self.query(OptionList)), None)
        return self._games[at] if at is not None and at < len(self._games) else None

    def action_remove(self) -> None:
        """Remove the highlighted game, after asking."""
        if self._chosen is None:
            return
        path, record = self._chosen
        question = f"Remove this game for good? {summary(record)}"
        self.confirm(question, "Keep it", "Remove it", lambda: self.attempt(lambda: remove(path)))

    def action_replay(self) -> None:
        """Step through the highlighted game."""
        if self._chosen is None:
            return
        from numduel.tui.study import Study

        path = self._chosen[0]
        self.attempt(lambda: self.app.push_screen(Study(read(path))))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only a game that is over is replayed, and only one that is kept can be removed."""
        chosen = self._chosen
        over = chosen is not None and chosen[1].state.winner is not None
        return {"replay": over, "remove": chosen is not None}.get(action, True)

    def on_option_list_option_highlighted(self) -> None:
        """What can be done with another game may be something else."""
        self.refresh_bindings()


def _opened(path: Path, record: Record) -> Screen[Any]:
    if record.state.winner is None:
        return continued(path)
    from numduel.tui.after import After

    return After(read(path))


def _cells(record: Record, accuracy: Accuracy | None) -> list[str]:
    """A game in columns."""
    names, person, winner = told_names(record), record.person, record.state.winner
    who = names[2 - person] if person else " – ".join(names)
    result = f"{names[winner - 1]} won" if winner else "goes on"
    if winner and person:
        result = RESULTS[winner == person, bool(record.help)]
    return [
        _mark(record),
        record.game.display_name,
        _online(who, record),
        result,
        moves_made(record.made),
        "" if accuracy is None or accuracy.share is None else percentage(accuracy.share),
        ago(record.date, datetime.now()) if record.date else "",
    ]


def _in_columns(cells: list[str], wide: list[int]) -> Content:
    """A game on one line; numbers stand to the right."""
    style, parts = STYLES.get(cells[MARK], ""), []
    for column, (cell, size) in enumerate(zip(cells, wide, strict=True)):
        text = f"{cell:>{size}}" if column in (MOVES, ACCURACY) else f"{cell:{size}}"
        gap = "  " if column > GAME and size else " "
        parts.append((gap + text, style if column in (MARK, RESULT) else ""))
    return Content.assemble(*parts)


def _below(cells: list[str], record: Record, width: int) -> Content:
    """A game on two lines, for a narrow terminal; a computer is called by its level alone."""
    style, when = STYLES.get(cells[MARK], ""), cells[WHEN]
    game = cells[GAME].ljust(max(len(cells[GAME]) + 2, width - 2 - len(when)))
    rest = [text for text in (cells[MOVES], cells[ACCURACY]) if text]
    return Content.assemble(
        (f"{cells[MARK]} ", style), f"{game}{when}\n  ", (cells[RESULT], style),
        f" · {_online(opponent(record), record)} · {', '.join(rest)}",
    )  # fmt: skip


def _mark(record: Record) -> str:
    """Whether the person has won or lost; a dot if two people played, or none."""
    if record.state.winner is None:
        return "…"
    if record.person is None:
        return "·"
    return "✓" if record.state.winner == record.person else "✗"


def _online(name: str, record: Record) -> str:
    """An opponent, and whether that was online."""
    return f"{name}, online" if record.online else name
