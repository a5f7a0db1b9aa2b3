"""The table of an event, by games won, then accuracy, then speed."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from operator import itemgetter
from typing import NamedTuple

from numduel.core.language import N_, translated
from numduel.events.event import TEAMS, Event, Participant, Tally

PODIUM = 3
TOP = 5
"""The places that everybody sees where the others are hidden."""


class Standing(NamedTuple):
    """Somebody's place in the table, and the reasons for it."""

    place: int
    """Players who are equal in everything share one."""
    participant: Participant
    tally: Tally
    accuracy: Fraction | None
    """The share of the choices that mattered and gave nothing away; None before there is one."""
    seconds_per_move: Fraction | None
    """How long a move took on average; None before there is one."""


def standings(event: Event) -> list[Standing]:
    """The table of all members, the first place first."""
    unplaced = (_unplaced(one, event.tallies[one.number]) for one in event.members)
    ranked = sorted(((_rank(one), one) for one in unplaced), key=itemgetter(0), reverse=True)
    found: list[Standing] = []
    for number, (rank, one) in enumerate(ranked):
        equal = number > 0 and rank == ranked[number - 1][0]
        found.append(one._replace(place=found[-1].place if equal else number + 1))
    return found


def podium(event: Event) -> list[Standing]:
    """The first three places, shared or not, among players who have won a game."""
    return [one for one in standings(event) if one.place <= PODIUM and one.tally.wins]


def public(event: Event) -> list[Standing]:
    """What everybody sees of the table. Where places are hidden, these are the first five, shared
    or not, among players who have won a game: nobody is shown with nothing."""
    everybody = standings(event)
    if not event.top_only:
        return everybody
    return [one for one in everybody if one.place <= TOP and one.tally.wins]


def hidden(event: Event) -> list[Standing]:
    """The rest of the table, in the order of joining, so that it tells nothing."""
    seen = {one.participant.number for one in public(event)}
    rest = (one for one in standings(event) if one.participant.number not in seen)
    return sorted(rest, key=lambda one: one.participant.number)


@translated("name")
class Team(NamedTuple):
    """One of two teams, and what its members have won together."""

    number: int
    name: str
    mark: str
    """Tells it apart without colour."""
    points: int
    members: int


NAMES = (N_("Blue"), "●"), (N_("Orange"), "◆")


def teams(event: Event) -> list[Team]:
    """The two teams; none where everybody plays for themselves."""
    if not event.settings.teams:
        return []
    found = {number: [one for one in event.members if one.team == number] for number in TEAMS}
    return [
        Team(number, *NAMES[number - 1], sum(event.wins(one.number) for one in team), len(team))
        for number, team in found.items()
    ]


def _unplaced(participant: Participant, tally: Tally) -> Standing:
    chosen = tally.accuracy
    accuracy = Fraction(chosen.kept, chosen.choices) if chosen.choices else None
    time = Fraction(tally.milliseconds, 1000 * tally.moves) if tally.moves else None
    return Standing(0, participant, tally, accuracy, time)


def _rank(one: Standing) -> tuple[int, Fraction | int, Fraction | float]:
    """What the table is ordered by, the highest first. Players without a decision, or a move, come
    after those who have made one."""
    kept, time = one.accuracy, one.seconds_per_move
    return one.tally.wins, -1 if kept is None else kept, -inf if time is None else -time
