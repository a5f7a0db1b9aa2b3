"""A strategy: what it tells a player to do, and how it is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from numduel.core.errors import IllegalMove
from numduel.core.game import Game, numbers
from numduel.core.ideas import Idea, Situation
from numduel.core.rules import Position
from numduel.core.state import Move, State
from numduel.core.text import both, counted, either, percentage
from numduel.learn.ideas import USE, WIN, applied, situation, winning


class Branch(NamedTuple):
    """One position to remember, and what to play in it."""

    position: Position
    path: tuple[int, ...]
    """Moves that lead to it."""
    answer: int


@dataclass(frozen=True)
class Strategy:
    """What to remember in order to win a game from one seat, whatever the opponent does; or, where
    cards are drawn, to lose as little as can be."""

    game: Game
    seat: int
    opening: int | tuple[int, ...] | None
    """The first move, if it is named; where there is a deck, the cards to begin a hand with."""
    ideas: tuple[Idea, ...]
    """Applied in turn to the moves that are left; the smallest move decides the rest."""
    positions: int
    """The positions of this seat that the proof went through."""
    chance: float | None = None
    """Where cards are drawn: the exact chance to win against perfect play."""
    perfect: float | None = None
    """The chance of perfect play from the same seat."""
    margin: int | None = None
    """In a counted game: the points by which it wins at least, which are those of best play."""
    pairs: tuple[tuple[int, int], ...] | None = None
    """Where a token moves along edges: every answer is the partner of their move."""
    apart: tuple[int, ...] = ()
    """The check of the pairs: without these numbers, the others fall into pieces of which more
    are odd than there are numbers here, so that no pairing leaves fewer single."""
    tree: tuple[Branch, ...] | None = None
    """Where no list is known: the positions to remember."""
    symmetry: bool = False
    """Whether the tree leaves out mirror images."""
    facts: tuple[str, ...] = ()
    """Stronger sentences that are true of the game."""

    @property
    def proved(self) -> bool:
        """Whether it wins every game."""
        return self.chance is None

    def choose(self, state: State) -> Move:
        """What the strategy plays. In a position that it never leads to it promises nothing, and
        plays the smallest move that its ideas leave. `IllegalMove` if there is no move to make."""
        if not state.mask:
            raise IllegalMove("There is no move to make.")
        seen = situation(state)
        moves = self._named(state, seen) & seen.legal or applied(self.ideas, seen)
        return state.game.moves(moves & -moves, state)[0]

    def _named(self, state: State, seen: Situation) -> int:
        """The moves that the opening, the pairs or the tree name; none where they say nothing."""
        if isinstance(self.opening, int) and not state.moves:
            return 1 << self.opening
        if self.pairs is not None:
            partners = dict((*self.pairs, *(pair[::-1] for pair in self.pairs)))
            return 1 << partners[seen.theirs] if seen.theirs in partners else 0
        if self.tree is not None:
            return winning(state.game, state.position) or self._remembered(state.position)
        if isinstance(self.opening, tuple) and state.card not in self.opening:
            hand = state.game.hands(state)[state.to_move - 1]
            return 0 if hand else seen.legal & ~USE.prefers(seen, seen.legal)
        return 0

    def _remembered(self, position: Position) -> int:
        """The answer of the tree to a position or its mirror image, as a bit; 0 if it has none."""
        known = {branch.position: branch.answer for branch in self.tree or ()}
        if position in known:
            return 1 << known[position]
        answer = known.get(mirrored(self.game, position)) if self.symmetry else None
        return 0 if answer is None else 1 << self.game.bounds.actions + 1 - answer

    def lines(self) -> list[str]:
        """The strategy in words."""
        goal = "how to win" if self.proved else "how to play well"
        head = f"{self.game}: {goal} as Player {self.seat}"
        steps = [f"{number}. {told}" for number, told in enumerate(self.instructions(), 1)]
        return [head, *steps, *self.facts, self.proof()]

    def json(self) -> dict[str, object]:
        """The strategy as plain data."""
        told: dict[str, object] = {
            "game": self.game.id,
            "variant": self.game.settings,
            "seat": self.seat,
            "opening": list(self.opening) if isinstance(self.opening, tuple) else self.opening,
            "ideas": [idea.name for idea in self.ideas],
            "positions": self.positions,
            "proved": self.proved,
        }
        if self.pairs is not None:
            told["pairs"] = [list(pair) for pair in self.pairs]
        if self.tree is not None:
            told["tree"] = [
                {"moves": list(branch.path), "answer": branch.answer} for branch in self.tree
            ]
        if self.margin is not None:
            told["margin"] = self.margin
        if self.facts:
            told["facts"] = list(self.facts)
        if self.chance is not None:
            told |= {"win_probability": self.chance, "perfect": self.perfect}
        return told

    def instructions(self) -> list[str]:
        """What to do, one sentence each, in order."""
        if self.pairs is not None:
            told = ", ".join(f"{one}–{two}" for one, two in self.pairs)
            return [*self._opening(), f"Always answer with the partner of their number: {told}."]
        if self.tree is not None:
            return [WIN.instruction, *self._branches()]
        if self.game.has_deck:
            return [*self._opening(), *(idea.instruction for idea in self.ideas)]
        several, first = "numbers are left, take the smallest", "take the smallest number"
        if not self.game.numeric:
            several, first = "moves are left, make the first", "make the first move"
        rest = f"If several {several}." if self.ideas else f"Then always {first} you can."
        return [*self._opening(), *(idea.instruction for idea in self.ideas), rest]

    def proof(self) -> str:
        """What was checked, in one sentence."""
        if self.chance is not None and self.perfect is not None:
            return (
                f"Wins {percentage(self.chance, 1)} of games as Player {self.seat} against perfect"
                f" play; perfect play wins {percentage(self.perfect, 1)}. Exact, over all decks."
            )
        if self.pairs is not None:
            return self._pairing_proof()
        points = "" if self.margin is None else f" by {counted(self.margin, 'point')} or more"
        return (
            f"Proved: wins all of your games as Player {self.seat}{points}, checked in"
            f" {counted(self.positions, 'position')} against every answer."
        )

    def _opening(self) -> list[str]:
        if isinstance(self.opening, tuple):
            return [f"Begin with {either(self.opening)}; throw other first cards away."]
        return [] if self.opening is None else [f"Open with {self._typed(self.opening)}."]

    def _typed(self, code: int) -> str:
        """A move as a player would type it."""
        (move,) = self.game.moves(1 << code, self.game.start())
        return self.game.label(move)

    def _branches(self) -> list[str]:
        """``At the start choose 5.``, ``After 5 1 choose 7.``: the positions to remember."""
        told = []
        for branch in self.tree or ():
            before = " ".join(map(self._typed, branch.path))
            when = f"After {before}" if before else "At the start"
            told.append(f"{when} choose {self._typed(branch.answer)}.")
        if self.symmetry:
            told.append("In the mirror image of such a position choose the mirror image.")
        return told

    def _pairing_proof(self) -> str:
        paired = {number for pair in self.pairs or () for number in pair}
        alone = [n for n in range(1, self.game.bounds.actions + 1) if n not in paired]
        if not alone:
            return "Proved: every number has a partner, so you always have an answer."
        stay = "stays" if len(alone) == 1 else "stay"
        groups = len(alone) + len(self.apart)
        without = f"without {both(self.apart)} " if self.apart else ""
        check = f"{without}the others fall into {groups} groups of odd size, with one over in each"
        never = "So they never get to a number without a partner: the pairs on the way there"
        if self.seat == 1:
            return (
                f"Proved: {both(alone)} {stay} single, and no pairing leaves fewer ({check})."
                f" {never} could be shifted, and fewer would stay single."
            )
        return (
            f"Proved: {both(alone)} {stay} single; no pairing leaves fewer, and none leaves a"
            f" number single that they may begin with ({check}, and none of these holds such a"
            " number)."
            f" {never} could be shifted, and their first number would stay single instead."
        )


def mirrored(game: Game, position: Position) -> Position:
    """A position of two sets of numbers, seen in a mirror."""
    size = game.bounds.actions + 1
    one, two = (
        sum(1 << size - number for number in numbers(held) if 0 < number < size)
        for held in position
    )
    return one, two
