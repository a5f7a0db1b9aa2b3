"""The metrics of a model over all samples, with 95 % intervals: ``skill``, ``skill_low``,
``skill_high``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from numduel.extras import needing
from numduel.lab.dataset.decisions import PHASES
from numduel.lab.tournament.ratings import Estimate, Part, mean, share

with needing("inspect"):
    from inspect_ai.scorer import Metric, SampleScore, metric

Scores = list[SampleScore]
Found = dict[str, float | None]


@metric
def decided() -> Metric:
    """What decisions with something at stake lost on average, in points or in chance to win.

    *Skill* is 1 less the regret divided by that of random moves at the same positions: 1 for
    perfect play, 0 for random play. *Accuracy* is the share of decisions that lost nothing.
    """

    def found(scores: Scores) -> Found:
        unit = _metadata(scores[0])["unit"] if scores else ""
        told = {
            **_skill(scores, "skill"),
            **_regret(scores, f"regret_{unit}"),
            **_told("accuracy", share(_parts(scores, "kept", "decisions"))),
        }
        for phase in PHASES:
            told |= _skill(_where(scores, "phase", phase), f"skill_{phase}")
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
    return _told(name, share([(_value(one)[what], 1.0) for one in scores]))


def _regret(scores: Scores, name: str) -> Found:
    values = map(_value, scores)
    parts = (Part(one["regret"], one["decisions"], 0.0, one["worst"]) for one in values)
    return _told(name, mean(parts))


def _skill(scores: Scores, name: str) -> Found:
    values = map(_value, scores)
    parts = (
        Part(one["saved"], one["random"], one["random"] - one["worst"], one["random"])
        for one in values
    )
    return _told(name, mean(parts))


def _parts(scores: Scores, over: str, under: str) -> list[tuple[float, float]]:
    """Two sums for each sample: the moves of one game depend on each other."""
    return [(_value(one)[over], _value(one)[under]) for one in scores]


def _told(name: str, found: Estimate | None) -> Found:
    """A figure and its interval, if there is one."""
    if found is None:
        return {}
    if found.low is None:
        return {name: found.value}
    return {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}
