"""Counting positions and games ply by ply, over the rules themselves."""

from collections import Counter
from collections.abc import Iterator

from numduel import Game
from numduel.core.game import numbers
from numduel.core.state import Position


def levels(game: Game) -> Iterator[tuple[Counter[Position], Counter[Position]]]:
    """For each ply, the positions to be decided and the finished ones, each with the number of
    ways that lead there. A drawn card is part of the ply that plays it."""
    rules, v = game.rules, game.variant
    level: Counter[Position] = Counter({rules.start(v): 1})
    while level:
        going: Counter[Position] = Counter()
        over: Counter[Position] = Counter()
        for position, ways in _drawn(game, level).items():
            (going if rules.legal(*position, v) else over)[position] += ways
        yield going, over
        level = Counter()
        for position, ways in going.items():
            for move in numbers(rules.legal(*position, v)):
                level[rules.play(*position, move, v)] += ways


def perft(game: Game) -> tuple[tuple[int, int], ...]:
    """For each ply: how many different positions there are, and how many games end there."""
    return tuple((len(going) + len(over), over.total()) for going, over in levels(game))


def _drawn(game: Game, level: Counter[Position]) -> Counter[Position]:
    if not game.has_deck:
        return level
    chance, v = game.chance, game.variant
    after: Counter[Position] = Counter()
    for position, ways in level.items():
        if not chance.due(*position, v):
            after[position] += ways
            continue
        for card in range(1, v.n + 1):
            if chance.left(*position, card, v):
                after[chance.draw(*position, card, v)] += ways
    return after
