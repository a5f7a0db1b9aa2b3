"""Hundreds of games at once, of all kinds: moves come at a given pace, whoever has finished plays
again, and at the end the server is killed. Nothing that it acknowledged may be lost."""

import asyncio
import random
from collections import deque
from dataclasses import dataclass, field
from itertools import cycle, islice
from time import perf_counter
from typing import Any, NamedTuple

from load.client import Channel, Client, Failure, Figures, percentile
from load.server import Server
from numduel import games


class Effort(NamedTuple):
    """How much is played."""

    games: int
    rate: float
    """Moves a second."""
    seconds: float


@dataclass
class Game:
    """A game that is being played."""

    id: str
    tokens: tuple[str, str]
    channels: tuple[Channel, Channel]


@dataclass
class Crowd:
    """All players on one server."""

    client: Client
    chance: random.Random = field(default_factory=lambda: random.Random(0))
    idle: deque[Game] = field(default_factory=deque)
    """Games with no move under way, the longest idle first."""
    acknowledged: dict[str, list[str]] = field(default_factory=dict)
    """The moves of every game, finished ones included."""
    unsure: set[str] = field(default_factory=set)
    """Games with a move that may have been made although its answer was lost."""
    delays: list[float] = field(default_factory=list)
    """Seconds from when a move was due until the opponent knew it."""
    rematches: int = 0

    async def begin(self, kind: str) -> None:
        """Begin a game between two people."""
        async with self.client.counted("begin"):
            new = await self.client.ask("games", {"game": kind, "opponent": "friend"})
            invite = {"invite": new["invite"]}
            joined = await self.client.ask(f"games/{new['id']}/join", invite)
            await self._open(new["id"], (new["token"], joined["token"]))

    async def _open(self, id: str, tokens: tuple[str, str]) -> None:  # noqa: A002
        path, port = f"games/{id}", self.client.port
        first, second = [await Channel.opened(port, path, token) for token in tokens]
        self.acknowledged[id] = first.state["moves"]
        self.idle.append(Game(id, tokens, (first, second)))

    async def play(self, effort: Effort) -> None:
        """Make moves at times fixed in advance (open loop), however late earlier ones are."""
        count = round(effort.rate * effort.seconds)
        start, moving = perf_counter(), set[asyncio.Task[None]]()
        for offset in sorted(self.chance.uniform(0, effort.seconds) for _ in range(count)):
            await asyncio.sleep(start + offset - perf_counter())
            if not self.idle:
                self.client.errors["no game could go on"] += 1
                continue
            task = asyncio.create_task(self._move(self.idle.popleft(), start + offset))
            moving.add(task)
            task.add_done_callback(moving.discard)
        while moving:
            await asyncio.wait(moving)

    async def _move(self, game: Game, due: float) -> None:
        """Make a move in a game, and begin another if it was the last."""
        self.unsure.add(game.id)
        async with self.client.counted("move"):
            state = max((one.state for one in game.channels), key=lambda one: one["number"])
            seat = state["to_move"] - 1
            other = game.channels[1 - seat]
            move = self.chance.choice(state["legal"])["move"]
            body = {"move": move, "after": state["number"]}
            answer = await self.client.ask(f"games/{game.id}/moves", body, game.tokens[seat])
            self._acknowledge(game.id, answer["game"]["moves"], move)
            await other.expect(state["number"] + 1)
            self.delays.append(other.arrived - due)
            self.unsure.discard(game.id)
            if answer["game"]["to_move"] is None:
                await self._again(game)
            else:
                for channel in game.channels:
                    await channel.expect(answer["game"]["number"])
                self.idle.append(game)

    def _acknowledge(self, id: str, moves: list[str], move: str) -> None:  # noqa: A002
        before = self.acknowledged[id]
        if moves[: len(before) + 1] != [*before, move]:
            raise Failure("the answer has other moves than were made")
        self.acknowledged[id] = moves

    async def _again(self, game: Game) -> None:
        path = f"games/{game.id}/rematch"
        await self.client.ask(path, {}, game.tokens[0])
        agreed = await self.client.ask(path, {}, game.tokens[1])
        await self._open(agreed["game"]["rematch"]["game"], game.tokens)
        self.rematches += 1
        for channel in game.channels:
            await channel.leave()

    async def look(self, id: str) -> None:  # noqa: A002
        """Compare what the server has of a game with what it acknowledged."""
        async with self.client.counted("look"):
            found: Any = (await self.client.ask(f"games/{id}"))["game"]["moves"]
            before = self.acknowledged[id]
            if found[: len(before)] != before:
                self.client.errors["acknowledged moves lost"] += 1
            elif len(found) > len(before) and id not in self.unsure:
                self.client.errors["moves that nobody acknowledged"] += 1


async def measure_crowd(effort: Effort) -> Figures:
    """Hold the games, make moves, kill the server, and check every game."""
    with Server() as server:
        crowd = Crowd(Client(server.port))
        kinds = islice(cycle([kind.name for kind in games()]), effort.games)
        began = perf_counter()
        await crowd.client.each(kinds, crowd.begin)
        begun = perf_counter()
        await crowd.play(effort)
        played = perf_counter()
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
        crowd.client = Client(server.port, crowd.client.errors)
        await crowd.client.each(crowd.acknowledged, crowd.look)
        errors = crowd.client.errors + server.complaints()
    delays = [1000 * delay for delay in crowd.delays]
    rows = {
        "games at once": f"{effort.games}",
        "games begun": f"{effort.games / (begun - began):.0f} /s",
        "moves": f"{len(delays) / (played - begun):.0f} /s",
        "  to the opponent, p50": f"{percentile(delays, 50):.0f} ms",
        "  to the opponent, p99": f"{percentile(delays, 99):.0f} ms",
        "rematches": f"{crowd.rematches}",
        "looked at after a kill": f"{sum(map(len, crowd.acknowledged.values()))} moves,"
        f" {len(crowd.acknowledged)} games",
    }
    return rows, errors
