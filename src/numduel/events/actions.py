"""What people can do in an event.

Each function returns the entry that would come next, or raises `BadEvent` if that is not possible
now. Nothing happens before the entry is written and applied.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from numduel.core.errors import BadEvent
from numduel.core.language import N_, _
from numduel.core.text import HUMAN
from numduel.events import names
from numduel.events.event import (
    COMPUTER,
    Asking,
    Entry,
    Event,
    Judgement,
    Pairing,
    Participant,
    Result,
    Why,
)
from numduel.events.friendly import is_friendly
from numduel.events.settings import MAX_MINUTES, Settings
from numduel.play.players import COMPUTERS

MAX_ENTRIES = 20_000
"""Entries after which only results and the end are added to a log; no event needs a fifth."""
MAX_ABSENCES = 100
"""How often somebody may go away and return: a bad connection would fill the log."""
MAX_WAITING = 20
"""How many may wait at the door, where most are let in at once."""
MAX_DECLINED = 3
"""How often one browser may ask to be let in."""
HELP_SECONDS = 60.0
"""Seconds after which another request for help is noted: the log counts minutes."""
MAX_HELP = 50
"""How often requests of one player for help are noted."""
NUDGE_SECONDS = 5.0
"""Seconds between two reminders to the same player."""
TAKEN_OUT = N_(
    "The host has taken you out of this event; if you would like to come back, ask them."
)
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
    crowded: bool = False,
) -> Entry:
    """Take part under a nickname; `token` and `code` are hashes of what later proves who it is.
    `player` may name a level of the computer.

    Some have to wait for the host, and the entry then says that they ask: if their browser plays
    already, if very many have just come from their address (`crowded`), or if the host wants it.
    """
    _require_not_ended(event)
    if player == HUMAN:  # Levels are added by the host.
        _require_unlocked(event)
    if player != HUMAN and player not in COMPUTERS:
        raise BadEvent(_("Only people and levels of the computer can take part."))
    levels = len(event.members) - len(event.people)
    if player != HUMAN and levels >= MAX_LEVELS:
        raise BadEvent(_("At most {most} levels of the computer can take part.", most=MAX_LEVELS))
    _require_room(event)
    if player != HUMAN:
        data = {"nickname": _new_nickname(event, names.nickname(nickname)), "player": player}
        return _entry(event, "join", now, len(event.participants) + 1, data)
    _require_welcome(event, token)
    chosen = _new_nickname(event, _chosen_nickname(event, nickname))
    data = {"nickname": chosen} | {k: v for k, v in (("token", token), ("code", code)) if v}
    why = _reason_to_wait(event, token, crowded=crowded)
    if why is None:
        return _entry(event, "join", now, len(event.participants) + 1, data | {"player": player})
    if len(event.asking) >= (event.settings.room if event.approval else MAX_WAITING):
        raise BadEvent(_("Many people are waiting for the host to let them in; try again later."))
    return _entry(event, "ask", now, data=data | {"why": why})


def admit(event: Event, asked: int, now: float) -> Entry:
    """Let somebody in who waits at the door; their browser is theirs from now on."""
    _require_not_ended(event)
    _require_room(event)
    one = _waiting(event, asked)
    data: dict[str, Any] = {"nickname": one.nickname, "player": HUMAN, "asked": asked}
    data |= {name: hashed for name, hashed in (("token", one.token), ("code", one.code)) if hashed}
    if event.named(one.nickname) is not None:
        raise BadEvent(
            _(
                "Somebody here is called {nickname} by now; rename them first.",
                nickname=one.nickname,
            )
        )
    return _entry(event, "join", now, len(event.participants) + 1, data)


def admit_all(event: Event, now: float) -> list[Entry]:
    """Let everybody in who waits at the door, as far as there is room."""
    room = event.settings.room - len(event.members)
    entries = [admit(event, asked, now) for asked in list(event.asking)[: max(1, room)]]
    return [
        entry._replace(number=entry.number + ahead, player=entry.player + ahead)
        for ahead, entry in enumerate(entries)
    ]


def decline(event: Event, asked: int, now: float) -> Entry:
    """Do not let somebody in who waits at the door."""
    _waiting(event, asked)
    return _entry(event, "decline", now, data={"asked": asked})


def decline_all(event: Event, now: float) -> list[Entry]:
    """Let nobody in who waits at the door."""
    return _in_order(decline(event, asked, now) for asked in event.asking)


def come_back(event: Event, player: int, token: str, now: float) -> Entry:
    """Return in another browser, which has the token from now on."""
    one = _member(event, player)
    _may_return(one)
    _require_welcome(event, token)
    _require_new_token(event, token, besides=one)
    return _entry(event, "return", now, player, {"token": token})


def renew_code(event: Event, player: int, code: str, now: float) -> Entry:
    """Give somebody another personal code, of which this is the hash."""
    _member(event, player)
    return _entry(event, "code", now, player, {"code": code})


def rename(event: Event, player: int, nickname: str, now: float) -> Entry:
    """Give somebody another nickname. The host may choose what people cannot choose themselves."""
    one = _member(event, player)
    chosen = _new_nickname(event, names.nickname(nickname), besides=one)
    return _entry(event, "rename", now, player, {"nickname": chosen})


def remove(event: Event, player: int, now: float) -> Entry:
    """Remove somebody; the opponent wins their pairing."""
    _member(event, player)
    return _entry(event, "remove", now, player)


def remove_absent(event: Event, now: float) -> list[Entry]:
    """Remove everybody who is not here."""
    _require_not_ended(event)
    return _in_order(
        remove(event, one.number, now) for one in event.people if one.away_since is not None
    )


def restore(event: Event, player: int, now: float) -> Entry:
    """Take a removal back."""
    _require_not_ended(event)
    one = event.participants.get(player)
    if one is None or not one.removed:
        raise BadEvent(_("They have not been removed."))
    _require_room(event)
    if event.named(one.nickname) is not None:
        raise BadEvent(
            _(
                "Somebody here is called {nickname} by now; rename them first.",
                nickname=one.nickname,
            )
        )
    return _entry(event, "restore", now, player)


def ask_for_help(event: Event, player: int, now: float, *, calendar: float) -> Entry:
    """Note that a player has asked the server for help with a game of the event that runs. The host
    is told when that was by the `calendar`, in seconds since 1970: the clock of the event stands
    still while there is no server."""
    one = _member(event, player)
    if event.phase not in ("running", "paused"):
        raise BadEvent(_("The event is not running."))
    recent = one.helped_at is not None and now - one.helped_at < HELP_SECONDS
    if recent or one.helped >= MAX_HELP:
        raise BadEvent(_("That has been noted already."))
    return _entry(event, "help", now, player, {"calendar": calendar})


def door(event: Event, now: float, **switches: bool | None) -> Entry:
    """Change how people get in: whether the host lets everybody in (`approval`), and whether they
    may type nicknames of their own (`own_names`)."""
    _require_not_ended(event)
    wanted = {name: on for name, on in switches.items() if on is not None}
    if not wanted:
        raise BadEvent(_("Say what is to change at the door: approval, or own_names."))
    return _entry(event, "door", now, data=wanted)


def lock(event: Event, now: float, *, locked: bool = True) -> Entry:
    """Close the event to new people, or open it again."""
    _require_not_ended(event)
    return _entry(event, "lock", now, data={"locked": locked})


def away(event: Event, player: int, now: float) -> Entry:
    """Note that somebody is away, and will not be paired."""
    if _member(event, player).away_since is not None:
        raise BadEvent(_("They are away already."))
    return _entry(event, "away", now, player)


def back(event: Event, player: int, now: float) -> Entry:
    """Note that somebody is back."""
    one = _member(event, player)
    if one.away_since is None:
        raise BadEvent(_("They are not away."))
    _may_return(one)
    return _entry(event, "back", now, player)


# -- what the host does ---------------------------------------------------------------------


def start(event: Event, now: float) -> Entry:
    """Start the event."""
    if event.phase != "open":
        raise BadEvent(_("The event has begun already."))
    if len(event.members) < 2:
        raise BadEvent(_("An event needs two players to begin."))
    return _entry(event, "start", now)


def pause(event: Event, now: float) -> Entry:
    """Stop pairing, and stop the clock."""
    _require_running(event)
    return _entry(event, "pause", now)


def resume(event: Event, now: float) -> Entry:
    """Go on after a pause."""
    if event.phase != "paused":
        raise BadEvent(_("The event is not paused."))
    return _entry(event, "resume", now)


def extend(event: Event, minutes: int, now: float) -> Entry:
    """Give an arena more minutes."""
    _require_not_ended(event)
    if event.settings.format != "arena":
        raise BadEvent(_("Only an arena has a clock."))
    if minutes < 1 or event.remaining(now) + 60 * minutes > 60 * MAX_MINUTES:
        raise BadEvent(
            _("An arena lasts at most {most} minutes; add at least one.", most=MAX_MINUTES)
        )
    return _entry(event, "extend", now, data={"minutes": minutes})


def end(event: Event, now: float) -> Entry:
    """End the event; games that are still being played count for nobody."""
    _require_not_ended(event)
    return Entry(event.number + 1, "end", 0, {}, now)


def broadcast(event: Event, text: str, now: float) -> Entry:
    """Show everyone one line; an empty one removes the last."""
    return _entry(event, "broadcast", now, data={"text": names.broadcast_line(text)})


def places(event: Event, now: float, *, top_only: bool) -> Entry:
    """Show everybody only the first places of the table, or all of them again."""
    return _entry(event, "places", now, data={"top_only": top_only})


def show(event: Event, game_id: str, ply: int, now: float, *, answer: bool = False) -> Entry:
    """Put the position before a slip on the wall, and then the better move."""
    if event.slip(game_id, ply) is None:
        raise BadEvent(_("There is no such mistake to show."))
    return _entry(event, "show", now, data={"id": game_id, "ply": ply, "answer": answer})


def unshow(event: Event, now: float) -> Entry:
    """Take what is shown off the wall."""
    if event.shown is None:
        raise BadEvent(_("Nothing is shown on the wall."))
    return _entry(event, "show", now)


# -- pairings -------------------------------------------------------------------------------


def pair(
    event: Event, one: int, two: int, game: str, game_id: str, now: float, *, turn: int = 0
) -> Entry:
    """Pair two free players; `one` begins. `game_id` is that of their game, which starts with this
    entry; `turn` is the round of a Swiss."""
    _require_running(event)
    free = {member.number for member in event.free}
    if one == two or not {one, two} <= free | {COMPUTER}:
        raise BadEvent(_("Only two players who are present and free can be paired."))
    if game not in event.settings.games:
        raise BadEvent(_("That is not one of the games of this event."))
    if game_id in event.by_game:
        raise BadEvent(_("Each game needs an id of its own."))
    data = {"players": [one, two], "round": turn, "game": game, "id": game_id}
    return _entry(event, "pair", now, data=data)


def result(event: Event, game_id: str, ended: Result, now: float) -> Entry:
    """Note how a game ended."""
    found = event.by_game.get(game_id)
    if found is None:
        raise BadEvent(_("That game does not belong to this event."))
    if found.end is not None:
        raise BadEvent(_("That game has ended already."))
    return Entry(event.number + 1, "result", 0, {"id": game_id, **ended._asdict()}, now)


def judge(event: Event, game_id: str, judgement: Judgement, now: float) -> Entry:
    """Note what the moves of a game were worth, even after the event."""
    found = event.by_game.get(game_id)
    if found is None or found.end != "played":
        raise BadEvent(_("Only a game that was played to its end can be judged."))
    if found.judgement is not None:
        raise BadEvent(_("That game has been judged already."))
    return Entry(event.number + 1, "judge", 0, {"id": game_id, **judgement.json()}, now)


def nudge(event: Event, player: int, now: float) -> Entry:
    """Remind somebody that their opponent waits for them."""
    one = _member(event, player)
    if event.pairing_of(player) is None:
        raise BadEvent(_("They are not playing just now."))
    if one.nudged is not None and now - one.nudged < NUDGE_SECONDS:
        raise BadEvent(_("They have just been reminded; give them a moment."))
    return _entry(event, "nudge", now, player)


def timeout(event: Event, game_id: str, player: int, now: float) -> Entry:
    """End a game whose player has run out of time; the opponent wins it."""
    found = event.by_game.get(game_id)
    if found is None or found.end is not None or player not in found.players:
        raise BadEvent(_("That game has ended already."))
    return Entry(event.number + 1, "timeout", player, {"id": game_id}, now)


def forfeit(event: Event, player: int, now: float) -> Entry:
    """Let the opponent win somebody's game."""
    _member(event, player)
    if event.pairing_of(player) is None:
        raise BadEvent(_("They are not playing just now."))
    return _entry(event, "forfeit", now, player)


def cancel(event: Event, pairing: Pairing, now: float) -> Entry:
    """End a pairing; its game counts for nobody."""
    if pairing.end is not None:
        raise BadEvent(_("That pairing is over."))
    return _entry(event, "cancel", now, data={"pairing": pairing.number})


# -- preconditions --------------------------------------------------------------------------


def _entry(
    event: Event, kind: str, now: float, player: int = 0, data: dict[str, Any] | None = None
) -> Entry:
    if event.number >= MAX_ENTRIES:
        raise BadEvent(_("Too much has happened in this event: it can only be ended."))
    return Entry(event.number + 1, kind, player, data or {}, now)


def _in_order(entries: Iterable[Entry]) -> list[Entry]:
    """Entries that do not depend on each other, one after the other."""
    return [entry._replace(number=entry.number + ahead) for ahead, entry in enumerate([*entries])]


def _member(event: Event, player: int) -> Participant:
    one = event.participants.get(player)
    if one is None or one.removed:
        raise BadEvent(_("They do not take part in this event."))
    return one


def _require_new_token(event: Event, token: str | None, besides: Participant | None = None) -> None:
    """One browser is one player: the same token in both seats would let one play for both."""
    for one in event.members:
        if one is not besides and token is not None and one.token == token:
            raise BadEvent(
                _("This browser is in the event already, as {nickname}.", nickname=one.nickname)
            )


def _require_unlocked(event: Event) -> None:
    if event.locked:
        raise BadEvent(_("The host has locked the door; ask to be let in."))


def _require_room(event: Event) -> None:
    room = event.settings.room
    if len(event.members) >= room:
        raise BadEvent(_("The event is full: there is room for {room}.", room=room))


def _require_welcome(event: Event, token: str | None) -> None:
    """Who was removed does not come back from that browser; who was not let in may ask again, but
    not for ever."""
    if token is None:
        return
    if any(one.removed and one.token == token for one in event.participants.values()):
        raise BadEvent(_(TAKEN_OUT))
    if event.declined[token] >= MAX_DECLINED:
        raise BadEvent(_("The host has not let you in; talk to them if that was a mistake."))


def _reason_to_wait(event: Event, token: str | None, *, crowded: bool) -> Why | None:
    """Why somebody who would like to join has to wait for the host."""
    if event.approval:
        return "approval"
    if event.with_token(token) is not None:
        return "browser"
    return "many" if crowded else None


def _waiting(event: Event, asked: int) -> Asking:
    if asked not in event.asking:
        raise BadEvent(_("They are not waiting any more."))
    return event.asking[asked]


def _may_return(one: Participant) -> None:
    if one.absences >= MAX_ABSENCES:
        raise BadEvent(_("You have left too often to be paired again."))


def _chosen_nickname(event: Event, text: str) -> str:
    chosen = names.chosen_nickname(text)
    if not (event.own_names or is_friendly(chosen)):
        raise BadEvent(_("Please choose one of the nicknames that are offered."))
    return chosen


def _new_nickname(event: Event, chosen: str, besides: Participant | None = None) -> str:
    own = besides is not None and event.named(chosen) is besides
    if not (own or event.is_free(chosen)):
        raise BadEvent(_("Somebody here has that nickname; choose another."))
    return chosen


def _require_running(event: Event) -> None:
    if event.phase != "running":
        raise BadEvent(_("The event is not running."))


def _require_not_ended(event: Event) -> None:
    if event.phase == "ended":
        raise BadEvent(_("The event is over."))
