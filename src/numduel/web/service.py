"""The house where games are played: who may do what, and what the computer answers."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from random import SystemRandom
from typing import Any, TypeVar

from sqlalchemy import update

from numduel.core.errors import BadVariant, IllegalMove, NumduelError
from numduel.core.game import Game
from numduel.core.text import DEFAULT_NAMES, HUMAN, player_name
from numduel.match import begin
from numduel.web import metrics
from numduel.web.database import Database
from numduel.web.errors import Conflict, Forbidden, Taken
from numduel.web.registry import PAUSE, LiveGame, Registry, write_down
from numduel.web.room import Entry, Room, attempted, digest
from numduel.web.schema import seats
from numduel.web.solvers import Solvers

log = logging.getLogger(__name__)
T = TypeVar("T")
LONGEST = 4_000
"""Entries after which a game takes no more moves back: no game needs a quarter of them."""
TRIES = 3
PATIENCE = 15
"""Pauses before the computer is asked again, at most, when it could not answer."""
_chance = SystemRandom()


class GameService:
    """Every game on the server, and everything that people do there."""

    def __init__(self, database: Database, solvers: Solvers) -> None:
        self.registry = Registry(database, self._attend)
        self._solvers = solvers

    # -- what people do ---------------------------------------------------------------------

    async def create(
        self,
        game: Game,
        *,
        opponent: str,
        seat: int,
        first: int | None,
        pie: bool,
        forgiving: bool,
        name: str,
        moves: str,
    ) -> tuple[str, str, str | None]:
        """A new game: its id, the creator's token, and the invitation for a friend."""
        token, friend = secrets.token_urlsafe(32), opponent == "friend"
        invite = secrets.token_urlsafe(16) if friend else None
        first = _chance.choice((1, 2)) if first is None else first
        forgiving = forgiving and game.strict
        names = [player_name(name, seat), DEFAULT_NAMES[2 - seat]]
        if not friend:
            names[1] = f"Computer ({opponent})"
        if names[0].casefold() == names[1].casefold():
            raise BadVariant("That is the name of the other player; choose another.")
        entries, deck = _opening(game, first, pie, moves)
        header = _header(game, first, pie, forgiving, deck)
        sits = [
            _seat(seat, HUMAN, names[0], digest(token), None),
            _seat(3 - seat, HUMAN if friend else opponent, names[1], None,
                  digest(invite) if invite else None),
        ]  # fmt: skip
        await self.registry.found(header, sits, entries)
        return header["id"], token, invite

    async def join(self, id: str, invite: str, name: str) -> tuple[int, str]:
        """Take the free seat: the seat, and the token that proves it."""
        return await self._retried(lambda: self._join(id, invite, name))

    async def _join(self, id: str, invite: str, name: str) -> tuple[int, str]:
        token = secrets.token_urlsafe(32)
        async with self.registry.held(id) as live:
            room = live.room
            seat = room.invited_to(invite)
            if seat is None:
                raise Forbidden("This invitation is not for this game; ask for the link again.")
            if room.seats[seat].taken:
                raise Taken("The seat is taken: an invitation works once. You can watch.")
            if room.over:
                raise Taken("The game is over. You can look at it.")
            called = player_name(name, seat)
            if called.casefold() == room.seats[3 - seat].name.casefold():
                raise BadVariant("That is the name of the other player; choose another.")
            entry = Entry(room.number + 1, seat, "join", called, time.time())
            here = (seats.c.game == id) & (seats.c.seat == seat)
            taking = update(seats).where(here).values(token=digest(token))
            await self.registry.append(live, [entry], lambda write: write.execute(taking))
            room.apply(entry)
            room.seats[seat].token = digest(token)
            self.registry.changed(live)
        return seat, token

    async def move(self, id: str, token: str | None, move: str, after: int) -> None:
        """Make a move, if it is this player's turn and they saw how the game stands."""
        async with self.registry.held(id) as live:
            room = await self._turn(live, token, after)
            seat = room.match.state.to_move
            await self._played(live, seat, attempted(room.match, move))

    async def resign(self, id: str, token: str | None, after: int) -> None:
        """Give up, on one's turn."""
        async with self.registry.held(id) as live:
            room = await self._turn(live, token, after)
            seat = room.match.state.to_move
            room.match.resign()
            await self._played(live, seat, ["resign"])

    async def undo(self, id: str, token: str | None, say: str, after: int) -> None:
        """Ask to take a move back, or answer who asks. A computer always agrees."""
        async with self.registry.held(id) as live:
            seat = await self._seated(live, token)
            room = await self._seen(live, after)
            if room.over:
                raise Forbidden("The game is over: nothing can be taken back.")
            if room.number >= LONGEST:
                raise Forbidden("This game has gone on too long to take anything back.")
            if say == "ask":
                if not room.match.decided(seat):
                    raise Forbidden("You have made no move that could be taken back.")
                if room.asks is not None:
                    raise Conflict("There is a request to take a move back already.")
                kind, whose = ("ask" if room.two_people else "undo"), seat
            elif room.asks != 3 - seat:
                raise Conflict("Nobody asks you to take a move back any more.")
            else:
                kind, whose = ("undo" if say == "accept" else "refuse"), 3 - seat
            entry = Entry(room.number + 1, whose, kind, "", time.time())
            await self.registry.append(live, [entry])
            room.apply(entry)
            self.registry.changed(live)

    async def rematch(self, id: str, token: str | None) -> str | None:
        """Offer another game or agree to one: its id as soon as both want it."""
        return await self._retried(lambda: self._rematch(id, token))

    async def _retried(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do what is meant in whatever way the game stands, also if it moves on meanwhile."""
        for _ in range(TRIES):
            try:
                return await work()
            except Taken:
                raise
            except Conflict:
                continue
        raise Conflict("The game is busy; try again.")

    async def _rematch(self, id: str, token: str | None) -> str | None:
        async with self.registry.held(id) as live:
            seat = await self._seated(live, token)
            room = live.room if live.room.over else await self.registry.renewed(live)
            if not room.over:
                raise Forbidden("There can be another game when this one is over.")
            if room.rematch is not None or (room.two_people and room.offers == seat):
                return room.rematch
            again = None
            if not room.two_people or room.offers == 3 - seat:
                again = self._again(room)
                metrics.GAMES.inc()
            text = again[0]["id"] if again else ""
            entry = Entry(room.number + 1, seat, "rematch", text, time.time())
            await self.registry.append(
                live, [entry], None if again is None else lambda write: write_down(write, *again)
            )
            room.apply(entry)
            self.registry.changed(live)
            return room.rematch

    # -- what people see --------------------------------------------------------------------

    async def opened(self, id: str, token: str | None, *, ended: bool = False) -> Room:
        """A room whose values may be seen: two people see them when their game is over."""
        async with self.registry.held(id) as live:
            room = live.room if live.room.over else await self.registry.renewed(live)
            if room.two_people and not room.over:
                raise Forbidden("Values and hints are for afterwards: two people are playing.")
            if ended and not room.over:
                raise Forbidden("The report is made when the game is over.")
            if not room.over:
                await self._seated(live, token)
            return room

    async def record(self, id: str) -> str:
        """A game in the notation, as a file holds it."""
        async with self.registry.held(id) as live:
            return live.room.record.text()

    async def _seated(self, live: LiveGame, token: str | None) -> int:
        """The seat that a token proves."""
        seat = await self.registry.seat(live, token)
        if seat is None:
            raise Forbidden("You have no seat in this game; you can watch.")
        return seat

    async def _seen(self, live: LiveGame, after: int) -> Room:
        """The room, if somebody saw it as it is now."""
        room = live.room
        if room.number < after:
            room = await self.registry.renewed(live)
        if room.number != after:
            raise Conflict("The game has moved on since you looked; look again.")
        return room

    async def _turn(self, live: LiveGame, token: str | None, after: int) -> Room:
        """The room, if it is the turn of who holds the token."""
        seat = await self._seated(live, token)
        room = await self._seen(live, after)
        if room.over:
            raise Conflict("The game is over.")
        if room.match.state.to_move != seat:
            raise Forbidden("It is not your turn.")
        return room

    # -- writing ----------------------------------------------------------------------------

    async def _played(self, live: LiveGame, seat: int, tokens: list[str]) -> None:
        """Write down moves that the match has made already, then tell everybody."""
        room, now = live.room, time.time()
        entries: list[Entry] = []
        for token in tokens:
            entries.append(Entry(room.number + 1 + len(entries), seat, "move", token, now))
            seat = 3 - seat
        await self.registry.append(live, entries)
        room.number, room.asks = entries[-1].number, None
        metrics.MOVES.labels(room.match.state.game.name).inc(len(entries))
        self.registry.changed(live)

    def _again(self, room: Room) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Another game of the same kind between the same two; the other begins."""
        state = room.match.state
        deck = _shuffled(state.game, ())
        header = _header(
            state.game, 3 - room.header["first"], room.header["pie"], room.header["forgiving"], deck
        )
        sits = [
            _seat(number, seat.player, seat.name, seat.token, None)
            for number, seat in room.seats.items()
        ]
        return header, sits

    # -- the computer -----------------------------------------------------------------------

    def _attend(self, live: LiveGame) -> None:
        """Have the computer answer, if it is to move. Several processes may do so at once: the
        log takes one answer."""
        if live.room.computer is not None and not live.thinking:
            live.thinking = True
            self.registry.go(self._answer(live))

    async def _answer(self, live: LiveGame) -> None:
        """Make the computer's move, however often that takes."""
        again = False
        try:
            await self._think(live)
            live.failed = 0
            # Where the opponent had to pass, it is the computer's turn again.
            again = live.told is not None and live.told.computer is not None
        except Conflict:
            again = True  # Somebody was faster, or took something back.
        except NumduelError as error:
            log.warning("no answer", extra={"game": live.id, "why": str(error)})
            live.failed += 1
            await asyncio.sleep(PAUSE * min(live.failed, PATIENCE))
            again = bool(live.watchers)
        finally:
            live.thinking = False
        if again:
            self.registry.go(self.registry.retell(live))

    async def _think(self, live: LiveGame) -> None:
        """Ask for the computer's move, and make it. A solver that fails again and again must not
        end the game: any move goes on with it."""
        number, kind, state = live.room.number, live.room.computer, live.room.match.state
        wanted = "random" if live.failed >= TRIES else kind
        move = await self._solvers.ask("choose", wanted, state)
        async with self.registry.held(live.id) as live:
            if live.room.number != number or live.room.computer != kind:
                raise Conflict("The game has moved on.")
            await self._played(live, state.to_move, attempted(live.room.match, move))


def _header(game: Game, first: int, pie: bool, forgiving: bool, deck: str) -> dict[str, Any]:
    """The row of a new game, with an id that nobody guesses."""
    return {
        "id": secrets.token_urlsafe(9),
        "game": game.id,
        "variant": " ".join(f"{name}={value}" for name, value in game.settings.items()),
        "first": first,
        "pie": pie,
        "forgiving": forgiving,
        "deck": deck,
        "created": time.time(),
    }


def _seat(
    seat: int, player: str, name: str, token: str | None, invite: str | None
) -> dict[str, Any]:
    return {"seat": seat, "player": player, "name": name, "token": token, "invite": invite}


def _opening(game: Game, first: int, pie: bool, moves: str) -> tuple[list[Entry], str]:
    """The entries and the deck of a game that begins from a position."""
    state = game.start(first=first, pie=pie)
    for number, token in enumerate(moves.split(), 1):
        try:
            state = state.follow(token)
        except IllegalMove as error:
            raise IllegalMove(f"Move {number} ({token[:20]}): {error}") from None
    if state.winner is not None:
        raise BadVariant("That game is over: begin from an earlier position.")
    deck = _shuffled(game, game.drawn(state))
    cards = tuple(map(int, deck.split())) or None
    match = begin(game, first=first, pie=pie, deck=cards)
    entries: list[Entry] = []
    for token in map(str, state.moves):
        seat = match.state.to_move
        match.follow(token)
        entries.append(Entry(len(entries) + 1, seat, "move", token, time.time()))
    while match.state.forced_pass:
        entries.append(Entry(len(entries) + 1, match.state.to_move, "move", "pass", time.time()))
        match.play("pass")
    return entries, deck


def _shuffled(game: Game, top: tuple[int, ...]) -> str:
    """A whole deck that begins with some cards, for the database."""
    rest = list(game.cards) if game.has_deck else []
    for card in top:
        rest.remove(card)
    _chance.shuffle(rest)
    return " ".join(map(str, (*top, *rest)))
