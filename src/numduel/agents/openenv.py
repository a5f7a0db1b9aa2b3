"""The games as OpenEnv environments: a model answers in text, and every move has an exact reward.

>>> from numduel.agents.openenv import NumduelAction, NumduelEnvironment
>>> env = NumduelEnvironment("duel:n=7", opponent="random", seat=1)
>>> seen = env.reset(seed=7)
>>> sorted(seen.legal_moves)
['1', '2', '3', '4', '5', '6', '7']
>>> env.step(NumduelAction(message="MOVE: 4")).reward
1.0

An episode is a whole game against a level of the computer. The reward of a step is 1 less the
regret of its decision. With a split, an episode is a single decision, drawn from it: whole games
pass through positions of all splits. What trivial rules would get for it is then in the metadata,
and `numduel.agents.rewards.above_trivial` says how far a model is above them. `app` is the server
that trainers connect to.
"""

from __future__ import annotations

import random
from typing import Any, cast

from numduel.agents.asking import TRIES, Asking
from numduel.agents.common import Unforeseen
from numduel.agents.rewards import trivial_rewards
from numduel.core.errors import BadVariant, IllegalMove
from numduel.core.state import State as Board
from numduel.core.state import picked
from numduel.extras import needing
from numduel.games import game as find
from numduel.games import tested, variant
from numduel.lab.dataset.decisions import credit
from numduel.lab.dataset.drawing import positions
from numduel.play.players import COMPUTERS, Player, answered, player
from numduel.solver import analyse

with needing("openenv"):
    from openenv.core.env_server import create_app
    from openenv.core.env_server.interfaces import Environment
    from openenv.core.env_server.types import Action, Observation, State

SEATS = (1, 2)


class NumduelAction(Action):  # type: ignore[misc]
    """The answer of a model, which ends with ``MOVE:`` and the move."""

    message: str


class NumduelObservation(Observation):  # type: ignore[misc]
    """Everything a model is told, in one message; empty when the game is over."""

    prompt: str
    legal_moves: list[str]
    """As an answer should name them, in the order of the prompt, which tells nothing."""


class NumduelEnvironment(
    Unforeseen,
    Environment[NumduelAction, NumduelObservation, State],  # type: ignore[misc]
):
    """A game against a level of the computer; without a seat, a random one in each episode. With a
    split, single decisions of it, in which nobody else moves: on the board that models are tested
    with, unless another is named."""

    SUPPORTS_CONCURRENT_SESSIONS = True
    LUCK = ("_luck", "_rival")
    board: Board
    """The position that the model is asked about, or the end of the game."""

    def __init__(
        self,
        game: str = "duel",
        opponent: str = "medium",
        seat: int | None = None,
        split: str = "",
    ) -> None:
        super().__init__()
        if opponent not in COMPUTERS:
            raise BadVariant(f"opponent must be one of {', '.join(COMPUTERS)}.")
        if seat not in (None, *SEATS):
            raise BadVariant("seat must be 1 or 2.")
        self.game = variant(game, named=tested if split else find)
        self._opponent, self._wanted = opponent, seat
        self._ask = Asking()
        self._decisions = positions(self.game, split) if split else ()
        self.reset()

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, **_: Any
    ) -> NumduelObservation:
        """Begin a game, which depends only on the seed."""
        self._draw_anew(seed)
        self._state = State(episode_id=episode_id, step_count=0)
        self._refused = 0
        self._over = False
        if self._decisions:
            self.board = picked(self._decisions, self._luck)
            self._seat = self.board.to_move
        else:
            self._seat = self._wanted or SEATS[int(2 * self._luck())]
            self._go_on(self.game.start())
        return self._seen(None)

    def step(
        self, action: NumduelAction, timeout_s: float | None = None, **_: Any
    ) -> NumduelObservation:
        """Read an answer and make its move; if it is not a legal one, ask once more."""
        if self._over:
            return self._seen(0.0)
        self._state.step_count += 1
        try:
            after = self._ask.played(self.board, action.message)
        except IllegalMove as refusal:
            self._refused += 1
            if self._refused < TRIES:
                return self._seen(None, self._ask.again(self.board, str(refusal)))
            worth = self._worth()
            self.board, self._over = self.board.resign(), True
            return self._seen(0.0, worth=worth)
        reward, worth = credit(analyse(self.board), after.moves[-1]), self._worth()
        self._refused = 0
        if self._decisions:
            self.board, self._over = after, True
        else:
            self._go_on(after)
        return self._seen(reward, worth=worth)

    def _worth(self) -> dict[str, Any]:
        """What trivial rules would get for a single decision."""
        return {"trivial": trivial_rewards(self.board)} if self._decisions else {}

    def _draw_anew(self, seed: int | None = None) -> None:
        self._luck = random.Random(seed if seed is None else f"numduel openenv {seed}").random
        self._rival = cast("Player", player(self._opponent, int(self._luck() * 2**30)))

    @property
    def state(self) -> State:
        """How far the episode is."""
        return self._state

    def _go_on(self, board: Board) -> None:
        """Let the opponent play until the model is asked, or the game is over."""
        self.board = answered(board, self._seat, self._rival, self._luck)
        self._over = self.board.is_over

    def _seen(
        self, reward: float | None, prompt: str = "", worth: dict[str, Any] | None = None
    ) -> NumduelObservation:
        over, legal = self._over, self._ask.listed(self.board)
        told = {"seat": self._seat, "moves": self.board.text, **(worth or {})}
        ended = self.board.is_over
        return NumduelObservation(
            prompt="" if over else prompt or self._ask.prompt(self.board),
            legal_moves=[] if over else [self._ask.written(self.board, move) for move in legal],
            reward=reward,
            done=over,
            metadata=told | ({"won": self.board.winner == self._seat} if ended else {}),
        )


def app(game: str = "duel", opponent: str = "medium", split: str = "") -> Any:
    """The server of a game, as a FastAPI application: ``uvicorn --factory
    numduel.agents.openenv:app`` serves Sequence Duel."""
    return create_app(
        lambda: NumduelEnvironment(game, opponent, split=split),
        NumduelAction,
        NumduelObservation,
        env_name="numduel",
    )
