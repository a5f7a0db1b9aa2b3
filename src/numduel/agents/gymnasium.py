"""The games as Gymnasium environments: one agent against an opponent of stated strength.

>>> import gymnasium, numduel.agents.gymnasium
>>> env = gymnasium.make("numduel/NumberCapture-v0", opponent="random", seat=1)
>>> observation, info = env.reset(seed=7)
>>> info["action_mask"].sum()
np.int64(21)
>>> observation, reward, terminated, truncated, info = env.step(20)    # action 20 is the number 21
>>> reward, terminated
(0.0, False)

Every game has an id made from its own: ``number-capture`` is ``numduel/NumberCapture-v0``.
``gymnasium.make_vec`` makes many at once, compiled.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numduel.agents import common
from numduel.agents.replies import Replies
from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.state import State
from numduel.extras import needing
from numduel.games import game as find
from numduel.games import games
from numduel.lab.batch import TRIES, Batch, observation_type
from numduel.play.players import (
    Player,
    Policy,
    Random,
    answered,
    estimates,
    player,
    reseeded,
)

with needing("gymnasium"):
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space


def action_space(game: Game) -> spaces.Discrete:
    """One action for each possible move."""
    return spaces.Discrete(game.bounds.actions)


def observation_space(game: Game) -> spaces.Box:
    """What the agent observes; see `Observation`. The last number, whose turn it is, is 0 or 1."""
    seen, v = game.observation, game.variant
    low, high = min(seen.low, 0), max(seen.high(v), 1)
    return spaces.Box(low, high, (seen.length(v),), observation_type(game))


class DuelEnv(common.Unforeseen, gymnasium.Env[NDArray[Any], np.int64]):
    """One seat of a game; the opponent in the other answers within `step`.

    The reward is 1 for a win and -1 for a loss, at the end. An illegal action loses the game and
    never raises. `seat` is 1, 2, or None for a random one in each episode; seat 1 moves first.
    `opponent` is a kind of player (``random``, ``easy``, … ``perfect``, ``search:500``) or anything
    that can `choose`; one of your own is copied as it is. Observations are always the agent's own,
    at the end too. ``info["opponent_exact"]`` is False once the opponent has used estimates in this
    episode.

    A game that ends before the agent's first decision is not an episode: another one begins.
    """

    metadata = {"render_modes": ["ansi", "human"], "render_fps": 4}

    def __init__(
        self,
        game: str,
        *,
        opponent: str | Player = "random",
        seat: int | None = None,
        render_mode: str | None = None,
        **variant: object,
    ) -> None:
        if seat not in (1, 2, None):
            raise BadVariant(f"A seat is 1, 2 or None, not {seat!r}.")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise BadVariant(f"render_mode is ansi, human or None, not {render_mode!r}.")
        self.game = find(game, **variant)
        self.action_space = action_space(self.game)
        self.observation_space = observation_space(self.game)
        self.render_mode = render_mode
        self._opponent = opponent
        self._wanted = seat
        self._rival = _seated(opponent, 0)
        self.seat = seat or 1
        """The agent's seat in this episode."""
        self.state: State = self.game.start()
        """The current state, without a hidden deck."""
        self._over = True
        self._forfeit = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin a game, up to the agent's first decision."""
        super().reset(seed=seed)
        self.seat = self._wanted or int(self.np_random.integers(1, 3))
        self._begin()
        self._over = False
        self._forfeit = 0
        self._show()
        return self._observe(), self._info()

    def step(self, action: object) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Make a move, and let the opponent answer."""
        if self._over:
            return self._observe(), 0.0, True, False, self._info()
        move = common.move(self.state, action)
        if move is None:
            self._over, self._forfeit = True, self.seat
            self._show()
            return self._observe(), -1.0, True, False, self._info() | {"illegal": True}
        self._go_on(self.state.play(move))
        self._over = self.state.is_over
        self._show()
        reward = float(self.state.returns[self.seat - 1])
        return self._observe(), reward, self._over, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, as MaskablePPO asks for it."""
        return self._mask().astype(np.bool_)

    def render(self) -> str | None:
        """The board in words, the drawn card, and who is to move or who won."""
        text = common.words(self.state, self._forfeit)
        if estimates(self._rival):
            text += "\nThe opponent plays by estimates."
        if self.render_mode == "human":
            print(text)
        return text if self.render_mode == "ansi" else None

    def _begin(self) -> None:
        """Begin games until the agent has a decision in one."""
        for _ in range(TRIES):
            self._rival = _seated(self._opponent, int(self.np_random.integers(1 << 30)))
            self._go_on(self.game.start())
            if not self.state.is_over:
                return
        raise _without_decision(self.game, self.seat)

    def _draw_anew(self) -> None:
        seed = int(self.np_random.integers(1 << 30))
        if isinstance(self._opponent, str):
            self._rival = _seated(self._opponent, seed)
        else:
            self._rival = self._opponent = reseeded(self._opponent, seed)

    def _go_on(self, state: State) -> None:
        """Let the opponent move until it is the agent's turn, or the game ends."""
        self.state = answered(state, self.seat, self._rival, self.np_random.random)

    def _mask(self) -> NDArray[np.int8]:
        actions = self.game.bounds.actions
        return np.zeros(actions, np.int8) if self._over else common.mask(self.state)

    def _observe(self) -> NDArray[Any]:
        return common.observe(self.state, self.seat)

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {
            "action_mask": self._mask(),
            "seat": self.seat,
            "opponent_exact": not estimates(self._rival),
        }
        if self.state.winner is not None:
            info["winner"] = self.state.winner
        return info

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


def _seated(opponent: str | Player, seed: int) -> Player:
    found = player(opponent, seed) if isinstance(opponent, str) else opponent
    if found is None or not callable(getattr(found, "choose", None)):
        raise BadVariant("The opponent must be a computer player or an object with choose.")
    return found


def _without_decision(game: Game, seat: int) -> BadVariant:
    return BadVariant(f"{game} ends before seat {seat} can move: choose another seat or variant.")


class DuelVectorEnv(common.Unforeseen, VectorEnv[NDArray[Any], NDArray[np.int64], NDArray[Any]]):
    """Many games at once, compiled from the rules.

    A finished game begins again in the same step, which returns the reward of the one that ended.
    The agent has seat 1 or 2 in all games; with None, the seats alternate from game to game.
    `opponent` is ``random``, which is compiled, too; or a level, ``perfect`` or any other `Policy`,
    which is asked once for the odds in each position.

    With ``device="cuda"`` the games are on a GPU, and so is what is returned, as
    `numduel.lab.batch.cuda.DeviceArray`; actions may come from there. Nothing is copied, so later
    steps overwrite observations and masks. The opponent is ``random``.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        num_envs: int,
        game: str,
        *,
        opponent: str | Player = "random",
        seat: int | None = None,
        render_mode: str | None = None,
        device: str = "cpu",
        **variant: object,
    ) -> None:
        policy = _seated(opponent, 0)
        if not isinstance(policy, Policy):
            raise BadVariant(
                "Compiled games are played against random or a level; for other opponents use"
                " gymnasium.make_vec(…, vectorization_mode='sync')."
            )
        if render_mode is not None:
            raise BadVariant("Compiled games are not rendered: leave out render_mode.")
        self.game = find(game, **variant)
        is_random = type(policy) is Random
        if device != "cpu" and not is_random:
            raise BadVariant("On a GPU the opponent is random: choose it, or leave out device.")
        self.num_envs = num_envs
        self.single_action_space = action_space(self.game)
        self.single_observation_space = observation_space(self.game)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        if seat not in (1, 2, None):
            raise BadVariant(f"A seat is 1, 2 or None, not {seat!r}.")
        alternating = 1 + np.arange(num_envs, dtype=np.int8) % 2
        self.seats = alternating if seat is None else np.full(num_envs, seat, np.int8)
        """The agent's seat in each game."""
        self._batch = Batch(self.game, num_envs, seed=secrets.randbits(64), device=device)
        self._replies = None if is_random else Replies(self._batch, policy)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin all games. A game's luck depends only on its own seed: a list has one for each; a
        number is counted upwards."""
        batch = self._batch
        if seed is not None:
            if isinstance(seed, int | np.integer):
                seed = [int(seed) + i for i in range(self.num_envs)]
            batch.seed(seed)
        batch.reset()
        if self._replies is None:
            batch.answer(self.seats)
            waiting = np.asarray(batch.to_move) != self.seats
            if waiting.any():
                raise _without_decision(self.game, int(self.seats[waiting.argmax()]))
        else:
            self._replies.begin()
            nothing, done = np.zeros(self.num_envs), np.ones(self.num_envs, np.bool_)
            self._answer(self._replies, done, nothing, batch.final(self.seats))
        return self._own(batch.observations), self._info()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Make a move in every game, and let the opponents answer."""
        batch = self._batch
        batch.step(actions)
        if self._replies is None:
            batch.answer(self.seats)
        else:
            self._replies.follow(np.ones(self.num_envs, np.bool_), np.asarray(actions))
        rewards, final = batch.gained(self.seats), batch.final(self.seats)
        done, illegal = self._own(batch.done), self._own(batch.illegal)
        if batch.device == "cpu":
            rewards = rewards.astype(np.float64)
        if self._replies is not None:
            self._answer(self._replies, done, rewards, final)
        info = self._info() | {"illegal": illegal}
        if batch.device != "cpu" or done.any():
            info |= {"final_obs": final, "_final_obs": done}
        unlimited = np.zeros(self.num_envs, np.bool_)
        return self._own(batch.observations), rewards, done, unlimited, info

    def _own(self, array: NDArray[Any]) -> NDArray[Any]:
        """A copy that later steps do not change; on a GPU, the array itself."""
        return array.copy() if self._batch.device == "cpu" else array

    def _answer(
        self,
        replies: Replies,
        done: NDArray[np.bool_],
        rewards: NDArray[Any],
        final: NDArray[Any],
    ) -> None:
        """Let the opponents move until it is the agent's turn in every game.

        `done` marks where a new game has begun already. Where the agent's game ends now, the
        arguments are filled in; a game that ends before the agent's first decision leaves no trace.
        """
        batch, unplayed = self._batch, np.zeros(self.num_envs, np.int64)
        while (waiting := batch.to_move != self.seats).any():
            chosen = batch.sample(waiting, replies.odds(waiting))
            replies.follow(waiting, chosen)
            if not batch.done.any():
                continue
            ended = batch.done & ~done
            rewards[ended] = batch.gained(self.seats)[ended]
            final[ended] = batch.final(self.seats)[ended]
            unplayed += batch.done & done
            if unplayed.max() >= TRIES:
                raise _without_decision(self.game, int(self.seats[unplayed.argmax()]))
            done |= batch.done

    def _info(self) -> dict[str, Any]:
        exact = self._replies is None or self._replies.exact
        return {
            "action_mask": self._own(self._batch.mask),
            "seat": self.seats.copy(),
            "opponent_exact": np.full(self.num_envs, exact),
        }


for _kind in games():
    _name = f"numduel/{common.env_name(_kind)}-v0"
    if _name not in gymnasium.registry:
        gymnasium.register(
            _name,
            entry_point="numduel.agents.gymnasium:DuelEnv",
            vector_entry_point="numduel.agents.gymnasium:DuelVectorEnv",
            kwargs={"game": _kind.id},
        )
