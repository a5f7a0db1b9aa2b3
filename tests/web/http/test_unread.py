"""Clients that do not read what they are sent: their sockets count until they are closed, they are
cut off, and a server ends without them."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from numduel.web.http import protocol
from tests.plugins.limit import remaining
from tests.web.site import (
    Person,
    Process,
    Site,
    accepted,
    create,
    served,
    until,
)

LARGE: dict[str, Any] = {"opponent": "here", "variant": {"n": 120, "k": 120}}
"""A game whose state has 11 KB: the second fits into no buffer of the system any more."""
MANY = 12
"""So many that the server writes no more before the client has read."""
UPGRADE = (
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
CLOSE = b"\x88\x82\x00\x00\x00\x00\x03\xe8"
TEXT = b"\x81\x82\x00\x00\x00\x00hi"


@contextmanager
def unread(port: int, one: Person, channel: str = "live") -> Iterator[socket.socket]:
    """A live channel of which only the status was read, with as small a buffer as there is."""
    with socket.socket() as plain:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        plain.settimeout(remaining())
        plain.connect(("127.0.0.1", port))
        upgrade = UPGRADE if channel == "live" else ""
        path = f"/api/v1/games/{one.id}/{channel}"
        plain.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{upgrade}\r\n".encode())
        assert plain.recv(12) in (b"HTTP/1.1 101", b"HTTP/1.1 200")
        yield plain


def play_on(one: Person, moves: int) -> None:
    """Make so many moves, and each is sent to everybody."""
    for number in range(1, moves + 1):
        accepted(one.move(number))


def watchers(site: Site, one: Person) -> int:
    """How many channels of a game the application serves."""
    return len(site.app.state.service.registry.in_memory(one.id).watchers)


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system keeps next to nothing for a client, and it is often looked who does not read."""
    monkeypatch.setattr(protocol, "MAX_UNSENT", 1)
    monkeypatch.setattr(protocol, "SWEEP_SECONDS", 0.02)


@pytest.mark.parametrize("channel", ["live", "events"])
def test_a_channel_that_is_not_read_is_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, channel: str
) -> None:
    with served(tmp_path / "games.db") as site:
        one = create(site.http, **LARGE)
        with unread(site.port, one, channel):
            until(lambda: watchers(site, one) == 1, "the channel to be open")
            play_on(one, MANY)
            monkeypatch.setattr(protocol, "UNREAD_SECONDS", 0.0)
            until(lambda: watchers(site, one) == 0, "the channel to be cut off")
        assert site.http.get("/api/v1/health").status_code == 200


def test_a_server_ends_without_those_who_do_not_read(tmp_path: Path) -> None:
    constants: dict[str, Any] = {
        "http__protocol__MAX_UNSENT": 1, "http__protocol__ENDING_SECONDS": 0.1,
    }  # fmt: skip
    address = f"sqlite:///{tmp_path / 'games.db'}"
    with (
        Process(tmp_path, "--database", address, files=240, **constants) as server,
        ExitStack() as stack,
    ):
        one = create(server.ready().http, **LARGE)
        stack.enter_context(unread(server.port, one, "events"))
        some = {said: stack.enter_context(unread(server.port, one)) for said in (b"", TEXT, CLOSE)}
        play_on(one, MANY)
        for said, plain in some.items():
            plain.sendall(said)
        server.http.get("/api/v1/health")
        assert server.stop() == 0
        assert server.complaints() == []


def test_a_server_with_64_files_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with Process(tmp_path, files=64) as server:
        assert server.process.wait(remaining()) == 2
        said = server.log.read_text()
    assert said.count("\n") == 1
    assert said.startswith("numduel: A server needs 200 open files, and only 64 are allowed here:")
