"""An activity on a screen: its board, what it says, and a key for everything that can be done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Generic, TypeVar

from textual.binding import Binding

from numduel.activities import Activity, Scene, Work, run
from numduel.core.errors import NumduelError
from numduel.core.state import State
from numduel.core.view import View
from numduel.record import parse
from numduel.tui.table import Table

Some = TypeVar("Some", bound=Activity)
MARKS = {"right": "✓ ", "wrong": "✗ "}


class Activities(Table, Generic[Some]):
    """Something that somebody does. What it carries from one time to the next is kept after every
    action."""

    activity: Some

    @classmethod
    def of(cls, activity: Some, link: str, keep: Callable[[Some], None]) -> Activities[Some]:
        """A screen that begins with what an address names."""
        keys = [
            Binding(
                choice.key,
                f"do('{choice.action}')",
                choice.action.capitalize(),
                tooltip=choice.told,
            )
            for choice in activity.CHOICES
        ]
        screen: Activities[Some] = type(cls.__name__, (cls,), {"BINDINGS": keys})()
        screen.activity, screen._link, screen._keep = activity, link, keep
        return screen

    def __init__(self) -> None:
        super().__init__()
        self._link = ""
        self._keep: Callable[[Some], None]
        self._at = ""
        """The position that is shown."""

    def on_mount(self) -> None:
        """Begin."""
        self.tell("One moment…")
        self.action_do("begin", self._link)

    def action_do(self, action: str, given: str = "") -> None:
        """Do something, and go on when all is computed that it waits for."""
        self._go_on(self.activity, self.activity.act(action, given))

    def _go_on(self, before: Some, activity: Some) -> None:
        """What cannot be computed leaves everything as it was."""
        self.activity = activity
        if activity.work is None:
            self._keep(activity)
            self._show(activity.scene)
            return

        def fed(result: Any) -> None:
            self._go_on(before, activity.fed(result))

        def failed(error: NumduelError) -> None:
            self.activity = before
            self.fail(str(error))

        work: Work = activity.work
        self.think(partial(run, work), fed, work.told, "activity", failed=failed)

    def _show(self, scene: Scene) -> None:
        if scene.at and scene.at != self._at:
            state = parse(scene.at).state
            if scene.moves:
                self.you, self.values_on = state.to_move, False
            self._at = scene.at
            self.show(state)
        self.on_board_typed()
        self.refresh_bindings()
        keys = [f"{choice.key}: {choice.label.lower()}" for choice in scene.choices]
        self.tell(_told(scene) or " · ".join(keys))
        for sentence in scene.said:
            if sentence.kind == "error":
                self.fail(sentence.text)

    def heading(self, state: State, seen: View) -> str:
        """What it is."""
        scene = self.activity.scene
        return ", ".join(filter(None, (scene.title, scene.grade)))

    def goal(self, state: State, seen: View) -> str:
        """What is asked."""
        return self.activity.scene.goal

    def means(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What the activity offers; values would be the answer as long as one is asked for."""
        scene = self.activity.scene
        if action == "do":
            return parameters[0] in {choice.action for choice in scene.choices}
        return action != "values" or bool(scene.at and not scene.moves)

    @property
    def asked(self) -> str:
        """Nothing, when no move can be made."""
        return super().asked if self.activity.scene.moves else ""

    @property
    def offer(self) -> str:
        """When no move can be made, the main thing."""
        return f"Enter: {self.enter.lower()}" if self.activity.scene.choices else ""

    @property
    def enter(self) -> str:
        """When no move can be made, the main thing."""
        scene = self.activity.scene
        return super().enter if scene.moves or not scene.choices else scene.choices[0].label

    def chosen(self, move: str) -> None:
        """Make a move, or do the main thing."""
        scene = self.activity.scene
        if scene.moves:
            self.action_do("move", move)
        elif scene.choices:
            self.action_do(scene.choices[0].action)

    def action_back(self) -> None:
        """Leave it."""
        self._keep(self.activity.act("leave"))
        super().action_back()


def _told(scene: Scene) -> str:
    """The verdict and what is to be shared on a line, and everything else below it."""
    said = [
        replace(one, text=MARKS.get(one.kind, "") + one.text)
        for one in scene.said
        if one.kind != "error"
    ]
    first = [one.text for one in said if one.kind in ("right", "share")]
    rest = [one.text for one in said if one.text not in first]
    return "\n".join(filter(None, (" ".join(first), " ".join(rest))))
