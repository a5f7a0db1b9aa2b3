"""Pawns: two rows of pawns walk towards each other; whoever gets across wins.

A position is ``(own, other)``, each a set of squares: bit 1 is a1, the next is b1, and so on row by
row. Bit 0 says that its player walks down, so that a move means the same whoever makes it.
"""

from __future__ import annotations

from functools import cached_property
from string import ascii_lowercase
from typing import NamedTuple

from numduel.core.errors import NotAMove
from numduel.core.game import Game, numbers
from numduel.core.rules import Bounds, Parameter, Rules
from numduel.core.state import Move, State
from numduel.core.text import in_words
from numduel.core.view import Cell, Layout, View


class Variant(NamedTuple):
    """How many pawns each player has, side by side."""

    wide: int = 3


def start(v: Variant) -> tuple[int, int]:
    """The first player's pawns in the first row, the other's in the third."""
    row = (2 << v.wide) - 2
    return row, row << 2 * v.wide | 1


def squares(move: int, v: Variant) -> tuple[int, int]:
    """The square a move leads from, and the one it leads to. Moves are numbered without gaps: up
    from the first row, up from the second, down to the first, down to the second."""
    way, rest = divmod(move - 1, 3 * v.wide - 2)
    column = (rest + 1) // 3
    low = way % 2 * v.wide + 1
    one, two = low + column, low + rest - 2 * column
    return (one, two + v.wide) if way < 2 else (one + v.wide, two)


def legal(own: int, other: int, v: Variant) -> int:
    """Straight to an empty square, or diagonally to an opponent's pawn, if none got across."""
    row = (2 << v.wide) - 2
    if other & (row if other & 1 else row << 2 * v.wide):
        return 0
    half = 2 * (3 * v.wide - 2)
    first = half + 1 if own & 1 else 1
    found = 0
    for move in range(first, first + half):
        one, two = squares(move, v)
        straight = (two - one) % v.wide == 0
        if own >> one & 1 and not own >> two & 1 and straight != (other >> two & 1 == 1):
            found |= 1 << move
    return found


def play(own: int, other: int, move: int, v: Variant) -> tuple[int, int]:
    """Move a pawn, and take what stands there."""
    one, two = squares(move, v)
    return other & ~(1 << two), own & ~(1 << one) | 1 << two


def result(own: int, other: int, v: Variant) -> int:
    """The opponent got across, or left no move."""
    return -1


class Pawns(Game):
    """Pawns that walk from square to square."""

    id = "pawns-across"
    name = "pawns"
    title = "Pawns Across"
    summary = "Get a pawn to the other side, or leave your opponent without a move."
    rules = Rules(start, legal, play, result)
    Variant = Variant
    parameters = {"wide": Parameter("how many pawns each player has", 2, 5)}
    numeric = False

    @cached_property
    def bounds(self) -> Bounds:
        """All pawns walk to the middle, and one walks on."""
        wide = self.variant.wide
        return Bounds(actions=4 * (3 * wide - 2), plies=2 * wide + 1, bits=3 * wide + 1)

    @property
    def layout(self) -> Layout:
        """Three rows, with a column for each pawn."""
        return Layout(columns=self.variant.wide)

    @property
    def details(self) -> tuple[str, ...]:
        """The board, the moves and how it ends."""
        wide = self.variant.wide
        columns = ascii_lowercase[:wide]
        return (
            f"The board is {in_words(wide, 'square')} wide, columns {columns[0]} to {columns[-1]},"
            " and has three rows, 1 to 3.",
            "The player who moves first has a pawn on every square of row 1 and walks up; the other"
            " has row 3 and walks down.",
            "On your turn, move one of your pawns by one square: straight on, if that square is"
            " empty, or diagonally forward, if a pawn of your opponent stands there, which is then"
            " taken off the board.",
            "A move is the square that a pawn leaves and the one that it reaches: a1a2 walks, a1b2"
            " takes.",
            "A pawn that reaches the row in which the opponent began wins at once. Whoever has no"
            " move on their turn loses.",
        )

    # -- moves, as they are written ---------------------------------------------------------

    def _label(self, square: int) -> str:
        row, column = divmod(square - 1, self.variant.wide)
        return f"{ascii_lowercase[column]}{row + 1}"

    @cached_property
    def _names(self) -> dict[str, int]:
        """Every move by its two squares: ``a1b2``."""
        codes = range(1, self.bounds.actions + 1)
        return {"".join(map(self._label, squares(code, self.variant))): code for code in codes}

    def moves(self, mask: int, state: State) -> tuple[Move, ...]:
        """The names of the moves in a bit set."""
        names = list(self._names)
        return tuple(names[code - 1] for code in numbers(mask))

    def read(self, move: Move, state: State) -> Move:
        """A move as it was typed, without blanks and in small letters."""
        text = str(move).strip().lower()
        if text not in self._names:
            raise NotAMove(self.input_error())
        return text

    def code(self, move: Move) -> int:
        """The bit of a move."""
        return self._names.get(str(move), -1)

    def input_hint(self) -> str:
        """What a move looks like."""
        return "a move such as a1a2"

    def input_error(self) -> str:
        """What to type."""
        return "Please type where a pawn stands and where it goes, such as a1a2."

    # -- what is seen and said --------------------------------------------------------------

    def cells(self, state: State) -> tuple[Cell, ...]:
        """The squares, the last row at the top."""
        owners = {
            square: seat
            for pawns, seat in zip(state.position, (state.to_move, 3 - state.to_move), strict=True)
            for square in numbers(pawns & ~1)
        }
        last = str(state.moves[-1])[2:] if state.moves else ""
        wide = self.variant.wide
        return tuple(
            Cell(
                self._label(square),
                owners.get(square),
                "free"
                if square not in owners
                else "last"
                if self._label(square) == last
                else "taken",
            )
            for low in (2 * wide, wide, 0)
            for square in range(low + 1, low + wide + 1)
        )

    def end_lines(self, view: View, winner: int) -> list[str]:
        """Who got across, or who cannot move."""
        if str(view.last).endswith("2"):
            return [f"{view.name(3 - winner)} cannot move."]
        return [f"{view.name(winner)} got across."]
