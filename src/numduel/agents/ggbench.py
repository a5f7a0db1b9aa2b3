"""The environments of gg-bench games 6, 30, 224, 613 and 616, with the rulebooks' rules.

The class interface and the action indices are those of the published environments, so that existing
agents and harnesses run unchanged: `CustomEnv` with `reset`, `step`, `valid_moves` and `render`,
`current_player` and `done`; 1 for a move that wins, -1 for one that loses, -10 for an illegal one.
Fixed are the forced pass of Number Capture, ties in Sequence Build, a deck that could be read, the
use of global random state, and observations whose type was not that of their space.

The players take strict turns, one action each. At a forced pass the only valid action is `PASS`,
which claims nothing. A deep copy, in which the harness looks ahead, draws cards with random numbers
of its own, so it does not reveal those that will come.

>>> from numduel.agents.ggbench.env_613 import CustomEnv
>>> env = CustomEnv()
>>> seen, info = env.reset(seed=7)
>>> env.step(20)[1:]
(0, False, False, {})
>>> 20 in env.valid_moves()
False
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from numduel.agents import common
from numduel.core.game import Game
from numduel.core.state import Move, State, drawn
from numduel.core.view import view
from numduel.extras import needing
from numduel.games import game as find

with needing("gymnasium"):
    import gymnasium
    from gymnasium import spaces

ILLEGAL = -10
PASS = 0
"""The only valid action at a forced pass. It is within the published action space, so agents with
an output for each published action can choose it."""


class TwoPlayers(common.Unforeseen, gymnasium.Env[NDArray[Any], np.int64]):
    """Both players take turns through one environment; each is rewarded for its own action."""

    kind: str
    """The game."""
    marks: tuple[int, int] = (1, -1)
    """What `current_player` is for seats 1 and 2."""

    def __init__(self) -> None:
        self.game: Game = find(self.kind)
        self.action_space = spaces.Discrete(self.game.bounds.actions)
        self.observation_space = self.space()
        self.state: State = self.game.start()
        self.done = False
        self.reset()

    def space(self) -> spaces.Box:
        """What is observed: 1 for the numbers of Player 1, -1 for those of Player 2."""
        return spaces.Box(-1, 1, (self.game.bounds.actions,), np.int8)

    def observed(self) -> NDArray[Any]:
        """The observation of the state."""
        return self._owners().astype(np.int8)

    @property
    def current_player(self) -> int:
        """Who is to move; when the game is over, who moved last."""
        return self.marks[self._mover - 1]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin a game."""
        super().reset(seed=seed)
        self.done = False
        self._forfeit = 0
        self.state = drawn(self.game.start(first=self._first()), self.np_random.random)
        self._mover = self.state.to_move
        return self.observed(), {}

    def step(self, action: object) -> tuple[NDArray[Any], int, bool, bool, dict[str, Any]]:
        """Make a move for the current player."""
        if self.done:
            return self.observed(), 0, True, False, {}
        move = self._move(action)
        if move is None:
            self.done = True
            self._forfeit = self._mover
            return self.observed(), ILLEGAL, True, False, {}
        self.state = drawn(self.state.play(move), self.np_random.random)
        winner = self.state.winner
        if winner is None:
            self._mover = self.state.to_move
            return self.observed(), 0, False, False, {}
        self.done = True
        return self.observed(), 1 if winner == self._mover else -1, True, False, {}

    def valid_moves(self) -> list[int]:
        """The legal actions of the current player; at a forced pass, `PASS` alone."""
        if self.done:
            return []
        return [PASS] if self.state.forced_pass else common.legal(self.state)

    def render(self) -> str:
        """The board in words, the drawn card, and who is to move or who won."""
        text = common.words(self.state, self._forfeit)
        if self.state.forced_pass and not self.done:
            text += f"\nNo number can be claimed: the only valid action is {PASS}, which passes."
        return text

    def _move(self, action: object) -> Move | None:
        """The move that an action stands for; None if it is not legal."""
        if not self.state.forced_pass:
            return common.move(self.state, action)
        return "pass" if common.number(action) == PASS else None

    def _first(self) -> int:
        return 1

    def _owners(self) -> NDArray[Any]:
        owners = {None: 0, 1: 1, 2: -1}
        return np.array([owners[cell.owner] for cell in view(self.state).cells])


class WithCurrentNumber(TwoPlayers):
    """Factors: the owners of the numbers, and the current number last."""

    def space(self) -> spaces.Box:
        """The owners, and the current number."""
        return spaces.Box(-1, self.game.bounds.actions, (self.game.bounds.actions + 1,), np.int32)

    def observed(self) -> NDArray[Any]:
        """The owners, then the current number (0 before the first)."""
        return np.array([*self._owners(), self.state.position[1]], np.int32)


class WithCards(TwoPlayers):
    """Build: both rows, the current player's first, and the drawn card."""

    marks = (0, 1)

    def space(self) -> spaces.Box:
        """Two rows and a card; -1 where there is none."""
        k, n = self.game.variant.k, self.game.variant.n
        return spaces.Box(-1, n, (2 * k + 1,), np.int32)

    def observed(self) -> NDArray[Any]:
        """The current player's row, the opponent's, and the card."""
        k, seen = self.game.variant.k, view(self.state)
        row = np.full(2 * k + 1, -1, np.int32)
        for at, seat in ((0, self._mover), (k, 3 - self._mover)):
            hand = seen.hand(seat)
            row[at : at + len(hand)] = hand
        if seen.card is not None:
            row[-1] = seen.card
        return row

    def _first(self) -> int:
        return int(self.np_random.integers(1, 3))


NUMBERS: dict[int, tuple[str, type[TwoPlayers]]] = {
    6: ("sequence-build", WithCards),
    30: ("sequence-capture-line", TwoPlayers),
    224: ("sequence-duel", TwoPlayers),
    613: ("number-capture", TwoPlayers),
    616: ("sequence-capture-factors", WithCurrentNumber),
}
"""The games by their numbers in gg-bench; each has a module here, named after its number."""
for _number, (_kind, _players) in NUMBERS.items():
    _env = type("CustomEnv", (_players,), {"kind": _kind, "__doc__": f"{_kind}, for both players."})
    common.add_module(__name__, f"env_{_number}", f"Game {_number} of gg-bench.", _env)
