"""Clients that do not read what they are sent: their sockets count until they are closed, they are
cut off, and a server ends without them."""

from __future__ import annotations

import gc
import logging
import socket
import struct
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus

from numduel.web.http import protocol
from numduel.web.http.middleware import rate_limit
from tests.plugins.limit import remaining
from tests.web.site import (
    Person,
    Process,
    Site,
    accepted,
    browser,
    create,
    refused,
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


def test_a_channel_that_says_goodbye_and_does_not_read_counts_until_it_is_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limit, "MAX_CHANNELS", 2)
    with served(tmp_path / "games.db", rate=100) as site, ExitStack() as stack:
        one = create(site.http, **LARGE)
        both = [stack.enter_context(unread(site.port, one)) for _ in range(2)]
        until(lambda: watchers(site, one) == 2, "the channels to be open")
        play_on(one, 3)
        for plain in both:
            plain.sendall(CLOSE)
        until(lambda: watchers(site, one) == 0, "the application to be done with them")
        stranger = Person(stack.enter_context(browser(site.url)), one.id)
        with pytest.raises(InvalidStatus), stranger.live():
            pass
        refused(stranger.get("/events"), 429)
        here = protocol._shared[site.server.server_state].open["127.0.0.1"]
        assert len(here) >= 2
        monkeypatch.setattr(protocol, "UNREAD_SECONDS", 0.0)

        def may_come() -> bool:
            try:
                with stranger.live() as live:
                    return bool(live.next())
            except (InvalidStatus, InvalidMessage, ConnectionClosed, OSError):
                return False  # The channel itself may be cut off before it is read.

        until(may_come, "the sockets to be closed")


def test_a_channel_keeps_nothing_of_the_connection_that_it_was(tmp_path: Path) -> None:
    def parsing() -> list[object]:
        kinds = (protocol.LimitedProtocol,)
        return [one for one in gc.get_objects() if isinstance(one, kinds) and one._upgraded]

    with served(tmp_path / "games.db") as site, ExitStack() as stack:
        one = create(site.http)
        gc.collect()
        gc.disable()  # With thousands of channels, it hardly ever collects them all.
        stack.callback(gc.enable)
        live = stack.enter_context(one.live())
        assert live.next()
        until(lambda: not parsing(), "the parser of the channel's request to be freed")


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


@pytest.mark.parametrize(
    ("channel", "said"), [("live", b""), ("live", TEXT), ("live", CLOSE), ("events", b"")]
)
def test_a_client_that_leaves_in_the_middle_of_an_answer_is_no_error(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, channel: str, said: bytes
) -> None:
    """Even if more waits for it than the server would write at once."""
    with served(tmp_path / "games.db") as site:
        one = create(site.http, **LARGE)
        with unread(site.port, one, channel) as plain:
            until(lambda: watchers(site, one) == 1, "the channel to be open")
            play_on(one, MANY)
            plain.sendall(said)
            site.http.get("/api/v1/health")
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        until(lambda: watchers(site, one) == 0, "it to be missed")
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


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
