"""The analysis board: step through a game, branch off anywhere, and see what every move is worth.

Kept games are replayed on it, at first without values.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from textual import events
from textual.binding import Binding
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option as Row

from numduel.activities import Analysis, Scene
from numduel.activities.analysis import BACK, END, GAME, ON, OTHER, START
from numduel.activities.base import Choice as Action
from numduel.activities.base import Ply
from numduel.activities.keeping import unkept
from numduel.core.state import State
from numduel.core.text import name_told, titled
from numduel.core.view import View
from numduel.play.record import Record
from numduel.tui.activity import Activities, binding
from numduel.tui.board import Board, marks
from numduel.tui.page import Choice
from numduel.tui.words import shown_names

BAR = 20
"""Columns of the evaluation bar at most."""
BESIDE_BAR = 6
"""Columns around the bar and the names."""
STEP = Binding.Group("Step", compact=True)
ARROWS = ("back", "on", "start", "end", "other")
"""What the arrows do unless they choose a cell."""
NO_VALUES: dict[str, Any] = {"options": (), "legend": "", "evaluation": None}
WON: list[dict[str, Any]] = [
    {"chances": chances, "words": ("", "")} for chances in ((0, 1), (1, 0))
]
"""The evaluation of a game that Player 2 has won, or Player 1."""


def _key(key: str, choice: Action, name: str, **more: Any) -> Binding:
    """A key for a choice of the activity, under a shorter name."""
    return replace(binding(choice), key=key, description=name, **more)


class Jump(Choice):
    """A list of moves: the number of one highlights it."""

    _typed = ""

    def on_key(self, event: events.Key) -> None:
        """Highlight the move whose number is typed."""
        digit = event.character if event.key.isdigit() else None
        for number in [self._typed + digit, digit] if digit else []:
            if number in self._answers:
                self._typed = number
                self.query_one(OptionList).highlighted = int(number)
                return


class Study(Activities[Analysis]):
    """A game to step through and to branch off from."""

    BINDINGS = [
        _key("left", BACK, "Back", key_display="←", group=STEP),
        _key("right", ON, "On", key_display="→", group=STEP),
        _key("home", START, "Start", show=False),
        _key("end", END, "End", show=False),
        _key("g", GAME, "The game"),
        Binding("m", "jump", "Jump", tooltip="Jump to a move"),
        Binding("c", "cursor", "Arrows", tooltip="Switch the arrows between cells and moves"),
        _key("up", OTHER, "Branch", action="do('other', 'later')", show=False),
        _key("down", OTHER, "Branch", key_display="↓"),
        Binding("r", "rules", "Rules", tooltip="The rules of the game", show=False),
    ]

    def __init__(self, record: Record, *, values: bool = False, end: bool = False) -> None:
        named = replace(record, names=shown_names(record))
        super().__init__(unkept(Analysis(values=values).opened(named, end=end)), "")

    def on_mount(self) -> None:
        """At first, the arrows step."""
        self.query_one(Board).arrows = False

    def action_enabled(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The arrows step only while they do not choose a cell."""
        if action == "do" and parameters[0] in ARROWS and self.query_one(Board).arrows:
            return False
        return action in ("values", "hint") or super().action_enabled(action, parameters)

    # -- showing ----------------------------------------------------------------------------

    @property
    def called(self) -> str:
        """That it is an analysis, and of which game."""
        return f"Analysis: {super().called}"

    @property
    def shows_values(self) -> bool:
        """The activity knows."""
        return self.activity.values

    def _show(self, scene: Scene) -> None:
        super()._show(scene)
        if not self.activity.said:
            self.refresh_values()

    def list_moves(self, state: State, seen: View) -> None:
        """List the whole line, with the current position highlighted."""
        listing = self.query_one("#moves", OptionList)
        listing.clear_options()
        listing.add_options(Row(text) for text in self._texts(state))
        listing.highlighted = self._here

    @property
    def _line(self) -> list[Ply]:
        return [ply for ply in self.activity.scene.tree if ply.followed]

    @property
    def _here(self) -> int:
        """The number of the last move on the board, from 1."""
        return next((number for number, ply in enumerate(self._line, 1) if ply.here), 0)

    def _texts(self, state: State) -> list[str]:
        tree, mark = self.activity.scene.tree, ("?", *marks(state.game))
        texts = ["  0 start"]
        for number, ply in enumerate(self._line, 1):
            branches = sum(other.before == ply.before for other in tree)
            fork = f" ⎇{branches}" if branches > 1 else ""
            texts.append(f"{number:>3} {mark[ply.seat]} {ply.label}{fork}")
        return texts

    # -- keys -------------------------------------------------------------------------------

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Jump to a move."""
        self._jump(event.option_index)

    def _jump(self, number: int) -> None:
        self.action_do("go", " ".join(ply.move for ply in self._line[:number]))

    def action_jump(self) -> None:
        """Choose a move from the list."""
        if self.state is None:
            return
        answers = {str(number): text for number, text in enumerate(self._texts(self.state))}

        def answered(answer: str | None) -> None:
            if answer is not None:
                self._jump(int(answer))

        self.app.push_screen(Jump("Jump to", answers, str(self._here)), answered)

    def action_cursor(self) -> None:
        """Switch the arrows between cells and moves."""
        board = self.query_one(Board)
        board.arrows = not board.arrows
        board.focus()
        told = "The arrows choose a cell." if board.arrows else "The arrows step through moves."
        self.tell(told)
        self.on_board_typed()
        self.refresh_bindings()
        self.refresh_values()

    # -- values -----------------------------------------------------------------------------

    def action_values(self) -> None:
        """Show or hide what every move is worth."""
        self.action_do("values")

    def refresh_values(self) -> None:
        """Write the values on the cells, and draw the bar."""
        if self.state is not None:
            self.values_on = True  # the activity knows whether they are wanted
            self.write(self.state, self.activity.scene.values or NO_VALUES)
            self._draw_bar(self.state)

    def on_resize(self) -> None:
        """Fit the bar to the new width."""
        if self.state is not None:
            self._draw_bar(self.state)

    def _draw_bar(self, state: State) -> None:
        """Show how the game stands, in place of the goal."""
        scene, goal = self.activity.scene, self.query_one("#goal", Static)
        over = self.activity.values and state.winner is not None
        found = WON[state.winner == 1] if over else (scene.values or NO_VALUES)["evaluation"]
        if found is None:
            goal.update(scene.goal)
            return
        names = one, two = [name_told(name) for name in self.names]
        wide = max(1, min(BAR, self.size.width - len(one) - len(two) - BESIDE_BAR))
        filled = round(found["chances"][0] * wide)
        seats = sorted((1, 2), key=lambda seat: seat != state.to_move)
        said = [(names[seat - 1], found["words"][seat - 1]) for seat in seats]
        goal.update(
            Content.assemble(
                (f"{one} ", "bold"),
                ("█" * filled, "$primary"),
                ("░" * (wide - filled), "$warning"),
                (f" {two}", "bold"),
                next((f"\n{titled(name, words)}" for name, words in said if words), ""),
            )
        )
