"""Where no list of ideas is known to win: the fewest positions to remember, each with its answer.

Winning at once goes without saying; mirror images count once where the rules are symmetric.
"""

from __future__ import annotations

from math import inf

from numduel.core.game import Game, numbers
from numduel.core.ideas import Situation
from numduel.core.rules import Position
from numduel.learn.ideas import winning
from numduel.learn.strategies.base import Branch, Strategy, mirrored

MOST_POSITIONS = 300_000
"""Positions that may be visited in search of a tree."""
MOST_BRANCHES = 200
"""Nobody could remember more."""


def smallest_tree(game: Game, seat: int) -> Strategy | None:
    """A tree that wins from a seat; None if there is none within the bounds.

    It is the smallest if positions that are met twice count twice; each is kept once.
    """
    for symmetry in (True, False):
        try:
            found = _Tree(game, symmetry).strategy(seat)
        except _AsymmetricError:
            continue
        except _TooManyError:
            return None
        return found if len(found.tree or ()) <= MOST_BRANCHES else None
    return None


class _AsymmetricError(Exception):
    """The rules are not the same in the mirror."""


class _TooManyError(Exception):
    """There are too many positions."""


class _Tree:
    """The cheapest winning answers of a game, by trying everything."""

    def __init__(self, game: Game, symmetry: bool) -> None:
        self.game = game
        self.symmetry = symmetry
        self._answers: dict[Position, tuple[float, int]] = {}

    def strategy(self, seat: int) -> Strategy:
        """The tree of a seat that wins."""
        start = Situation(self.game, self.game.rules.start(self.game.variant))
        roots = [start] if seat == 1 else [start.after(move) for move in numbers(start.legal)]
        for root in roots:
            self._cost(root.position)
        branches: dict[Position, Branch] = {}
        moves: list[tuple[Position, tuple[int, ...]]] = [
            (root.position, () if seat == 1 else (root.theirs,)) for root in roots
        ]
        while moves:
            position, path = moves.pop(0)
            key = self._canonical(position)
            if key in branches or not self._legal(position) or winning(self.game, position):
                continue
            answer = self._answers[key][1]
            if key != position:
                answer = self.game.bounds.actions + 1 - answer
            branches[key] = Branch(position, path, answer)
            after = self._play(position, answer)
            moves += [
                (self._play(after, reply), (*path, answer, reply))
                for reply in numbers(self._legal(after))
            ]
        tree = tuple(branches.values())
        return Strategy(self.game, seat, None, (), len(tree), tree=tree, symmetry=self.symmetry)

    def _cost(self, position: Position) -> float:
        """How many positions must be remembered from here on; infinite if the game is lost."""
        self._check_mirror(position)
        if not self._legal(position):
            return 0 if self._result(position) > 0 else inf
        if winning(self.game, position):
            return 0
        key = self._canonical(position)
        if key not in self._answers:
            if len(self._answers) > MOST_POSITIONS:
                raise _TooManyError
            self._answers[key] = min(
                (self._price(key, move), move) for move in numbers(self._legal(key))
            )
        return self._answers[key][0]

    def _price(self, position: Position, move: int) -> float:
        """What a move costs that does not win at once."""
        after = self._play(position, move)
        self._check_mirror(after)
        total = 1.0 if self._legal(after) else inf
        for reply in numbers(self._legal(after)):
            total += self._cost(self._play(after, reply))
            if total == inf:
                break
        return total

    def _legal(self, position: Position) -> int:
        return self.game.rules.legal(*position, self.game.variant)

    def _play(self, position: Position, move: int) -> Position:
        return self.game.rules.play(*position, move, self.game.variant)

    def _result(self, position: Position) -> int:
        return self.game.rules.result(*position, self.game.variant)

    def _canonical(self, position: Position) -> Position:
        """The position or its mirror image, whichever stands for both."""
        return min(position, mirrored(self.game, position)) if self.symmetry else position

    def _check_mirror(self, position: Position) -> None:
        """Make sure that the rules treat a position and its mirror image alike."""
        if not self.symmetry:
            return
        other, legal = mirrored(self.game, position), self._legal(position)
        alike = self._legal(other) == mirrored(self.game, (legal, 0))[0]
        if alike and not legal:
            alike = self._result(other) == self._result(position)
        size = self.game.bounds.actions + 1
        if not alike or any(
            self._play(other, size - move) != mirrored(self.game, self._play(position, move))
            for move in numbers(legal)
        ):
            raise _AsymmetricError
