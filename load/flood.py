"""A client that asks as fast as it is answered, on many connections."""

import asyncio
import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import cast

from load.wire import HOST

CONNECTIONS = 50
"""Connections of one flood."""
PIPELINED = 8
"""Requests that are sent at once on each: the attacker should need less time than the server."""
PAUSE = 0.05
"""Seconds before a connection that was closed is opened again."""
ANSWER = re.compile(rb"HTTP/1\.1 (\d{3})")
"""How every answer begins."""
ANSWER_BYTES = 12


@dataclass
class Target:
    """The server that is attacked, as one attacker sees it."""

    port: int
    address: str
    """The address of the attacker."""
    done: Counter[str] = field(default_factory=Counter)
    """How often it did each thing, or got each kind of answer."""
    prepared: dict[str, str] = field(default_factory=dict)
    """Keys and codes that the attacker has got before."""
    keys: list[str] = field(default_factory=list)
    """The keys of players that it has invented."""
    games: list[str] = field(default_factory=list)
    """The games that it has begun."""

    async def connected(self, **named: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection from the address of the attacker."""
        local = (self.address, 0)
        return await asyncio.open_connection(HOST, self.port, local_addr=local, **named)

    def request(
        self, path: str, body: object = None, *, key: str = "", host: str = "", more: str = ""
    ) -> bytes:
        """A request: a POST if it has a body."""
        content = b"" if body is None else json.dumps(body).encode()
        head = [
            f"{'GET' if body is None else 'POST'} {path} HTTP/1.1",
            f"Host: {host or f'{HOST}:{self.port}'}",
            *([f"Authorization: Bearer {key}"] if key else []),
            *(["Content-Type: application/json"] if content else []),
            *([f"Content-Length: {len(content)}"] if content else []),
            *([more] if more else []),
        ]
        return "\r\n".join([*head, "", ""]).encode() + content

    async def asked(self, path: str, body: object = None, *, key: str = "") -> tuple[int, bytes]:
        """The status and body of an answer, on a connection of its own; 0 if there is none."""
        writer = None
        try:
            reader, writer = await self.connected()
            writer.write(self.request(path, body, key=key, more="Connection: close"))
            start, _, content = (await reader.read()).partition(b"\r\n\r\n")
            count_answers(self.done, start)
            return int(start[9:ANSWER_BYTES]), content
        except (OSError, ValueError):
            return 0, b"[]"
        finally:
            if writer is not None:
                writer.close()

    async def flood(
        self,
        requests: Iterable[bytes],
        connections: int = CONNECTIONS,
        pipelined: int = PIPELINED,
        pause: float = PAUSE,
    ) -> None:
        """Send requests for ever, as fast as they are answered. A connection that was closed is
        opened again after a pause, more or less, so that not all come back at once."""
        endless = iter(requests)
        await asyncio.gather(*(self._keep(endless, pipelined, pause) for _ in range(connections)))

    async def _keep(self, requests: Iterator[bytes], pipelined: int, pause: float) -> None:
        """Use one connection, and a new one whenever it is closed."""
        loop = asyncio.get_running_loop()
        while True:
            with suppress(OSError):
                _, flooding = await loop.create_connection(
                    lambda: Flooding(requests, pipelined, self.done),
                    HOST,
                    self.port,
                    local_addr=(self.address, 0),
                )
                await flooding.closed
            await asyncio.sleep(pause * random.uniform(0.5, 1.5))


def count_answers(done: Counter[str], data: bytes) -> int:
    """Count the answers that begin in some bytes, all of them and by their status."""
    found = ANSWER.findall(data)
    for status in found:
        done[answered(int(status))] += 1
    done["answers"] += len(found)
    return len(found)


def answered(status: int) -> str:
    """What answers of a status are counted as."""
    return f"answered {status}"


class Flooding(asyncio.Protocol):
    """A connection on which the next requests are sent when the last ones are answered."""

    def __init__(self, requests: Iterator[bytes], pipelined: int, done: Counter[str]) -> None:
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._requests = requests
        self._pipelined = pipelined
        self._done = done
        self._transport: asyncio.Transport | None = None
        self._due = 0
        self._end = b""
        """The last bytes, in which an answer may have begun."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the first requests."""
        self._transport = cast(asyncio.Transport, transport)
        self._done["connections"] += 1
        self._send()

    def _send(self) -> None:
        assert self._transport is not None
        self._due = self._pipelined
        self._transport.write(b"".join(islice(self._requests, self._pipelined)))

    def data_received(self, data: bytes) -> None:
        """Count the answers."""
        data = self._end + data
        self._end = data[1 - ANSWER_BYTES :]
        self._due -= count_answers(self._done, data)
        if self._due <= 0:
            self._send()

    def connection_lost(self, error: Exception | None) -> None:
        """Say that another connection is needed."""
        if not self.closed.done():
            self.closed.set_result(None)
