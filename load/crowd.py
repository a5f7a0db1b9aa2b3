"""Thousands of players: each has a seat, a live channel, and makes random legal moves."""

import asyncio
import json
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from load.wire import Channel, Http, moves_of, number_of

ANSWER_TIMEOUT = 30.0
"""Seconds after which an answer or a state counts as lost."""
ABREAST = 32
"""Games that are set up, or checked, concurrently."""
OVER = b'"to_move":null'


class Failure(Exception):
    """The server did something wrong."""


@dataclass
class Game:
    """A live game and its two players."""

    id: str
    tokens: tuple[str, str]
    channels: tuple[Channel, Channel]

    @property
    def open(self) -> bool:
        """Whether both players are still connected."""
        return self.channels[0].closed is None and self.channels[1].closed is None

    def turn(self) -> tuple[int, dict[str, Any]]:
        """The seat to move, counted from 0, and the game as that player knows it."""
        for seat, channel in enumerate(self.channels):
            if b'"to_move":%d' % (seat + 1) in channel.told:
                told: dict[str, Any] = json.loads(channel.told)["game"]
                return seat, told
        raise Failure("nobody was told that it is their turn")


@dataclass
class Tally:
    """What was counted and timed; times are in seconds."""

    errors: Counter[str] = field(default_factory=Counter)
    from_due: list[float] = field(default_factory=list)
    """From when a move was due to its arrival at the opponent."""
    from_sent: list[float] = field(default_factory=list)
    """From when it was sent, without the wait before that."""
    begun_again: list[float] = field(default_factory=list)
    """How long rematches took, to the first states of their players."""


class Crowd:
    """All players on one server, at many addresses or at one."""

    def __init__(self, port: int, chance: random.Random, address: str = "") -> None:
        self.http = Http(port, address=address)
        self.tally = Tally()
        self.kept: dict[str, bytes] = {}
        """The acknowledged moves of every game, finished ones included."""
        self.unsure: set[str] = set()
        """Games with a move that may have been made although its answer was lost."""
        self.ready: asyncio.Queue[Game] = asyncio.Queue()
        """Games with no move under way, the longest idle first."""
        self.live = 0
        """Games that go on, with both players connected."""
        self._port = port
        self._address = address
        self._chance = chance
        self._all: dict[str, Game] = {}

    @property
    def addresses(self) -> set[str]:
        """Where its players are."""
        channels = (channel for game in self._all.values() for channel in game.channels)
        return {channel.address for channel in channels} | self.http.addresses

    # -- sitting down -----------------------------------------------------------------------

    async def sit_down(self, kinds: list[str], seated: Callable[[], None]) -> None:
        """Begin games of these kinds and keep them open."""
        waiting = iter(kinds)

        async def begin() -> None:
            for kind in waiting:
                async with self.counted("begin"):
                    await self._begin(kind)
                seated()

        await asyncio.gather(*(begin() for _ in range(ABREAST)))

    async def _begin(self, kind: str) -> None:
        new = json.dumps({"game": kind, "opponent": "friend"}).encode()
        created = json.loads(await self._post("/api/v1/games", new, status=201))
        invite = json.dumps({"invite": created["invite"]}).encode()
        joined = json.loads(await self._post(f"/api/v1/games/{created['id']}/join", invite))
        await self._open(created["id"], (created["token"], joined["token"]))

    async def _open(self, id: str, tokens: tuple[str, str]) -> None:  # noqa: A002
        """Connect both players of a game, which then waits for its first move."""
        self.kept[id] = b""
        path = f"/api/v1/games/{id}/live"
        first, second = [await self._channel(path, token) for token in tokens]
        self._all[id] = Game(id, tokens, (first, second))
        self.live += 1
        self.ready.put_nowait(self._all[id])

    async def _channel(self, path: str, token: str) -> Channel:
        return await Channel.opened(self._port, path, token, address=self._address)

    # -- playing ----------------------------------------------------------------------------

    async def move(self, game: Game, due: float) -> None:
        """Make a move in a game, and begin another if it was the last."""
        over = None
        async with self.counted("move"):
            over = await self._move(game, due)
        if over is None:
            self.unsure.add(game.id)
        if over:
            await self._replace(game)
        elif game.open:
            self.ready.put_nowait(game)
        else:
            self.live -= 1

    async def _move(self, game: Game, due: float) -> bool:
        """Make a move; returns whether it ended the game."""
        seat, told = game.turn()
        move = self._chance.choice(told["legal"])["move"]
        mover, other = game.channels[seat], game.channels[1 - seat]
        seen = other.expect(told["number"] + 1)
        body = json.dumps({"move": move, "after": told["number"]}).encode()
        sent = perf_counter()
        answer = await self._post(f"/api/v1/games/{game.id}/moves", body, game.tokens[seat])
        self._keep(game.id, answer, move)
        await seen
        self.tally.from_due.append(other.arrived - due)
        self.tally.from_sent.append(other.arrived - sent)
        number = number_of(answer)
        for channel in (mover, other):
            if channel.number < number:
                await channel.expect(number)
        return OVER in answer

    def _keep(self, id: str, answer: bytes, move: str) -> None:  # noqa: A002
        """Remember the acknowledged moves: the earlier ones and this."""
        before, after = self.kept[id], moves_of(answer)
        self.kept[id] = after
        made = b'"%s"' % move.encode()
        if not after.startswith(before + b"," + made if before else made):
            raise Failure("the answer has other moves than were made")

    async def _replace(self, game: Game) -> None:
        """Agree to a rematch, so that as many games go on as before."""
        self.live -= 1
        began = perf_counter()
        async with self.counted("rematch"):
            path = f"/api/v1/games/{game.id}/rematch"
            await self._post(path, b"{}", game.tokens[0])
            agreed = json.loads(await self._post(path, b"{}", game.tokens[1]))
            await self._open(agreed["game"]["rematch"]["game"], game.tokens)
            self.tally.begun_again.append(perf_counter() - began)
        for channel in game.channels:
            channel.leave()
        del self._all[game.id]

    # -- leaving ----------------------------------------------------------------------------

    def expect_the_end(self) -> list[Channel]:
        """Let channels close from now on; returns all of them."""
        channels = [channel for game in self._all.values() for channel in game.channels]
        dropped = sum(channel.closed is not None for channel in channels)
        if dropped:
            self.tally.errors["channels dropped"] += dropped
        for channel in channels:
            channel.leaving = True
        return channels

    # -- asking -----------------------------------------------------------------------------

    async def look(self, id: str) -> bytes:  # noqa: A002
        """The state of a game."""
        return await self.ask("GET", f"/api/v1/games/{id}", b"", "", 200)

    async def _post(self, path: str, body: bytes, token: str = "", status: int = 200) -> bytes:
        return await self.ask("POST", path, body, token, status)

    async def ask(
        self, method: str, path: str, body: bytes = b"", token: str = "", wanted: int = 200
    ) -> bytes:
        """The answer to a request, which must have this status."""
        status, answer = await self.http.ask(method, path, body, token)
        if status != wanted:
            raise Failure(f"{status} {answer[:120].decode(errors='replace')}")
        return answer

    @asynccontextmanager
    async def counted(self, what: str) -> AsyncIterator[None]:
        """Count what goes wrong, and go on."""
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT):
                yield
        except Failure as failure:
            self.tally.errors[f"{what}: {failure}"] += 1
        except TimeoutError:
            self.tally.errors[f"{what}: nothing came in {ANSWER_TIMEOUT:g} s"] += 1
        except OSError:
            self.tally.errors[f"{what}: connection lost"] += 1
        except (LookupError, ValueError):
            self.tally.errors[f"{what}: an answer that is no state"] += 1
