"""What people can do in an event.

Each function returns the entry that would come next, or raises `BadEvent` if that is not possible
now. Nothing happens before the entry is written and applied.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numduel.core.errors import BadEvent
from numduel.core.text import HUMAN
from numduel.events import names
from numduel.events.event import COMPUTER, Entry, Event, Judgement, Pairing, Participant, Result
from numduel.events.settings import MAX_MINUTES, Settings
from numduel.play.players import COMPUTERS

MAX_ENTRIES = 20_000
"""Entries after which only results and the end are added to a log; no event needs a fifth."""
MAX_ABSENCES = 100
"""How often somebody may go away and return: a bad connection would fill the log."""
MAX_JOINS = 300
"""How many may join in all, including those who were removed."""
MAX_LEVELS = 8
"""Levels of the computer that may take part: they play each other without a break."""


def create(settings: Settings, host: str, now: float) -> Entry:
    """A new event; `host` is the hash of the secret of the host's link."""
    return Entry(1, "create", 0, {"settings": settings.json(), "host": host}, now)


# -- who takes part -------------------------------------------------------------------------


def join(
    event: Event,
    nickname: str,
    now: float,
    *,
    token: str | None = None,
    code: str | None = None,
    player: str = HUMAN,
) -> Entry:
    """Take part under a nickname; `token` and `code` are hashes of what later proves who it is.
    `player` may name a level of the computer."""
    _require_not_ended(event)
    if event.locked and player == HUMAN:  # Levels are added by the host.
        raise BadEvent("The host has locked the door; ask to be let in.")
    if player != HUMAN and player not in COMPUTERS:
        raise BadEvent("Only people and levels of the computer can take part.")
    _require_new_token(event, token)
    levels = len(event.members) - len(event.people)
    if player != HUMAN and levels >= MAX_LEVELS:
        raise BadEvent(f"At most {MAX_LEVELS} levels of the computer can take part.")
    room = event.settings.room
    if len(event.members) >= room or len(event.participants) >= MAX_JOINS:
        raise BadEvent(f"The event is full: there is room for {room}.")
    data = {"nickname": _new_nickname(event, nickname), "player": player}
    data |= {name: hashed for name, hashed in (("token", token), ("code", code)) if hashed}
    return _entry(event, "join", now, len(event.participants) + 1, data)


def come_back(event: Event, player: int, token: str, now: float) -> Entry:
    """Return in another browser, which has the token from now on."""
    one = _member(event, player)
    _may_return(one)
    _require_new_token(event, token, besides=one)
    return _entry(event, "return", now, player, {"token": token})


def renew_code(event: Event, player: int, code: str, now: float) -> Entry:
    """Give somebody another personal code, of which this is the hash."""
    _member(event, player)
    return _entry(event, "code", now, player, {"code": code})


def rename(event: Event, player: int, nickname: str, now: float) -> Entry:
    """Give somebody another nickname."""
    one = _member(event, player)
    return _entry(
        event, "rename", now, player, {"nickname": _new_nickname(event, nickname, besides=one)}
    )


def remove(event: Event, player: int, now: float) -> Entry:
    """Remove somebody; the opponent wins their pairing."""
    _member(event, player)
    return _entry(event, "remove", now, player)


def lock(event: Event, now: float, *, locked: bool = True) -> Entry:
    """Close the event to new people, or open it again."""
    _require_not_ended(event)
    return _entry(event, "lock", now, data={"locked": locked})


def away(event: Event, player: int, now: float) -> Entry:
    """Note that somebody is away, and will not be paired."""
    if _member(event, player).away_since is not None:
        raise BadEvent("They are away already.")
    return _entry(event, "away", now, player)


def back(event: Event, player: int, now: float) -> Entry:
    """Note that somebody is back."""
    one = _member(event, player)
    if one.away_since is None:
        raise BadEvent("They are not away.")
    _may_return(one)
    return _entry(event, "back", now, player)


# -- what the host does ---------------------------------------------------------------------


def start(event: Event, now: float) -> Entry:
    """Start the event."""
    if event.phase != "open":
        raise BadEvent("The event has begun already.")
    if len(event.members) < 2:
        raise BadEvent("An event needs two players to begin.")
    return _entry(event, "start", now)


def pause(event: Event, now: float) -> Entry:
    """Stop pairing, and stop the clock."""
    _require_running(event)
    return _entry(event, "pause", now)


def resume(event: Event, now: float) -> Entry:
    """Go on after a pause."""
    if event.phase != "paused":
        raise BadEvent("The event is not paused.")
    return _entry(event, "resume", now)


def extend(event: Event, minutes: int, now: float) -> Entry:
    """Give an arena more minutes."""
    _require_not_ended(event)
    if event.settings.format != "arena":
        raise BadEvent("Only an arena has a clock.")
    if minutes < 1 or event.remaining(now) + 60 * minutes > 60 * MAX_MINUTES:
        raise BadEvent(f"An arena lasts at most {MAX_MINUTES} minutes; add at least one.")
    return _entry(event, "extend", now, data={"minutes": minutes})


def end(event: Event, now: float) -> Entry:
    """End the event; games that are still being played count for nobody."""
    _require_not_ended(event)
    return Entry(event.number + 1, "end", 0, {}, now)


def broadcast(event: Event, text: str, now: float) -> Entry:
    """Show everyone one line; an empty one removes the last."""
    return _entry(event, "broadcast", now, data={"text": names.broadcast_line(text)})


# -- pairings -------------------------------------------------------------------------------


def pair(
    event: Event, one: int, two: int, game: str, legs: Sequence[str], now: float, *, turn: int = 0
) -> Entry:
    """Pair two free players; `one` begins the first game. `legs` are the ids of their games, which
    start with this entry; `turn` is the round of a Swiss."""
    _require_running(event)
    free = {member.number for member in event.free}
    if one == two or not {one, two} <= free | {COMPUTER}:
        raise BadEvent("Only two players who are present and free can be paired.")
    if game not in event.settings.games:
        raise BadEvent("That is not one of the games of this event.")
    if len({*legs}) != event.settings.legs or not event.legs.keys().isdisjoint(legs):
        raise BadEvent("Each game of a pairing needs an id of its own.")
    data = {"players": [one, two], "round": turn, "game": game, "legs": list(legs)}
    return _entry(event, "pair", now, data=data)


def result(event: Event, leg: str, ended: Result, now: float) -> Entry:
    """Note how a game ended."""
    _, found = event.legs.get(leg, (None, None))
    if found is None:
        raise BadEvent("That game does not belong to this event.")
    if found.end is not None:
        raise BadEvent("That game has ended already.")
    return Entry(event.number + 1, "result", 0, {"leg": leg, **ended._asdict()}, now)


def judge(event: Event, leg: str, judgement: Judgement, now: float) -> Entry:
    """Note what the moves of a game were worth, even after the event."""
    _, found = event.legs.get(leg, (None, None))
    if found is None or found.end != "played":
        raise BadEvent("Only a game that was played to its end can be judged.")
    if found.judgement is not None:
        raise BadEvent("That game has been judged already.")
    return Entry(event.number + 1, "judge", 0, {"leg": leg, **judgement.json()}, now)


def forfeit(event: Event, player: int, now: float) -> Entry:
    """Let the opponent win what is left of somebody's pairing."""
    _member(event, player)
    if event.pairing_of(player) is None:
        raise BadEvent("They are not playing just now.")
    return _entry(event, "forfeit", now, player)


def cancel(event: Event, pairing: Pairing, now: float) -> Entry:
    """End a pairing; the rest of it counts for nobody."""
    if pairing.current is None:
        raise BadEvent("That pairing is over.")
    return _entry(event, "cancel", now, data={"pairing": pairing.number})


# -- preconditions --------------------------------------------------------------------------


def _entry(
    event: Event, kind: str, now: float, player: int = 0, data: dict[str, Any] | None = None
) -> Entry:
    if event.number >= MAX_ENTRIES:
        raise BadEvent("Too much has happened in this event: it can only be ended.")
    return Entry(event.number + 1, kind, player, data or {}, now)


def _member(event: Event, player: int) -> Participant:
    one = event.participants.get(player)
    if one is None or one.removed:
        raise BadEvent("They do not take part in this event.")
    return one


def _require_new_token(event: Event, token: str | None, besides: Participant | None = None) -> None:
    """One browser is one player: the same token in both seats would let one play for both."""
    for one in event.members:
        if one is not besides and token is not None and one.token == token:
            raise BadEvent(f"This browser is in the event already, as {one.nickname}.")


def _may_return(one: Participant) -> None:
    if one.absences >= MAX_ABSENCES:
        raise BadEvent("You have left too often to be paired again.")


def _new_nickname(event: Event, text: str, besides: Participant | None = None) -> str:
    chosen = names.nickname(text)
    if event.named(chosen) not in (None, besides):
        raise BadEvent("Somebody here has that nickname; choose another.")
    return chosen


def _require_running(event: Event) -> None:
    if event.phase != "running":
        raise BadEvent("The event is not running.")


def _require_not_ended(event: Event) -> None:
    if event.phase == "ended":
        raise BadEvent("The event is over.")
