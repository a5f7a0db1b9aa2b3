"""What the routes of all APIs have in common: bodies, refusals, and answers."""

from __future__ import annotations

import json
from typing import Any

from fastapi import Response
from pydantic import BaseModel, ConfigDict

from numduel.web.http.errors import NO_GAME


class Body(BaseModel):
    """The body of a request: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


def examples(*some: dict[str, Any]) -> ConfigDict:
    """The configuration of a body that is described with examples."""
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


def as_json(text: str, status: int = 200, **more: Any) -> Response:
    """A JSON object that was serialised already, with some fields before it."""
    if more:
        text = f"{json.dumps(more)[:-1]},{text[1:]}"
    return Response(text, status, media_type="application/json")
