"""What all environments share: how states, moves and chance look to an agent.

An action is a move's bit less one: where moves are numbers action 0 is the number 1; where cards
are played it is the first way to play one. A forced pass is not a decision, so it is made at once.
Cards are drawn only when they are due, so there is no deck order to leak.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numduel.batch import observation_type
from numduel.core.state import Move, State


def settled(state: State, chance: Callable[[], float]) -> State:
    """The state at the next decision, or at the end: cards are drawn by random numbers from 0 to 1,
    and forced passes made."""
    state = passed(state)
    while state.draws:
        state = passed(state.draw(state.pick_card(chance())))
    return state


def passed(state: State) -> State:
    """The state after the passes that the rules force."""
    while state.forced_pass:
        state = state.play("pass")
    return state


def legal(state: State) -> list[int]:
    """The legal actions."""
    return [bit - 1 for bit in range(1, state.game.bounds.actions + 1) if state.mask >> bit & 1]


def mask(state: State) -> NDArray[np.int8]:
    """1 for each legal action, 0 for each other."""
    found = np.zeros(state.game.bounds.actions, np.int8)
    found[legal(state)] = 1
    return found


def move(state: State, action: int) -> Move | None:
    """The move that an action stands for; None if it is not legal."""
    bit = int(action) + 1
    if not 1 <= bit <= state.game.bounds.actions or not state.mask >> bit & 1:
        return None
    return state.game.moves(1 << bit, state)[0]


def action(state: State, move: Move) -> int:
    """The action of a legal move."""
    return state.game.code(move) - 1


def observe(state: State) -> NDArray[Any]:
    """The observation of the player to move; at the end, of the one whose turn it would be."""
    game, (a, b) = state.game, state.position
    size = game.observation.size(game.variant)
    row = [game.observation.observe(a, b, at, game.variant) for at in range(size)]
    return np.array(row, observation_type(game))
