"""The API of events, for players and hosts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

from fastapi import Path as InPath
from fastapi import Query, Request, Response, WebSocket
from starlette.requests import HTTPConnection

from numduel.core.errors import BadEvent
from numduel.core.language import _
from numduel.events import actions
from numduel.events.event import Entry, Event
from numduel.events.settings import Settings, chosen
from numduel.web.events import bodies, serialise
from numduel.web.events.service import EventService
from numduel.web.http.errors import NO_EVENT
from numduel.web.http.routes import Error, api, as_json, errors
from numduel.web.live.channel import event_stream, serve_socket
from numduel.web.people.keys import new_key
from numduel.web.people.proof import newcomer, proof_of, set_page_cookie, welcome
from numduel.web.positions import playable

router = api("/api/v1/events")
Code = Annotated[str, InPath(max_length=40, examples=["K7M4QX"])]
DecimalComma = Annotated[
    bool, Query(description="Numbers with a decimal comma, columns parted by semicolons.")
]
NOT_FOUND = {"model": Error, "description": NO_EVENT}
ANSWERS: dict[int | str, dict[str, Any]] = {
    403: {"model": Error, "description": "Only the host and the players can do this."},
    404: NOT_FOUND,
    409: errors[409],
}
LOOKING: dict[str, Any] = {"responses": {404: NOT_FOUND}, "tags": ["events"]}
PLAYING: dict[str, Any] = {
    "response_model": serialise.Joined, "responses": ANSWERS, "tags": ["events"],
}  # fmt: skip
HOSTING: dict[str, Any] = {
    "response_model": serialise.EventSnapshot, "responses": ANSWERS, "tags": ["hosting"],
}  # fmt: skip


def _service(connection: HTTPConnection) -> EventService:
    return connection.app.state.events  # type: ignore[no-any-return]


# -- taking part ----------------------------------------------------------------------------


@router.post("", status_code=201, response_model=serialise.CreatedEvent, tags=["hosting"])
async def create(request: Request, new: bodies.NewEvent) -> Response:
    """Create an event. Players join with its code; you run it with the host's secret."""
    settings = settings_of(new)
    host = new.key or new_key()
    code, text = await _service(request).create(settings, host)
    return as_json(text, 201, code=code, host=host)


def settings_of(new: bodies.NewEvent) -> Settings:
    """What was chosen for a new event."""
    games = [playable(choice.game, choice.variant) for choice in new.games]
    return chosen(games, **new.model_dump(exclude={"games", "key"}))


@router.get("/{code}", response_model=serialise.EventSnapshot, **LOOKING)
async def look(request: Request, code: Code) -> Response:
    """The current state of an event. Anyone can look. A player without a live channel who asks at
    least every ten seconds counts as present."""
    return as_json(await _service(request).look(code, proof_of(request)))


@router.post("/{code}/join", **PLAYING)
async def join(request: Request, code: Code, body: bodies.JoinEvent) -> Response:
    """Join an event under a nickname. The token proves every seat you are given. Joining again
    with the same `key` and nickname makes you the same player. If the host has to let you in,
    `player` is null: look again until `you` is your number."""
    keys = newcomer(request, body)
    joined = await _service(request).join(code, keys, body.nickname)
    return welcome(request, body, keys, **joined._asdict())


@router.post("/{code}/return", **PLAYING)
async def come_back(request: Request, code: Code, body: bodies.ReturnToEvent) -> Response:
    """Continue in another browser, with your nickname and your four digits."""
    keys = newcomer(request, body)
    joined = await _service(request).come_back(code, keys, body.nickname, body.code)
    return welcome(request, body, keys, **joined._asdict())


@router.get("/{code}/names", **LOOKING)
async def offered_names(request: Request, code: Code) -> serialise.OfferedNames:
    """Three friendly nicknames that nobody has in an event; others each time."""
    return {"names": await _service(request).offered_names(code)}


@router.get("/{code}/me", responses=ANSWERS, tags=["events"])
async def me(request: Request, code: Code) -> serialise.OwnPage:
    """Your games in an event, your mistakes, and the ideas you missed most often."""
    return await _service(request).own_page(code, proof_of(request))


# -- watching -------------------------------------------------------------------------------


async def live(socket: WebSocket, code: str) -> None:
    """The whole state of an event, at once and after every change."""
    await serve_socket(socket, partial(_service(socket).watch, code, proof_of(socket)))


@router.get(
    "/{code}/events",
    responses={404: NOT_FOUND, 200: {"content": {"text/event-stream": {}}}},
    tags=["events"],
)
async def stream(request: Request, code: Code) -> Response:
    """The whole state, at once and after every change, as server-sent events. A WebSocket at
    `/api/v1/events/{code}/live` sends the same."""
    service, proof = _service(request), proof_of(request)
    await service.look(code, proof)  # so that an event that does not exist is a plain 404
    return event_stream(partial(service.watch, code, proof))


# -- hosting --------------------------------------------------------------------------------


@router.post("/{code}/host/check", **HOSTING)
async def check(request: Request, code: Code, _: bodies.Nothing) -> Response:
    """Check that you are the host. Nothing changes."""
    proof = proof_of(request)
    response = as_json(await _service(request).check_host(code, proof))
    set_page_cookie(request, response, proof)
    return response


@router.post("/{code}/host/start", **HOSTING)
async def start(request: Request, code: Code, _: bodies.Nothing) -> Response:
    """Start the event."""
    return as_json(await _service(request).start(code, proof_of(request)))


@router.post("/{code}/host/pause", **HOSTING)
async def pause(request: Request, code: Code, _: bodies.Nothing) -> Response:
    """Pause the event: all clocks stop, nobody is paired, and nobody can move or resign, the
    computer neither. People can still join."""
    return await _act(request, code, actions.pause)


@router.post("/{code}/host/resume", **HOSTING)
async def resume(request: Request, code: Code, _: bodies.Nothing) -> Response:
    """Continue after a pause."""
    return await _act(request, code, actions.resume)


@router.post("/{code}/host/extend", **HOSTING)
async def extend(request: Request, code: Code, body: bodies.Minutes) -> Response:
    """Give an arena more minutes."""
    return await _act(request, code, actions.extend, body.minutes)


@router.post("/{code}/host/end", **HOSTING)
async def end(request: Request, code: Code, _: bodies.Nothing) -> Response:
    """End the event. Unfinished games count for nobody."""
    return await _act(request, code, actions.end)


@router.post("/{code}/host/lock", **HOSTING)
async def lock(request: Request, code: Code, body: bodies.Lock) -> Response:
    """Lock the door, so that nobody else can join, or unlock it."""
    return await _act(request, code, actions.lock, locked=body.locked)


@router.post("/{code}/host/door", **HOSTING)
async def door(request: Request, code: Code, body: bodies.Door) -> Response:
    """Choose whether you let everybody in by hand, and whether nicknames may be typed."""
    return await _act(request, code, actions.door, **body.model_dump())


@router.post("/{code}/host/admit", **HOSTING)
async def admit(request: Request, code: Code, body: bodies.Asked) -> Response:
    """Let somebody in who waits, or everybody. Their browser is theirs from now on."""
    return as_json(await _service(request).admit(code, proof_of(request), body.asked))


@router.post("/{code}/host/decline", **HOSTING)
async def decline(request: Request, code: Code, body: bodies.Asked) -> Response:
    """Do not let somebody in who waits, or nobody."""
    if body.asked is not None:
        return await _act(request, code, actions.decline, body.asked)
    service = _service(request)
    return as_json(await service.act_on_all(code, proof_of(request), actions.decline_all))


@router.post("/{code}/host/sweep", **HOSTING)
async def sweep(request: Request, code: Code, _: bodies.Nothing) -> Response:
    """Remove everybody who is not here."""
    service = _service(request)
    return as_json(await service.act_on_all(code, proof_of(request), actions.remove_absent))


@router.post("/{code}/host/restore", **HOSTING)
async def restore(request: Request, code: Code, body: bodies.OnePlayer) -> Response:
    """Let a player take part again whom you have removed."""
    return await _act(request, code, actions.restore, body.player)


@router.post("/{code}/host/broadcast", **HOSTING)
async def broadcast(request: Request, code: Code, body: bodies.Line) -> Response:
    """Show everybody one line."""
    return await _act(request, code, actions.broadcast, body.text)


@router.post("/{code}/host/places", **HOSTING)
async def places(request: Request, code: Code, body: bodies.Places) -> Response:
    """Choose whether the wall and the players are shown only the first five places. Everybody still
    sees their own points, and you see the whole table."""
    return await _act(request, code, actions.places, top_only=body.top_only)


@router.post("/{code}/host/show", **HOSTING)
async def show(request: Request, code: Code, body: bodies.OnWall) -> Response:
    """Put the position before a mistake on the wall, then the better move, or take it away."""
    if body.game is None:
        return await _act(request, code, actions.unshow)
    return await _act(request, code, actions.show, body.game, body.ply, answer=body.answer)


@router.post("/{code}/host/pair", **HOSTING)
async def pair(request: Request, code: Code, body: bodies.Pair) -> Response:
    """Pair everybody who is free, or two players, without waiting for better opponents."""
    service, host = _service(request), proof_of(request)
    if body.players is None:
        return as_json(await service.pair_everybody(code, host))
    return as_json(await service.pair(code, host, *body.players, body.game))


@router.post("/{code}/host/cancel", **HOSTING)
async def cancel(request: Request, code: Code, body: bodies.PairingNumber) -> Response:
    """Cancel a pairing. Its game counts for nobody."""
    return await _act(request, code, _cancel, body.pairing)


def _cancel(event: Event, number: int, now: float) -> Entry:
    if number not in event.pairings:
        raise BadEvent(_("There is no such pairing in this event."))
    return actions.cancel(event, event.pairings[number], now)


@router.post("/{code}/host/forfeit", **HOSTING)
async def forfeit(request: Request, code: Code, body: bodies.OnePlayer) -> Response:
    """Give the game of a player to the opponent."""
    return await _act(request, code, actions.forfeit, body.player)


@router.post("/{code}/host/nudge", **HOSTING)
async def nudge(request: Request, code: Code, body: bodies.OnePlayer) -> Response:
    """Remind a player, on their screen, that their opponent waits for them."""
    return await _act(request, code, actions.nudge, body.player)


@router.post("/{code}/host/rename", **HOSTING)
async def rename(request: Request, code: Code, body: bodies.Rename) -> Response:
    """Give a player another nickname, also in their games."""
    told = await _service(request).rename(code, proof_of(request), body.player, body.nickname)
    return as_json(told)


@router.post("/{code}/host/remove", **HOSTING)
async def remove(request: Request, code: Code, body: bodies.OnePlayer) -> Response:
    """Remove a player. Their game goes to the opponent, and that browser
    cannot join again."""
    return await _act(request, code, actions.remove, body.player)


@router.post("/{code}/host/code", **HOSTING | {"response_model": serialise.NewCode})
async def renew_code(request: Request, code: Code, body: bodies.OnePlayer) -> Response:
    """New four digits for a player who has forgotten theirs."""
    personal, told = await _service(request).renew_code(code, proof_of(request), body.player)
    return as_json(told, code=personal)


@router.post("/{code}/host/add", **HOSTING)
async def add(request: Request, code: Code, body: bodies.AddLevel) -> Response:
    """Add a level of the computer as a player."""
    nickname = body.nickname or _(body.level).capitalize()
    return await _act(request, code, actions.join, nickname, player=body.level)


@router.get("/{code}/door", responses=ANSWERS, tags=["hosting"])
async def door_page(request: Request, code: Code) -> serialise.DoorPage:
    """Who waits to be let in, who was removed, and who asked for help with a game."""
    return await _service(request).door_page(code, proof_of(request))


@router.get(
    "/{code}/class", response_model=serialise.ClassPage, responses=ANSWERS, tags=["hosting"]
)
async def class_page(request: Request, code: Code) -> Response:
    """The table, and the ideas that were missed: how often, and by how many."""
    told = await _service(request).class_page(code, proof_of(request))
    return Response(told, media_type="application/json")


@router.get(
    "/{code}/table.csv",
    responses=ANSWERS | {200: {"content": {"text/csv": {}}}},
    response_class=Response,
    tags=["hosting"],
)
async def table(request: Request, code: Code, comma: DecimalComma = False) -> Response:
    """The table as CSV, for a spreadsheet."""
    text = await _service(request).table(code, proof_of(request), comma=comma)
    headers = {"Content-Disposition": 'attachment; filename="table.csv"'}
    return Response(text, headers=headers, media_type="text/csv; charset=utf-8")


@router.delete("/{code}", status_code=204, responses=ANSWERS, tags=["hosting"])
async def delete(request: Request, code: Code) -> None:
    """Delete an event and all its games, at once and for ever."""
    await _service(request).delete(code, proof_of(request))


async def _act(
    request: Request, code: str, action: Callable[..., Entry], *given: Any, **named: Any
) -> Response:
    act = partial(_service(request).act, code, proof_of(request))
    return as_json(await act(lambda event, now: action(event, *given, now, **named)))
