"""The shortest list of ideas that never loses, proved against every answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations

from numduel.core.game import Game, numbers
from numduel.core.ideas import Idea, Situation
from numduel.core.rules import Position
from numduel.learn.ideas import SMALLEST, vocabulary, winning
from numduel.learn.strategies.base import Strategy

MOST_IDEAS = 3
"""The most ideas in a list."""
MOST_POSITIONS = 2_000_000
"""The most positions of one seat that one proof may visit."""
MOST_WORK = 4_000_000
"""The most positions that all proofs of a search may visit together."""
LITTLE_WORK = 40_000
"""The same where another strategy is known to win."""
HARDEST, HARDEST_ON_LARGE_BOARDS = 4, 2
"""Ideas above this grade cannot be followed from memory; nobody looks for forks among fifty
numbers."""
LARGE_BOARD = 30


def shortest(
    game: Game,
    seat: int,
    report: Callable[[int], None] = lambda _: None,
    *,
    margin: int = 0,
    longest: int = MOST_IDEAS,
    last: tuple[Idea, ...] = (),
) -> Strategy | None:
    """The list with the fewest ideas that wins every game of a seat, in a counted game by a margin
    or more, whichever of the moves it leaves open is made; of several, the one whose proof visits
    the fewest positions. A list has at most `longest` ideas, followed by those of `last`. None if
    there is none within the bounds."""
    hardest = HARDEST if game.bounds.actions <= LARGE_BOARD else HARDEST_ON_LARGE_BOARDS
    known = [idea for idea in vocabulary(game) if idea.grade <= hardest and idea != SMALLEST]
    start = game.rules.legal(*game.rules.start(game.variant), game.variant)
    openings: list[int | None] = [None, *(numbers(start) if seat == 1 else ())]
    most_work = LITTLE_WORK if game.rules.edges is not None or margin else MOST_WORK
    work = tried = 0
    for length in range(longest + 1):
        best: Strategy | None = None
        for ideas in permutations(known, length):
            for opening in openings:
                listed = Strategy(game, seat, opening, (*ideas, *last), 0, margin=margin or None)
                won, visited = play_out(listed, MOST_POSITIONS if best is None else best.positions)
                if won and (best is None or visited < best.positions):
                    best = replace(listed, positions=visited)
                elif not won:
                    work += visited
                tried += 1
                if work > most_work:
                    return best
            report(tried)
        if best is not None:
            return best
    return None


def play_out(strategy: Strategy, most: int = MOST_POSITIONS) -> tuple[bool | None, int]:
    """Whether a strategy wins against every answer, whichever of the moves it leaves open is made,
    and how many positions it met until that was known; None if it met more than `most`. A list that
    passes over a win at once counts as losing: nobody would follow it."""
    game, seat, margin = strategy.game, strategy.seat, strategy.margin or 0
    rules, v = game.rules, game.variant
    start = Situation(game, rules.start(v))
    waiting = [start] if seat == 1 else [start.after(move) for move in numbers(start.legal)]
    known: set[object] = set()
    positions: set[Position] = set()
    hasty = strategy.pairs is None and rules.margin is None

    def won(position: Position, sign: int) -> bool:
        """Whether a finished game was won by enough, seen from the player to move or against."""
        if sign * rules.result(*position, v) < 0:
            return False
        return not margin or rules.margin is None or sign * rules.margin(*position, v) >= margin

    while waiting:
        seen = waiting.pop()
        key = seen[1:] if strategy.remembers else seen.position
        if key in known:
            continue
        if not seen.legal:
            if not won(seen.position, 1):
                return False, len(positions)
            continue
        known.add(key)
        positions.add(seen.position)
        if len(positions) > most:
            return None, len(positions)
        moves = strategy.left(seen)
        wins = winning(game, seen.position) if hasty else 0
        if wins and moves & ~wins:
            return False, len(positions)
        for move in numbers(moves):
            after = seen.after(move)
            answers = numbers(after.legal)
            if not answers and not won(after.position, -1):
                return False, len(positions)
            waiting += [after.after(answer) for answer in answers]
    return True, len(positions)
