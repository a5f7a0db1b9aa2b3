"""The table of an event: games won; then the exact value kept; then speed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf

from numduel.arena.event import Event, Participant

PODIUM = 3


@dataclass(frozen=True)
class Standing:
    """Somebody's place in the table, and what it rests on."""

    place: int
    """Those who are equal in everything share one."""
    participant: Participant
    wins: int = 0
    games: int = 0
    """Games won or lost."""
    with_computer: int = 0
    """How many of them were against the computer, for want of another opponent."""
    forfeits: int = 0
    """How many of the wins were given by opponents who went away."""
    kept: int = 0
    """Decisions that kept the exact value, of those that could be judged."""
    decisions: int = 0
    milliseconds: int = 0
    moves: int = 0

    @property
    def accuracy(self) -> Fraction | None:
        """The share of decisions that kept the value; None before there is one."""
        return Fraction(self.kept, self.decisions) if self.decisions else None

    @property
    def seconds_per_move(self) -> Fraction | None:
        """How long a move took on average; None before there is one."""
        return Fraction(self.milliseconds, 1000 * self.moves) if self.moves else None

    @property
    def rank(self) -> tuple[int, Fraction | float, Fraction | float]:
        """What the table is ordered by, the highest first. Who has not made a decision comes after
        those who have, and so with moves."""
        kept, time = self.accuracy, self.seconds_per_move
        return self.wins, -1 if kept is None else kept, -inf if time is None else -time

    def json(self) -> dict[str, object]:
        """The standing as plain data, without what proves who somebody is."""
        kept, time = self.accuracy, self.seconds_per_move
        return {
            "place": self.place,
            "number": self.participant.number,
            "nickname": self.participant.nickname,
            "kind": self.participant.player,
            "away": not self.participant.present,
            "wins": self.wins,
            "games": self.games,
            "with_computer": self.with_computer,
            "forfeits": self.forfeits,
            "kept": self.kept,
            "decisions": self.decisions,
            "accuracy": None if kept is None else float(kept),
            "seconds_per_move": None if time is None else float(time),
        }


def standings(event: Event) -> list[Standing]:
    """The table of everybody who takes part, the first place first."""
    found = sorted(
        (_standing(event, one) for one in event.members), key=lambda one: one.rank, reverse=True
    )
    places = {one.rank: place for place, one in reversed([*enumerate(found, 1)])}
    return [replace(one, place=places[one.rank]) for one in found]


def podium(event: Event) -> list[Standing]:
    """The first three places, shared or not, of those who have won anything."""
    return [one for one in standings(event) if one.place <= PODIUM and one.wins]


def _standing(event: Event, participant: Participant) -> Standing:
    """What somebody's games come to, without a place."""
    number = participant.number
    ended = [(pairing, leg) for pairing, leg in event.legs_of(number) if leg.winner is not None]
    played = [(leg.seat_of(number) - 1, leg) for _, leg in ended]
    judged = [leg.judgement.kept[at] for at, leg in played if leg.judgement is not None]
    results = [(at, leg.result) for at, leg in played if leg.result is not None]
    won = [leg for _, leg in ended if leg.winner == number]
    return Standing(
        0,
        participant,
        wins=len(won),
        games=len(ended),
        with_computer=sum(pairing.with_computer for pairing, _ in ended),
        forfeits=sum(leg.end == "forfeit" for leg in won),
        kept=sum(kept for kept, _ in judged),
        decisions=sum(made for _, made in judged),
        milliseconds=sum(result.milliseconds[at] for at, result in results),
        moves=sum(result.moves[at] for at, result in results),
    )
