"""The games as PettingZoo environments: two agents take turns.

Every game has a module here, named after its id, with `env` and `raw_env` like PettingZoo's own.

>>> from numduel.agents.pettingzoo import number_capture_v0
>>> env = number_capture_v0.env()
>>> env.reset(seed=7)
>>> env.agent_selection
'player_1'
>>> observation, reward, terminated, truncated, info = env.last()
>>> observation["action_mask"].sum()
np.int64(21)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from numduel.extras import needing

with needing("pettingzoo"):
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

from numduel.agents import common
from numduel.agents.gymnasium import action_space, observation_space
from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.state import State, settled
from numduel.games import game as find
from numduel.games import games

AGENTS = ("player_1", "player_2")


class DuelAEC(common.Unforeseen, AECEnv):  # type: ignore[misc]
    """A game for two agents. An illegal action loses; the environment makes forced passes."""

    LUCK = ("_chance",)

    def __init__(self, game: str, *, render_mode: str | None = None, **variant: object) -> None:
        super().__init__()
        self.game = find(game, **variant)
        self.metadata = {
            "render_modes": ["ansi", "human"],
            "name": f"{self.game.id.replace('-', '_')}_v0",
            "is_parallelizable": False,
            "render_fps": 4,
        }
        if render_mode not in (None, "ansi", "human"):
            raise BadVariant(f"render_mode is ansi, human or None, not {render_mode!r}.")
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents = list(AGENTS)
        self._actions = {agent: action_space(self.game) for agent in AGENTS}
        mask = spaces.Box(0, 1, (self.game.bounds.actions,), np.int8)
        seen = spaces.Dict({"observation": observation_space(self.game), "action_mask": mask})
        self._seen = dict.fromkeys(AGENTS, seen)
        self._chance, _ = seeding.np_random()
        self.state_now: State = self.game.start()
        self._forfeit = 0

    def _draw_anew(self) -> None:
        self._chance, _ = seeding.np_random()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """An agent's observations and action masks."""
        return self._seen[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """An agent's actions."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; player_1 moves first."""
        if seed is not None:
            self._chance, _ = seeding.np_random(seed)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._forfeit = 0
        self.state_now = settled(self.game.start(), self._chance.random)
        self.agent_selection = AGENTS[self.state_now.to_move - 1]

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """What an agent sees; when it is not its turn, no action is legal."""
        turn = agent == self.agent_selection and not any(self.terminations.values())
        state = self.state_now
        mask = common.mask(state) if turn else np.zeros(self.game.bounds.actions, np.int8)
        seen = common.observe(state, 1 + AGENTS.index(agent))
        return {"observation": seen, "action_mask": mask}

    def step(self, action: object) -> None:
        """Make a move for the agent whose turn it is."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        seat = 1 + AGENTS.index(agent)
        move = common.move(self.state_now, action)
        if move is None:
            self._forfeit, winner = seat, 3 - seat
            self.infos[agent] = {"illegal": True}
        else:
            self.state_now = settled(self.state_now.play(move), self._chance.random)
            winner = self.state_now.winner or 0
        if winner:
            self.rewards = {name: 1 if at == winner else -1 for at, name in enumerate(AGENTS, 1)}
            self.terminations = dict.fromkeys(AGENTS, True)
            self.agent_selection = AGENTS[2 - seat]
        else:
            self.agent_selection = AGENTS[self.state_now.to_move - 1]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The board in words, the drawn card, and who is to move or who won."""
        text = common.words(self.state_now, self._forfeit)
        if self.render_mode == "human":
            print(text)
        return text if self.render_mode == "ansi" else None


def _add_module(kind: type[Game]) -> None:
    class raw_env(DuelAEC):  # noqa: N801 (the name that PettingZoo's environments have)
        """The environment without wrappers."""

        def __init__(self, *, render_mode: str | None = None, **variant: object) -> None:
            super().__init__(kind.id, render_mode=render_mode, **variant)

    def env(**settings: Any) -> Any:
        """The environment in the wrapper that checks the order of calls."""
        return wrappers.OrderEnforcingWrapper(raw_env(**settings))

    name, doc = f"{kind.id.replace('-', '_')}_v0", f"The PettingZoo environment of {kind.id}."
    common.add_module(__name__, name, doc, raw_env, env)


for _kind in games():
    _add_module(_kind)
