"""Numba compiles the very functions that the prompt runs, and they agree."""

import random
from typing import Any

import pytest
from numba import njit

import numduel
from numduel import Game, State
from tests.compiled import register
from tests.games import NAMES


def compiled(game: Game) -> tuple[Any, ...]:
    register(game)
    legal: Any = game.rules.legal
    play: Any = game.rules.play
    result: Any = game.rules.result
    return (
        njit(lambda a, b, v: legal(a, b, v)),
        njit(lambda a, b, move, v: play(a, b, move, v)),
        njit(lambda a, b, v: result(a, b, v)),
    )


@pytest.mark.parametrize("name", NAMES)
def test_compiled_rules_agree_with_plain_ones(name: str) -> None:
    game = numduel.game(name)
    legal, play, result = compiled(game)
    chance = random.Random(name)
    for seed in range(100):
        state: State = game.start(seed=seed)
        while state.outcome is None:
            assert legal(*state.position, game.variant) == state.mask
            move = chance.choice(state.legal_moves)
            code = game.code(move)
            plain = game.rules.play(*state.position, code, game.variant)
            assert play(*state.position, code, game.variant) == plain
            state = state.play(move)
        expected = game.rules.result(*state.position, game.variant)
        assert result(*state.position, game.variant) == expected


def test_a_compiled_deck_agrees_with_the_plain_one() -> None:
    game = numduel.game("build")
    register(game)
    due: Any = game.chance.due
    left: Any = game.chance.left
    draw: Any = game.chance.draw
    fast_due = njit(lambda a, b, v: due(a, b, v))
    fast_left = njit(lambda a, b, card, v: left(a, b, card, v))
    fast_draw = njit(lambda a, b, card, v: draw(a, b, card, v))
    state = game.start()
    for card in (7, 5, 6, 6, 10, 1, 1):
        position, v = state.position, game.variant
        assert fast_due(*position, v) == 1
        assert [fast_left(*position, c, v) for c in range(1, 11)] == [
            game.chance.left(*position, c, v) for c in range(1, 11)
        ]
        state = state.draw(card)
        assert fast_draw(*position, card, v) == state.position
        assert fast_due(*state.position, v) == 0
        state = state.play(state.legal_moves[-1])
