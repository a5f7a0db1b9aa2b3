"""Many games at once, on all cores or on a GPU, compiled from the same rules.

>>> from numduel.lab.batch import Batch
>>> games = Batch("duel", 1000, seed=7)
>>> games.mask.shape, games.observations.shape
((1000, 9), (1000, 10))
>>> games.step(games.mask.argmax(axis=1))       # everybody picks the lowest number that is free
>>> games.random(100)                           # a hundred random moves in each of them
>>> games.finished > 10_000
True
>>> values = games.values()                     # exact: who wins each game under best play
>>> values.shape, set(values.tolist())
((1000,), {0.0, 1.0})

A game that is over begins again at once. Actions are counted from 0: in a game of numbers action 0
is the number 1. A forced pass is made for the player, as the rulebook says. A game's luck depends
on its own seed alone.

With ``device="cuda"`` all arrays stay in the memory of an NVIDIA GPU, and everything has the same
results there, bit for bit; `DeviceArray` says how other libraries use them without a copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from operator import index
from secrets import randbits
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.extras import install
from numduel.games import game as find
from numduel.lab.batch.host import Host
from numduel.lab.batch.kernels import (
    TRIES,
    Arrays,
    check,
    observation_type,
    valuing,
)
from numduel.solver import TooLarge, solution

__all__ = ["TRIES", "Batch", "observation_type"]

DEVICES = ("cpu", "cuda")
SEAT = "a seat, 1 or 2"


class Batch:
    """Many games of one kind, each at its own position, in arrays of NumPy or, with
    ``device="cuda"``, `DeviceArray`. `threads` is how many cores are used at most, by default all;
    threads are started only for work that is worth it.

    With `observe` every move also writes the observations; else they are computed on access.
    """

    def __init__(
        self,
        game: Game | str,
        count: int,
        *,
        seed: int | Sequence[int] = 0,
        threads: int | None = None,
        device: str = "cpu",
        observe: bool = False,
    ) -> None:
        self.game = find(game) if isinstance(game, str) else game
        self.count = _count(count)
        self.device = device
        self._observe = observe
        self._threads = threads
        check(self.game)
        self._device = _device(device, self.game, self.count, threads)
        try:
            self._games = self._new()
        except MemoryError:
            raise BadVariant(
                f"{self.count:,} games of {self.game} do not fit into memory: choose fewer."
            ) from None
        self.seed(seed)
        shown = self._shown
        self.a: NDArray[np.int64] = shown(self._games.a)
        self.b: NDArray[np.int64] = shown(self._games.b)
        self.bits: NDArray[np.int64] = shown(self._games.bits)
        """The legal moves of each game as the rules' bit set."""
        self.to_move: NDArray[np.int8] = shown(self._games.to_move)
        """The seat that is to move in each game."""
        self.mask: NDArray[np.int8] = shown(self._games.mask)
        """1 for each legal action, by any of its names."""
        self.rewards: NDArray[np.int8] = shown(self._games.rewards)
        """What the last step gave each seat: 1 for a win, -1 for a loss, else 0."""
        self.done: NDArray[np.bool_] = shown(self._games.done)
        """Which games ended with the last step, and have begun again."""
        self.illegal: NDArray[np.bool_] = shown(self._games.illegal)
        """Which of them ended because the action was illegal: that loses."""
        self._seen = self._games.observations if observe else self._observations()
        self.reset()

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the luck: a copy or pickle that drew the same cards would tell what is to
        come."""
        arrays = {
            name: self._device.read(one).copy() for name, one in self._games._asdict().items()
        }
        del arrays["luck"]
        shape = {"count": self.count, "device": self.device, "observe": self._observe}
        return {"game": self.game, **shape, "threads": self._threads, "arrays": arrays}

    def __setstate__(self, state: dict[str, Any]) -> None:
        arrays = state.pop("arrays")
        Batch.__init__(self, **state, seed=randbits(64))
        for name, numbers in arrays.items():
            self._device.write(getattr(self._games, name), numbers)

    def _new(self) -> Arrays:
        count, zeros = self.count, self._device.zeros
        return Arrays(
            a=zeros((count,), np.int64),
            b=zeros((count,), np.int64),
            bits=zeros((count,), np.int64),
            to_move=zeros((count,), np.int8),
            luck=zeros((count,), np.uint64),
            mask=zeros((count, self.game.bounds.actions), np.int8),
            observations=self._observations(None if self._observe else 0),
            rewards=zeros((count, 2), np.int8),
            done=zeros((count,), np.bool_),
            illegal=zeros((count,), np.bool_),
            finished=zeros((count,), np.int64),
            ended=zeros((count, 3), np.int64),
        )

    def _observations(self, length: int | None = None) -> Any:
        """A new array for observations, or for their first few numbers."""
        if length is None:
            length = self.game.observation.length(self.game.variant)
        return self._device.zeros((self.count, length), observation_type(self.game))

    @property
    def finished(self) -> int:
        """How many games have ended so far."""
        return int(self._device.read(self._games.finished).sum())

    @property
    def observations(self) -> NDArray[Any]:
        """The observation of the player to move in each game."""
        return self._shown(self._seen) if self._observe else self.observed_by(self.to_move)

    def observed_by(self, seats: NDArray[np.int8]) -> NDArray[Any]:
        """What each game's seat in `seats` observes; valid until the next call."""
        seen = self._observations() if self._observe else self._seen
        return self._seats("look", seats, seen)

    def seed(self, seed: int | Sequence[int | None]) -> None:
        """Seed every game: each by its own part of one seed, or by its entry of a list. None leaves
        a game's luck as it is."""
        luck = self._device.read(self._games.luck)
        if isinstance(seed, Sequence | np.ndarray):
            if len(seed) != self.count:
                raise BadVariant(f"Every game needs its own seed: {self.count} were expected.")
            for i, one in enumerate(seed):
                if one is not None:
                    luck[i] = _luck(one, 1)[0]
        else:
            luck = _luck(seed, self.count)
        # A xorshift generator never leaves 0.
        self._device.write(self._games.luck, luck | np.uint64(1))

    def reset(self) -> None:
        """Restart every game."""
        self._device.run("reset", self._games)

    def step(self, actions: NDArray[Any]) -> None:
        """Make one move in every game. An illegal action loses the game."""
        given = self._taken(actions, "iu", "a whole number as its action")
        self._device.run("step", self._games, given)

    def random(self, steps: int = 1) -> None:
        """Make uniformly random legal moves in every game, `steps` in each."""
        self._device.run("random", self._games, steps, moves=steps)

    def sample(
        self, where: NDArray[np.bool_], odds: NDArray[np.float64] | None = None
    ) -> NDArray[np.int64]:
        """Make one random move in the games of `where`, and leave the others as they are; the
        actions, -1 where none was made.

        `odds` has a row for each game: the chances of its actions, added up from the first to the
        last. Without it all legal moves are equally likely.
        """
        chosen = self._device.zeros((self.count,), np.int64)
        shares = self._device.zeros((self.count, 0), np.float64)
        if odds is not None:
            shares = self._taken(odds, "f", "the odds of all actions", self.game.bounds.actions)
        asked = self._taken(where, "b", "True or False")
        self._device.run("sample", self._games, (asked, shares, chosen))
        return self._shown(chosen)

    def answer(self, seats: NDArray[np.int8]) -> None:
        """Let the opponent of each game's seat in `seats` make random moves until it is that seat's
        turn, or never: see `TRIES`.

        `done`, `rewards` and `final` then cover the seat's last move and the answers to it
        together. A later game that ends before the seat's first decision leaves no trace.
        """
        self._device.run("answer", self._games, self._taken(seats, "iu", SEAT))

    def gained(self, seats: NDArray[np.int8]) -> NDArray[np.int8]:
        """The reward of the last step for each game's seat in `seats`."""
        return self._seats("gained", seats, self._device.zeros((self.count,), np.int8))

    def final(self, seats: NDArray[np.int8]) -> NDArray[Any]:
        """What each game's seat in `seats` observed at the end of the last finished game. An
        illegal action that ended it was not played."""
        return self._seats("final", seats, self._observations())

    def values(self) -> NDArray[np.float64]:
        """The exact win probability of the player to move in each game, under best play by both.

        They are read from the solved table, which is loaded, or made and saved, the first time.
        """
        return self._valued("values", (self.count,))

    def action_values(self) -> NDArray[np.float64]:
        """The exact win probability of the player to move after each action, under best play from
        there on; NaN where an action is illegal. `values` has the largest of each row."""
        return self._valued("action_values", (self.count, self.game.bounds.actions))

    def _valued(self, name: str, shape: tuple[int, ...]) -> NDArray[Any]:
        found = self._device.zeros(shape, np.float64)
        self._device.run(name, self._games, (self._table, found))
        return self._shown(found)

    @cached_property
    def _table(self) -> tuple[Any, ...]:
        try:
            lookup = solution(self.game).lookup()
        except TooLarge:
            raise BadVariant(
                f"{self.game} has no exact values to look up: it is too large to be solved."
            ) from None
        self._device.learn(valuing(self.game, lookup))
        return tuple(map(self._device.taken, lookup.table))

    def _seats(self, name: str, seats: Any, found: Any) -> NDArray[Any]:
        """Fill an array with something about one seat of each game."""
        self._device.run(name, self._games, (self._taken(seats, "iu", SEAT), found))
        return self._shown(found)

    def _shown(self, array: Any) -> NDArray[Any]:
        """An array as users get it. Type checkers take a `DeviceArray` for one of NumPy's: it has
        the same shape and type, and its numbers are read through another library."""
        shown: NDArray[Any] = self._device.shown(array)
        return shown

    def _taken(self, given: Any, kinds: str, what: str, *columns: int) -> Any:
        """A user's array with a number or a row for each game, on the device."""
        taken = self._device.taken(given)
        if tuple(taken.shape) != (self.count, *columns) or taken.dtype.kind not in kinds:
            raise BadVariant(f"Every game needs {what}: {self.count} were expected.")
        return taken


def _device(device: str, game: Game, count: int, threads: int | None) -> Any:
    if device not in DEVICES:
        raise BadVariant(f"A device is {' or '.join(DEVICES)}, not {device!r}.")
    if device == "cpu":
        return Host(game, count, threads)
    if find_spec("numba.cuda") is None:
        raise BadVariant(f"device='cuda' needs numba-cuda: {install('cuda')}")
    from numduel.lab.batch.cuda import Cuda

    return Cuda(game, count)


def _count(given: Any) -> int:
    try:
        count = index(given)
    except TypeError:
        count = 0
    if count < 1:
        raise BadVariant(f"The number of games is a whole number from 1, not {given!r}.")
    return count


def _luck(seed: Any, count: int) -> NDArray[Any]:
    try:
        return np.random.SeedSequence(index(seed)).generate_state(count, np.uint64)
    except (TypeError, ValueError):
        raise BadVariant(f"A seed is a whole number from 0, not {seed!r}.") from None
