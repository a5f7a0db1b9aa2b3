"""A position as players see it, independent of how it is displayed.

Every interface renders a `View`: the prompt and the text for language models use the game's texts,
the page its cells, hands and facts. It holds everything that a player must know, and
nothing else: no integers of the rules, and nothing of a hidden deck.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar, get_args

from numduel.core.language import _, plural, translated
from numduel.core.text import DEFAULT_NAMES, both, listed, name_told

if TYPE_CHECKING:
    from numduel.core.state import Move, State

Some = TypeVar("Some")

FEW = 6
"""The most numbers that a sentence names; of more it says how many."""
CellState = Literal["free", "blocked", "taken", "last", "winning"]
"""``blocked`` is untaken, but illegal to take now."""
CELL_STATES = get_args(CellState)
LayoutKind = Literal["grid", "path", "spokes", "rows"]
"""``path``: each cell follows the one before; ``spokes``: moves lead from the last number;
``rows``: cards lie in two rows of places."""
LAYOUTS = get_args(LayoutKind)


class Cell(NamedTuple):
    """One cell of the board: its label, its owner, and its state."""

    label: str
    owner: int | None
    state: CellState


@translated("label")
class Fact(NamedTuple):
    """Something else that a player must know: a sum, a pile, a log of what was selected."""

    label: str
    value: str | tuple[str, ...]
    """A text; or several in order, such as a log or a pile of cards."""
    seat: int | None = None
    """The seat whose fact it is; None if it is about both."""

    @property
    def text(self) -> str:
        """The value as one text; ``None`` if there is nothing yet."""
        return self.value if isinstance(self.value, str) else listed(self.value)


class Layout(NamedTuple):
    """How to draw the board, for doors that do; the game can be played without it."""

    kind: LayoutKind = "grid"
    columns: int | None = None
    """The columns of a grid, if there is a natural number of them."""
    places: int | None = None
    """The places of each row of cards."""
    ends: tuple[str, str] | None = None
    """The words for putting a card before and behind a row."""

    def in_rows(self, cells: Sequence[Some]) -> list[Sequence[Some]]:
        """The cells in rows if the grid has a natural number of columns, otherwise in one row."""
        long = self.columns or len(cells) or 1
        return [cells[at : at + long] for at in range(0, len(cells), long)]


class View(NamedTuple):
    """A position as a person sees it."""

    names: tuple[str, str]
    to_move: int
    moves: tuple[Move, ...]
    """Every move so far, in notation."""
    cells: tuple[Cell, ...]
    hands: tuple[tuple[int, ...], tuple[int, ...]]
    """What Player 1 and Player 2 hold, in the order that the game keeps it."""
    winning: tuple[int, ...]
    """The numbers that won the game, if it was won by numbers."""
    card: int | None
    """The drawn card that waits to be played."""
    facts: tuple[Fact, ...]
    winner: int | None
    fault: str | None
    """The sentence that names the broken rule, if the game was lost by breaking one."""
    resigned: bool

    def name(self, seat: int) -> str:
        """The name of the player in a seat."""
        return name_told(self.names[seat - 1])

    def holds(self, seat: int, you: int | None, numbers: str) -> str:
        """``You have 2, 5.``, or ``Ada has 2, 5.``, told to the player in seat `you`."""
        if seat == you:
            return _("You have {numbers}.", numbers=numbers)
        return _("{name} has {numbers}.", name=self.name(seat), numbers=numbers)

    def holding(self, you: int | None) -> str:
        """`` Yours: 2 and 5.``, or `` Ada has 2 and 5.``: the hand of the player who reads it, or
        else of the player to move; empty if the hand is."""
        seat = you or self.to_move
        hand = self.hand(seat)
        if not hand:
            return ""
        few = both(hand) if len(hand) <= FEW else plural("{n} number", "{n} numbers", len(hand))
        told = _("Yours: {numbers}.", numbers=few) if you else self.holds(seat, None, few)
        return f" {told}"

    def mask(self, seat: int) -> int:
        """What the player in a seat holds, as a bit set."""
        held = 0
        for number in self.hand(seat):
            held |= 1 << number
        return held

    def hand(self, seat: int) -> tuple[int, ...]:
        """What the player in a seat holds."""
        return self.hands[seat - 1]

    def fact(self, label: str, seat: int | None = None) -> Fact:
        """The fact with a label, in English, of a seat or about both."""
        return next(fact for fact in self.facts if (fact[0], fact.seat) == (label, seat))

    @property
    def player(self) -> str:
        """The name of the player to move."""
        return self.name(self.to_move)

    @property
    def mover(self) -> int:
        """The seat that made the last move, resigned, or broke a rule."""
        if self.winner is not None and (self.resigned or self.fault is not None):
            return 3 - self.winner
        return 3 - self.to_move

    @property
    def last(self) -> Move | None:
        """The last move, if there is one."""
        return self.moves[-1] if self.moves else None

    @property
    def status(self) -> str:
        """Whose turn it is, or who won, in one sentence."""
        if self.winner is not None:
            return _("{name} wins the game!", name=self.name(self.winner))
        return _("{name} to move.", name=self.player)


def told_to(winner: int, you: int | None) -> str:
    """Who reads how a game ended: ``won`` or ``lost``, or ``they`` if it is neither player."""
    return "they" if you is None else "won" if winner == you else "lost"


def view(state: State, names: tuple[str, str] = DEFAULT_NAMES) -> View:
    """The view of a state, without its hidden deck."""
    state, game = state.public, state.game
    return View(
        names=names,
        to_move=state.to_move,
        moves=state.moves,
        cells=game.cells(state),
        hands=game.hands(state),
        winning=game.winning(state),
        card=state.card,
        facts=game.facts(state),
        winner=state.winner,
        fault=state.fault,
        resigned=state.resigned,
    )
