"""A plain NumPy-array environment, written the way public Gymnasium versions of these games are.

It is the yardstick for the library's own speed, and nothing else.
"""

from itertools import combinations

import numpy as np

Board = np.ndarray[tuple[int, ...], np.dtype[np.int8]]
Info = dict[str, object]
Step = tuple[Board, float, bool, bool, Info]


class ArrayDuel:
    """Sequence Duel on a NumPy array: 0 is a free number, 1 and -1 are the players'."""

    def __init__(self, n: int = 9) -> None:
        self.n = n
        self.reset()

    def reset(self) -> tuple[Board, Info]:
        self.board: Board = np.zeros(self.n, dtype=np.int8)
        self.player = 1
        self.done = False
        return self.board.copy(), {}

    def valid_moves(self) -> list[int]:
        return np.flatnonzero(self.board == 0).tolist()

    def step(self, action: int) -> Step:
        if self.done or self.board[action] != 0:
            self.done = True
            return self.board.copy(), -10.0, True, False, {}
        self.board[action] = self.player
        hand = np.flatnonzero(self.board == self.player).tolist()
        won = any(b - a == c - b for a, b, c in combinations(hand, 3))
        full = not (self.board == 0).any()
        reward = 1.0 if won else -1.0 if full else 0.0
        self.done = won or full
        self.player = -self.player
        return self.board.copy(), reward, self.done, False, {}
