"""The five rulebooks once more, as plainly as can be: lists and sets, no bit of shared code.

A game is its list of moves. These functions are the independent witness that the real rules are
tested against; they are slow on purpose.
"""

from collections.abc import Sequence

Moves = Sequence[int | str]


def line_moves(moves: Moves, n: int, k: int) -> set[int]:
    return set() if line_winner(moves, n, k) else set(range(1, n + 1)) - set(map(int, moves))


def line_winner(moves: Moves, n: int, k: int) -> int:
    """1 if the first player has won, 2 if the second, 0 while the game goes on."""
    best = []
    for player in (0, 1):
        held = set(map(int, moves[player::2]))
        runs = [
            (length, -first)
            for length in range(1, n + 1)
            for first in range(1, n + 1)
            if held.issuperset(range(first, first + length))
        ]
        best.append(max(runs, default=(0, 0)))
    for player in (0, 1):
        if best[player][0] >= k:
            return player + 1
    if len(moves) < n:
        return 0
    return 1 if best[0] > best[1] else 2


def duel_moves(moves: Moves, n: int, k: int) -> set[int]:
    return set() if duel_winner(moves, n, k) else set(range(1, n + 1)) - set(map(int, moves))


def duel_winner(moves: Moves, n: int, k: int) -> int:
    for player in (0, 1):
        held = set(map(int, moves[player::2]))
        for first in held:
            for difference in range(1, n + 1):
                if all(first + i * difference in held for i in range(k)):
                    return player + 1
    if len(moves) < n:
        return 0
    return 2 if len(moves) % 2 == 1 else 1


def factors_moves(moves: Moves, n: int, first: int) -> set[int]:
    pool = set(range(1, n + 1)) - set(map(int, moves))
    if not moves:
        return {number for number in pool if not first or number % 2 == 0}
    last = int(moves[-1])
    return {number for number in pool if number % last == 0 or last % number == 0}


def factors_winner(moves: Moves, n: int, first: int) -> int:
    if factors_moves(moves, n, first):
        return 0
    return 2 if len(moves) % 2 == 0 else 1


def capture_open(moves: Moves, n: int, gaps: int, player: int) -> set[int]:
    mine = {int(move) for move in moves[player::2] if move != "pass"}
    taken = {int(move) for move in moves if move != "pass"}
    missing = {a * a for a in range(n + 1)} if gaps else set()
    return {
        a for a in {*range(1, n + 1)} - taken - missing if a - 1 not in mine and a + 1 not in mine
    }


def capture_moves(moves: Moves, n: int, gaps: int) -> set[int | str]:
    player = len(moves) % 2
    mine: set[int | str] = set(capture_open(moves, n, gaps, player))
    if not mine and capture_open(moves, n, gaps, 1 - player):
        return {"pass"}
    return mine


def capture_winner(moves: Moves, n: int, gaps: int) -> int:
    if capture_moves(moves, n, gaps):
        return 0
    held = [[int(move) for move in moves[player::2] if move != "pass"] for player in (0, 1)]
    ranks = [(sum(numbers), max(numbers, default=0)) for numbers in held]
    return 1 if ranks[0] > ranks[1] else 2


def build_sequences(moves: Moves) -> list[list[int]]:
    sequences: list[list[int]] = [[], []]
    for ply, move in enumerate(map(str, moves)):
        card, what = int(move[:-1]), move[-1]
        if what == "e":
            sequences[ply % 2].append(card)
        elif what == "b":
            sequences[ply % 2].insert(0, card)
    return sequences


def build_moves(moves: Moves, card: int) -> set[str]:
    sequence = build_sequences(moves)[len(moves) % 2]
    legal = {f"{card}x"}
    if not sequence or sequence[-1] in (card - 1, card + 1):
        legal.add(f"{card}e")
    if sequence and sequence[0] in (card - 1, card + 1):
        legal.add(f"{card}b")
    return legal


def build_winner(moves: Moves, n: int, copies: int, k: int) -> int:
    one, two = build_sequences(moves)
    for player, sequence in enumerate((one, two), 1):
        if len(sequence) == k:
            return player
    if len(moves) < n * copies:
        return 0
    return 1 if (len(one), sum(one)) >= (len(two), sum(two)) else 2
