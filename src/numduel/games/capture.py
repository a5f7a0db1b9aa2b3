"""Number Capture: claim the larger sum, never two neighbours.

A position is ``(own, other)``: the numbers of the player to move and of the opponent, as bit sets.
"""

from __future__ import annotations

from typing import NamedTuple

from numduel.core.game import Game, Parameter, Rules, illegal_number, listed
from numduel.core.observation import CLAIMS
from numduel.core.state import Move, State
from numduel.core.view import View


class Variant(NamedTuple):
    """A line of 1 to n."""

    n: int = 21


PASS = 1


def start(v: Variant) -> tuple[int, int]:
    """Setup: every number is unclaimed."""
    return 0, 0


def legal(own: int, other: int, v: Variant) -> int:
    """Claiming and Blocking; No Skipping Turns: pass only without a number, while the
    opponent has one."""
    mine = open_to(own, other, v)
    if mine:
        return mine
    return PASS if open_to(other, own, v) else 0


def play(own: int, other: int, move: int, v: Variant) -> tuple[int, int]:
    """Claim a number, or pass; the opponent is next."""
    if move == 0:
        return other, own
    return other, own | 1 << move


def result(own: int, other: int, v: Variant) -> int:
    """Scoring: the higher sum, and on equal sums the highest single number.

    The sets share no number, so the larger integer holds the highest one.
    """
    ahead = margin(own, other, v)
    if ahead == 0:
        return 1 if own > other else -1
    return 1 if ahead > 0 else -1


def margin(own: int, other: int, v: Variant) -> int:
    """Total Sum: how far the player to move is ahead."""
    return total(own) - total(other)


def open_to(own: int, other: int, v: Variant) -> int:
    """The unclaimed numbers that are not next to one's own."""
    return (2 << v.n) - 2 & ~(own | other | own << 1 | own >> 1)


def total(numbers: int) -> int:
    """The sum of a set of numbers."""
    number = 0
    score = 0
    while numbers:
        if numbers & 1:
            score += number
        numbers >>= 1
        number += 1
    return score


class Capture(Game):
    """Number Capture on 1 to 21."""

    id = "number-capture"
    name = "capture"
    title = "Number Capture"
    summary = "Claim numbers, never two neighbours of your own; the larger sum wins."
    rules = Rules(start, legal, play, result, margin, apart=True)
    observation = CLAIMS
    Variant = Variant
    parameters = {"n": Parameter("the length of the line", 1, 999)}

    def board(self, view: View) -> list[str]:
        cells = (
            cell.label + (f"[{self.markers[cell.owner - 1]}]" if cell.owner else "")
            for cell in view.cells
        )
        return [
            "Number Line:",
            " ".join(cells),
            "",
            *(f"{view.name(seat)}'s Claimed Numbers: {listed(view.hand(seat))}" for seat in (1, 2)),
        ]

    def prompt(self, view: View) -> list[str]:
        return [f"{view.player}, select an unclaimed number: "]

    def moved(self, view: View) -> list[str]:
        name, last = view.name(view.mover), view.last
        if not isinstance(last, int):
            return ["", f"{name} has no valid number and passes."]
        blocked = (number for number in (last - 1, last + 1) if 1 <= number <= self.variant.n)
        return [
            f"{name} has claimed number {last}.",
            f"Blocked for {name}: {listed(blocked)}",
            "",
            *self.board(view),
        ]

    def ending(self, view: View, winner: int) -> list[str]:
        mine, theirs = sum(view.hand(winner)), sum(view.hand(3 - winner))
        if mine > theirs:
            why = f"{view.name(winner)} has the higher total, {mine} to {theirs}."
        else:
            why = (
                f"Both totals are {mine}: {view.name(winner)} holds the highest number,"
                f" {max(view.hand(winner))}."
            )
        return [why]

    def tally(self, view: View) -> list[str]:
        return [f"{view.name(seat)}'s Total Score: {_sum(view.hand(seat))}" for seat in (1, 2)]

    def refusal(self, move: Move, state: State) -> str:
        taken = illegal_number(move, state, "is already claimed")
        if taken or not isinstance(move, int):
            return taken or ""
        mine = [
            number
            for number in state.game.hands(state)[state.to_move - 1]
            if abs(number - move) == 1
        ]
        return f"{move} is blocked: it is next to your {' and '.join(map(str, mine))}."


def _sum(hand: tuple[int, ...]) -> str:
    if len(hand) < 2:
        return str(sum(hand))
    return f"{' + '.join(map(str, hand))} = {sum(hand)}"
