"""Games in which a move takes a number that nobody took before."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

from numduel.core.game import Game
from numduel.core.rules import Bounds
from numduel.core.state import Move, State
from numduel.core.view import Cell, CellState, View


class ClaimGame(Game):
    """A game on the numbers 1 to `bounds.actions`, each taken at most once: every number is a cell,
    and a hand is what its player took."""

    taken: ClassVar[str] = "is already taken"
    """What is said about a number that is taken."""

    @cached_property
    def bounds(self) -> Bounds:
        """Bounds of a board as large as its first setting, on which every move takes a number."""
        size = self.variant[0]
        return Bounds(actions=size, plies=size, bits=size + 1)

    def owners(self, state: State) -> dict[int, int]:
        """The seat that took each taken number, in the order of play."""
        owners: dict[int, int] = {}
        seat = state.first
        for move in state.moves:
            if move == "swap":
                continue
            if isinstance(move, int):
                owners[move] = seat
            seat = 3 - seat
        return owners

    def cells(self, state: State) -> tuple[Cell, ...]:
        """One cell per number, with its owner and its state."""
        owners, winning = self.owners(state), self.winning(state)
        # After a resignation there are no legal moves, but free numbers are still free.
        legal = state.mask or self.rules.legal(*state.position, self.variant)
        last = state.moves[-1] if state.moves else None
        cells = []
        for number in range(1, self.bounds.actions + 1):
            owner = owners.get(number)
            how: CellState
            if owner is None:
                how = "free" if legal >> number & 1 else "blocked"
            elif number in winning:
                how = "winning"
            else:
                how = "last" if number == last else "taken"
            cells.append(Cell(str(number), owner, how))
        return tuple(cells)

    def hands(self, state: State) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The numbers that each seat took, smallest first."""
        hands: tuple[list[int], list[int]] = [], []
        for number, seat in sorted(self.owners(state).items()):
            hands[seat - 1].append(number)
        return tuple(hands[0]), tuple(hands[1])

    def refusal(self, move: Move, view: View) -> str:
        """Why a number cannot be taken: it is not on the board, or taken."""
        size = len(view.cells)
        if not isinstance(move, int) or not 1 <= move <= size:
            return f"{move} is out of range: the numbers are 1 to {size}."
        if view.cells[move - 1].owner is not None:
            return f"{move} {self.taken}."
        return self.broken_rule(move, view)

    def broken_rule(self, number: int, view: View) -> str:
        """Why a free number cannot be taken, in a game that has such a rule."""
        return f"{number} is not possible here."
