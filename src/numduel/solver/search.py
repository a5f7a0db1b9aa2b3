"""Exact values by search, for any game without luck: negamax with alpha-beta pruning and a
transposition table, on an explicit stack.

It begins in plain Python, which solves small games before a compiler is even loaded, and goes on
compiled, with the table of `transposition`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from numduel.core.errors import BadGame
from numduel.core.game import Game
from numduel.core.rules import POINT
from numduel.core.state import Position
from numduel.solver.values import SEARCH_LIMIT, TooLarge, Value

WIN = 10_000
"""The score of a finished game in which distance counts; each ply before it takes one away."""
INFINITE = 1 << 20
TOO_DEEP = -1
"""Returned as the number of nodes if a game goes on past its declared bound."""
WORD = 62
"""Bits that a position or a set of moves may use of a machine word."""
PLAIN = 50_000
"""Nodes to search in plain Python: loading the compiler takes longer."""
UNKNOWN = -INFINITE, INFINITE
"""The bounds of a position that is not in the table."""
FRAME = 13
"""Numbers that the search keeps for each ply of its stack."""


_LOADED: set[type[Game]] = set()
"""Games whose compiled search is loaded, so that plain Python saves no time."""


class Memory(NamedTuple):
    """The stack and the table of the search, in plain Python or in functions that Numba
    compiles."""

    frames: Callable[[int], Any]
    """A stack of so many plies, in `FRAME` columns."""
    highest: Callable[[int], int]
    """The highest member of a set of moves."""
    find: Callable[[Any, int, int], tuple[int, int]]
    """The least and the most that a position can be worth, by the table."""
    keep: Callable[[Any, int, int, int, int], None]
    """Put the least and the most into the table."""


class Search:
    """Values found on demand, with a transposition table that grows as it is needed."""

    def __init__(self, game: Game) -> None:
        check_bounds(game)
        self.game = game
        self.nodes_left = SEARCH_LIMIT
        self._search = made(type(game), PLAIN_MEMORY)
        self._table: Any = {}
        self._room = 0 if type(game) in _LOADED else PLAIN

    def value(self, position: Position) -> Value:
        """The value of a position; `TooLarge` if it takes more nodes than are left."""
        if self.game.rules.margin is not None:
            score = self._score(position, -INFINITE, INFINITE)
            return Value(1.0 if score > 0 else 0.0, margin=points(score))
        # Who wins is found sooner than when, and leaves less to be searched for that.
        if self._score(position, -1, 1) > 0:
            return Value(1.0, plies=WIN - self._score(position, 0, INFINITE))
        return Value(0.0, plies=WIN + self._score(position, -INFINITE, 0))

    def _score(self, position: Position, low: int, high: int) -> int:
        """The score of a position, or a bound of it outside low and high."""
        game = self.game
        while True:
            limit = min(self.nodes_left, self._room)
            score, nodes = self._search(
                *position, game.variant, game.bounds.plies, low, high, limit, self._table
            )
            if nodes == TOO_DEEP:
                raise too_deep(game)
            self.nodes_left -= nodes
            self._room -= nodes
            if nodes <= limit:
                return int(score)
            if self.nodes_left < 0:
                raise TooLarge
            self._grow()

    def _grow(self) -> None:
        """Go on with a larger table; what is in the table is not searched again."""
        from numduel.solver import transposition

        if isinstance(self._table, dict):
            self._search = transposition.search_kernel(type(self.game))
            _LOADED.add(type(self.game))
            self._table = transposition.new_table()
        else:
            self._table = transposition.larger(self._table)
        self._room = transposition.room(self._table)


PLAIN_MEMORY = Memory(
    frames=lambda places: [[0] * places for _ in range(FRAME)],
    highest=lambda moves: moves.bit_length() - 1,
    find=lambda table, x, y: table.get((x, y), UNKNOWN),
    keep=lambda table, x, y, least, most: table.__setitem__((x, y), (least, most)),
)


def check_bounds(game: Game) -> None:
    """Raise `TooLarge` if a game's positions, moves, distances or points do not fit into the words
    of the transposition table."""
    bounds = game.bounds
    if bounds.actions > WORD:
        raise TooLarge(f"it has {bounds.actions} different moves, more than the {WORD} allowed")
    if bounds.bits > WORD:
        raise TooLarge(f"its positions take more than {WORD} bits")
    if max(bounds.plies, bounds.points) >= WIN:
        raise TooLarge(f"a game can have {WIN:,} moves or points, or more")


def too_deep(game: Game) -> BadGame:
    """The error of a game that exceeds its declared bound."""
    return BadGame(
        f"{game} declares that no game has more than {game.bounds.plies} moves, but one has."
    )


def points(score: int) -> int:
    """The margin of a score, whoever wins the tie."""
    return (score + POINT // 2) // POINT


def read(game: Game, score: int) -> Value:
    """The value of a score in a table: points or a distance, with the result as its sign."""
    sign = 1 if score > 0 else -1
    won = 1.0 if score > 0 else 0.0
    if game.rules.margin is not None:
        return Value(won, margin=score - sign)
    return Value(won, plies=WIN - abs(score))


def nothing(_a: int, _b: int, _v: Any) -> int:
    """The margin in a game without points."""
    return 0


def whole(a: int, b: int, _v: Any) -> Position:
    """The whole position, which decides how a game goes on unless the rules say that less does."""
    return a, b


def made(kind: type[Game], memory: Memory) -> Any:
    """The search of a game, in the part of Python that Numba compiles."""
    legal, play, result = kind.rules.legal, kind.rules.play, kind.rules.result
    margin, rest = kind.rules.margin or nothing, kind.rules.rest or whole
    ahead, summed = kind.rules.ahead or nothing, kind.rules.ahead is not None
    step = 0 if kind.rules.margin else 1
    won, soonest = (WIN, WIN - 1) if step else (1, INFINITE)
    frames, highest, find, keep = memory

    def search(a, b, v, deepest, low, high, limit, table):  # type: ignore[no-untyped-def]
        """The score of a position if it is between low and high, else a bound on the same side; and
        how many nodes were visited. Past the limit the score means nothing."""
        stack = frames(max(deepest, WORD) + 1)
        own, other, left, right, so_far = stack[0], stack[1], stack[2], stack[3], stack[4]
        moves, lows, highs, floors, bests = stack[5], stack[6], stack[7], stack[8], stack[9]
        under, over, worth = stack[10], stack[11], stack[12]
        depth = nodes = 0
        own[0], other[0], lows[0], highs[0], so_far[0] = a, b, low, high, ahead(a, b, v)
        while True:
            nodes += 1
            if nodes > limit:
                return 0, nodes
            a, b, low, high = own[depth], other[depth], lows[depth], highs[depth]
            x, y = rest(a, b, v)
            least, most = find(table, x, y)
            least += so_far[depth]
            most += so_far[depth]
            mask = score = 0
            if least >= high or least == most:
                score = least
            elif most <= low:
                score = most
            else:
                mask = legal(a, b, v)
                if mask == 0 and summed:
                    score = so_far[depth]
                elif mask == 0:
                    score = POINT * margin(a, b, v) + won * result(a, b, v)
                else:
                    # The game is not over: nobody wins in less than a move.
                    least = least if least > -soonest else -soonest
                    most = most if most < soonest else soonest
                    if least >= high:
                        mask, score = 0, least
                    elif most <= low:
                        mask, score = 0, most
            if mask:
                left[depth], right[depth] = x, y
                under[depth], over[depth] = least, most
                moves[depth], bests[depth] = mask, least
                floors[depth] = lows[depth] = low if low > least else least
                highs[depth] = high if high < most else most
            while mask == 0 or moves[depth] == 0 or lows[depth] >= highs[depth]:
                if mask:
                    score = bests[depth]
                    least = score if score > floors[depth] else under[depth]
                    most = score if score < highs[depth] else over[depth]
                    known = so_far[depth]
                    keep(table, left[depth], right[depth], least - known, most - known)
                if depth == 0:
                    return score, nodes
                # Back up the score of a child: negated, one ply further from the end.
                depth -= 1
                mask = 1
                score = step - score if score > 0 else -score - step
                if score > bests[depth]:
                    bests[depth] = score
                    if score > lows[depth]:
                        lows[depth] = score
            move = highest(moves[depth])
            moves[depth] ^= 1 << move
            depth += 1
            if depth > deepest:
                return 0, TOO_DEEP
            a, b = play(own[depth - 1], other[depth - 1], move, v)
            own[depth], other[depth] = a, b
            lows[depth], highs[depth] = -highs[depth - 1] - step, -lows[depth - 1] + step
            if summed:
                if worth[move] == 0:
                    worth[move] = -ahead(a, b, v) - so_far[depth - 1]
                so_far[depth] = -worth[move] - so_far[depth - 1]

    return search
