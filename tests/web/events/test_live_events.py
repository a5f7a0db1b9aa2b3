"""Events in memory: who is told what and when, what is heard from elsewhere, what is dropped."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import pytest

from numduel.events import actions
from numduel.events.event import COMPUTER, Entry, Event
from numduel.web.events import live as live_events
from numduel.web.events.live import (
    PUSH_SECONDS,
    TABLE_SECONDS,
    LiveEvent,
    _games_of,
)
from numduel.web.events.serialise import class_page, door_page
from numduel.web.http.errors import Unavailable
from numduel.web.live.live import Watcher
from tests.web.classes import (
    CODE,
    Clock,
    class_of,
    finished,
    following,
    live_event,
    paired,
    registry_of,
)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


class Channel(Watcher):
    """A watcher, and every state that came: who they are, and the number of the event."""

    def __init__(self, live: LiveEvent, *hashes: str) -> None:
        super().__init__(live, None)
        self.hashes = frozenset(hashes)
        self.came: list[tuple[int | None, int]] = []
        live.watchers.add(self)

    def push(self) -> None:
        super().push()
        told = json.loads(self._live.json(self.you))
        self.came.append((told["you"], told["event"]["number"]))


def happens(live: LiveEvent, kind: str, player: int = 0, **data: Any) -> int:
    """Have something happen in an event; its number then."""
    live.event.apply(following(live.event, kind, player, **data))
    live.changed()
    return live.event.number


# -- who is told what, and when -------------------------------------------------------------


def test_changes_within_a_moment_are_pushed_together(clock: Clock) -> None:
    live = live_event(class_of("Ada"))
    host = Channel(live)
    first = happens(live, "lock", locked=True)
    clock.passes()
    assert host.came == [(None, first)], "the first at once"
    clock.passes(PUSH_SECONDS / 2)
    happens(live, "lock", locked=False)
    clock.passes(PUSH_SECONDS / 4)
    last = happens(live, "lock", locked=True)
    assert len(clock.timers) == 1
    clock.passes(PUSH_SECONDS / 8)
    assert host.came == [(None, first)]
    clock.passes(PUSH_SECONDS / 8)
    assert host.came == [(None, first), (None, last)]
    assert clock.timers == []


def test_players_who_are_not_concerned_get_the_table_later(clock: Clock) -> None:
    live = live_event(class_of("Ada", "Bo"))
    host, ada = Channel(live), Channel(live, "token 1")
    first = happens(live, "lock", locked=True)
    clock.passes()
    assert (host.came, ada.came) == ([(None, first)], [(1, first)])
    clock.passes(PUSH_SECONDS)
    second = happens(live, "away", 2)
    clock.passes()
    assert (host.came[1:], ada.came[1:]) == ([(None, second)], [])
    clock.passes(TABLE_SECONDS - PUSH_SECONDS / 2)
    assert ada.came[1:] == []
    clock.passes(PUSH_SECONDS / 2)
    assert (host.came[1:], ada.came[1:]) == ([(None, second)], [(1, second)])
    assert clock.timers == [], "nobody waits for anything"


def test_a_player_is_not_sent_the_same_table_twice(clock: Clock) -> None:
    live = live_event(class_of("Ada", "Bo"))
    ada = Channel(live, "token 1")
    first = happens(live, "lock", locked=True)
    clock.passes()
    live.push()
    assert ada.came == [(1, first)]
    assert clock.timers == []


def test_watchers_who_left_are_not_waited_for(clock: Clock) -> None:
    live = live_event(class_of("Ada", "Bo"))
    ada = Channel(live, "token 1")
    first = happens(live, "lock", locked=True)
    clock.passes(PUSH_SECONDS)
    happens(live, "away", 2)
    live.watchers.remove(ada)
    clock.passes(TABLE_SECONDS)
    assert ada.came == [(1, first)]
    assert clock.timers == []


def test_news_that_concern_a_player_do_not_wait_for_the_table(clock: Clock) -> None:
    live = live_event(class_of("Ada", "Bo", "Cy", rounds=1, format="swiss"))
    channels = [Channel(live, f"token {number}") for number in (1, 2, 3)]
    happens(live, "start")
    clock.passes(PUSH_SECONDS)
    for kind, player, data, told in (
        ("away", 3, {}, []),
        ("broadcast", 0, {"text": "Quiet"}, [1, 2, 3]),
        ("rename", 2, {"nickname": "Beau"}, [2]),
        ("pair", 0, {"players": [1, 2], "round": 1, "game": live.event.settings.games[0],
                     "id": "G"}, [1, 2, 3]),
        ("lock", 0, {"locked": True}, [1, 2, 3]),
        ("pause", 0, {}, [1, 2, 3]),
        ("resume", 0, {}, [1, 2, 3]),
        ("back", 3, {}, []),
        ("cancel", 0, {"pairing": live.event.number + 4}, [1, 2]),
    ):  # fmt: skip
        before = [len(one.came) for one in channels]
        happens(live, kind, player, **data)
        clock.passes(PUSH_SECONDS)
        heard = [n for n, one in enumerate(channels, 1) if len(one.came) > before[n - 1]]
        assert heard == told, kind


def test_a_channel_belongs_to_the_present_owner_of_its_token(clock: Clock) -> None:
    live = live_event(class_of("Ada", "Bo"))
    first, second, wall = Channel(live, "token 1"), Channel(live, "new"), Channel(live, "other")
    happens(live, "lock", locked=True)
    clock.passes(PUSH_SECONDS)
    happens(live, "return", 1, token="new")
    clock.passes(PUSH_SECONDS)
    assert [one.came[-1][0] for one in (first, second, wall)] == [None, 1, None]


def test_where_nobody_watches_nothing_is_sent_or_even_written_out(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = live_event(class_of("Ada"))
    happens(live, "lock", locked=True)
    assert clock.timers == []
    states = iter(["first", "second"])
    monkeypatch.setattr(live_events, "serialise", lambda *_: next(states))
    assert [live.state, live.state] == ["first", "first"], "once for all"


def test_an_event_that_must_be_loaded_again_is_not_sent(clock: Clock) -> None:
    live = live_event(class_of("Ada"))
    host = Channel(live)
    happens(live, "lock", locked=True)
    live.loaded = None
    clock.passes()
    assert host.came == []
    with pytest.raises(Unavailable):
        _ = live.event


def test_whether_the_time_is_up_is_known_as_it_was_told(clock: Clock) -> None:
    event = class_of("Ada", "Bo", format="arena", minutes=5)
    event.apply(actions.start(event, clock.now))
    live = live_event(event)
    assert (live.state, live.time_was_up) == (live.state, False)
    clock.passes(301)
    live.changed()
    assert live.state
    assert live.time_was_up


# -- one channel ----------------------------------------------------------------------------


def test_a_player_is_sent_their_number_and_the_time_of_the_server(clock: Clock) -> None:
    live = live_event(class_of("Ada"))
    told = json.loads(finished(Channel(live).next()))
    assert (told["you"], told["now"], told["event"]["code"]) == (None, clock.now, CODE)
    assert json.loads(live.json(1))["you"] == 1


def test_a_new_watcher_gets_the_table_once_and_later_news_in_time(clock: Clock) -> None:
    live = live_event(class_of("Ada", "Bo"))
    ada = Channel(live, "token 1")
    ada.you = 1
    live.welcome(ada)
    number = happens(live, "away", 2)
    clock.passes(PUSH_SECONDS)
    assert ada.came == []
    clock.passes(TABLE_SECONDS)
    assert ada.came == [(1, number)]


# -- games that begin -----------------------------------------------------------------------


def test_who_begins_has_the_first_seat() -> None:
    event = class_of("Ada", "Bo", level="easy")
    game = event.settings.games[0]
    pair = Entry(8, "pair", 0, {"players": [2, 1], "game": game, "id": "G"}, 0.0)
    (made,) = _games_of(CODE, event, pair)
    assert made.header["id"] == "G"
    assert [seat["name"] for seat in made.seats] == ["Bo", "Ada"]
    alone = Entry(9, "pair", 0, {"players": [2, COMPUTER], "game": game, "id": "I"}, 0.0)
    (made,) = _games_of(CODE, event, alone)
    assert [(seat["player"], seat["name"], seat["token"]) for seat in made.seats] == [
        ("human", "Bo", "token 2"), ("easy", "Computer (easy)", None),
    ]  # fmt: skip


def test_games_begin_with_the_entries_that_are_pairings_and_no_others() -> None:
    event = class_of("Ada", "Bo")
    event.apply(actions.start(event, 0.0))
    live = live_event(event)
    registry, _ = registry_of(live)
    registry.write = write = AsyncMock(return_value=True)  # type: ignore[method-assign]
    pair = actions.pair(event, 1, 2, event.settings.games[0], "G", 0.0)
    entries = [following(event, "lock", locked=True), pair._replace(number=pair.number + 1)]
    finished(registry.append(live, entries))
    ((known, written, games), _), *_ = write.call_args_list
    assert (known, written) == (live, entries)
    assert [game.header["id"] for game in games] == ["G"]


# -- memory ---------------------------------------------------------------------------------


def ended(event: Event) -> Event:
    event.apply(actions.end(event, 0.0))
    return event


def running(event: Event, *, pause: bool = False) -> Event:
    event.apply(actions.start(event, 0.0))
    if pause:
        event.apply(actions.pause(event, 0.0))
    return event


def test_an_event_is_idle_when_nobody_uses_it_and_it_does_not_go_on() -> None:
    assert live_event(class_of("Ada", "Bo")).idle
    assert live_event(ended(class_of("Ada", "Bo"))).idle
    assert live_event(None).idle
    assert not live_event(running(class_of("Ada", "Bo"))).idle
    assert not live_event(running(class_of("Ada", "Bo"), pause=True)).idle
    watched, used = live_event(class_of("Ada")), live_event(class_of("Ada"))
    Channel(watched)
    used.users = 1
    assert not watched.idle
    assert not used.idle


def test_nobody_moves_in_a_pause_or_in_a_game_that_the_event_has_ended() -> None:
    event = class_of("Ada", "Bo")
    event.apply(actions.join(event, "Cy", 0.0))
    event.apply(actions.join(event, "Di", 0.0))
    paired(event, 1, 2, "G")
    paired(event, 3, 4, "H")
    event.apply(actions.timeout(event, "G", 1, 9.0))
    registry, _ = registry_of(
        live_event(running(class_of("Ada", "Bo"), pause=True), "P"),
        live_event(event, "R"),
        live_event(None, "N"),
    )

    def halted(code: str | None, game: str = "H") -> str:
        room: Any = SimpleNamespace(event=code, id=game)
        return registry.halted(room)

    assert halted("P") == "The host has paused the event; you can move when it goes on."
    assert halted("R", "G") == "This game is over."
    assert [halted(code) for code in ("R", "N", "X", None)] == ["", "", "", ""]


def test_the_host_is_told_by_the_calendar_when_somebody_asked_for_help(clock: Clock) -> None:
    live = live_event(class_of("Ada", "Bo"))
    live.event.apply(actions.start(live.event, 0.0))
    registry, _ = registry_of(live)
    writing = AsyncMock()
    registry.append = writing  # type: ignore[method-assign]
    uptime: Any = registry.bus.uptime
    uptime.now.side_effect = lambda: clock.now - 3600  # There was no server for an hour.
    finished(registry._note_help(CODE, 1))
    _, (entry,) = writing.await_args.args  # type: ignore[union-attr]
    assert entry.at == clock.now - 3600
    live.event.apply(entry)
    assert door_page(live.event)["helped"] == [{"number": 1, "times": 1, "last": clock.now}]
    (ada, _) = class_page(live.event)["players"]
    assert ada["helped"] == {"number": 1, "times": 1, "last": clock.now}
