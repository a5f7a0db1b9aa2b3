"""The metrics of a model over all samples, with 95 % intervals: ``skill``, ``skill_low``,
``skill_high``."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any, cast

from inspect_ai.scorer import Metric, SampleScore, metric

from numduel.lab.dataset.decisions import PHASES
from numduel.lab.tournament.ratings import mean, wilson

Scores = list[SampleScore]
Found = dict[str, float | None]
Range = tuple[float, float]
SKILL = (-inf, 1.0)
"""Perfect play is 1; bad play has no bound."""


@metric
def decided() -> Metric:
    """What decisions with something at stake lost on average, in points or in chance to win.

    *Skill* is 1 less the regret divided by that of random moves at the same positions: 1 for
    perfect play, 0 for random play. *Accuracy* is the share of decisions that lost nothing.
    """

    def found(scores: Scores) -> Found:
        unit = _metadata(scores[0])["unit"] if scores else ""
        told = {
            **_ratio(scores, "regret", "decisions", f"regret_{unit}", (0.0, inf)),
            **_ratio(scores, "saved", "random", "skill", SKILL),
            **_ratio(scores, "kept", "decisions", "accuracy", (0.0, 1.0)),
        }
        for phase in PHASES:
            part = _where(scores, "phase", phase)
            told |= _ratio(part, "saved", "random", f"skill_{phase}", SKILL)
        return told

    return found


@metric
def wins() -> Metric:
    """The share of games won, overall and in each seat; and par, the share under best play by both,
    unless the board is too large to know."""

    def found(scores: Scores) -> Found:
        told = _rate(scores, "win", "win_rate")
        pars = [_metadata(one)["par"] for one in scores]
        if scores and None not in pars:
            told["par"] = sum(pars) / len(pars)
        for seat in (1, 2):
            told |= _rate(_where(scores, "seat", seat), "win", f"win_rate_seat_{seat}")
        return told

    return found


@metric
def faults() -> Metric:
    """The share of samples without a legal answer, and the average number of rethinks."""

    def found(scores: Scores) -> Found:
        told = _rate(scores, "fault", "fault_rate")
        if scores:
            told["rethinks"] = sum(_value(one)["rethinks"] for one in scores) / len(scores)
        return told

    return found


def _metadata(score: SampleScore) -> dict[str, Any]:
    return score.sample_metadata or {}


def _where(scores: Scores, key: str, value: object) -> Scores:
    return [one for one in scores if _metadata(one).get(key) == value]


def _value(score: SampleScore) -> Mapping[str, float]:
    return cast("Mapping[str, float]", score.score.value)


def _rate(scores: Scores, what: str, name: str) -> Found:
    """A share of samples, with Wilson's interval, which also suits shares of 0 and 1."""
    if not scores:
        return {}
    count = sum(_value(one)[what] for one in scores)
    low, high = wilson(count, len(scores))
    return {name: count / len(scores), f"{name}_low": low, f"{name}_high": high}


def _ratio(scores: Scores, over: str, under: str, name: str, possible: Range) -> Found:
    """The ratio of two sums over all samples; nothing where the second is 0.

    Its interval uses the standard error between samples, because the moves of one game depend on
    each other. It stays within what is possible.
    """
    found = mean([(_value(one)[over], _value(one)[under]) for one in scores])
    if found is None:
        return {}
    if found.spread is None:
        return {name: found.value}
    low, high = found.within(*possible)
    return {name: found.value, f"{name}_low": low, f"{name}_high": high}
