"""What it costs the server to refuse a request: processor time, beside that of a bare server that
answers one."""

import asyncio
import re
from asyncio import StreamReader, StreamWriter
from collections import Counter
from typing import NamedTuple

from rich.box import SIMPLE
from rich.table import Table

from load.flood import ANSWER, Target
from load.processes import busy
from load.servers import Server, bare, numduel, running, sqlite
from numduel.terminal.progress import ProgressBar

ADDRESSES = 100
"""Addresses that ask, each on one connection: a server refuses fifty requests a second of each at
once, and the next ones later."""
EACH = 40
"""Requests of each address that are measured."""
FIRST = 2
"""Requests of each before those."""
RATE = 0.01
"""Requests a second that an address may make where it is refused for more."""
LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)


class Refusal(NamedTuple):
    """A request that is refused, or one to compare it with."""

    about: str
    path: str
    status: int
    body: object = None
    host: str = ""


BARE = Refusal("a bare server's answer", "/api/v1/games/0/join", 200)
REFUSALS = (
    Refusal("the rules of all games, from memory", "/api/v1/rules", 200),
    Refusal("a Host that is not the server's", "/", 421, host="10.1.2.3"),
    Refusal("a page that does not exist", "/nowhere", 404),
    Refusal("something of the API that does not exist", "/api/v1/nowhere", 404),
    Refusal("a game that does not exist", "/api/v1/games/XXXXXXXXXXXX", 404),
    Refusal("a POST that makes no sense", "/api/v1/games", 422, body={}),
)
TOO_MUCH = (
    Refusal("too much at once, of the API", "/api/v1/rules", 429),
    Refusal("too much at once, of pages", "/", 429),
)


class Cost(NamedTuple):
    """What a request took."""

    about: str
    status: int
    microseconds: float
    bare: float
    """What an answer of the bare server took."""
    errors: dict[str, int]
    """The answers that had another status."""

    @property
    def ratio(self) -> float:
        """How many times as long as an answer of the bare server."""
        return self.microseconds / self.bare

    def as_json(self) -> dict[str, object]:
        """Everything, for programs."""
        return self._asdict() | {"ratio": self.ratio}


async def measure_refusals(bar: ProgressBar) -> list[Cost]:
    """Measure every request on a server of its kind."""
    bar.begin("refusals", 1 + len(REFUSALS) + len(TOO_MUCH))
    with running(bare()) as server:
        target = Target(server.port, "127.0.0.2")
        await target.asked("/api/v1/games", {})
        (yardstick,) = await _measured(server, (BARE,), 0.0, bar)
    costs = [yardstick._replace(bare=yardstick.microseconds)]
    for refusals, rate in ((REFUSALS, 0.0), (TOO_MUCH, RATE)):
        with sqlite() as database, running(numduel(database.address, 1, rate=rate)) as server:
            costs += await _measured(server, refusals, yardstick.microseconds, bar)
    return costs


async def _measured(
    server: Server, refusals: tuple[Refusal, ...], yardstick: float, bar: ProgressBar
) -> list[Cost]:
    costs = []
    for number, refusal in enumerate(refusals):
        costs.append(await cost_of(server, refusal, number, yardstick))
        bar.advance()
    return costs


async def cost_of(server: Server, refusal: Refusal, number: int, yardstick: float) -> Cost:
    """The processor time of a request, from addresses that have not asked before."""
    addresses = [f"127.0.{10 + number}.{last + 1}" for last in range(ADDRESSES)]
    targets = [Target(server.port, address) for address in addresses]
    request = targets[0].request(refusal.path, refusal.body, host=refusal.host)
    streams = [await target.connected() for target in targets]
    await asyncio.gather(*(_statuses(*stream, request, FIRST) for stream in streams))
    serving = server.serving()
    before = busy(serving)
    found = await asyncio.gather(*(_statuses(*stream, request, EACH) for stream in streams))
    taken = busy(serving) - before
    for _, writer in streams:
        writer.close()
    others = Counter(status for statuses in found for status in statuses)
    del others[refusal.status]
    errors = {f"answered {status}": count for status, count in others.items()}
    microseconds = 1e6 * taken / (ADDRESSES * EACH)
    return Cost(refusal.about, refusal.status, microseconds, yardstick, errors)


async def _statuses(
    reader: StreamReader, writer: StreamWriter, request: bytes, count: int
) -> list[int]:
    """The statuses that a request is answered with, asked one time after the other."""
    statuses = []
    for _ in range(count):
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        status, length = ANSWER.match(head), LENGTH.search(head)
        assert status is not None
        assert length is not None
        await reader.readexactly(int(length[1]))
        statuses.append(int(status[1]))
    return statuses


def refusals_table(costs: list[Cost]) -> Table:
    """What refusing costs, as people read it."""
    shown = Table(box=SIMPLE, padding=(0, 1, 0, 0))
    shown.caption = "Processor time of one request, beside that of the bare server for an answer."
    shown.add_column("request", no_wrap=True)
    for heading in ("status", "µs", "times"):
        shown.add_column(heading, justify="right")
    for cost in costs:
        times = f"{cost.ratio:.1f}"
        shown.add_row(cost.about, str(cost.status), f"{cost.microseconds:.0f}", times)
    return shown
