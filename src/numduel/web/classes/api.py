"""The API of classes, for pupils and teachers."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import Path as InPath
from fastapi import Request, Response, WebSocket
from starlette.requests import HTTPConnection

from numduel.web.classes import bodies, serialise
from numduel.web.classes.service import ClassService
from numduel.web.events.api import settings_of
from numduel.web.events.serialise import CreatedEvent, Joined
from numduel.web.http.errors import NO_CLASS
from numduel.web.http.routes import Error, api, as_json, errors
from numduel.web.live.channel import event_stream, serve_socket
from numduel.web.people.keys import new_key
from numduel.web.people.proof import newcomer, proof_of, set_page_cookie, welcome

router = api("/api/v1/classes")
Code = Annotated[str, InPath(max_length=40, examples=["K7M4Q"])]
NOT_FOUND = {"model": Error, "description": NO_CLASS}
ANSWERS: dict[int | str, dict[str, Any]] = {
    403: {"model": Error, "description": "Only the teacher and the pupils can do this."},
    404: NOT_FOUND,
    409: errors[409],
}
PUPIL: dict[str, Any] = {"responses": ANSWERS, "tags": ["classes"]}
TEACHER: dict[str, Any] = {"responses": ANSWERS, "tags": ["teaching"]}


def _service(connection: HTTPConnection) -> ClassService:
    return connection.app.state.classes  # type: ignore[no-any-return]


# -- pupils ---------------------------------------------------------------------------------


@router.get("/{code}", response_model=serialise.ClassSnapshot, **PUPIL)
async def look(request: Request, code: Code) -> Response:
    """A class, as its pupils see it. Others are only told that it exists."""
    text = await _service(request).look(code, proof_of(request))
    return Response(text, media_type="application/json")


@router.post("/{code}/enter", response_model=serialise.Entered, **PUPIL)
async def enter(request: Request, code: Code, body: bodies.Enter) -> Response:
    """Come into a class with your personal code. This browser, or your `key`, is then known."""
    keys = newcomer(request, body)
    text = await _service(request).enter(code, keys, body.code)
    return welcome(request, body, keys, text)


@router.post("/{code}/join", response_model=Joined, **PUPIL)
async def join(request: Request, code: Code, body: bodies.JoinClassEvent) -> Response:
    """Join an event of your class, under your nickname there."""
    joined = await _service(request).join_event(code, proof_of(request), body.event)
    told = joined._asdict()
    return as_json(told.pop("text"), token=None, **told)


async def live(socket: WebSocket, code: str) -> None:
    """The whole state of a class, at once and after every change."""
    await serve_socket(socket, partial(_service(socket).watch, code, proof_of(socket)))


@router.get(
    "/{code}/events",
    responses={404: NOT_FOUND, 200: {"content": {"text/event-stream": {}}}},
    tags=["classes"],
)
async def stream(request: Request, code: Code) -> Response:
    """The whole state, at once and after every change, as server-sent events. A WebSocket at
    `/api/v1/classes/{code}/live` sends the same."""
    service, proof = _service(request), proof_of(request)
    await service.look(code, proof)  # so that a class that does not exist is a plain 404
    return event_stream(partial(service.watch, code, proof))


# -- the teacher ----------------------------------------------------------------------------


@router.post("", status_code=201, tags=["teaching"])
async def create(request: Request, new: bodies.NewClass) -> serialise.CreatedClass:
    """Create a class. Its pupils have numbers, friendly nicknames and personal codes, and no
    names."""
    host = new.key or new_key()
    made = await _service(request).create(new.pupils, new.ends, host)
    return {"host": host, **made}


@router.get("/{code}/host", **TEACHER)
async def host(request: Request, response: Response, code: Code) -> serialise.HostClass:
    """The whole class, for its teacher."""
    proof = proof_of(request)
    told = await _service(request).host(code, proof)
    set_page_cookie(request, response, proof)
    return told


@router.post("/{code}/host/event", status_code=201, response_model=CreatedEvent, **TEACHER)
async def create_event(request: Request, code: Code, new: bodies.ClassEvent) -> Response:
    """Create an event for the class. Its pupils join with one press, under their nicknames."""
    service, nonce = _service(request), new.key or new_key()
    event, host, text = await service.create_event(code, proof_of(request), settings_of(new), nonce)
    return as_json(text, 201, code=event, host=host)


@router.post("/{code}/host/slips", **TEACHER)
async def slips(request: Request, code: Code, body: bodies.Slips) -> list[serialise.PersonalCode]:
    """The personal codes, to print. They follow from your secret: the server stores hashes."""
    return await _service(request).slips(code, proof_of(request), body.link)


@router.post("/{code}/host/add", **TEACHER)
async def add(request: Request, code: Code, body: bodies.MorePupils) -> serialise.HostClass:
    """Add pupils."""
    return await _service(request).add(code, proof_of(request), body.pupils)


@router.post("/{code}/host/code", **TEACHER)
async def renew_code(
    request: Request, code: Code, body: bodies.OnePupil
) -> serialise.NewPersonalCode:
    """A new code for a pupil who has lost theirs. The old one stops working, in all browsers."""
    service, proof = _service(request), proof_of(request)
    personal, told = await service.renew_code(code, proof, body.pupil)
    return {"code": personal, **told}


@router.post("/{code}/host/remove", **TEACHER)
async def remove(request: Request, code: Code, body: bodies.OnePupil) -> serialise.HostClass:
    """Remove a pupil from the class."""
    return await _service(request).remove(code, proof_of(request), body.pupil)


@router.post("/{code}/host/homework", **TEACHER)
async def set_homework(
    request: Request, code: Code, new: bodies.NewHomework
) -> serialise.HostClass:
    """Set homework: a lesson, some puzzles, or some games to win. What pupils do from now on, in
    browsers in which they are known, is counted."""
    wish = new.model_dump(exclude={"until", "level"}) | {"level": new.level or ""}
    return await _service(request).set_homework(code, proof_of(request), wish, new.until)


@router.post("/{code}/host/withdraw", **TEACHER)
async def withdraw(
    request: Request, code: Code, body: bodies.HomeworkNumber
) -> serialise.HostClass:
    """Withdraw homework."""
    return await _service(request).withdraw(code, proof_of(request), body.homework)


@router.delete("/{code}", status_code=204, **TEACHER)
async def delete(request: Request, code: Code) -> None:
    """Delete a class with everything that belongs to it, at once and for ever."""
    await _service(request).delete(code, proof_of(request))
