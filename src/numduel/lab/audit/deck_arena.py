"""Levels against each other in a game with a deck, over classes of equivalent hands."""

from __future__ import annotations

from numduel.core.game import Game
from numduel.lab.audit.strength import Meeting
from numduel.learn.strategies.policies import LOST, WINS, Policies, Policy, classes
from numduel.play.players import known
from numduel.solver.values import Report


class DeckArena:
    """The arena of a game with a deck."""

    def __init__(self, game: Game, report: Report) -> None:
        self.game = game
        self.report = report
        self._policies = Policies(game, classes(game))

    def meet(self, one: str, two: str, judged: bool) -> Meeting:
        """How one kind does against another from both seats."""
        ours, theirs, meet = self._policy(one), self._policy(two), self._policies.meet
        what = f"{one} against {two}"
        first = meet(ours, theirs, 1 if judged else None, self.report, what)
        second = meet(theirs, ours, 2 if judged else None, self.report, what)
        wins = (first[WINS] + 1 - second[WINS]) / 2
        return Meeting(wins, *(sum(both) for both in zip(first[LOST:], second[LOST:], strict=True)))

    def _policy(self, kind: str) -> Policy:
        if kind in ("random", "perfect"):
            return self._policies.perfect if kind == "perfect" else self._policies.random
        return self._policies.by_ideas(known(self.game, kind))
