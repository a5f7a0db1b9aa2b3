"""A server, asked by a program."""

from __future__ import annotations

import doctest
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import Message
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from numduel import client
from numduel.client import Failure, ask

asked: list[Message] = []
"""The headers of all requests."""


@contextmanager
def answering(status: int, body: bytes, **headers: str) -> Iterator[str]:
    """The address of a server that always answers this."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.headers)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("localhost", 0), Handler) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        try:
            yield f"http://localhost:{server.server_port}"
        finally:
            server.shutdown()


def test_the_examples_run() -> None:
    assert doctest.testmod(client).failed == 0


@pytest.mark.parametrize(
    ("status", "body", "headers", "said", "wait"),
    [
        (429, b'{"error": "Too much."}', {"Retry_After": "7"}, "Too much.", 7),
        (429, b'{"error": "Too much."}', {"Retry_After": "soon"}, "Too much.", 0),
        (503, b"{}", {}, "The server answered 503.", 0),
        (200, b"[]", {}, "The server sent something that is not an answer.", 0),
        (200, b"<html>", {}, "The server sent something that is not an answer.", 0),
    ],
)
def test_a_refusal_is_one_sentence_and_says_when_to_ask_again(
    status: int, body: bytes, headers: dict[str, str], said: str, wait: int
) -> None:
    with answering(status, body, **headers) as server, pytest.raises(Failure) as raised:
        ask(server, "/api/v1/games")
    assert (str(raised.value), raised.value.wait) == (said, wait)


def test_a_server_that_is_not_there_is_told_in_a_sentence() -> None:
    with answering(200, b"{}") as server:
        assert ask(server, "/api/v1/games") == {}
    with pytest.raises(Failure, match="cannot be reached"):
        ask(server, "/api/v1/games")
