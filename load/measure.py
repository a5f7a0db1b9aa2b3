"""Measure a set-up, from the first game to the last check after a restart."""

import asyncio
import gc
import random
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import cycle, islice
from time import perf_counter, process_time
from typing import NamedTuple

from load.attack import ADDRESS
from load.attacks import TOGETHER
from load.crowd import Crowd
from load.drive import Paced, flat_out, lost, paced
from load.processes import all_busy, busy, family, memory, sockets
from load.servers import Database, Server, attacking, bare, numduel, running
from numduel import games
from numduel.terminal.progress import ProgressBar

RESERVE = 50
"""One more game is begun for each of this many to be held, since some are always between their end
and the rematch."""
RESTART = 1012
"""The WebSocket close code of a server that restarts."""


class Effort(NamedTuple):
    """How much is measured."""

    games: int
    rate: float
    seconds: float
    burst: float
    """Seconds of moves at full speed."""


class SetUp(NamedTuple):
    """A database and the number of server processes."""

    title: str
    database: Callable[[], AbstractContextManager[Database]]
    processes: int


class Busy(NamedTuple):
    """Seconds of processor time."""

    server: float
    database: float
    load: float
    others: float
    """Everything else on this machine, which the measurement suffers from."""

    @classmethod
    def now(cls, server: Server, database: Database | None) -> "Busy":
        """The processor time until now."""
        keepers = family(database.pid) if database and database.pid else []
        ours = busy(server.serving()), busy(keepers), process_time()
        return cls(*ours, all_busy() - sum(ours))

    def since(self, before: "Busy") -> "Busy":
        """The processor time since then."""
        return Busy(*(now - then for now, then in zip(self, before, strict=True)))


@dataclass
class Yardstick:
    """What the bare server did under the same load."""

    paced: Paced
    flat_out: float
    busy: Busy


@dataclass
class Found:
    """What was measured of a set-up."""

    yardstick: Yardstick
    begun: int
    seconds_to_begin: float
    memory: int
    """Bytes by which the server grew with these games and their channels."""
    memory_afterwards: int
    sockets: list[int]
    """How many each process of the server held."""
    paced: Paced
    busy: Busy
    attacked: Paced
    """The same pace while somebody else attacks the server."""
    attacks: dict[str, int]
    """What the attacker did, and how often."""
    flat_out: float
    lost: int
    lost_after_restart: int
    looked_at: int
    moves: int
    told_of_restart: int
    channels: int
    seconds_to_stop: float
    seconds_to_start: float
    errors: Counter[str]


async def measure(set_up: SetUp, effort: Effort, bar: ProgressBar) -> Found:
    """Measure one set-up and its yardstick."""
    with running(bare()) as server:
        yardstick = await measure_yardstick(server, effort, bar)
    with (
        set_up.database() as database,
        running(numduel(database.address, set_up.processes)) as server,
    ):
        return await measure_server(server, database, yardstick, effort, bar)


async def measure_yardstick(server: Server, effort: Effort, bar: ProgressBar) -> Yardstick:
    """The same paces on the bare server for as long, in as many games, which never end."""
    crowd, chance = Crowd(server.port, random.Random(0)), random.Random(0)
    bar.begin("yardstick: games", effort.games)
    await crowd.sit_down(["any"] * effort.games, bar.advance)
    before = Busy.now(server, None)
    bar.begin("yardstick: moves", round(effort.rate * effort.seconds))
    found = await paced(crowd, effort.rate, effort.seconds, chance, bar.advance)
    taken = Busy.now(server, None).since(before)
    fastest = await flat_out(crowd, effort.burst)
    crowd.expect_the_end()
    await asyncio.to_thread(server.stop)
    crowd.http.close()
    return Yardstick(found, fastest, taken)


async def measure_server(
    server: Server, database: Database, yardstick: Yardstick, effort: Effort, bar: ProgressBar
) -> Found:
    """Hold the games, make moves, check every game, restart, and check again."""
    crowd, chance = Crowd(server.port, random.Random(0)), random.Random(0)
    kinds = [kind.name for kind in games()]
    await crowd.sit_down(kinds * 4, lambda: None)  # Warm up what is loaded once.
    empty, wanted = memory(server.serving()), effort.games + effort.games // RESERVE
    began = perf_counter()
    bar.begin("games", wanted)
    await crowd.sit_down(list(islice(cycle(kinds), wanted)), bar.advance)
    seconds_to_begin = perf_counter() - began
    full = memory(server.serving())
    connected = [sockets(pid) for pid in server.serving()]
    gc.collect()
    gc.freeze()  # Collecting thousands of players would pause the moves.

    before = Busy.now(server, database)
    bar.begin("moves", round(effort.rate * effort.seconds))
    driven = await paced(crowd, effort.rate, effort.seconds, chance, bar.advance)
    taken = Busy.now(server, database).since(before)
    bar.begin("under attack", round(effort.rate * effort.seconds))
    with attacking(server.port, ADDRESS, *TOGETHER) as attacker:
        attacker.begin()
        attacked = await paced(crowd, effort.rate, effort.seconds, chance, bar.advance)
    bar.begin("flat out", 1)
    fastest = await flat_out(crowd, effort.burst)
    afterwards = memory(server.serving())

    bar.begin("looking", len(crowd.kept))
    missing = await lost(crowd, bar.advance)
    channels = crowd.expect_the_end()
    stopped = await asyncio.to_thread(server.stop)
    await asyncio.sleep(0.1)
    told = sum(channel.closed == RESTART for channel in channels)
    await asyncio.to_thread(server.start)
    bar.begin("looking again", len(crowd.kept))
    missing_again = await lost(crowd, bar.advance)
    crowd.http.close()
    await asyncio.to_thread(server.stop)
    return Found(
        yardstick=yardstick,
        begun=wanted,
        seconds_to_begin=seconds_to_begin,
        memory=full - empty,
        memory_afterwards=afterwards,
        sockets=connected,
        paced=driven,
        busy=taken,
        attacked=attacked,
        attacks=attacker.done,
        flat_out=fastest,
        lost=missing,
        lost_after_restart=missing_again,
        looked_at=len(crowd.kept),
        moves=sum(kept.count(b",") + 1 for kept in crowd.kept.values() if kept),
        told_of_restart=told,
        channels=len(channels),
        seconds_to_stop=stopped,
        seconds_to_start=server.seconds_to_start,
        errors=crowd.tally.errors + server.complaints,
    )
