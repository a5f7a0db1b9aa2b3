"""Moves at a given pace, moves at full speed, and a check of every game afterwards."""

import asyncio
import random
from collections.abc import Callable
from time import perf_counter
from typing import NamedTuple

from load.crowd import ABREAST, ANSWER_TIMEOUT, Crowd, Failure, Game, Tally
from load.wire import moves_of

WORKERS = 64
"""Moves that are under way at once at full speed."""


class Paced(NamedTuple):
    """The results of moves at a given pace."""

    rate: float
    """Moves a second that arrived."""
    held: int
    """The fewest live games at any moment."""
    seconds: float
    tally: Tally


async def paced(
    crowd: Crowd, rate: float, seconds: float, chance: random.Random, due: Callable[[], None]
) -> Paced:
    """Make moves at times fixed in advance (open loop), however late earlier ones are."""
    await crowd.http.fill(ABREAST)
    crowd.tally = Tally(errors=crowd.tally.errors)
    offsets = sorted(chance.uniform(0, seconds) for _ in range(round(rate * seconds)))
    under_way: set[asyncio.Task[None]] = set()
    held, start = crowd.live, perf_counter()
    for offset in offsets:
        if (early := start + offset - perf_counter()) > 0:
            await asyncio.sleep(early)
        elif -early > seconds / 2:
            break  # This late, the pace is missed.
        task = asyncio.create_task(crowd.move(await next_game(crowd), start + offset))
        under_way.add(task)
        task.add_done_callback(under_way.discard)
        held = min(held, crowd.live)
        due()
    while under_way:
        await asyncio.wait(under_way)
    taken = max(seconds, perf_counter() - start)
    return Paced(len(crowd.tally.from_due) / taken, held, taken, crowd.tally)


async def flat_out(crowd: Crowd, seconds: float) -> float:
    """Moves a second when each of some workers makes one as soon as its last one has arrived."""
    await crowd.http.fill(WORKERS)
    crowd.tally = Tally(errors=crowd.tally.errors)
    start = perf_counter()

    async def work() -> None:
        while (now := perf_counter()) < start + seconds:
            await crowd.move(await next_game(crowd), now)

    await asyncio.gather(*(work() for _ in range(WORKERS)))
    return len(crowd.tally.from_due) / (perf_counter() - start)


async def next_game(crowd: Crowd) -> Game:
    """The longest idle game, as soon as there is one."""
    try:
        async with asyncio.timeout(ANSWER_TIMEOUT):
            return await crowd.ready.get()
    except TimeoutError:
        raise Failure(f"no game could go on: {dict(crowd.tally.errors)}") from None


async def lost(crowd: Crowd, looked: Callable[[], None]) -> int:
    """How many acknowledged moves the server does not have."""
    missing = 0
    waiting = iter(crowd.kept.items())
    await crowd.http.fill(ABREAST)

    async def look() -> None:
        nonlocal missing
        for game, kept in waiting:
            async with crowd.counted("look"):
                found = moves_of(await crowd.look(game))
                missing += unlike(kept, found)
                if unlike(found, kept) and game not in crowd.unsure:
                    raise Failure("moves that nobody acknowledged")
            looked()

    await asyncio.gather(*(look() for _ in range(ABREAST)))
    return missing


def unlike(moves: bytes, others: bytes) -> int:
    """How many moves of a list are past the common prefix of two."""
    ours, theirs = (text.split(b",") if text else [] for text in (moves, others))
    same = 0
    for our, their in zip(ours, theirs, strict=False):
        if our != their:
            break
        same += 1
    return len(ours) - same
