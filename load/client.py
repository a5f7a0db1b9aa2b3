"""What all players do: they ask, and follow live channels."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from statistics import quantiles
from time import perf_counter
from typing import Any, Self, TypeVar

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from load.server import HOST

T = TypeVar("T")
ANSWER_TIMEOUT = 30.0
"""Seconds after which an answer or a state counts as lost."""
ABREAST = 32
"""Things that are done at once while a measurement is prepared or checked."""
Figures = tuple[dict[str, str], dict[str, int]]
"""What was measured, by what it is called, and how often each error occurred."""


class Failure(Exception):
    """The server did something wrong."""


class Client:
    """Requests to one server, and what went wrong."""

    def __init__(self, port: int, errors: Counter[str] | None = None) -> None:
        self.port = port
        self.errors: Counter[str] = errors or Counter()
        limits = httpx.Limits(max_connections=64)
        way = httpx.AsyncHTTPTransport(verify=False, limits=limits, trust_env=False)
        url = f"http://{HOST}:{port}"
        self._http = httpx.AsyncClient(base_url=url, transport=way, timeout=ANSWER_TIMEOUT)

    async def ask(self, path: str, body: object = None, token: str = "") -> Any:
        """The answer to a request: a POST if there is a body, else a GET."""
        who = {"Authorization": f"Bearer {token}"} if token else {}
        method = "GET" if body is None else "POST"
        answer = await self._http.request(method, f"/api/v1/{path}", json=body, headers=who)
        if not answer.is_success:
            raise Failure(f"{answer.status_code} {answer.text[:120]}")
        return answer.json()

    @asynccontextmanager
    async def counted(self, what: str) -> AsyncIterator[None]:
        """Count what goes wrong, and go on."""
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT):
                yield
        except TimeoutError:
            self.errors[f"{what}: nothing came in {ANSWER_TIMEOUT:g} s"] += 1
        except (Failure, httpx.HTTPError, ConnectionError) as error:
            self.errors[f"{what}: {error or type(error).__name__}"] += 1

    async def each(self, things: Iterable[T], doing: Callable[[T], Awaitable[None]]) -> None:
        """Do something with each, some at once."""
        waiting = iter(things)

        async def work() -> None:
            for thing in waiting:
                await doing(thing)

        await asyncio.gather(*(work() for _ in range(ABREAST)))


class Channel:
    """A live channel: the newest state of a game or an event."""

    def __init__(self, socket: ClientConnection) -> None:
        self.state: dict[str, Any] = {}
        self.arrived = 0.0
        """When it came."""
        self.open = True
        self._socket = socket
        self._news = asyncio.Event()
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def opened(cls, port: int, path: str, token: str) -> Self:
        """A channel on which the first state has come."""
        socket = await connect(
            f"ws://{HOST}:{port}/api/v1/{path}/live", compression=None, proxy=None,
            additional_headers={"Authorization": f"Bearer {token}"},
        )  # fmt: skip
        channel = cls(socket)
        await channel.expect(0)
        return channel

    async def _listen(self) -> None:
        with suppress(ConnectionClosed):
            async for text in self._socket:
                told = json.loads(text)
                self.state, self.arrived = told.get("game") or told["event"], perf_counter()
                self._tell()
        self.open = False
        self._tell()

    def _tell(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    async def expect(self, number: int) -> None:
        """Wait for a state of at least this number."""
        while self.state.get("number", -1) < number:
            if not self.open:
                raise ConnectionError("a channel was closed")
            await self._news.wait()

    async def leave(self) -> None:
        """Close it."""
        await self._socket.close()
        await self._listening


def percentile(values: list[float], part: int) -> float:
    """The value that `part` percent do not exceed."""
    return quantiles(values, n=100)[part - 1] if len(values) > 1 else float("inf")
