"""What people can do in classes, and who may do it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any, NamedTuple

from numduel.activities import Activity
from numduel.classes import actions, codes
from numduel.classes.classroom import Classroom, Code, Entry, Pupil, Sums
from numduel.classes.homework import Achievement, Task
from numduel.core.errors import BadClass, NumduelError
from numduel.core.language import N_
from numduel.events import actions as event_actions
from numduel.events import friendly
from numduel.events.event import Event
from numduel.events.names import new_code
from numduel.events.settings import Settings
from numduel.games import game as find
from numduel.web.classes.achievements import in_activity, in_game
from numduel.web.classes.live import LiveClass, LiveClasses
from numduel.web.classes.serialise import HostClass, PersonalCode, host_class
from numduel.web.events.live import NewEvent
from numduel.web.events.service import EventService, Joined
from numduel.web.games.live import LiveGames
from numduel.web.games.qr import qr_code
from numduel.web.games.room import Room
from numduel.web.http.errors import Damaged, Forbidden, NoClass, NoEvent, TooSoon
from numduel.web.http.middleware.client import at_this_site
from numduel.web.http.tables import Recent, TokenBuckets, shared_tables, table_secret
from numduel.web.live.live import Send, Watcher
from numduel.web.live.registry import retried
from numduel.web.people.guesses import Guarded
from numduel.web.people.keys import Proof, derive, digest, is_salted, matching, salted
from numduel.web.solving.solvers import Solvers

KEPT_DAYS = 14
"""Days after the last one of a class when it is deleted."""
WRONG_CODES = 40.0
"""Wrong personal codes that may be typed at once in a class, from one address or IPv6 site."""
WRONG_RATE = 1 / 24
"""How many a second after that."""
SITES = 4
"""How many times as many may be typed from all at which nobody of the class has been, and how many
times as many from all others: strangers lock nobody out where a class is."""
FRESH_SECONDS = 600.0
"""Seconds for which a new code of the teacher works however many wrong ones were typed."""
OTHER_CLOCKS = 60.0
"""Seconds by which the clock of another machine may be ahead."""
Action = Callable[[Classroom, float], Entry]
"""Makes the entry of something that is done in a class at a time."""


class Hosted(NamedTuple):
    """A class with its lock held, and the secret of its teacher."""

    live: LiveClass
    secret: str


class ClassService:
    """The classes on the server, and what people do in them."""

    def __init__(
        self,
        classes: LiveClasses,
        events: EventService,
        games: LiveGames,
        solvers: Solvers,
        folder: str = "",
    ) -> None:
        self.registry = classes
        self._events = events
        self._spawn = classes.bus.background.spawn
        self._solvers = solvers
        events.registry.on_class_event_over = self._on_event_over
        games.on_game_over.append(self._on_game_over)
        here, everywhere, inside = shared_tables(folder, "class-codes", 3)
        secret = table_secret(folder)
        self._wrong_here = TokenBuckets(WRONG_RATE, WRONG_CODES, here, secret)
        """The wrong personal codes that are left to each class at each site, in all processes
        together."""
        self._wrong = TokenBuckets(SITES * WRONG_RATE, SITES * WRONG_CODES, everywhere, secret)
        """The same for each class at all sites where somebody of it has been, and at all others."""
        self._inside = Recent(inside, secret)
        """Classes with the sites at which a pupil or the teacher has proved who they are."""

    # -- pupils -----------------------------------------------------------------------------

    @retried
    async def enter(self, code: str, proof: Proof, personal: str) -> str:
        """Come into a class with a personal code; this browser is then known."""
        async with self._locked(code, proof) as live:
            pupil = self._with_code(live, personal)
            if pupil is None and await self.registry.refresh(live):
                pupil = self._with_code(live, personal)
            if pupil is None:
                self._wrong_here.spend(at_this_site(live.id), 1.0)
                self._wrong.spend(self._whereabouts(live.id), 1.0)
                raise Forbidden(N_("That is not a code of this class; look at your slip again."))
            if pupil.number != live.who(proof):
                entry = actions.enter(live.classroom, pupil.number, digest(proof[0]), time.time())
                await self.registry.append(live, [entry])
            self._proved(live.id, proof[0])
            return live.json(pupil.number)

    def _with_code(self, live: LiveClass, personal: str) -> Pupil | None:
        """The pupil who has a personal code. Few wrong ones may be tried; after that, only codes
        that the teacher has just given out."""
        pupils = list(live.classroom.pupils.values())
        late = not (
            self._wrong_here.has(at_this_site(live.id), 1.0)
            and self._wrong.has(self._whereabouts(live.id), 1.0)
        )
        if late:
            pupils = [one for one in pupils if _is_fresh(one) and not one.tokens]
        try:
            typed = codes.read_code(personal, codes.PERSONAL_LENGTH)
        except BadClass:
            typed = ""
        found = next((one for one in pupils if is_salted(typed, one.code)), None)
        if late and found is None:
            raise TooSoon(
                N_(
                    "Too many wrong codes were typed in this class; wait a moment, or ask your"
                    " teacher for a new one."
                )
            )
        return found

    def _whereabouts(self, id: str) -> str:
        """A name for all sites at which somebody of a class has been, or for all others: whoever
        asks is at one of them."""
        return f"{id} inside" if at_this_site(id) in self._inside else id

    def _proved(self, id: str, key: str) -> None:
        """A pupil or the teacher of a class has proved their key."""
        self._events.guesses.proved(id, key)
        self._inside.add(at_this_site(id))

    async def look(self, code: str, proof: Proof) -> str:
        """The state of a class."""
        async with self._locked(code, proof) as live:
            number = await self.registry.who(live, proof)
            if number is not None:
                self._inside.add(at_this_site(live.id))
            return live.json(number)

    async def exists(self, code: str) -> bool:
        """Whether there is such a class."""
        try:
            async with self._locked(code):
                return True
        except NoClass:
            return False
        except Damaged:  # The page says so.
            return True

    @asynccontextmanager
    async def watch(
        self, code: str, proof: Proof, send: Send | None = None
    ) -> AsyncIterator[Watcher]:
        """A live channel to a class."""
        async with self._locked(code, proof) as live:
            id = live.id
        async with self.registry.watch(id, proof, send) as watcher:
            if watcher.you is not None:
                self._inside.add(at_this_site(id))
            yield watcher

    # -- events -----------------------------------------------------------------------------

    @retried
    async def create_event(
        self, code: str, host: Proof, settings: Settings, nonce: str
    ) -> tuple[str, str, str]:
        """Create an event for the class. Returns its code, the host's secret, which follows from
        the teacher's, and its state. Idempotent: the same nonce gives the same event."""
        async with self._hosted(code, host) as (live, secret):
            own = _event_secret(secret, nonce)
            known = live.classroom.event_made_with(nonce)
            event = new_code() if known is None else known.code
            if known is None:
                now = self.registry.bus.uptime.now()
                created = event_actions.create(settings, digest(own), now, live.id)
                await self._write(
                    live,
                    lambda room, now: actions.event(room, event, nonce, settings.games, now),
                    NewEvent(event, created),
                )
        return event, own, await self._events.opened(event, own)

    async def join_event(self, code: str, proof: Proof, event: str) -> Joined:
        """Join an event of the class."""
        async with self._locked(code, proof) as live:
            number = await self.registry.who(live, proof)
            if number is None:
                raise Forbidden(N_("Type the code on your slip of paper first."))
            if event not in live.classroom.events:
                raise NoEvent
            pupil = live.classroom.pupils[number]
            key = next(one for one in proof if digest(one) in pupil.tokens)
        try:
            return await self._events.join_pupil(event, key, pupil.number, pupil.nickname)
        except NoEvent:
            await self._check_event(live.id, event)
            raise

    def _on_event_over(self, code: str, event: Event) -> None:
        if event.classroom is not None:
            self._spawn(self._check_event(event.classroom, code))

    @retried
    async def _check_event(self, code: str, event: str) -> None:
        """Note what the pupils did in an event if it is over, or has been deleted."""
        results = await self._results(event)
        if results is not None:
            with suppress(BadClass, NoClass):
                async with self.registry.locked(code) as live:
                    await self._write(
                        live, lambda room, now: actions.result(room, event, results, now)
                    )

    async def _results(self, event: str) -> dict[int, Sums] | None:
        """What the pupils did in an event, as far as its games are judged; nothing if it is gone,
        None while it goes on, or if nobody can tell."""
        try:
            async with self._events.registry.locked(event) as live:
                await self._events.registry.refresh(live)
                return results_of(live.event) if live.event.phase == "ended" else None
        except NoEvent:
            return {}
        except Damaged:
            return None

    # -- homework ---------------------------------------------------------------------------

    async def set_homework(
        self, code: str, host: Proof, wish: Mapping[str, Any], until: float
    ) -> HostClass:
        """Set homework. The goal of a lesson is all of its steps."""
        game, goal = find(wish["game"]).name, wish["goal"]
        if wish["kind"] == "lesson":
            lesson = await self._solvers.ask("lesson_data", game)
            goal = len(lesson["steps"])
        task = Task.parse({**wish, "game": game, "goal": goal})
        return await self._act(
            code, host, lambda room, now: actions.set_homework(room, task, until, now)
        )

    async def withdraw(self, code: str, host: Proof, homework: int) -> HostClass:
        """Withdraw homework."""
        return await self._act(code, host, lambda room, now: actions.withdraw(room, homework, now))

    def on_activity(self, proof: Proof, before: Activity, after: Activity) -> None:
        """Note what the last action of an activity achieved; nothing in it is invented."""
        done = in_activity(before, after)
        if done is not None and proof:
            self._spawn(self._achieve([digest(one) for one in proof], done))

    def _on_game_over(self, room: Room) -> None:
        found = in_game(room)
        if found is not None:
            token, done = found
            self._spawn(self._achieve([token], done))

    async def _achieve(self, hashes: Sequence[str], done: Achievement) -> None:
        """Note what a browser has achieved in all classes in which it is a pupil's."""
        with suppress(NumduelError):  # Nobody waits for it.
            for code in await self.registry.of_browser(hashes):
                await self._note_done(code, hashes, done)

    @retried
    async def _note_done(self, code: str, hashes: Sequence[str], done: Achievement) -> None:
        async with self.registry.locked(code) as live:
            pupil = live.classroom.pupil_with(hashes)
            if pupil is not None:
                entries = actions.achieve(live.classroom, pupil.number, done, time.time())
                if entries:
                    await self.registry.append(live, entries)

    # -- what the teacher does --------------------------------------------------------------

    async def create(self, size: int, ends: str, key: str) -> HostClass:
        """Create a class with so many pupils. Idempotent: the same key gives the same class."""
        now = time.time()
        created = actions.create(digest(key), actions.last_day(ends, date.today()), now)
        pupils = _new_pupils(Classroom(created), key, size, now)
        last = datetime.fromisoformat(created.data["ends"]) + timedelta(1 + KEPT_DAYS)
        code = await self.registry.create([created, *pupils], created=now, until=last.timestamp())
        self._proved(code, key)
        async with self.registry.locked(code) as live:
            return _told(Hosted(live, key))

    async def host(self, code: str, host: Proof) -> HostClass:
        """The whole class, for its teacher."""
        async with self._hosted(code, host) as hosted:
            going_on = [one.code for one in hosted.live.classroom.events.values() if not one.over]
        for event in going_on:
            await self._check_event(hosted.live.id, event)
        async with self._hosted(code, host) as hosted:
            return _told(hosted)

    async def slips(self, code: str, host: Proof, link: str) -> list[PersonalCode]:
        """What is on the slips of paper. The codes follow from the teacher's secret: the server
        has only their hashes."""
        async with self._hosted(code, host) as (live, secret):
            pupils = list(live.classroom.pupils.values())
        found: list[PersonalCode] = []
        for one in pupils:
            found.append(_slip(one, secret, link))
            await asyncio.sleep(0)  # Each takes a millisecond, and others come in between.
        return found

    @retried
    async def add(self, code: str, host: Proof, size: int) -> HostClass:
        """Add some pupils."""
        async with self._hosted(code, host) as hosted:
            live, secret = hosted
            entries = _new_pupils(live.classroom, secret, size, time.time())
            await self.registry.append(live, entries)
            return _told(hosted)

    @retried
    async def renew_code(self, code: str, host: Proof, number: int) -> tuple[str, HostClass]:
        """Give a pupil a new personal code; the old one, and their browsers, are forgotten."""
        async with self._hosted(code, host) as hosted:
            live, secret = hosted
            pupils = live.classroom.pupils
            before = pupils[number].renewals if number in pupils else 0
            taken = {_code_of(one, secret) for one in pupils.values()}
            personal, renewed = _new_code(secret, number, taken, before + 1)
            entry = actions.renew_code(live.classroom, number, renewed, time.time())
            await self.registry.append(live, [entry])
            return personal, _told(hosted)

    async def remove(self, code: str, host: Proof, number: int) -> HostClass:
        """Remove a pupil."""
        return await self._act(code, host, lambda room, now: actions.remove(room, number, now))

    @retried
    async def _act(self, code: str, host: Proof, action: Action) -> HostClass:
        """Write the entry of an action of the teacher."""
        async with self._hosted(code, host) as hosted:
            await self._write(hosted.live, action)
            return _told(hosted)

    async def _write(self, live: LiveClass, action: Action, *begun: NewEvent) -> None:
        """Write an entry, which may be possible only after reading what others wrote, together with
        the event that it begins."""
        try:
            entry = action(live.classroom, time.time())
        except BadClass:
            if not await self.registry.refresh(live):
                raise
            entry = action(live.classroom, time.time())
        await self.registry.append(live, [entry], begun)

    async def delete(self, code: str, host: Proof) -> None:
        """Delete a class and everything that belongs to it."""
        async with self._hosted(code, host) as (live, _):
            id = live.id
        await self.registry.delete(id)

    # -- preconditions ----------------------------------------------------------------------

    def _locked(self, code: str, proof: Proof = ()) -> Guarded[LiveClass]:
        """A class with its lock held. Raises `TooSoon` if the code may be one of many guesses."""
        return self._events.guesses.guarded(self.registry, _read_code(code), proof)

    @asynccontextmanager
    async def _hosted(self, code: str, host: Proof) -> AsyncIterator[Hosted]:
        """A class with its lock held, for its teacher."""
        async with self._locked(code, host) as live:
            secret = matching(host, live.classroom.host)
            if secret is None:
                raise Forbidden(N_("Only the teacher can do this; open the teacher’s link."))
            self._proved(live.id, secret)
            yield Hosted(live, secret)


def _is_fresh(pupil: Pupil) -> bool:
    """Whether the teacher has just given them a new code. One that comes from later was given out
    before somebody put the clock back."""
    return -OTHER_CLOCKS < time.time() - pupil.renewed < FRESH_SECONDS


def results_of(event: Event) -> dict[int, Sums]:
    """What each pupil of its class did in an event."""
    found = ((one.pupil, event.tallies[one.number]) for one in event.members)
    return {
        pupil: Sums(tally.games, tally.wins, tally.accuracy.kept, tally.accuracy.choices)
        for pupil, tally in found
        if pupil is not None
    }


def _told(hosted: Hosted) -> HostClass:
    """A class, as its teacher is told it."""
    live, secret = hosted
    return host_class(live.id, live.classroom, partial(_event_secret, secret))


def _event_secret(secret: str, nonce: str) -> str:
    """The secret of the host of a class's event."""
    return derive(secret, "event", nonce)


def _read_code(text: str) -> str:
    """The code in a path. Raises `NoClass` if it cannot be one."""
    try:
        return codes.read_code(text)
    except BadClass:
        raise NoClass from None


def _derived(secret: str, number: int, renewals: int) -> str:
    """A pupil's personal code, which follows from the teacher's secret."""
    words = "pupil", str(number), str(renewals)
    return codes.personal_code(int(digest(derive(secret, *words)), 16))


def _code_of(pupil: Pupil, secret: str) -> str:
    return _derived(secret, pupil.number, pupil.renewals)


def _slip(pupil: Pupil, secret: str, link: str) -> PersonalCode:
    code = _code_of(pupil, secret)
    qr = qr_code(f"{link}#{code}")
    return {"number": pupil.number, "nickname": pupil.nickname, "code": code, "qr": qr}


def _new_code(secret: str, number: int, taken: set[str], renewals: int = 0) -> tuple[str, Code]:
    """A pupil's next personal code, which nobody else in the class has."""
    while (personal := _derived(secret, number, renewals)) in taken:
        renewals += 1
    return personal, Code(salted(personal), renewals)


def _new_pupils(classroom: Classroom, secret: str, size: int, now: float) -> list[Entry]:
    """The entries of some new pupils, with nicknames that nobody in the class has."""
    taken = {_code_of(one, secret) for one in classroom.pupils.values()}
    called = {one.nickname for one in classroom.pupils.values()}
    nicknames: list[str] = []
    made: list[Code] = []
    for ahead in range(size):
        (nickname, *_) = friendly.offer(lambda name: name not in called)
        personal, code = _new_code(secret, classroom.added + 1 + ahead, taken)
        called.add(nickname)
        taken.add(personal)
        nicknames.append(nickname)
        made.append(code)
    return actions.add_pupils(classroom, nicknames, made, now)
