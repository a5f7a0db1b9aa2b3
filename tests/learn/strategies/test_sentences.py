"""Whoever does what is printed wins, however they read what it leaves open."""

import re

import pytest

import numduel
from numduel.learn.strategies import known
from numduel.learn.strategies.card import card
from tests.learn.strategies.checker import GAMES, played, wins_always
from tests.learn.strategies.reader import (
    ADD,
    KEEP,
    ROOMIEST,
    chance_of_reader,
    pairs,
    reader,
    steps,
)

PROOF = pytest.mark.proof
PLAYED = [
    ("line", {}),
    *(("line", {"n": n, "k": k}) for n, k in ((5, 3), (6, 5), (7, 3), (8, 4), (9, 9), (11, 4))),
    *(pytest.param("line", {"n": n, "k": 3}, marks=PROOF) for n in (10, 12, 13, 14)),
    ("line", {"k": 2}),
    ("duel", {}),
    *(("duel", {"n": n}) for n in (3, 4, 5, 6, 7, 8, 10)),
    *(pytest.param("duel", {"n": n}, marks=PROOF) for n in (11, 12, 13, 14)),
    *(("duel", {"n": n, "k": 4}) for n in (6, 7, 8)),
    pytest.param("duel", {"n": 9, "k": 4}, marks=PROOF),
    *(("capture", {"n": n}) for n in (1, 2, 3, 6, 9, 12)),
    pytest.param("capture", {}, marks=PROOF),
    ("factors", {}),
    *(("factors", {"n": n}) for n in (2, 5, 10, 15)),
    *(("factors", {"n": n, "first": "even"}) for n in (10, 12, 15, 16, 20)),
    *(pytest.param("factors", {"n": n, "first": "even"}, marks=PROOF) for n in (18, 21, 24, 27)),
]


@pytest.mark.parametrize(("name", "settings"), PLAYED, ids=str)
def test_whoever_does_what_is_printed_wins(name: str, settings: dict[str, int | str]) -> None:
    found = numduel.strategy(numduel.game(name, **settings))
    rules = GAMES[name](**found.game.settings)
    printed = found.lines()
    assert card(found).steps == steps(printed), "the card says the same"
    left = reader(steps(printed), rules)
    won, boards = played(rules, found.seat, left, found.margin or 0)
    assert won
    checked = re.search(r"Checked in ([\d,]+) positions? against every answer", printed[-1])
    if checked is not None:
        assert int(checked[1].replace(",", "")) == boards


def test_dots_between_pairs_are_read_as_people_read_them() -> None:
    told = ["2–3", "4–5", "6–7", "…", "12–13"]
    assert pairs(told) == [(2, 3), (4, 5), (6, 7), (8, 9), (10, 11), (12, 13)]


@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize(
    "settings",
    [
        {"n": 4, "copies": 1, "k": 3},
        {"n": 5, "copies": 1, "k": 4},
        pytest.param({"n": 4, "copies": 2, "k": 3}, marks=PROOF),
        pytest.param({"n": 5, "copies": 2, "k": 4}, marks=PROOF),
    ],
    ids=str,
)
def test_whoever_plays_cards_as_it_is_printed_wins_as_often_as_it_says(
    settings: dict[str, int], seat: int
) -> None:
    found = numduel.strategy(numduel.game("build", **settings), seat)
    read = chance_of_reader(steps(found.lines()), seat, **settings)
    assert read == pytest.approx(found.chance, abs=1e-9)


def test_what_build_ships_is_told_in_sentences_that_were_played() -> None:
    found = known(numduel.game("build"))
    assert found is not None
    first, *rest = steps(found.lines())
    assert KEEP.fullmatch(first)
    assert rest == [ADD, ROOMIEST]


def test_sentences_that_lose_are_seen_to_lose() -> None:
    """The card of four in a row was once this: it loses as people read it."""
    rules = GAMES["line"](n=10, k=4)
    assert wins_always(rules, 1, 3, ["win", "deny-fork", "smallest"])[0]
    assert not wins_always(rules, 1, 3, ["win", "deny-fork"])[0]
    shifted = ["Open with 2.", "Answer each of their numbers with its partner: 3–4, 5–6, 7–8."]
    careless = reader([*shifted, "Choose any number you like."], rules)
    assert not played(rules, 1, careless)[0]
