"""What happens in events by itself: who is away, which games are looked after, what is timed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, MagicMock

import pytest

from numduel.core.errors import BadEvent
from numduel.events import actions
from numduel.events.event import COMPUTER, Judgement, Result
from numduel.play.accuracy import Accuracy
from numduel.web.events import runner as event_runner
from numduel.web.events.live import LiveEvent
from numduel.web.events.runner import (
    ASKING_SECONDS,
    IDLE_SECONDS,
    EventRunner,
    _timed,
    _waits_for_judgement,
)
from numduel.web.games.room import Entry as GameEntry
from numduel.web.games.room import Seat
from numduel.web.http.errors import Busy, NoEvent
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

AWAY_SECONDS = 15.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    monkeypatch.setattr(event_runner, "AWAY_SECONDS", AWAY_SECONDS)
    monkeypatch.setattr(event_runner, "ASKING_SECONDS", ASKING_SECONDS)
    return Clock(monkeypatch)


def runner_of(*lives: LiveEvent) -> EventRunner:
    """A runner of these events, which nobody plays anywhere."""
    registry, games = registry_of(*lives)
    games.in_memory.return_value = None
    games.watched.return_value = False
    return EventRunner(games, registry, MagicMock())


def goings(runner: EventRunner, live: LiveEvent) -> list[tuple[int, str, int]]:
    """Have a runner look who has come and gone; what it notes, which then has happened."""
    found = runner._comings_and_goings(live)
    for entry in found:
        live.event.apply(entry)
    return [(entry.number, entry.kind, entry.player) for entry in found]


def watch(live: LiveEvent, player: int | None) -> Watcher:
    """A channel of somebody."""
    watcher = Watcher(live, player)
    live.watchers.add(watcher)
    return watcher


# -- who is there ---------------------------------------------------------------------------


def test_players_are_away_after_a_while_and_back_when_seen(clock: Clock) -> None:
    live = live_event(class_of("Ada", "Bo", "Cy"))
    runner, number = runner_of(live), live.event.number
    ada = watch(live, 1)
    watch(live, None)
    assert goings(runner, live) == []
    clock.passes(AWAY_SECONDS - 1)
    assert goings(runner, live) == []
    clock.passes(1)
    assert goings(runner, live) == [(number + 1, "away", 2), (number + 2, "away", 3)]
    assert goings(runner, live) == [], "once"
    live.watchers.remove(ada)
    watch(live, 3)
    assert goings(runner, live) == [(number + 3, "back", 3)]
    clock.passes(AWAY_SECONDS)
    assert goings(runner, live) == [(number + 4, "away", 1)]


def test_players_who_were_away_at_the_start_stay_away_until_seen() -> None:
    live = live_event(class_of("Ada", "Bo"))
    live.event.apply(following(live.event, "away", 2))
    runner = runner_of(live)
    assert goings(runner, live) == []
    watch(live, 2)
    assert [kind for _, kind, _ in goings(runner, live)] == ["back"]


def test_a_player_at_a_board_of_the_event_is_present() -> None:
    event = class_of("Ada", "Bo", "Cy")
    paired(event, 1, 2, "G")
    paired(event, 3, COMPUTER, "I")
    live = live_event(event)
    runner = runner_of(live)
    present = {"G": {2}, "I": {1, 2}}
    memory: MagicMock = runner._games.in_memory  # type: ignore[assignment]
    memory.side_effect = lambda game: (
        (game in present and SimpleNamespace(watching=present[game], asked={})) or None
    )
    assert runner._connected(live) == {2, 3}
    event.apply(actions.result(event, "G", Result(1, (0, 0), (0, 0)), 0.0))
    assert runner._connected(live) == {3}, "who looks at a game that is over may be gone"


def test_whoever_is_to_move_is_present_only_at_the_board(clock: Clock) -> None:
    """The other one may look at the table meanwhile, and in a pause everybody may."""
    event = class_of("Ada", "Bo")
    paired(event, 1, 2, "G")
    live = live_event(event)
    runner = runner_of(live)
    board: Any = MagicMock(watching=set(), asked={}, room=board_room("G", to_move=1))
    runner._games.in_memory.return_value = board  # type: ignore[attr-defined]
    watch(live, 1)
    watch(live, 2)
    runner._look_at_boards(live)
    assert runner._connected(live) == {2}
    live.asked = {1: clock.now, 2: clock.now}
    assert runner._asked(live) == {2: clock.now}
    board.asked = {1: clock.now - 1}
    assert runner._asked(live) == {1: clock.now - 1, 2: clock.now}, "a program asks for its game"
    board.watching = {1}
    assert runner._connected(live) == {1, 2}
    board.watching = set()
    event.apply(actions.pause(event, clock.now))
    assert runner._connected(live) == {1, 2}


def test_levels_that_play_each_other_are_woken_again_and_again() -> None:
    """Another process may have thought for them until now; where somebody plays, the computer is
    woken by what they do."""
    event = class_of("Ada", "Bo")
    paired(event, 1, 2, "G")
    live = live_event(event)
    runner = runner_of(live)
    board: Any = MagicMock(room=board_room("G", to_move=1))
    runner._games.in_memory.return_value = board  # type: ignore[attr-defined]
    due: MagicMock = runner._games.due  # type: ignore[assignment]
    runner._look_at_boards(live)
    due.assert_not_called()
    board.room.without_people = True
    runner._look_at_boards(live)
    due.assert_called_once_with(board)


def test_the_host_is_told_who_has_not_moved_for_long(clock: Clock) -> None:
    event = class_of("Ada", "Bo")
    paired(event, 1, 2, "G")
    live = live_event(event)
    runner = runner_of(live)
    room = board_room("G", to_move=2, moved=[(1, clock.now)])
    runner._games.in_memory.return_value = MagicMock(room=room)  # type: ignore[attr-defined]
    watch(live, None)
    clock.passes(IDLE_SECONDS - 1)
    runner._look_at_boards(live)
    assert (live.idle_since, clock.timers) == ({}, [])
    event.apply(actions.pause(event, clock.now))
    clock.passes(100)
    runner._look_at_boards(live)
    assert live.idle_since == {}, "nobody moves in a pause"
    event.apply(actions.resume(event, clock.now))
    clock.passes(1)
    runner._look_at_boards(live)
    assert live.idle_since == {2: 1000.0}
    assert len(clock.timers) == 1, "the host is sent it"
    row = next(one for one in json.loads(live.state)["players"] if one["number"] == 2)
    assert row["idle_since"] == clock.now - IDLE_SECONDS
    room.moved.append((2, clock.now))
    room.match.state.to_move = 1
    runner._look_at_boards(live)
    assert live.idle_since == {}


def board_room(game: str, to_move: int, moved: Sequence[tuple[int, float]] = ()) -> Any:
    """A game that goes on."""
    state = SimpleNamespace(to_move=to_move)
    match = SimpleNamespace(state=state)
    return SimpleNamespace(
        id=game, over=False, match=match, moved=list(moved), without_people=False
    )  # fmt: skip


def test_levels_of_the_computer_are_never_away(clock: Clock) -> None:
    live = live_event(class_of("Ada"))
    live.event.apply(actions.join(live.event, "Robo", 0.0, player="easy"))
    runner = runner_of(live)
    goings(runner, live)
    clock.passes(AWAY_SECONDS)
    assert [player for _, _, player in goings(runner, live)] == [1]


def test_when_an_event_is_over_nobody_comes_or_goes(clock: Clock) -> None:
    live = live_event(class_of("Ada"))
    runner = runner_of(live)
    goings(runner, live)
    clock.passes(AWAY_SECONDS)
    live.event.apply(actions.end(live.event, 0.0))
    assert goings(runner, live) == []


def test_players_who_left_too_often_stay_away(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(actions, "MAX_ABSENCES", 1)
    live = live_event(class_of("Ada", "Bo"))
    runner, number = runner_of(live), live.event.number
    live.event.apply(following(live.event, "away", 1))
    watch(live, 1)
    goings(runner, live)
    clock.passes(AWAY_SECONDS)
    assert goings(runner, live) == [(number + 2, "away", 2)]


def test_an_event_is_watched_through_its_state_or_its_games(clock: Clock) -> None:
    event = class_of("Ada", "Bo")
    paired(event, 1, 2, "G")
    live = live_event(event)
    runner = runner_of(live)
    assert not runner._watched(live)
    runner._games.watched.side_effect = "G".__eq__  # type: ignore[attr-defined]
    assert runner._watched(live)
    runner._games.watched.side_effect = None  # type: ignore[attr-defined]
    live.looked = clock.now
    assert runner._watched(live)
    clock.passes(ASKING_SECONDS)
    assert not runner._watched(live)
    watch(live, None)
    assert runner._watched(live)


# -- games ----------------------------------------------------------------------------------


def test_only_chosen_moves_are_timed() -> None:
    """Not the first one, whose player may not have been there; not while the host had paused."""
    event = class_of("Ada", "Bo")
    event.apply(actions.start(event, 0.0))
    entries = [
        GameEntry(number, seat, kind, text, at)
        for number, (seat, kind, text, at) in enumerate([
            (1, "move", "4", 10.0), (2, "join", "Bo", 11.0), (2, "move", "5", 11.5),
            (1, "move", "pass", 11.6), (2, "move", "6", 13.6), (1, "move", "7", 14.0),
            (1, "move", "resign1", 99.0),
        ], 1)
    ]  # fmt: skip
    assert _timed(event, 2, entries) == Result(2, (400, 3500), (1, 2))
    event.apply(actions.pause(event, 10.5))
    event.apply(actions.resume(event, 11.25))
    assert _timed(event, 1, entries[:3]) == Result(1, (0, 750), (0, 1))
    assert _timed(event, 0, entries[:2]) == _timed(event, 0, []) == Result(0, (0, 0), (0, 0))


def room(**facts: Any) -> Any:
    """A game as it is looked at."""
    seats = {1: Seat("human", "Ada", "token 1", None), 2: Seat("human", "Bo", "token 2", None)}
    return SimpleNamespace(**{"id": "G", "over": False, "computer": None, "seats": seats} | facts)


def checked(facts: Any) -> tuple[list[str], MagicMock]:
    """What a check does with a game of Ada and Bo."""
    event = class_of("Ada", "Bo")
    paired(event, 1, 2, "G")
    runner = runner_of(live_event(event))
    done: list[str] = []

    async def finish(code: str, _: Any) -> None:
        done.append(f"finish {code}")

    async def look(game: str, _: Any) -> None:
        done.append(f"look {game}")

    runner._finish = finish  # type: ignore[method-assign,assignment]
    games: Any = runner._games
    games.look = look
    games.refresh, games.append = AsyncMock(), AsyncMock()
    there = games.locked.return_value.__aenter__.return_value
    there.room = MagicMock(seats=dict(facts.seats))
    there.room.entry = lambda *words: words
    games.in_memory.return_value = SimpleNamespace(room=facts)
    (pairing,) = event.open_pairings
    asyncio.run(runner._check_game(CODE, event, pairing))
    return done, games


def test_a_game_that_is_over_is_noted_and_the_computer_goes_on_in_others() -> None:
    assert checked(room(over=True, computer=2))[0] == [f"finish {CODE}"]
    assert checked(room(computer=2))[0] == ["look G"]
    done, games = checked(room())
    assert done == []
    games.append.assert_not_called()


@pytest.mark.parametrize(("winner", "noted"), [(1, 1), (2, 2), (None, 0)])
def test_the_end_of_a_game_is_noted_in_its_event_and_judged(winner: Any, noted: int) -> None:
    event = class_of("Ada", "Bo")
    paired(event, 1, 2, "G")
    runner = runner_of(live_event(event))
    runner.registry.append = append = AsyncMock()  # type: ignore[method-assign]
    runner._judge = AsyncMock()  # type: ignore[method-assign]
    runner._games.log = AsyncMock(return_value=[])  # type: ignore[method-assign]
    runner._spawn = asyncio.run  # type: ignore[assignment]
    over = MagicMock(id="G", event=CODE)
    over.match.state.winner = winner
    runner.on_game_over(over)
    ((_, (entry,)), _), *_ = append.call_args_list
    assert (entry.kind, entry.data["id"], entry.data["winner"]) == ("result", "G", noted)
    runner._judge.assert_called_once_with(CODE, over)
    runner.on_game_over(MagicMock(event=None))
    runner._judge.assert_called_once()


# -- judging --------------------------------------------------------------------------------


def played() -> LiveEvent:
    """An event with a game G that was played, and one H that goes on."""
    event = class_of("Ada", "Bo", "Cy", "Di")
    paired(event, 1, 2, "G")
    paired(event, 3, 4, "H")
    event.apply(actions.result(event, "G", Result(1, (0, 0), (0, 0)), 0.0))
    return live_event(event)


def test_a_game_waits_for_judgement_from_its_end_until_it_has_one() -> None:
    live = played()
    assert [_waits_for_judgement(live, game) for game in "GHX"] == [True, False, False]
    live.judging_failures["G"] = event_runner.MAX_JUDGING - 1
    assert _waits_for_judgement(live, "G")
    live.judging_failures["G"] += 1
    assert not _waits_for_judgement(live, "G"), "it was tried often enough"
    live.judging_failures.clear()
    live.event.apply(
        actions.judge(live.event, "G", Judgement((Accuracy(1, 1), Accuracy(1, 1)), ()), 0.0)
    )
    assert not _waits_for_judgement(live, "G")


def test_a_game_that_is_being_judged_is_not_judged_again() -> None:
    live = played()
    runner = runner_of(live)
    runner._solvers.ask = AsyncMock()  # type: ignore[method-assign]
    live.judging.add("G")
    asyncio.run(runner._judge(CODE, MagicMock(id="G")))
    asyncio.run(runner._judge(CODE, MagicMock(id="H")))
    runner._solvers.ask.assert_not_called()
    assert live.judging == {"G"}


# -- what is due ----------------------------------------------------------------------------


def test_everybody_is_told_when_the_time_is_up(clock: Clock) -> None:
    event = class_of("Ada", "Bo", format="arena", minutes=1)
    event.apply(actions.start(event, clock.now))
    live = live_event(event)
    runner = runner_of(live)
    runner.direct = AsyncMock()  # type: ignore[method-assign]
    live.check_due = float("inf")
    watch(live, 1)
    watch(live, 2)
    assert live.state
    finished(runner._tick(live))
    assert clock.timers == []
    clock.passes(60)
    finished(runner._tick(live))
    assert len(clock.timers) == 1


def test_a_failure_in_one_event_does_not_stop_another(caplog: pytest.LogCaptureFixture) -> None:
    runner = runner_of()

    async def failing(error: Exception) -> None:
        raise error

    for usual in (NoEvent("Gone."), BadEvent("Too late."), Busy("Later.")):
        finished(runner._alone(failing(usual)))
    assert caplog.records == []
    finished(runner._alone(failing(ValueError("a bug"))))
    assert [record.message for record in caplog.records] == ["failed in the background"]
