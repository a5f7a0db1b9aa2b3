"""What is said of moves: in ideas first and then in numbers, and never what is not so."""

from __future__ import annotations

from itertools import permutations

import pytest

import numduel
from numduel import State, solver
from numduel.ideas import lists, preferred, smallest_list, vocabulary
from tests.games import NAMES, or_else

SMALL = or_else(
    {
        "line": {"n": 6, "k": 3},
        "factors": {"n": 8},
        "capture": {"n": 7},
        "duel": {"n": 6},
        "build": {"n": 3, "k": 3},
    },
    {},
)
"""A variant of each game that is small enough to go through every position of."""


def small(name: str) -> list[State]:
    """Every position of a small variant in which a move is due."""
    return [state for state in numduel.game(name, **SMALL[name]).start().walk() if state.mask]


# -- the smallest list of ideas -------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_smallest_list_finds_right_moves_and_no_shorter_or_easier_one_does(name: str) -> None:
    for state in small(name)[::61]:
        right = [option.move for option in solver.analyse(state) if option.best]
        found = smallest_list(state, right)
        finds = [
            ideas
            for length in range(3)
            for ideas in permutations(vocabulary(state.game), length)
            if set(preferred(state, *ideas)) <= set(right)
        ]
        if found is None:
            assert finds == []
            continue
        assert found in finds
        assert (len(found), sum(idea.grade for idea in found)) == min(
            (len(ideas), sum(idea.grade for idea in ideas)) for ideas in finds
        )


def test_where_every_move_is_right_no_idea_is_needed() -> None:
    state = numduel.game("duel").start()
    assert smallest_list(state, state.legal_moves) == ()


def test_a_list_of_three_is_found_if_it_is_asked_for() -> None:
    alone = next(
        (state, move)
        for state in small("capture")
        for move in state.legal_moves
        if smallest_list(state, [move]) is None and smallest_list(state, [move], longest=3)
    )
    found = smallest_list(alone[0], [alone[1]], longest=3)
    assert found is not None
    assert len(found) == 3
    assert preferred(alone[0], *found) == (alone[1],)


def test_lists_are_told_with_what_they_leave() -> None:
    state = numduel.game("factors").replay("19 1")
    for ideas, left in lists(state):
        assert state.game.moves(left, state) == preferred(state, *ideas)
