"""An attacker at another address: ``python -m load.attack PORT``, until it is stopped.

It sends endless headers, requests that it never finishes, large boards against perfect play, and a
class that reloads the lobby. When it is stopped, it prints what it did.
"""

import asyncio
import json
import os
import signal
import sys
from collections import Counter
from contextlib import suppress
from itertools import cycle

from load.wire import HOST

ADDRESS = "127.0.0.2"
"""Its address: on this machine, but not that of the players."""
LINES = (b"X-Filler: " + b"a" * 90 + b"\r\n") * 640
"""64 KiB of headers."""
HALF = b"POST /api/games HTTP/1.1\r\nHost: x\r\nContent-Le"
FLOODS = 4
"""Connections on which headers are sent."""
UNFINISHED = 1_100
"""Requests that are never finished."""
PAUSE = 0.05
"""Seconds between two attempts of each kind: the attacker shares the processors of the server."""

done: Counter[str] = Counter()
"""How often it did each thing, and with which answer."""


async def attack(port: int) -> None:
    """Do all of it until this is cancelled."""
    await asyncio.gather(
        *(flood(port) for _ in range(FLOODS)), hold(port), solve(port), visit(port)
    )


async def flood(port: int) -> None:
    """Send headers for as long as the server takes them."""
    while True:
        with suppress(OSError):
            reader, writer = await connected(port)
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n")
            with suppress(OSError):
                while not reader.at_eof() and not writer.is_closing():
                    writer.write(LINES)
                    await writer.drain()
                    done["MiB of headers"] += len(LINES)
                    await asyncio.sleep(0)
            writer.close()
        await asyncio.sleep(PAUSE)


async def hold(port: int) -> None:
    """Keep as many unfinished requests open as possible."""
    held: list[asyncio.StreamWriter] = []
    while True:
        held = [writer for writer in held if not writer.is_closing()]
        for _ in range(min(20, UNFINISHED - len(held))):
            with suppress(OSError):
                _, writer = await connected(port)
                writer.write(HALF)
                held.append(writer)
                done["unfinished requests"] += 1
        await asyncio.sleep(PAUSE)


async def solve(port: int) -> None:
    """Begin games on the largest boards against a computer that works everything out."""
    kinds = json.loads((await asked(port, "GET", "/api/rules"))[1])
    for kind in cycle(kinds):
        size = kind["parameters"][0]
        new = {
            "game": kind["name"], "opponent": "perfect", "seat": 2, "cookie": False,
            "variant": {size["name"]: min(size["high"], 2 * size["value"])},
        }  # fmt: skip
        status, _ = await asked(port, "POST", "/api/games", json.dumps(new).encode())
        done[f"large boards: {status}"] += 1
        await asyncio.sleep(PAUSE)


async def visit(port: int) -> None:
    """Load the lobby ten times a second, like a class that comes in."""
    while True:
        status, _ = await asked(port, "GET", "/")
        done[f"visits: {status}"] += 1
        await asyncio.sleep(2 * PAUSE)


async def asked(port: int, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
    """The status and body of the answer, on a connection of its own; 0 if there is none."""
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: {HOST}:{port}\r\nConnection: close\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    try:
        reader, writer = await connected(port)
        writer.write(head.encode() + body)
        answer = await reader.read()
        writer.close()
        start, _, content = answer.partition(b"\r\n\r\n")
        return int(start[9:12]), content
    except (OSError, ValueError):
        return 0, b"[]"


async def connected(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection from the address of the attacker."""
    return await asyncio.open_connection(HOST, port, local_addr=(ADDRESS, 0))


def step_back() -> None:
    """Take only what the others leave of the processors: an attacker has a machine of its own."""
    os.nice(19)
    if sys.platform == "linux":
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


async def main() -> None:
    """Attack until the signal to end comes."""
    step_back()
    attacking = asyncio.ensure_future(attack(int(sys.argv[1])))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, attacking.cancel)
    with suppress(asyncio.CancelledError):
        await attacking
    done["MiB of headers"] >>= 20
    print(json.dumps(done))


if __name__ == "__main__":
    asyncio.run(main())
