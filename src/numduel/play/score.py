"""The score of several games between the same two players, who begin in turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from numduel.core.language import N_, _
from numduel.core.text import name_told


class Score(NamedTuple):
    """How many games Player 1 and Player 2 have won."""

    one: int = 0
    two: int = 0

    @property
    def games(self) -> int:
        """How many games were played; none is a tie."""
        return self.one + self.two

    def add(self, winner: int | None) -> Score:
        """The score after one more game, or after none if nobody has won yet."""
        return Score(self.one + (winner == 1), self.two + (winner == 2))

    def told(self, names: tuple[str, str]) -> str:
        """The score, in words."""
        told = (
            N_("The score is {more} to {less}.")
            if self.one == self.two
            else N_("The score is {more} to {less} for {name}.")
        )
        name = name_told(names[0 if self.one > self.two else 1])
        return _(told, more=max(self), less=min(self), name=name)


def between(names: Sequence[str], won: Sequence[int]) -> str:
    """The games that two players have won, as a title shows them: ``Ada 2 : 1 Bo``."""
    one, two = map(name_told, names)
    return f"{one} {won[0]} : {won[1]} {two}"
