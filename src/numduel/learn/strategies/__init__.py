"""Strategies short enough to remember, and proved to win.

>>> import numduel
>>> found = numduel.strategy(numduel.game("line"))
>>> print(*found.lines(), sep="\\n")
Four in a Row (n=10, k=4): how to win as Player 1
1. Open with 1.
2. Answer each of their numbers with its partner: 2–3, 4–5, 6–7, 8–9.
3. If it has no partner, or the partner is gone, take any number you like.
They never get three in a row; if they get two, your two start lower.
Proved: you win every game as Player 1. Checked in 714 positions against every answer.

`pairs` finds pairs of numbers that win, `lists` the shortest list of ideas that never loses,
`trees` what to remember where no list is known, and `decks` the list that loses least where cards
are drawn.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from numduel.core.errors import BadVariant
from numduel.core.game import Game, numbers
from numduel.core.language import _
from numduel.learn.ideas import SMALLEST, vocabulary
from numduel.learn.strategies.base import Strategy
from numduel.learn.strategies.lists import play_out, shortest
from numduel.learn.strategies.pairs import pairing, ruled_pairing
from numduel.learn.strategies.trees import smallest_tree
from numduel.solver import evaluate

__all__ = ["Strategy", "known", "strategy"]

LARGEST_PLAYED, MOST_PLAYED = 21, 20_000
"""The largest board on which a theorem is played out, and the positions that this may visit."""


def strategy(
    game: Game, seat: int | None = None, report: Callable[[int], None] = lambda _: None
) -> Strategy:
    """The strategy of a seat, or of the seat that wins with best play; `report` is called now and
    then with the number of lists tried. `BadVariant` if the board is too large, or if the seat
    cannot force a win."""
    if game.has_deck:
        from numduel.learn.strategies.decks import least_losing

        return least_losing(game, seat or 1, report)
    theorem = _theorem(game)
    start = None if theorem else evaluate(game.start())
    winner = theorem.seat if theorem else 1 if start and start.win_probability else 2
    exact = start is None or start.exact
    if exact and seat not in (None, winner):
        raise BadVariant(
            _(
                "No strategy wins as Player {seat}: with best play, Player {winner} wins {game}.",
                seat=seat, winner=winner, game=game,
            )
        )  # fmt: skip
    if theorem:
        return theorem
    from numduel.learn.strategies.facts import always_winning

    # Where nobody knows who wins, a strategy that is found proves it.
    seats = (winner,) if exact else (1, 2) if seat is None else (seat,)
    margin = abs(start.margin or 0) if start else 0
    for one in seats:
        found = _found(game, one, margin, exact, report)
        if found is not None:
            return replace(found, deciding=numbers(always_winning(game)))
    raise BadVariant(_("No strategy short enough to remember is known for {game}.", game=game))


def _theorem(game: Game) -> Strategy | None:
    """The strategy that is proved for boards of every size, checked by play where the board is
    small enough; None if there is none."""
    if game.theorem is None:
        return None
    _reason, seat, opening, pairs, names, margin = game.theorem
    known_here = {idea.name: idea for idea in vocabulary(game)}
    ideas = tuple(known_here[name] for name in names)
    told = Strategy(game, seat, opening, ideas, 0, pairs=pairs, margin=margin, theorem=True)
    if game.bounds.actions > LARGEST_PLAYED:
        return told
    won, positions = play_out(told, MOST_PLAYED)
    if won is False:
        raise AssertionError("the theorem is wrong")
    return replace(told, positions=positions) if won else told


def _found(
    game: Game, seat: int, margin: int, exact: bool, report: Callable[[int], None]
) -> Strategy | None:
    """The first strategy that wins: pairs by a rule or a list of ideas, by the points of best play
    if possible; then what takes more to remember."""
    for points in dict.fromkeys((margin, 0)):
        found = (
            shortest(game, seat, report, margin=points, longest=0)
            or ruled_pairing(game, seat, points)
            or shortest(game, seat, report, margin=points)
        )
        if found is not None:
            return found
    if not exact:
        return None
    found = pairing(game, seat)
    if found is None and game.numeric:
        found = shortest(game, seat, report, last=(SMALLEST,))
    return found or smallest_tree(game, seat)


def known(game: Game) -> Strategy | None:
    """The list of ideas that a game ships because it takes long to find; None if it ships none, or
    one for another variant."""
    kept = json.loads(game.strategy or "null")
    if kept is None or type(game)(**kept["variant"]) != game:
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
        theorem="facts" in kept and "deciding" not in kept,
        deciding=tuple(kept.get("deciding", ())),
    )
