"""Games in which a move takes a number that nobody took before."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import ClassVar

from numduel.core.game import Game, numbers
from numduel.core.language import _, class_text
from numduel.core.rules import Bounds, Position
from numduel.core.state import Move, State
from numduel.core.view import Cell, CellState, View

LAST = 5
"""So many free numbers are few enough to look at every way in which the game can end."""
Symmetry = tuple[int, ...]
"""For each number the one that it is exchanged for, by its index."""


def mirror(n: int) -> tuple[Symmetry, ...]:
    """The numbers from 1 to n as they are, and in a mirror: n for 1, and so on."""
    return tuple(range(n + 1)), (0, *range(n, 0, -1))


class ClaimGame(Game):
    """A game on the numbers 1 to `bounds.actions`, each taken at most once: every number is a cell,
    and a hand is what its player took."""

    taken: ClassVar[str] = class_text("{number} is already taken.")
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
            if isinstance(move, int):
                owners[move] = seat
            seat = 3 - seat
        return owners

    def progress(self, state: State) -> float:
        """The share of the numbers that are taken."""
        return len(self.owners(state)) / self.bounds.actions

    def alike(self, position: Position, symmetries: tuple[Symmetry, ...]) -> tuple[object, ...]:
        """The exercise of a position of two hands in which every free number can be taken, on a
        board with these symmetries. Of the last numbers it is only asked how the game can end,
        because it does not matter any more who holds which of the others."""
        own, other = position
        if self.bounds.actions - (own | other).bit_count() <= LAST:
            images = [_endings(self, position, symmetry) for symmetry in symmetries]
        else:
            images = [(_image(own, one), _image(other, one)) for one in symmetries]
        return (*self.variant, min(images, key=repr))

    def cells(self, state: State) -> tuple[Cell, ...]:
        """One cell per number, with its owner and its state."""
        owners, deciding = self.owners(state), self.deciding(state)
        # After a resignation there are no legal moves, but free numbers are still free.
        legal = state.mask or self.rules.legal(*state.position, self.variant)
        last = state.moves[-1] if state.moves else None
        cells = []
        for number in range(1, self.bounds.actions + 1):
            owner = owners.get(number)
            how: CellState
            if owner is None:
                how = "free" if legal >> number & 1 else "blocked"
            elif number in deciding:
                how = "winning"
            else:
                how = "last" if number == last else "taken"
            cells.append(_cell(number, owner, how))
        return tuple(cells)

    def deciding(self, state: State) -> tuple[int, ...]:
        """The numbers to light up at the end: those that won the game."""
        return self.winning(state)

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
            return _(
                "{number} is out of range: the numbers are 1 to {highest}.",
                number=move, highest=size,
            )  # fmt: skip
        if view.cells[move - 1].owner is not None:
            return self.taken.format(number=move)
        return self.broken_rule(move, view)

    def broken_rule(self, number: int, view: View) -> str:
        """Why a free number cannot be taken, in a game that has such a rule."""
        return _("{move} is not possible here.", move=number)


@lru_cache(maxsize=1 << 12)
def _cell(number: int, owner: int | None, how: CellState) -> Cell:
    """A cell; all boards share it, because making one takes longer than finding it."""
    return Cell(str(number), owner, how)


def _image(held: int, symmetry: Symmetry) -> int:
    """A set of numbers after each was exchanged."""
    return sum(1 << symmetry[number] for number in numbers(held))


@lru_cache(maxsize=1 << 14)
def _endings(game: Game, position: Position, symmetry: Symmetry) -> tuple[object, ...]:
    """Every move and what can follow it, down to who wins, with numbers exchanged."""
    rules, v = game.rules, game.variant
    moves = sorted(numbers(rules.legal(*position, v)), key=symmetry.__getitem__)
    return tuple(
        (symmetry[move], _endings(game, rules.play(*position, move, v), symmetry)) for move in moves
    ) or (rules.result(*position, v),)
