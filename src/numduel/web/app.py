"""The application, put together from its parts."""

from __future__ import annotations

import asyncio
import gc
import signal
import threading
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Receive, Scope, Send

from numduel.core.errors import NumduelError
from numduel.games import games
from numduel.web.events import api as event_api
from numduel.web.events.live import LiveEvents
from numduel.web.events.service import EventService
from numduel.web.games import api
from numduel.web.games.computer import Computer
from numduel.web.games.live import LiveGames
from numduel.web.games.service import GameService
from numduel.web.http import metrics
from numduel.web.http.errors import NO_GAME
from numduel.web.http.lifeline import end_with_parent
from numduel.web.http.logs import set_up_logging
from numduel.web.http.middleware.answers import FAILED, Answers
from numduel.web.http.middleware.body_size import BodySizeLimit
from numduel.web.http.middleware.client import ClientAddress
from numduel.web.http.middleware.direct import Direct
from numduel.web.http.middleware.host import HostCheck
from numduel.web.http.middleware.origin import OriginCheck
from numduel.web.http.middleware.rate_limit import ChannelLimit, RateLimit
from numduel.web.live.bus import Bus
from numduel.web.pages import routes as pages
from numduel.web.people import mine
from numduel.web.people.device_links import delete_old_links
from numduel.web.people.my_games import GameLists
from numduel.web.retention import delete_old_events, delete_old_games
from numduel.web.settings import VERSION, Settings, inherited
from numduel.web.solving.solvers import Solvers
from numduel.web.storage.database import Database

GC_THRESHOLDS = (20_000, 50, 500)
"""A full garbage collection takes half a second with two thousand games in memory, in which nobody
is answered: young objects are collected often, all of them hardly ever."""


class App(FastAPI):
    """The application. What every request passes through stands outside of FastAPI's own layers: a
    move, which `Direct` answers, never gets to them."""

    def __init__(self, middleware: Iterable[Middleware], **options: Any) -> None:
        super().__init__(**options)
        self.outermost: ASGIApp = super().__call__
        """What a request comes to first."""
        for kind, arguments, named in reversed(list(middleware)):
            self.outermost = kind(self.outermost, *arguments, **named)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        scope["app"] = self
        await self.outermost(scope, receive, send)


def create(settings: Settings | None = None) -> App:
    """The application; without settings, with those of the process that started this one."""
    chosen = settings or inherited()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        set_up_logging(chosen.log)
        if chosen.processes > 1:
            end_with_parent()
        database, solvers = Database(chosen.address), Solvers(chosen.solvers)
        database.migrate()
        bus = Bus(database)
        live_games = LiveGames(bus)
        live_events = LiveEvents(bus, live_games)
        Computer(live_games, solvers)
        service = GameService(live_games, live_events, solvers)
        events = EventService(live_games, live_events, solvers, metrics.shared_folder())
        await bus.open()
        events.open()
        app.state.service, app.state.solvers, app.state.events = service, solvers, events
        app.state.lists = GameLists(database)
        app.state.database = database
        app.state.near = chosen.near
        gc.freeze()
        gc.set_threshold(*GC_THRESHOLDS)
        gc.enable()
        for kind in games() if chosen.warm else ():
            solvers.prepare(kind.id)
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
            yield
        finally:
            solvers.close()
            await bus.close()
            database.close()

    app = App(
        _middleware(chosen.rate, chosen.hosts),
        title="numduel",
        version=VERSION,
        summary="Number games for two, with the exact value of every move.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # the page at /api shows the description without other hosts' scripts
        redoc_url=None,
        lifespan=lifespan,
    )
    for part in (api, mine, event_api, pages):
        # Included, all routes would be built again for the first request.
        app.router.routes.extend(part.router.routes)
    app.exception_handler(NumduelError)(_refused)
    app.exception_handler(RequestValidationError)(_invalid_request)
    app.exception_handler(HTTPException)(_http_error)
    app.exception_handler(Exception)(_failed)
    return app


def _when_asked_to_end(doing: Callable[[], None]) -> None:
    """Do something as soon as a signal asks the server to end. Uvicorn tells the application when
    every request is done; event streams never are, and reports not soon."""
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


def _middleware(rate: float, hosts: tuple[str, ...]) -> list[Middleware]:
    """What every request passes through, the outermost first; a rate of 0 is no limit, and no hosts
    are any."""
    shared = metrics.shared_folder()
    limits = [
        Middleware(RateLimit, rate=rate, page=pages.refused, is_file=pages.is_file, folder=shared),
        Middleware(ChannelLimit),
    ]
    return [
        Middleware(ClientAddress),
        Middleware(Answers),
        *([Middleware(HostCheck, hosts=hosts)] if hosts else []),
        Middleware(OriginCheck, kind="websocket"),
        *(limits if rate else ()),
        Middleware(OriginCheck, kind="http"),
        Middleware(BodySizeLimit),
        Middleware(Direct, actions=api.ACTIONS, live=api.live, refused=_refused),
    ]


async def _refused(_: Request, error: NumduelError) -> Response:
    return JSONResponse({"error": str(error)}, getattr(error, "status", 422))


async def _invalid_request(_: Request, error: RequestValidationError) -> Response:
    first = error.errors()[0]
    if first["loc"] == ("path", "id"):
        return JSONResponse({"error": NO_GAME}, 404)
    if first["type"] == "json_invalid":
        return JSONResponse({"error": "The body of the request is not JSON."}, 422)
    where = ".".join(str(part) for part in first["loc"][1:]) or "The request"
    return JSONResponse({"error": f"{where[:80]}: {first['msg'][:200]}."}, 422)


async def _failed(_: Request, __: Exception) -> Response:
    return JSONResponse({"error": FAILED}, 500)


async def _http_error(request: Request, error: HTTPException) -> Response:
    if error.status_code == 400:
        return JSONResponse({"error": "The request is not JSON in UTF-8."}, 422)
    if request.url.path.startswith("/api/") or error.status_code != 404:
        return JSONResponse(
            {"error": f"{error.detail}."}, error.status_code, headers=error.headers
        )  # fmt: skip
    return pages.not_found(request)
