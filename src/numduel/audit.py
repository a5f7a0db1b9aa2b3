"""What is true of a whole game: counted and computed over every position, never sampled.

A game without luck is walked ply by ply. Going forward, every position of a ply is found once, with
the number of games and the chance under random play that lead to it; going back, each gets its
value and the chances to win between given players. A game with a deck is walked the same way, deck
by deck.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numba.extending import register_jitable

from numduel import players
from numduel.core.errors import BadVariant
from numduel.core.game import Game, numbers
from numduel.core.state import State
from numduel.core.view import view
from numduel.solver import decks, memory
from numduel.solver.compiled import WIN, kernel, stamp
from numduel.solver.search import WORD, read
from numduel.solver.values import Option, TooLarge, Value, options

RANDOM_MOVES = 1.0
LEVELS = {name: e for name, e in players.LEVELS.items() if e} | {"random": RANDOM_MOVES}
"""How likely a player of a level is to lose value with a decision that can; perfect never does."""
VALUE, EQUALS, PERFECT, RANDOM, COLUMNS = 0, 1, 5, 6, 7
"""Columns of what is known of a position: its value, and the chance to win of the player to move
between equals of each level, as a perfect player against a random one, and the other way round."""
ERRORS = np.array(list(LEVELS.values()))
DONE = decks.DONE
TIE = 1e-12
"""Chances that differ by less are equal: the rest is rounding."""
POSITION = 80
"""Bytes that a position takes at most."""
MOST_TEXTS = 400_000
"""Finished positions whose ending is read one by one."""
SMALL = 20_000
"""Positions of the small variants that are asked how a game can end at all."""
FULL = 0.7
EQUAL = "Both have equally many points."
NAMES = "the winner", "the loser"

Report = Callable[[str, int, int | None], None]
"""Told what is being done, how much of it is done, and of how much, if that is known."""


class Opening(NamedTuple):
    """A first move and its exact value, after the drawn card if there is a deck."""

    card: int | None
    option: Option


class Ending(NamedTuple):
    """A way in which a game can end, and in how many finished positions it does."""

    text: str
    positions: int


class Decisions(NamedTuple):
    """How often a choice between several moves matters."""

    positions: int
    """Positions with two or more legal moves."""
    result: int
    """Those in which some moves win less often than others."""
    points: int | None
    """Those in which some moves give away points, in a game that is counted."""
    random_result: float
    """The share of `result` among the choices that a random game meets."""
    random_points: float | None


class Audit(NamedTuple):
    """Everything that is known of a game as a whole."""

    game: Game
    value: Value
    """For the player who moves first."""
    openings: tuple[Opening, ...]
    positions: int
    finished: int
    draws: int
    """Finished positions that nobody won."""
    games: dict[int, int]
    """Different games by their length in moves."""
    random_lengths: dict[int, float]
    """How likely a random game is to have each length."""
    decisions: Decisions
    perfect_first: float
    """How often a perfect player who moves first beats a random one."""
    perfect_second: float
    levels: dict[str, float]
    """How often the first player wins between equals of each level."""
    endings: tuple[Ending, ...]
    missing: tuple[str, ...]
    """What was not computed, and why."""


def audit(game: Game, report: Report = lambda _what, _done, _total: None) -> Audit:
    """Audit a game; `BadVariant` if it has too many positions for this machine's memory."""
    try:
        return _Cards(game, report).audit() if game.has_deck else _Plies(game, report).audit()
    except (TooLarge, MemoryError):
        settings = ", ".join(f"{name}={value}" for name, value in game.settings.items())
        raise BadVariant(
            f"{game.title} with {settings} has too many positions to audit: choose smaller numbers."
        ) from None


# -- games without luck ----------------------------------------------------------------------------


class _Ply(NamedTuple):
    """The positions of one ply: how likely a random game meets each, and how one comes there."""

    keys: Any
    chance: Any
    parent: Any
    move: Any


class _Plies:
    """The audit of a game without luck."""

    def __init__(self, game: Game, report: Report) -> None:
        if game.variant.n > WORD:
            raise TooLarge
        self.game = game
        self.report = report
        self.plies: list[_Ply] = []
        self.games: dict[int, int] = {}
        self.lengths: dict[int, float] = {}
        self.tally = np.zeros(len(TALLY), np.int64)
        self.shares = np.zeros(3, np.float64)
        self.equal = 0
        """Finished positions with equal points."""

    def audit(self) -> Audit:
        """Walk there and back, and sum up."""
        self._forward()
        fresh = _fresh([ply.keys for ply in self.plies])
        first, second = self._backward(fresh)
        endings, missing = self._endings(fresh)
        value = read(self.game, int(first[0, VALUE]))
        tally = dict(zip(TALLY, map(int, self.tally), strict=True))
        counted = self.game.rules.margin is not None
        choices, result, points = (float(share) for share in self.shares)
        return Audit(
            self.game,
            value,
            self._openings(second),
            int(sum(map(np.count_nonzero, fresh))),
            tally["finished"],
            tally["draws"],
            self.games,
            self.lengths,
            Decisions(
                tally["choices"],
                tally["result"],
                tally["points"] if counted else None,
                result / choices if choices else 0.0,
                (points / choices if choices else 0.0) if counted else None,
            ),
            float(first[0, PERFECT]),
            1 - float(first[0, RANDOM]),
            _levels(first[0], value),
            _known(self.game, endings),
            missing,
        )

    def _forward(self) -> None:
        """Find the positions of every ply, and count the games that end there."""
        start = np.array([self.game.rules.start(self.game.variant)], np.int64)
        ply = _Ply(start, np.ones(1), np.zeros(1, np.int32), np.zeros(1, np.int8))
        ways = np.array([[1, 0]], np.uint64)
        most = memory() // POSITION
        total, growth = 0, 4.0
        while len(ply.keys):
            self.plies.append(ply)
            total += len(ply.keys)
            self.report("finding positions", total, None)
            following, ways = self._grown(ply, ways, growth, most - total)
            growth = max(1.0, len(following.keys) / len(ply.keys))
            ply = following

    def _grown(self, ply: _Ply, ways: Any, growth: float, most: int) -> tuple[_Ply, Any]:
        """The next ply. How large it is only growing it can tell, so that is tried."""
        grow = kernel("audit grow", type(self.game), _grow_made)
        room = int(len(ply.keys) * growth * 1.1) + 1024
        while True:
            if room > max(most, 1024):
                raise TooLarge
            made = _Ply(
                np.empty((room, 2), np.int64),
                np.empty(room, np.float64),
                np.empty(room, np.int32),
                np.empty(room, np.int8),
            )
            new_ways = np.empty((room, 2), np.uint64)
            found, low, high, over = grow(
                ply.keys, ways, ply.chance, self.game.variant, _slots(room), *made, new_ways
            )
            if found >= 0:
                break
            room *= 2
        if low or high:
            self.games[len(self.plies) - 1] = int(low) + (int(high) << 64)
            self.lengths[len(self.plies) - 1] = float(over)
        return _Ply(*(column[:found] for column in made)), new_ways[:found]

    def _backward(self, fresh: list[Any]) -> tuple[Any, Any]:
        """Find what is known of every position; what is of the first two plies is given back."""
        weigh = kernel("audit weigh", type(self.game), _weigh_made)
        total = sum(len(ply.keys) for ply in self.plies)
        done = 0
        after, slots = np.empty((0, COLUMNS)), _slots(1)
        second = after
        for ply, new in zip(reversed(self.plies), reversed(fresh), strict=True):
            known = np.empty((len(ply.keys), COLUMNS))
            weigh(
                ply.keys, ply.chance, new, self.game.variant, slots, after, ERRORS, known,
                self.tally, self.shares,
            )  # fmt: skip
            slots = _slots(len(ply.keys))
            _place(ply.keys, slots)
            second, after = after, known
            done += len(ply.keys)
            self.report("weighing positions", done, total)
        return after, second

    def _openings(self, second: Any) -> tuple[Opening, ...]:
        """The first moves, by what is known of the positions after them."""
        game, v = self.game, self.game.variant
        state = game.start()
        keys = self.plies[1].keys.tolist() if state.mask else []
        at = {tuple(key): i for i, key in enumerate(keys)}
        valued = []
        for code in numbers(state.mask):
            score = int(second[at[game.rules.play(*state.position, code, v)], VALUE])
            valued.append((game.moves(1 << code, state)[0], read(game, score).before()))
        return tuple(Opening(None, option) for option in options(valued))

    def _endings(self, fresh: list[Any]) -> tuple[Counter[str], tuple[str, ...]]:
        """The finished positions by the sentence that ends the game."""
        over = kernel("audit over", type(self.game), _over_made)
        found: Counter[str] = Counter()
        counted = self.game.rules.margin is not None
        total = int(self.tally[TALLY.index("finished")])
        if not counted and total > MOST_TEXTS:
            return found, (
                f"endings: {total:,} finished positions are too many to read each one's ending",
            )
        done = 0
        for depth, (ply, new) in enumerate(zip(self.plies, fresh, strict=True)):
            kinds = over(ply.keys, new, self.game.variant)
            if counted:
                # In a game that is counted, what decides is the points or, if equal, the rest.
                self._decided(depth, kinds, found)
                continue
            for i in np.flatnonzero(kinds):
                found[self._sentence(depth, int(i))] += 1
                done += 1
                if done % 1000 == 0:
                    self.report("reading endings", done, total)
        if counted and not self.equal:
            found[EQUAL] = 0
        return found, ()

    def _decided(self, depth: int, kinds: Any, found: Counter[str]) -> None:
        """Count the finished positions of a ply, each kind by the sentence of one of them."""
        for kind in (1, 2):
            where = np.flatnonzero(kinds == kind)
            if len(where):
                found[self._sentence(depth, int(where[0]))] += len(where)
            self.equal += len(where) * (kind == 2)

    def _sentence(self, depth: int, at: int) -> str:
        """How a game ends that leads to a finished position."""
        codes = []
        for ply in reversed(self.plies[1 : depth + 1]):
            codes.append(int(ply.move[at]))
            at = int(ply.parent[at])
        state = self.game.start()
        for code in reversed(codes):
            state = state.play(self.game.moves(1 << code, state)[0])
        return sentence(state)


def _fresh(keys: list[Any]) -> list[Any]:
    """For each ply, which of its positions are counted there: each is at one of its plies."""
    every = np.concatenate(keys)
    low = int(every[:, 1].max()).bit_length()
    if int(every[:, 0].max()).bit_length() + low <= 64:
        packed = every[:, 0].astype(np.uint64) << np.uint64(low) | every[:, 1].astype(np.uint64)
        order = np.argsort(packed)
        same = packed[order][1:] == packed[order][:-1]
    else:
        order = np.lexsort((every[:, 1], every[:, 0]))
        same = (every[order][1:] == every[order][:-1]).all(axis=1)
    fresh = np.ones(len(every), np.bool_)
    fresh[order[1:][same]] = False
    return np.split(fresh, np.cumsum([len(ply) for ply in keys])[:-1])


def _slots(room: int) -> Any:
    """An empty index for so many positions: both integers, and the place, from 1 on."""
    return np.zeros((1 << int(room / FULL + 1).bit_length(), 3), np.int64)


@register_jitable
def _slot(slots: Any, a: Any, b: Any) -> Any:
    """Where a position is in an index, or would be."""
    room = np.uint64(len(slots) - 1)
    mixed = np.uint64(a) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ np.uint64(b)) * np.uint64(0xC2B2AE3D27D4EB4F)
    slot = (mixed >> np.uint64(24)) & room
    while slots[slot, 2] and (slots[slot, 0] != a or slots[slot, 1] != b):
        slot = (slot + np.uint64(1)) & room
    return slot


@njit(cache=True)
def _place(keys, slots):  # type: ignore[no-untyped-def]
    """Fill the index of some positions."""
    for i in range(len(keys)):
        slot = _slot(slots, keys[i, 0], keys[i, 1])
        slots[slot, 0], slots[slot, 1], slots[slot, 2] = keys[i, 0], keys[i, 1], i + 1


def _grow_made(kind: type[Game]) -> Any:
    return _grow(kind.rules.legal, kind.rules.play, stamp(kind))


def _grow(legal: Any, play: Any, mark: int) -> Any:
    @njit(cache=True)
    def grow(  # type: ignore[no-untyped-def]
        keys, ways, chance, v, slots, new_keys, new_chance, new_parent, new_move, new_ways
    ):
        """The positions after every move: how many (-1 if there is no room), and of the games that
        end here, how many (in two words) and how likely."""
        found = 0 * mark
        low, high, over = np.uint64(0), np.uint64(0), 0.0
        for i in range(len(keys)):
            a, b = keys[i, 0], keys[i, 1]
            moves = legal(a, b, v)
            if moves == 0:
                low += ways[i, 0]
                high += ways[i, 1] + np.uint64(low < ways[i, 0])
                over += chance[i]
            count = 0
            rest = moves
            while rest:
                rest &= rest - 1
                count += 1
            move = 0
            while moves:
                if moves & 1:
                    c, d = play(a, b, move, v)
                    slot = _slot(slots, c, d)
                    at = slots[slot, 2] - 1
                    if at < 0:
                        if found == len(new_keys):
                            return -1, low, high, over
                        at = found
                        found += 1
                        slots[slot, 0], slots[slot, 1], slots[slot, 2] = c, d, found
                        new_keys[at, 0], new_keys[at, 1] = c, d
                        new_chance[at], new_parent[at], new_move[at] = 0.0, i, move
                        new_ways[at, 0], new_ways[at, 1] = 0, 0
                    new_chance[at] += chance[i] / count
                    new_ways[at, 0] += ways[i, 0]
                    carry = np.uint64(new_ways[at, 0] < ways[i, 0])
                    new_ways[at, 1] += ways[i, 1] + carry
                moves >>= 1
                move += 1
        return found, low, high, over

    return grow


TALLY = ("finished", "draws", "choices", "result", "points")


@register_jitable
def _zero(_a: int, _b: int, _v: Any) -> int:
    return 0


def _weigh_made(kind: type[Game]) -> Any:
    rules = kind.rules
    step = 0 if rules.margin is not None else 1
    return _weigh(
        rules.legal, rules.play, rules.result, rules.margin or _zero, step, WIN, stamp(kind)
    )


def _weigh(legal: Any, play: Any, result: Any, margin: Any, step: int, win: int, mark: int) -> Any:
    @njit(cache=True)
    def weigh(  # type: ignore[no-untyped-def]
        keys, chance, fresh, v, slots, after, errors, known, tally, shares
    ):
        """Fill in what is known of the positions of a ply, from what is known of the next."""
        child = np.empty(64, np.int64)
        score = np.empty(64, np.int64)
        for i in range(len(keys)):
            a, b = keys[i, 0], keys[i, 1]
            moves = legal(a, b, v)
            if moves == 0:
                sign = result(a, b, v) + 0 * mark
                known[i] = 1.0 if sign > 0 else 0.0
                known[i, VALUE] = margin(a, b, v) + sign * (win if step else 1)
                if fresh[i]:
                    tally[0] += 1
                    tally[1] += sign != 1 and sign != -1
                continue
            count = 0
            move = 0
            while moves:
                if moves & 1:
                    c, d = play(a, b, move, v)
                    child[count] = slots[_slot(slots, c, d), 2] - 1
                    worth = -np.int64(after[child[count], VALUE])
                    score[count] = worth - step if worth > 0 else worth + step
                    count += 1
                moves >>= 1
                move += 1
            most, least = score[:count].max(), score[:count].min()
            known[i, VALUE] = most
            _mixed(child, score, count, most, step, after, errors, known[i])
            if count > 1:
                matters = most > 0 and least < 0
                shares[0] += chance[i]
                shares[1] += chance[i] * matters
                shares[2] += chance[i] * (most != least)
                if fresh[i]:
                    tally[2] += 1
                    tally[3] += matters
                    tally[4] += most != least

    return weigh


@register_jitable
def _level(
    e: float, every: float, count: int, good: float, best: int, bad: float, wrong: int
) -> float:
    """The chance to win of a level, from the sums over all moves, the best and the wrong ones."""
    if e == RANDOM_MOVES:
        return every / count
    if wrong == 0:
        return good / best
    return e * bad / wrong + (1 - e) * good / best


@register_jitable
def _mixed(
    child: Any, score: Any, count: Any, most: Any, step: Any, after: Any, errors: Any, known: Any
) -> None:
    """The chances to win of the player to move, over all moves, the best and the wrong ones: where
    distance counts, only a move that turns a win into a loss is wrong."""
    best, wrong = 0, 0
    every, good, bad = np.zeros(COLUMNS), np.zeros(COLUMNS), np.zeros(COLUMNS)
    for k in range(count):
        fine = score[k] == most
        worse = score[k] < 0 < most if step else score[k] < most
        best += fine
        wrong += worse
        for column in range(EQUALS, COLUMNS):
            wins = 1.0 - after[child[k], column]
            every[column] += wins
            if fine:
                good[column] += wins
            if worse:
                bad[column] += wins
    for column in range(EQUALS, PERFECT):
        e = errors[column - EQUALS]
        known[column] = _level(e, every[column], count, good[column], best, bad[column], wrong)
    known[PERFECT] = good[RANDOM] / best
    known[RANDOM] = every[PERFECT] / count


def _over_made(kind: type[Game]) -> Any:
    return _over(kind.rules.legal, kind.rules.margin or _zero, stamp(kind))


def _over(legal: Any, margin: Any, mark: int) -> Any:
    @njit(cache=True)
    def over(keys, fresh, v):  # type: ignore[no-untyped-def]
        """Which positions are finished: 1, or 2 if the points are equal; else 0."""
        kinds = np.zeros(len(keys), np.int8)
        for i in range(len(keys)):
            a, b = keys[i, 0], keys[i, 1]
            if fresh[i] and legal(a, b, v) == 0 * mark:
                kinds[i] = 1 + (margin(a, b, v) == 0)
        return kinds

    return over


def _levels(known: Any, value: Value) -> dict[str, float]:
    """The chance of the first player between equals; between perfect ones it is the value."""
    found = {name: float(known[EQUALS + i]) for i, name in enumerate(LEVELS)}
    chance = found.pop("random")
    return {**found, "perfect": value.win_probability, "random": chance}


# -- endings ---------------------------------------------------------------------------------------


def sentence(state: State) -> str:
    """Why a finished game ended, without numbers and without saying who won."""
    winner = state.winner or 1
    names = NAMES if winner == 1 else (NAMES[1], NAMES[0])
    lines = state.game.ending(view(state, names), winner)
    text = re.sub(r"\[?\d+(, \d+)*\]?", "…", " ".join(lines))
    return re.sub(r"(^|[.] )([a-z])", lambda found: found[1] + found[2].upper(), text)


def _known(game: Game, found: Counter[str]) -> tuple[Ending, ...]:
    """The endings that occur, and those that only smaller boards have: they never occur here."""
    if not found:
        return ()
    every = dict.fromkeys([*(text for text, _ in found.most_common()), *_elsewhere(game)])
    return tuple(Ending(text, found[text]) for text in every)


def _elsewhere(game: Game) -> Iterator[str]:
    """The endings of the same game with smaller n, as far as that is quick."""
    for n in range(1, game.variant.n):
        try:
            smaller = type(game)(**{**game.settings, "n": n})
        except BadVariant:
            continue
        for seen, state in enumerate(_states(smaller)):
            if seen == SMALL:
                return
            if state.winner is not None:
                yield sentence(state)


def _states(game: Game) -> Iterator[State]:
    """Every state of a game once, ply by ply."""
    level = {game.start()}
    while level:
        yield from level
        level = {after for state in level for after in _after(state)}


def _after(state: State) -> Iterable[State]:
    if state.draws:
        return [state.draw(card) for card in state.draws]
    return [state.play(move) for move in state.legal_moves]


# -- games with a deck -----------------------------------------------------------------------------


class _Cards:
    """The audit of a game with a deck.

    Values are found over hands that nothing tells apart, as the solver has them; positions and
    games are counted over the hands as they are.
    """

    def __init__(self, game: Game, report: Report) -> None:
        self.game = game
        self.report = report
        self.merged = decks.hands(game)
        self.hands = list(self.merged.of)
        self.classes = np.array(list(self.merged.of.values()), np.int64)
        self.follows, self.complete, self.wins = _followed(game, self.hands)
        self.at = decks.layout(game, self.merged)
        single = self.merged._replace(cards=self.merged.cards[self.classes])
        self.place = decks.layout(game, single)
        if max(8 * COLUMNS * self.at.total, 8 * self.at.total + 24 * self.place.total) > memory():
            raise TooLarge

    def audit(self) -> Audit:
        """Walk there and back, and sum up."""
        known = self._backward()
        first = known[-1].copy()
        values = known[:, VALUE].copy()
        del known
        value = Value(float(first[VALUE]))
        solver = decks.Decks(self.game, self.merged, self.at, values)
        tally, shares, games, lengths, exhausted, completed = self._forward(values)
        endings = self._endings(exhausted, completed)
        return Audit(
            self.game,
            value,
            _drawn_openings(self.game, solver),
            int(tally[0]) + endings.total(),
            endings.total(),
            self._draws(exhausted),
            games,
            lengths,
            Decisions(
                int(tally[1]),
                int(tally[2]),
                None,
                float(shares[1] / shares[0]) if shares[0] else 0.0,
                None,
            ),
            float(first[PERFECT]),
            1 - float(first[RANDOM]),
            _levels(first, value),
            _known(self.game, endings),
            (),
        )

    def _backward(self) -> Any:
        """What is known of every position before a draw, from the empty deck to the full one."""
        n, copies = self.game.variant.n, self.game.variant.copies
        at, found = self.at, self.merged
        known = np.empty((at.total, COLUMNS))
        follows = _class_follows(self.classes, self.follows)
        for begin, end in _chunks(len(at.starts)):
            _weigh_cards(
                begin, end, n, copies, follows, found.results, at.starts, at.rows, at.columns,
                at.widths, ERRORS, known,
            )  # fmt: skip
            self.report("weighing positions", int(at.starts[end - 1]), at.total)
        return known

    def _forward(self, values: Any) -> tuple[Any, Any, dict[int, int], dict[int, float], Any, int]:
        """Count positions, choices and games, from the full deck to the empty one."""
        v, at, place = self.game.variant, self.at, self.place
        ways, chance = np.zeros((place.total, 2), np.uint64), np.zeros(place.total)
        ways[-1, 0], chance[-1] = 1, 1.0
        tally, shares = np.zeros(3, np.int64), np.zeros(2)
        games = np.zeros((v.n * v.copies + 1, 2), np.uint64)
        over = np.zeros(v.n * v.copies + 1)
        exhausted = np.zeros((len(self.hands), len(self.hands)), np.bool_)
        completed = 0
        for begin, end in reversed(list(_chunks(len(place.starts)))):
            _spread_cards(
                begin, end, v.n, v.copies, self.follows, self.classes, place.starts, place.rows,
                place.columns, place.widths, at.starts, at.rows, at.columns, at.widths, values,
                ways, chance, tally, shares, games, over, exhausted,
            )  # fmt: skip
            done = place.total - int(place.starts[begin])
            self.report("counting positions", done, place.total)
        for begin, end in _chunks(len(place.starts)):
            completed += _completed(
                begin, end, v.copies, self.wins, place.starts, place.rows, place.columns,
                place.widths, ways,
            )  # fmt: skip
            self.report("counting endings", end, len(place.starts))
        counts = {i: int(low) + (int(high) << 64) for i, (low, high) in enumerate(games)}
        return (
            tally,
            shares,
            {turns: count for turns, count in counts.items() if count},
            {turns: float(over[turns]) for turns, count in counts.items() if count},
            exhausted,
            int(completed),
        )

    def _pairs(self, exhausted: Any) -> Iterator[State]:
        """The states in which the deck is exhausted."""
        game, v = self.game, self.game.variant
        seat = 1 + v.n * v.copies % 2
        for own, other in np.argwhere(exhausted):
            position = game.chance.join(self.hands[own], self.hands[other], v), 0
            yield State(game, position, seat, 1, ())

    def _endings(self, exhausted: Any, completed: int) -> Counter[str]:
        """The finished positions by the sentence that ends the game."""
        found = Counter(sentence(state) for state in self._pairs(exhausted))
        if completed:
            found[sentence(self._completing())] += completed
        return found

    def _completing(self) -> State:
        """A state in which the last move has completed a sequence."""
        hands = self.game.chance.join(self.hands[0], self.complete[0], self.game.variant)
        return State(self.game, (hands, 0), 2, 1, ())

    def _draws(self, exhausted: Any) -> int:
        """Finished positions that nobody won: whoever completes a sequence wins."""
        rules, v = self.game.rules, self.game.variant
        return sum(rules.result(*s.position, v) not in (1, -1) for s in self._pairs(exhausted))


def _chunks(decks_in_all: int) -> Iterator[tuple[int, int]]:
    for begin in range(0, decks_in_all, decks.CHUNK):
        yield begin, min(begin + decks.CHUNK, decks_in_all)


def _followed(game: Game, hands: list[int]) -> tuple[Any, list[int], Any]:
    """What each move makes of each hand and card; the hands that are complete; and for each of
    these the pairs of hand and card that lead to it, padded."""
    rules, chance, v = game.rules, game.chance, game.variant
    start = rules.start(v)
    number = {hand: i for i, hand in enumerate(hands)}
    follows = np.full((len(hands), v.n, 3), decks.DONE - 1, np.int64)
    wins: dict[int, list[tuple[int, int]]] = {}
    for i, hand in enumerate(hands):
        for card in range(1, v.n + 1):
            position = chance.draw(chance.join(hand, hands[0], v), start[1], card, v)
            for way, move in enumerate(numbers(rules.legal(*position, v))):
                after = rules.play(*position, move, v)
                made = chance.hand(after[0], 1, v)
                if chance.due(*after, v):
                    follows[i, card - 1, way] = number.get(made, decks.DONE - 1)
                else:
                    follows[i, card - 1, way] = decks.DONE
                    wins.setdefault(made, []).append((i, card - 1))
    table = np.full((len(wins), max(map(len, wins.values()), default=1), 2), -1, np.int64)
    for row, pairs in zip(table, wins.values(), strict=True):
        row[: len(pairs)] = pairs
    return follows, list(wins), table


def _class_follows(classes: Any, follows: Any) -> Any:
    """What each move makes of a class of hands; `BadVariant` if its hands differ in how many moves
    lead to the same, which values do not depend on but chances do."""
    merged = np.where(follows >= 0, classes[np.maximum(follows, 0)], follows)
    merged.sort(axis=2)
    firsts = np.unique(classes, return_index=True)[1]
    if (merged != merged[firsts][classes]).any():
        raise BadVariant(
            "This variant cannot be audited: equal hands can be played on in unequal ways."
        )
    return merged[firsts]


def _drawn_openings(game: Game, solver: decks.Decks) -> tuple[Opening, ...]:
    """The first moves after each first card."""
    found = []
    for card in game.start().draws:
        state = game.start().draw(card)
        valued = [(move, solver.value(state.play(move).position).before())
                  for move in state.legal_moves]  # fmt: skip
        found += [Opening(card, option) for option in options(valued)]
    return tuple(found)


@njit(cache=True)
def _left(deck, n, copies, card, under, weight):  # type: ignore[no-untyped-def]
    """The cards that a deck has left: their kinds, the decks after them, and how many of each."""
    kinds, place = 0, 1
    for number in range(n):
        count = deck // place % (copies + 1)
        if count:
            card[kinds], under[kinds], weight[kinds] = number, deck - place, count
            kinds += 1
        place *= copies + 1
    return kinds


@njit(cache=True)
def _weigh_cards(  # type: ignore[no-untyped-def]
    begin, end, n, copies, follows, results, starts, rows, columns, widths, errors, known
):
    """Fill in what is known of the positions of some decks, from smaller decks."""
    card, under, weight = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    worth = np.empty((3, COLUMNS))
    every, good, bad = np.empty(COLUMNS), np.empty(COLUMNS), np.empty(COLUMNS)
    for deck in range(begin, end):
        kinds = _left(deck, n, copies, card, under, weight)
        left = weight[:kinds].sum()
        for s in range(len(results)):
            for t in range(len(results)):
                if rows[deck, s] < 0 or columns[deck, t] < 0:
                    continue
                here = known[
                    starts[deck] + np.int64(rows[deck, s]) * widths[deck] + columns[deck, t]
                ]
                here[:] = 0.0
                if left == 0:
                    here[:] = 1.0 if results[s, t] > 0 else 0.0
                for kind in range(kinds):
                    d = under[kind]
                    line = starts[d] + np.int64(rows[d, t]) * widths[d]
                    count = 0
                    top = -1.0
                    for way in range(3):
                        hand = follows[s, card[kind], way]
                        if hand < DONE:
                            continue
                        for column in range(COLUMNS):
                            after = 0.0 if hand == DONE else known[line + columns[d, hand], column]
                            worth[count, column] = 1.0 - after
                        top = max(top, worth[count, VALUE])
                        count += 1
                    best = 0
                    every[:] = 0.0
                    good[:] = 0.0
                    bad[:] = 0.0
                    for way in range(count):
                        fine = worth[way, VALUE] >= top - TIE
                        best += fine
                        for column in range(COLUMNS):
                            every[column] += worth[way, column]
                            if fine:
                                good[column] += worth[way, column]
                            else:
                                bad[column] += worth[way, column]
                    share = weight[kind] / left
                    here[VALUE] += share * top
                    for column in range(EQUALS, PERFECT):
                        e = errors[column - EQUALS]
                        here[column] += share * _level(
                            e, every[column], count, good[column], best, bad[column], count - best
                        )
                    here[PERFECT] += share * good[RANDOM] / best
                    here[RANDOM] += share * every[PERFECT] / count


@njit(cache=True)
def _add(total, ways):  # type: ignore[no-untyped-def]
    """Add a number of two words to another."""
    total[0] += ways[0]
    total[1] += ways[1] + np.uint64(total[0] < ways[0])


@njit(cache=True)
def _spread_cards(  # type: ignore[no-untyped-def]
    begin, end, n, copies, follows, classes, starts, rows, columns, widths, at_starts, at_rows,
    at_columns, at_widths, values, ways, chance, tally, shares, games, over, exhausted,
):  # fmt: skip
    """Go on from the reached positions of some decks to smaller decks, larger decks first."""
    card, under, weight = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    for deck in range(end - 1, begin - 1, -1):
        kinds = _left(deck, n, copies, card, under, weight)
        left = weight[:kinds].sum()
        turn = n * copies - left
        for s in range(len(classes)):
            for t in range(len(classes)):
                if rows[deck, s] < 0 or columns[deck, t] < 0:
                    continue
                here = starts[deck] + np.int64(rows[deck, s]) * widths[deck] + columns[deck, t]
                if ways[here, 0] == 0 and ways[here, 1] == 0:
                    continue
                if left == 0:
                    exhausted[s, t] = True
                    _add(games[turn], ways[here])
                    over[turn] += chance[here]
                for kind in range(kinds):
                    d = under[kind]
                    line = starts[d] + np.int64(rows[d, t]) * widths[d]
                    twin = classes[t]
                    at_line = at_starts[d] + np.int64(at_rows[d, twin]) * at_widths[d]
                    count = 0
                    for way in range(3):
                        count += follows[s, card[kind], way] >= DONE
                    likely = chance[here] * weight[kind] / left
                    most, least = -1.0, 2.0
                    for way in range(count):
                        hand = follows[s, card[kind], way]
                        worth = 1.0
                        if hand == DONE:
                            _add(games[turn + 1], ways[here])
                            over[turn + 1] += likely / count
                        else:
                            worth -= values[at_line + at_columns[d, classes[hand]]]
                            _add(ways[line + columns[d, hand]], ways[here])
                            chance[line + columns[d, hand]] += likely / count
                        most, least = max(most, worth), min(least, worth)
                    tally[0] += 1
                    if count > 1:
                        matters = most - least > TIE
                        tally[1] += 1
                        tally[2] += matters
                        shares[0] += likely
                        shares[1] += likely * matters


@njit(cache=True)
def _completed(  # type: ignore[no-untyped-def]
    begin, end, copies, wins, starts, rows, columns, widths, ways
):
    """How many positions in which a sequence was just completed come after a deck, over some."""
    found = 0
    for deck in range(begin, end):
        for t in range(columns.shape[1]):
            for w in range(len(wins)):
                reached = False
                for pair in range(wins.shape[1]):
                    s, card = wins[w, pair]
                    if s < 0 or deck // (copies + 1) ** card % (copies + 1) == copies:
                        continue
                    before = deck + (copies + 1) ** card
                    if rows[before, s] < 0 or columns[before, t] < 0:
                        continue
                    at = starts[before] + np.int64(rows[before, s]) * widths[before]
                    at += columns[before, t]
                    reached |= ways[at, 0] != 0 or ways[at, 1] != 0
                found += reached
    return found
