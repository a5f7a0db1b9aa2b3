"""The API of one's own games: their list, and links that bring them to another device."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from annotated_types import Ge, Le, MaxLen
from fastapi import Query, Request, Response
from pydantic import StringConstraints, TypeAdapter
from starlette.requests import HTTPConnection
from typing_extensions import TypedDict

from numduel.core.language import N_
from numduel.learn.streaks import Streak
from numduel.play.statistics import Statistics
from numduel.web.games.api import Id
from numduel.web.games.serialise import Snapshot
from numduel.web.games.service import GameService
from numduel.web.http.described import about
from numduel.web.http.errors import Forbidden
from numduel.web.http.routes import Body, api, as_json, errors
from numduel.web.people import device_links
from numduel.web.people.device_links import LINK_SECONDS
from numduel.web.people.my_games import GameLists, MyGames, has_games
from numduel.web.people.proof import (
    Key,
    Secret,
    browser_keys,
    proof_of,
    set_cookie,
)
from numduel.web.storage.database import Database

MAX_SKIP = 100_000
MAX_NAMED = 200
"""Games or lessons that a browser may name."""
MAX_STEPS = 100
T = TypeVar("T")
Named = Annotated[dict[Annotated[str, StringConstraints(max_length=40)], T], MaxLen(MAX_NAMED)]
Step = Annotated[int, Ge(1), Le(MAX_STEPS)]
Count = Annotated[int, Ge(0)]
Share = Annotated[float, Ge(0), Le(1)]
NO_STREAK = Streak()
_STATISTICS = TypeAdapter(Statistics)
router = api("/api/v1", tags=["your games"])


class BrowserKey(Body):
    """A key for a browser that has none."""

    key: Key


class DeviceLink(Body):
    """Bringing the games of another device here."""

    secret: Secret
    key: Key


class LinkSecret(TypedDict):
    """A link for another device: `/games#{secret}`."""

    secret: str
    seconds: Annotated[int, about("How many seconds it works, unless it is used before.")]


class Carried(Body):
    """What a browser remembers besides its games."""

    streak: Streak = NO_STREAK
    best: Annotated[Named[Count], about("The best storms of puzzles, by game.")] = {}
    lessons: Annotated[
        Named[Annotated[list[Step], MaxLen(MAX_STEPS)]],
        about("The steps that are done, by lesson."),
    ] = {}
    accuracy: Annotated[
        Named[tuple[Count, Count, Count] | Share | None],
        about(
            "By the ids of games: choices that mattered and gave nothing away, those that mattered,"
            " and moves. A share, from a time when every move counted, is not used any more."
        ),
    ] = {}


class TakenOver(TypedDict):
    """The games of another device are here as well."""

    keys: Annotated[int, about("How many keys this browser has now.")]
    carried: Annotated[dict[str, Any], about("What the other browser remembered besides.")]


class Sums(TypedDict):
    """What your latest games add up to."""

    statistics: Annotated[dict[str, Any], about("What the activity `profile` begins with.")]


def _database(connection: HTTPConnection) -> Database:
    return connection.app.state.database  # type: ignore[no-any-return]


@router.get("/games")
async def games(
    request: Request,
    response: Response,
    skip: Annotated[int, Query(ge=0, le=MAX_SKIP, description="How many to leave out.")] = 0,
) -> MyGames:
    """Your games, the latest first, a page at a time."""
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
    """For the page: renew the cookie with the browser's key, or set it to the `key` in the body if
    that has a seat here."""
    service: GameService = request.app.state.service
    known = browser_keys(request)
    keys = known or (body.key,)
    seat, text = await service.seat_of(id, keys)
    response = as_json(text)
    if known or seat is not None:
        set_cookie(request, response, keys)
    return response


@router.get("/statistics")
async def sums(request: Request) -> Sums:
    """What your latest games add up to: wins against the computer by game, level and seat, with
    help counted apart."""
    lists: GameLists = request.app.state.lists
    found = await lists.statistics(proof_of(request))
    return {"statistics": _STATISTICS.dump_python(found, mode="json")}


@router.post("/link", responses={403: errors[403]})
async def link(request: Request, body: Carried | None = None) -> LinkSecret:
    """For the page: a link that brings this browser's games to another device, and what it
    remembers besides. It works once, within ten minutes, and until another one is made."""
    keys = browser_keys(request)
    if not keys or not await has_games(_database(request), keys):
        raise Forbidden(N_("This browser has no games to bring to another device."))
    carried = {} if body is None else body.model_dump(mode="json")
    secret = await device_links.make_link(_database(request), keys, carried)
    return {"secret": secret, "seconds": LINK_SECONDS}


@router.post("/link/use", responses={403: errors[403]})
async def use_link(request: Request, response: Response, body: DeviceLink) -> TakenOver:
    """For the page: bring the games of another device here, and what its browser remembered. The
    games of this browser stay."""
    known, database = browser_keys(request), _database(request)
    keys, carried = await device_links.use_link(database, body.secret, known, body.key)
    set_cookie(request, response, keys)
    return {"keys": len(keys), "carried": carried}
