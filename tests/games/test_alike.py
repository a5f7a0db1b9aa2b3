"""Positions that are one exercise, because a symmetry maps one onto the other, or because the game
goes on in the same way: found without the games' help."""

from collections.abc import Callable
from functools import cache
from itertools import permutations

import pytest

import numduel
from numduel import Game, State
from numduel.core import claims
from numduel.core.game import numbers
from numduel.core.rules import Position

Picture = Callable[[tuple[int, ...], Position], Position]
"""A position after its numbers were exchanged; ``exchanged[i]`` stands for ``i``."""


def bits(exchanged: tuple[int, ...], numbers: int) -> int:
    return sum(1 << exchanged[at] for at in range(1, len(exchanged)) if numbers >> at & 1)


def hands(exchanged: tuple[int, ...], position: Position) -> Position:
    return bits(exchanged, position[0]), bits(exchanged, position[1])


def current(exchanged: tuple[int, ...], position: Position) -> Position:
    return bits(exchanged, position[0]), exchanged[position[1]]


def symmetries(game: Game, picture: Picture) -> list[tuple[int, ...]]:
    """Every way to exchange the numbers that leaves the game as it is in all positions."""
    states = [state for state in game.start().walk() if state.moves]
    kept = []
    for order in permutations(range(1, game.bounds.actions + 1)):
        exchanged = (0, *order)
        if all(
            bits(exchanged, state.mask)
            == game.rules.legal(*picture(exchanged, state.position), game.variant)
            for state in states
        ):
            kept.append(exchanged)
    return kept


@pytest.mark.parametrize(
    ("game", "picture", "count"),
    [
        (numduel.game("duel", n=6), hands, 4),
        pytest.param(numduel.game("duel", n=7), hands, 2, marks=pytest.mark.proof),
        (numduel.game("factors", n=6), current, 2),
        (numduel.game("factors", n=7), current, 4),
        (numduel.game("factors", n=8), current, 4),
    ],
    ids=["duel 6", "duel 7", "factors 6", "factors 7", "factors 8"],
)
def test_every_symmetry_of_a_board_leads_to_a_position_that_is_alike(
    game: Game, picture: Picture, count: int
) -> None:
    found = symmetries(game, picture)
    assert len(found) == count
    for state in game.start().walk():
        for exchanged in found if state.moves else ():
            image = picture(exchanged, state.position)
            assert game.exercise(image) == game.exercise(state.position)


@pytest.mark.parametrize(
    "game",
    [
        numduel.game("duel", n=7),
        numduel.game("line", n=7, k=3),
        numduel.game("factors", n=14),
        numduel.game("capture", n=8),
    ],
    ids=str,
)
def test_where_the_game_goes_on_in_the_same_way_it_is_one_exercise(game: Game) -> None:
    """Every position is told from every other by what can be played from it, and how that ends."""
    rules, v = game.rules, game.variant
    names: dict[object, int] = {}

    @cache
    def rest(position: Position) -> int:
        """A number for everything that can follow a position: the same wherever that is so."""
        moves = numbers(rules.legal(*position, v))
        told = tuple((move, rest(rules.play(*position, move, v))) for move in moves)
        # Where points are counted it does not matter how many there are already.
        ended = told or game.id if rules.margin else told or rules.result(*position, v)
        return names.setdefault(ended, len(names))

    exercises: dict[int, object] = {}
    states = [state for state in game.start().walk() if is_choice(state)]
    for state in states:
        found = game.exercise(state.position)
        assert exercises.setdefault(rest(state.position), found) == found, state.text
    assert len(exercises) < len(states)


def is_choice(state: State) -> bool:
    """Whether there are several moves; where numbers are held, only of the last ones."""
    whole = state.game.rules.margin is not None or state.game.rules.edges is not None
    return len(state.legal_moves) > 1 and (whole or len(state.legal_moves) <= claims.LAST)


@pytest.mark.parametrize(
    "game", [numduel.game("duel", n=7), numduel.game("factors", n=14)], ids=str
)
def test_what_is_one_exercise_has_the_same_values(game: Game) -> None:
    values: dict[object, list[float]] = {}
    for state in game.start().walk():
        if state.winner is None:
            found = sorted(option.win_probability for option in numduel.analyse(state))
            assert values.setdefault(game.exercise(state.position), found) == found


def test_numbers_of_which_equally_many_lead_on_can_be_exchanged() -> None:
    game = numduel.game("factors")

    def same(one: str, other: str) -> bool:
        first, second = game.replay(one), game.replay(other)
        return game.exercise(first.position) == game.exercise(second.position)

    assert same("12 1 11", "12 1 19")
    assert same("12 4 8", "12 4 16")
    assert not same("12 1 11", "12 1 7")
    assert not same("12 4 8", "12 4 2")


def test_a_row_is_the_same_from_its_other_end_and_with_high_cards_for_low() -> None:
    game = numduel.game("build")
    one = game.exercise(game.replay("6e 3e 7e 4e 8").position)
    assert game.exercise(game.replay("7e 4e 6b 3b 8").position) == one
    assert game.exercise(game.replay("5e 8e 4e 7e 3").position) == one
    assert game.exercise(game.replay("5e 8e 4e 7e 8").position) != one


def test_a_line_is_the_same_in_a_mirror() -> None:
    game = numduel.game("line")
    one, image, other = (
        game.exercise(game.replay(moves).position) for moves in ("9 3 8", "2 8 3", "9 3 7")
    )
    assert one == image != other
