"""The reason that is told for a slip is the real one: a judge who shares no code agrees."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

import numduel
from numduel.activities import mistakes
from numduel.events import review
from numduel.learn.coach import Ply, report
from numduel.learn.ideas import idea_named
from numduel.play.match import begin
from numduel.play.players import player
from numduel.play.record import Record, parse
from tests.learn.coach import judge

JUDGES: dict[str, tuple[type[judge.Judge], dict[str, int]]] = {
    "line": (judge.Line, {}),
    "factors": (judge.Factors, {}),
    "capture": (judge.Capture, {"n": 9}),
    "build": (judge.Build, {"n": 4, "k": 3}),
    "duel": (judge.Duel, {}),
}
"""Who judges each game, on boards on which everything can be tried."""
Told = tuple[Record, Ply, str]
"""A game, a slip in it, and the idea that its class is told."""


@cache
def judge_of(name: str) -> judge.Judge:
    return JUDGES[name][0]()


def told(name: str, seed: int) -> Iterator[Told]:
    """The slips of a game in which both sometimes follow a level and sometimes luck."""
    chance = random.Random(f"{name} {seed}")
    match = begin(numduel.game(name, **JUDGES[name][1]), seed=seed)
    level = player(chance.choice(["random", "easy", "medium"]), seed)
    assert level is not None
    while match.state.winner is None:
        state = match.state
        by_luck = chance.random() < 0.5
        match.play(chance.choice(state.legal_moves) if by_luck else level.choose(state.public))
    found = report(match.record)
    for slip in review.judge(found).slips:
        yield match.record, found.plies[slip.ply - 1], slip.idea


def slips(name: str, least: int) -> list[Told]:
    found: list[Told] = []
    for seed in range(least):
        found += told(name, seed)
        if len(found) >= least:
            break
    return found


def before(ply: Ply) -> judge.Moves:
    """The game before a move, with the card that was drawn."""
    card = () if ply.state.card is None else (ply.state.card,)
    return (*ply.state.moves, *card)


def reasons(name: str, ply: Ply) -> set[str]:
    """The ideas that the judge allows for a slip."""
    return judge_of(name).reasons(before(ply), ply.move)


def ranks(name: str, ply: Ply) -> dict[Any, tuple[float, float]]:
    """What the judge says each move was worth."""
    return judge_of(name).ranks(before(ply))


def check(name: str, some: list[Told]) -> None:
    for record, ply, idea in some:
        assert idea in reasons(name, ply), (record.state.text, ply.number, ply.move, idea)


@pytest.mark.parametrize("name", JUDGES)
def test_a_judge_who_shares_no_code_agrees_with_every_reason(name: str) -> None:
    check(name, slips(name, 100))


@pytest.mark.proof
@pytest.mark.parametrize("name", JUDGES)
def test_a_judge_who_shares_no_code_agrees_with_thousands_of_reasons(name: str) -> None:
    check(name, slips(name, 3000))


@pytest.mark.parametrize("name", JUDGES)
def test_the_same_reason_is_told_in_the_class_in_the_report_and_with_the_mistake(name: str) -> None:
    some = [one for one in slips(name, 100) if one[1].mistake]
    assert some
    for record, ply, told_to_class in some:
        idea = idea_named(record.game, told_to_class)
        hinted: Any = mistakes.hint_mistake(record.text(), ply.number)
        if idea is None:
            assert ply.next_time() == "Next time: before you move, look for their best answer."
            assert "because" not in ply.reason("Bo")
        else:
            told = f"Next time: {idea.instruction}"
            assert ply.next_time().casefold() == told.casefold()
            assert hinted["nudge"] == idea.nudge
            assert ply.instead.move in ply.cause.right if ply.cause else False


def test_taking_1_in_juniper_green_is_told_as_taking_1() -> None:
    record = parse("Game: sequence-capture-factors\n\n20 4 8 16 1 11\n")
    (slip,) = (one for one in review.judge(report(record)).slips if one.ply == 5)
    assert (slip.kind, slip.idea) == ("mistake", "one")
    one = idea_named(record.game, "one")
    assert one is not None
    assert "1" in one.instruction.split()


def test_nobody_is_told_to_start_a_row_at_the_edge() -> None:
    """Lessons warn of that, even where it happens to be right."""
    edges = [
        (ply, idea)
        for _, ply, idea in slips("build", 300)
        if ply.state.card in (1, 4) and not numduel.view(ply.state).hands[ply.seat - 1]
    ]
    assert {idea for ply, idea in edges if str(ply.move).endswith("e")} == {"begin"}
    assert {idea for ply, idea in edges if str(ply.move).endswith("x")} <= {"", "win", "deny"}


@pytest.mark.parametrize("name", JUDGES)
def test_accuracy_counts_only_choices_in_which_something_could_go_wrong(name: str) -> None:
    counted = numduel.game(name).rules.margin is not None
    for found in [report(record) for record, ply, _ in slips(name, 20) if ply.number > 2]:
        for seat in (1, 2):
            own = [ply for ply in found.plies if ply.seat == seat]
            mattered = [
                ply
                for ply in own
                if len({rank[: 1 + counted] for rank in ranks(name, ply).values()}) > 1
            ]
            kept = [ply for ply in mattered if not ply.costly]
            assert found.accuracy(seat) == (len(kept), len(mattered), len(own))


def test_a_report_says_which_choices_count_and_how_many_they_are() -> None:
    record = parse("Game: sequence-capture-factors\n\n6 3 9 18 2 4 12 1 11\n")
    found = report(record)
    assert [ply.slip for ply in found.plies if ply.slip] == ["inaccuracy", "inaccuracy"]
    (told,) = (line for line in found.lines() if line.startswith("Accuracy"))
    assert told == (
        "Accuracy: Player 1 100 % (5 of 5 choices that mattered). Player 2 had no choice that"
        " mattered. In 5 of 9 moves something could go wrong. A slower win gives nothing away."
    )


def test_who_never_had_a_choice_that_mattered_has_no_accuracy() -> None:
    found = report(parse("Game: sequence-duel\n\n5 1 4 3 6\n"))
    assert found.accuracy(2) == (0, 0, 2)
    (told,) = (line for line in found.lines() if line.startswith("Accuracy"))
    assert "Player 2 had no choice that mattered." in told
