"""An answer that is whole is written in one piece, and is the same that uvicorn writes in two."""

from __future__ import annotations

import asyncio
import logging
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from numduel.web.http import whole
from numduel.web.http.whole import in_one_piece

JSON = (b"content-type", b"application/json")


class Wire:
    """Where answers are written."""

    def __init__(self, method: str = "GET", *, keep_alive: bool = True) -> None:
        self.written: list[bytes] = []
        self.ended = self.closed = False
        flow: Any = SimpleNamespace(write_paused=False)
        self.cycle = RequestResponseCycle(
            scope={"type": "http", "method": method},  # type: ignore[typeddict-item]
            transport=self,  # type: ignore[arg-type]
            flow=flow,
            logger=logging.getLogger("test"),
            access_logger=logging.getLogger("test"),
            access_log=False,
            default_headers=[(b"date", b"today")],
            message_event=asyncio.Event(),
            expect_100_continue=False,
            keep_alive=keep_alive,
            on_response=self._on_response,
        )

    def _on_response(self) -> None:
        self.ended = True

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def close(self) -> None:
        self.closed = True

    def answer(self, app: ASGIApp) -> list[bytes]:
        """What is written for an answer."""
        asyncio.run(self.cycle.run_asgi(app))  # type: ignore[arg-type]
        return self.written


def answering(
    *bodies: bytes, headers: tuple[tuple[bytes, bytes], ...] = (JSON,), status: int = 200
) -> ASGIApp:
    """An application that sends these pieces of a body."""

    async def app(_: Scope, __: Receive, send: Send) -> None:
        head: Message = {"type": "http.response.start", "status": status, "headers": [*headers]}
        await send(head)
        for left, body in zip(range(len(bodies) - 1, -1, -1), bodies, strict=True):
            await send({"type": "http.response.body", "body": body, "more_body": left > 0})

    return app


def length(size: int) -> tuple[bytes, bytes]:
    return b"content-length", b"%d" % size


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("keep_alive", [True, False])
@pytest.mark.parametrize(
    ("app", "pieces"),
    [
        (answering(b"{}", headers=(JSON, length(2))), 1),
        (answering(b"", headers=(JSON, length(0))), 1),
        (answering(b"{}", headers=(JSON, length(2), (b"X-Case", b"Kept")), status=404), 1),
        (answering(b"{}", headers=(JSON, length(2), (b"connection", b"close"))), 2),
        (answering(b"{", b"}", headers=(JSON, length(2))), 3),
        (answering(b"{}", b"", headers=(JSON, length(2))), 3),
        (answering(b"data: 1\n\n", b"data: 2\n\n", b""), 4),
        (answering(b"", status=204), 2),
    ],
)
def test_an_answer_is_what_uvicorn_writes_and_in_one_piece_if_it_is_whole(
    app: ASGIApp, pieces: int, method: str, keep_alive: bool
) -> None:
    own, usual = Wire(method, keep_alive=keep_alive), Wire(method, keep_alive=keep_alive)
    written = own.answer(in_one_piece(app, own.cycle))
    assert b"".join(written) == b"".join(usual.answer(app))
    assert (own.closed, own.ended) == (usual.closed, usual.ended) == (own.closed, True)
    assert own.cycle.response_complete
    if method == "GET":
        assert len(written) == pieces


def test_nothing_is_written_to_a_client_that_has_left() -> None:
    wire = Wire()
    wire.cycle.disconnected = True
    assert wire.answer(in_one_piece(answering(b"{}", headers=(length(2),)), wire.cycle)) == []


@pytest.mark.parametrize(
    "header", [(b"x", b"1\r\nset-cookie: 2"), (b"set-cookie", b"1\r\nx: 2"), (b"x\r\ny", b"1")]
)
def test_no_header_breaks_out_of_its_line(header: tuple[bytes, bytes]) -> None:
    wire = Wire()
    written = wire.answer(in_one_piece(answering(b"{}", headers=(length(2), header)), wire.cycle))
    assert written[0].startswith(b"HTTP/1.1 500 ")


def test_the_line_of_a_cookie_is_not_remembered() -> None:
    """It holds the keys of a browser, which prove its seats."""
    cookie = b"set-cookie", b"numduel-key=secret"
    wire = Wire()
    whole._line.cache_clear()
    (written,) = wire.answer(
        in_one_piece(answering(b"{}", headers=(length(2), cookie)), wire.cycle)
    )
    assert b"\r\nset-cookie: numduel-key=secret\r\n" in written
    assert whole._line.cache_info().currsize == len([b"date", b"content-length"])


@pytest.mark.parametrize("bodies", [(b"{}}",), (b"{",)])
def test_a_body_that_is_not_as_long_as_was_said_is_a_failure(bodies: tuple[bytes, ...]) -> None:
    wire = Wire()
    wire.answer(in_one_piece(answering(*bodies, headers=(length(2),)), wire.cycle))
    assert wire.closed
    assert not wire.ended
