"""Classes that play events beside the ordinary games: people reload and leave, and in the middle
the server is killed."""

import asyncio
import gc
import json
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import cycle, islice
from time import perf_counter
from typing import Any, NamedTuple

from bench.table import Row

from load.crowd import ABREAST, Crowd
from load.drive import Paced, lost, paced
from load.measure import Effort, SetUp, Yardstick, measure_yardstick
from load.report import P99, at_most, compared, percentile, spread
from load.servers import Server, bare, numduel, running
from load.wire import Channel, moves_of, number_of
from numduel import games
from numduel.terminal.progress import ProgressBar

CLASS = 30
"""People in an event."""
ORDINARY = 1_000
"""Ordinary games beside them."""
THINKING = 3.0
"""Seconds that somebody thinks about a move, on average."""
RELOADS, LEAVERS = 0.02, 0.002
"""The chances that somebody reloads the page, or leaves for good, instead of moving."""
GIVING_UP = 0.2
"""The chance that somebody resigns instead of moving, so that people are paired again."""
WAITING = 3.0
"""Seconds after which somebody looks up from a board where nothing happens."""
YARDSTICK_GAMES, YARDSTICK_SHARE = 200, 4
"""Games on the bare server, and the part of the time for which moves are made in them."""
PAIRING = 1.0
"""Seconds within which a class should have been paired."""
Figures = tuple[list[Row], dict[str, int]]
"""The rows of a table, and how often each error occurred."""


class Classes(NamedTuple):
    """How much is measured."""

    events: int
    games: int
    rate: float
    """Moves a second in the ordinary games."""
    seconds: float


@dataclass
class Pupil:
    """Somebody who takes part in an event."""

    event: str
    token: str
    number: int
    channel: Channel
    game: str = ""
    """The game at their board."""
    board: Channel | None = None
    """Its live channel."""
    free_since: float | None = None
    """Since when they have had no opponent."""

    @property
    def now(self) -> Any:
        """Their row of the table, as last sent."""
        players = json.loads(self.channel.told)["event"]["players"]
        return next(one for one in players if one["number"] == self.number)

    @property
    def channels(self) -> list[Channel]:
        """The live channels of their page."""
        return [self.channel, *([self.board] if self.board else [])]

    def leave(self) -> None:
        """Close the page."""
        for channel in self.channels:
            channel.leave()
        self.board = None


@dataclass
class School:
    """All classes on one server."""

    crowd: Crowd
    port: int
    chance: random.Random
    hosts: dict[str, str] = field(default_factory=dict)
    """The secrets of the hosts, by the codes of their events."""
    pupils: list[Pupil] = field(default_factory=list)
    pairing: list[float] = field(default_factory=list)
    """Seconds from the start of each event until everybody had an opponent."""
    waits: list[float] = field(default_factory=list)
    """Seconds for which people had no opponent after a match."""
    moves: list[float] = field(default_factory=list)
    """Seconds that moves took."""

    async def assemble(
        self, kinds: Iterable[str], joined: Callable[[], None], **settings: int
    ) -> None:
        """Create an event for each kind of game, and have a class join each."""
        for kind in kinds:
            body = {"games": [{"game": kind}], "minutes": 60, "legs": 1, "level": "easy"} | settings
            new = await self._post("/api/v1/events", body, "", 201)
            self.hosts[new["code"]] = new["host"]
        waiting = iter([(code, n) for n in range(CLASS) for code in self.hosts])

        async def join() -> None:
            for code, number in waiting:
                async with self.crowd.counted("join"):
                    body = {"nickname": f"Pupil {number}"}
                    told = await self._post(f"/api/v1/events/{code}/join", body)
                    channel = await self._opened(code, told["token"])
                    self.pupils.append(Pupil(code, told["token"], told["player"], channel))
                joined()

        await asyncio.gather(*(join() for _ in range(ABREAST)))

    async def start(self) -> None:
        """Start the events one after the other, as soon as everybody has an opponent."""
        for code, host in self.hosts.items():
            await self._start(code, host)

    async def _start(self, code: str, host: str) -> None:
        mine = [pupil for pupil in self.pupils if pupil.event == code]
        began = perf_counter()
        async with self.crowd.counted("start"):
            await self._post(f"/api/v1/events/{code}/host/start", {}, host)
            for pupil in mine:
                while pupil.now["game"] is None:
                    await pupil.channel.expect(pupil.channel.number + 1)
            self.pairing.append(perf_counter() - began)

    async def play(self, seconds: float) -> None:
        """Have everybody play for some seconds."""
        end = perf_counter() + seconds
        await asyncio.gather(*(self._play(pupil, end) for pupil in self.pupils))

    async def _play(self, pupil: Pupil, end: float) -> None:
        await asyncio.sleep(self.chance.uniform(0, THINKING))
        while perf_counter() < end:
            now, luck = pupil.now, self.chance.random()
            if luck < LEAVERS:
                pupil.leave()
                return
            if luck < RELOADS or pupil.channel.closed is not None:
                pupil.leave()
                async with self.crowd.counted("reload"):
                    pupil.channel = await self._opened(pupil.event, pupil.token)
            self._time_wait(pupil, free=now["game"] is None)
            if now["game"] is None:
                await _news(pupil.channel)
                continue
            board = None
            async with self.crowd.counted("board"):
                board = await self._board(pupil, now["game"])
            if board is None:
                await asyncio.sleep(THINKING)
            elif b'"to_move":%d' % now["seat"] in board.told:
                await asyncio.sleep(self.chance.uniform(0, 2 * THINKING))
                async with self.crowd.counted("move in an event"):
                    await self._move(pupil, now, board)
            elif b'"to_move":null' in board.told:
                await _news(pupil.channel)
            else:
                await _news(board)

    def _time_wait(self, pupil: Pupil, *, free: bool) -> None:
        """Note when somebody has no opponent, and how long until they have one again."""
        if free and pupil.free_since is None:
            pupil.free_since = perf_counter()
        elif not free and pupil.free_since is not None:
            self.waits.append(perf_counter() - pupil.free_since)
            pupil.free_since = None

    async def _board(self, pupil: Pupil, game: str) -> Channel:
        """The live channel of a pupil's game."""
        if pupil.board is None or pupil.game != game or pupil.board.closed is not None:
            if pupil.board is not None:
                pupil.board.leave()
            path = f"/api/v1/games/{game}/live"
            pupil.game, pupil.board = game, await Channel.opened(self.port, path, pupil.token)
        return pupil.board

    async def _move(
        self, pupil: Pupil, now: Any, board: Channel, giving_up: float = GIVING_UP
    ) -> None:
        """Make a move, or resign."""
        game, state = now["game"], json.loads(board.told)["game"]
        if state["to_move"] != now["seat"]:
            return  # The opponent has resigned, or a move was made whose answer was lost.
        after, move = state["number"], self.chance.choice(state["legal"])["move"]
        what, body = "moves", {"move": move, "after": after}
        if self.chance.random() < giving_up:
            what, body = "resign", {"after": after}
        self.crowd.unsure.add(game)  # The opponent, or the computer, may have answered since.
        sent = perf_counter()
        path, data = f"/api/v1/games/{game}/{what}", json.dumps(body).encode()
        answer = await self.crowd.ask("POST", path, data, pupil.token)
        self.moves.append(perf_counter() - sent)
        self.crowd.kept[game] = max(self.crowd.kept.get(game, b""), moves_of(answer), key=len)
        if board.number < number_of(answer):
            await board.expect(number_of(answer))

    async def look(self) -> list[Any]:
        """The state of every event."""
        answers = [await self.crowd.ask("GET", f"/api/v1/events/{code}") for code in self.hosts]
        return [json.loads(answer)["event"] for answer in answers]

    async def _opened(self, code: str, token: str) -> Channel:
        return await Channel.opened(self.port, f"/api/v1/events/{code}/live", token)

    async def _post(self, path: str, body: object, token: str = "", status: int = 200) -> Any:
        answer = await self.crowd.ask("POST", path, json.dumps(body).encode(), token, status)
        return json.loads(answer)


def paired_twice(events: list[Any]) -> int:
    """How many people are in two pairings at once, or are missing."""
    wrong = 0
    for event in events:
        busy = [one for pairing in event["pairings"] for one in pairing["players"] if one]
        wrong += len(busy) - len(set(busy)) + CLASS - len(event["players"])
    return wrong


def results_lost(before: list[Any], after: list[Any]) -> int:
    """How many people have won or played fewer games than they had."""
    kept = _results(after)
    return sum(
        any(now < then for now, then in zip(kept.get(who, (0, 0)), result, strict=True))
        for who, result in _results(before).items()
    )


def _results(events: list[Any]) -> dict[tuple[str, int], tuple[int, int]]:
    """How many games everybody has won and played."""
    return {
        (event["code"], one["number"]): (one["wins"], one["games"])
        for event in events
        for one in event["players"]
    }


async def _news(channel: Channel) -> None:
    """Wait for something to happen, but not for long."""
    try:
        async with asyncio.timeout(WAITING):
            await channel.expect(channel.number + 1)
    except TimeoutError:
        pass
    except ConnectionError:
        await asyncio.sleep(WAITING)


async def measure_events(set_up: SetUp, classes: Classes, bar: ProgressBar) -> Figures:
    """Play events beside ordinary games, kill the server in the middle, and check what is left. A
    bare server has the ordinary moves before, in the same minute."""
    seconds = classes.seconds / YARDSTICK_SHARE
    alone = Effort(YARDSTICK_GAMES, classes.rate, seconds, burst=seconds)
    with running(bare()) as server:
        yardstick = await measure_yardstick(server, alone, bar)
    with (
        set_up.database() as database,
        running(numduel(database.address, set_up.processes, warm=True)) as server,
    ):
        return await _measure(server, classes, yardstick, bar)


async def _measure(
    server: Server, classes: Classes, yardstick: Yardstick, bar: ProgressBar
) -> Figures:
    crowd = Crowd(server.port, random.Random(0))
    school = School(crowd, server.port, random.Random(1))
    kinds = [kind.name for kind in games()]
    bar.begin("games", classes.games)
    await crowd.sit_down(list(islice(cycle(kinds), classes.games)), bar.advance)
    bar.begin("joining", classes.events * CLASS)
    await school.assemble(islice(cycle(kinds), classes.events), bar.advance)
    await school.start()
    gc.collect()
    gc.freeze()  # Collecting all pupils and their channels would pause the moves.
    bar.begin("moves", round(classes.rate * classes.seconds))
    driven, _ = await asyncio.gather(
        paced(crowd, classes.rate, classes.seconds, random.Random(2), bar.advance),
        school.play(classes.seconds),
    )
    gc.unfreeze()
    crowd.expect_the_end()
    for pupil in school.pupils:
        for channel in pupil.channels:
            channel.leaving = True
    before = await school.look()
    await asyncio.to_thread(server.kill)
    await asyncio.to_thread(server.start)
    bar.begin("looking", len(crowd.kept))
    missing, after = await lost(crowd, bar.advance), await school.look()
    crowd.http.close()
    errors = crowd.tally.errors + server.complaints
    errors["acknowledged moves lost in the kill"] = missing
    errors["results lost in the kill"] = results_lost(before, after)
    errors["paired twice or gone"] = paired_twice(after)
    return _rows(school, driven, classes, yardstick), {what: n for what, n in errors.items() if n}


def _waits(waits: list[float]) -> list[Row]:
    """How long people waited for the next opponent. They wait on purpose while only people they
    have met are free."""
    if not waits:
        return []
    return [
        Row(f"  without an opponent, p{part}", percentile(waits, part), None, "s")
        for part in (50, 99)
    ]


def _rows(school: School, driven: Paced, classes: Classes, yardstick: Yardstick) -> list[Row]:
    late, bare_late = spread(driven)[1], spread(yardstick.paced)[1]
    return [
        Row("people in events", len(school.pupils), None, ""),
        at_most("a class is paired within, at worst", max(school.pairing), PAIRING, "s"),
        Row("people paired again", len(school.waits), None, ""),
        *_waits(school.waits),
        Row("moves a second in events", len(school.moves) / classes.seconds, None, "/s"),
        at_most("a move in an event, p99", 1000 * percentile(school.moves, 99), P99, "ms"),
        Row("moves a second beside them", driven.rate, None, "/s"),
        compared("  to the opponent, p99", late, bare_late, "ms")._replace(
            goal=f"{P99:g} ms", ok=late <= P99
        ),
    ]  # fmt: skip
