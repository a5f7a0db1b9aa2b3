"""What happens in an event by itself: pairings, forfeits, and the end.

In a Swiss, a round is paired when the one before is over. In the other formats players are paired
as soon as they are free. Two who have just met become free together, and would always meet again:
so they wait for others, but not for long.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from random import Random
from typing import NamedTuple

from numduel.core.language import N_, _, plural
from numduel.core.text import both
from numduel.events import actions, clock
from numduel.events.event import COMPUTER, Entry, Event, Participant
from numduel.events.pairing import Candidate, pairs

WAIT_SECONDS = 30.0
"""How long somebody waits in an arena for an opponent they have not met, while others play."""
MANY_MEETINGS = 1000
"""More often than two can have met."""
FORFEIT_SECONDS = 120.0
"""How long somebody may be away before the opponent wins the pairing."""
FEW = 2
"""Pairs that a round waits for and that are named."""
DESERTED_SECONDS = 3600.0
"""How long everybody may be away before the event is over."""


class StillPlaying(NamedTuple):
    """What those are told who wait for the end of a round."""

    pairs: Callable[[int], str]
    person: str
    people: str
    computers: str


LAST_ROUND = StillPlaying(
    lambda n: plural(
        "This is the last round, and {n} pair is still playing.",
        "This is the last round, and {n} pairs are still playing.",
        n,
    ),
    N_("This is the last round, and {names} is still playing."),
    N_("This is the last round, and {names} are still playing."),
    N_("This is the last round, and the last games are being finished."),
)
NEXT_ROUND = StillPlaying(
    lambda n: plural(
        "The next round begins when this one is over: {n} pair is still playing.",
        "The next round begins when this one is over: {n} pairs are still playing.",
        n,
    ),
    N_("The next round begins when this one is over: {names} is still playing."),
    N_("The next round begins when this one is over: {names} are still playing."),
    N_("The next round begins when this one is over: the last games are being finished."),
)


def due(
    event: Event,
    now: float,
    new_id: Callable[[], str],
    *,
    force: bool = False,
    watched: bool = True,
    turns: Iterable[clock.Turn] = (),
) -> list[Entry]:
    """The entries that are due now, to be written together. With `force` nobody waits for a better
    opponent: the host pairs by hand. Levels of the computer play each other only while the event is
    `watched`. `turns` say who is to move in the games.

    `new_id` gives the id of a new game. After the entries are applied, more may be due.
    """
    if event.phase not in ("running", "paused"):
        return []
    if deserted(event, now) or event.number >= actions.MAX_ENTRIES:
        return [actions.end(event, now)]
    if event.phase == "paused":
        return []
    if complete(event, now):
        return [actions.end(event, now)]
    if lost := _forfeits(event, now) or _timeouts(event, turns, now):
        return [lost]
    if not (watched or _somebody_is_here(event)):
        return []
    made = []
    for ahead, (one, two) in enumerate(next_pairs(event, now, force=force)):
        entry = actions.pair(
            event, one, two, _least_played(event, one, two), new_id(), now, turn=_next_round(event)
        )
        made.append(entry._replace(number=entry.number + ahead))
    return made


def next_pairs(event: Event, now: float, *, force: bool = False) -> list[tuple[int, int]]:
    """Who plays whom next, the player who begins first in each pair."""
    free = event.free
    if not free or waiting_for(event, now) is not None:
        return []
    met = _met(event)
    wins = {one.number: event.wins(one.number) for one in free}
    candidates = [Candidate(n, won, event.balance(n)) for n, won in wins.items()]
    if _computer_plays(event):
        candidates.append(Candidate(COMPUTER, min(wins.values()), 0))
    # Friends who sit together join together, so shuffle; every process does it alike.
    Random(f"{event.host} {event.number}").shuffle(candidates)
    return pairs(
        candidates,
        lambda one, two: met[frozenset((one, two))] + _of_one_team(event, one, two),
        _allowed(event, met, now, force=force),
    )


def by_hand(
    event: Event,
    one: int,
    two: int,
    now: float,
    new_id: Callable[[], str],
    game: str | None = None,
) -> Entry:
    """The pairing of two players that the host has chosen, in the current round."""
    if game is None:
        game = _least_played(event, one, two)
    turn = max(1, event.round) if event.settings.format == "swiss" else 0
    return actions.pair(event, one, two, game, new_id(), now, turn=turn)


def complete(event: Event, now: float) -> bool:
    """Whether everything has been played."""
    if event.open_pairings:
        return False
    if event.settings.format == "arena":
        return event.time_is_up(now)
    if event.settings.format == "swiss":
        return event.round >= event.settings.rounds
    met = _met(event)
    return not any(_unmet(event, met, one) for one in event.members)


def deserted(event: Event, now: float) -> bool:
    """Whether everyone has been away for so long that nobody will end the event; or, if only levels
    of the computer take part, whether nothing has happened for as long."""
    since = [one.away_since for one in event.people] or [event.changed]
    return all(one is not None and now - one >= DESERTED_SECONDS for one in since)


def reason(event: Event, player: int, now: float) -> str | None:
    """Why somebody is not paired, in a sentence to them; None if they are playing."""
    one = event.participants[player]
    if one.removed:
        return _("The host has removed you from this event.")
    if event.phase == "ended":
        return _("The event is over.")
    if event.pairing_of(player) is not None:
        return None
    if one.away_since is not None:
        return _("You are away; you will be paired when you are back.")
    if event.phase == "open":
        return _("You are in. The event begins when the host starts it.")
    if event.phase == "paused":
        return _("The host has paused the event.")
    return waiting_for(event, now) or _no_opponent(event, one)


def waiting_for(event: Event, now: float) -> str | None:
    """What all free players wait for, in a sentence; None if they can be paired."""
    if event.time_is_up(now):
        return _("Time is up. The last games are being finished.")
    if event.settings.format != "swiss":
        return None
    if event.round >= event.settings.rounds:
        return _still_playing(event, LAST_ROUND)
    if event.open_pairings:
        return _still_playing(event, NEXT_ROUND)
    if event.people and not _somebody_is_here(event):
        return _("The next round begins when somebody is back.")
    return None


def _still_playing(event: Event, told: StillPlaying) -> str:
    """Whom a round waits for."""
    pairings = event.open_pairings
    if len(pairings) > FEW:
        return told.pairs(len(pairings))
    people = [
        event.participants[player].nickname
        for pairing in pairings
        for player in pairing.players
        if player != COMPUTER
    ]
    if not people:
        return _(told.computers)
    return _(told.person if len(people) == 1 else told.people, names=both(people))


def _somebody_is_here(event: Event) -> bool:
    return any(one.present for one in event.people)


def _no_opponent(event: Event, one: Participant) -> str:
    if event.settings.format != "round-robin":
        return _("The others are playing. Whoever is free next can be your opponent.")
    if _unmet(event, _met(event), one):
        return _(
            "Everyone you have yet to meet is busy or away. You will play the first who is free."
        )
    return _("You have played everybody.")


# -- who may meet ---------------------------------------------------------------------------


def _of_one_team(event: Event, one: int, two: int) -> int:
    """What it costs to pair two of one team, as meetings: it is done only if nobody else is
    free."""
    teams = {event.participants[player].team for player in (one, two) if player != COMPUTER}
    return MANY_MEETINGS if event.settings.teams and len(teams) == 1 else 0


def _met(event: Event) -> Counter[frozenset[int]]:
    return Counter(frozenset(pairing.players) for pairing in event.pairings.values())


def _unmet(event: Event, met: Counter[frozenset[int]], one: Participant) -> list[int]:
    numbers = [other.number for other in event.members if other is not one]
    if len(event.members) % 2:
        numbers.append(COMPUTER)
    return [number for number in numbers if not met[frozenset((one.number, number))]]


def _computer_plays(event: Event) -> bool:
    """Whether the computer is needed for an odd player. In a round robin it is one of the players,
    and has one pairing at a time."""
    if event.settings.format != "round-robin":
        return len(event.free) % 2 == 1
    busy = any(pairing.with_computer for pairing in event.open_pairings)
    return len(event.members) % 2 == 1 and not busy


def _allowed(
    event: Event, met: Counter[frozenset[int]], now: float, *, force: bool
) -> Callable[[int, int], bool]:

    def new(one: int, two: int) -> bool:
        return not met[frozenset((one, two))]

    if event.settings.format == "round-robin":
        return new
    anybody = force or not event.open_pairings
    patient = {one.number for one in event.free if anybody or now - one.free_since >= WAIT_SECONDS}

    def allowed(one: int, two: int) -> bool:
        fresh = COMPUTER not in (one, two) and new(one, two)
        return fresh or bool(patient & {one, two})

    return allowed


def _least_played(event: Event, one: int, two: int) -> str:
    played = Counter(
        pairing.game for player in {one, two} - {COMPUTER} for pairing in event.pairings_of(player)
    )
    return min(event.settings.games, key=lambda game: played[game])


def _next_round(event: Event) -> int:
    return event.round + 1 if event.settings.format == "swiss" else 0


def _forfeits(event: Event, now: float) -> Entry | None:
    """The entry that ends a pairing in which somebody has been away for too long."""
    for pairing in event.open_pairings:
        gone = [
            player
            for player in pairing.players
            if player != COMPUTER and _gone(event.participants[player], now)
        ]
        if len(gone) == 2:
            return actions.cancel(event, pairing, now)
        if gone:
            return actions.forfeit(event, gone[0], now)
    return None


def _timeouts(event: Event, turns: Iterable[clock.Turn], now: float) -> Entry | None:
    """The entry that ends a game in which somebody's time is up."""
    for turn in turns:
        left = clock.remaining(event, turn, now)
        if event.by_game[turn.id].end is None and left is not None and left <= 0:
            return actions.timeout(event, turn.id, turn.player, now)
    return None


def forfeits_at(event: Event, player: int) -> float | None:
    """When somebody who is away loses their games; None if they are not about to."""
    one = event.participants[player]
    if event.phase != "running" or one.away_since is None or event.pairing_of(player) is None:
        return None
    return one.away_since + FORFEIT_SECONDS


def _gone(one: Participant, now: float) -> bool:
    return one.away_since is not None and now - one.away_since >= FORFEIT_SECONDS
