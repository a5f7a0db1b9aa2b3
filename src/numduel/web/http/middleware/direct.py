"""What is asked for all the time while games go on is called without the layers in between.

FastAPI finds the route, resolves dependencies and wraps the endpoint anew for every request, which
takes longer than a move. The endpoints are the same: what is not exactly as they expect it is left
to FastAPI, which says what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from numduel.core.errors import NumduelError

PATH = re.compile("/api/games/([^/]+)/([a-z]+)")


class Action(NamedTuple):
    """Something that is done in a game with a POST."""

    endpoint: Callable[[Request, str, Any], Awaitable[Response]]
    body: type[BaseModel]


class Direct:
    """Calls the endpoints of actions in a game, and of its live channel."""

    def __init__(
        self,
        app: ASGIApp,
        actions: Mapping[str, Action],
        live: Callable[[WebSocket, str], Awaitable[None]],
        refused: Callable[[Request, NumduelError], Awaitable[Response]],
    ) -> None:
        self.app = app
        self._actions = actions
        self._live = live
        self._refused = refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Call the endpoint of a request, or pass the request on."""
        found = None if scope["type"] == "lifespan" else PATH.fullmatch(scope["path"])
        game, name = found.groups() if found else ("", "")
        if scope["type"] == "websocket" and name == "live":
            await self._live(WebSocket(scope, receive, send), game)
        elif name in self._actions and scope["method"] == "POST" and _is_json(scope):
            await self._act(self._actions[name], game, scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _act(
        self, action: Action, game: str, scope: Scope, receive: Receive, send: Send
    ) -> None:
        content = await _content(receive)
        if content is None:
            return
        again = _again(content, receive)
        try:
            body = action.body.model_validate_json(content)
        except ValidationError:
            await self.app(scope, again, send)
            return
        request = Request(scope, again)
        try:
            response = await action.endpoint(request, game, body)
        except NumduelError as error:
            response = await self._refused(request, error)
        await response(scope, again, send)


def _is_json(scope: Scope) -> bool:
    return (b"content-type", b"application/json") in scope["headers"]


async def _content(receive: Receive) -> bytes | None:
    """The whole body; None if the client has gone, or was refused, before it was whole."""
    content, more = b"", True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        content += message.get("body", b"")
        more = message.get("more_body", False)
    return content


def _again(content: bytes, receive: Receive) -> Receive:
    """What was received, to be received once more, and then what follows."""
    due = True

    async def replayed() -> Message:
        nonlocal due
        if due:
            due = False
            return {"type": "http.request", "body": content, "more_body": False}
        return await receive()

    return replayed
