"""Many games at once, on all cores, compiled from the same rules.

>>> from numduel.batch import Batch
>>> games = Batch("duel", 1000, seed=7)
>>> games.mask.shape, games.observations.shape
((1000, 9), (1000, 10))
>>> games.step(games.mask.argmax(axis=1))       # everybody picks the lowest number that is free
>>> games.random(100)                           # a hundred random moves in each of them
>>> games.finished > 10_000
True

A game that is over begins again at once. Actions are counted from 0: in a game of numbers action 0
is the number 1. A forced pass is made for the player, as the rulebook says. A game's luck depends
on its own seed alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from operator import index
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.games import game as find
from numduel.solver.compiled import compiled, register
from numduel.solver.search import WORD

SMALL = 512
"""The fewest games that are worth a thread."""


class Batch:
    """Many games of one kind, each at its own position. Everything is an array."""

    def __init__(
        self,
        game: Game | str,
        count: int,
        *,
        seed: int | Sequence[int] = 0,
        threads: int | None = None,
    ) -> None:
        self.game = find(game) if isinstance(game, str) else game
        self.count = count
        self._kernels = kernels(self.game)
        self._luck: NDArray[np.uint64] = np.zeros(count, np.uint64)
        self.seed(seed)
        size, kind = self.game.observation.length(self.game.variant), observation_type(self.game)
        self.a: NDArray[np.int64] = np.zeros(count, np.int64)
        self.b: NDArray[np.int64] = np.zeros(count, np.int64)
        self.bits: NDArray[np.int64] = np.zeros(count, np.int64)
        """The legal moves of each game as the rules' bit set."""
        self.to_move: NDArray[np.int8] = np.ones(count, np.int8)
        """The seat that is to move in each game."""
        self.mask: NDArray[np.int8] = np.zeros((count, self.game.bounds.actions), np.int8)
        """1 for each legal action, by whichever of its names."""
        self._observations: NDArray[Any] = np.zeros((count, size), kind)
        self.rewards: NDArray[np.int8] = np.zeros((count, 2), np.int8)
        """What the last step gave each seat: 1 for a win, -1 for a loss, else 0."""
        self.done: NDArray[np.bool_] = np.zeros(count, np.bool_)
        """Which games ended with the last step, and have begun again."""
        self.illegal: NDArray[np.bool_] = np.zeros(count, np.bool_)
        """Which of them ended because the action was illegal: that loses."""
        self._finished = np.zeros(count, np.int64)
        self._ended = np.zeros((count, 3), np.int64)
        cores = threads or os.cpu_count() or 1
        parts = max(1, min(cores, count // SMALL))
        edges = np.linspace(0, count, parts + 1).astype(int)
        self._parts = [slice(*pair) for pair in pairwise(edges)]
        self._pool = ThreadPoolExecutor(parts) if parts > 1 else None
        self.reset()

    @property
    def finished(self) -> int:
        """How many games have ended so far."""
        return int(self._finished.sum())

    @property
    def observations(self) -> NDArray[Any]:
        """The observation of the player to move in each game; computed on access."""
        return self.observed_by(self.to_move)

    def observed_by(self, seats: NDArray[np.int8]) -> NDArray[Any]:
        """The observation of each game by its seat in `seats`; valid until the next one."""
        mine = self.to_move == seats
        look = self._kernels[3]
        self._each(
            lambda part: look(self.a[part], self.b[part], mine[part], self._observations[part])
        )
        return self._observations

    def seed(self, seed: int | Sequence[int | None]) -> None:
        """Give every game a seed of its own, made from one for all, or from a list. Where the list
        has None, the game's luck goes on."""
        if isinstance(seed, Sequence | np.ndarray):
            if len(seed) != self.count:
                raise BadVariant(f"Every game needs a seed of its own: there must be {self.count}.")
            for i, one in enumerate(seed):
                if one is not None:
                    self._luck[i] = _luck(one, 1)[0]
        else:
            self._luck[:] = _luck(seed, self.count)
        self._luck |= np.uint64(1)  # a xorshift generator never leaves 0

    def reset(self) -> None:
        """Restart every game."""
        self._everywhere(self._kernels[0])

    def step(self, actions: NDArray[Any]) -> None:
        """Make one move in every game. An illegal action loses the game."""
        given = np.asarray(actions)
        if given.shape != (self.count,) or given.dtype.kind not in "iu":
            raise BadVariant(
                f"Every game needs a whole number as its action: there must be {self.count}."
            )
        self._everywhere(self._kernels[1], np.ascontiguousarray(given, np.int64))

    def random(self, steps: int = 1) -> None:
        """Make uniformly random legal moves in every game, `steps` in each."""
        self._everywhere(self._kernels[2], steps)

    def sample(
        self, where: NDArray[np.bool_], odds: NDArray[np.float64] | None = None
    ) -> NDArray[np.int64]:
        """Make one random move in the games of `where`, and leave the others as they are.

        `odds` has a row for each game: how likely each action is, added up from the first to the
        last; without it all legal moves are equally likely. Returns the actions, -1 where none
        was made.
        """
        chosen = np.full(self.count, -1, np.int64)
        shares = np.zeros((self.count, 0)) if odds is None else odds
        self._everywhere(self._kernels[4], where, shares, chosen)
        return chosen

    def gained(self, seats: NDArray[np.int8]) -> NDArray[np.int8]:
        """The reward of the last step for each game's seat in `seats`."""
        return self.rewards[np.arange(self.count), seats - 1]

    def final(self, seats: NDArray[np.int8]) -> NDArray[Any]:
        """The last observation of the last finished game by its seat in `seats`, for each game of
        the batch. Where an illegal action ended it, that was never played."""
        ended = np.zeros_like(self._observations)
        a, b, to_move = self._ended.T
        self._kernels[3](np.ascontiguousarray(a), np.ascontiguousarray(b), to_move == seats, ended)
        return ended

    def _everywhere(self, kernel: Callable[..., None], *more: Any) -> None:
        """Run a kernel over all games."""

        def run(part: slice) -> None:
            given = (item[part] if isinstance(item, np.ndarray) else item for item in more)
            kernel(
                self.a[part], self.b[part], self.bits[part], self.to_move[part], self._luck[part],
                self.mask[part], self.rewards[part], self.done[part], self.illegal[part],
                self._finished[part], self._ended[part], *given,
            )  # fmt: skip

        self._each(run)

    def _each(self, work: Callable[[slice], None]) -> None:
        """Run a function on all games, on several threads if worth it."""
        if self._pool is None:
            work(self._parts[0])
        else:
            list(self._pool.map(work, self._parts))


def _luck(seed: Any, count: int) -> NDArray[Any]:
    """Numbers made from a seed, for so many games."""
    try:
        return np.random.SeedSequence(index(seed)).generate_state(count, np.uint64)
    except (TypeError, ValueError):
        raise BadVariant(f"A seed is a whole number from 0, not {seed!r}.") from None


def observation_type(game: Game) -> type[np.signedinteger[Any]]:
    """The smallest type that holds every number of a game's observations."""
    high = game.observation.high(game.variant)
    return np.int8 if high < 1 << 7 else np.int16 if high < 1 << 15 else np.int32


_KERNELS: dict[Game, tuple[Any, ...]] = {}


def kernels(game: Game) -> tuple[Any, ...]:
    """The compiled loops of a game and variant: begin, step, play at random, look, and sample."""
    if game not in _KERNELS:
        if max(game.bounds.actions, game.bounds.bits) > WORD:
            raise BadVariant(
                f"{game} cannot be played in batches: it has more than {WORD} different moves, or"
                f" positions of more than {WORD} bits."
            )
        register(type(game))
        _KERNELS[game] = _made(game)
    return _KERNELS[game]


@njit(inline="always")
def _next(luck):  # type: ignore[no-untyped-def]
    """The next number of a xorshift generator."""
    luck ^= luck << np.uint64(13)
    luck ^= luck >> np.uint64(7)
    return luck ^ luck << np.uint64(17)


@njit(inline="always")
def _below(luck, bound):  # type: ignore[no-untyped-def]
    """A random whole number in [0, bound)."""
    return np.int64((luck >> np.uint64(32)) * np.uint64(bound) >> np.uint64(32))


@njit(inline="always")
def _some(bits, luck):  # type: ignore[no-untyped-def]
    """A random member of a bit set."""
    count = 0
    rest = bits
    while rest:
        rest &= rest - 1
        count += 1
    for _ in range(_below(luck, count)):
        bits &= bits - 1
    place = 0
    while not bits >> place & 1:
        place += 1
    return place


@njit(inline="always")
def _likely(odds, luck):  # type: ignore[no-untyped-def]
    """A random index: `odds` are the chances of each, added up."""
    part = (luck >> np.uint64(11)) * 2.0**-53
    at = 0
    while odds[at] <= part:
        at += 1
    return at


@njit(inline="always")
def _no_aliases(_a, _b, _v):  # type: ignore[no-untyped-def]
    """For a game in which every move has one name."""
    return 0


def _made(game: Game) -> tuple[Any, ...]:
    """The kernels. The variant is a constant in them, so that the compiler can use it."""
    v, rules, actions = game.variant, game.rules, game.bounds.actions
    start, play, result = rules.start, rules.play, rules.result
    observe, flip, size = game.observation.observe, game.observation.flip, game.observation.size(v)
    settle = _dealt(game) if game.has_deck else _undealt(game)
    aliases = rules.aliases or _no_aliases

    @njit(inline="always")
    def begin(seat, luck):  # type: ignore[no-untyped-def]
        a, b = start(v)
        return settle(a, b, seat, luck)

    @njit(inline="always")
    def show(a, b, bits, mask):  # type: ignore[no-untyped-def]
        bits |= aliases(a, b, v)
        for action in range(actions):
            mask[action] = bits >> action + 1 & 1

    @njit(inline="always")
    def advance(a, b, bits, seat, luck, move, rewards, ended):  # type: ignore[no-untyped-def]
        """Make a move in one game; returns its state, and 0, 1 (over) or 2 (over: illegal)."""
        over = 0
        winner = 3 - seat
        if move < 1 or move > actions or not (bits | aliases(a, b, v)) >> move & 1:
            over = 2
        else:
            a, b = play(a, b, move, v)
            a, b, bits, seat, luck = settle(a, b, 3 - seat, luck)
            if bits == 0:
                over = 1
                winner = seat if result(a, b, v) > 0 else 3 - seat
        if over:
            rewards[winner - 1] = 1
            rewards[2 - winner] = -1
            ended[0] = a
            ended[1] = b
            ended[2] = seat
            a, b, bits, seat, luck = begin(1, luck)
        else:
            rewards[0] = 0
            rewards[1] = 0
        return a, b, bits, seat, luck, over

    def reset(a, b, bits, seat, luck, mask, rewards, done, illegal, _, __):  # type: ignore[no-untyped-def]
        for i in range(len(a)):
            a[i], b[i], bits[i], seat[i], luck[i] = begin(1, luck[i])
            show(a[i], b[i], bits[i], mask[i])
            rewards[i, 0] = 0
            rewards[i, 1] = 0
            done[i] = False
            illegal[i] = False

    def step(a, b, bits, seat, luck, mask, rewards, done, illegal, finished, ended, chosen):  # type: ignore[no-untyped-def]
        for i in range(len(a)):
            a[i], b[i], bits[i], seat[i], luck[i], over = advance(
                a[i],
                b[i],
                bits[i],
                seat[i],
                luck[i],
                chosen[i] + 1,
                rewards[i],
                ended[i],
            )
            done[i] = over > 0
            illegal[i] = over == 2
            finished[i] += over > 0
            show(a[i], b[i], bits[i], mask[i])

    def random(a, b, bits, seat, luck, mask, rewards, done, illegal, finished, ended, steps):  # type: ignore[no-untyped-def]
        for _ in range(steps):
            for i in range(len(a)):
                dice = _next(luck[i])
                a[i], b[i], bits[i], seat[i], luck[i], over = advance(
                    a[i],
                    b[i],
                    bits[i],
                    seat[i],
                    dice,
                    _some(bits[i], dice),
                    rewards[i],
                    ended[i],
                )
                done[i] = over > 0
                illegal[i] = False
                finished[i] += over > 0
                show(a[i], b[i], bits[i], mask[i])

    def look(a, b, mine, observations):  # type: ignore[no-untyped-def]
        for i in range(len(a)):
            x, y = (a[i], b[i]) if mine[i] else flip(a[i], b[i], v)
            for at in range(size):
                observations[i, at] = observe(x, y, at, v)
            observations[i, size] = mine[i]

    def sample(  # type: ignore[no-untyped-def]
        a, b, bits, seat, luck, mask, rewards, done, illegal, finished, ended, where, odds, chosen
    ):
        for i in range(len(a)):
            done[i] = False
            illegal[i] = False
            if not where[i]:
                continue
            dice = _next(luck[i])
            move = 1 + _likely(odds[i], dice) if odds.shape[1] else _some(bits[i], dice)
            chosen[i] = move - 1
            a[i], b[i], bits[i], seat[i], luck[i], over = advance(
                a[i], b[i], bits[i], seat[i], dice, move, rewards[i], ended[i]
            )
            done[i] = over > 0
            finished[i] += over > 0
            show(a[i], b[i], bits[i], mask[i])

    kind = type(game)
    loops = (reset, step, random, look, sample)
    return tuple(compiled(loop, kind, key=game.variant_text) for loop in loops)


def _undealt(game: Game) -> Any:
    """The automatic steps before a decision, without a deck: forced passes."""
    legal, play, v = game.rules.legal, game.rules.play, game.variant

    @njit(inline="always")
    def settle(a, b, seat, luck):  # type: ignore[no-untyped-def]
        bits = legal(a, b, v)
        while bits == 1:
            a, b = play(a, b, 0, v)
            seat = 3 - seat
            bits = legal(a, b, v)
        return a, b, bits, seat, luck

    return settle


def _dealt(game: Game) -> Any:
    """The automatic step before a decision, with a deck: a card is drawn."""
    legal, v, cards = game.rules.legal, game.variant, game.bounds.cards
    due, left, draw = game.chance.due, game.chance.left, game.chance.draw

    @njit(inline="always")
    def settle(a, b, seat, luck):  # type: ignore[no-untyped-def]
        if due(a, b, v):
            # Reservoir sampling: in one pass, each card is chosen in proportion to its count.
            total = 0
            drawn = 0
            for card in range(1, cards + 1):
                count = left(a, b, card, v)
                total += count
                luck = _next(luck)
                if _below(luck, total) < count:
                    drawn = card
            a, b = draw(a, b, drawn, v)
        return a, b, legal(a, b, v), seat, luck

    return settle
