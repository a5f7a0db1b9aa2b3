"""The list of ideas that wins most often where cards are drawn, evaluated exactly over all decks
against an opponent who plays perfectly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations

import numpy as np

from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.ideas import Idea
from numduel.core.language import _
from numduel.learn.ideas import FITS, USE, WIN, preferred
from numduel.learn.strategies.base import Strategy
from numduel.learn.strategies.policies import WINS, Policies
from numduel.solver import TooLarge, analyse, evaluate
from numduel.solver.hands import all_hands, full_deck
from numduel.solver.values import TIE

JUDGED = (USE, FITS, WIN)
"""The ideas that lists are made of."""
MOST_IDEAS = 2
MOST_HANDS_BY_DECKS = 20_000_000
"""Hands times decks; with more, the evaluation would take minutes."""


def least_losing(game: Game, seat: int, report: Callable[[int], None] = lambda _: None) -> Strategy:
    """The list with the best chance to win against perfect play, of equal ones the shortest; and
    the cards to begin a hand with, if naming them makes it better."""
    players = players_of(game)
    lists = [ideas for size in (1, MOST_IDEAS) for ideas in permutations(JUDGED, size)]
    best = -1.0
    for tried, ideas in enumerate(lists, 1):
        found = chance(players, seat, ideas, None)
        if found > best + TIE:
            best, chosen = found, ideas
        report(tried)
    begins: tuple[int, ...] | None = _first_cards(game)
    found = chance(players, seat, chosen, begins)
    if found > best + TIE:
        best = found
    else:
        begins = None
    value = evaluate(game.start()).win_probability
    return Strategy(
        game, seat, begins, chosen, 0,
        chance=best, perfect=value if seat == 1 else 1 - value,
    )  # fmt: skip


def _first_cards(game: Game) -> tuple[int, ...]:
    """The cards that perfect play makes use of when it draws them first."""
    drawn = [game.start().draw(card) for card in game.start().draws]
    return tuple(
        state.card or 0
        for state in drawn
        if set(preferred(state, USE)) & {option.move for option in analyse(state) if option.best}
    )


def players_of(game: Game) -> Policies:
    """The players that can meet in a game; `BadVariant` if it is too large."""
    try:
        found = all_hands(game)
    except TooLarge:
        raise BadVariant(
            _("{game} has too many hands for an exact evaluation.", game=game)
        ) from None
    if len(found.of) * int(np.prod(full_deck(game) + 1, dtype=object)) > MOST_HANDS_BY_DECKS:
        raise BadVariant(_("{game} has too many decks for an exact evaluation.", game=game))
    return Policies(game, found)


def chance(
    players: Policies, seat: int, ideas: Sequence[Idea], begins: Sequence[int] | None
) -> float:
    """The exact chance of a list of ideas to win from a seat against perfect play, if the worst of
    the moves it leaves open is made. With `begins`, only these cards begin a hand."""
    listed = players.by_ideas(ideas, begins, worst=True)
    if seat == 1:
        return players.meet(listed, players.answer)[WINS]
    return 1 - players.meet(players.answer, listed)[WINS]
