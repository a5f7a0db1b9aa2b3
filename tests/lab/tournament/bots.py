"""Players in Python, as people write them, good and bad; each game has them in another process."""

import gc
import os
import random
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from numduel import State
from numduel.core.state import Move
from numduel.lab.tournament.child import Unavailable


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


class Crashing:
    def choose(self, state: State) -> Move:
        os._exit(0)


class Interrupting:
    def choose(self, state: State) -> Move:
        raise KeyboardInterrupt


class Thinking:
    """Thinks forever."""

    def choose(self, state: State) -> Move:
        while True:
            pass


class ThinkingSecond:
    """Thinks forever, but not about its first move."""

    def choose(self, state: State) -> Move:
        while len(state.moves) > 1:
            pass
        return state.legal_moves[0]


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


class Chatty:
    """Prints, by all means, and reads what is not for it."""

    def choose(self, state: State) -> Move:
        print("1\n2\n3")
        os.write(1, b"4\n")
        os.system("echo 5; cat")
        assert sys.stdin.read() == ""
        return f" {state.legal_moves[0]}\n"


class Counting:
    """Counts its moves, and says so instead of the third."""

    games = 0

    def __init__(self) -> None:
        self.moves = 0
        Counting.games += 1

    def choose(self, state: State) -> Move:
        self.moves += 1
        return state.legal_moves[0] if self.moves < 3 else f"process {os.getpid()}"


class Absent:
    """Cannot be asked."""

    def choose(self, state: State) -> Move:
        raise Unavailable("The network is down.")


class Feigning:
    """Answers as if it could not be asked."""

    def choose(self, state: State) -> Move:
        return "?!The network is down."


# -- some that look for the deck -------------------------------------------------------------------


FORETOLD = "FORETOLD"
"""The environment variable with the file in which the player below notes what it foretold."""
decks: list[tuple[int, ...]] = []
"""The cards of its games, as far as it saw them: processes outlive games."""


def in_common(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    """How many cards two decks begin with alike."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


class Remembering:
    """Foretells each card of its opponent by the earlier game that began most like this one, and
    notes whether that was right, and how likely it was by chance."""

    def __init__(self) -> None:
        self._foretold: tuple[int, float] | None = None
        decks.append(())

    def choose(self, state: State) -> Move:
        deck = decks[-1] = state.game.drawn(state)
        if self._foretold is not None:
            card, chance = self._foretold
            with open(os.environ[FORETOLD], "a") as notes:
                print(int(deck[-2] == card), chance, file=notes)
        longer = [one for one in decks[:-1] if len(one) > len(deck)]
        self._foretold = None
        if longer:
            card = max(longer, key=lambda one: in_common(one, deck))[len(deck)]
            left = state.game.undrawn(state.position)
            self._foretold = card, left.get(card, 0) / sum(left.values())
        return state.legal_moves[-1]


WANTED = "WANTED_DECK"
"""The environment variable in which a test tells the thief what to look for."""


def within_reach() -> Iterator[object]:
    """Everything that code can get hold of: what callers have, and what is alive at all."""
    frame = sys._getframe()
    while frame is not None:
        yield from frame.f_locals.values()
        frame = frame.f_back  # type: ignore[assignment]
    for thing in gc.get_objects():
        yield thing
        yield from gc.get_referents(thing)


def as_text(thing: object) -> str:
    """The numbers of a list, a tuple or an iterator over one."""
    if type(thing) in (type(iter([])), type(iter(()))):
        thing = thing.__reduce__()[1][0]
    if isinstance(thing, list | tuple) and all(type(item) is int for item in thing):
        return " ".join(map(str, thing))
    return ""


class Thief:
    """Raises if it finds the cards that are to come, in their order; else takes a legal move."""

    def choose(self, state: State) -> Move:
        drawn = len(state.game.drawn(state))
        rest = " ".join(os.environ[WANTED].split()[drawn:])
        for thing in within_reach():
            if len(rest) > 2 and as_text(thing).endswith(rest):
                raise LookupError(f"the next cards are {rest}")
        return state.legal_moves[-1]
