"""The shortest list of ideas that never loses, proved against every answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations

from numduel.core.game import Game, numbers
from numduel.core.ideas import Idea, Situation
from numduel.ideas import SMALLEST, vocabulary
from numduel.strategies.strategy import Strategy

MOST_IDEAS = 3
"""Ideas of the longest list that is tried."""
MOST_POSITIONS = 2_000_000
"""Positions of one seat that one proof may visit."""
MOST_WORK = 4_000_000
"""Positions that all proofs of a search may visit together."""
LITTLE_WORK = 40_000
"""The same where a pairing is known to win, so that a long search is not worth it."""
HARDEST, HARDEST_ON_LARGE_BOARDS = 4, 2
"""Ideas above this grade cannot be followed from memory; nobody looks for forks among fifty
numbers."""
LARGE_BOARD = 30


def shortest(
    game: Game, seat: int, report: Callable[[int], None] = lambda _: None
) -> Strategy | None:
    """The list with the fewest ideas that wins every game of a seat; of several, the one whose
    proof visits the fewest positions. None if there is none within the bounds."""
    if game.has_deck:
        return None
    hardest = HARDEST if game.bounds.actions <= LARGE_BOARD else HARDEST_ON_LARGE_BOARDS
    known = [idea for idea in vocabulary(game) if idea.grade <= hardest and idea != SMALLEST]
    start = game.rules.legal(*game.rules.start(game.variant), game.variant)
    openings: list[int | None] = [None, *(numbers(start) if seat == 1 else ())]
    most_work = MOST_WORK if game.rules.edges is None else LITTLE_WORK
    work = tried = 0
    for length in range(MOST_IDEAS + 1):
        best: Strategy | None = None
        for ideas in permutations(known, length):
            for opening in openings:
                most = MOST_POSITIONS if best is None else best.positions - 1
                won, visited = play_out(game, seat, opening, ideas, most)
                if won:
                    best = Strategy(game, seat, opening, ideas, visited)
                work, tried = work + visited, tried + 1
                if work > most_work:
                    return best
            report(tried)
        if best is not None:
            return best
    return None


def play_out(
    game: Game, seat: int, opening: int | None, ideas: Sequence[Idea], most: int
) -> tuple[bool, int]:
    """Whether a list wins against every answer, and how many positions of its own it met until
    that was known; it fails when it meets more than so many."""
    rules, v = game.rules, game.variant
    history = any(idea.history for idea in ideas)
    start = Situation(game, rules.start(v))
    waiting = [start] if seat == 1 else [start.after(move) for move in numbers(start.legal)]
    known: set[object] = set()
    while waiting:
        seen = waiting.pop()
        key = seen[1:] if history else seen.position
        if key in known:
            continue
        moves = seen.legal
        if not moves:
            if rules.result(*seen.position, v) < 0:
                return False, len(known)
            continue
        known.add(key)
        if len(known) > most:
            return False, len(known)
        if opening is not None and seen is start:
            moves = 1 << opening
        for idea in ideas:
            if moves & moves - 1 == 0:
                break
            moves = idea.prefers(seen, moves)
        after = seen.after((moves & -moves).bit_length() - 1)
        answers = numbers(after.legal)
        if not answers and rules.result(*after.position, v) > 0:
            return False, len(known)
        waiting += [after.after(answer) for answer in answers]
    return True, len(known)
