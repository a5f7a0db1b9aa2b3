"""Estimates for boards too large to solve: Monte Carlo tree search with UCT.

Each iteration descends by UCB1, adds one node, makes a random rollout, and backs up the result.
Cards are drawn at random from those that are left, never from the real deck. The rules run in plain
Python, so boards may be of any size.
"""

from __future__ import annotations

import math
import random
from time import monotonic

from numduel.core.game import Game, numbers
from numduel.core.state import Position
from numduel.solver.values import Value

EXPLORATION = 1.0
GLANCE = 300
"""Up to so many choices, every reply to each is looked at."""


class _Node:
    __slots__ = ("children", "tries", "wins")

    def __init__(self) -> None:
        self.tries = 0
        self.wins = 0.0
        self.children: dict[int, _Node] = {}


class MonteCarlo:
    """Estimates made within some seconds, or from a number of simulated games."""

    def __init__(
        self, game: Game, *, seconds: float = 1.5, tries: int | None = None, seed: int = 0
    ) -> None:
        self.game = game
        self.seconds = seconds
        self.tries = tries
        self._chance = random.Random(seed)

    def values(self, position: Position) -> dict[int, Value]:
        """An estimate for every legal move, for the player who makes it."""
        moves = numbers(self.game.rules.legal(*position, self.game.variant))
        seen = {move: self._seen(position, move, len(moves)) for move in moves}
        if any(value is not None and value.win_probability == 1 for value in seen.values()):
            root = _Node()
        else:
            root = self._grown(position)
        return {move: seen[move] or self._read(root.children.get(move)) for move in moves}

    def _seen(self, position: Position, move: int, choices: int) -> Value | None:
        """The exact value of a move that ends the game or lets the opponent win; else None."""
        game, rules, v = self.game, self.game.rules, self.game.variant
        after = rules.play(*position, move, v)
        if game.has_deck and game.chance.due(*after, v):
            return None
        replies = numbers(rules.legal(*after, v))
        if not replies:
            return Value(1.0 if rules.result(*after, v) < 0 else 0.0, plies=1)
        if choices > GLANCE:
            return None
        for reply in replies:
            beyond = rules.play(*after, reply, v)
            if not rules.legal(*beyond, v) and rules.result(*beyond, v) < 0:
                return Value(0.0, plies=2)
        return None

    def value(self, position: Position) -> Value:
        """An estimate for the player to move."""
        game, v = self.game, self.game.variant
        if game.has_deck and game.chance.due(*position, v):
            root = self._grown(position)
            return Value(1 - root.wins / root.tries, exact=False)
        if not game.rules.legal(*position, v):
            return Value(1.0 if game.rules.result(*position, v) > 0 else 0.0, plies=0)
        return max(self.values(position).values(), key=lambda value: value.rank)

    def _grown(self, position: Position) -> _Node:
        root = _Node()
        end = monotonic() + self.seconds
        while root.tries < self.tries if self.tries else monotonic() < end or not root.tries:
            self._try(root, position)
        return root

    @staticmethod
    def _read(node: _Node | None) -> Value:
        return Value(node.wins / node.tries if node and node.tries else 0.5, exact=False)

    def _try(self, root: _Node, position: Position) -> None:
        """One iteration: selection, expansion, random rollout, and backpropagation."""
        rules, v = self.game.rules, self.game.variant
        path, node, growing = [root], root, True
        length = 0
        while True:
            position = self._drawn(position)
            mask = rules.legal(*position, v)
            if not mask:
                break
            moves = numbers(mask)
            if growing:
                move = self._chosen(node, moves)
                growing = move in node.children
                node = node.children.setdefault(move, _Node())
                path.append(node)
            else:
                move = moves[int(self._chance.random() * len(moves))]
            position = rules.play(*position, move, v)
            length += 1
        won = 1.0 if rules.result(*position, v) > 0 else 0.0
        # The result is for the player to move at the end; a node counts for its mover.
        for depth, visited in enumerate(path):
            visited.tries += 1
            visited.wins += won if (length - depth) % 2 == 1 else 1 - won

    def _chosen(self, node: _Node, moves: tuple[int, ...]) -> int:
        fresh = [move for move in moves if move not in node.children]
        if fresh:
            return fresh[int(self._chance.random() * len(fresh))]
        scale = EXPLORATION * math.log(node.tries + 1)

        def promise(move: int) -> float:
            child = node.children[move]
            return child.wins / child.tries + math.sqrt(scale / child.tries)

        return max(moves, key=promise)

    def _drawn(self, position: Position) -> Position:
        game, v = self.game, self.game.variant
        if not game.has_deck or not game.chance.due(*position, v):
            return position
        counts = game.undrawn(position)
        card = self._chance.choices(list(counts), list(counts.values()))[0]
        return game.chance.draw(*position, card, v)
