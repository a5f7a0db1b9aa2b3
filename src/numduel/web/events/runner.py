"""What happens in events by itself: games begin and end and are judged, people come and go, and
every second the runner does what is due.

Every process does all of it. The log decides whose entry counts, so nothing happens twice, and
what a process leaves undone when it dies is done by another one or after the restart.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from math import inf
from typing import Any

from numduel.core.errors import BadEvent, NumduelError
from numduel.core.text import HUMAN
from numduel.events import actions, clock, director
from numduel.events.event import COMPUTER, Entry, Event, Judgement, Pairing, Result
from numduel.web.events.live import LiveEvent, LiveEvents, seat_of
from numduel.web.games.live import LiveGame, LiveGames
from numduel.web.games.room import Entry as GameEntry
from numduel.web.games.room import Room
from numduel.web.games.rows import new_id
from numduel.web.http.errors import NoEvent, NoGame, Overloaded, Refusal
from numduel.web.live.registry import retried
from numduel.web.solving.solvers import Solvers

log = logging.getLogger(__name__)
TICK_SECONDS = 1.0
"""Seconds between two looks at what is due."""
AWAY_SECONDS = 15.0
"""Seconds after the last sign of life when somebody counts as away."""
ASKING_SECONDS = 10.0
"""Seconds for which somebody who asks for the state, without a channel, counts as connected."""
IDLE_SECONDS = 60.0
"""Seconds without a move after which the host is told whom a game waits for."""
CHECK_SECONDS = 30.0
"""Seconds between two checks of games against the log of their event, and two searches for events
that go on: a process may have died between a game's end and its entry."""
MAX_JUDGING = 3
"""Attempts to judge a game."""
MAX_AT_ONCE = 20
"""Looks in a row at what is due: pairings may follow the end of games."""
Action = Callable[[Event, float], Entry]
"""Makes the entry of something that is done in an event at a time."""


class EventRunner:
    """Keeps the events in memory going."""

    def __init__(self, games: LiveGames, events: LiveEvents, solvers: Solvers) -> None:
        self._database = events.bus.database
        self._spawn = events.bus.background.spawn
        self._uptime = events.bus.uptime
        self._games = games
        self._solvers = solvers
        self.registry = events
        games.on_game_over.append(self.on_game_over)
        self._judging, self._checking, self._pairing = (asyncio.Lock() for _ in range(3))
        """Games are judged, events checked and classes paired one after the other."""
        self._search_due = 0.0
        """When the database is next searched for events that go on."""

    def open(self) -> None:
        """Continue the stored events."""
        self._spawn(self._run())

    # -- writing ----------------------------------------------------------------------------

    async def current(self, live: LiveEvent, action: Action) -> Entry:
        """The entry of an action, which may be possible only after reading what others wrote."""
        try:
            return action(live.event, self._uptime.now())
        except BadEvent:
            if not await self.registry.refresh(live):
                raise
            return action(live.event, self._uptime.now())

    @retried
    async def _note(self, code: str, action: Action) -> None:
        """Write something that has happened, unless the event has it already."""
        with suppress(BadEvent):
            async with self.registry.locked(code) as live:
                entry = await self.current(live, action)
                await self.registry.append(live, [entry])

    # -- games that end ---------------------------------------------------------------------

    def on_game_over(self, room: Room) -> None:
        """Note the end of a game in its event."""
        if room.event is not None:
            self._spawn(self._alone(self._finish(room.event, room)))

    async def _finish(self, code: str, room: Room) -> None:
        """Note the result of a game, and have it judged."""
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
        """Judge a game that was played to its end."""
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
        """Do what is due in the events in memory, every second: spread over it, so that not
        everything happens at once."""
        while True:
            if time.monotonic() >= self._search_due:
                self._search_due = time.monotonic() + CHECK_SECONDS
                await self._alone(self._load_running())
            events = self.registry.all
            await self._alone(self._go_on())
            async with asyncio.TaskGroup() as ticks:
                for live in events:
                    ticks.create_task(self._alone(self._tick(live)))
                    await asyncio.sleep(TICK_SECONDS / len(events))
            if not events:
                await asyncio.sleep(TICK_SECONDS)

    async def _go_on(self) -> None:
        """Let the clock of events go on, which is written as long as one runs. Tell everybody the
        time again if it has not gone evenly."""
        if any(live.busy for live in self.registry.all):
            await self._uptime.save()
        else:
            self._uptime.beat()
        if self._uptime.jumped():
            for live in self.registry.all:
                if live.loaded is not None:
                    live.changed()

    async def _alone(self, work: Coroutine[Any, Any, None]) -> None:
        """Do some work, and let no failure of it stop anything else."""
        try:
            await work
        except (Refusal, BadEvent):
            pass  # The next time is soon enough.
        except Exception:
            log.exception("failed in the background")

    async def _load_running(self) -> None:
        """Load all events that go on."""
        for code in await self.registry.running():
            if code not in self.registry:
                with suppress(NoGame):  # Deleted just now, or damaged.
                    async with self.registry.locked(code):
                        pass

    async def _tick(self, live: LiveEvent) -> None:
        """Do what is due in an event."""
        await self._load_boards(live)
        async with self.registry.locked(live.id) as live:
            self._look_at_boards(live)
            if comings := self._comings_and_goings(live):
                await self.registry.append(live, comings)
            await self.direct(live)
            if live.time_was_up != live.event.time_is_up(self._uptime.now()):
                live.changed()
        if time.monotonic() >= live.check_due:
            live.check_due = inf
            self._spawn(self._check_now(live))

    def tick_soon(self, live: LiveEvent) -> None:
        """Do what is due now, without waiting for the next second."""
        self._spawn(self._alone(self._tick(live)))

    async def _load_boards(self, live: LiveEvent) -> None:
        """Take the games that are being played into memory: nobody may have looked at them since
        the server was started."""
        for pairing in _playable(live):
            if self._games.in_memory(pairing.id) is None:
                with suppress(NoGame):
                    async with self._games.locked(pairing.id):
                        pass

    def _look_at_boards(self, live: LiveEvent) -> None:
        """Note whose turn it is in each game, and who has not moved for long. See that levels go
        on: it may be this process that has to think for them by now."""
        event, now = live.event, self._uptime.now()
        found = (self._games.in_memory(pairing.id) for pairing in _playable(live))
        games = [game for game in found if game is not None]
        turns = (live.turn_in(game.room) for game in games)
        live.turns = [turn for turn in turns if turn is not None]
        for game in games:
            if game.room.without_people:
                self._games.due(game)
        people = {one.number for one in event.people}
        idle = {
            turn.player: turn.since
            for turn in live.turns
            if turn.player in people and clock.idle(event, turn, now) >= IDLE_SECONDS
        }
        if idle != live.idle_since:
            live.idle_since = idle
            live.changed()

    def _comings_and_goings(self, live: LiveEvent) -> list[Entry]:
        """The entries of players who have come back, or count as away by now."""
        now, event = time.monotonic(), live.event
        asked = self._asked(live)
        channels = self._connected(live)
        asking = {who for who, at in asked.items() if at + ASKING_SECONDS > now}
        self.registry.announce(live, channels | asking)
        for who, at in (asked | dict.fromkeys(channels | live.elsewhere, now)).items():
            live.seen[who] = max(at, live.seen.get(who, at))
        if event.phase == "ended":
            return []
        found: list[Entry] = []
        for one in event.members:
            away = one.away_since is not None
            gone = live.seen.setdefault(one.number, -inf if away else now) + AWAY_SECONDS <= now
            if one.player == HUMAN and away != gone:
                with suppress(BadEvent):
                    action = actions.away if gone else actions.back
                    entry = action(event, one.number, self._uptime.now())
                    found.append(entry._replace(number=entry.number + len(found)))
        return found

    def _connected(self, live: LiveEvent) -> set[int]:
        """The players who watch over this process: a game of theirs, or, if they are not to move,
        the event."""
        found = live.watching - _awaited(live)
        for pairing, game in self._boards(live):
            found |= {pairing.players[seat - 1] for seat in game.watching}
        return found - {COMPUTER}

    def _asked(self, live: LiveEvent) -> dict[int, float]:
        """When players last asked this process, without a channel, for a game of theirs, or, if
        they are not to move, for the event."""
        awaited = _awaited(live)
        found = {one: at for one, at in live.asked.items() if one not in awaited}
        for pairing, game in self._boards(live):
            for seat, at in game.asked.items():
                player = pairing.players[seat - 1]
                found[player] = max(at, found.get(player, at))
        return found

    def _boards(self, live: LiveEvent) -> Iterator[tuple[Pairing, LiveGame]]:
        """The games of an event that have not ended and are in memory."""
        for pairing in live.event.open_pairings:
            game = self._games.in_memory(pairing.id)
            if game is not None:
                yield pairing, game

    def _watched(self, live: LiveEvent) -> bool:
        """Whether anybody watches the event or one of its games over this process: levels are
        paired only then."""
        if live.watchers or live.looked + ASKING_SECONDS > time.monotonic():
            return True
        return any(self._games.watched(pairing.id) for pairing in live.event.open_pairings)

    async def direct(self, live: LiveEvent, *, force: bool = False) -> None:
        """Write what is due by itself: pairings, forfeits, the end. The lock is held."""
        for _ in range(MAX_AT_ONCE):
            if live.event.phase not in ("running", "paused"):
                return
            # Pairing a large class takes a moment, so it is done in a thread; one class at a time,
            # because many threads would slow all moves down.
            async with self._pairing:
                entries = await asyncio.to_thread(
                    director.due,
                    live.event,
                    self._uptime.now(),
                    new_id,
                    force=force,
                    watched=self._watched(live),
                    turns=live.turns,
                )
            if not entries:
                return
            await self.registry.append(live, entries)

    async def _check_now(self, live: LiveEvent) -> None:
        async with self._checking:
            await self._alone(self._check(live))
        live.check_due = time.monotonic() + CHECK_SECONDS

    async def _check(self, live: LiveEvent) -> None:
        """Write what a dead process has left out, and wake the computer where it must move."""
        event, presence = live.event, self.registry.bus.presence
        # The other processes look after the games that are watched there.
        elsewhere = await self._database.read(
            lambda connection: presence.watched(connection, live.id)
        )
        for pairing in event.open_pairings:
            if pairing.id not in elsewhere or self._games.watched(pairing.id):
                await self._alone(self._check_game(live.id, event, pairing))
        for id in list(event.by_game):
            await self._alone(self._judge_late(live, id))

    async def _check_game(self, code: str, event: Event, pairing: Pairing) -> None:
        """Note the result of a game that is over, or see that it goes on."""
        room = await self._room(pairing.id)
        if room.over:
            await self._finish(code, room)
            return
        if room.computer is not None:
            await self._games.look(pairing.id, ())
        for player in pairing.players:
            await self._sync_seat(event, pairing, player, room)

    async def _judge_late(self, live: LiveEvent, id: str) -> None:
        if _waits_for_judgement(live, id):
            await self._judge(live.id, await self._room(id))

    async def _room(self, id: str) -> Room:
        """A game to look at. It is not taken into memory: it may be played at another process."""
        live = self._games.in_memory(id)
        if live is not None:
            return live.room
        return await self._database.read(lambda connection: self._games.fold(connection, id))

    # -- seats ------------------------------------------------------------------------------

    async def sync_seats(self, code: str, player: int, *, everywhere: bool = False) -> None:
        """Give the seats of a player their present token and nickname, in the games being played
        or in all."""
        async with self.registry.locked(code) as live:
            event = live.event
        for pairing in event.pairings_of(player):
            if everywhere or pairing.end is None:
                await self._sync_seat(event, pairing, player, await self._room(pairing.id))

    @retried
    async def _sync_seat(self, event: Event, pairing: Pairing, player: int, room: Room) -> None:
        seat, one = pairing.seat_of(player), event.participants.get(player)
        if one is None or seat_of(one) == room.seats[seat]:
            return
        async with self._games.locked(pairing.id) as game:
            await self._games.refresh(game)
            if seat_of(one) != game.room.seats[seat]:
                entry = game.room.entry(seat, "key", one.nickname, one.token)
                await self._games.append(game, [entry])


def _awaited(live: LiveEvent) -> set[int]:
    """Everybody who is to move: their opponents wait for them at the board."""
    return {turn.player for turn in live.turns} if live.event.phase == "running" else set()


def _playable(live: LiveEvent) -> list[Pairing]:
    """The pairings whose games can be played now."""
    return [] if live.loaded is None else live.event.open_pairings


def _waits_for_judgement(live: LiveEvent, id: str) -> bool:
    """Whether a game was played to its end, and has not been judged."""
    pairing = live.event.by_game.get(id)
    waits = pairing is not None and pairing.end == "played" and pairing.judgement is None
    return waits and live.judging_failures[id] < MAX_JUDGING


def _timed(event: Event, winner: int, entries: Sequence[GameEntry]) -> Result:
    """The result, with the time of the moves that were chosen. The first move is not timed: its
    player may not have been at the board yet."""
    milliseconds, count = [0, 0], [0, 0]
    for before, after in pairwise(entry for entry in entries if entry.kind == "move"):
        if after.text != "pass" and not after.text.startswith("resign"):
            milliseconds[after.seat - 1] += round(1000 * event.playing_time(before.at, after.at))
            count[after.seat - 1] += 1
    return Result(winner, (milliseconds[0], milliseconds[1]), (count[0], count[1]))
