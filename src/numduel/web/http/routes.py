"""What all routes of the API share: how they are served, their bodies, errors and answers."""

from __future__ import annotations

import inspect
import json
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.middleware.asyncexitstack import AsyncExitStackMiddleware
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive, Scope, Send

from numduel.web.http.errors import NO_GAME
from numduel.web.http.middleware.client import header


class Route(APIRoute):
    """A route that FastAPI describes. If it takes only path parameters and a body, and makes its
    response itself, valid requests are read here, in a quarter of the time. FastAPI reads all
    others, and says what is wrong with them."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._described = AsyncExitStackMiddleware(self.app)
        needs, answer = self.dependant, inspect.signature(self.endpoint).return_annotation
        more = needs.dependencies or needs.query_params or needs.response_param_name
        simple = needs.request_param_name and not more and answer == "Response"
        self.app = self._serve if simple else self._described

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        request, needs = Request(scope, receive, send), self.dependant
        given: dict[str, Any] = {str(needs.request_param_name): request}
        for field in needs.path_params:
            given[field.name], wrong = field.validate(request.path_params[field.name])
            if wrong:
                return await self._described(scope, receive, send)
        for field in needs.body_params:
            model: Any = field.field_info.annotation
            content = await _content(receive)
            try:
                given[field.name] = model.model_validate_json(content)
            except ValidationError:
                return await self._described(scope, _again(content, receive), send)
            if header(scope, b"content-type") != b"application/json":
                return await self._described(scope, _again(content, receive), send)
        response = await self.endpoint(**given)
        await response(scope, receive, send)
        return None


async def _content(receive: Receive) -> bytes:
    """The body of a request."""
    content, more = b"", True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        content += message.get("body", b"")
        more = message.get("more_body", False)
    return content


def _again(content: bytes, receive: Receive) -> Receive:
    """A `receive` that returns the body again, and then goes on."""
    due: list[Message] = [{"type": "http.request", "body": content}]

    async def again() -> Message:
        return due.pop() if due else await receive()

    return again


class Body(BaseModel):
    """The body of a request; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


def examples(*some: dict[str, Any]) -> ConfigDict:
    """The configuration of a body that has examples."""
    return ConfigDict(json_schema_extra={"examples": list(some)})


class Error(BaseModel):
    """Why a request was refused, in one sentence."""

    model_config = examples({"error": "It is not your turn."})
    error: str


errors: dict[int | str, dict[str, Any]] = {
    status: {"model": Error, "description": why}
    for status, why in {
        403: "Not your seat or turn, or not while the game goes on.",
        404: NO_GAME,
        409: "The game has moved on, or the seat is taken: look again.",
        413: "The request is too long.",
        422: "Not understood, or against the rules; the sentence is for the player.",
        429: "Too many requests from this address.",
        503: "Too much to do just now; try again.",
    }.items()
}
common: dict[int | str, dict[str, Any]] = {
    status: errors[status] for status in (413, 422, 429, 503)
}


def api(prefix: str, **named: Any) -> APIRouter:
    """A part of the API."""
    return APIRouter(prefix=prefix, responses=common, route_class=Route, **named)


def as_json(text: str, status: int = 200, **more: Any) -> Response:
    """An object that is JSON already, with some more fields in front."""
    if more:
        text = f"{json.dumps(more)[:-1]},{text[1:]}"
    return Response(text, status, media_type="application/json")
