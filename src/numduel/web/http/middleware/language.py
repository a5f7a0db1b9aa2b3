"""The language of a request: the one chosen on the page, or what the browser asks for."""

from __future__ import annotations

import os
import re
from collections.abc import Awaitable
from functools import lru_cache

from starlette.types import ASGIApp, Receive, Scope, Send

from numduel.core.language import (
    ENGLISH,
    PSEUDO,
    known,
    named,
    negotiated,
    speak,
)

COOKIE = "numduel-lang"
"""The cookie with the language that was chosen; the page sets it, and so does `?lang=de`."""
COOKIE_SECONDS = 400 * 24 * 3600
_IN_COOKIE = re.compile(rb"(?:^|; ?)%s=([a-z]{2,8})(?:;|$)" % COOKIE.encode())
_IN_QUERY = re.compile(rb"(?:^|&)lang=([\w-]{2,20})(?:&|$)")
VARIABLE = "NUMDUEL_LANG"
"""The variable of the environment that starts a server in the language for tests."""
MAX_HEADERS = 1_000
"""Headers of browsers that are remembered."""
MAX_HEADER = 200
"""Bytes of a header that are read: enough for a dozen languages."""


class Language:
    """Sets the language in which a request is answered."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass a request on."""
        speak(ENGLISH if scope["type"] == "lifespan" else language_of(scope))
        return self.app(scope, receive, send)


def language_of(scope: Scope) -> str:
    """The language of a request, English if it does not say. The language for tests is told only by
    a server that was started in it."""
    code = _wanted(scope)
    return ENGLISH if code == PSEUDO != os.environ.get(VARIABLE) else code


def _wanted(scope: Scope) -> str:
    """The language that was chosen, or that a browser asks for."""
    if scope["query_string"] and (asked := asked_for(scope)):
        return asked
    accepted = b""
    for name, value in scope["headers"]:
        if name == b"accept-language":
            accepted = value
        elif name == b"cookie" and (found := _IN_COOKIE.search(value)):
            code = found[1].decode()
            if known(code):
                return code
    return _negotiated(accepted[:MAX_HEADER]) if accepted else ENGLISH


def cookie_with(code: str) -> str:
    """The header that remembers a language; scripts of the page may read and change it."""
    return f"{COOKIE}={code}; Path=/; Max-Age={COOKIE_SECONDS}; SameSite=Lax"


def asked_for(scope: Scope) -> str:
    """The language in the query of an address, if there is such."""
    found = _IN_QUERY.search(scope["query_string"])
    return named(found[1].decode("latin-1")) if found else ""


@lru_cache(MAX_HEADERS)
def _negotiated(accepted: bytes) -> str:
    return negotiated(accepted.decode("latin-1"))
