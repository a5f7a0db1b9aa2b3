"""What people can do in events, and who may do it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib import import_module
from typing import NamedTuple

import orjson

from numduel.core.errors import BadEvent
from numduel.core.language import N_, _
from numduel.events import actions, director, friendly, names
from numduel.events.event import Asking, Entry, Event, Participant
from numduel.events.review import table_csv
from numduel.events.settings import Settings
from numduel.web.events.live import LiveEvent, LiveEvents
from numduel.web.events.runner import Action, EventRunner
from numduel.web.events.serialise import (
    DoorPage,
    OwnPage,
    class_page,
    door_page,
    own_page,
)
from numduel.web.games.live import LiveGames
from numduel.web.games.rows import new_id
from numduel.web.http.errors import Damaged, Forbidden, NoEvent, TooSoon, Unavailable
from numduel.web.http.middleware.client import at_this_address
from numduel.web.http.tables import Recent, TokenBuckets, shared_tables, table_secret
from numduel.web.live.live import Send, Watcher
from numduel.web.live.registry import retried
from numduel.web.people.guesses import CodeGuesses, Guarded
from numduel.web.people.keys import Proof, derive, digest, is_salted, matching, salted
from numduel.web.solving.solvers import Solvers

MAX_GOING_ON = 200
"""Events that may have begun and not ended, on the whole server."""
CODE_ATTEMPTS = 5.0
"""Wrong personal codes that may be tried at once for a player, from one address."""
CODE_RATE = 1 / 60
"""How many a second after that."""
ADDRESSES = 4
"""How many times as many may be tried from all addresses: one of them alone locks nobody out at the
others."""
EVENT_ATTEMPTS = 30.0
"""Wrong personal codes that may be tried at once in an event, from one address. After that only
players for whom nobody has tried any there can still return."""
EVENT_RATE = 1 / 12
"""How many a second after that."""
JOINS_AT_ONCE = 40.0
"""People who may join an event from one address at once: a class has one. More wait for the
host."""
JOIN_RATE = 1 / 60
"""How many a second after that: latecomers, but not a second class of made-up players."""
ASKS_AT_ONCE = 60.0
"""People from one address who may ask the host of an event at once to let them in."""
ASK_RATE = 1 / 10
"""How many a second after that."""


class Joined(NamedTuple):
    """What somebody is told who has just joined, or asked to."""

    player: int | None
    """None if the host has to let them in."""
    asked: int | None
    """The number of the request, if the host has to let them in."""
    nickname: str
    code: str | None
    """The personal code, if this key may know it."""
    text: str
    """The event as JSON."""


class EventService:
    """The events on the server, and what people do in them."""

    def __init__(
        self, games: LiveGames, events: LiveEvents, solvers: Solvers, folder: str = ""
    ) -> None:
        self.registry = events
        self._runner = EventRunner(games, events, solvers)
        of_player, here, everywhere, guessed, joining, asking = shared_tables(folder, "codes", 6)
        secret = table_secret(folder)
        self._of_player = TokenBuckets(CODE_RATE, CODE_ATTEMPTS, of_player, secret)
        """The wrong personal codes that are left to each player at each address, in all processes
        together."""
        self._of_player_everywhere = TokenBuckets(
            ADDRESSES * CODE_RATE, ADDRESSES * CODE_ATTEMPTS, everywhere, secret
        )
        """The same at all addresses."""
        self._of_event = TokenBuckets(EVENT_RATE, EVENT_ATTEMPTS, here, secret)
        """The same for each event at each address."""
        self._guessed = Recent(guessed, secret)
        """The players for whom a wrong code was tried, each with the address."""
        self._joining = TokenBuckets(JOIN_RATE, JOINS_AT_ONCE, joining, secret)
        """How many may still join each event from each address."""
        self._asking = TokenBuckets(ASK_RATE, ASKS_AT_ONCE, asking, secret)
        """How many may still ask to be let in."""
        self.guesses = CodeGuesses(events.bus.known, folder)

    def _now(self) -> float:
        return self.registry.bus.uptime.now()

    def open(self) -> None:
        """Continue the stored events."""
        self._runner.open()

    # -- taking part ------------------------------------------------------------------------

    async def create(self, settings: Settings, key: str) -> tuple[str, str]:
        """Create an event. Returns its code, and its state. Idempotent: the same key gives the same
        event."""
        created = actions.create(settings, digest(key), self._now())
        code = await self.registry.create(created)
        return code, await self.opened(code, key)

    async def opened(self, code: str, key: str) -> str:
        """The state of an event that was just created, for its host."""
        self.guesses.proved(code, key)
        self.registry.bus.background.spawn(_import_networkx())
        async with self.registry.locked(code) as live:
            return live.json(None)

    @retried
    async def join(self, code: str, proof: Proof, nickname: str) -> Joined:
        """Join an event, or ask the host to be let in. Idempotent: a player who joins again under
        the same nickname stays the same player."""
        async with self._locked(code, proof) as live:
            number, asked = await self.registry.who(live, proof), _asked(live.event, proof)
            if asked is None and not _is_called(live.event, number, nickname):
                entry = await self._join(live, proof[0], nickname)
                number, asked = entry.player or number, _asked(live.event, proof)
            personal = _derived_code(proof[0], live.id)
            if asked is not None:
                # A key at the door has proved nothing: one's own door is open to endless keys.
                return Joined(None, asked.number, asked.nickname, personal, live.json(number))
            self.guesses.proved(live.id, proof[0])
            one = live.event.participants[number or 0]
            known = personal if is_salted(personal, one.code) else None
            return self._joined(live, one, known)

    async def _join(self, live: LiveEvent, key: str, nickname: str) -> Entry:
        """Write the entry of somebody who is let in, or has to wait. Refusals cost nothing."""
        token, code = digest(key), salted(_derived_code(key, live.id))
        here = at_this_address(live.id)
        crowded = not self._joining.has(here, 1.0)
        entry = await self._runner.current(
            live,
            lambda event, now: actions.join(
                event, nickname, now, token=token, code=code, crowded=crowded
            ),
        )
        if entry.kind == "ask" and not self._asking.has(here, 1.0):
            raise TooSoon(N_("Too many people are asking to join; wait a moment."))
        await self.registry.append(live, [entry])
        (self._asking if entry.kind == "ask" else self._joining).spend(here, 1.0)
        return entry

    async def offered_names(self, code: str) -> list[str]:
        """Some friendly nicknames that nobody has in an event."""
        async with self._locked(code) as live:
            return friendly.offer(live.event.is_free)

    async def come_back(self, code: str, proof: Proof, nickname: str, personal: str) -> Joined:
        """Continue in another browser, with the personal code."""
        joined = await self._come_back(code, proof, nickname, personal)
        await self._runner.sync_seats(_read_code(code), joined.player or 0)
        return joined

    @retried
    async def _come_back(self, code: str, proof: Proof, nickname: str, personal: str) -> Joined:
        async with self._locked(code, proof) as live:
            one = live.event.named(nickname[: 4 * names.MAX_NICKNAME])
            if one is None and await self.registry.refresh(live):
                one = live.event.named(nickname)
            number = await self.registry.who(live, proof)
            if one is None or one.number != number:
                one = self._require_code(live, one, personal)
                entry = actions.come_back(live.event, one.number, digest(proof[0]), self._now())
                await self.registry.append(live, [entry])
                self.guesses.proved(live.id, proof[0])
            return self._joined(live, live.event.participants[one.number])

    def _require_code(self, live: LiveEvent, one: Participant | None, personal: str) -> Participant:
        """The player, if the personal code is theirs. Few wrong ones may be tried, and who tries
        them for one player stops no other."""
        wrong = Forbidden(N_("That nickname and those four digits do not match."))
        if one is None or one.code is None:
            raise wrong
        # A new code from the host has a new bucket.
        player, here = f"{live.id} {one.number} {one.code}", at_this_address(live.id)
        player_here = f"{player} {here}"
        if not (
            self._of_player.has(player_here, 1.0)
            and self._of_player_everywhere.has(player, 1.0)
            and (self._of_event.has(here, 1.0) or player_here not in self._guessed)
        ):
            raise TooSoon(
                N_("Too many wrong tries; wait a minute, or ask the host for new digits.")
            )
        if not is_salted(personal, one.code):
            self._of_player.spend(player_here, 1.0)
            self._of_player_everywhere.spend(player, 1.0)
            self._of_event.spend(here, 1.0)
            self._guessed.add(player_here)
            raise wrong
        return one

    def _joined(self, live: LiveEvent, one: Participant, code: str | None = None) -> Joined:
        live.asked[one.number] = time.monotonic()
        return Joined(one.number, None, one.nickname, code, live.json(one.number))

    # -- looking ----------------------------------------------------------------------------

    async def exists(self, code: str) -> bool:
        """Whether there is such an event."""
        try:
            async with self._locked(code):
                return True
        except NoEvent:
            return False
        except Damaged:  # The page says so.
            return True

    async def look(self, code: str, proof: Proof) -> str:
        """The state of an event. A player who keeps asking counts as present."""
        async with self._locked(code, proof) as live:
            live.looked = time.monotonic()
            number = await self.registry.who(live, proof)
            if number is not None:
                live.asked[number] = time.monotonic()
            return live.json(number)

    @asynccontextmanager
    async def watch(
        self, code: str, proof: Proof, send: Send | None = None
    ) -> AsyncIterator[Watcher]:
        """A live channel to an event. A player who watches counts as present."""
        async with self._locked(code, proof) as live:
            id = live.id
        async with self.registry.watch(id, proof, send) as watcher:
            yield watcher

    async def own_page(self, code: str, proof: Proof) -> OwnPage:
        """A player's own games, and what they missed."""
        async with self._locked(code, proof) as live:
            number = await self.registry.who(live, proof)
            if number is None:
                raise Forbidden(N_("You are not taking part in this event."))
            return own_page(live.event, number, self._now())

    async def door_page(self, code: str, host: Proof) -> DoorPage:
        """Who waits at the door, who was removed, and who asked for help, for the host."""
        async with self._hosted(code, host) as live:
            return door_page(live.event)

    async def class_page(self, code: str, host: Proof) -> bytes:
        """What the class missed, as JSON, for the host."""
        async with self._hosted(code, host) as live:
            return live.once("class page", lambda event: orjson.dumps(class_page(event)))

    async def table(self, code: str, host: Proof, *, comma: bool = False) -> bytes:
        """The table for a spreadsheet, for the host."""
        async with self._hosted(code, host) as live:
            # Without a byte order mark Excel takes it for another encoding.
            return live.once(
                f"table, {comma=}", lambda event: table_csv(event, comma=comma).encode("utf-8-sig")
            )

    # -- what the host does -----------------------------------------------------------------

    async def check_host(self, code: str, host: Proof) -> str:
        """The state of an event, for its host."""
        async with self._hosted(code, host) as live:
            return live.json(None)

    @retried
    async def act(self, code: str, host: Proof, action: Action) -> str:
        """Write the entry of an action of the host."""
        async with self._hosted(code, host) as live:
            entry = await self._runner.current(live, action)
            await self.registry.append(live, [entry])
            self._runner.tick_soon(live)
            return live.json(None)

    @retried
    async def act_on_all(
        self, code: str, host: Proof, action: Callable[[Event, float], list[Entry]]
    ) -> str:
        """Write the entries of an action that is about several people."""
        async with self._hosted(code, host) as live:
            await self.registry.refresh(live)
            if entries := action(live.event, self._now()):
                await self.registry.append(live, entries)
            self._runner.tick_soon(live)
            return live.json(None)

    async def admit(self, code: str, host: Proof, asked: int | None) -> str:
        """Let somebody in who waits at the door, or everybody. A player who had their browser
        before loses their seats to nobody: their four digits bring them back."""
        if asked is None:
            told = await self.act_on_all(code, host, actions.admit_all)
        else:
            told = await self.act(code, host, lambda event, now: actions.admit(event, asked, now))
        async with self.registry.locked(_read_code(code)) as live:
            for one in live.event.people:
                if one.token:
                    self.registry.bus.known.remember(one.token, live.id)
        await self._empty_seats(code)
        return told

    async def _empty_seats(self, code: str) -> None:
        """Let nobody play for those whose browser is somebody else's by now."""
        async with self.registry.locked(_read_code(code)) as live:
            without = [one.number for one in live.event.members if one.token == ""]
        for number in without:
            await self._runner.sync_seats(_read_code(code), number)

    async def start(self, code: str, host: Proof) -> str:
        """Start an event, unless too many are going on already."""
        await self.check_host(code, host)
        if len(await self.registry.running()) >= MAX_GOING_ON:
            raise Unavailable(
                N_("Too many events are going on here; try again when some have ended.")
            )
        return await self.act(code, host, actions.start)

    async def rename(self, code: str, host: Proof, player: int, nickname: str) -> str:
        """Give a player another nickname, also in their games."""
        told = await self.act(
            code, host, lambda event, now: actions.rename(event, player, nickname, now)
        )
        await self._runner.sync_seats(_read_code(code), player, everywhere=True)
        return told

    async def renew_code(self, code: str, host: Proof, player: int) -> tuple[str, str]:
        """Give a player a new personal code. Returns it, and the state."""
        personal = names.new_personal_code()
        hashed = salted(personal)
        told = await self.act(
            code, host, lambda event, now: actions.renew_code(event, player, hashed, now)
        )
        return personal, told

    @retried
    async def pair_everybody(self, code: str, host: Proof) -> str:
        """Pair everybody who is free now: nobody waits for a better opponent."""
        async with self._hosted(code, host) as live:
            if live.event.phase != "running":
                raise BadEvent(_("The event is not running."))
            await self._runner.direct(live, force=True)
            return live.json(None)

    async def pair(
        self, code: str, host: Proof, one: int, two: int, game: str | None = None
    ) -> str:
        """Pair two players who are free; the first begins."""
        return await self.act(
            code,
            host,
            lambda event, now: director.by_hand(event, one, two, now, new_id, game),
        )

    async def delete(self, code: str, host: Proof) -> None:
        """Delete an event and its games."""
        await self.check_host(code, host)
        await self.registry.delete(_read_code(code))

    # -- preconditions ----------------------------------------------------------------------

    def _locked(self, code: str, proof: Proof = ()) -> Guarded[LiveEvent]:
        """An event with its lock held. Raises `TooSoon` if the code may be one of many guesses."""
        return self.guesses.guarded(self.registry, _read_code(code), proof)

    @asynccontextmanager
    async def _hosted(self, code: str, host: Proof) -> AsyncIterator[LiveEvent]:
        """An event with its lock held, for its host."""
        async with self._locked(code, host) as live:
            secret = matching(host, live.event.host)
            if secret is None:
                raise Forbidden(N_("Only the host can do this; open the host's link."))
            self.guesses.proved(live.id, secret)
            yield live


async def _import_networkx() -> None:
    """Import what pairing needs, which takes a second, before somebody waits for it."""
    await asyncio.to_thread(import_module, "networkx")


def _read_code(text: str) -> str:
    """The code in a path. Raises `NoEvent` if it cannot be one."""
    try:
        return names.read_code(text)
    except BadEvent:
        raise NoEvent from None


def _asked(event: Event, proof: Proof) -> Asking | None:
    """The request of somebody who waits at the door."""
    found = (event.asked_with(digest(key)) for key in proof)
    return next((one for one in found if one is not None), None)


def _is_called(event: Event, number: int | None, nickname: str) -> bool:
    """Whether a player has this nickname: a browser that plays may be given to somebody else."""
    one = None if number is None else event.participants[number]
    return one is not None and one is event.named(nickname[: 4 * names.MAX_NICKNAME])


def _derived_code(key: str, code: str) -> str:
    """The personal code that follows from a key, so that a lost answer can be repeated."""
    number = int(digest(derive(key, "personal code", code)), 16) % 10**names.PERSONAL_DIGITS
    return f"{number:0{names.PERSONAL_DIGITS}}"
