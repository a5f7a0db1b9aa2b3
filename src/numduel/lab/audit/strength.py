"""How strong the computer's levels are: exactly, never by samples.

Two numbers describe a kind of player, both over both seats: what a decision at stake loses on
average against a player of random moves, where a decision is at stake if some legal move is worse
than another; and its chance to win against the next weaker kind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.play.players import COMPUTERS
from numduel.solver.values import Report, TooLarge, unreported


class Strength(NamedTuple):
    """How strong a kind of player is in a game."""

    kind: str
    lost: float
    """The value lost per decision at stake: points if the game has them, else chance to win."""
    wins: float | None
    """The chance to win against the next weaker kind; None for the weakest kind, or if it would
    take too long to compute."""


class Meeting(NamedTuple):
    """Two kinds of player in all games between them, over both seats: the first one's chance to
    win; and what its decisions lose and how many are at stake, in a game from each seat."""

    wins: float | None
    lost: float = 0.0
    stakes: float = 0.0


Meet = Callable[[str, str, bool], Meeting]
"""How one kind does against another, and if so asked, what its decisions lose."""


def strengths(game: Game, report: Report = unreported) -> tuple[Strength, ...]:
    """How strong every kind of player is, the weakest first; `BadVariant` on too large a board."""
    try:
        meet = _arena(game, report)
        return tuple(_strength(meet, place) for place in range(len(COMPUTERS)))
    except (TooLarge, MemoryError) as error:
        why = str(error) or "it has too many positions"
        raise BadVariant(f"The levels of {game} cannot be measured: {why}.") from None


def _arena(game: Game, report: Report) -> Meet:
    if game.has_deck:
        from numduel.lab.audit.deck_arena import DeckArena

        return DeckArena(game, report).meet
    from numduel.lab.audit.ply_arena import PlyArena

    return PlyArena(game, report).meet


def _strength(meet: Meet, place: int) -> Strength:
    kind = COMPUTERS[place]
    # By definition, a perfect player loses nothing.
    found = Meeting(0.0) if kind == "perfect" else meet(kind, "random", True)
    lost = found.lost / found.stakes if found.stakes else 0.0
    if place == 0:
        return Strength(kind, lost, None)
    weaker = COMPUTERS[place - 1]
    wins = found.wins if weaker == "random" else meet(kind, weaker, False).wins
    return Strength(kind, lost, wins)
