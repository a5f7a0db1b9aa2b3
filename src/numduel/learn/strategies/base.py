"""A strategy: what it tells a player to do, and how it is told."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from numduel.core.errors import IllegalMove
from numduel.core.game import Game, numbers
from numduel.core.ideas import Idea, Situation
from numduel.core.language import ENGLISH, N_, _, plural, speaking
from numduel.core.rules import Position
from numduel.core.state import Move, State
from numduel.core.text import Clause, both, either, percentage
from numduel.learn.ideas import FITS, LARGEST, SMALLEST, USE, WIN, applied, situation, winning

MOST_PAIRS = 6
"""How many pairs are named one by one although they follow a rule."""


class Branch(NamedTuple):
    """One position to remember, and what to play in it."""

    position: Position
    path: tuple[int, ...]
    """Moves that lead to it."""
    answer: int


@dataclass(frozen=True)
class Strategy:
    """What to remember in order to win from one seat, whatever the opponent does; where cards are
    drawn, in order to win as often as possible."""

    game: Game
    seat: int
    opening: int | tuple[int, ...] | None
    """The first move, if it is named; where there is a deck, the cards to begin a hand with."""
    ideas: tuple[Idea, ...]
    """Applied in turn to the moves that are left; any of the rest will do."""
    positions: int
    """The positions of this seat that the proof went through; 0 where they are too many and there
    is another proof."""
    chance: float | None = None
    """Where cards are drawn: the exact chance to win against perfect play."""
    perfect: float | None = None
    """The chance of perfect play from the same seat."""
    margin: int | None = None
    """In a counted game: the points by which it wins at least."""
    pairs: tuple[tuple[int, int], ...] | None = None
    """Answer each of their moves with its partner; any move will do where it has none."""
    apart: tuple[int, ...] = ()
    """The proof that no pairing leaves fewer numbers single: without these numbers, the others
    fall into pieces, more of them odd than there are numbers here."""
    tree: tuple[Branch, ...] | None = None
    """Where no list is known: the positions to remember."""
    symmetry: bool = False
    """Whether the tree leaves out mirror images."""
    theorem: bool = False
    """Whether it is the game's theorem, which says why it wins."""
    deciding: tuple[int, ...] = ()
    """Numbers that the winner of any game owns."""

    @property
    def proved(self) -> bool:
        """Whether it wins every game."""
        return self.chance is None

    @property
    def facts(self) -> tuple[str, ...]:
        """Stronger sentences that are true of the game: ``Whoever owns 21 wins, whatever else
        happens.``"""
        if self.theorem and self.game.theorem is not None:
            return (self.game.theorem.reason,)
        if not self.deciding:
            return ()
        told = plural(
            "Whoever owns {numbers} wins, whatever else happens.",
            "Whoever owns {numbers} wins, whatever else happens.",
            len(self.deciding), numbers=both(self.deciding),
        )  # fmt: skip
        return (told,)

    @property
    def remembers(self) -> bool:
        """Whether the last moves matter, and not the position alone."""
        return self.pairs is not None or any(idea.history for idea in self.ideas)

    def choose(self, state: State) -> Move:
        """What the strategy plays: the smallest of the moves that its words leave open. It promises
        nothing in positions that it never leads to. `IllegalMove` if there is no move to make."""
        if not state.mask:
            raise IllegalMove(_("There is no move to make."))
        moves = self.left(situation(state), state.card)
        return state.game.moves(moves & -moves, state)[0]

    def left(self, seen: Situation, card: int | None = None) -> int:
        """The moves that the words of the strategy leave open, as a bit set; with a card that was
        drawn, the ways to play it."""
        return self._named(seen, card) & seen.legal or applied(self.ideas, seen)

    def _named(self, seen: Situation, card: int | None) -> int:
        """The moves that the opening, the pairs or the tree name; none where they say nothing."""
        game = seen.game
        if isinstance(self.opening, int) and seen.position == game.rules.start(game.variant):
            return 1 << self.opening
        if self.pairs is not None:
            partners = dict((*self.pairs, *(pair[::-1] for pair in self.pairs)))
            return 1 << partners[seen.theirs] if seen.theirs in partners else 0
        if self.tree is not None:
            return winning(game, seen.position) or self._remembered(seen.position)
        if isinstance(self.opening, tuple) and card not in self.opening:
            empty = game.chance.hand(game.rules.start(game.variant)[0], 0, game.variant)
            hand = game.chance.hand(seen.position[0], 0, game.variant)
            return seen.legal & ~USE.prefers(seen, seen.legal) if hand == empty else 0
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
        goal = (
            N_("{game}: how to win as Player {seat}")
            if self.proved
            else N_("{game}: how to play well as Player {seat}")
        )
        head = _(goal, game=self.game, seat=self.seat)
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
        with speaking(ENGLISH):
            facts = list(self.facts)
        if facts:
            told["facts"] = facts
        if self.deciding:
            told["deciding"] = list(self.deciding)
        if self.chance is not None:
            told |= {"win_probability": self.chance, "perfect": self.perfect}
        return told

    def instructions(self) -> list[str]:
        """What to do, one sentence each, in order."""
        told = self._opening()
        if self.pairs is not None:
            return [*told, *self._partners()]
        if self.tree is not None:
            return [WIN.instruction, *self._branches()]
        if self.game.has_deck:
            return [*told, *self._cards()]
        told += [idea.instruction for idea in self.ideas if idea != SMALLEST]
        if LARGEST in self.ideas and SMALLEST not in self.ideas:
            return told
        return [*told, _(self._rest(first=not told))]

    def _rest(self, *, first: bool) -> str:
        """What to do with the moves that ideas leave open, marked for translation; as the first
        sentence or after others."""
        if self.game.numeric:
            if SMALLEST in self.ideas:
                return N_("If several numbers are left, take the smallest: it matters here.")
            if self.ideas:
                return N_("If several numbers are left, choose any of them.")
            return (
                N_("Choose any number you like.")
                if first
                else N_("Then choose any number you like.")
            )
        if SMALLEST in self.ideas:
            return N_("If several moves are left, take the smallest: it matters here.")
        if self.ideas:
            return N_("If several moves are left, choose any of them.")
        return N_("Choose any move you like.") if first else N_("Then choose any move you like.")

    def _cards(self) -> list[str]:
        """What to do with a card, the place included where it fits."""
        if self.ideas[-2:] == (USE, FITS):
            told = self.ideas[:-1]
            places = _(
                "If it fits in more than one place, choose the one after which more undrawn cards"
                " would fit; if equal, either."
            )
        else:
            told, places = self.ideas, _("If it fits in more than one place, choose any.")
        return [*(idea.instruction for idea in told), places]

    def _partners(self) -> list[str]:
        pairs = told_pairs(self.pairs or ())
        if self.game.rules.edges is not None:  # They never get to a number without a partner.
            return [_("Always answer with the partner of their number: {pairs}.", pairs=pairs)]
        steps = [_("Answer each of their numbers with its partner: {pairs}.", pairs=pairs)]
        paired = {number for pair in self.pairs or () for number in pair}
        if len(paired | {self.opening or 0} - {0}) < self.game.bounds.actions:
            steps.append(
                _("If it has no partner, or the partner is gone, take any number you like.")
            )
        return steps

    def proof(self) -> str:
        """What was checked, in one sentence."""
        if self.chance is not None and self.perfect is not None:
            return _(
                "Wins {share} of games as Player {seat} against perfect play; perfect play wins"
                " {perfect}. Exact, over all decks.",
                share=percentage(self.chance, 1), seat=self.seat,
                perfect=percentage(self.perfect, 1),
            )  # fmt: skip
        if self.game.rules.edges is not None and self.pairs is not None:
            return self._pairing_proof()
        if not self.positions:
            return _("Proved for boards of every size: {wins}.", wins=Clause(self._wins()))
        return " ".join(
            [
                _("Proved: {wins}.", wins=Clause(self._wins())),
                plural(
                    "Checked in {n:,} position against every answer.",
                    "Checked in {n:,} positions against every answer.",
                    self.positions,
                ),
            ]
        )

    def _wins(self) -> str:
        """That it wins, as a clause."""
        if self.margin is None:
            return _("you win every game as Player {seat}", seat=self.seat)
        return plural(
            "you win every game as Player {seat} by {n:,} point or more",
            "you win every game as Player {seat} by {n:,} points or more",
            self.margin, seat=self.seat,
        )  # fmt: skip

    def _opening(self) -> list[str]:
        if isinstance(self.opening, tuple):
            kept = either(self.opening)
            return [
                _("While your row is empty, keep {cards} and discard any other card.", cards=kept)
            ]
        if self.opening is None:
            return []
        return [_("Open with {move}.", move=self._typed(self.opening))]

    def _typed(self, code: int) -> str:
        """A move as a player would type it."""
        (move,) = self.game.moves(1 << code, self.game.start())
        return self.game.label(move)

    def _branches(self) -> list[str]:
        """``At the start, choose 5.``, ``After 5 1, choose 7.``: the positions to remember."""
        told = []
        for branch in self.tree or ():
            before = " ".join(map(self._typed, branch.path))
            when = (
                N_("After {moves}, choose {move}.")
                if before
                else N_("At the start, choose {move}.")
            )
            told.append(_(when, moves=before, move=self._typed(branch.answer)))
        if self.symmetry:
            told.append(
                _("In the mirror image of a position, choose the mirror image of the answer.")
            )
        return told

    def _pairing_proof(self) -> str:
        paired = {number for pair in self.pairs or () for number in pair}
        alone = [n for n in range(1, self.game.bounds.actions + 1) if n not in paired]
        if not alone:
            return _("Proved: every number has a partner, so you always have an answer.")
        groups = len(alone) + len(self.apart)
        if self.apart:
            check = plural(
                "without {numbers} the others fall into {n} group of odd size, with one over",
                "without {numbers} the others fall into {n} groups of odd size, with one over in"
                " each",
                groups, numbers=both(self.apart),
            )  # fmt: skip
        else:
            check = plural(
                "the others fall into {n} group of odd size, with one over",
                "the others fall into {n} groups of odd size, with one over in each",
                groups,
            )
        told: dict[str, object] = {"numbers": both(alone), "check": check}
        if self.seat == 1:
            return plural(
                "Proved: {numbers} stays single, and no pairing leaves fewer ({check}). So they"
                " never get to a number without a partner: the pairs on the way there could be"
                " shifted, and fewer would stay single.",
                "Proved: {numbers} stay single, and no pairing leaves fewer ({check}). So they"
                " never get to a number without a partner: the pairs on the way there could be"
                " shifted, and fewer would stay single.",
                len(alone), **told,
            )  # fmt: skip
        return plural(
            "Proved: {numbers} stays single; no pairing leaves fewer, and none leaves a number"
            " single that they may begin with ({check}, and none of these holds such a number). So"
            " they never get to a number without a partner: the pairs on the way there could be"
            " shifted, and their first number would stay single instead.",
            "Proved: {numbers} stay single; no pairing leaves fewer, and none leaves a number"
            " single that they may begin with ({check}, and none of these holds such a number). So"
            " they never get to a number without a partner: the pairs on the way there could be"
            " shifted, and their first number would stay single instead.",
            len(alone), **told,
        )  # fmt: skip


def told_pairs(pairs: tuple[tuple[int, int], ...]) -> str:
    """``2–3, 4–5, 6–7``; where they are many and go on in the same way, without the middle."""
    names = [f"{one}–{two}" for one, two in pairs]
    steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(pairs)}
    if len(names) > MOST_PAIRS and len(steps) == 1:
        names = [*names[:3], "…", names[-1]]
    return ", ".join(names)


def mirrored(game: Game, position: Position) -> Position:
    """A position of two sets of numbers, seen in a mirror."""
    size = game.bounds.actions + 1
    one, two = (
        sum(1 << size - number for number in numbers(held) if 0 < number < size)
        for held in position
    )
    return one, two
