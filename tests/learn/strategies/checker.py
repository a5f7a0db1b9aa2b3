"""An independent check of strategies: the rules and the ideas once more, with other means.

Nothing of the package is used. A board is two sets of numbers as bits, the mover's first; a row or
a progression is a set from a list that is made beforehand. A strategy is played against every
answer, with every choice that it leaves open.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple

Board = tuple[int, int]


class Rules(NamedTuple):
    """A game of one variant."""

    size: int
    start: Board
    moves: Callable[[Board], list[int]]
    """Numbers; 0 is a pass."""
    play: Callable[[Board, int], Board]
    won: Callable[[Board], bool]
    """Of a finished board: whether the player to move has won."""
    ahead: Callable[[Board], int] = lambda _: 0
    """Of a finished board that is counted: by how many points the player to move is ahead."""
    sets: tuple[int, ...] = ()
    """What wins, in a game of rows."""


def bits(board: int) -> list[int]:
    found = []
    while board:
        low = board & -board
        found.append(low.bit_length() - 1)
        board -= low
    return found


def claimed(board: Board, move: int) -> Board:
    own, other = board
    return other, own | 1 << move


def rows(n: int, k: int, differences: range) -> tuple[int, ...]:
    found = []
    for first in range(1, n + 1):
        for d in differences:
            if first + (k - 1) * d <= n:
                found.append(sum(1 << first + i * d for i in range(k)))
    return tuple(dict.fromkeys(found))


def of_rows(n: int, sets: tuple[int, ...], full: Callable[[Board], bool]) -> Rules:
    def complete(held: int) -> bool:
        return any(held & one == one for one in sets)

    def moves(board: Board) -> list[int]:
        own, other = board
        if complete(other):
            return []
        return [move for move in range(1, n + 1) if not (own | other) >> move & 1]

    def won(board: Board) -> bool:
        return not complete(board[1]) and full(board)

    return Rules(n, (0, 0), moves, claimed, won, sets=sets)


def line(n: int, k: int) -> Rules:
    def longest(held: int) -> tuple[int, int]:
        best, run = (0, 0), 0
        for number in range(1, n + 1):
            run = run + 1 if held >> number & 1 else 0
            if run:
                best = max(best, (run, -(number - run + 1)))
        return best

    return of_rows(n, rows(n, k, range(1, 2)), lambda board: longest(board[0]) > longest(board[1]))


def duel(n: int, k: int) -> Rules:
    # Whoever picked last is not the player to move, and loses.
    return of_rows(n, rows(n, k, range(1, n + 1)), lambda _: True)


def capture(n: int, gaps: str = "none") -> Rules:
    missing = {one * one for one in range(n)} if gaps == "square" else set[int]()
    every: int = sum(1 << number for number in {*range(1, n + 1)} - missing)

    def free(own: int, other: int) -> int:
        return every & ~(own << 1 | own >> 1 | own | other)

    def moves(board: Board) -> list[int]:
        own, other = board
        return bits(free(own, other)) or ([0] if free(other, own) else [])

    def play(board: Board, move: int) -> Board:
        return claimed(board, move) if move else board[::-1]

    def won(board: Board) -> bool:
        own, other = (sum(bits(held)) for held in board)
        return own > other or (own == other and board[0] > board[1])

    def ahead(board: Board) -> int:
        return sum(bits(board[0])) - sum(bits(board[1]))

    return Rules(n, (0, 0), moves, play, won, ahead)


def factors(n: int, first: str) -> Rules:
    def moves(board: Board) -> list[int]:
        used, current = board
        if not current:
            return list(range(2, n + 1, 2) if first == "even" else range(1, n + 1))
        return [
            number
            for number in range(1, n + 1)
            if not used >> number & 1 and (number % current == 0 or current % number == 0)
        ]

    return Rules(
        n, (0, 0), moves, lambda board, move: (board[0] | 1 << move, move), lambda _: False
    )


GAMES: dict[str, Callable[..., Rules]] = {
    "line": line, "duel": duel, "capture": capture, "factors": factors,
}  # fmt: skip


class Ideas:
    """The ideas of a game, as lists of moves."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.wins = lru_cache(maxsize=None)(self._wins)
        self.forks = lru_cache(maxsize=None)(self._forks)

    def after(self, board: Board, move: int) -> Board:
        return self.rules.play(board, move)

    def lost(self, board: Board) -> bool:
        """Whether the game is over and lost for the player to move."""
        return not self.rules.moves(board) and not self.rules.won(board)

    def has_won(self, board: Board) -> bool:
        return not self.rules.moves(board) and self.rules.won(board)

    def _wins(self, board: Board) -> frozenset[int]:
        return frozenset(m for m in self.rules.moves(board) if self.lost(self.after(board, m)))

    def _forks(self, board: Board) -> frozenset[int]:
        found = set(self.wins(board))
        for move in self.rules.moves(board):
            after = self.after(board, move)
            answers = [self.after(after, answer) for answer in self.rules.moves(after)]
            if answers and all(self.wins(one) or self.has_won(one) for one in answers):
                found.add(move)
        return frozenset(found)

    def preferred(
        self, name: str, board: Board, moves: list[int], theirs: int, mine: int
    ) -> list[int]:
        """The moves that an idea prefers; all of them if it has nothing to say."""
        return getattr(self, name.replace("-", "_"))(board, moves, theirs, mine) or moves

    def win(self, board: Board, moves: list[int], *_: int) -> list[int]:
        return [move for move in moves if move in self.wins(board)]

    def deny(self, board: Board, moves: list[int], *_: int) -> list[int]:
        def safe(after: Board) -> bool:
            return not self.wins(after) and not self.has_won(after)

        return [move for move in moves if safe(self.after(board, move))]

    def fork(self, board: Board, moves: list[int], *_: int) -> list[int]:
        return self.win(board, moves) or [move for move in moves if move in self.forks(board)]

    def deny_fork(self, board: Board, moves: list[int], *_: int) -> list[int]:
        def quiet(after: Board) -> bool:
            return not self.forks(after) and not self.has_won(after)

        return [move for move in moves if quiet(self.after(board, move))]

    def starve(self, board: Board, moves: list[int], *_: int) -> list[int]:
        left = {move: len(self.rules.moves(self.after(board, move))) for move in moves}
        return [move for move in moves if left[move] == min(left.values())]

    def mobility(self, board: Board, moves: list[int], *_: int) -> list[int]:
        def kept(move: int) -> int:
            after = self.after(board, move)
            counts = [
                sum(move > 0 for move in self.rules.moves(self.after(after, answer)))
                for answer in self.rules.moves(after)
            ]
            return min(counts) if counts else 10**6 if self.lost(after) else 0

        left = {move: kept(move) for move in moves}
        return [move for move in moves if left[move] == max(left.values())]

    def smallest(self, board: Board, moves: list[int], *_: int) -> list[int]:
        return [min(moves)]

    def points(self, board: Board, moves: list[int], *_: int) -> list[int]:
        return [max(moves)]

    def largest(self, board: Board, moves: list[int], *_: int) -> list[int]:
        return [max(moves)]

    def central(self, board: Board, moves: list[int], *_: int) -> list[int]:
        middle = (self.rules.size + 1) / 2
        least = min(abs(move - middle) for move in moves)
        return [move for move in moves if abs(move - middle) == least]

    def mirror(self, board: Board, moves: list[int], theirs: int, _: int) -> list[int]:
        return [move for move in moves if theirs and move + theirs == self.rules.size + 1]

    def beside_theirs(self, board: Board, moves: list[int], theirs: int, _: int) -> list[int]:
        return [move for move in moves if theirs and abs(move - theirs) == 1]

    def beside_mine(self, board: Board, moves: list[int], _: int, mine: int) -> list[int]:
        return [move for move in moves if mine and abs(move - mine) == 1]

    def _least_open(self, board: Board, moves: list[int]) -> list[int]:
        """The moves that leave the opponent the fewest rows."""
        left = {m: sum(not one & (board[0] | 1 << m) for one in self.rules.sets) for m in moves}
        return [move for move in moves if left[move] == min(left.values())]

    def cut(self, board: Board, moves: list[int], *_: int) -> list[int]:
        return self._least_open(board, moves)

    def spoil(self, board: Board, moves: list[int], *_: int) -> list[int]:
        return self._least_open(board, moves)

    def chances(self, board: Board, moves: list[int], *_: int) -> list[int]:
        through = {
            m: sum(one >> m & 1 and not one & board[1] for one in self.rules.sets) for m in moves
        }
        return [move for move in moves if through[move] == max(through.values())]


Left = Callable[[Board, int, int], list[int]]
"""The moves that are left open on a board, after their last move and one's own."""


def wins_always(
    rules: Rules, seat: int, opening: int | None, ideas: list[str], margin: int = 0
) -> tuple[bool, int]:
    """Whether a list of ideas wins against every answer, whichever of the moves that are left is
    made, by enough points, and never passes over a win; and how many boards it met in its turn."""
    known = Ideas(rules)

    def left(board: Board, theirs: int, mine: int) -> list[int]:
        moves = rules.moves(board)
        if opening is not None and board == rules.start:
            moves = [opening]
        for name in ideas:
            if len(moves) > 1:
                moves = known.preferred(name, board, moves, theirs, mine)
        return moves

    counted = rules.ahead is not Rules._field_defaults["ahead"]
    return played(rules, seat, left, margin, nothing if counted else known.wins)


def nothing(_: Board) -> frozenset[int]:
    """No move has to be made."""
    return frozenset()


def played(
    rules: Rules,
    seat: int,
    left: Left,
    margin: int = 0,
    must: Callable[[Board], frozenset[int]] = nothing,
) -> tuple[bool, int]:
    """Whether every game is won in which only moves are made that are left open, and none of those
    passed over that must be made; and on how many boards one had to move."""
    met: set[object] = set()
    boards: set[Board] = set()
    first = rules.start
    turns = [(rules.play(first, move), move, 0) for move in rules.moves(first)]
    waiting = [(first, 0, 0)] if seat == 1 else turns
    while waiting:
        turn = waiting.pop()
        board = turn[0]
        if turn in met:
            continue
        met.add(turn)
        if not rules.moves(board):
            if not rules.won(board) or (margin and rules.ahead(board) < margin):
                return False, 0
            continue
        boards.add(board)
        moves = left(*turn)
        if must(board) and not must(board).issuperset(moves):
            return False, 0
        for move in moves:
            after = rules.play(board, move)
            answers = rules.moves(after)
            if not answers and (rules.won(after) or (margin and -rules.ahead(after) < margin)):
                return False, 0
            waiting += [(rules.play(after, answer), answer, move) for answer in answers]
    return True, len(boards)


def partners(rules: Rules, opening: int | None, pairs: Iterable[tuple[int, int]]) -> Left:
    """What is left to whoever answers with partners, and with anything where there is none."""
    partner = {one: two for pair in pairs for one, two in (pair, pair[::-1])}

    def left(board: Board, theirs: int, _: int) -> list[int]:
        moves = rules.moves(board)
        if opening is not None and board == rules.start:
            return [opening]
        return [move for move in moves if move == partner.get(theirs)] or moves

    return left
