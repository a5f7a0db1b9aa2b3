"""A server answers to its own names and addresses, and to nothing else."""

from __future__ import annotations

import asyncio
from typing import Any
from unittest.mock import MagicMock

import pytest

from numduel.web.http.middleware.host import HostCheck

OWN = "192.168.1.20"
"""The address of the machine."""


def status(*hosts: str, at: str = OWN, allowed: tuple[str, ...] = ("localhost",)) -> int:
    """How a request for these hosts is answered, over a connection to this address."""
    told: list[int] = []

    async def send(message: Any) -> None:
        told.append(message.get("status", 0))

    async def serve(*_: Any) -> None:
        told.append(200)

    headers = [(b"host", host.encode()) for host in hosts]
    scope = {"type": "http", "headers": headers, "server": (at, 8000)}
    asyncio.run(HostCheck(serve, allowed)(scope, MagicMock(), send))  # type: ignore[arg-type]
    return told[0]


@pytest.mark.parametrize(
    ("host", "at"),
    [
        ("localhost:8000", OWN), ("LOCALHOST", OWN), (f"{OWN}:8000", OWN), (OWN, OWN),
        (OWN, f"::ffff:{OWN}"), ("[fd00::20]:8000", "fd00::20"), ("[FD00:0::20]", "fd00::20"),
    ],
)  # fmt: skip
def test_its_names_and_the_address_of_the_connection_are_answered(host: str, at: str) -> None:
    assert status(host, at=at) == 200


@pytest.mark.parametrize("host", ["evil.example", "192.168.1.21", "[fd00::21]", "", "[", "10.1"])
def test_any_other_name_or_address_is_refused(host: str) -> None:
    assert status(host) == 421


def test_more_can_be_allowed_by_name_address_or_network() -> None:
    more = ("games.example", "203.0.113.7", "10.0.0.0/8", "fd00::/8")
    for host in ("games.example", "203.0.113.7:80", "10.9.8.7", "[fd12::1]"):
        assert status(host) == 421
        assert status(host, allowed=more) == 200
    assert status("203.0.113.8", allowed=more) == 421


@pytest.mark.parametrize("hosts", [(), ("localhost", "localhost"), ("localhost", "evil.example")])
def test_a_request_names_exactly_one_host(hosts: tuple[str, ...]) -> None:
    assert status(*hosts) == 400
