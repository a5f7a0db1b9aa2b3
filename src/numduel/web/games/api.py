"""The API of games, analysis, puzzles, activities and lessons."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta
from functools import cache, partial
from typing import Annotated, Any, Literal, TypeVar

from fastapi import Depends, Query, Request, Response, WebSocket
from fastapi import Path as InPath
from fastapi.responses import PlainTextResponse
from pydantic import TypeAdapter, ValidationError
from starlette.requests import HTTPConnection
from typing_extensions import TypedDict

from numduel.activities import Activity, activities
from numduel.core.errors import BadVariant, IllegalMove, NumduelError
from numduel.core.game import Game
from numduel.core.language import N_, _, cached
from numduel.core.text import MAX_NAME, read_settings
from numduel.games import game as find
from numduel.games import games as every_game
from numduel.games import offered
from numduel.learn.strategies import strategy as how_to_win
from numduel.play.record import Record, addressed
from numduel.web import positions
from numduel.web.games import bodies
from numduel.web.games.qr import QrCode, qr_code
from numduel.web.games.room import GAME_ID
from numduel.web.games.serialise import Invited, Requested, Seated, Snapshot
from numduel.web.games.service import GameService
from numduel.web.http.described import about
from numduel.web.http.errors import Busy
from numduel.web.http.routes import api, as_json, errors
from numduel.web.live.channel import event_stream, serve_socket
from numduel.web.people.known import KnownKeys
from numduel.web.people.proof import newcomer, proof_of, welcome
from numduel.web.settings import VERSION
from numduel.web.solving import lessons as taught
from numduel.web.solving import tasks
from numduel.web.solving.solvers import Solvers
from numduel.web.solving.tasks import TASKS

T = TypeVar("T")
router = api("/api/v1")
log = logging.getLogger(__name__)
ASKED_FOR = frozenset({"value_position", "give_hint"})
"""Tasks that are help with a position, and that nobody asks for by accident."""
NO_HELP = frozenset({"judge_games"})
"""Tasks about whole games that help with none."""
NO_STATE = N_("This cannot be continued from here; start again.")
Id = Annotated[str, InPath(pattern=f"^{GAME_ID.pattern}$", examples=["V3b1tq0k9Zfx"])]
Aside = Annotated[
    bool, Query(description="You look elsewhere just now, and do not count as present.")
]


def _service(connection: HTTPConnection) -> GameService:
    return connection.app.state.service  # type: ignore[no-any-return]


def _solvers(connection: HTTPConnection) -> Solvers:
    return connection.app.state.solvers  # type: ignore[no-any-return]


def _known(connection: HTTPConnection) -> KnownKeys:
    return _service(connection).registry.bus.known


async def _solve(request: Request, task: Callable[..., T], *arguments: Any) -> T:
    """The result of a task, which is given up if the client disconnects."""
    seat = _known(request).first_of(proof_of(request))
    solving: asyncio.Future[T]
    solving = asyncio.ensure_future(_solvers(request).ask(task.__name__, *arguments, seat=seat))
    leaving = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait((solving, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not solving.done():
            raise Busy(N_("Nobody is waiting for this any more."))
        return solving.result()
    finally:
        solving.cancel()
        leaving.cancel()


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


# -- games ----------------------------------------------------------------------------------


PLAYING: dict[str, Any] = {
    "response_model": Snapshot,
    "responses": {status: errors[status] for status in (403, 404, 409)},
    "tags": ["games"],
}


@router.post("/games/{id}/moves", **PLAYING)
async def move(request: Request, id: Id, body: bodies.Move) -> Response:
    """Make a move. Once this is answered, the move is stored for good."""
    return as_json(await _service(request).move(id, proof_of(request), body.move, body.after))


@router.get("/rules", response_model=list[positions.Rules], tags=["games"])
async def rules(_: Request) -> Response:
    """All games, with their settings and the levels of the computer."""
    return Response(_catalogue(), media_type="application/json")


@cached()
def _catalogue() -> bytes:
    return json.dumps([positions.catalogue(kind()) for kind in every_game()]).encode()


class Variant(TypedDict):
    """Whether a variant of a game can be played."""

    changes: positions.Changes
    refusal: Annotated[str | None, about("Why it cannot be played; null if it can.")]


@router.get("/variant", tags=["games"])
async def variant(
    game: Annotated[str, Query(max_length=80, examples=["line"])],
    settings: Annotated[str, Query(alias="variant", max_length=200, examples=["n=12"])] = "",
) -> Variant:
    """Whether a game can be played with these settings, and what is unusual about them."""
    find(game)
    try:
        found = positions.playable(game, read_settings(settings.split()))
    except BadVariant as error:
        return {"changes": [], "refusal": str(error)}
    return {"changes": found.changes, "refusal": None}


@router.post("/games", status_code=201, response_model=Seated, tags=["games"])
async def create(request: Request, new: bodies.New) -> Response:
    """Create a game and take a seat. A friend takes the other seat with the invitation; on one
    screen (`here`) your token plays both seats."""
    game = positions.playable(new.game, new.variant)
    keys = newcomer(request, new)
    _solvers(request).admit(new.opponent, game, _known(request).first_of(keys))
    if new.moves and new.opponent not in ("friend", "here"):  # It would play on for somebody.
        await _service(request).require_no_event((*keys, *proof_of(request)), game)
    seated = await _service(request).create(game, new, keys[0])
    return welcome(request, new, keys, status=201, **seated._asdict())


@router.get("/games/{id}", response_model=Snapshot, responses={404: errors[404]}, tags=["games"])
async def look(request: Request, id: Id, aside: Aside = False) -> Response:
    """The current state of a game. Anyone can look."""
    return as_json(await _service(request).registry.look(id, proof_of(request), aside=aside))


@router.post("/games/{id}/join", **PLAYING | {"response_model": Seated})
async def join(request: Request, id: Id, body: bodies.Join) -> Response:
    """Take the free seat. An invitation works once; joining again with the same `key` gives you
    the same seat."""
    keys = newcomer(request, body)
    seated = await _service(request).join(id, keys, body.invite, body.name)
    return welcome(request, body, keys, **seated._asdict())


@router.post("/games/{id}/offer", **PLAYING | {"response_model": Invited})
async def offer(request: Request, id: Id, body: bodies.Offer) -> Response:
    """Get the invitation for the other seat. A player who has joined but not moved yet
    (`newcomer`) loses the seat, and the earlier invitation stops working."""
    invite, text = await _service(request).offer_seat(id, proof_of(request), body.after)
    return as_json(text, invite=invite)


@router.post("/games/{id}/requests", **PLAYING | {"response_model": Requested})
async def request_seat(request: Request, id: Id, body: bodies.SeatRequest) -> Response:
    """Ask for the free seat without an invitation. When both seats are taken, look again
    or reopen the live channel: `you` says whether you got it."""
    keys = newcomer(request, body, bearer=True)
    number, text = await _service(request).request_seat(id, keys, body.name)
    return welcome(request, body, keys, text, request=number)


@router.post("/games/{id}/requests/{number}", **PLAYING)
async def answer_request(
    request: Request,
    id: Id,
    number: Annotated[int, InPath(ge=1, le=1_000_000, examples=[2])],
    body: bodies.RequestAnswer,
) -> Response:
    """Accept or refuse a request for the free seat. Once it is taken, the other requests end."""
    accept = body.say == "accept"
    return as_json(await _service(request).answer_request(id, proof_of(request), number, accept))


@router.post("/games/{id}/resign", **PLAYING)
async def resign(request: Request, id: Id, body: bodies.Resign) -> Response:
    """Resign, whoever's turn it is; on one screen, for the player to move."""
    return as_json(await _service(request).resign(id, proof_of(request), body.after))


@router.post("/games/{id}/undo", **PLAYING)
async def undo(request: Request, id: Id, body: bodies.Undo) -> Response:
    """Ask to take your last move back, or answer the other player. The computer always agrees, and
    on one screen nobody is asked."""
    return as_json(await _service(request).undo(id, proof_of(request), body.say, body.after))


@router.post("/games/{id}/say", **PLAYING)
async def say(request: Request, id: Id, body: bodies.Say) -> Response:
    """Say one of a few things to the other player, but not too often."""
    return as_json(await _service(request).say(id, proof_of(request), body.what))


@router.post("/games/{id}/rematch", **PLAYING)
async def rematch(request: Request, id: Id, _: bodies.Rematch) -> Response:
    """Offer a rematch, or accept one. `rematch.game` is its id, and your token works there too.
    Repeating this changes nothing."""
    return as_json(await _service(request).rematch(id, proof_of(request)))


@router.get(
    "/games/{id}/record",
    responses={404: errors[404], 200: {"content": {"text/plain": {}}}},
    tags=["games"],
)
async def record(request: Request, id: Id) -> Response:
    """The game as a `.duel` record."""
    text = await _service(request).record(id)
    disposition = f'attachment; filename="{id}.duel"'
    return PlainTextResponse(text, headers={"Content-Disposition": disposition})


@router.post("/qr", tags=["games"])
async def qr(body: bodies.Link) -> QrCode:
    """A link as a QR code. You send the link in the body, so no log has its secret."""
    return qr_code(body.link)


# -- watching -------------------------------------------------------------------------------


async def live(socket: WebSocket, id: str) -> None:
    """The whole state of a game, at once and after every change."""
    watch = partial(_service(socket).registry.watch, id, proof_of(socket), aside=_aside(socket))
    await serve_socket(socket, watch)


def _aside(socket: WebSocket) -> bool:
    return socket.query_params.get("aside") == "true"


@router.get(
    "/games/{id}/events",
    responses={404: errors[404], 200: {"content": {"text/event-stream": {}}}},
    tags=["games"],
)
async def events(request: Request, id: Id, aside: Aside = False) -> Response:
    """The whole state, at once and after every change, as server-sent events. A WebSocket at
    `/api/v1/games/{id}/live` sends the same."""
    games, proof = _service(request).registry, proof_of(request)
    await games.look(id, proof, aside=aside)  # so that a missing game is a plain 404
    return event_stream(partial(games.watch, id, proof, aside=aside))


# -- what moves are worth -------------------------------------------------------------------


async def _require_no_event(request: Request, game: Game, *, noted: bool = True) -> None:
    await _service(request).require_no_event(proof_of(request), game, noted=noted)


AFTERWARDS: dict[int | str, dict[str, Any]] = {s: errors[s] for s in (403, 404)}


@router.get("/games/{id}/values", responses=AFTERWARDS, tags=["values"])
async def game_values(request: Request, id: Id) -> positions.Values:
    """What every move is worth. Until a game is over this is refused to two people who play on two
    screens, and in events; otherwise the game remembers it as `help`."""
    room = await _service(request).room_to_analyse(id, proof_of(request), "values")
    return await _solve(request, tasks.values, room.match.state)


@router.get("/games/{id}/hint", responses=AFTERWARDS, tags=["values"])
async def hint(request: Request, id: Id) -> tasks.Hint:
    """What to look at, then a best move and why. This is refused whenever values are, and counts as
    `help`."""
    room = await _service(request).room_to_analyse(id, proof_of(request), "hint")
    return await _solve(request, tasks.hint, room.match.state, room.names)


@router.get("/games/{id}/report", responses=AFTERWARDS, tags=["values"])
async def game_report(request: Request, id: Id) -> tasks.Report:
    """Where a finished game was won and lost."""
    proof = proof_of(request)
    room = await _service(request).room_to_analyse(id, proof)
    reader = None if room.one_screen else room.seat_of(proof)
    return await _solve(request, tasks.report, room.record.text(), reader)


async def parse_record(
    game: Annotated[str, Query(max_length=80, examples=["number-capture"])],
    variant: Annotated[str, Query(max_length=200, examples=["n=21"])] = "",
    first: Annotated[int, Query(ge=1, le=2)] = 1,
    moves: Annotated[str, Query(max_length=1_000, examples=["21 18"])] = "",
    name1: Annotated[str, Query(max_length=MAX_NAME, examples=["Ada"])] = "",
    name2: Annotated[str, Query(max_length=MAX_NAME)] = "",
) -> Record:
    """The game in an address."""
    positions.playable(game, read_settings(variant.split()))
    return addressed({
        "game": game, "variant": variant, "first": str(first), "moves": moves, "name1": name1,
        "name2": name2,
    })  # fmt: skip


Analysed = Annotated[Record, Depends(parse_record)]


@router.get("/position", response_model=positions.Position, tags=["values"])
async def analysed_position(record: Analysed) -> Response:
    """The position after some moves. A card that was drawn and not played stands alone:
    `7e 5e 6`."""
    return as_json(json.dumps(positions.position(record.state, record.names)))


class Why(TypedDict):
    """Why a move is not allowed."""

    why: Annotated[str | None, about("One sentence; null if the move is allowed.")]


@router.get("/why", tags=["values"])
async def why(record: Analysed, move: Annotated[str, Query(max_length=40, examples=["20"])]) -> Why:
    """Why a move is not allowed in a position, as the rules say it."""
    try:
        record.state.play(move)
    except IllegalMove as error:
        return {"why": str(error)}
    return {"why": None}


@router.get("/values", tags=["values"])
async def analysed_values(request: Request, record: Analysed) -> positions.Values:
    """What every move in a position is worth. This is refused to players of an event that goes on
    and has this game, and so is every other help with it; the host sees that they asked."""
    await _require_no_event(request, record.game)
    return await _solve(request, tasks.values, record.state)


@router.get("/report", tags=["values"])
async def analysed_report(request: Request, record: Analysed) -> tasks.Report:
    """Where a game was won and lost, so far."""
    await _require_no_event(request, record.game)
    return await _solve(request, tasks.report, record.text())


# -- puzzles --------------------------------------------------------------------------------


@router.get("/puzzle", tags=["puzzles"])
async def puzzle(
    request: Request,
    day: Annotated[date | None, Query(alias="date", examples=["2026-11-15"])] = None,
    seed: Annotated[int | None, Query(ge=0, le=999_999_999)] = None,
    game: Annotated[str | None, Query(max_length=80)] = None,
    grade: Annotated[int | None, Query(ge=1, le=5)] = None,
) -> tasks.Puzzle:
    """The daily puzzle, or one by seed, game and grade: the same ones as in
    `numduel puzzle`."""
    today = date.today()
    if seed is None and game is None and grade is None:
        found = await _solve(request, tasks.daily, day or today, today + timedelta(1))
    elif day is not None:
        raise BadVariant(_("A date means the daily puzzle; leave out seed, game and grade."))
    else:
        name = find(game).id if game else None
        found = await _solve(request, tasks.puzzle, name, seed or 0, grade)
    return {**found, "today": found["date"] == today.isoformat()}


@router.get("/puzzle/answer", tags=["puzzles"])
async def answer(
    request: Request,
    record: Analysed,
    move: Annotated[str, Query(max_length=40, examples=["5"])],
    reveal: bool = False,
) -> tasks.Answer:
    """Whether a move solves a puzzle. A wrong move gets nudges; the right one, or `reveal`, gets
    the solution, played out."""
    await _require_no_event(request, record.game, noted=False)
    return await _solve(request, tasks.answer, record.state, move, reveal)


# -- activities -----------------------------------------------------------------------------


class Performed(TypedDict):
    """An activity after an action."""

    state: dict[str, Any]
    scene: positions.Scene


@router.post("/activities/{name}", tags=["activities"])
async def perform(
    request: Request, name: Annotated[bodies.ActivityName, InPath()], body: bodies.Act
) -> Performed:
    """Begin an activity, make a move, or take one of the choices of its scene. The server keeps
    nothing: send the `state` of the last answer, or none to begin."""
    kind = _kind(name)
    try:
        before = replace(kind.validate_json(json.dumps(body.state), strict=True), work=None)
        before = replace(before, today=_today(before.today, body.action in ("begin", "next")))
        activity = before.after(body.passed).act(body.action, body.given)
        while activity.work is not None:
            for game in positions.games_in(activity.work.arguments):
                if activity.work.task not in NO_HELP:
                    noted = activity.work.task in ASKED_FOR
                    await _require_no_event(request, game, noted=noted)
            task = TASKS[activity.work.task]
            result = await _solve(request, task, *activity.work.arguments)
            activity = activity.fed(result)
        scene = positions.scene_data(activity.scene)
    except (ValidationError, LookupError):
        raise BadVariant(_(NO_STATE)) from None
    except NumduelError:
        raise
    except Exception:  # An activity of another package may raise anything for invented data.
        log.warning("the activity %s failed", name, exc_info=True)
        raise BadVariant(_(NO_STATE)) from None
    return {"state": kind.dump_python(activity, mode="json"), "scene": scene}


def _today(told: str, begins: bool) -> str:
    """The day where somebody is: as they say, if it can be that day somewhere. What has begun keeps
    its day, but no day is before its time."""
    here, days = date.today(), timedelta(1)
    there = None
    with suppress(ValueError):
        there = date.fromisoformat(told)
    if there is None or there > here + days or (begins and there < here - days):
        there = here
    return there.isoformat()


@cache
def _kind(name: str) -> TypeAdapter[Activity]:
    return TypeAdapter(activities()[name])


# -- lessons --------------------------------------------------------------------------------

GameOf = Annotated[str, InPath(max_length=80, examples=["line"])]
StepNumber = Annotated[int, Query(ge=1, le=100)]


@router.get("/lessons", tags=["lessons"])
async def lessons(request: Request) -> list[taught.LessonSummary]:
    """All lessons. Each teaches one game, step by step."""
    return await _solve(request, taught.lesson_list)


@router.get("/lessons/{game}", tags=["lessons"])
async def lesson(request: Request, game: GameOf) -> taught.Lesson:
    """The steps of a lesson: text, a position, and what to do there."""
    return await _solve(request, taught.lesson_data, find(game).name)


@router.get("/lessons/{game}/answer", tags=["lessons"])
async def lesson_answer(
    request: Request,
    game: GameOf,
    step: StepNumber,
    move: Annotated[str, Query(max_length=40, examples=["8"])] = "",
    moves: Annotated[str, Query(max_length=1_000)] = "",
) -> taught.Try:
    """Try a move in a step. A step that is a whole game begins without a move; after that,
    `moves` are the moves so far, and the computer answers."""
    return await _solve(request, taught.lesson_answer, find(game).name, step, moves, move)


@router.get("/lessons/{game}/hint", response_model=taught.LessonHint, tags=["lessons"])
async def lesson_hint(
    request: Request,
    game: GameOf,
    step: StepNumber,
    number: Annotated[int, Query(ge=1, le=100)] = 1,
) -> Any:
    """A hint for a step: number 1 says what to look at, number 2 gives the answer."""
    return await _solve(request, TASKS["hint_step"], find(game).name, step, number)


class Strategy(TypedDict):
    """How to win a game, in a few sentences to remember."""

    goal: Annotated[str, about("Who wins, and on which board.")]
    steps: list[str]
    proof: Annotated[str, about("What was proved, or measured.")]


@router.get("/strategy/{game}", tags=["lessons"])
async def strategy(request: Request, game: GameOf) -> Strategy:
    """How to win a game as the page offers it. This gives the game away."""
    await _require_no_event(request, find(game))
    known = how_to_win(offered(game))
    return {
        "goal": known.goal,
        "steps": known.instructions(),
        "proof": " ".join([*known.facts, known.proof()]),
    }


# -- the server itself ----------------------------------------------------------------------


class Health(TypedDict):
    """The server is well."""

    status: Literal["ok"]
    version: str


@router.get("/health", tags=["server"])
async def ready(request: Request) -> Health:
    """Whether the server is ready: it can read and write games, and work out moves."""
    await request.app.state.database.check()
    await _solvers(request).check()
    return {"status": "ok", "version": VERSION}


@router.get("/health/live", tags=["server"])
async def alive() -> Health:
    """Whether the server answers at all. Restart it if this fails, and only then."""
    return {"status": "ok", "version": VERSION}
