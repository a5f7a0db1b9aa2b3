"""What happens in events by itself: games begin and end, moves are judged, people come and go, and
every second it is looked what is due.

Every process does all of it. The log decides whose entry counts, so that nothing happens twice, and
what a process leaves undone when it dies is done by another, or by the next.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from itertools import pairwise
from math import inf
from typing import Any

from numduel.core.errors import BadEvent, NumduelError
from numduel.core.text import HUMAN
from numduel.events import actions, director
from numduel.events.event import COMPUTER, Entry, Event, Judgement, Leg, Pairing, Result
from numduel.web.events.live import LiveEvent, LiveEvents, seat_of
from numduel.web.games.live import LiveGames, fold
from numduel.web.games.room import Entry as GameEntry
from numduel.web.games.room import Room
from numduel.web.games.rows import new_id
from numduel.web.http.errors import NoEvent, Overloaded, Refusal
from numduel.web.live.registry import retried
from numduel.web.solving.solvers import Solvers

log = logging.getLogger(__name__)
TICK_SECONDS = 1.0
"""How often it is looked what is due."""
AWAY_SECONDS = 15.0
"""How long after the last sign of life somebody is away."""
ASKING_SECONDS = 10.0
"""How long somebody counts as connected who asks how the event stands, without a channel."""
CHECK_SECONDS = 30.0
"""How often games are compared with the log of their event, and others that go on are looked for: a
process may have died between a game's end and its entry."""
MAX_JUDGING = 3
"""How often it is tried to judge a game."""
MAX_AT_ONCE = 20
"""How often in a row it is looked what is due: pairings may follow an end."""
Action = Callable[[Event, float], Entry]
"""Something that can be done in an event at a time: its entry."""


class EventRunner:
    """Keeps every event going that is in memory."""

    def __init__(self, games: LiveGames, events: LiveEvents, solvers: Solvers) -> None:
        self._database = events.bus.database
        self._spawn = events.bus.background.spawn
        self._games = games
        self._solvers = solvers
        self.registry = events
        games.on_event_game_over = self.on_game_over
        self._judging, self._checking, self._pairing = (asyncio.Lock() for _ in range(3))
        """Games are judged one after the other; and so are events checked and classes paired."""
        self._search_due = 0.0
        """When it is next looked for events that go on."""

    def open(self) -> None:
        """Go on with the events of the database."""
        self._spawn(self._run())

    # -- writing ----------------------------------------------------------------------------

    async def current(self, live: LiveEvent, action: Action) -> Entry:
        """The entry of an action, which another process may have made possible just now."""
        try:
            return action(live.event, time.time())
        except BadEvent:
            if not await self.registry.refresh(live):
                raise
            return action(live.event, time.time())

    @retried
    async def _note(self, code: str, action: Action) -> None:
        """Write what has happened elsewhere, unless the event has it already."""
        with suppress(BadEvent):
            async with self.registry.locked(code) as live:
                entry = await self.current(live, action)
                await self.registry.append(live, [entry])

    # -- games that end ---------------------------------------------------------------------

    def on_game_over(self, room: Room) -> None:
        """Have the end of a game noted in its event."""
        if room.event is not None:
            self._spawn(self._alone(self._finish(room.event, room)))

    async def _finish(self, code: str, room: Room) -> None:
        """Note how a game ended, and what its moves were worth."""
        with suppress(NoEvent):
            winner, entries = room.match.state.winner or 0, await self._games.log(room.id)
            await self._note(
                code,
                lambda event, now: actions.result(
                    event, room.id, _timed(event, winner, entries), now
                ),
            )
            await self._judge(code, room)

    async def _judge(self, code: str, room: Room) -> None:
        """Have a game judged that was played to its end."""
        async with self.registry.locked(code) as live:
            if room.id in live.judging or not _waits_for_judgement(live, room.id):
                return
            live.judging.add(room.id)
        try:
            async with self._judging:
                found = Judgement.parse(await self._solvers.ask("judge", room.record.text()))
            await self._note(code, lambda event, now: actions.judge(event, room.id, found, now))
        except Overloaded:
            pass  # The next check is soon enough.
        except NumduelError as error:
            log.warning("not judged", extra={"game": room.id, "why": str(error)})
            live.judging_failures[room.id] += 1
        finally:
            live.judging.discard(room.id)

    # -- what happens by itself -------------------------------------------------------------

    async def _run(self) -> None:
        """Look every second what is due, in every event that is in memory: in one after the other,
        so that not everything happens at once."""
        while True:
            if time.monotonic() >= self._search_due:
                self._search_due = time.monotonic() + CHECK_SECONDS
                await self._alone(self._load_running())
            events = self.registry.all
            async with asyncio.TaskGroup() as ticks:
                for live in events:
                    ticks.create_task(self._alone(self._tick(live)))
                    await asyncio.sleep(TICK_SECONDS / len(events))
            if not events:
                await asyncio.sleep(TICK_SECONDS)

    async def _alone(self, work: Coroutine[Any, Any, None]) -> None:
        """Do some work whose failure must not keep anything else from being done."""
        try:
            await work
        except (Refusal, BadEvent):
            pass  # The next time is soon enough.
        except Exception:
            log.exception("failed in the background")

    async def _load_running(self) -> None:
        """Have every event in memory that goes on."""
        for code in await self.registry.running():
            if code not in self.registry:
                with suppress(NoEvent):
                    async with self.registry.locked(code):
                        pass

    async def _tick(self, live: LiveEvent) -> None:
        """Do what is due in an event."""
        async with self.registry.locked(live.id) as live:
            if comings := self._comings_and_goings(live):
                await self.registry.append(live, comings)
            await self.direct(live)
            if live.time_was_up != live.event.time_is_up(time.time()):
                live.changed()
        if time.monotonic() >= live.check_due:
            live.check_due = inf
            self._spawn(self._check_now(live))

    def tick_soon(self, live: LiveEvent) -> None:
        """Have what is due now done without waiting for the next second."""
        self._spawn(self._alone(self._tick(live)))

    def _comings_and_goings(self, live: LiveEvent) -> list[Entry]:
        """The entries of those who have come back, or are away by now."""
        now, event = time.monotonic(), live.event
        channels = self._connected(live)
        asking = {one for one, at in live.asked.items() if at + ASKING_SECONDS > now}
        self.registry.announce(live, channels | asking)
        connected = channels | live.elsewhere
        live.seen |= dict.fromkeys(connected, now)
        if event.phase == "ended":
            return []
        found: list[Entry] = []
        for one in event.members:
            away = one.away_since is not None
            gone = live.seen.setdefault(one.number, -inf if away else now) + AWAY_SECONDS <= now
            if one.player == HUMAN and away != gone:
                with suppress(BadEvent):
                    action = actions.away if gone else actions.back
                    entry = action(event, one.number, time.time())
                    found.append(entry._replace(number=entry.number + len(found)))
        return found

    def _connected(self, live: LiveEvent) -> set[int]:
        """The players who watch the event over this process, or a game of theirs."""
        found = live.watching
        for leg in _open_legs(live.event.open_pairings):
            game = self._games.in_memory(leg.id)
            if game is not None:
                found |= {leg.seats[seat - 1] for seat in game.watching}
        return found - {COMPUTER}

    def _watched(self, live: LiveEvent) -> bool:
        """Whether somebody looks at the event over this process, or at a game of it: a player, the
        host, the wall or anybody else. Each process pairs levels for those who look there."""
        if live.watchers or live.looked + ASKING_SECONDS > time.monotonic():
            return True
        return any(self._games.watched(leg.id) for leg in _open_legs(live.event.open_pairings))

    async def direct(self, live: LiveEvent, *, force: bool = False) -> None:
        """Write what is due by itself: pairings, forfeits, the end. The lock is held."""
        for _ in range(MAX_AT_ONCE):
            if live.event.phase not in ("running", "paused"):
                return
            # Pairing a large class takes a moment, in which others are served: all who make moves
            # would wait for as many threads as there are classes.
            async with self._pairing:
                entries = await asyncio.to_thread(
                    director.due,
                    live.event,
                    time.time(),
                    new_id,
                    force=force,
                    watched=self._watched(live),
                )
            if not entries:
                return
            await self.registry.append(live, entries)

    async def _check_now(self, live: LiveEvent) -> None:
        async with self._checking:
            await self._alone(self._check(live))
        live.check_due = time.monotonic() + CHECK_SECONDS

    async def _check(self, live: LiveEvent) -> None:
        """Write what is missing since a process died, and have the computer go on where it must."""
        event, presence = live.event, self.registry.bus.presence
        # Games at which somebody sits over another process are seen to there.
        elsewhere = await self._database.read(
            lambda connection: presence.watched(connection, live.id)
        )
        for leg in list(_open_legs(event.open_pairings)):
            if leg.id not in elsewhere or self._games.watched(leg.id):
                await self._alone(self._check_game(live.id, event, leg))
        for id in list(event.legs):
            await self._alone(self._judge_late(live, id))

    async def _check_game(self, code: str, event: Event, leg: Leg) -> None:
        """Write how a game ended, or have it go on."""
        room = await self._room(leg.id)
        if room.over:
            await self._finish(code, room)
            return
        if room.computer is not None:
            await self._games.look(leg.id, ())
        for player in leg.seats:
            await self._sync_seat(event, leg, player, room)

    async def _judge_late(self, live: LiveEvent, id: str) -> None:
        """Have a game judged that waits for it."""
        if _waits_for_judgement(live, id):
            await self._judge(live.id, await self._room(id))

    async def _room(self, id: str) -> Room:
        """A game to look at. One that is not in memory is not kept there: another process may be
        where it is played."""
        live = self._games.in_memory(id)
        if live is not None:
            return live.room
        return await self._database.read(lambda connection: fold(connection, id))

    # -- seats ------------------------------------------------------------------------------

    async def sync_seats(self, code: str, player: int, *, everywhere: bool = False) -> None:
        """Have the seats of somebody proved by their token, and called by their nickname: in the
        games that are being played, or everywhere."""
        async with self.registry.locked(code) as live:
            event = live.event
        for pairing, leg in list(event.legs_of(player)):
            if everywhere or pairing.current is not None:
                await self._sync_seat(event, leg, player, await self._room(leg.id))

    @retried
    async def _sync_seat(self, event: Event, leg: Leg, player: int, room: Room) -> None:
        seat, one = leg.seat_of(player), event.participants.get(player)
        if one is None or seat_of(one) == room.seats[seat]:
            return
        async with self._games.locked(leg.id) as game:
            await self._games.refresh(game)
            if seat_of(one) != game.room.seats[seat]:
                entry = game.room.entry(seat, "key", one.nickname, one.token)
                await self._games.append(game, [entry])


def _open_legs(pairings: Iterable[Pairing]) -> Iterable[Leg]:
    """The games that have not ended."""
    return (leg for pairing in pairings for leg in pairing.legs if leg.end is None)


def _waits_for_judgement(live: LiveEvent, id: str) -> bool:
    """Whether a game was played to its end, and is to be judged."""
    _, leg = live.event.legs.get(id, (None, None))
    waits = leg is not None and leg.end == "played" and leg.judgement is None
    return waits and live.judging_failures[id] < MAX_JUDGING


def _timed(event: Event, winner: int, entries: Sequence[GameEntry]) -> Result:
    """A result with the time of the moves that somebody chose. The first one has none: its player
    may not have been at the board yet."""
    milliseconds, count = [0, 0], [0, 0]
    for before, after in pairwise(entry for entry in entries if entry.kind == "move"):
        if after.text != "pass" and not after.text.startswith("resign"):
            milliseconds[after.seat - 1] += round(1000 * event.playing_time(before.at, after.at))
            count[after.seat - 1] += 1
    return Result(winner, (milliseconds[0], milliseconds[1]), (count[0], count[1]))
