"""What a request proves: the tokens of programs, and the keys of browsers."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Request, Response
from pydantic import StringConstraints
from starlette.requests import HTTPConnection

from numduel.web.http.described import about
from numduel.web.http.middleware.client import header
from numduel.web.http.routes import Body, as_json
from numduel.web.people.keys import KEY, Proof, new_key, read_keys, write_keys

COOKIE = "numduel-key"
COOKIE_PATH = "/api"
COOKIE_SECONDS = 400 * 24 * 3600
"""As long as browsers keep a cookie at most; it is renewed whenever it is used on a page."""
OLD_COOKIE = "seat"
"""The cookie of one game, which earlier versions left with the browser."""


Secret = Annotated[str, StringConstraints(min_length=16, max_length=64, pattern="^[A-Za-z0-9_-]+$")]
Key = Annotated[
    str,
    StringConstraints(pattern=f"^{KEY.pattern}$"),
    about(
        "256 random bits of your own, in base64url. They prove your seat, and the same"
        " request with them again has the same answer, should that have been lost."
    ),
]


class Newcomer(Body):
    """Somebody who will be proved by a key."""

    key: Key | None = None
    cookie: Annotated[
        bool,
        about(
            "For a page: the seat is proved by the key of the browser, an HttpOnly"
            " cookie for all its games; `key` becomes that if it has none yet."
        ),
    ] = False


def _bearer(connection: HTTPConnection) -> Proof:
    said = header(connection.scope, b"authorization") or b""
    scheme, _, token = said.decode("latin-1").partition(" ")
    return (token[:200],) if scheme.lower() == "bearer" and token else ()


def browser_keys(connection: HTTPConnection) -> Proof:
    """The keys of a browser, which prove its seats in all games."""
    return read_keys(connection.cookies.get(COOKIE, ""))


def old_token(connection: HTTPConnection) -> Proof:
    """What an earlier version left with a browser for this game alone."""
    token = connection.cookies.get(OLD_COOKIE)
    return (token[:200],) if token else ()


def proof_of(connection: HTTPConnection) -> Proof:
    """What proves seats: a bearer token, or the key of a browser."""
    return _bearer(connection) or (*browser_keys(connection), *old_token(connection))


def newcomer(request: Request, body: Newcomer, *, bearer: bool = False) -> Proof:
    """What will prove the seat that somebody is about to take: what they bring in the body, or if
    they may, as a bearer token; or a new key."""
    own = () if body.key is None else (body.key,)
    if body.cookie:
        return browser_keys(request) or own or (new_key(),)
    brought = _bearer(request) if bearer else ()
    return own or tuple(filter(KEY.fullmatch, brought)) or (new_key(),)


def set_cookie(request: Request, response: Response, keys: Proof) -> None:
    """Leave its keys with a browser, hidden from scripts, or have it keep them for longer."""
    response.set_cookie(
        COOKIE,
        write_keys(keys),
        max_age=COOKIE_SECONDS,
        path=COOKIE_PATH,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )


def welcome(
    request: Request, body: Newcomer, keys: Proof, /, text: str, status: int = 200, **more: Any
) -> Response:
    """The answer to a newcomer: the keys go to the browser, or the token to the program."""
    response = as_json(text, status, token=None if body.cookie else keys[0], **more)
    if body.cookie:
        set_cookie(request, response, keys)
    return response


def forget_old_token(response: Response, id: str) -> None:
    """Take what an earlier version left from the browser."""
    response.delete_cookie(OLD_COOKIE, f"/api/games/{id}", httponly=True, samesite="strict")
