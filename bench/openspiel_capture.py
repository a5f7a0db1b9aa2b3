"""Number Capture as an ordinary OpenSpiel game in Python, like those that come with OpenSpiel.

It is the yardstick for solving, and nothing else. Import it only where `pyspiel` is installed.
"""

from typing import Any

import pyspiel
from open_spiel.python.algorithms.minimax_solver import MinimaxSolver

NAME = "number_capture"
PASS = 0
TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Number Capture",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
    parameter_specification={"n": 21},
)


class CaptureGame(pyspiel.Game):  # type: ignore[misc]
    """Numbers 1 to n; action 0 passes."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.n = (params or {}).get("n", 21)
        most = self.n * (self.n + 1) / 2 + 1
        info = pyspiel.GameInfo(
            num_distinct_actions=self.n + 1,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=2 * self.n,
        )
        super().__init__(TYPE, info, params or {})

    def new_initial_state(self, state: object = None) -> "CaptureState":
        return CaptureState(self)


class CaptureState(pyspiel.State):  # type: ignore[misc]
    """Who has claimed which number, and whose turn it is."""

    def __init__(self, game: CaptureGame) -> None:
        super().__init__(game)
        self.owners = ["."] * game.n
        self.player = 0
        self.over = False

    def current_player(self) -> Any:
        return pyspiel.PlayerId.TERMINAL if self.over else self.player

    def _legal_actions(self, player: int) -> list[int]:
        return self.open_to(player) or [PASS]

    def _apply_action(self, action: int) -> None:
        if action != PASS:
            self.owners[action - 1] = "xo"[self.player]
        self.player = 1 - self.player
        self.over = not self.open_to(self.player) and not self.open_to(1 - self.player)

    def _action_to_string(self, player: int, action: int) -> str:
        return str(action) if action else "pass"

    def is_terminal(self) -> bool:
        return self.over

    def returns(self) -> list[float]:
        """The margin, and one more for the winner: on equal sums, who has the highest number."""
        if not self.over:
            return [0.0, 0.0]
        mine = [number for number, owner in enumerate(self.owners, 1) if owner == "x"]
        theirs = [number for number, owner in enumerate(self.owners, 1) if owner == "o"]
        margin = sum(mine) - sum(theirs)
        ahead = (margin, max(mine, default=0)) > (0, max(theirs, default=0))
        score = float(margin + (1 if ahead else -1))
        return [score, -score]

    def open_to(self, player: int) -> list[int]:
        """The unclaimed numbers that are not next to one's own."""
        own, owners = "xo"[player], self.owners
        last = len(owners) - 1
        return [
            place + 1
            for place, owner in enumerate(owners)
            if owner == "."
            and not (place > 0 and owners[place - 1] == own)
            and not (place < last and owners[place + 1] == own)
        ]

    def __str__(self) -> str:
        return "".join(self.owners) + "xo"[self.player]


def solver(n: int) -> Any:
    """OpenSpiel's own solver, ready to solve the game on 1 to n."""
    if NAME not in pyspiel.registered_names():
        pyspiel.register_game(TYPE, CaptureGame)
    return MinimaxSolver(f"{NAME}(n={n})")
