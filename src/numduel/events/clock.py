"""Whose turn it is in the games of an event, and how much time they have left.

A clock counts each move or the whole game, as the settings say. It stands still in a pause. The
first seconds of a player's first move are free, as they may not be at the board yet.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from numduel.core.text import HUMAN
from numduel.events.event import COMPUTER, Event, Pairing

FREE_SECONDS = 30.0
"""Seconds of everybody's first move in a game that no clock counts."""


class Turn(NamedTuple):
    """Whose turn it is in a game."""

    id: str
    """The id of the game."""
    seat: int
    player: int
    since: float
    """When the turn began."""
    spent: tuple[float, float]
    """Seconds that counted in the turns of each seat before this one."""
    free: float
    """Seconds of this turn that do not count."""


def turn(event: Event, pairing: Pairing, seat: int, moves: Iterable[tuple[int, float]]) -> Turn:
    """Whose turn it is in a game: of the seat to move. `moves` are the seat and the time of every
    move so far."""
    began = pairing.since
    spent = [0.0, 0.0]
    new = {1, 2}

    def free(mover: int) -> float:
        return FREE_SECONDS if mover in new else 0.0

    for mover, at in moves:
        spent[mover - 1] += max(0.0, event.playing_time(began, at) - free(mover))
        began = max(began, at)
        new.discard(mover)
    player = pairing.players[seat - 1]
    return Turn(pairing.id, seat, player, began, (spent[0], spent[1]), free(seat))


def idle(event: Event, turn: Turn, now: float) -> float:
    """The seconds for which a turn has lasted, without those of pauses."""
    return event.playing_time(turn.since, now)


def budgets(event: Event, turn: Turn) -> tuple[float, float] | None:
    """The seconds that each seat had when a turn began; None where there is no clock."""
    settings = event.settings
    if settings.move_seconds:
        return float(settings.move_seconds), float(settings.move_seconds)
    if settings.game_minutes:
        one, two = (max(0.0, 60.0 * settings.game_minutes - spent) for spent in turn.spent)
        return one, two
    return None


def remaining(event: Event, turn: Turn, now: float) -> float | None:
    """The seconds until a player's time is up, with those that do not count; None where there is no
    clock, and for the computer."""
    had = budgets(event, turn)
    if had is None or not _person(event, turn.player):
        return None
    return had[turn.seat - 1] + turn.free - idle(event, turn, now)


def _person(event: Event, player: int) -> bool:
    return player != COMPUTER and event.participants[player].player == HUMAN
