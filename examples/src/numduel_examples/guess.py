"""Guess the winner: a position after three moves; who wins, if nobody makes a mistake?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from typing import Any, ClassVar, Self

from numduel import evaluate, game
from numduel.activities import Activity, Choice, Scene, Sentence
from numduel.activities.base import record_of
from numduel.core.state import played_at_random
from numduel.play.record import parse

ONE = Choice("one", "Player 1 wins", "1", "Say that Player 1 wins")
TWO = Choice("two", "Player 2 wins", "2", "Say that Player 2 wins")
NEXT = Choice("next", "Another", "n", "Another position")
SEATS = {"one": 1, "two": 2}


@dataclass(frozen=True)
class Guess(Activity):
    """A position, and the guess about it."""

    NAME: ClassVar = "guess"
    TITLE: ClassVar = "Guess the winner"
    ABOUT: ClassVar = "who wins from here, if nobody makes a mistake?"
    CHOICES: ClassVar = (ONE, TWO, NEXT)

    number: int = 0
    right: int = 0
    at: str = ""
    guessed: int = 0
    """The player guessed to win; 0 before the guess."""

    def act(self, action: str, given: str = "") -> Self:
        """Begin, say who wins, or go on to another position."""
        if action == "begin" or (action == "next" and self.guessed):
            number = self.number + 1
            asked = replace(self, number=number, guessed=0)
            return asked._wait("guess_position", number, told="Looking for a position")
        if action in SEATS and self.at and not self.guessed:
            said = replace(self, guessed=SEATS[action])
            return said._wait("guess_winner", self.at, told="Thinking")
        return self

    def fed(self, result: Any) -> Self:
        """The position, or who wins there."""
        waited, done = self.work, replace(self, work=None)
        if waited is not None and waited.task == "guess_position":
            return replace(done, at=result)
        why = Sentence("why", f"Player {result} wins.")
        if result == self.guessed:
            return replace(done, right=self.right + 1, said=(Sentence("right", "Right."), why))
        return replace(done, said=(Sentence("wrong", "No."), why))

    @property
    def scene(self) -> Scene:
        """The position, and the guesses to choose from."""
        return Scene(
            f"Position {self.number}",
            goal="Who wins, if nobody makes a mistake?",
            at=self.at,
            said=self.said,
            notes=(f"{self.right} right so far",),
            choices=(NEXT,) if self.guessed else (ONE, TWO),
            link=str(self.number),
        )


# -- what is computed -----------------------------------------------------------------------


def guess_position(number: int) -> str:
    """A position after three random moves; the number decides which."""
    *_, state = islice(played_at_random(game("line", n=9, k=3), Random(number).random), 4)
    return record_of(state)


def guess_winner(at: str) -> int:
    """Who wins from there."""
    state = parse(at).state
    wins = evaluate(state).win_probability == 1
    return (state.to_move or 0) if wins else 3 - (state.to_move or 0)


TASKS = (guess_position, guess_winner)
