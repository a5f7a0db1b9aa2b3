"""The API of one's own games: the list of them, and the way to another device."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query, Request, Response
from pydantic import BaseModel
from starlette.requests import HTTPConnection

from numduel.web.games.api import Id
from numduel.web.games.models import Snapshot
from numduel.web.games.service import GameService
from numduel.web.http.errors import Forbidden
from numduel.web.http.routes import Body, about, api, as_json, errors
from numduel.web.people.device_links import LINK_SECONDS, DeviceLinks
from numduel.web.people.my_games import GameLists, has_games
from numduel.web.people.proof import (
    Key,
    Secret,
    browser_keys,
    forget_old_token,
    old_token,
    proof_of,
    set_cookie,
)
from numduel.web.storage.database import Database

MAX_SKIP = 100_000
router = api("/api", tags=["your games"])


class BrowserKey(Body):
    """A key for a browser that has none yet."""

    key: Key


class DeviceLink(Body):
    """Taking over the games of another device."""

    secret: Secret
    key: Key


class GameSummary(BaseModel):
    """A game in which you have a seat, in a few words."""

    id: str
    called: Annotated[str, about("The name by which people know the game.")]
    names: list[str]
    you: int
    one_screen: bool
    players: list[str]
    moves: Annotated[int, about("How many were made.")]
    seats: Annotated[list[bool], about("Which seats are taken.")]
    to_move: int | None
    status: str
    winner: int | None
    at: Annotated[float, about("When something happened last, in seconds.")]


class MyGames(BaseModel):
    """Games in which you have a seat, the latest first."""

    games: list[GameSummary]
    total: Annotated[int, about("How many there are, or were until a seat was lost.")]
    next: Annotated[int | None, about("How many to `skip` for more; null: no more.")]


class LinkSecret(BaseModel):
    """A link for another device: `/games#{secret}`."""

    secret: str
    seconds: Annotated[int, about("How long it works, if it is not used before.")]


class TakenOver(BaseModel):
    """The games of another device are here too."""

    keys: Annotated[int, about("How many keys this browser holds now.")]


def _database(connection: HTTPConnection) -> Database:
    return connection.app.state.database  # type: ignore[no-any-return]


@router.get("/games", response_model=MyGames)
async def games(
    request: Request,
    response: Response,
    skip: Annotated[int, Query(ge=0, le=MAX_SKIP, description="Games that you know.")] = 0,
) -> dict[str, Any]:
    """The games in which you have a seat, the latest first, some at a time."""
    if keys := browser_keys(request):
        set_cookie(request, response, keys)
    lists: GameLists = request.app.state.lists
    return await lists.read(proof_of(request), skip)


@router.post(
    "/games/{id}/key",
    response_model=Snapshot,
    responses={status: errors[status] for status in (403, 404, 409)},
)
async def keep(request: Request, id: Id, body: BrowserKey) -> Response:
    """For a page: have the browser keep its key for longer, or keep the one that it brings, if that
    has a seat here. A seat that an earlier version kept in a cookie of this game is proved by the
    key from now on."""
    service: GameService = request.app.state.service
    known, old = browser_keys(request), old_token(request)
    keys = known or (body.key,)
    seat, text = await service.move_to_key(id, old, keys)
    response = as_json(text)
    if known or seat is not None:
        set_cookie(request, response, keys)
    if old:
        forget_old_token(response, id)
    return response


@router.post("/link", response_model=LinkSecret, responses={403: errors[403]})
async def link(request: Request) -> dict[str, Any]:
    """For a page: a link by which another device gets the key of this browser, and so its games. It
    works once, for ten minutes, and until another is made."""
    keys = browser_keys(request)
    if not keys or not await has_games(_database(request), keys):
        raise Forbidden("This browser has no games that another device could take over.")
    secret = await DeviceLinks(_database(request)).make(keys)
    return {"secret": secret, "seconds": LINK_SECONDS}


@router.post("/link/use", response_model=TakenOver, responses={403: errors[403]})
async def use_link(request: Request, response: Response, body: DeviceLink) -> dict[str, Any]:
    """For a page: take over the games of another device. Those of this browser stay."""
    keys = await DeviceLinks(_database(request)).use(body.secret, browser_keys(request), body.key)
    set_cookie(request, response, keys)
    return {"keys": len(keys)}
