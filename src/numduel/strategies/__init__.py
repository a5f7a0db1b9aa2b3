"""Strategies short enough to remember, and proved to win.

>>> import numduel
>>> found = numduel.strategy(numduel.game("line"))
>>> print(*found.lines(), sep="\\n")
Sequence Capture (four in a row) (n=10, k=4): how to win as Player 1
1. Open with 3.
2. Leave them no move that makes two threats at once.
3. If several numbers are left, take the smallest.
Proved: wins all of your games as Player 1, checked in 190 positions against every answer.

`lists` finds the shortest list of ideas that never loses, `pairs` the pairing that wins where a
token moves along edges, `trees` what to remember where no list is known, and `decks` the list that
loses least where cards are drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.solver import evaluate
from numduel.strategies.facts import facts
from numduel.strategies.lists import shortest
from numduel.strategies.pairs import pairing
from numduel.strategies.strategy import Strategy
from numduel.strategies.trees import smallest_tree

__all__ = ["Strategy", "strategy"]


def strategy(
    game: Game, seat: int | None = None, report: Callable[[int], None] = lambda _: None
) -> Strategy:
    """The strategy of a seat, or of the seat that wins with best play; `report` is called now and
    then with the number of lists tried. `BadVariant` if the board is too large, or if the seat
    cannot force a win."""
    if game.has_deck:
        from numduel.strategies.decks import least_losing

        return least_losing(game, seat or 1, report)
    start = evaluate(game.start())
    if not start.exact:
        raise BadVariant(f"{game} is too large: nobody knows who wins it.")
    winner = 1 if start.win_probability else 2
    if seat not in (None, winner):
        raise BadVariant(
            f"No strategy wins as Player {seat}: with best play, Player {winner} wins {game}."
        )
    found = shortest(game, winner, report) or pairing(game, winner) or smallest_tree(game, winner)
    if found is None:
        raise BadVariant(f"No strategy short enough to remember is known for {game}.")
    return replace(found, facts=facts(game))
