"""The analysis board: step through a game, branch off anywhere, and see what everything is worth.

Kept games are replayed on it, without the values until they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from textual.binding import Binding
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option as Row

from numduel.core.errors import IllegalMove, NotAMove
from numduel.core.state import State
from numduel.core.text import either
from numduel.core.view import View, view
from numduel.play.record import Record
from numduel.tui.board import Board, marks
from numduel.tui.page import Choice
from numduel.tui.table import Table, listed_values, percent_values
from numduel.tui.words import shown_names

if TYPE_CHECKING:
    from numduel.solver import Option
    from numduel.solver import Value as Worth

BAR = 20
"""Columns of the evaluation bar at most."""
BESIDE_BAR = 6
"""Columns of what is around the bar and the names."""
STEP = Binding.Group("Step", compact=True)


@dataclass(eq=False)
class Node:
    """A position, and what was tried from there; the child that was looked at last comes first."""

    state: State
    parent: Node | None = None
    main: bool = False
    """Whether it is a position of the game itself."""
    children: list[Node] = field(default_factory=list)

    @property
    def token(self) -> str:
        """The move, or the card, that led here."""
        if self.parent is not None and self.state.moves == self.parent.state.moves:
            return str(self.state.card)
        return str(self.state.moves[-1]) if self.state.moves else ""

    def grow(self, state: State, *, main: bool = False) -> Node:
        """The child with a state; a new one if nobody has been there."""
        known = next((child for child in self.children if child.state == state), None)
        child = known or Node(state, self, main)
        if known is not None:
            self.children.remove(known)
        self.children.insert(0, child)
        return child

    def line(self) -> list[Node]:
        """From the start through this position to the end of its line."""
        nodes = [*self._up()][::-1]
        while nodes[-1].children:
            nodes.append(nodes[-1].children[0])
        return nodes

    def _up(self) -> Iterator[Node]:
        node: Node | None = self
        while node is not None:
            yield node
            node = node.parent


class Study(Table):
    """A game to step through, and to branch off from."""

    BINDINGS = [
        Binding("left", "step(-1)", "Back", tooltip="One move back", key_display="←", group=STEP),
        Binding("right", "step(1)", "On", tooltip="One move on", key_display="→", group=STEP),
        Binding("home", "step(-9999)", "Start", tooltip="To the start", show=False),
        Binding("end", "step(9999)", "End", tooltip="To the end", show=False),
        Binding("g", "main", "Game", tooltip="Back from a branch to the game"),
        Binding("m", "jump", "Moves", tooltip="Jump to a move"),
        Binding("c", "cursor", "Cells", tooltip="Let the arrows choose a cell, or step again"),
        Binding("up", "branch(-1)", "Branch", tooltip="Another branch from here", show=False),
        Binding("down", "branch(1)", "Branch", tooltip="Another branch from here", key_display="↓"),
        Binding("r", "rules", "Rules", tooltip="The rules of the game", show=False),
    ]

    def __init__(self, record: Record, *, values: bool = False, end: bool = False) -> None:
        super().__init__()
        self.names = shown_names(record)
        self.values_on = values
        node = self._root = Node(record.states[0].public, main=True)
        for state in record.states[1:]:
            node = node.grow(state.public, main=True)
        self._is_game = node is not self._root
        self._node = node if end else self._root
        self._worth: Worth | None = None
        """What the position is worth, once that is known and wanted."""

    def on_mount(self) -> None:
        """Show the position."""
        self.query_one(Board).arrows = False
        self._go(self._node)

    def means(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The arrows step, or choose a cell; in the game itself there is nothing to go back to."""
        if action in ("step", "branch"):
            branches = len(self._node.parent.children) if self._node.parent else 1
            return not self.query_one(Board).arrows and (action == "step" or branches > 1)
        return action != "main" or (self._is_game and not self._node.main)

    # -- where we are -----------------------------------------------------------------------

    def _go(self, node: Node) -> None:
        """Show a position of the tree."""
        self._node, self._worth = node, None
        state = node.state
        self.show(state, percent_values(state))
        seen = view(state, self.names)
        line = node.line()
        count = f"Move {line.index(node)} of {len(line) - 1}"
        where = "" if node.main or not self._is_game else " · a branch (g: back to the game)"
        told = ["\n".join(state.game.closing(seen))] if seen.winner else [seen.status]
        if state.draws:
            told = [f"{seen.player} draws: choose the card."]
            if not self.query_one(Board).says_all:
                told.append(listed_values(state, percent_values(state)))
        self.tell(f"{count}{where}.", *told)
        self.refresh_bindings()
        self.refresh_values()

    def list_moves(self, state: State, seen: View) -> None:
        """The whole line, with the position highlighted; it can be jumped to."""
        listing = self.query_one("#moves", OptionList)
        listing.clear_options()
        line = self._node.line()
        listing.add_options(Row(text) for text in self._texts(line))
        listing.highlighted = line.index(self._node)

    def _texts(self, line: list[Node]) -> list[str]:
        game, texts = line[0].state.game, ["  0 start"]
        for number, node in enumerate(line[1:], 1):
            drawn = node.state.moves == line[number - 1].state.moves
            mark = "?" if drawn else marks(game)[view(node.state).mover - 1]
            branches = len(node.parent.children) if node.parent else 1
            fork = f" ⎇{branches}" if branches > 1 else ""
            texts.append(f"{number:>3} {mark} {game.label_played(node.token)}{fork}")
        return texts

    def chosen(self, move: str) -> None:
        """Branch off with a move, or go on if it is the next one."""
        state = self._node.state
        try:
            after = state.apply_token(move) if state.draws else state.play(move)
        except IllegalMove as refused:
            if state.draws and isinstance(refused, NotAMove):
                refused = NotAMove(f"Please type a card: {either(state.draws)}.")
            self.refuse(move, refused)
            return
        self._go(self._node.grow(after.public))

    # -- keys -------------------------------------------------------------------------------

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Jump to a move."""
        self._go(self._node.line()[event.option_index])

    def action_step(self, moves: int) -> None:
        """Go so many moves on, or back."""
        line = self._node.line()
        at = min(len(line) - 1, max(0, line.index(self._node) + moves))
        self._go(line[at])

    def action_branch(self, by: int) -> None:
        """Go to another branch from the same position."""
        parent = self._node.parent
        if parent is not None:
            turn = by % len(parent.children)
            parent.children[:] = parent.children[turn:] + parent.children[:turn]
            self._go(parent.children[0])

    def action_main(self) -> None:
        """Go back to where the branch left the game."""
        node = self._node
        while not node.main and node.parent is not None:
            node = node.parent
        for child in node.children:
            if child.main:
                node.grow(child.state)
                break
        self._go(node)

    def action_jump(self) -> None:
        """Choose a move from the list."""
        line = self._node.line()
        answers = {str(at): text for at, text in enumerate(self._texts(line))}

        def answered(answer: str | None) -> None:
            if answer is not None:
                self._go(line[int(answer)])

        here = str(line.index(self._node))
        self.app.push_screen(Choice("Jump to", answers, here), answered)

    def action_cursor(self) -> None:
        """Change what the arrows do."""
        board = self.query_one(Board)
        board.arrows = not board.arrows
        board.focus()
        self.tell("The arrows choose a cell." if board.arrows else "The arrows step through moves.")
        self.on_board_typed()
        self.refresh_bindings()
        self.refresh_values()

    # -- values -----------------------------------------------------------------------------

    def refresh_values(self) -> None:
        """Write the values on the cells, and draw the bar."""
        state = self._node.state
        if not self.values_on:
            self._worth = None
            self.query_one("#goal", Static).update(self.goal(state, view(state, self.names)))
            super().refresh_values()
            return
        self.think(lambda: _worth(state), lambda found: self._valued(state, *found), group="values")

    def _valued(self, state: State, options: tuple[Option, ...], value: Worth) -> None:
        if state != self._node.state or not self.values_on:
            return
        self.write(state, options)
        self._worth = value
        self._draw_bar()

    def on_resize(self) -> None:
        """The bar is as long as there is room."""
        super().on_resize()
        self._draw_bar()

    def _draw_bar(self) -> None:
        """Show how the game stands, in place of what is to be done."""
        from numduel.learn.coach import worth

        state, value = self._node.state, self._worth
        if value is None:
            return
        chance = value.win_probability if state.to_move == 1 else 1 - value.win_probability
        one, two = self.names
        wide = max(1, min(BAR, self.size.width - len(one) - len(two) - BESIDE_BAR))
        filled = round(chance * wide)
        mover = self.names[state.to_move - 1]
        said = "" if state.winner else f"\n{mover}: {worth(state.game, value)}"
        self.query_one("#goal", Static).update(
            Content.assemble(
                (f"{one} ", "bold"),
                ("█" * filled, "$primary"),
                ("░" * (wide - filled), "$warning"),
                (f" {two}", "bold"),
                said,
            )
        )


def _worth(state: State) -> tuple[tuple[Option, ...], Worth]:
    """What every move is worth, and the position itself."""
    from numduel.solver import analyse, evaluate

    options = () if state.winner or state.draws else analyse(state)
    return options, options[0].value if options else evaluate(state)
