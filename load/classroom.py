"""A class that plays an arena at human pace: how long people wait, whom they meet again, and
whether the reason that is told for a mistake is the real one. One of them dreams: opens the board,
and looks at the table instead. Some have real phones, if there is a browser.

Everybody else uses the public API, on this machine. Everything goes several times as fast, on both
sides, and is told in the seconds of a real lesson; only taps on phones are told as they were.
"""

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from tests.learn.coach.judge import Factors

from load.client import Channel, Client, Figures, percentile
from load.phones import Phones, chromium
from load.server import HOST, Server
from numduel.events.director import FORFEIT_SECONDS, WAIT_SECONDS
from numduel.web.events.runner import AWAY_SECONDS

FACTOR = 10.0
"""How many times as fast as a lesson."""
CLASS = 30
"""People in the class."""
MINUTES = 10
"""How long the lesson is."""
THINKING = (2.0, 10.0)
"""The fewest and the most seconds that somebody thinks about a move."""
LOOK_SECONDS = 0.5
"""How often somebody looks up, in seconds of the lesson."""
PHONES = 2
"""People with a real phone."""
JUDGING_SECONDS = 30.0
"""Seconds, real ones, in which all games should have been judged."""


@dataclass
class Pupil:
    """Somebody who takes part in the event."""

    token: str
    number: int
    channel: Channel
    game: str = ""
    """The game at their board."""
    board: Channel | None = None
    """Its live channel."""
    free_since: float | None = None
    """Since when they have had no opponent."""
    looks_at: tuple[object, float] = (None, 0.0)
    """What they look at while the other is to move, and since when."""

    @property
    def now(self) -> Any:
        """Their row of the table, as last sent."""
        return next(one for one in self.channel.state["players"] if one["number"] == self.number)

    @property
    def is_over(self) -> bool:
        """Whether the event has ended."""
        return bool(self.channel.state["phase"] == "ended")


@dataclass
class Lesson:
    """A class in its lesson."""

    client: Client
    chance: random.Random = field(default_factory=lambda: random.Random(1))
    code: str = ""
    host: str = ""
    pupils: list[Pupil] = field(default_factory=list)
    moves: int = 0
    idle: list[float] = field(default_factory=list)
    """Seconds for which people looked at a board where the other did not move."""
    waits: list[float] = field(default_factory=list)
    """Seconds for which people had no opponent after a match."""
    met: dict[int, frozenset[int]] = field(default_factory=dict)
    """The players of every pairing."""

    async def assemble(self) -> None:
        """Create an event, and have the class join it."""
        minutes = round(MINUTES / FACTOR)
        chosen = {"minutes": minutes, "level": "easy", "forgiving": True}
        new = await self.client.ask("events", {"games": [{"game": "factors"}]} | chosen)
        self.code, self.host = new["code"], new["host"]
        await self.client.each(range(CLASS), self._join)

    async def _join(self, number: int) -> None:
        async with self.client.counted("join"):
            path = f"events/{self.code}"
            joined = await self.client.ask(f"{path}/join", {"nickname": f"Pupil {number}"})
            channel = await Channel.opened(self.client.port, path, joined["token"])
            self.pupils.append(Pupil(joined["token"], joined["player"], channel))

    async def have(self) -> None:
        """Have the class play, until the event ends by itself."""
        await self.client.ask(f"events/{self.code}/host/start", {}, self.host)
        end = perf_counter() + 60 * (MINUTES + 10) / FACTOR
        dreamer, *others = self.pupils
        await asyncio.gather(self._dream(dreamer, end), *(self._attend(one, end) for one in others))

    async def _attend(self, pupil: Pupil, end: float) -> None:
        """Play like somebody who thinks about each move."""
        while perf_counter() < end and not pupil.is_over:
            now = pupil.now
            self._time_wait(pupil, free=now["game"] is None)
            if now["pairing"] is not None and now["opponent"]:
                self.met[now["pairing"]] = frozenset((pupil.number, now["opponent"]))
            if now["game"] is None:
                self._time_idle(pupil, None)
            else:
                async with self.client.counted("board"):
                    await self._turn(pupil, now)
            await self._pause(LOOK_SECONDS)

    async def _turn(self, pupil: Pupil, now: Any) -> None:
        board = await self._board(pupil, now["game"])
        state = board.state
        mine = state["to_move"] == now["seat"]
        waits = state["to_move"] is not None and not mine
        self._time_idle(pupil, (now["game"], state["number"]) if waits else None)
        if not mine:
            return
        await self._pause(self.chance.uniform(*THINKING))
        if board.state is not state or pupil.now["game"] != now["game"] or pupil.is_over:
            return
        move = self.chance.choice(state["legal"])["move"]
        body = {"move": move, "after": state["number"]}
        answer = await self.client.ask(f"games/{now['game']}/moves", body, pupil.token)
        self.moves += 1
        await board.expect(answer["game"]["number"])

    async def _board(self, pupil: Pupil, game: str) -> Channel:
        """The live channel of a pupil's game."""
        if pupil.board is None or pupil.game != game or not pupil.board.open:
            if pupil.board is not None:
                await pupil.board.leave()
            pupil.game = game
            pupil.board = await Channel.opened(self.client.port, f"games/{game}", pupil.token)
        return pupil.board

    async def _dream(self, pupil: Pupil, end: float) -> None:
        """Look at the board when there is one, then at the table, and never move."""
        while perf_counter() < end and not pupil.is_over:
            now = pupil.now
            if now["game"] is not None and now["game"] != pupil.game:
                async with self.client.counted("board"):
                    await self._board(pupil, now["game"])
                    await self._pause(LOOK_SECONDS)
            if pupil.board is not None:
                await pupil.board.leave()
                pupil.board = None
            await self._pause(LOOK_SECONDS)

    async def _pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds / FACTOR)

    def _time_wait(self, pupil: Pupil, *, free: bool) -> None:
        """Note when somebody has no opponent, and how long until they have one again."""
        if free and pupil.free_since is None:
            pupil.free_since = perf_counter()
        elif not free and pupil.free_since is not None:
            self.waits.append(FACTOR * (perf_counter() - pupil.free_since))
            pupil.free_since = None

    def _time_idle(self, pupil: Pupil, looks_at: object) -> None:
        """Note how long somebody has looked at the same position."""
        before, since = pupil.looks_at
        if before == looks_at:
            return
        if before is not None:
            self.idle.append(FACTOR * (perf_counter() - since))
        pupil.looks_at = looks_at, perf_counter()

    async def slips(self) -> list[Any]:
        """Everybody's mistakes and inaccuracies, when all games are judged."""
        end = perf_counter() + JUDGING_SECONDS
        found: list[Any] = []
        for pupil in self.pupils:
            path = f"events/{self.code}/me"
            page = await self.client.ask(path, token=pupil.token)
            while perf_counter() < end and _unjudged(page):
                await asyncio.sleep(0.2)
                page = await self.client.ask(path, token=pupil.token)
            found += [slip for slip in page["slips"] if slip["kind"] != "broken"]
        return found

    async def misjudged(self, slips: list[Any]) -> int:
        """With how many reasons a judge disagrees who tries everything, and shares no code."""
        judge, wrong = Factors(), 0
        for slip in slips:
            game = (await self.client.ask(f"games/{slip['id']}"))["game"]
            *before, played = map(int, game["text"].split()[: slip["ply"]])
            wrong += slip["idea"] not in judge.reasons(tuple(before), played)
        return wrong


def _unjudged(page: Any) -> bool:
    return any(game["end"] == "played" and not game["judged"] for game in page["games"])


async def measure_class() -> Figures:
    """Have a class play a lesson, and say how long people waited."""
    with Server(FACTOR) as server:
        lesson = Lesson(Client(server.port))
        phones = Phones(random.Random(2), (THINKING[0] / FACTOR, THINKING[1] / FACTOR))
        await lesson.assemble()
        async with chromium() as browser:
            if browser is not None:
                address = f"http://{HOST}:{server.port}/join/{lesson.code}"
                await phones.join(browser, address, PHONES)
            tapping = asyncio.create_task(phones.play())
            await lesson.have()
            phones.stop()
            await tapping
        slips = await lesson.slips()
        misjudged = await lesson.misjudged(slips)
        errors = lesson.client.errors + server.complaints() + phones.errors
        errors += Counter({"reasons that are not the judge's": misjudged})
        return _rows(lesson, phones, slips), errors


def _rows(lesson: Lesson, phones: Phones, slips: list[Any]) -> dict[str, str]:
    repeats = sum(count - 1 for count in Counter(lesson.met.values()).values())
    idle, waits = lesson.idle or [0.0], lesson.waits or [0.0]
    explained = sum(slip["instruction"] != "" for slip in slips)
    promised = FORFEIT_SECONDS + AWAY_SECONDS
    return {
        "people in the class": f"{len(lesson.pupils) + len(phones)}, {len(phones)} with phones",
        "moves": f"{lesson.moves + len(phones.taps)}, {len(phones.taps)} by tapping on a phone",
        "  until it was seen there, p50": f"{percentile(phones.taps, 50):.2f} s",
        "opposite somebody who thinks, p50": f"{percentile(idle, 50):.0f} s",
        "opposite an idle phone, at worst": f"{max(idle):.0f} s (promised: {promised:.0f} s)",
        "between games, p50": f"{percentile(waits, 50):.0f} s",
        "between games, at worst": f"{max(waits):.0f} s (promised: {WAIT_SECONDS:.0f} s)",
        "pairings": f"{len(lesson.met)}, {repeats} of two who had met before",
        "mistakes and inaccuracies": f"{len(slips)}, {explained} with a reason",
    }
