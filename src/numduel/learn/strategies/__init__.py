"""Strategies short enough to remember, and proved to win.

>>> import numduel
>>> found = numduel.strategy(numduel.game("line"))
>>> print(*found.lines(), sep="\\n")
Sequence Capture (four in a row) (n=10, k=4): how to win as Player 1
1. Open with 3.
2. Leave them no win, and no move after which they win next, whatever you answer.
3. If several numbers are left, take the smallest.
Proved: wins all of your games as Player 1, checked in 190 positions against every answer.

`lists` finds the shortest list of ideas that never loses, `pairs` the pairing that wins where a
token moves along edges, `trees` what to remember where no list is known, and `decks` the list that
loses least where cards are drawn.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.learn.ideas import vocabulary
from numduel.learn.strategies.base import Strategy
from numduel.learn.strategies.lists import shortest
from numduel.learn.strategies.pairs import pairing
from numduel.learn.strategies.trees import smallest_tree
from numduel.solver import evaluate

__all__ = ["Strategy", "known", "strategy"]


def strategy(
    game: Game, seat: int | None = None, report: Callable[[int], None] = lambda _: None
) -> Strategy:
    """The strategy of a seat, or of the seat that wins with best play; `report` is called now and
    then with the number of lists tried. `BadVariant` if the board is too large, or if the seat
    cannot force a win."""
    if game.has_deck:
        from numduel.learn.strategies.decks import least_losing

        return least_losing(game, seat or 1, report)
    start = evaluate(game.start())
    winner = 1 if start.win_probability else 2
    if start.exact and seat not in (None, winner):
        raise BadVariant(
            f"No strategy wins as Player {seat}: with best play, Player {winner} wins {game}."
        )
    # Where nobody knows who wins, a strategy that is found proves it.
    seats = (winner,) if start.exact else (1, 2) if seat is None else (seat,)
    from numduel.learn.strategies.facts import facts

    for one in seats:
        found = shortest(game, one, report, margin=abs(start.margin)) if start.margin else None
        found = found or shortest(game, one, report)
        if found is None and start.exact:
            found = pairing(game, one) or smallest_tree(game, one)
        if found is not None:
            return replace(found, facts=facts(game))
    raise BadVariant(f"No strategy short enough to remember is known for {game}.")


def known(game: Game) -> Strategy | None:
    """The strategy that a game ships because it takes long to find, which is a list of ideas; None
    if it ships none, or one for another variant."""
    kept = json.loads(game.strategy or "null")
    if kept is None or kept["variant"] != game.settings:
        return None
    ideas = {idea.name: idea for idea in vocabulary(game)}
    opening = kept["opening"]
    return Strategy(
        game,
        kept["seat"],
        tuple(opening) if isinstance(opening, list) else opening,
        tuple(ideas[name] for name in kept["ideas"]),
        kept["positions"],
        chance=kept.get("win_probability"),
        perfect=kept.get("perfect"),
        margin=kept.get("margin"),
        facts=tuple(kept.get("facts", ())),
    )
