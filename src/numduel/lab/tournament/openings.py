"""Random openings, so that players who always answer alike do not repeat one game.

An opening is two or three random legal moves that nobody is judged by, after which something is at
stake: the player to move can win, and can throw the win away. Two and three moves alternate, so
that both seats are favoured equally often; and every pairing plays an opening twice, with seats
exchanged, so that it favours neither player. Where cards are drawn, the deck is the opening.
"""

from __future__ import annotations

import random
from functools import lru_cache
from itertools import islice
from threading import Lock

from numduel.core.game import Game
from numduel.core.state import State, played_at_random
from numduel.solver import analyse

PLIES = (2, 3)
"""How many moves openings have, in turn."""
MAX_TRIES = 100
"""Failed attempts to find another opening after which there are taken to be no more."""


class Openings:
    """The openings of one game: all different until there are no more, then the same again."""

    def __init__(self, game: Game, seed_text: str) -> None:
        self._game = game
        self._luck = random.Random(seed_text).random
        self._found: list[State] = []
        self._known: set[State] = set()
        self._complete = game.has_deck
        self._lock = Lock()

    def __getitem__(self, number: int) -> State:
        with self._lock:
            while len(self._found) <= number and not self._complete:
                self._find()
            return self._found[number % len(self._found)] if self._found else self._game.start()

    def _find(self) -> None:
        plies = PLIES[len(self._found) % len(PLIES)]
        for _ in range(MAX_TRIES):
            *_, state = islice(played_at_random(self._game, self._luck), plies + 1)
            if state not in self._known and _at_stake(state):
                self._found.append(state)
                self._known.add(state)
                return
        self._complete = True


def _at_stake(state: State) -> bool:
    if state.winner is not None:
        return False
    return len({option.win_probability for option in analyse(state)}) > 1


@lru_cache(maxsize=64)
def openings(game: Game, seed_text: str) -> Openings:
    """The openings that a seed gives for a game, found once in each process."""
    return Openings(game, seed_text)
