"""The computer's moves in games."""

from __future__ import annotations

import asyncio
import logging

from numduel.core.errors import NumduelError
from numduel.core.language import N_
from numduel.core.state import State
from numduel.web.games.live import LiveGame, LiveGames
from numduel.web.http.errors import Conflict, Overloaded
from numduel.web.live.registry import RETRY_SECONDS
from numduel.web.solving.solvers import Solvers

log = logging.getLogger(__name__)
MAX_ATTEMPTS = 3
"""Attempts before a failing solver is replaced by a short search."""
MAX_BACKOFF_PAUSES = 15
"""The longest wait before the computer is asked again, in pauses of `RETRY_SECONDS`."""


class Computer:
    """Makes the computer's moves in all games in memory."""

    def __init__(self, games: LiveGames, solvers: Solvers) -> None:
        self._games = games
        self._solvers = solvers
        self._spawn = games.bus.background.spawn
        games.wake_computer = self.wake

    def wake(self, live: LiveGame) -> None:
        """Start the computer's move, if it is its turn. One process thinks where two levels play
        each other; elsewhere several may do so at once. The log takes one move."""
        if live.thinking is not None and live.thinking_of != live.room.number:
            live.thinking.cancel()
        if live.room.computer is None or self._games.halted(live.room):
            return
        if live.room.without_people and not self._games.bus.presence.chosen(live.id):
            return
        if not live.computer_running:
            live.computer_running = True
            self._spawn(self._run(live))

    async def _run(self, live: LiveGame) -> None:
        """Make the computer's move. After a failure try again, at longer and longer intervals, as
        long as somebody watches, and whenever somebody looks."""
        changed = answered = False
        try:
            await self._move(live)
            live.computer_failures, answered = 0, True
        except Conflict:
            answered = True  # Another process was quicker, or the game has moved on.
        except Overloaded:
            await asyncio.sleep(RETRY_SECONDS * MAX_BACKOFF_PAUSES)
            changed = bool(live.watchers)
        except NumduelError as error:
            log.warning("no answer", extra={"game": live.id, "why": str(error)})
            live.computer_failures += 1
            await asyncio.sleep(RETRY_SECONDS * min(live.computer_failures, MAX_BACKOFF_PAUSES))
            changed = bool(live.watchers)
        finally:
            live.computer_running = False
        if changed:
            self._spawn(self._games.reload(live))
        elif answered and live.loaded is not None:
            self.wake(live)  # It may be its turn again.

    async def _move(self, live: LiveGame) -> None:
        """Work out the computer's move, and make it. If that keeps failing, a short search plays
        instead, and the game says that it is estimated."""
        number, kind, state = live.room.number, live.room.computer, live.room.match.state
        player = "search" if live.computer_failures >= MAX_ATTEMPTS else kind
        move, estimated = await self._thought(live, number, player, state)
        async with self._games.locked(live.id) as live:
            if live.room.number != number or live.room.computer != kind:
                raise Conflict(N_("The game has moved on."))
            if self._games.halted(live.room):
                raise Conflict(N_("The game stands still."))
            entries = live.room.entries_for_move(move, estimated=estimated)
            await self._games.append(live, entries)

    async def _thought(
        self, live: LiveGame, number: int, player: str | None, state: State
    ) -> tuple[str, bool]:
        """The computer's move, and whether it is an estimate. Raises `Conflict` if the game moves
        on meanwhile."""
        choosing = self._solvers.ask("choose", player, state, seat=live.known_key)
        live.thinking = asyncio.ensure_future(choosing)
        live.thinking_of = number
        try:
            await asyncio.wait((live.thinking,))
            if live.thinking.cancelled():
                raise Conflict(N_("The game has moved on."))
            return live.thinking.result()
        finally:
            live.thinking.cancel()
            live.thinking = None
