"""The games as TextArena environments: two models answer in text and take turns.

>>> import textarena
>>> import numduel.agents.textarena
>>> env = textarena.make("SequenceDuel-v0")
>>> env.reset(num_players=2, seed=7)
>>> for answer in ("MOVE: 5", "MOVE: 1", "MOVE: 4", "MOVE: 9", "MOVE: 6"):
...     done, info = env.step(answer)
>>> done, env.close()[0]
(True, {0: 1, 1: -1})

Player 0 of TextArena is Player 1, who begins. The info of a step has the exact ``credit`` of its
decision: 1 less its regret.
"""

from __future__ import annotations

import random
from typing import Any

import textarena as ta
from textarena.envs.registration import ENV_REGISTRY, register

from numduel.agents.asking import TRIES, Asking
from numduel.agents.common import Unforeseen, env_name
from numduel.core.errors import IllegalMove
from numduel.core.state import settled
from numduel.games import game as find
from numduel.games import games
from numduel.lab.dataset.decisions import credit
from numduel.solver import analyse


class NumduelEnv(Unforeseen, ta.Env):  # type: ignore[misc]
    """A game for two; settings such as ``n=7`` are arguments."""

    LUCK = ("_luck",)

    def __init__(self, game: str, **variant: object) -> None:
        self.game = find(game, **variant)
        self._ask = Asking()

    def reset(self, num_players: int = 2, seed: int | None = None) -> None:
        """Begin a game; its cards depend only on the seed."""
        self._draw_anew(seed)
        self.state = ta.TwoPlayerState(num_players=num_players, error_allowance=TRIES - 1)
        self.board = settled(self.game.start(), self._luck)
        self.state.reset(game_state={}, player_prompt_function=None)
        self._tell()

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Read an answer and make its move; if it is not a legal one, ask once more."""
        state, options = self.state, analyse(self.board)
        state.add_observation(
            from_id=state.current_player_id,
            to_id=state.current_player_id,
            message=action,
            observation_type=ta.ObservationType.PLAYER_ACTION,
        )
        move = None
        try:
            after = self._ask.played(self.board, action)
            move = after.moves[-1]
            self.board = settled(after, self._luck)
        except IllegalMove as refusal:
            state.set_invalid_move(reason=str(refusal))
        if move is not None or state.done:
            state.step_info["credit"] = credit(options, move)
        if self.board.outcome is not None:
            state.set_winner(self.board.outcome.winner - 1, self.board.outcome.reason)
        done, info = state.step(rotate_player=False)
        if not done:
            self._tell()
        return done, info

    def _draw_anew(self, seed: int | None = None) -> None:
        self._luck = random.Random(seed if seed is None else f"numduel textarena {seed}").random

    def _tell(self) -> None:
        """Tell the player to move everything they need to know."""
        self.state.current_player_id = self.board.to_move - 1
        self.state.add_observation(
            to_id=self.state.current_player_id,
            message=self._ask.prompt(self.board),
            observation_type=ta.ObservationType.PROMPT,
        )


for _kind in games():
    _name = f"{env_name(_kind)}-v0"
    if _name not in ENV_REGISTRY:
        register(_name, NumduelEnv, game=_kind.id)
