"""The moves of an opponent in many games at once, however it finds them.

It is asked for the odds of its moves once in each position; from then on they are looked up. As
everywhere else it is given a state with its moves, not a bare position.
"""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from numduel.agents import common
from numduel.core.rules import Position
from numduel.core.state import Move, State
from numduel.lab.batch import Batch
from numduel.play.players import Policy

MOST = 1 << 18
"""Positions to remember; beyond, all are forgotten, to bound the memory."""


class Replies:
    """The odds of an opponent's moves in every game of a batch."""

    def __init__(self, batch: Batch, policy: Policy) -> None:
        self._batch = batch
        self._policy = policy
        bounds = batch.game.bounds
        self._decisions = np.zeros((batch.count, bounds.plies + 1, 3), np.int64)
        """For each decision in a game, the action that led to it and its position."""
        self._made = np.zeros(batch.count, np.int64)
        """The number of decisions made in each game."""
        self._states: dict[int, tuple[int, State]] = {}
        """The last state needed of each game, after how many decisions."""
        self._rows: dict[Position, int] = {}
        self._odds = np.zeros((256, bounds.actions))
        """A row for each known position: the cumulative odds of all actions."""

    @property
    def exact(self) -> bool:
        """Whether all odds so far rest on exact values."""
        return self._policy.exact

    def begin(self) -> None:
        """Note that all games have begun."""
        self._made[:] = 0
        self._states.clear()
        self._note(np.arange(self._batch.count), np.zeros(self._batch.count, np.int64))

    def follow(self, where: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """Note the actions just made in some games; finished games begin again."""
        games = np.flatnonzero(where)
        self._made[games] += 1
        for over in np.flatnonzero(self._batch.done).tolist():
            self._made[over] = 0
            self._states.pop(over, None)
        self._note(games, actions[games])

    def odds(self, where: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The cumulative odds in some games, as `Batch.sample` takes them."""
        if len(self._rows) + self._batch.count > MOST:
            self._rows.clear()
        games = np.flatnonzero(where)
        keys = zip(self._batch.a[games].tolist(), self._batch.b[games].tolist(), strict=True)
        rows = [
            self._rows[key] if key in self._rows else self._learned(game, key)
            for game, key in zip(games.tolist(), keys, strict=True)
        ]
        found = np.ones((self._batch.count, self._odds.shape[1]))
        found[games] = self._odds[rows]
        return found

    def _note(self, games: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        positions = actions, self._batch.a[games], self._batch.b[games]
        self._decisions[games, self._made[games]] = np.stack(positions, axis=1)

    def _learned(self, game: int, key: Position) -> int:
        """Add the row of a new position, which this game has reached."""
        row = len(self._rows)
        if row == len(self._odds):
            self._odds = np.concatenate([self._odds, np.zeros_like(self._odds)])
        state = self._state(game)
        shares = np.zeros(self._odds.shape[1])
        for move, share in self._policy.odds(state).items():
            shares[common.action(state, move)] = share
        self._odds[row] = shares.cumsum()
        self._odds[row, shares.nonzero()[0][-1] :] = 1.0  # whatever rounding lost
        self._rows[key] = row
        return row

    def _state(self, game: int) -> State:
        """The state of a game, replayed from its actions."""
        made = int(self._made[game])
        if game in self._states:
            known, state = self._states[game]
        else:
            _, a, b = self._decisions[game, 0].tolist()
            known, state = 0, common.reached(self._batch.game.start(), (a, b))
        for action, a, b in self._decisions[game, known + 1 : made + 1].tolist():
            move = cast("Move", common.move(state, action))  # legal: it was made in the batch
            state = common.reached(state.play(move), (a, b))
        self._states[game] = made, state
        return state
