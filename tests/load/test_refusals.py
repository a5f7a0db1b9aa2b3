"""What it costs the server to refuse a request."""

from __future__ import annotations

import asyncio
import sys

import pytest
from load.flood import Target
from load.refusals import ADDRESSES, BARE, EACH, Cost, cost_of
from load.servers import bare, running

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="who is busy is read in /proc")


async def costs() -> tuple[Cost, Cost]:
    """An answer of the bare server, and one that was expected to be another."""
    with running(bare()) as server:
        await Target(server.port, "127.0.0.2").asked("/api/v1/games", {})
        answer = await cost_of(server, BARE, 0, 10.0)
        return answer, await cost_of(server, BARE._replace(status=429), 1, 10.0)


def test_processor_time_is_told_of_each_request_and_what_was_not_refused() -> None:
    answer, unrefused = asyncio.run(costs())
    assert not answer.errors
    assert answer.microseconds > 0
    assert answer.ratio == answer.microseconds / 10
    assert unrefused.errors == {"answered 200": ADDRESSES * EACH}
