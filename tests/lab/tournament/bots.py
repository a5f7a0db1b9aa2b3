"""Players in Python, as people write them, good and bad; each game has them in another process."""

import random
import sys
from typing import Any

import numpy as np

from numduel import State
from numduel.core.state import Move


class First:
    """Takes the first legal move."""

    def choose(self, state: State) -> Move:
        return state.legal_moves[0]


class Seeded(First):
    def __init__(self, seed: int) -> None:
        self.seed = seed


def seeded(seed: int) -> Seeded:
    return Seeded(seed)


def unseeded() -> First:
    return First()


ready = First()
number = 5


class TellingItsSeed(Seeded):
    def choose(self, state: State) -> str:
        return f"seed {self.seed}"


class Careless:
    """Uses the random generators that everybody shares."""

    def choose(self, state: State) -> Move:
        moves = state.legal_moves
        if len(moves) % 2:
            return random.choice(moves)
        return moves[np.random.randint(len(moves))]


class Learner:
    """Answers as learners do, with an integer of NumPy."""

    def choose(self, state: State) -> Any:
        return np.int64(int(state.legal_moves[0]))


class Failing:
    def choose(self, state: State) -> Move:
        raise KeyError("<lost>")


class FailingWhenForced:
    """Takes the first legal move, and fails when there is only one."""

    def choose(self, state: State) -> Move:
        first, *others = state.legal_moves
        assert others
        return first


class Leaving:
    def choose(self, state: State) -> Move:
        sys.exit("goodbye")


class Unborn:
    def __init__(self) -> None:
        raise ValueError("no weights")


class Forgetful:
    def choose(self, state: State) -> None:
        pass


class Endless:
    def choose(self, state: State) -> int:
        return 10**5000


class Sure:
    def choose(self, state: State) -> bool:
        return True


class Cheat:
    """Plays what was played already."""

    def choose(self, state: State) -> Move:
        return state.moves[-1] if state.moves else 99
