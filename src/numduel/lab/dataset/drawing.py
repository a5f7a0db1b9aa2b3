"""The rows of a dataset: so many positions of each split, of the same kinds in each."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.ideas import Idea
from numduel.core.state import State
from numduel.core.text import listed
from numduel.lab.dataset.decisions import (
    PHASES,
    Decision,
    decisions,
    in_turn,
    pools,
    tested_split,
)
from numduel.lab.dataset.rows import Row, row
from numduel.lab.dataset.splits import SPLITS, possible
from numduel.learn.puzzle import grade_of
from numduel.solver.values import Report, unreported

Counts = Mapping[str, int]
"""A number for each phase."""


def positions(game: Game, split: str, count: int, seed: int) -> list[State]:
    """Positions of a split to decide: the same that models are tested with, if it is that one.
    `BadVariant` if there is no such split, or the game has none in it."""
    if split not in SPLITS:
        raise BadVariant(f"split must be one of {', '.join(SPLITS)}.")
    if split == tested_split(game):
        return [one.state for one in decisions(game, count, seed)]
    rows = draw(game, count, seed, {split: 1})[split]
    return [game.replay(row["history"]) for row in rows]


def draw(
    game: Game,
    count: int,
    seed: int,
    weights: Mapping[str, int],
    report: Report = unreported,
) -> dict[str, list[Row]]:
    """So many different positions of a game in splits of these weights, or as many as were found.
    Every split has the same share of each phase, as even as the scarcest allows. The first rows of
    a split are of all phases and difficulties alike, as far as there are any. `BadVariant` if a
    split would be empty: nobody could load it."""
    wanted = sizes(game, count, weights)
    if not all(wanted.values()):
        raise BadVariant(f"{count} are too few for {listed(wanted)}: choose more positions.")
    found = {
        split: {phase: [one for one in some if one.phase == phase] for phase in PHASES}
        for split, some in pools(game, wanted, seed, report).items()
    }
    there = {
        split: {phase: len(some) for phase, some in phases.items()}
        for split, phases in found.items()
    }
    taken, splits = 0, dict[str, list[Row]]()
    for split, parts in evened(wanted, there).items():
        chosen = [one for phase in PHASES for one in _mixed(found[split][phase])[: parts[phase]]]
        splits[split] = []
        for decision, ideas in in_turn(chosen, lambda one: PHASES.index(one[0].phase)):
            splits[split].append(row(decision, ideas))
            taken += 1
            report(f"{game.display_name}: taking positions", taken, count)
    return splits


def sizes(game: Game, count: int, weights: Mapping[str, int]) -> dict[str, int]:
    """How many rows are wanted of each split, of those that the board has positions in."""
    return shared(count, {split: weights[split] for split in possible(game, weights)})


def evened(wanted: Mapping[str, int], there: Mapping[str, Counts]) -> dict[str, dict[str, int]]:
    """How many positions of each phase every split gets, of those that are there. The shares are
    the same in all splits and as even as possible; a split that is short of a phase gets fewer
    rows."""
    most = {
        phase: min(Fraction(there[split][phase], wanted[split]) for split in wanted)
        for phase in PHASES
    }
    if not any(most.values()):  # no phase is in all splits, so they cannot be alike
        return {
            split: shared(min(number, sum(there[split].values())), there[split])
            for split, number in wanted.items()
        }
    shares = _shares(most)
    return {
        split: shared(
            min([number, *(there[split][phase] // part for phase, part in shares.items() if part)]),
            shares,
        )
        for split, number in wanted.items()
    }


def _shares(most: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Shares that add up to 1, as even as possible, and none above its limit; in proportion to the
    limits if these are too low."""
    total = sum(most.values())
    if total <= 1:
        return {phase: part / total for phase, part in most.items()}
    shares, left = dict[str, Fraction](), Fraction(1)
    for phase in sorted(most, key=lambda phase: most[phase]):
        shares[phase] = min(most[phase], left / (len(most) - len(shares)))
        left -= shares[phase]
    return {phase: shares[phase] for phase in most}


def _mixed(found: list[Decision]) -> list[tuple[Decision, tuple[Idea, ...] | None]]:
    """Decisions and their ideas, of all difficulties and ideas in turn."""
    return in_turn(
        [(decision, decision.ideas()) for decision in found],
        lambda one: grade_of(one[1]),
        lambda one: tuple(idea.name for idea in one[1] or ()),
    )


def shared(count: int, weights: Mapping[str, int] | Mapping[str, Fraction]) -> dict[str, int]:
    """A number split by weights; what is left over goes to those that lost most by rounding."""
    total = sum(weights.values())
    parts = {name: int(count * weight // total) for name, weight in weights.items()}
    lost = sorted(weights, key=lambda name: -(count * weights[name] % total))
    for name in lost[: count - sum(parts.values())]:
        parts[name] += 1
    return parts
