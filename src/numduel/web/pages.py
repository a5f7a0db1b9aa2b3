"""The page: files of this package, and the rules of each game as a page of their own."""

from __future__ import annotations

import re
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path

from fastapi import APIRouter, Request, Response

from numduel.core.errors import UnknownGame
from numduel.games import game as find

FOLDER = Path(__file__).parent / "page"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
PAGES = {
    "/": "lobby.html",
    "/play/{id}": "play.html",
    "/analyse": "analyse.html",
    "/puzzles": "puzzles.html",
    "/api": "api.html",
}
PROMPT = re.compile(r"^## At the prompt\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
"""The part of a rules page that is of no use in a browser."""
router = APIRouter(include_in_schema=False)


@cache
def _files() -> dict[str, bytes]:
    """Every file of the page: whatever is asked for, no other is ever opened."""
    return {path.name: path.read_bytes() for path in FOLDER.iterdir() if path.suffix in TYPES}


def _sent(request: Request, content: bytes, kind: str, status: int = 200) -> Response:
    """A file, or word that the browser has it already."""
    tag = f'"{sha256(content).hexdigest()[:20]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if status == 200 and request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, status, headers, media_type=kind)


def missing(request: Request) -> Response:
    """The page that says that there is none."""
    return _sent(request, _files()["missing.html"], TYPES[".html"], 404)


@router.get("/static/{name}")
async def static(request: Request, name: str) -> Response:
    """One file that a page is made of."""
    content = _files().get(name)
    return (
        missing(request) if content is None else _sent(request, content, TYPES[Path(name).suffix])
    )


@router.get("/favicon.ico")
async def icon(request: Request) -> Response:
    """The picture that browsers ask for by themselves."""
    return await static(request, "favicon.svg")


@router.get("/rules/{name}")
async def rules(request: Request, name: str) -> Response:
    """The rules of a game."""
    try:
        kind = find(name)
    except UnknownGame:
        return missing(request)
    title, body = _rules(kind.id)
    page = _files()["rules.html"].decode()
    page = page.replace("<!-- title -->", escape(title)).replace("<!-- rules -->", body)
    return _sent(request, page.encode(), TYPES[".html"])


@cache
def _rules(id: str) -> tuple[str, str]:
    from markdown_it import MarkdownIt

    game = find(id)
    text = PROMPT.sub("", game.page)
    return game.title, MarkdownIt("commonmark", {"html": False}).enable("table").render(text)


def _page(name: str) -> None:
    async def page(request: Request) -> Response:
        return _sent(request, _files()[PAGES[name]], TYPES[".html"])

    router.add_api_route(name, page, methods=["GET"])


for _name in PAGES:
    _page(_name)
