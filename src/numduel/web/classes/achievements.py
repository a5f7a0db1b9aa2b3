"""What pupils do that may be homework, as the server sees it."""

from __future__ import annotations

from numduel.activities import Activity
from numduel.activities.lesson import Lessons
from numduel.activities.puzzle import Puzzles
from numduel.classes.homework import Achievement
from numduel.core.text import HUMAN
from numduel.games import game as find
from numduel.games import offered
from numduel.play.record import parse
from numduel.web.games.room import Room


def in_activity(before: Activity, after: Activity) -> Achievement | None:
    """What the last action of an activity achieved: a step of a lesson, or a puzzle. (A daily
    puzzle is another kind.)"""
    if isinstance(before, Lessons) and isinstance(after, Lessons):
        if after.solved and not before.solved:
            return Achievement("lesson", find(after.game).name, str(after.number))
    elif isinstance(before, Puzzles) and isinstance(after, Puzzles):
        posed = after.posed
        if posed is not None and not posed.day and after.solved == before.solved + 1:
            game = parse(posed.at).state.game
            return Achievement("puzzles", game.name, posed.link, posed.grade)
    return None


def in_game(room: Room) -> tuple[str, Achievement] | None:
    """What the winner of a game achieved, and the hash of their key: they have beaten the computer
    without help, on the usual board."""
    winner = room.match.state.winner
    if winner is None or room.event is not None or room.match.help:
        return None
    won, lost, game = room.seats[winner], room.seats[3 - winner], room.match.state.game
    usual = game in (offered(game.name), find(game.name))
    if won.player != HUMAN or won.token is None or lost.player == HUMAN or not usual:
        return None
    return won.token, Achievement("beat", game.name, room.id, level=lost.player)
