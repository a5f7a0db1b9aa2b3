"""Best play found by trying everything, on the plain rules of `tests.games.naive` alone.

Nothing is shared with the solver that these values are the witness for.
"""

from collections import Counter
from collections.abc import Callable
from functools import cache

from numduel import Game, State
from numduel.core.game import numbers
from numduel.core.state import Position
from tests.games import naive

Moves = tuple[int | str, ...]
Score = tuple[int, int]
"""Who wins for the player to move, 1 or -1, and in how many moves or by how many points."""


def best(
    moves: Moves, legal: Callable[[Moves], set[int | str]], winner: Callable[[Moves], int]
) -> Score:
    """The result and the distance: who wins hurries, who loses resists."""
    choices = legal(moves)
    if not choices:
        mover = len(moves) % 2 + 1
        return (1 if winner(moves) == mover else -1), 0
    found = []
    for choice in choices:
        sign, plies = best((*moves, choice), legal, winner)
        found.append((-sign, plies + 1))
    return max(found, key=lambda score: (score[0], -score[0] * score[1]))


def best_margin(moves: Moves, n: int, gaps: int = 0) -> int:
    """The points that the player to move ends ahead."""
    choices = naive.capture_moves(moves, n, gaps)
    if not choices:
        mine, theirs = (
            sum(int(move) for move in moves[player::2] if move != "pass")
            for player in (len(moves) % 2, 1 - len(moves) % 2)
        )
        return mine - theirs
    return max(-best_margin((*moves, choice), n, gaps) for choice in choices)


def best_chance(moves: tuple[str, ...], n: int, copies: int, k: int) -> float:
    """The chance of the player who draws next to win."""
    left = Counter(dict.fromkeys(range(1, n + 1), copies))
    left.subtract(int(move[:-1]) for move in moves)
    return _chance(moves, tuple(sorted((+left).items())), n, copies, k)


@cache
def _chance(
    moves: tuple[str, ...], left: tuple[tuple[int, int], ...], n: int, copies: int, k: int
) -> float:
    won = naive.build_winner(moves, n, copies, k)
    if won:
        return 1.0 if won == len(moves) % 2 + 1 else 0.0
    total = sum(count for _, count in left)
    chance = 0.0
    for card, count in left:
        rest = tuple((c, k - (c == card)) for c, k in left if k - (c == card))
        options = (
            1 - _chance((*moves, move), rest, n, copies, k)
            for move in naive.build_moves(moves, card)
        )
        chance += count / total * max(options)
    return chance


def expected_win(state: State) -> float:
    """The chance of the player to move in any game, by the library's own states: expectimax over
    every card and every move. A witness for the solver, not for the rules."""
    return _expected(state.game, state.position)


@cache
def _expected(game: Game, position: Position) -> float:
    rules, v = game.rules, game.variant
    if game.has_deck and game.chance.due(*position, v):
        cards = game.undrawn(position)
        return sum(
            number * _expected(game, game.chance.draw(*position, card, v))
            for card, number in cards.items()
        ) / sum(cards.values())
    moves = numbers(rules.legal(*position, v))
    if not moves:
        return 1.0 if rules.result(*position, v) > 0 else 0.0
    return max(1 - _expected(game, rules.play(*position, move, v)) for move in moves)
