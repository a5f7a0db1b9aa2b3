"""What a board looks like, in no particular medium.

Every door renders a `View`: the prompt and the text for language models through the game's
words, the page through its cells and hands. Nothing here knows about integers or bit sets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from numduel.core.text import DEFAULT_NAMES

if TYPE_CHECKING:
    from numduel.core.state import Move, State


class Cell(NamedTuple):
    """One number of the board: what it says, who took it, and how it stands."""

    label: str
    owner: int | None
    state: str
    """``free``, ``blocked`` (untaken, but not for the player to move), ``taken``, ``last`` or
    ``winning``."""


class View(NamedTuple):
    """A position as a person sees it: public facts only."""

    state: State
    names: tuple[str, str]
    cells: tuple[Cell, ...]
    hands: tuple[tuple[int, ...], tuple[int, ...]]
    """What Player 1 and Player 2 hold, in the order that the game keeps it."""
    card: int | None
    left: int
    """How many cards are left to draw."""
    discards: tuple[int, ...]

    def name(self, seat: int) -> str:
        """The name of the player in a seat."""
        return self.names[seat - 1]

    def hand(self, seat: int) -> tuple[int, ...]:
        """What the player in a seat holds."""
        return self.hands[seat - 1]

    @property
    def player(self) -> str:
        """The name of the player to move."""
        return self.names[self.state.to_move - 1]

    @property
    def mover(self) -> int:
        """The seat that made the last move, resigned, or broke a rule."""
        state = self.state
        return state.to_move if state.fault or state.resigned else 3 - state.to_move

    @property
    def last(self) -> Move | None:
        """The last move, if there is one."""
        return self.state.moves[-1] if self.state.moves else None

    @property
    def status(self) -> str:
        """Whose turn it is, or who won, in one sentence."""
        outcome = self.state.outcome
        if outcome is not None:
            return f"{self.name(outcome.winner)} wins the game!"
        return f"{self.player} to move."


def view(state: State, names: tuple[str, str] = DEFAULT_NAMES) -> View:
    """Describe a state for people; a hidden deck stays behind."""
    state, game = state.public, state.game
    return View(
        state=state,
        names=names,
        cells=game.cells(state),
        hands=game.hands(state),
        card=state.card,
        left=state.left,
        discards=game.discards(state),
    )
