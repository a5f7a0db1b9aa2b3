"""A strategy: what it tells a player to do, and how it is told."""

from __future__ import annotations

from dataclasses import dataclass

from numduel.core.game import Game
from numduel.core.ideas import Idea
from numduel.core.state import Move, State
from numduel.ideas import applied, situation


@dataclass(frozen=True)
class Strategy:
    """What to remember in order to win a game from one seat, whatever the opponent does."""

    game: Game
    seat: int
    opening: int | None
    """The first move, if it is named."""
    ideas: tuple[Idea, ...]
    """Applied in turn to the moves that are left; the smallest move decides the rest."""
    positions: int
    """The positions of this seat that the proof went through."""
    proved: bool = True
    pairs: tuple[tuple[int, int], ...] | None = None
    """Where a token moves along edges: every answer is the partner of their move."""
    apart: tuple[int, ...] = ()
    """The check of the pairs: without these numbers, the others fall into pieces of which more
    are odd than there are numbers here, so that no pairing leaves fewer single."""

    def choose(self, state: State) -> Move:
        """What the strategy plays."""
        game = state.game
        if self.opening is not None and not state.moves:
            return game.moves(1 << self.opening, state)[0]
        if self.pairs is not None:
            partner = {one: two for pair in self.pairs for one, two in (pair, pair[::-1])}
            answer = partner.get(situation(state).theirs, 0)
            if state.mask >> answer & 1 and answer:
                return game.moves(1 << answer, state)[0]
        left = applied(self.ideas, situation(state))
        return game.moves(left & -left, state)[0]

    def lines(self) -> list[str]:
        """The strategy in words."""
        head = f"{self.game}: how to win as Player {self.seat}"
        return [head, *self._steps(), self._proof()]

    def json(self) -> dict[str, object]:
        """The strategy as plain data."""
        return {
            "game": self.game.id,
            "variant": self.game.settings,
            "seat": self.seat,
            "opening": self.opening,
            "ideas": [idea.name for idea in self.ideas],
            "positions": self.positions,
            "proved": self.proved,
            **({} if self.pairs is None else {"pairs": [list(pair) for pair in self.pairs]}),
        }

    def instructions(self) -> list[str]:
        """What to do, one sentence each, in order."""
        opening = [] if self.opening is None else [f"Open with {self.opening}."]
        if self.pairs is not None:
            told = ", ".join(f"{one}–{two}" for one, two in self.pairs)
            return [*opening, f"Always answer with the partner of their number: {told}."]
        rest = "If several numbers are left, take the smallest."
        if not self.ideas:
            rest = "Then take the smallest number you can, always."
        return [*opening, *(idea.instruction for idea in self.ideas), rest]

    def _steps(self) -> list[str]:
        return [f"{number}. {told}" for number, told in enumerate(self.instructions(), 1)]

    def _proof(self) -> str:
        if self.pairs is not None:
            return self._pairing_proof()
        return (
            f"Proved: wins all of your games as Player {self.seat}, checked in"
            f" {self.positions:,} position{'s' * (self.positions != 1)} against every answer."
        )

    def _pairing_proof(self) -> str:
        single = self.game.bounds.actions - 2 * len(self.pairs or ())
        if single == 0:
            return "Proved: every number has a partner, so you always have an answer."
        if single == 1:
            return (
                "Proved: only one number is single, and a number can be single only on one side of"
                " a path of pairs, so they can never reach it."
            )
        without = ", ".join(map(str, self.apart))
        return (
            f"Proved: no pairing leaves fewer than {single} numbers single (without {without} the"
            f" others fall into {single + len(self.apart)} odd pieces), so they can never reach a"
            " number that has no partner."
        )
