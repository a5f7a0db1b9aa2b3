"""The shortest list of ideas that never loses, proved against every answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations

from numduel.core.game import Game, numbers
from numduel.core.ideas import Idea, Situation
from numduel.core.rules import Position
from numduel.learn.ideas import SMALLEST, vocabulary
from numduel.learn.strategies.base import Strategy

MOST_IDEAS = 3
"""Ideas of the longest list that is tried."""
MOST_POSITIONS = 2_000_000
"""Positions of one seat that one proof may visit."""
MOST_WORK = 4_000_000
"""Positions that all proofs of a search may visit together."""
LITTLE_WORK = 40_000
"""The same where it is not the last resort."""
HARDEST, HARDEST_ON_LARGE_BOARDS = 4, 2
"""Ideas above this grade cannot be followed from memory; nobody looks for forks among fifty
numbers."""
LARGE_BOARD = 30


def shortest(
    game: Game, seat: int, report: Callable[[int], None] = lambda _: None, *, margin: int = 0
) -> Strategy | None:
    """The list with the fewest ideas that wins every game of a seat, in a counted game by a margin
    or more; of several, the one whose proof visits the fewest positions. None if there is none
    within the bounds."""
    if game.has_deck:
        return None
    hardest = HARDEST if game.bounds.actions <= LARGE_BOARD else HARDEST_ON_LARGE_BOARDS
    known = [idea for idea in vocabulary(game) if idea.grade <= hardest and idea != SMALLEST]
    start = game.rules.legal(*game.rules.start(game.variant), game.variant)
    openings: list[int | None] = [None, *(numbers(start) if seat == 1 else ())]
    # Where another strategy is known to win, a long search is not worth it.
    most_work = LITTLE_WORK if game.rules.edges is not None or margin else MOST_WORK
    work = tried = 0
    for length in range(MOST_IDEAS + 1):
        best: Strategy | None = None
        for ideas in permutations(known, length):
            for opening in openings:
                most = MOST_POSITIONS if best is None else best.positions - 1
                won, visited = play_out(game, seat, opening, ideas, most, margin)
                if won:
                    best = Strategy(game, seat, opening, ideas, visited, margin=margin or None)
                else:
                    work += visited
                tried += 1
                if work > most_work:
                    return best
            report(tried)
        if best is not None:
            return best
    return None


def play_out(
    game: Game, seat: int, opening: int | None, ideas: Sequence[Idea], most: int, margin: int = 0
) -> tuple[bool, int]:
    """Whether a list wins against every answer, by a margin or more, and how many positions of its
    own it met until that was known; it fails when it meets more than so many."""
    rules, v = game.rules, game.variant
    history = any(idea.history for idea in ideas)
    start = Situation(game, rules.start(v))
    waiting = [start] if seat == 1 else [start.after(move) for move in numbers(start.legal)]
    known: set[object] = set()

    def won(position: Position, sign: int) -> bool:
        """Whether a finished game was won by enough, seen from the player to move or against."""
        if sign * rules.result(*position, v) < 0:
            return False
        return not margin or rules.margin is None or sign * rules.margin(*position, v) >= margin

    while waiting:
        seen = waiting.pop()
        key = seen[1:] if history else seen.position
        if key in known:
            continue
        moves = seen.legal
        if not moves:
            if not won(seen.position, 1):
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
        if not answers and not won(after.position, -1):
            return False, len(known)
        waiting += [after.after(answer) for answer in answers]
    return True, len(known)
