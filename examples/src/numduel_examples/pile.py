"""Pile: take a few at a time; whoever takes the last one wins.

A position is ``(pile, 0)``.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.rules import Bounds, Parameter, Rules
from numduel.core.state import Move, State
from numduel.core.text import either, in_words
from numduel.core.view import Fact, View


class Variant(NamedTuple):
    """The size of the pile, and how many can be taken at once."""

    pile: int = 15
    most: int = 3


def start(v: Variant) -> tuple[int, int]:
    """A full pile."""
    return v.pile, 0


def legal(pile: int, unused: int, v: Variant) -> int:
    """One to `most`, but not more than there are."""
    return (2 << min(pile, v.most)) - 2


def play(pile: int, unused: int, move: int, v: Variant) -> tuple[int, int]:
    """Take some; the opponent is next."""
    return pile - move, 0


def result(pile: int, unused: int, v: Variant) -> int:
    """The opponent of the player to move took the last one."""
    return -1


class Pile(Game):
    """A pile of things, taken a few at a time."""

    id = "last-of-the-pile"
    name = "pile"
    title = "Last of the Pile"
    summary = "Take a few at a time from the pile; whoever takes the last one wins."
    rules = Rules(start, legal, play, result)
    Variant = Variant
    parameters = {
        "pile": Parameter("the size of the pile", 1, 999),
        "most": Parameter("how many can be taken at once", 1, 60),
    }

    @cached_property
    def bounds(self) -> Bounds:
        """The longest game takes one at a time."""
        return Bounds(self.variant.most, self.variant.pile, self.variant.pile.bit_length())

    @property
    def brief(self) -> tuple[str, ...]:
        """The rules with the numbers of the variant."""
        return (
            f"There is one pile of {in_words(self.variant.pile)}.",
            f"Take turns taking {self._some} from it.",
            "Whoever takes the last one wins.",
        )

    @property
    def _some(self) -> str:
        most = self.variant.most
        return either(list(map(in_words, range(1, most + 1)))) if most < 5 else f"1 to {most}"

    @property
    def details(self) -> tuple[str, ...]:
        """What nobody may do."""
        return ("You may not take more than there are, and you may not take nothing.",)

    def check(self) -> None:
        """A move cannot take more than the whole pile."""
        if self.variant.most > self.variant.pile:
            raise BadVariant(f"most={self.variant.most} is more than the whole pile.")

    def facts(self, state: State) -> tuple[Fact, ...]:
        """How many are left."""
        return (Fact("Pile", str(state.position[0])),)

    def end_lines(self, view: View, winner: int) -> list[str]:
        """Who took the last one."""
        return [f"{view.name(winner)} took the last one."]

    def refusal(self, move: Move, view: View) -> str:
        """Why this many cannot be taken."""
        return f"{move} cannot be taken: the pile has {view.fact('Pile').text}."
