"""What people can do in games, and who may do it."""

from __future__ import annotations

import time
from dataclasses import replace
from random import SystemRandom
from typing import NamedTuple, Protocol

from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.language import N_, _
from numduel.core.text import HUMAN, player_name
from numduel.web.games.bodies import New
from numduel.web.games.live import LiveGame, LiveGames
from numduel.web.games.room import Entry, Room, Seat, opening_entries
from numduel.web.games.rows import NewGame, new_game, new_id
from numduel.web.http.errors import Conflict, Forbidden, Taken, TooSoon
from numduel.web.live.registry import retried
from numduel.web.people.keys import Proof, derive, digest, matching, new_key
from numduel.web.solving.solvers import Solvers

MAX_WAITING = 4
"""Requests for the seat of one game that may wait for an answer at the same time."""
MAX_REQUESTS = 20
"""Requests for the seat of one game in all."""
MAX_OFFERS = 20
"""Times that the seat of one game may be offered again."""
REMARK_SECONDS = 2.0
"""Seconds between two remarks of a player."""
ID_LENGTH = 12
"""Characters of the id of a new game: 72 bits, which nobody can guess."""
INVITE_LENGTH = 22
"""Characters of an invitation: 132 bits."""
_system_random = SystemRandom()


class Seated(NamedTuple):
    """What somebody who has just taken a seat is told."""

    id: str
    seat: int
    invite: str | None
    """The secret in the link for a friend."""
    text: str
    """The game as JSON."""


class Events(Protocol):
    """What games need to know about their events."""

    async def help_is_refused(self, proof: Proof, game: Game, *, noted: bool = True) -> bool:
        """Whether somebody plays a game in an event that goes on, and so gets no help with it. That
        they asked is `noted` for the host."""


class GameService:
    """The games on the server, and what people do in them."""

    def __init__(self, games: LiveGames, events: Events, solvers: Solvers) -> None:
        self.registry = games
        self._events = events
        self._solvers = solvers

    # -- sitting down -----------------------------------------------------------------------

    async def create(self, game: Game, new: New, token: str) -> Seated:
        """Create a game against a friend, somebody on the same screen, or the computer.
        Idempotent: the same token and nonce give the same game."""
        friend, here = new.opponent == "friend", new.opponent == "here"
        id = derive(token, "game", new.nonce or new_key())[:ID_LENGTH]
        invite = _invitation(token, id, 0) if friend else None
        first = _system_random.choice((1, 2)) if new.first == "random" else new.first
        names = [player_name(new.name, new.seat), player_name(new.name2, 3 - new.seat)]
        if new.name2 and not here:
            raise BadVariant(_("A second name is only for two people on one screen."))
        if not (friend or here):
            names[1] = f"Computer ({new.opponent})"
        if names[0].casefold() == names[1].casefold():
            raise BadVariant(_("The other player has that name; choose another."))
        state, entries = opening_entries(game, first, new.moves)
        if new.moves and not (friend or here):  # from a position that was chosen: as after an undo
            entries.append(Entry(len(entries) + 1, new.seat, "help", "undo", time.time()))
        own = Seat(HUMAN, names[0], digest(token), None)
        other = Seat(
            HUMAN if friend or here else new.opponent,
            names[1],
            digest(token) if here else None,
            digest(invite) if invite else None,
        )
        rows = new_game(
            id,
            game,
            [own, other] if new.seat == 1 else [other, own],
            first=first,
            forgiving=new.forgiving,
            entries=entries,
            drawn=game.drawn(state),
        )
        live = await self.registry.create(rows)
        if live is None:
            return await self._created_before(id, token)
        live.known_key = self.registry.bus.known.remember(digest(token))
        seat = 1 if here else new.seat
        return Seated(id, seat, invite, live.json(seat))

    async def _created_before(self, id: str, token: str) -> Seated:
        """The game that the same request has created before: its answer was lost."""
        async with self.registry.locked(id) as live:
            seat = await self._require_seat(live, (token,))
            free = live.room.free_seat
            invite = None if free is None else _invitation(token, id, live.room.offers)
            return Seated(id, seat, invite, live.json(seat))

    @retried
    async def join(self, id: str, proof: Proof, invite: str, name: str) -> Seated:
        """Take the free seat. Idempotent: a player who has taken it keeps it."""
        async with self.registry.locked(id) as live:
            if not live.room.invited_to(invite):
                await self.registry.refresh(live)
            room = live.room
            seat, own = room.invited_to(invite), room.seat_of(proof)
            if seat is None:
                raise Forbidden(N_("This invitation is not for this game; ask for the link again."))
            if own is not None and own != seat:
                raise Taken(
                    N_("You already have a seat in this game; the invitation is for a friend.")
                )
            if own is None:
                if room.seats[seat].taken:
                    raise Taken(N_("The seat is taken: an invitation works once. You can watch."))
                entry = room.entry(seat, "join", _newcomer(room, seat, name), digest(proof[0]))
                await self.registry.append(live, [entry])
                self.registry.bus.known.remember(digest(proof[0]))
            return Seated(id, seat, None, live.json(seat))

    async def offer_seat(self, id: str, proof: Proof, after: int) -> tuple[str, str]:
        """The invitation for the other seat, and the game. A player who has joined but not moved
        yet loses the seat: their answer may have been lost, or somebody else was meant."""
        async with self.registry.locked(id) as live:
            seat = await self._require_seat(live, proof)
            taken = live.room.seats[3 - seat].taken
            room = await self._require_number(live, after) if taken else live.room
            other = room.seats[3 - seat]
            if other.invite is None:
                raise Forbidden(N_("The other seat of this game cannot be offered."))
            if room.over:
                raise Conflict(N_("The game is over."))
            if other.taken and room.newcomer != 3 - seat:
                raise Forbidden(N_("The other player has already moved; the seat is theirs."))
            token = matching(proof, room.seats[seat].token) or ""
            invite = _invitation(token, id, room.offers)
            if other.taken or room.invited_to(invite) is None:
                if room.offers >= MAX_OFFERS:
                    raise Forbidden(N_("This seat has been offered too often; start another game."))
                invite = _invitation(token, id, room.offers + 1)
                free = player_name("", 3 - seat)
                entry = room.entry(3 - seat, "offer", free, digest(invite))
                await self.registry.append(live, [entry])
            return invite, live.json(seat)

    @retried
    async def seat_of(self, id: str, keys: Proof) -> tuple[int | None, str]:
        """The seat that keys prove, if any, and the game."""
        async with self.registry.locked(id) as live:
            seat = await self.registry.who(live, keys)
            return seat, live.json(seat)

    @retried
    async def request_seat(self, id: str, proof: Proof, name: str) -> tuple[int, str]:
        """Ask for the free seat without an invitation. Returns the number of the request, and the
        game. Idempotent: asking again returns the same request."""
        async with self.registry.locked(id) as live:
            if await self.registry.who(live, proof) is not None:
                raise Taken(N_("You already have a seat in this game."))
            number = live.room.request_of(proof)
            if number is None:
                entry = _seat_request(live.room, name, digest(proof[0]))
                await self.registry.append(live, [entry])
                number = entry.number
            return number, live.json(None)

    @retried
    async def answer_request(self, id: str, proof: Proof, number: int, accept: bool) -> str:
        """Accept or refuse a request for the free seat."""
        async with self.registry.locked(id) as live:
            seat = await self._require_seat(live, proof)
            if number not in live.room.requests:
                await self.registry.refresh(live)
            room = live.room
            request = room.requests.get(number)
            if request is None:
                raise Taken(N_("They are no longer asking for the seat."))
            if accept:
                entry = room.entry(3 - seat, "join", request.name, request.token)
            else:
                entry = room.entry(3 - seat, "decline", str(number))
            await self.registry.append(live, [entry])
            return live.json(seat)

    # -- playing ----------------------------------------------------------------------------

    async def move(self, id: str, proof: Proof, move: str, after: int) -> str:
        """Make a move, if it is this player's turn and they have seen the newest state."""
        async with self.registry.locked(id) as live:
            seat = await self._require_seat(live, proof)
            room = await self._require_number(live, after)
            if room.over:
                raise Conflict(N_("The game is over."))
            if room.match.state.to_move != room.acting_seat(seat):
                raise Forbidden(N_("It is not your turn."))
            if reason := self.registry.halted(room):
                raise Forbidden(reason)
            entries = room.entries_for_move(move)
            other = room.seats[3 - seat].player
            self._solvers.admit(other, room.match.state.game, live.known_key)
            live.asked[seat] = time.monotonic()
            await self.registry.append(live, entries)
            return live.json(seat)

    async def resign(self, id: str, proof: Proof, after: int) -> str:
        """Resign, whoever's turn it is."""
        async with self.registry.locked(id) as live:
            seat = await self._require_seat(live, proof)
            room = await self._require_number(live, after)
            if room.over:
                raise Conflict(N_("The game is over."))
            if reason := self.registry.halted(room):
                raise Forbidden(reason)
            entry = room.entry_for_resign(room.acting_seat(seat))
            await self.registry.append(live, [entry])
            return live.json(seat)

    async def undo(self, id: str, proof: Proof, say: str, after: int) -> str:
        """Ask to take a move back, or answer that. A computer always agrees, and on one screen
        nobody is asked."""
        async with self.registry.locked(id) as live:
            seat = await self._require_seat(live, proof)
            room = await self._require_number(live, after)
            if say == "ask":
                if refusal := room.undo_refusal(seat):
                    raise Forbidden(refusal)
                if room.undo_asked_by is not None:
                    raise Conflict(N_("There is already a request to take a move back."))
                entry = room.entry(seat, "ask") if room.remote else room.entry_for_undo(seat)
            elif room.undo_asked_by != 3 - seat:
                raise Conflict(N_("The other player is no longer asking to take a move back."))
            elif say == "accept":
                entry = room.entry_for_undo(3 - seat)
            else:
                entry = room.entry(3 - seat, "refuse")
            await self.registry.append(live, [entry])
            return live.json(seat)

    @retried
    async def rematch(self, id: str, proof: Proof) -> str:
        """Offer a rematch or accept one. Idempotent: doing it again changes nothing."""
        async with self.registry.locked(id) as live:
            seat = await self._require_seat(live, proof)
            if live.room.event is not None:
                raise Forbidden(N_("In an event, your next opponent is found for you."))
            if not live.room.over:
                await self.registry.refresh(live)
            room = live.room
            if not room.over:
                raise Forbidden(N_("You can have a rematch when this game is over."))
            if room.rematch is None and (not room.remote or room.rematch_offered_by != seat):
                offered = room.rematch_offered_by is not None
                agreed = not room.remote or offered
                new = _rematch_of(room) if agreed else None
                entry = room.entry(seat, "rematch", new.id if new else "")
                await self.registry.append(live, [entry], [new] if new else [])
            return live.json(seat)

    async def say(self, id: str, proof: Proof, what: str) -> str:
        """Say something to the other player, now and then."""
        async with self.registry.locked(id) as live:
            seat = await self._require_seat(live, proof)
            if not live.room.remote:
                raise Forbidden(N_("There is nobody on another screen to talk to."))
            last = live.remarks.get(seat)
            if last is not None and 0 <= time.time() - last["at"] < REMARK_SECONDS:
                raise TooSoon(N_("That was too much at once; wait a moment."))
            self.registry.remark(live, seat, what)
            return live.json(seat)

    # -- looking ----------------------------------------------------------------------------

    async def record(self, id: str) -> str:
        """A game as a `.duel` record."""
        async with self.registry.locked(id) as live:
            return live.room.record.text()

    async def room_to_analyse(self, id: str, proof: Proof, help: str | None = None) -> Room:
        """A room whose values may be seen: by somebody who plays the computer or with a friend on
        one screen, and by everybody when the game is over. While the game goes on, it
        remembers which `help` that was; without any, it must be over."""
        async with self.registry.locked(id) as live:
            event, over, game = live.room.event, live.room.over, live.room.match.state.game
        if event is None:
            await self.require_no_event(proof, game, noted=not over)
        elif not over:
            await self._events.help_is_refused(proof, game)
        async with self.registry.locked(id) as live:
            if not live.room.over:
                await self.registry.refresh(live)
            room = live.room
            if room.over:
                return room
            if room.event is not None:
                raise Forbidden(
                    N_("This game belongs to an event; values and hints come when it is over.")
                )
            if room.remote:
                raise Forbidden(
                    N_("Two people are playing; values and hints come when the game is over.")
                )
            if help is None:
                raise Forbidden(N_("The report comes when the game is over."))
            seat = await self._require_seat(live, proof)
            if help not in live.room.match.help:
                await self.registry.append(live, [live.room.entry(seat, "help", help)])
            return live.room

    async def require_no_event(self, proof: Proof, game: Game, *, noted: bool = True) -> None:
        """Refuse help with a game to somebody who plays it in an event that goes on: analysing the
        board would be one tab away. Unless they could not know, it is `noted` for the host."""
        if await self._events.help_is_refused(proof, game, noted=noted):
            raise Forbidden(
                _(
                    "You are playing {game} in an event, so there is no help with it until the"
                    " event is over.",
                    game=game.display_name,
                )
            )

    # -- preconditions ----------------------------------------------------------------------

    async def _require_seat(self, live: LiveGame, proof: Proof) -> int:
        seat = await self.registry.who(live, proof)
        if seat is None:
            raise Forbidden(N_("You have no seat in this game; you can watch."))
        return seat

    async def _require_number(self, live: LiveGame, after: int) -> Room:
        """The room, if the client has seen its newest state."""
        if live.room.number < after:
            await self.registry.refresh(live)
        if not live.room.essential <= after <= live.room.number:
            raise Conflict(N_("The game has moved on since you looked; look again."))
        return live.room


def _newcomer(room: Room, seat: int, name: str) -> str:
    if room.over:
        raise Taken(N_("The game is over. You can look at it."))
    chosen = player_name(name, seat)
    if chosen.casefold() == room.seats[3 - seat].name.casefold():
        raise BadVariant(_("The other player has that name; choose another."))
    return chosen


def _seat_request(room: Room, name: str, token: str) -> Entry:
    """The entry of a request for the free seat: a few may wait, each under another name."""
    seat = room.free_seat
    if seat is None:
        raise Taken(N_("Both seats are taken. You can watch."))
    if not name.strip():
        raise BadVariant(_("Please give your name when you ask to play."))
    chosen = _newcomer(room, seat, name)
    if chosen.casefold() in (request.name.casefold() for request in room.requests.values()):
        raise BadVariant(_("Somebody with that name is already asking; choose another."))
    if len(room.requests) >= MAX_WAITING:
        raise Forbidden(N_("Too many people are asking to play just now; try again later."))
    if room.requests_made >= MAX_REQUESTS:
        raise Forbidden(N_("Too many people have asked to play this game. You can watch."))
    return room.entry(seat, "request", chosen, token)


def _invitation(token: str, id: str, offers: int) -> str:
    """The secret in the link for a friend. The creator's token gives it again at any time."""
    return derive(token, "invitation", id, str(offers))[:INVITE_LENGTH]


def _rematch_of(room: Room) -> NewGame:
    """The next game of the same two players: the other one begins, and the score goes on."""
    header = room.header
    entries = [Entry(1, 0, "score", "{} {}".format(*room.score), time.time())]
    return new_game(
        new_id(),
        room.match.state.game,
        [replace(room.seats[number], invite=None) for number in (1, 2)],
        first=3 - header["first"],
        forgiving=header["forgiving"],
        entries=entries,
    )
