"""What can happen to a game of a batch: functions that are compiled for processors and for GPUs.

Each takes the arrays of all games, the index of one game, and what was given. They call the rules
of the game file; the variant is a constant in them, which the compiler can use.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numba.extending import register_jitable

from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.solver.compiled import LEAN
from numduel.solver.search import WORD
from numduel.solver.values import Lookup

Body = Callable[[Any, Any, Any], None]
"""What happens to one game: ``body(games, i, given)``."""
Each = Callable[[Any, int, int], Any]
"""`looped` or `unrolled`."""
TRIES = 1000
"""Games in a row that may end before a seat's first decision."""


class Arrays(NamedTuple):
    """The state of all games. `Batch` says what the public ones hold."""

    a: Any
    b: Any
    bits: Any
    to_move: Any
    luck: Any
    mask: Any
    observations: Any
    """Without columns if moves do not write them."""
    rewards: Any
    done: Any
    illegal: Any
    finished: Any
    ended: Any
    """The last position of the last finished game, and the seat to move in it."""


def check(game: Game) -> None:
    """Raise `BadVariant` if positions and moves of a game do not fit into machine words."""
    if max(game.bounds.actions, game.bounds.bits) > WORD:
        raise BadVariant(
            f"{game} cannot be played in batches: it has more than {WORD} different moves, or"
            f" positions of more than {WORD} bits."
        )


def observation_type(game: Game) -> type[np.signedinteger[Any]]:
    """The smallest type that holds every number of a game's observations."""
    high = game.observation.high(game.variant)
    return np.int8 if high < 1 << 7 else np.int16 if high < 1 << 15 else np.int32


@njit(inline="always")
def following(luck):  # type: ignore[no-untyped-def]
    """The next number of a xorshift generator."""
    luck ^= luck << np.uint64(13)
    luck ^= luck >> np.uint64(7)
    return luck ^ luck << np.uint64(17)


@njit(inline="always")
def below(luck, bound):  # type: ignore[no-untyped-def]
    """A random whole number in [0, bound)."""
    return np.int64((luck >> np.uint64(32)) * np.uint64(bound) >> np.uint64(32))


@njit(inline="always")
def members(bits):  # type: ignore[no-untyped-def]
    """How many members a bit set has."""
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@njit(inline="always")
def lowest(bits):  # type: ignore[no-untyped-def]
    """The lowest member of a bit set."""
    place = 0
    while not bits >> place & 1:
        place += 1
    return place


@njit(inline="always")
def some(bits, luck):  # type: ignore[no-untyped-def]
    """A random member of a bit set."""
    for _ in range(below(luck, members(bits))):
        bits &= bits - 1
    return lowest(bits)


@njit(inline="always")
def likely(odds, i, luck):  # type: ignore[no-untyped-def]
    """A random index: row `i` of `odds` has the chances of each, added up, to about 1."""
    last = odds.shape[1] - 1
    part = (luck >> np.uint64(11)) * 2.0**-53 * odds[i, last]
    at = 0
    while at < last and odds[i, at] <= part:
        at += 1
    return at


@njit(inline="always")
def _no_aliases(_a, _b, _v):  # type: ignore[no-untyped-def]
    """For a game in which every move has one name."""
    return 0


def looped(do: Any, first: int, last: int) -> Any:
    """A function that does ``x = do(number, x)`` for each number."""

    @njit(inline="always")
    def run(x):  # type: ignore[no-untyped-def]
        for number in range(first, last + 1):
            x = do(number, x)
        return x

    return run


def unrolled(do: Any, first: int, last: int) -> Any:
    """As `looped`, with each number a constant: what depends on it alone is computed once."""
    if first > last:
        return _same
    before = unrolled(do, first, last - 1)

    @njit(inline="always")
    def run(x):  # type: ignore[no-untyped-def]
        return do(last, before(x))

    return run


@njit(inline="always")
def _same(x):  # type: ignore[no-untyped-def]
    return x


class Steps(NamedTuple):
    """What the bodies of a game are made of."""

    begin: Any
    """``begin(luck)``: the state of a new game."""
    load: Any
    """``load(games, i)``: the state of a game."""
    keep: Any
    """``keep(games, i, *state)``: write it."""
    show: Any
    """``show(games, i, a, b, bits)``: write what the players see of it."""
    advance: Any
    """``advance(games, i, *state, move)``: make a move; write what it led to, and return the
    state."""
    view: Any
    """``view(observations, i, a, b, mine)``: write what one player sees."""


def steps_of(game: Game, each: Each) -> Steps:
    """The steps of a game."""
    v, rules, actions = game.variant, game.rules, game.bounds.actions
    start, play, result = rules.start, rules.play, rules.result
    size, numbers = game.observation.size(v), _numbers(game, each)
    settle = _dealt(game, each) if game.has_deck else _undealt(game)
    aliases = rules.aliases or _no_aliases
    full = _used_bits(game)

    @njit(inline="always")
    def begin(luck):  # type: ignore[no-untyped-def]
        a, b = start(v)
        return settle(a, b, np.int64(1), luck)

    @njit(inline="always")
    def view(observations, i, a, b, mine):  # type: ignore[no-untyped-def]
        numbers(observations, i, a & full, b & full)
        observations[i, size] = mine

    @njit(inline="always")
    def load(games, i):  # type: ignore[no-untyped-def]
        seat = np.int64(games.to_move[i])
        return games.a[i], games.b[i], games.bits[i], seat, games.luck[i]

    @njit(inline="always")
    def keep(games, i, a, b, bits, seat, luck):  # type: ignore[no-untyped-def]
        games.a[i] = a
        games.b[i] = b
        games.bits[i] = bits
        games.to_move[i] = seat
        games.luck[i] = luck

    @njit(inline="always")
    def show(games, i, a, b, bits):  # type: ignore[no-untyped-def]
        named = bits | aliases(a, b, v)
        for action in range(actions):
            games.mask[i, action] = named >> action + 1 & 1
        if games.observations.shape[1]:
            view(games.observations, i, a, b, 1)

    @njit(inline="always")
    def advance(games, i, a, b, bits, seat, luck, move):  # type: ignore[no-untyped-def]
        over = 0
        winner = 3 - seat
        if move < 1 or move > actions or not (bits | aliases(a, b, v)) >> move & 1:
            over = 2
        else:
            a, b = play(a & full, b & full, move, v)
            a, b, bits, seat, luck = settle(a & full, b & full, 3 - seat, luck)
            if bits == 0:
                over = 1
                winner = seat if result(a, b, v) > 0 else 3 - seat
        reward = 0
        if over:
            reward = 1 if winner == 1 else -1
            games.finished[i] += 1
            games.ended[i, 0] = a
            games.ended[i, 1] = b
            games.ended[i, 2] = seat
            a, b, bits, seat, luck = begin(luck)
        games.rewards[i, 0] = reward
        games.rewards[i, 1] = -reward
        games.done[i] = over > 0
        games.illegal[i] = over == 2
        show(games, i, a, b, bits)
        return a, b, bits, seat, luck

    return Steps(begin, load, keep, show, advance, view)


def _numbers(game: Game, each: Each) -> Any:
    """``numbers(observations, i, a, b)``: write what is observed of a position, except whose turn
    it is."""
    v, size = game.variant, game.observation.size(game.variant)
    observe: Any = game.observation.observe
    write: Any = game.observation.write

    @njit(inline="always")
    def whole(observations, i, a, b):  # type: ignore[no-untyped-def]
        for at in range(size):
            observations[i, at] = 0
        write(observations[i], a, b, v)

    @njit(inline="always")
    def column(at, x):  # type: ignore[no-untyped-def]
        observations, i, a, b = x
        observations[i, at] = observe(a, b, at, v)
        return x

    columns = each(column, 0, size - 1)

    @njit(inline="always")
    def one_by_one(observations, i, a, b):  # type: ignore[no-untyped-def]
        columns((observations, i, a, b))

    return one_by_one if write is None else whole


def bodies(game: Game, each: Each) -> dict[str, Body]:
    """The bodies of a game, by name."""
    begin, load, keep, show, advance, view = steps_of(game, each)
    flip, v = game.observation.flip, game.variant

    def reset(games, i, _):  # type: ignore[no-untyped-def]
        a, b, bits, seat, luck = begin(games.luck[i])
        keep(games, i, a, b, bits, seat, luck)
        show(games, i, a, b, bits)
        games.rewards[i, 0] = 0
        games.rewards[i, 1] = 0
        games.done[i] = False
        games.illegal[i] = False

    def step(games, i, chosen):  # type: ignore[no-untyped-def]
        a, b, bits, seat, luck = load(games, i)
        move = np.int64(chosen[i]) + 1
        a, b, bits, seat, luck = advance(games, i, a, b, bits, seat, luck, move)
        keep(games, i, a, b, bits, seat, luck)

    def random(games, i, steps):  # type: ignore[no-untyped-def]
        a, b, bits, seat, luck = load(games, i)
        for _ in range(steps):
            luck = following(luck)
            a, b, bits, seat, luck = advance(games, i, a, b, bits, seat, luck, some(bits, luck))
        keep(games, i, a, b, bits, seat, luck)

    def sample(games, i, given):  # type: ignore[no-untyped-def]
        where, odds, chosen = given
        games.done[i] = False
        games.illegal[i] = False
        chosen[i] = -1
        if where[i]:
            a, b, bits, seat, luck = load(games, i)
            luck = following(luck)
            move = 1 + likely(odds, i, luck) if odds.shape[1] else some(bits, luck)
            chosen[i] = move - 1
            a, b, bits, seat, luck = advance(games, i, a, b, bits, seat, luck, move)
            keep(games, i, a, b, bits, seat, luck)

    @njit(inline="always")
    def view_by(given, i, a, b, seat):  # type: ignore[no-untyped-def]
        seats, observations = given
        mine = seat == seats[i]
        if not mine:
            a, b = flip(a, b, v)
        view(observations, i, a, b, mine)

    def look(games, i, given):  # type: ignore[no-untyped-def]
        view_by(given, i, games.a[i], games.b[i], games.to_move[i])

    def final(games, i, given):  # type: ignore[no-untyped-def]
        view_by(given, i, games.ended[i, 0], games.ended[i, 1], games.ended[i, 2])

    def gained(games, i, given):  # type: ignore[no-untyped-def]
        seats, rewards = given
        rewards[i] = games.rewards[i, 0 if seats[i] == 1 else 1]

    def answer(games, i, seats):  # type: ignore[no-untyped-def]
        a, b, bits, seat, luck = load(games, i)
        over, illegal, reward = games.done[i], games.illegal[i], games.rewards[i, 0]
        x, y, last = games.ended[i, 0], games.ended[i, 1], games.ended[i, 2]
        unplayed = 0
        while seat != seats[i] and unplayed < TRIES:
            luck = following(luck)
            a, b, bits, seat, luck = advance(games, i, a, b, bits, seat, luck, some(bits, luck))
            if games.done[i] and not over:
                over, reward = True, games.rewards[i, 0]
                x, y, last = games.ended[i, 0], games.ended[i, 1], games.ended[i, 2]
            elif games.done[i]:
                unplayed += 1
        keep(games, i, a, b, bits, seat, luck)
        games.done[i] = over
        games.illegal[i] = illegal
        games.rewards[i, 0] = reward
        games.rewards[i, 1] = -reward
        games.ended[i, 0] = x
        games.ended[i, 1] = y
        games.ended[i, 2] = last

    found = (reset, step, random, sample, look, final, gained, answer)
    return {body.__name__: body for body in found}


def valuing(game: Game, lookup: Lookup) -> dict[str, Body]:
    """The bodies that read the values of all games, by name."""
    v, play, actions = game.variant, game.rules.play, game.bounds.actions
    aliases = game.rules.aliases or _no_aliases
    if lookup.score is not None:
        register_jitable(lookup.score)
    look_up = njit(**LEAN)(lookup.chance)

    def values(games, i, given):  # type: ignore[no-untyped-def]
        table, found = given
        a, b, bits = games.a[i], games.b[i], games.bits[i]
        best = 0.0
        while bits:
            x, y = play(a, b, lowest(bits), v)
            best = max(best, 1.0 - look_up(x, y, table))
            bits &= bits - 1
        found[i] = best

    def action_values(games, i, given):  # type: ignore[no-untyped-def]
        table, found = given
        a, b = games.a[i], games.b[i]
        named = games.bits[i] | aliases(a, b, v)
        for action in range(actions):
            value = np.nan
            if named >> action + 1 & 1:
                x, y = play(a, b, action + 1, v)
                value = 1.0 - look_up(x, y, table)
            found[i, action] = value

    return {body.__name__: body for body in (values, action_values)}


def _used_bits(game: Game) -> int:
    """The bits that a position may have. Those of a deck are divided, which is faster where a
    compiler sees that they are positive."""
    return (1 << game.bounds.bits) - 1 if game.has_deck else -1


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


def _dealt(game: Game, each: Each) -> Any:
    """The automatic step before a decision, with a deck: a card is drawn."""
    legal, v, cards = game.rules.legal, game.variant, game.bounds.cards
    due, left, draw = game.chance.due, game.chance.left, game.chance.draw

    @njit(inline="always")
    def consider(card, x):  # type: ignore[no-untyped-def]
        a, b, total, drawn, luck = x
        count = np.int64(left(a, b, card, v))
        total += count
        luck = following(luck)
        if below(luck, total) < count:
            drawn = np.int64(card)
        return a, b, total, drawn, luck

    reservoir = each(consider, 1, cards)

    @njit(inline="always")
    def settle(a, b, seat, luck):  # type: ignore[no-untyped-def]
        if due(a, b, v):
            # Reservoir sampling: in one pass, each card is chosen in proportion to its count.
            a, b, _, drawn, luck = reservoir((a, b, np.int64(0), np.int64(0), luck))
            a, b = draw(a, b, drawn, v)
        return a, b, legal(a, b, v), seat, luck

    return settle
