"""The games for OpenSpiel, in Python: importing this module registers them.

>>> import pyspiel, numduel.agents.openspiel
>>> game = pyspiel.load_game("python_numduel_number_capture")
>>> state = game.new_initial_state()
>>> state.apply_action(20)                       # action 20 is the number 21
>>> state.current_player(), 20 in state.legal_actions()
(1, False)

Variants are parameters: ``python_numduel_sequence_duel(n=11,k=3)``. Where there is a deck,
drawing a card is a chance node; its outcome is the card less one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from numduel.agents import common
from numduel.core.game import Game
from numduel.extras import needing
from numduel.games import game as find
from numduel.games import games

with needing("openspiel"):
    import pyspiel


def short(kind: type[Game]) -> str:
    """The name of a game in OpenSpiel."""
    return f"python_numduel_{kind.id.replace('-', '_')}"


def _type(kind: type[Game]) -> pyspiel.GameType:
    luck = pyspiel.GameType.ChanceMode
    return pyspiel.GameType(
        short_name=short(kind),
        long_name=f"Python numduel: {kind().display_name}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=luck.EXPLICIT_STOCHASTIC if kind.has_deck else luck.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=dict(kind().settings),
    )


class DuelGame(pyspiel.Game):  # type: ignore[misc]
    """A game and variant, as OpenSpiel sees it."""

    kind: type[Game]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.game = find(self.kind.id, **(params or {}))
        bounds = self.game.bounds
        info = pyspiel.GameInfo(
            num_distinct_actions=bounds.actions,
            max_chance_outcomes=bounds.cards,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=bounds.plies,
        )
        super().__init__(_type(self.kind), info, params or {})

    def new_initial_state(self) -> DuelState:
        """The initial state."""
        return DuelState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> Observer:
        """An observer; everything is public."""
        return Observer(self.game)


class DuelState(pyspiel.State):  # type: ignore[misc]
    """A position, as OpenSpiel sees it."""

    def __init__(self, game: DuelGame) -> None:
        super().__init__(game)
        self._state = game.game.start()

    def current_player(self) -> int:
        """0, 1, or OpenSpiel's id of chance or of the end."""
        if self._state.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self._state.draws else self._state.to_move - 1

    def _legal_actions(self, player: int) -> list[int]:
        return common.legal(self._state)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The cards that may be drawn, with their odds."""
        return [(card - 1, likely) for card, likely in self._state.draws.items()]

    def _apply_action(self, action: int) -> None:
        if self._state.draws:
            self._state = self._state.draw(action + 1)
            return
        move = common.move(self._state, action)
        if move is None:
            raise ValueError(f"Action {action} is not legal here.")
        self._state = common.passed(self._state.play(move))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"draws {action + 1}"
        move = common.move(self._state, action)
        return f"action {action}" if move is None else str(move)

    def is_terminal(self) -> bool:
        """Whether somebody has won."""
        return self._state.is_over

    def returns(self) -> list[float]:
        """1 for the winner, -1 for the loser."""
        return [*map(float, self._state.returns)]

    def __str__(self) -> str:
        return common.words(self._state)


class Observer:
    """What a player sees of a state: everything, from the player's own side."""

    def __init__(self, game: Game) -> None:
        self.tensor = np.zeros(game.observation.length(game.variant), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: DuelState, player: int) -> None:
        """Observe a state."""
        self.tensor[:] = common.observe(state._state, player + 1)

    def string_from(self, state: DuelState, player: int) -> str:
        """The same in words."""
        return str(state)


for _kind in games():
    if short(_kind) not in pyspiel.registered_names():
        _game = type(f"{_kind.__name__}Game", (DuelGame,), {"kind": _kind})
        pyspiel.register_game(_type(_kind), _game)
