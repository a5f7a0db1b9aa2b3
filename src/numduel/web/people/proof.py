"""What a request proves: the tokens of programs, and the keys of browsers."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Request, Response
from pydantic import StringConstraints
from starlette.requests import HTTPConnection

from numduel.web.http.described import about
from numduel.web.http.middleware.client import header
from numduel.web.http.routes import Body, as_json
from numduel.web.people.keys import (
    KEY,
    MAX_KEYS,
    Proof,
    digest,
    new_key,
    page_key,
    read_keys,
    write_keys,
)

PROOF = "numduel.proof"
"""Where the scope of a request has what it proves seats with."""
COOKIE = "numduel-key"
COOKIE_PATH = "/api"
PAGE_COOKIE = "numduel-page"
"""The cookie for pages and static files: they are the same for everybody, but whoever the server
knows is not refused them because of others at their address."""
COOKIE_SECONDS = 400 * 24 * 3600
"""The longest time for which browsers keep a cookie; it is renewed whenever a page uses it."""


Secret = Annotated[str, StringConstraints(min_length=16, max_length=64, pattern="^[A-Za-z0-9_-]+$")]
Key = Annotated[
    str,
    StringConstraints(pattern=f"^{KEY.pattern}$"),
    about(
        "256 random bits of your own, in base64url. They prove your seat. If an answer was lost,"
        " the same request with the same key gets the same answer."
    ),
]


class Newcomer(Body):
    """Somebody who takes a seat, or asks for one."""

    key: Key | None = None
    cookie: Annotated[
        bool,
        about(
            "For the page: the seat is proved by the browser's key, an HttpOnly cookie for all its"
            " games. If there is none yet, it is set to `key`."
        ),
    ] = False


def _bearer(connection: HTTPConnection) -> Proof:
    said = header(connection.scope, b"authorization") or b""
    scheme, _, token = said.decode("latin-1").partition(" ")
    return (token[:200],) if scheme.lower() == "bearer" and token else ()


def browser_keys(connection: HTTPConnection) -> Proof:
    """The keys of a browser, which prove its seats in all games."""
    return read_keys(connection.cookies.get(COOKIE, ""))


def page_keys(connection: HTTPConnection) -> Proof:
    """What follows from the keys of a browser, for limits only: it proves nothing."""
    return read_keys(connection.cookies.get(PAGE_COOKIE, ""))


def proof_of(connection: HTTPConnection) -> Proof:
    """What a request proves seats with: a bearer token, or the keys of a browser. It is read once:
    the protocol, the limits and the route ask for it."""
    found: Proof | None = connection.scope.get(PROOF)
    if found is None:
        found = connection.scope[PROOF] = _bearer(connection) or browser_keys(connection)
    return found


def newcomer(request: Request, body: Newcomer, *, bearer: bool = False) -> Proof:
    """The key that will prove the seat of a newcomer: the one in the body or, if allowed, in the
    bearer token, or a new one."""
    own = () if body.key is None else (body.key,)
    if body.cookie:
        return browser_keys(request) or own or (new_key(),)
    brought = _bearer(request) if bearer else ()
    return own or tuple(filter(KEY.fullmatch, brought)) or (new_key(),)


def set_cookie(request: Request, response: Response, keys: Proof) -> None:
    """Set or renew the cookies with a browser's keys, and with what follows from them for pages."""
    _set(request, response, COOKIE, keys, COOKIE_PATH)
    set_page_cookie(request, response, keys)


def set_page_cookie(request: Request, response: Response, keys: Proof) -> None:
    """Set or renew the cookie for pages with what follows from these keys, besides what it had. The
    secret of a host is in no cookie, but their pages are asked for with this."""
    pages = dict.fromkeys((*map(page_key, map(digest, keys)), *page_keys(request)))
    _set(request, response, PAGE_COOKIE, tuple(pages)[:MAX_KEYS], "/")


def _set(request: Request, response: Response, name: str, keys: Proof, path: str) -> None:
    """Set a cookie that scripts cannot read."""
    response.set_cookie(
        name,
        write_keys(keys),
        max_age=COOKIE_SECONDS,
        path=path,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )


def welcome(
    request: Request, body: Newcomer, keys: Proof, /, text: str, status: int = 200, **more: Any
) -> Response:
    """The response to a newcomer: a browser gets a cookie, a program its token."""
    response = as_json(text, status, token=None if body.cookie else keys[0], **more)
    if body.cookie:
        set_cookie(request, response, keys)
    return response
