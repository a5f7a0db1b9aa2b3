"""Events in memory, without a server: a class, a clock, and what stands for the rest of one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple
from unittest.mock import MagicMock

import pytest

from numduel import game
from numduel.events import actions
from numduel.events.event import Entry, Event
from numduel.events.settings import chosen
from numduel.web.events import live as live_events
from numduel.web.events import runner as event_runner
from numduel.web.events.live import LiveEvent, LiveEvents

CODE = "ABCDEF"
CAPTURE = "capture n=7"


def class_of(*nicknames: str, **settings: Any) -> Event:
    """An event that some have joined, whose tokens have the hashes `token 1`, `token 2` and so
    on."""
    event = Event(actions.create(chosen([game("capture", n=7)], **settings), "host", 0.0))
    for number, nickname in enumerate(nicknames, 1):
        event.apply(actions.join(event, nickname, 0.0, token=f"token {number}"))
    return event


def paired(event: Event, one: int, two: int, game_id: str) -> None:
    """Have two play, in an event that has begun by then."""
    if event.phase == "open":
        event.apply(actions.start(event, 0.0))
    event.apply(actions.pair(event, one, two, event.settings.games[0], game_id, 0.0, turn=1))


class Timer(NamedTuple):
    """Something that is due at a time."""

    at: float
    do: Callable[[], None]
    timers: list[Timer]

    def cancel(self) -> None:
        """Do not do it."""
        self.timers.remove(self)


class Clock:
    """The time of a server, which passes when the test says so; and its event loop."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        self.timers: list[Timer] = []
        for module in (live_events, event_runner):
            patch.setattr(module, "time", self)
        patch.setattr(asyncio, "get_running_loop", lambda: self)

    def monotonic(self) -> float:
        return self.now

    def time(self) -> float:
        return self.now

    def call_later(self, seconds: float, do: Callable[[], None]) -> Timer:
        """Do something when so many seconds have passed."""
        self.timers.append(Timer(self.now + seconds, do, self.timers))
        return self.timers[-1]

    def passes(self, seconds: float = 0.0) -> None:
        """Let time pass, and what is due be done."""
        end = self.now + seconds
        while due := [timer for timer in self.timers if timer.at <= end]:
            first = min(due, key=lambda timer: timer.at)
            first.cancel()
            self.now = first.at
            first.do()
        self.now = end


def finished(work: Coroutine[Any, Any, Any]) -> Any:
    """What becomes of work that waits for nothing."""
    try:
        work.send(None)
    except StopIteration as end:
        return end.value
    raise AssertionError("it waits")


def registry_of(*events: LiveEvent) -> tuple[LiveEvents, MagicMock]:
    """A registry with these events in memory, and what stands for its games."""
    bus, games = MagicMock(ending=False), MagicMock()
    bus.background.spawn = finished
    bus.presence.note.return_value = False
    bus.loading = asyncio.Semaphore()
    bus.uptime.now.side_effect = lambda: vars(live_events)["time"].time()
    registry = LiveEvents(bus, games)
    registry._lives.update((live.id, live) for live in events)
    return registry, games


def live_event(event: Event | None, code: str = CODE) -> LiveEvent:
    """An event in memory, which nobody watches over another process."""
    bus = MagicMock(**{"presence.seats.return_value": set()})
    bus.uptime.now.side_effect = lambda: vars(live_events)["time"].time()
    live = LiveEvent(code, bus)
    live.loaded = event
    return live


def following(event: Event, kind: str, player: int = 0, **data: Any) -> Entry:
    """The next entry of an event."""
    return Entry(event.number + 1, kind, player, data, 0.0)
