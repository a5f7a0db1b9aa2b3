"""How to win, in a few sentences to remember: what is known of the boards that people are offered.

>>> import numduel
>>> print(*numduel.strategy(numduel.game("line")).lines(), sep="\\n")
Four in a Row (n=10, k=4): how to win as Player 1
1. Open with 1.
2. Answer each of their numbers with its partner: 2–3, 4–5, 6–7, 8–9.
3. If it has no partner, or the partner is gone, take any number you like.
They never get three in a row; if they get two, your two start lower.
Proved: you win every game as Player 1. Checked in 714 positions against every answer.

The tests play each of them against every answer, with a checker that shares no code with this
package; ``docs/strategies.md`` has theorems for boards of every size.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.ideas import Idea
from numduel.core.language import ENGLISH, N_, _, plural, speaking
from numduel.core.text import Clause, either, percentage
from numduel.learn.ideas import LARGEST, idea_named

KNOWN: dict[tuple[str, str], dict[str, Any]] = {
    ("line", "n=10 k=4"): {
        "opening": 1,
        "pairs": ((2, 3), (4, 5), (6, 7), (8, 9)),
        "positions": 714,
        "fact": N_("They never get three in a row; if they get two, your two start lower."),
    },
    ("factors", "n=20 first=any"): {"opening": 11, "ideas": ("win",), "positions": 2},
    ("factors", "n=20 first=even"): {"opening": 6, "ideas": ("mobility",), "positions": 139},
    ("capture", "n=21 gaps=none"): {
        "ideas": ("largest",),
        "positions": 17_560,
        "margin": 11,
        "fact": N_("Whoever owns {n} wins, whatever else happens."),
    },
    ("build", "n=10 copies=2 k=5"): {
        "opening": (4, 5, 6, 7, 8, 9),
        "ideas": ("use", "fits"),
        "chance": 0.49064661666474935,
        "perfect": 0.4988762634345363,
    },
    ("duel", "n=9 k=3"): {"opening": 3, "ideas": ("fork",), "positions": 90},
}
"""The fields of a strategy for Player 1, by the name of the game and its settings."""


@dataclass(frozen=True)
class Strategy:
    """What to remember in order to win from one seat, whatever the opponent does; where cards are
    drawn, in order to win as often as possible."""

    game: Game
    seat: int
    opening: int | tuple[int, ...] | None = None
    """The first move, if it is named; where there is a deck, the cards to begin a hand with."""
    ideas: tuple[Idea, ...] = ()
    """Applied in turn to the moves that are left; any of the rest will do."""
    pairs: tuple[tuple[int, int], ...] = ()
    """Answer each of their moves with its partner; any move will do where it has none."""
    positions: int = 0
    """The positions of this seat that the proof went through."""
    margin: int | None = None
    """In a counted game: the points by which it wins at least."""
    fact: str = ""
    """A stronger sentence that is true of the game, marked for translation."""
    chance: float | None = None
    """Where cards are drawn: the exact chance to win against an opponent who knows it."""
    perfect: float | None = None
    """The chance of perfect play from the same seat."""

    @property
    def proved(self) -> bool:
        """Whether it wins every game."""
        return self.chance is None

    @property
    def goal(self) -> str:
        """What it is for: ``How to win as Player 1 (even first number)``."""
        told = (
            N_("How to win as Player {seat}")
            if self.proved
            else N_("How to play well as Player {seat}")
        )
        changed = f" ({', '.join(self.game.changes)})" if self.game.changes else ""
        return _(told, seat=self.seat) + changed

    @property
    def facts(self) -> tuple[str, ...]:
        """Stronger sentences that are true of the game: ``Whoever owns 21 wins, whatever else
        happens.``"""
        return (_(self.fact, n=self.game.bounds.actions),) if self.fact else ()

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

    def instructions(self) -> list[str]:
        """What to do, one sentence each, in order."""
        told = self._opening()
        if self.pairs:
            pairs = ", ".join(f"{one}–{two}" for one, two in self.pairs)
            return [
                *told,
                _("Answer each of their numbers with its partner: {pairs}.", pairs=pairs),
                _("If it has no partner, or the partner is gone, take any number you like."),
            ]
        if self.game.has_deck:
            use, _fits = self.ideas
            places = _(
                "If it fits in more than one place, choose the one after which more undrawn cards"
                " would fit; if equal, either."
            )
            return [*told, use.instruction, places]
        told += [idea.instruction for idea in self.ideas]
        if LARGEST in self.ideas:
            return told
        return [*told, _("If several numbers are left, choose any of them.")]

    def proof(self) -> str:
        """What was checked, in one sentence."""
        if self.chance is not None and self.perfect is not None:
            return _(
                "Wins {share} of games as Player {seat} against perfect play; perfect play wins"
                " {perfect}. Exact, over all decks.",
                share=percentage(self.chance, 1), seat=self.seat,
                perfect=percentage(self.perfect, 1),
            )  # fmt: skip
        proved = _("Proved: {wins}.", wins=Clause(self._wins()))
        checked = plural(
            "Checked in {n:,} position against every answer.",
            "Checked in {n:,} positions against every answer.",
            self.positions,
        )
        return f"{proved} {checked}"

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
        if self.pairs:
            told["pairs"] = [list(pair) for pair in self.pairs]
        if self.margin is not None:
            told["margin"] = self.margin
        with speaking(ENGLISH):
            facts = list(self.facts)
        if facts:
            told["facts"] = facts
        if self.chance is not None:
            told |= {"win_probability": self.chance, "perfect": self.perfect}
        return told

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
        return [_("Open with {move}.", move=self.opening)]


def strategy(game: Game) -> Strategy:
    """The strategy of a board; `BadVariant` if none is known that is short enough to remember."""
    known = KNOWN.get((game.name, game.variant_text))
    if known is None:
        raise BadVariant(_("No strategy short enough to remember is known for {game}.", game=game))
    ideas = tuple(idea_named(game, name) for name in known.get("ideas", ()))
    return Strategy(game, 1, **{**known, "ideas": ideas})
