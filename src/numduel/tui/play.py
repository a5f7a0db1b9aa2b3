"""A game on the whole screen, kept after every move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from textual.binding import Binding

from numduel.activities import Scene, Sitting
from numduel.activities.keeping import KeptGame
from numduel.activities.play import GIVE_UP
from numduel.core.state import State
from numduel.core.text import name_told
from numduel.core.view import View
from numduel.play.match import Match
from numduel.tui.activity import Activities, binding
from numduel.tui.board import Board
from numduel.tui.words import REPORT


class Play(Activities[Sitting]):
    """Games of people at this keyboard, with each other or with the computer."""

    BINDINGS = [
        *(binding(choice) for choice in Sitting.CHOICES if choice.key),
        Binding("a", "report", "Report", tooltip=REPORT),
    ]

    def __init__(self, kept: KeptGame) -> None:
        kept.activity = replace(kept.activity, careful=True, by_itself=True)
        super().__init__(kept, "")
        self._game = kept
        self._new = not kept.save_file.on_disk

    def on_unmount(self) -> None:
        """Release the game. A new one without a move is not kept; an older one keeps its number,
        and is no longer listed."""
        if self._new and self._game.save_file.on_disk and self.match.record.unplayed:
            self._game.save_file.path.unlink(missing_ok=True)
        self._game.close()

    @property
    def match(self) -> Match:
        """The game that is played."""
        return self.activity.match

    @property
    def kept(self) -> bool:
        """Whether there is a game to go on with."""
        going_on = not (self.match.record.unplayed or self.activity.over)
        return self._game.save_file.on_disk and going_on

    def chosen(self, move: str) -> None:
        """Make a person's move; after the game, show the report. What is typed while the computer
        thinks stays typed."""
        if self.activity.over:
            self.action_report()
            return
        if self.activity.thinking:
            self.query_one(Board).type(move)
        super().chosen(move)

    def _show(self, scene: Scene) -> None:
        self.you = self.match.record.person
        self.query_one(Board).theirs = self.activity.thinking
        super()._show(scene)
        self.finish(self.activity.view)

    def goal(self, state: State, seen: View) -> str:
        """What to do, or who has won."""
        return self.verdict(seen) if self.activity.over else super().goal(state, seen)

    # -- keys -------------------------------------------------------------------------------

    @property
    def prompted(self) -> str:
        """Nothing while the computer thinks."""
        return "" if self.activity.thinking else super().prompted

    @property
    def offer(self) -> str:
        """After the game, the report or a rematch."""
        if not self.activity.over:
            return ""
        beginner = name_told(self.names[2 - self.match.record.states[0].first])
        return f"Enter: report · n: rematch, {beginner} begins · Esc: home"

    @property
    def enter(self) -> str:
        """After the game, the report."""
        return "The report of the game" if self.activity.over else super().enter

    def action_enabled(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While the computer thinks, a hint is only dimmed."""
        if action in ("report", "values"):
            return self.activity.over == (action == "report")
        if parameters == ("hint",) and self.activity.thinking:
            return None
        return super().action_enabled(action, parameters)

    def action_do(self, action: str, given: str = "") -> None:
        """Act; before giving up, ask."""
        do = partial(super().action_do, action, given)
        if action == "resign":
            question, no, yes = GIVE_UP
            self.confirm(question, no, yes, do)
        else:
            do()

    def write(self, state: State, found: Mapping[str, Any]) -> None:
        """Remember that the values of moves were shown, and show them."""
        if state == self.state and self.values_on:
            self.action_do("values")
        super().write(state, found)

    def action_report(self) -> None:
        """Show the report."""
        from numduel.tui.after import After

        again = partial(self.action_do, "rematch")
        self.app.push_screen(After(self.match.record, self.activity.total, again=again))
