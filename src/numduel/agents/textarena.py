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
decision: 1 less its regret. With ``split="test"`` an episode is a single decision for one player,
drawn from that split, and its credit is the reward: whole games pass through positions of all
splits. What trivial rules would get for it is then in the info, too, and
`numduel.agents.rewards.above_trivial` says how far a model is above them.
"""

from __future__ import annotations

import random
from typing import Any

from numduel.agents.asking import TRIES, Asking
from numduel.agents.common import Unforeseen, env_name
from numduel.agents.rewards import trivial_rewards
from numduel.core.errors import IllegalMove
from numduel.core.state import picked, settled
from numduel.extras import needing
from numduel.games import game as find
from numduel.games import games, tested
from numduel.lab.dataset.decisions import credit
from numduel.lab.dataset.drawing import positions
from numduel.solver import analyse

with needing("textarena"):
    import textarena as ta
    from textarena.envs.registration import ENV_REGISTRY, register


class NumduelEnv(Unforeseen, ta.Env):  # type: ignore[misc]
    """A game for two, or single decisions of a split, on the board that models are tested with;
    settings such as ``n=7`` are arguments."""

    LUCK = ("_luck",)

    def __init__(self, game: str, split: str = "", **variant: object) -> None:
        self.game = (tested if split else find)(game, **variant)
        self._ask = Asking()
        self._decisions = positions(self.game, split) if split else ()

    def reset(self, num_players: int | None = None, seed: int | None = None) -> None:
        """Begin a game, whose cards depend only on the seed, or ask for a decision."""
        self._draw_anew(seed)
        kind, players = (ta.SinglePlayerState, 1) if self._decisions else (ta.TwoPlayerState, 2)
        self.state = kind(num_players=num_players or players, error_allowance=TRIES - 1)
        if self._decisions:
            self.board = picked(self._decisions, self._luck)
        else:
            self.board = settled(self.game.start(), self._luck)
        self.state.reset(game_state={}, player_prompt_function=None)
        self._tell()

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Read an answer and make its move; if it is not a legal one, ask once more."""
        state, board, options = self.state, self.board, analyse(self.board)
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
            self.board = after if self._decisions else settled(after, self._luck)
        except IllegalMove as refusal:
            worth = {"reward": 0.0} if self._decisions else {}
            state.set_invalid_move(reason=str(refusal), **worth)
        if move is not None or state.done:
            state.step_info["credit"] = credit(options, move)
            if self._decisions:
                state.step_info["trivial"] = trivial_rewards(board)
        if self._decisions:
            if move is not None:
                state.set_outcome(credit(options, move), "The decision was made.")
            done, info = state.step()
        else:
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
        self.state.current_player_id = 0 if self._decisions else self.board.to_move - 1
        self.state.add_observation(
            to_id=self.state.current_player_id,
            message=self._ask.prompt(self.board),
            observation_type=ta.ObservationType.PROMPT,
        )


for _kind in games():
    _name = f"{env_name(_kind)}-v0"
    if _name not in ENV_REGISTRY:
        register(_name, NumduelEnv, game=_kind.id)
