"""How far somebody is above trivial rules, where a trainer keeps rewards and nothing else.

OpenEnv, TextArena and verifiers tell beside the reward of a single decision what trivial rules
would get for it. A mean of rewards alone says little, because such rules are rewarded, too.

>>> import numduel
>>> from numduel.agents.rewards import above_trivial, trivial_rewards
>>> state = numduel.game("duel").replay("5 6 1")
>>> trivial_rewards(state)["win"]
1.0
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from numduel.core.state import State
from numduel.lab.dataset.decisions import kept
from numduel.lab.dataset.trivial import regrets
from numduel.lab.tournament.ratings import Estimate, above
from numduel.solver import analyse


def trivial_rewards(state: State) -> dict[str, float]:
    """The reward that each trivial rule would get for a decision."""
    options = analyse(state)
    return {rule: kept(options, lost) for rule, lost in regrets(state, options).items()}


def above_trivial(decided: Iterable[tuple[float, Mapping[str, float]]]) -> Estimate | None:
    """How far somebody is above the best trivial rule, with its 95 % interval if there are five
    decisions. 1 is perfect play, and 0 what that rule would get; None if it is always right.

    `decided` has single decisions of one game: the reward, and what each rule would get.
    """
    return above([
        (1 - reward, 1.0, [1 - other for other in rules.values()]) for reward, rules in decided
    ])  # fmt: skip
