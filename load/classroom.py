"""A class that plays an arena at human pace: how long people wait, whom they meet again, and
whether the reason that is told for a mistake is the real one. One of them dreams: opens the board,
and looks at the table instead. Some have real phones, if there is a browser.

Everybody else uses the public API, on this machine. Everything goes several times as fast, on both
sides, and is told in the seconds of a real lesson; only taps on phones are told as they were.
"""

import asyncio
import json
import random
from collections import Counter
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from bench.table import Row
from tests.learn.coach.judge import Factors

from load.crowd import Crowd
from load.events import CLASS, Figures, Pupil, School
from load.phones import Phones, chromium
from load.report import at_most, nothing, percentile
from load.servers import hurried, running, sqlite
from load.wire import HOST
from numduel.events.director import FORFEIT_SECONDS, WAIT_SECONDS
from numduel.terminal.progress import ProgressBar
from numduel.web.events.runner import AWAY_SECONDS

FACTOR = 10.0
"""How many times as fast as a lesson."""
MINUTES = 10
"""How long the lesson is."""
THINKING = (2.0, 10.0)
"""The fewest and the most seconds that somebody thinks about a move."""
LOOK_SECONDS = 0.5
"""How often somebody looks up, in seconds of the lesson."""
PROMISE = FORFEIT_SECONDS + AWAY_SECONDS
"""Seconds that somebody waits at most opposite a pupil who is not at the board."""
MARGIN = 5.0
"""Seconds of the lesson that the machine may add."""
PHONES = 2
"""People with a real phone."""
JUDGING_SECONDS = 30.0
"""Seconds, real ones, in which all games should have been judged."""


@dataclass
class Lesson(School):
    """A class in its lesson."""

    idle: list[float] = field(default_factory=list)
    """Seconds for which people looked at a board where the other did not move."""
    met: dict[int, frozenset[int]] = field(default_factory=dict)
    """The players of every pairing."""
    looking: dict[int, tuple[object, float]] = field(default_factory=dict)
    """What each pupil looks at while the other is to move, and since when."""

    async def have(self, minutes: int) -> None:
        """Have the class play, until the event ends by itself."""
        end = perf_counter() + 60 * (minutes + 10) / FACTOR
        dreamer, *others = self.pupils
        await asyncio.gather(self._dream(dreamer, end), *(self._attend(one, end) for one in others))

    async def _attend(self, pupil: Pupil, end: float) -> None:
        """Play like somebody who thinks about each move."""
        while perf_counter() < end and not _ended(pupil):
            now = pupil.now
            self._time_wait(pupil, free=now["game"] is None)
            self._note_pairing(pupil, now)
            if now["game"] is None:
                self._time_idle(pupil, None)
            else:
                async with self.crowd.counted("board"):
                    await self._turn(pupil, now)
            await self._pause(LOOK_SECONDS)

    async def _turn(self, pupil: Pupil, now: Any) -> None:
        board = await self._board(pupil, now["game"])
        state = json.loads(board.told)["game"]
        mine = state["to_move"] == now["seat"]
        waits = state["to_move"] is not None and not mine
        self._time_idle(pupil, (now["game"], state["number"]) if waits else None)
        if mine:
            await self._pause(self.chance.uniform(*THINKING))
            if pupil.now["game"] == now["game"] and not _ended(pupil):
                await self._move(pupil, now, board, giving_up=0.0)

    async def _dream(self, pupil: Pupil, end: float) -> None:
        """Look at the board when there is one, then at the table, and never move."""
        while perf_counter() < end and not _ended(pupil):
            now = pupil.now
            if now["game"] is not None and now["game"] != pupil.game:
                async with self.crowd.counted("board"):
                    await self._board(pupil, now["game"])
                    await self._pause(LOOK_SECONDS)
            if pupil.board is not None:
                pupil.board.leave()
                pupil.board = None
            await self._pause(LOOK_SECONDS)

    async def _pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds / FACTOR)

    def _time_idle(self, pupil: Pupil, looks_at: object) -> None:
        """Note how long somebody has looked at the same position."""
        before, since = self.looking.get(pupil.number, (None, 0.0))
        if before == looks_at:
            return
        if before is not None:
            self.idle.append(FACTOR * (perf_counter() - since))
        self.looking[pupil.number] = looks_at, perf_counter()

    def _note_pairing(self, pupil: Pupil, now: Any) -> None:
        if now["pairing"] is not None and now["opponent"]:
            self.met[now["pairing"]] = frozenset((pupil.number, now["opponent"]))

    async def slips(self) -> list[Any]:
        """Everybody's mistakes and inaccuracies, when all games are judged."""
        end = perf_counter() + JUDGING_SECONDS
        found: list[Any] = []
        for pupil in self.pupils:
            page = await self._own_page(pupil)
            while perf_counter() < end and _unjudged(page):
                await asyncio.sleep(0.2)
                page = await self._own_page(pupil)
            found += [slip for slip in page["slips"] if slip["kind"] != "broken"]
        return found

    async def misjudged(self, slips: list[Any]) -> int:
        """With how many reasons a judge disagrees who tries everything, and shares no code."""
        judge, wrong = Factors(), 0
        for slip in slips:
            game = json.loads(await self.crowd.ask("GET", f"/api/v1/games/{slip['id']}"))["game"]
            *before, played = map(int, game["text"].split()[: slip["ply"]])
            wrong += slip["idea"] not in judge.reasons(tuple(before), played)
        return wrong

    async def _own_page(self, pupil: Pupil) -> Any:
        path = f"/api/v1/events/{pupil.event}/me"
        return json.loads(await self.crowd.ask("GET", path, token=pupil.token))


def _ended(pupil: Pupil) -> bool:
    return bool(json.loads(pupil.channel.told)["event"]["phase"] == "ended")


def _unjudged(page: Any) -> bool:
    return any(game["end"] == "played" and not game["judged"] for game in page["games"])


async def measure_class(bar: ProgressBar) -> Figures:
    """Have a class play a lesson, and say how long people waited."""
    with sqlite() as database, running(hurried(database.address, FACTOR)) as server:
        crowd = Crowd(server.port, random.Random(0))
        lesson = Lesson(crowd, server.port, random.Random(1))
        phones = Phones(random.Random(2), (THINKING[0] / FACTOR, THINKING[1] / FACTOR))
        bar.begin("joining", CLASS)
        minutes = round(MINUTES / FACTOR)
        await lesson.assemble(["factors"], bar.advance, minutes=minutes, legs=2, forgiving=True)
        async with chromium() as browser:
            if browser is not None:
                (code,) = lesson.hosts
                await phones.join(browser, f"http://{HOST}:{server.port}/join/{code}", PHONES)
            tapping = asyncio.create_task(phones.play())
            await lesson.start()
            await lesson.have(MINUTES)
            phones.stop()
            await tapping
        slips = await lesson.slips()
        misjudged = await lesson.misjudged(slips)
        for pupil in lesson.pupils:
            pupil.leave()
        crowd.http.close()
        errors = crowd.tally.errors + server.complaints + phones.errors
        return _rows(lesson, phones, slips, misjudged), dict(errors)


def _rows(lesson: Lesson, phones: Phones, slips: list[Any], misjudged: int) -> list[Row]:
    waits = [FACTOR * wait for wait in lesson.waits] or [0.0]
    times = Counter(lesson.met.values())
    repeats = sum(count - 1 for count in times.values())
    idle = lesson.idle or [0.0]
    explained = sum(slip["instruction"] != "" for slip in slips)
    return [
        Row("people in the class", len(lesson.pupils) + len(phones), None, ""),
        Row("  of them with a real phone", len(phones), None, ""),
        Row("moves", len(lesson.moves) + len(phones.taps), None, ""),
        Row("  by tapping on a phone", len(phones.taps), None, ""),
        Row("  until it was seen there, p50", percentile(phones.taps or [0.0], 50), None, "s"),
        Row("opposite somebody who thinks, p50", percentile(idle, 50), None, "s"),
        at_most("opposite an idle phone, at worst", max(idle), PROMISE + MARGIN, "s"),
        Row("between games, p50", percentile(waits, 50), None, "s"),
        at_most("between games, at worst", max(waits), WAIT_SECONDS + MARGIN, "s"),
        Row("pairings", len(lesson.met), None, ""),
        Row("  of two who had met before", repeats, None, ""),
        Row("mistakes and inaccuracies", len(slips), None, ""),
        Row("  with a reason", 100 * explained / max(1, len(slips)), None, "%"),
        nothing("  told another reason than the judge's", misjudged),
    ]  # fmt: skip
