"""Attacks on a server: who waits meanwhile, and where everybody is."""

from __future__ import annotations

import asyncio
import os
import random
import sys
from pathlib import Path

import pytest
from load.attacked import Elsewhere, check_addresses
from load.crowd import Crowd
from load.processes import clients
from load.wire import HELPERS

from tests.web.site import served

HERE = "127.0.0.9"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="who is connected is read in /proc")


async def addresses(port: int, where: str) -> tuple[set[str], set[str]]:
    """Where some players say they are, and where they are connected from."""
    crowd = Crowd(port, random.Random(0), where)
    await crowd.sit_down(["line", "duel"], lambda: None)
    found = crowd.addresses, clients(os.getpid(), port)
    for channel in crowd.expect_the_end():
        channel.leave()
        with pytest.raises(ConnectionError):
            await channel.expect(sys.maxsize)
    crowd.http.close()
    return found


def test_all_others_in_an_attack_from_inside_are_at_one_address(tmp_path: Path) -> None:
    with served(tmp_path / "games.db") as site:
        assert asyncio.run(addresses(site.port, HERE)) == ({HERE}, {HERE})


def test_other_crowds_are_at_many_addresses_and_nobody_prepares_an_attack_there(
    tmp_path: Path,
) -> None:
    with served(tmp_path / "games.db") as site:
        said, connected = asyncio.run(addresses(site.port, ""))
    assert said == connected
    assert len(said) > 1
    assert said.isdisjoint(HELPERS)


def test_an_attack_is_measured_only_if_it_comes_from_where_it_says() -> None:
    check_addresses("inside", {HERE}, {HERE})
    check_addresses("openapi", {"127.0.1.1", "127.0.1.2"}, {HERE})
    crowd = {HERE, "127.0.1.1"}
    for others, attackers in (
        ({"127.0.1.1"}, {HERE}),
        (crowd, {HERE}),
        (crowd, crowd),
        ({HERE}, set()),
    ):
        with pytest.raises(Elsewhere, match="inside should come from the address of the others"):
            check_addresses("inside", others, attackers)
    with pytest.raises(Elsewhere, match="openapi should come from elsewhere"):
        check_addresses("openapi", {HERE, "127.0.1.1"}, {HERE})
