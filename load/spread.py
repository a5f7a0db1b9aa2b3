"""Players who are spread over several machines, as a proxy without stickiness does it.

The two players of a game have their live channels at different machines, and each request goes to
any of them. A machine that fails is not asked for a while; a player whose channel is closed opens
one at another machine.
"""

import asyncio
import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, NamedTuple

from load.crowd import ANSWER_TIMEOUT, OVER, Failure
from load.wire import Channel, Http, moves_of, number_of

TRY_TIMEOUT = 10.0
"""Seconds for which a request waits for one machine."""
REST_SECONDS = 2.0
"""Seconds for which a machine that has failed is not asked again."""
RETRY_SECONDS = 0.25
"""Seconds before somebody tries to connect again."""
UNAVAILABLE = 503


class Move(NamedTuple):
    """A move that has arrived at the opponent."""

    sent: float
    arrived: float
    machines: frozenset[int]
    """Those that were asked, and the opponent's."""


@dataclass
class Table:
    """A game, and where its players are connected."""

    id: str
    tokens: tuple[str, str]
    state: bytes
    """The newest state that was acknowledged."""
    channels: list[Channel] = field(default_factory=list)
    at: list[int] = field(default_factory=list)
    """The machine of each channel."""

    @property
    def number(self) -> int:
        """The number of that state."""
        return number_of(self.state)


@dataclass
class Site:
    """All machines, as the players see them."""

    https: list[Http]
    places: list[tuple[str, int]]
    """The host and the port of each machine."""
    chance: random.Random
    tables: list[Table] = field(default_factory=list)
    kept: dict[str, bytes] = field(default_factory=dict)
    """The acknowledged moves of every game."""
    moves: list[Move] = field(default_factory=list)
    refused: int = 0
    """Answers that made a player ask another machine."""
    found_made: int = 0
    """Moves that were refused or unanswered, and made all the same."""
    errors: Counter[str] = field(default_factory=Counter)
    over: bool = False
    _rests_until: dict[int, float] = field(default_factory=dict)

    # -- asking -----------------------------------------------------------------------------

    def any_machine(self, but: int | None = None) -> int:
        """A machine that has not failed lately, if there is one."""
        now, all_of_them = perf_counter(), range(len(self.https))
        awake = [
            one for one in all_of_them if self._rests_until.get(one, 0.0) <= now and one != but
        ]
        return self.chance.choice(awake or list(all_of_them))

    def rest(self, machine: int) -> None:
        """Ask others for a while."""
        self._rests_until[machine] = perf_counter() + REST_SECONDS

    async def ask(
        self, path: str, body: dict[str, object], token: str = ""
    ) -> tuple[list[int], int, bytes]:
        """Ask one machine after another until one answers; returns the machines, too."""
        asked: list[int] = []
        async with asyncio.timeout(ANSWER_TIMEOUT):
            while True:
                asked.append(self.any_machine())
                try:
                    async with asyncio.timeout(TRY_TIMEOUT):
                        http, sent = self.https[asked[-1]], json.dumps(body).encode()
                        status, answer = await http.ask("POST", path, sent, token)
                except (OSError, TimeoutError):
                    status, answer = UNAVAILABLE, b""
                if status != UNAVAILABLE:
                    return asked, status, answer
                self.refused += 1
                self.rest(asked[-1])

    async def done(self, path: str, **body: object) -> Any:
        """The answer to a request that must succeed."""
        _, status, answer = await self.ask(path, body)
        if status not in (200, 201):
            raise Failure(f"{status} {answer[:120].decode(errors='replace')}")
        return json.loads(answer)

    # -- playing ----------------------------------------------------------------------------

    async def sit_down(self, kind: str) -> Table:
        """Begin a game whose players are at different machines."""
        created = await self.done("/api/v1/games", game=kind, opponent="friend")
        joined = await self.done(f"/api/v1/games/{created['id']}/join", invite=created["invite"])
        table = Table(created["id"], (created["token"], joined["token"]), b"")
        for seat in (0, 1):
            table.channels.append(await self._channel(table, seat))
        table.state = max((channel.told for channel in table.channels), key=number_of)
        self.kept[table.id] = b""
        return table

    async def _channel(self, table: Table, seat: int) -> Channel:
        """Connect a player, not where the opponent is."""
        while True:
            there = self.any_machine(table.at[1 - seat] if len(table.at) > 1 - seat else None)
            host, port = self.places[there]
            try:
                async with asyncio.timeout(TRY_TIMEOUT):
                    path = f"/api/v1/games/{table.id}/live"
                    channel = await Channel.opened(port, path, table.tokens[seat], host)
            except (OSError, TimeoutError):
                self.rest(there)
                await asyncio.sleep(RETRY_SECONDS)
            else:
                table.at[seat:] = [there, *table.at[seat + 1 :]]
                return channel

    async def play(self, table: Table, kinds: Iterator[str], think: float) -> None:
        """Make moves at a table, one game after another."""
        while not self.over:
            await asyncio.sleep(self.chance.expovariate(1 / think))
            try:
                async with asyncio.timeout(ANSWER_TIMEOUT):
                    await self._move(table)
                    if OVER in table.state:
                        for channel in table.channels:
                            channel.leave()
                        new = await self.sit_down(next(kinds))
                        self.tables[self.tables.index(table)] = table = new
            except TimeoutError:
                self.errors[f"nothing came in {ANSWER_TIMEOUT:g} s"] += 1
            except Failure as failure:
                self.errors[str(failure)] += 1

    async def _move(self, table: Table) -> None:
        told: Any = json.loads(table.state)["game"]
        seat, move = told["to_move"] - 1, self.chance.choice(told["legal"])["move"]
        sent = perf_counter()
        path, after = f"/api/v1/games/{table.id}/moves", {"move": move, "after": told["number"]}
        asked, status, answer = await self.ask(path, after, table.tokens[seat])
        if status == 409 and len(asked) > 1:  # An earlier attempt may have been made.
            _, answer = await self.https[asked[-1]].ask("GET", f"/api/v1/games/{table.id}")
            self.found_made += 1
        elif status != 200:
            raise Failure(f"{status} {answer[:120].decode(errors='replace')}")
        self._keep(table, answer, move)
        machines = frozenset([*asked, table.at[1 - seat]])
        arrived = await self._seen(table, 1 - seat)
        self.moves.append(Move(sent, arrived, machines))
        await self._seen(table, seat)

    def _keep(self, table: Table, answer: bytes, move: str) -> None:
        before, after = self.kept[table.id], moves_of(answer)
        made = b'"%s"' % move.encode()
        if not after.startswith(before + b"," + made if before else made):
            raise Failure("the answer has other moves than were made")
        self.kept[table.id], table.state = after, answer

    async def _seen(self, table: Table, seat: int) -> float:
        """When a player has seen the newest state, over another machine if need be."""
        while True:
            try:
                await table.channels[seat].expect(table.number)
                return table.channels[seat].arrived
            except ConnectionError:
                self.rest(table.at[seat])
                table.channels[seat] = await self._channel(table, seat)
