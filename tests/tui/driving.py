"""Driving the full-screen app: keys, waiting until it rests, and what is on the screen.

Nothing here looks at a clock. The app rests when its event loop has nothing to do but to wait for a
thread or for a timer, and when no frame is due; what a thread brings is waited for as a condition.
"""

from __future__ import annotations

import asyncio
from asyncio import TimerHandle
from collections.abc import Awaitable, Callable
from contextvars import Context
from selectors import DefaultSelector, SelectorKey
from threading import Event
from typing import Any, TypeVar, TypeVarTuple
from unittest import mock

from rich.console import Console
from textual._compositor import Compositor
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Static

import numduel
from numduel.activities.keeping import new_game
from numduel.core.state import Move, State
from numduel.play.match import begin
from numduel.tui.app import NumduelApp
from numduel.tui.board_screen import BoardScreen
from numduel.tui.play import Play
from tests.plugins.limit import remaining

FRAME = 0.04
"""Seconds within which Textual draws a frame that is due: it waits for a sixtieth, or for two."""
PATIENCE = 30.0
"""Seconds after which Textual gives up; a busy machine may take longer."""
USUAL, PHONE, LARGE = (80, 24), (40, 12), (120, 40)
"""Sizes of a terminal; in each the parts of a screen are arranged otherwise."""
LOST = """Game: sequence-duel
Player 2: hard
Name 1: Ada
Date: 2026-01-02 10:00:00

1 5 9 4 8 6
"""
"""Ada lost, and could have won."""
Given = TypeVarTuple("Given")
Opened = TypeVar("Opened", bound=Screen[Any])
Steps = Callable[[NumduelApp, "Pilot[None]"], Awaitable[None]]


class Slow:
    """A player who moves only when let go."""

    def __init__(self) -> None:
        self.asked, self.may_go = Event(), Event()

    def choose(self, state: State) -> Move:
        """The first legal move."""
        self.asked.set()
        self.may_go.wait(remaining())
        return state.legal_moves[0]


class Watched(DefaultSelector):
    """Tells when a loop has nothing to do: it asks then how long it may sleep."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[tuple[asyncio.Future[None], float]] = []
        """Futures to set, and for how long there has to be nothing to do."""

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        told = [each for each in self.waiting if timeout is None or timeout > each[1]]
        for each in told:
            self.waiting.remove(each)
            if not each[0].done():
                each[0].set_result(None)
        return super().select(0 if told else timeout)


class Loop(asyncio.SelectorEventLoop):
    """An event loop that can be waited for."""

    def __init__(self) -> None:
        self._watched = Watched()
        super().__init__(self._watched)

    def call_later(
        self,
        delay: float,
        callback: Callable[[*Given], object],
        *args: *Given,
        context: Context | None = None,
    ) -> TimerHandle:
        """Call something after a while. What would give up does so at the end of the run."""
        delay = remaining() if delay >= PATIENCE else delay
        return super().call_later(delay, callback, *args, context=context)

    async def idle(self, seconds: float) -> None:
        """Wait until there is nothing to do for some time, unless a thread brings something."""
        told = self.create_future()
        self._watched.waiting.append((told, seconds))
        await told


async def idle(*_: float) -> None:
    """Replaces Textual's own, which waits until the processor is idle: that takes long on a busy
    machine and proves little."""
    await _rest(0)


def unseen(compositor: Compositor, full: bool = False, **_: object) -> None:
    """Replaces drawing, a third of what an app costs, where no test looks; the layout is done
    nevertheless."""
    assert not full, "a test that looks at the screen has it painted"
    compositor._dirty_regions.clear()


async def _rest(seconds: float) -> None:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, Loop)
    await loop.idle(seconds)


def running(steps: Steps, size: tuple[int, int] = USUAL) -> None:
    """Run the app, and do something in it."""

    async def run() -> None:
        app = NumduelApp()
        app.animation_level = "none"
        async with app.run_test(size=size) as pilot:
            await steps(app, pilot)

    with asyncio.Runner(loop_factory=Loop) as runner:
        runner.run(run())


async def settled(app: NumduelApp) -> None:
    """Wait until everything is computed and drawn."""
    computed = False
    while not computed:
        computed = not len(app.workers)
        await _rest(FRAME)
        if len(app.workers):
            await app.workers.wait_for_complete()
            computed = False


async def opened(kind: type[Opened], app: NumduelApp, pilot: Pilot[None], *keys: str) -> Opened:
    """Press keys that lead to a screen of this kind."""
    await pilot.press(*keys)
    await settled(app)
    assert isinstance(app.screen, kind)
    return app.screen


async def until(app: NumduelApp, true: Callable[[], bool]) -> None:
    """Wait for something that another thread brings."""
    while not true():
        assert remaining(), drawn(app)
        await asyncio.sleep(0.01)
    await _rest(FRAME)


def drawn(app: NumduelApp) -> str:
    """The screen as text."""
    with mock.patch.object(Console, "export_svg", lambda console, **_: console.export_text()):
        lines = app.export_screenshot().split("\n")
    return "\n".join(line.rstrip() for line in lines[: app.size.height])


def told(app: NumduelApp) -> str:
    """What is said below the board."""
    return "".join(str(part.content) for part in app.screen.query("#told").results(Static))


def shown(screen: BoardScreen) -> str:
    """The moves that led to the position on the board."""
    assert screen.state is not None
    return screen.state.text


def typed(moves: str) -> list[str]:
    """The keys that type moves."""
    return [key for move in moves.split() for key in (*move, "enter")]


def two_people(name: str, **settings: int) -> Play:
    """A game of two people."""
    return Play(new_game(begin(numduel.game(name, **settings), seed=4)))
