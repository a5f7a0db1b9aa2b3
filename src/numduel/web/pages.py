"""The page: files of this package, and the rules of each game as a page of their own."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import NamedTuple

from fastapi import APIRouter, Request, Response

from numduel.core.errors import UnknownGame
from numduel.games import game as find

FOLDER = Path(__file__).parent / "page"
HTML = "text/html; charset=utf-8"
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
"""What is sent as it is; a page is put into its frame first."""


class Page(NamedTuple):
    """A page: its title, the file of its main part, and its script."""

    title: str
    file: str
    script: str = ""


PAGES = {
    "/": Page("numduel: number games for two", "lobby.html", "lobby.js"),
    "/play/{id}": Page("numduel", "play.html", "play.js"),
    "/analyse": Page("Analysis board | numduel", "analyse.html", "analyse.js"),
    "/puzzles": Page("Puzzles | numduel", "puzzles.html", "puzzles.js"),
    "/api": Page("Web API | numduel", "api.html", "reference.js"),
}
MISSING = Page("Not here | numduel", "missing.html")
router = APIRouter(include_in_schema=False)


@cache
def _files() -> dict[str, bytes]:
    """Every file of the page: whatever is asked for, no other is ever opened."""
    return {path.name: path.read_bytes() for path in FOLDER.iterdir() if path.is_file()}


def _framed(page: Page, here: str = "", **parts: str) -> bytes:
    """A page as a whole. `here` is its place in the menus; `parts` are put into the main part."""
    main = _files()[page.file].decode()
    for name, part in parts.items():
        main = main.replace(f"<!-- {name} -->", part)
    script = f'<script type="module" src="/static/{page.script}"></script>' if page.script else ""
    frame = _files()["frame.html"].decode()
    frame = frame.replace("<!-- title -->", escape(page.title)).replace("<!-- script -->", script)
    frame = frame.replace(f'<a href="{here}">', f'<a href="{here}" aria-current="page">')
    return frame.replace("<!-- main -->", main).encode()


def _sent(request: Request, content: bytes, kind: str = HTML, status: int = 200) -> Response:
    """A file, or word that the browser has it already."""
    tag = f'"{sha256(content).hexdigest()[:20]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if status == 200 and request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, status, headers, media_type=kind)


def missing(request: Request) -> Response:
    """The page that says that there is none."""
    return _sent(request, _framed(MISSING), status=404)


@router.get("/static/{name}")
async def static(request: Request, name: str) -> Response:
    """One file that a page is made of."""
    kind = TYPES.get(Path(name).suffix)
    content = _files().get(name)
    if kind is None or content is None:
        return missing(request)
    return _sent(request, content, kind)


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
    return _sent(request, _rules(kind.id))


@cache
def _rules(id: str) -> bytes:
    from markdown_it import MarkdownIt

    game = find(id)
    mark = MarkdownIt("commonmark", {"html": False}).enable("table")
    page = Page(f"{game.title} | numduel", "rules.html")
    return _framed(page, title=escape(game.title), rules=mark.render(game.rulebook))


def _page(path: str) -> None:
    async def page(request: Request) -> Response:
        return _sent(request, _framed(PAGES[path], path))

    router.add_api_route(path, page, methods=["GET"])


for _path in PAGES:
    _page(_path)
