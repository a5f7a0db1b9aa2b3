"""The application, put together from its parts."""

from __future__ import annotations

import asyncio
import gc
import re
import signal
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cached_property, partial
from typing import Any

from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from numduel.core.errors import NumduelError
from numduel.core.language import N_, _
from numduel.core.text import either
from numduel.games import games
from numduel.system import end_with_parent
from numduel.web.events import api as event_api
from numduel.web.events.live import LiveEvents
from numduel.web.events.service import EventService
from numduel.web.games import api
from numduel.web.games.computer import Computer
from numduel.web.games.live import LiveGames
from numduel.web.games.service import GameService
from numduel.web.http.errors import NO_GAME, NOT_AS_DESCRIBED, WRONG_FIELD, WRONG_FIELDS
from numduel.web.http.logs import set_up_logging
from numduel.web.http.middleware.answers import Answers
from numduel.web.http.middleware.body_size import BodySizeLimit
from numduel.web.http.middleware.client import ClientAddress
from numduel.web.http.middleware.host import HostCheck
from numduel.web.http.middleware.language import Language
from numduel.web.http.middleware.origin import OriginCheck
from numduel.web.http.middleware.rate_limit import ChannelLimit, RateLimit
from numduel.web.http.protocol import KNOWN_KEY
from numduel.web.live.bus import Bus
from numduel.web.pages import routes as pages
from numduel.web.pages.origins import Origins
from numduel.web.people import mine
from numduel.web.people.device_links import delete_old_links
from numduel.web.people.known import KnownKeys
from numduel.web.people.my_games import GameLists
from numduel.web.people.proof import page_keys, proof_of
from numduel.web.retention import delete_old_events, delete_old_games
from numduel.web.settings import VERSION, Settings, inherited
from numduel.web.solving.solvers import Solvers
from numduel.web.storage.database import Database

GC_THRESHOLDS = (2_000, 500, 500)
"""With two thousand games in memory a full garbage collection takes half a second, in which nobody
is answered. So young objects are collected often, a few at a time (20,000 connections and requests
that are gone would take 13 ms), and all of them hardly ever."""
SOCKETS = re.compile("/api/v1/(games|events)/([^/]+)/live")
"""Where the live channels are."""
UNROUTED = N_("Not Found"), N_("Method Not Allowed")
"""What Starlette says of a path or a method that nothing answers."""


class App(Starlette):
    """The application. FastAPI describes its routes, Starlette finds them, and `Answers` turns
    errors into answers."""

    def build_middleware_stack(self) -> ASGIApp:
        """The middleware, without Starlette's own."""
        app: ASGIApp = self._route
        for kind, arguments, named in reversed(self.user_middleware):
            app = kind(app, *arguments, **named)
        return app

    def _route(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Route a request; WebSockets directly, because thousands are open at once and each layer
        takes memory."""
        found = SOCKETS.fullmatch(scope["path"]) if scope["type"] == "websocket" else None
        if found is None:
            return self.router(scope, receive, send)
        lives = {"games": api.live, "events": event_api.live}
        return lives[found[1]](WebSocket(scope, receive, send), found[2])

    @cached_property
    def description(self) -> dict[str, Any]:
        """The API, as OpenAPI describes it."""
        summary = "Number games for two, with the exact value of every move."
        return get_openapi(title="numduel", version=VERSION, summary=summary, routes=self.routes)

    @cached_property
    def description_text(self) -> bytes:
        """That as JSON: writing it takes milliseconds."""
        return JSONResponse(self.description).body  # type: ignore[return-value]


async def _describe(request: Request) -> Response:
    return pages.respond(request, request.app.description_text, "application/json")


def create(settings: Settings | None = None) -> App:
    """The application. Without settings, it uses those of the parent process."""
    chosen = settings or inherited()
    known = KnownKeys(chosen.shared)
    known_key = partial(_known_key, known)

    @asynccontextmanager
    async def lifespan(app: App) -> AsyncIterator[dict[str, Any]]:
        set_up_logging()
        if chosen.processes > 1:
            end_with_parent()
        database, solvers = Database(chosen.address), Solvers(chosen.solvers)
        database.make_tables()
        bus = Bus(database, known)
        live_games = LiveGames(bus)
        live_events = LiveEvents(bus, live_games)
        Computer(live_games, solvers)
        service = GameService(live_games, live_events, solvers)
        events = EventService(live_games, live_events, solvers, chosen.shared)
        await bus.open()
        events.open()
        app.state.service, app.state.solvers, app.state.events = service, solvers, events
        app.state.lists = GameLists(database, known)
        app.state.database = database
        app.state.near, app.state.origins = chosen.near, Origins()
        gc.freeze()
        gc.set_threshold(*GC_THRESHOLDS)
        gc.enable()
        if chosen.warm:
            bus.background.spawn(solvers.prepare([kind.id for kind in games()]))
        bus.background.spawn(delete_old_links(database))
        if chosen.keep:
            bus.background.spawn(delete_old_games(live_games, chosen.keep))
        if chosen.keep_events:
            bus.background.spawn(delete_old_events(live_events, chosen.keep_events))

        def end() -> None:
            bus.end_channels()
            solvers.close()

        _when_asked_to_end(end)
        try:
            yield {KNOWN_KEY: known_key}
        finally:
            solvers.close()
            await bus.close()
            database.close()

    parts = (api, mine, event_api, pages)
    return App(
        routes=[
            *(route for part in parts for route in part.router.routes),
            Route("/api/v1/openapi.json", _describe, include_in_schema=False),
        ],
        middleware=_middleware(chosen, known_key),
        lifespan=lifespan,
    )


def _when_asked_to_end(doing: Callable[[], None]) -> None:
    """Do something as soon as a signal asks the server to end. Uvicorn tells the application only
    when all requests are done, and event streams never are."""
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        before = signal.getsignal(number)

        def both(number: int, frame: Any, before: Any = before) -> None:
            loop.call_soon_threadsafe(doing)
            before(number, frame)

        if callable(before):
            signal.signal(number, both)


def _middleware(chosen: Settings, known_key: Callable[[Scope], str]) -> list[Middleware]:
    """The middleware, outermost first."""
    limits = [
        Middleware(
            RateLimit,
            rate=chosen.rate,
            page=pages.refused,
            is_file=pages.is_file,
            known_key=known_key,
            folder=chosen.shared,
        ),
        Middleware(ChannelLimit, known_key=known_key),
    ]
    return [
        Middleware(ClientAddress),
        Middleware(Language),
        Middleware(Answers, refusal=_refusal),
        Middleware(OriginCheck, kind="websocket"),
        *(limits if chosen.rate else ()),
        *([Middleware(HostCheck, hosts=chosen.hosts)] if chosen.hosts else []),
        Middleware(OriginCheck, kind="http"),
        Middleware(BodySizeLimit),
    ]


def _known_key(known: KnownKeys, scope: Scope) -> str:
    """The page key of who sends a request, if the server knows them; empty if not. It is looked for
    once: the protocol and two limits ask for it."""
    if KNOWN_KEY not in scope:
        connection = HTTPConnection(scope)
        scope[KNOWN_KEY] = known.first_of(proof_of(connection), page_keys(connection))
    return scope[KNOWN_KEY]  # type: ignore[no-any-return]


def _refusal(request: Request, error: Exception) -> Response | None:
    """The response to a request that was refused; None if it failed."""
    if isinstance(error, NumduelError):
        return JSONResponse({"error": str(error)}, getattr(error, "status", 422))
    if isinstance(error, RequestValidationError):
        return _invalid(error.errors()[0])
    if not isinstance(error, HTTPException | ClientDisconnect):
        return None
    if isinstance(error, ClientDisconnect) or error.status_code == 400:
        return JSONResponse({"error": _("The request is not JSON in UTF-8.")}, 422)
    path = request.url.path
    if path.startswith("/api/") or error.status_code != 404:
        told = _(error.detail).removesuffix(".")
        return JSONResponse({"error": f"{told}."}, error.status_code, headers=error.headers)
    return pages.not_found(request)


def _invalid(first: dict[str, Any]) -> Response:
    """The response to a request that the API does not allow."""
    if first["loc"] == ("path", "id"):
        return JSONResponse({"error": _(NO_GAME)}, 404)
    if first["type"] == "json_invalid":
        return JSONResponse({"error": _("The body of the request is not JSON.")}, 422)
    field = ".".join(str(part) for part in first["loc"][1:])[:80]
    told = WRONG_FIELDS.get(first["type"], WRONG_FIELD) if field else NOT_AS_DESCRIBED
    filled: dict[str, Any] = first.get("ctx", {})
    if "expected" in filled:  # "1 or 2", always in English
        filled = {"expected": either(re.split(", | or ", filled["expected"]))}
    return JSONResponse({"error": _(told, field=field, **filled)}, 422)
