"""Several machines with one database, of which one loses it for a while.

One machine is cut off from the database, silently, as by a broken switch. Acknowledged moves must
be there afterwards, once, and everybody else plays on.
"""

import asyncio
import json
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import cycle, islice
from time import perf_counter
from typing import NamedTuple

import psycopg
from bench.table import Row

from load.crowd import ANSWER_TIMEOUT
from load.drive import unlike
from load.events import Figures
from load.network import DELAY, Machine, Network, network
from load.processes import busy, family
from load.report import ATTACKED, P99, compared, nothing, percentile
from load.servers import Database, Server, postgresql, running
from load.spread import TRY_TIMEOUT, Move, Site
from load.wire import Http, moves_of, number_of
from numduel import games
from numduel.terminal.progress import ProgressBar
from numduel.web.storage.envelope import Envelope
from numduel.web.storage.writer import CHANNEL, NOTIFY

CUT = 0
"""The number of the machine that is cut off."""
PROBE_SECONDS = 0.25
"""Seconds between two looks at the machine that is cut off."""
NOTICED = 6.0
"""Seconds within which a machine should have noticed that it is cut off."""
NEWS = 30_000
"""Moves of which a process is told to see how long it hears of one."""
RECOVERY = 5.0
"""Seconds within which everything should be as before."""


class Trial(NamedTuple):
    """How much is played."""

    machines: int
    tables: int
    think: float
    """Seconds between two moves at a table, on average."""
    seconds: float
    """How long it is played before the cut, and after."""
    cut: float
    """Seconds without the database."""


@dataclass
class Found:
    """What was measured."""

    site: Site
    began: float
    ended: float
    cut: "CutOff"
    costs: "Costs"
    lost: int
    unknown: int
    """Moves that nobody acknowledged."""


async def measure_machines(trial: Trial, bar: ProgressBar) -> Figures:
    """Play on several machines, and cut one of them off."""
    with ExitStack() as stack:
        net = stack.enter_context(network(trial.machines))
        database = stack.enter_context(postgresql("*"))
        bar.begin("machines", trial.machines)
        servers = []
        for machine in net.machines:
            servers.append(stack.enter_context(running(machine.server())))
            bar.advance()
        found = await _measure(net, servers, database, trial, bar)
        for server in servers:
            await asyncio.to_thread(server.stop)
            found.site.errors += server.complaints
    return rows(found, trial), dict(found.site.errors)


async def _measure(
    net: Network, servers: list[Server], database: Database, trial: Trial, bar: ProgressBar
) -> Found:
    ports = [server.port for server in servers]
    places = [(one.address, port) for one, port in zip(net.machines, ports, strict=True)]
    site = Site([Http(port, host) for host, port in places], places, random.Random(0))
    kinds = cycle(kind.name for kind in games())
    bar.begin("games", trial.tables)
    for kind in islice(kinds, trial.tables):
        site.tables.append(await site.sit_down(kind))
        bar.advance()
    began, spending = perf_counter(), Spending(servers, database, site)
    playing = [asyncio.create_task(site.play(one, kinds, trial.think)) for one in site.tables]
    costs = await spending.during(_wait("before", trial.seconds, bar))
    bar.begin("cut off", 1)
    cut = await cut_off(site, net, net.machines[CUT], trial.cut)
    await _wait("after", trial.seconds, bar)
    site.over = True
    ended = perf_counter()
    await asyncio.gather(*playing)
    bar.begin("looking", len(site.kept))
    lost, unknown = await _compare(site, database, bar.advance)
    costs = costs._replace(news=await _cost_of_news(servers[-1], database))
    return Found(site, began, ended, cut, costs, lost, unknown)


async def _wait(what: str, seconds: float, bar: ProgressBar) -> None:
    bar.begin(what, round(seconds))
    for _ in range(round(seconds)):
        await asyncio.sleep(1)
        bar.advance()


async def _compare(site: Site, database: Database, looked: Callable[[], None]) -> tuple[int, int]:
    """How many acknowledged moves are missing at some machine or in the database, and how many
    there are that nobody acknowledged."""
    async with await psycopg.AsyncConnection.connect(database.address) as connection:
        query = "SELECT game, text FROM log WHERE kind = 'move' ORDER BY game, number"
        stored = dict.fromkeys(site.kept, b"")
        async for game, text in await connection.execute(query):
            stored[game] += b'%s"%s"' % (b"," if stored[game] else b"", text.encode())
    lost = unknown = 0
    for game, kept in site.kept.items():
        answers = [await http.ask("GET", f"/api/v1/games/{game}") for http in site.https]
        for found in [stored[game], *(moves_of(answer) for _, answer in answers)]:
            lost += unlike(kept, found)
            unknown += unlike(found, kept)
        looked()
    return lost, unknown


# -- what a move costs ----------------------------------------------------------------------


class Costs(NamedTuple):
    """What some moves have cost."""

    moves: int
    servers: float
    """Seconds of processor time."""
    database: float
    log: int
    """Bytes that PostgreSQL wrote to its write-ahead log."""
    told: int
    """Bytes of notifications; each process receives all of them."""
    size: float
    """Bytes of tables and indexes for each game."""
    news: float = 0.0
    """Seconds of processor time with which a process hears of a move that is not for it."""


class Spending:
    """Measures what moves cost."""

    def __init__(self, servers: list[Server], database: Database, site: Site) -> None:
        self._servers = servers
        self._database = database
        self._site = site

    async def during(self, doing: Awaitable[None]) -> Costs:
        """What was spent while something was done."""
        address = self._database.address
        async with await psycopg.AsyncConnection.connect(address, autocommit=True) as connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            told = 0

            def hear(notice: psycopg.Notify) -> None:
                nonlocal told
                told += len(notice.payload)

            connection.add_notify_handler(hear)
            before = await self._now(connection)
            await doing
            after = await self._now(connection)
            spent = [now - then for now, then in zip(after, before, strict=True)]
            size = await _one(connection, _SIZE) / len(self._site.kept)
            return Costs(round(spent[0]), spent[1], spent[2], round(spent[3]), told, size)

    async def _now(self, connection: psycopg.AsyncConnection) -> tuple[float, ...]:
        assert self._database.pid is not None
        serving = [pid for server in self._servers for pid in server.serving()]
        taken = busy(serving), busy(family(self._database.pid))
        return len(self._site.moves), *taken, await _one(connection, _LOG)


_SIZE = """SELECT sum(pg_total_relation_size(oid)) FROM pg_class
WHERE relname IN ('games', 'seats', 'log')"""
_LOG = "SELECT pg_current_wal_lsn() - '0/0'"


async def _cost_of_news(server: Server, database: Database) -> float:
    """The processor time with which a process hears of a move in a game that it does not know."""
    serving = server.serving()
    before = taken = busy(serving)
    async with await psycopg.AsyncConnection.connect(database.address) as connection:
        row = await (await connection.execute("SELECT secret FROM server")).fetchone()
        envelope = Envelope(row[0] if row else "")
        entry = {"game": "Zb3kq0V9tfx1", "seat": 1, "kind": "move", "text": "5", "at": 1.7e9}
        sealed = (
            envelope.seal(json.dumps({**entry, "number": number, "token": None}).encode(), "load")
            for number in range(NEWS)
        )
        await connection.execute(NOTIFY, (json.dumps([f"load {one}" for one in sealed]),))
    while (now := busy(serving)) > taken or now == before:
        await asyncio.sleep(1)
        taken = now
    return (taken - before) / NEWS


async def _one(connection: psycopg.AsyncConnection, query: str) -> float:
    row = await (await connection.execute(query)).fetchone()
    return float(row[0]) if row else 0.0


# -- the machine that is cut off ------------------------------------------------------------


@dataclass
class CutOff:
    """What was seen of the machine without the database."""

    began: float = 0.0
    ended: float = 0.0
    answers: Counter[int] = field(default_factory=Counter)
    """How often it answered with which status."""
    stale: float = 0.0
    """Seconds after which it still answered with a game as it had been."""
    slowest: float = 0.0
    sentences: set[str] = field(default_factory=set)
    seconds_to_answer: float = 0.0
    """From when the cable was mended to when it was ready."""
    seconds_to_catch_up: float = 0.0
    """From then to when every player had seen what had happened."""


async def cut_off(site: Site, net: Network, machine: Machine, seconds: float) -> CutOff:
    """Cut a machine off from the database for some seconds, and wait until all is well again."""
    found = CutOff(began=perf_counter())
    net.cut(machine)
    http, looks = site.https[machine.number], []
    while perf_counter() < found.began + seconds:
        looks.append(asyncio.create_task(_look(site, http, found)))
        await asyncio.sleep(PROBE_SECONDS)
    net.cut(machine)
    found.ended = perf_counter()
    now = [(table, channel, table.number) for table in site.tables for channel in table.channels]
    recovered = asyncio.create_task(_ready(http))
    while any(
        channel.number < number and channel in table.channels and channel.closed is None
        for table, channel, number in now
    ):
        await asyncio.sleep(0.02)
    found.seconds_to_catch_up = perf_counter() - found.ended
    found.seconds_to_answer = await recovered - found.ended
    await asyncio.gather(*looks)
    return found


async def _look(site: Site, http: Http, found: CutOff) -> None:
    """Ask the machine for a game in which something happens."""
    table, asked = site.chance.choice(site.tables), perf_counter()
    known = table.number
    try:
        async with asyncio.timeout(ANSWER_TIMEOUT):
            status, answer = await http.ask("GET", f"/api/v1/games/{table.id}")
    except (OSError, TimeoutError):
        status, answer = 0, b""
    if found.ended:  # The answer may have come after the cable was mended.
        return
    found.answers[status] += 1
    found.slowest = max(found.slowest, perf_counter() - asked)
    if status == 200:
        if number_of(answer) < known:
            found.stale = perf_counter() - found.began
    elif answer:
        found.sentences.add(json.loads(answer)["error"])


async def _ready(http: Http) -> float:
    """When a machine says that it is ready."""
    while True:
        try:
            async with asyncio.timeout(TRY_TIMEOUT):
                status, _ = await http.ask("GET", "/api/v1/health")
        except (OSError, TimeoutError):
            status = 0
        if status == 200:
            return perf_counter()
        await asyncio.sleep(0.05)


# -- the report -----------------------------------------------------------------------------


def rows(found: Found, trial: Trial) -> list[Row]:
    """The figures, the most important first."""
    cut, site = found.cut, found.site
    phases = {
        "before": (found.began, cut.began),
        "while one is cut off": (cut.began, cut.ended),
        "afterwards": (cut.ended + cut.seconds_to_catch_up, found.ended),
    }
    answers = ", ".join(f"{count} × {status or 'none'}" for status, count in cut.answers.items())
    return [
        Row("machines, games, way", f"{trial.machines}, {trial.tables}, {1000 * DELAY:g} ms"),
        *_paces(site.moves, phases),
        Row("slowest move through that one", _slowest(site.moves, cut), None, "s"),
        Row("its answers meanwhile", answers),
        Row("  the slowest", cut.slowest, None, "s"),
        *(Row("  it said", sentence) for sentence in sorted(cut.sentences)),
        Row.under("  told old states for", cut.stale, "s", NOTICED),
        Row.under("ready again after", cut.seconds_to_answer, "s", RECOVERY),
        Row.under("everybody up to date after", cut.seconds_to_catch_up, "s", RECOVERY),
        Row("moves acknowledged", str(len(site.moves))),
        nothing("  lost", found.lost),
        nothing("  made but not acknowledged", found.unknown),
        Row("  refused, yet found made once", str(site.found_made)),
        Row("requests sent elsewhere", str(site.refused)),
        nothing("errors", site.errors.total()),
        *_costs(found.costs),
    ]


def _paces(moves: list[Move], phases: dict[str, tuple[float, float]]) -> Iterator[Row]:
    """How fast moves were over the machines that were never cut off."""
    quiet: float | None = None
    for name, (start, end) in phases.items():
        taken = [
            1000 * (move.arrived - move.sent)
            for move in moves
            if CUT not in move.machines and move.sent < end and move.arrived > start
        ]
        late = percentile(taken, 99)
        if quiet is None:
            yield Row.under(f"p99 of the others {name}", late, "ms", P99)
            quiet = late
        else:
            beside = compared(f"p99 of the others {name}", late, quiet, "ms")
            aim = max(P99, ATTACKED * quiet)
            yield beside._replace(goal=f"under {aim:.0f} ms", ok=late < aim)
        yield Row("  moves a second", len(taken) / (end - start), None, "/s")


def _slowest(moves: list[Move], cut: CutOff) -> float:
    """The longest that a move took which came near the machine without the database."""
    return max(
        (
            move.arrived - move.sent
            for move in moves
            if CUT in move.machines and move.sent < cut.ended and move.arrived > cut.began
        ),
        default=0.0,
    )


def _costs(costs: Costs) -> list[Row]:
    moves = max(costs.moves, 1)
    return [
        Row("processor time a move, servers", 1000 * costs.servers / moves, None, "ms"),
        Row("  database", 1000 * costs.database / moves, None, "ms"),
        Row("written to its log a move", costs.log / moves, None, "bytes"),
        Row("told to each process a move", costs.told / moves, None, "bytes"),
        Row("  hearing of one elsewhere", 1e6 * costs.news, None, "µs"),
        Row("stored a game", costs.size, None, "bytes"),
    ]
