"""Live channels: a WebSocket, or server-sent events for clients that cannot have one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, suppress

from fastapi import WebSocket
from fastapi.responses import StreamingResponse
from starlette.websockets import WebSocketDisconnect

from numduel.web.http.errors import Damaged, NoGame, Refusal, Unavailable
from numduel.web.http.protocol import PUSH
from numduel.web.live.live import Send, Watcher

HEARTBEAT_SECONDS = 15.0
"""Seconds between two comments on a silent event stream."""
Watch = Callable[[Send | None], AbstractAsyncContextManager[Watcher]]
"""Begins to watch something."""


async def serve_socket(socket: WebSocket, watch: Watch) -> None:
    """Send a client every state until it leaves. It has nothing to send: a message from it ends the
    channel."""
    await socket.accept()
    try:
        async with watch(socket.scope.get("extensions", {}).get(PUSH)) as watcher:
            pushing = asyncio.create_task(_push(socket, watcher))
            try:
                if (await socket.receive())["type"] != "websocket.disconnect":
                    await _close(socket, 1008)
            finally:
                pushing.cancel()
    except Refusal as refusal:
        await _close(socket, *_closing(refusal))


async def _push(socket: WebSocket, watcher: Watcher) -> None:
    try:
        while True:
            await socket.send_text(await watcher.next())
    except NoGame as refusal:  # It was deleted, or cannot be read.
        await _close(socket, *_closing(refusal))
    except Unavailable:  # Another process serves the client as soon as it comes back.
        await _close(socket, 1012)
    except (WebSocketDisconnect, RuntimeError, Refusal):
        return


async def _close(socket: WebSocket, code: int, reason: str = "") -> None:
    with suppress(WebSocketDisconnect, RuntimeError):  # It has left already.
        await socket.close(code, reason)


def _closing(refusal: Refusal) -> tuple[int, str]:
    """The code with which a channel is closed, and what its page says, if it does not know that
    itself."""
    if isinstance(refusal, NoGame):
        return 4404, str(refusal) if isinstance(refusal, Damaged) else ""
    return 1013, ""


def event_stream(watch: Watch) -> StreamingResponse:
    """The same, as server-sent events."""

    async def stream() -> AsyncIterator[str]:
        with suppress(Refusal):  # It was deleted, or the server is shutting down.
            async with watch(None) as watcher:
                while True:
                    try:
                        async with asyncio.timeout(HEARTBEAT_SECONDS):
                            text = await watcher.next()
                    except TimeoutError:
                        yield ": still here\n\n"
                    else:
                        yield f"data: {text}\n\n"

    return StreamingResponse(stream(), media_type="text/event-stream")
