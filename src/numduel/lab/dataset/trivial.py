"""Trivial rules: what somebody could do who understands nothing, and how much it would score.

A score means skill only as far as it is above the best of them. They are the lowest, the highest
and the middle one of the legal moves; what goes by the look of a number alone; every idea that a
beginner sees at once, such as to win if one can; these ideas one after the other, *greedy*; every
idea that fits in a line, such as not to let the opponent win at once; and any move at random. In
their natural order the first legal move is the lowest and the last the highest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from numduel.core.errors import BadVariant
from numduel.core.game import Game, numbers
from numduel.core.ideas import Idea, Situation
from numduel.core.state import Move, State
from numduel.core.text import printable
from numduel.lab.dataset.looks import look_regrets
from numduel.learn.ideas import (
    LARGEST,
    PATTERNS,
    POINTS,
    SMALLEST,
    WIN,
    applied,
    situation,
    vocabulary,
)
from numduel.play.players import Computer
from numduel.solver import Option
from numduel.solver.values import TIE

if TYPE_CHECKING:
    from numduel.lab.dataset.decisions import Decision

MOST = 0.3
"""The most skill that a trivial rule may have in positions to test with, if these can be chosen."""

ONE_LINE = 2
"""The grade of an idea that fits in a line and looks at the answer to a move; what is harder, such
as a fork, has to be learned."""
LOOK = "look: "
"""Before the name of a rule that goes by the look of a move."""

TRIED = 10
"""How many decisions are tried when one is to be exchanged."""


class Rule(NamedTuple):
    """A rule that takes no understanding."""

    name: str
    told: str
    """What it does, in words."""
    takes: Callable[[Situation], int]
    """The moves that it takes, each equally often, as a bit set."""


class Best(NamedTuple):
    """The best trivial rule in some positions, and its skill there."""

    rule: str
    skill: float


def _middle(seen: Situation) -> int:
    every = numbers(seen.legal)
    return 1 << every[len(every) // 2]


def _following(name: str, *ideas: Idea) -> Rule:
    """The rule to follow ideas in turn."""
    told = " ".join(idea.instruction for idea in ideas)
    return Rule(name, told, lambda seen: applied(ideas, seen))


RANDOM = Rule("random", "Take any legal move.", lambda seen: seen.legal)
RULES = (
    RANDOM,
    Rule("lowest", "Take the first legal move.", lambda seen: applied((SMALLEST,), seen)),
    Rule("highest", "Take the last legal move.", lambda seen: applied((LARGEST,), seen)),
    Rule("middle", "Take the middle one of the legal moves.", _middle),
)
"""The rules of every game; `rules` adds those that come from its ideas."""


@lru_cache(maxsize=64)
def rules(game: Game) -> tuple[Rule, ...]:
    """The trivial rules of a game."""
    known = [idea for idea in vocabulary(game) if idea not in (LARGEST, SMALLEST)]
    looks = [idea for idea in known if idea in PATTERNS]
    gains = [idea for idea in known if idea.grade == 1 and idea not in PATTERNS]
    # Winning is all; then, where points are counted, they are.
    gains.sort(key=lambda idea: (idea is not WIN, idea is not POINTS))
    more = [_following(idea.name, idea) for idea in (*looks, *gains, *_lines(game))]
    return *RULES, *more, _following("greedy", *gains)


def _lines(game: Game) -> list[Idea]:
    """The ideas of a game that fit in a line and look at the answer."""
    return [one for one in vocabulary(game) if one.grade == ONE_LINE and one not in PATTERNS]


def rule(game: Game, name: str) -> Rule:
    """The trivial rule of a name."""
    found = {one.name: one for one in rules(game)}
    if name not in found:
        raise BadVariant(
            f"{game.display_name} has no trivial rule {printable(name, 40)!r}; it has"
            f" {', '.join(found)}."
        )
    return found[name]


class Follower(Computer):
    """Plays by a trivial rule."""

    def __init__(self, rule: Rule, seed: int | None = None) -> None:
        super().__init__(seed)
        self._rule = rule

    def candidates(self, state: State) -> Sequence[Move]:
        """The moves that the rule takes."""
        return state.game.moves(self._rule.takes(situation(state)), state)


def regrets(state: State, options: Sequence[Option]) -> dict[str, float]:
    """What each trivial rule loses in a position, on average where it takes several moves."""
    game, seen = state.game, situation(state)
    losses = {game.code(option.move): option.loss for option in options}
    found = {}
    for rule in rules(game):
        taken = [losses[code] for code in numbers(rule.takes(seen))]
        found[rule.name] = sum(taken) / len(taken)
    return found


def skills(lost: Iterable[dict[str, float]]) -> dict[str, float]:
    """The skill of each trivial rule, given what each loses in every position."""
    total: dict[str, float] = {}
    for one in lost:
        for name, regret in one.items():
            total[name] = total.get(name, 0.0) + regret
    expected = total.get(RANDOM.name, 0.0)
    return {name: 1 - regret / expected for name, regret in total.items()} if expected else {}


def best_trivial(decisions: Iterable[Decision]) -> Best | None:
    """The best trivial rule in some positions; None if there are none."""
    found = skills(regrets(one.state, one.options) for one in decisions)
    return max((Best(*one) for one in found.items()), key=lambda one: one.skill, default=None)


def best_look(decisions: Iterable[Decision]) -> Best | None:
    """The best rule that goes by the look of a move alone in some positions; None if there are
    none."""
    found = skills(_all_regrets(one) for one in decisions)
    looks = (
        Best(name.removeprefix(LOOK), skill)
        for name, skill in found.items()
        if name.startswith(LOOK)
    )
    return max(looks, key=lambda one: one.skill, default=None)


def _all_regrets(decision: Decision) -> dict[str, float]:
    """What each trivial rule loses, random moves first, and each rule that goes by looks."""
    state, options = decision
    looks = look_regrets(state, options)
    return {**regrets(state, options), **{LOOK + name: lost for name, lost in looks.items()}}


def chosen(found: Sequence[Decision], count: int, *, lines: bool = True) -> list[Decision]:
    """The first decisions, so many, with as few as possible exchanged for later ones, of the same
    phase if possible, or left out, so that no trivial rule has more skill than `MOST` in them, and
    none that goes by the look of a move. Without `lines`, ideas that look at the answer may score.
    Empty if that cannot be: a trivial rule may always be right."""
    import numpy as np

    may = set() if lines or not found else {one.name for one in _lines(found[0].state.game)}
    every = [_all_regrets(one) for one in found]
    lost = np.array([[one[name] for name in one if name not in may] for one in every])
    # What a rule must lose in sum, at least 0: what it loses beyond what the most skill would.
    beyond = lost - (1 - MOST) * lost[:, :1]
    if len(found) and (beyond.max(axis=0) < -TIE).any():  # whatever is chosen, that rule scores
        return []
    phases = np.array([one.phase for one in found])
    taken = np.arange(len(found)) < count
    while taken.any():
        spare = beyond[taken].sum(axis=0)
        short = np.maximum(-spare, 0.0)
        if short.sum() <= TIE:
            break
        towards = beyond @ short
        worst = np.flatnonzero(taken)[np.argsort(towards[taken], kind="stable")[:TRIED]]
        left, out, other = short.sum(), worst[0], None
        for alike in (True, False):  # one of another phase only if none of the same helps
            if left < short.sum() - TIE:
                break
            for one in worst:
                others = np.flatnonzero(~taken & ((phases == phases[one]) | (not alike)))
                if len(others):
                    after = np.maximum(beyond[one] - spare - beyond[others], 0.0).sum(axis=1)
                    best = after.argmin()
                    if after[best] < left:
                        left, out, other = after[best], one, others[best]
        taken[out] = False
        if left < short.sum() - TIE:
            taken[other] = True
    return [one for one, is_taken in zip(found, taken, strict=True) if is_taken]
