"""The pages and their static files, all read once when the first of them is asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from hashlib import sha256
from pathlib import Path

from fastapi import APIRouter, Request, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from numduel.core.errors import UnknownGame
from numduel.games import game as find
from numduel.players import ESTIMATES
from numduel.web.errors import NoGame, Unavailable
from numduel.web.picture import picture as draw

STATIC = Path(__file__).parent / "page"
TEMPLATES = Path(__file__).parent / "templates"
HTML = "text/html; charset=utf-8"
CONTENT_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
"""The kinds of files that are sent as they are."""
FOR_EVER = "public, max-age=31536000, immutable"
PAGES = {
    "/": "lobby.html",
    "/analyse": "analyse.html",
    "/puzzles": "puzzles.html",
    "/learn": "lessons.html",
    "/api": "api.html",
}
"""The template of each page that is the same for everybody."""
router = APIRouter(include_in_schema=False)
_read = partial(router.api_route, methods=["GET", "HEAD"])
_environment = Environment(
    loader=FileSystemLoader(TEMPLATES),
    autoescape=True,
    auto_reload=False,
    undefined=StrictUndefined,
)
_environment.globals["estimates"] = ESTIMATES


@cache
def _static_files() -> dict[str, bytes]:
    """Every static file: no path from a request is ever opened."""
    return {
        path.name: path.read_bytes() for path in STATIC.iterdir() if path.suffix in CONTENT_TYPES
    }


@cache
def _static_version() -> str:
    """What changes with any of the static files. It stands in their paths, so that browsers keep
    them for ever; scripts and style sheets find each other by relative paths."""
    whole = sha256()
    for name, content in sorted(_static_files().items()):
        whole.update(f"{name} {len(content)} ".encode() + content)
    return whole.hexdigest()[:12]


def _static_path(name: str) -> str:
    """Where a static file is."""
    if name not in _static_files():
        raise KeyError(name)
    return f"/static/{_static_version()}/{name}"


_environment.globals["static"] = _static_path


@cache
def _page(template: str, path: str = "") -> bytes:
    """A page without variable parts. The link to its own path is marked as the current one."""
    return _environment.get_template(template).render(path=path).encode()


@cache
def _rules_page(game_id: str) -> bytes:
    """The rules of a game as a page; HTML in the Markdown would be escaped."""
    game = find(game_id)
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    rules = Markup(markdown.render(game.page_without("At the prompt")))  # noqa: S704
    return _environment.get_template("rules.html").render(path="", game=game, rules=rules).encode()


@cache
def _lesson_page(game_id: str) -> bytes:
    """The page of a lesson; its steps come through the API."""
    return _environment.get_template("lesson.html").render(path="", game=find(game_id)).encode()


@cache
def _picture(game_id: str) -> bytes:
    return draw(find(game_id)).encode()


def _respond(
    request: Request,
    content: bytes,
    content_type: str = HTML,
    status: int = 200,
    caching: str = "no-cache",
) -> Response:
    """Content with its ETag, or 304 if the browser has it already."""
    tag = f'"{sha256(content).hexdigest()[:20]}"'
    headers = {"ETag": tag, "Cache-Control": caching}
    if status == 200 and request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, status, headers, media_type=content_type)


def not_found(request: Request) -> Response:
    """The page for an address that leads nowhere."""
    return _respond(request, _page("missing.html"), status=404)


def refused() -> bytes:
    """The page for who asks too much at once."""
    return _page("refused.html")


@_read("/static/{name}")
@_read("/static/{version}/{name}")
async def static(request: Request, name: str, version: str = "") -> Response:
    """A style sheet, script or picture: for ever under its version, else as it is now."""
    content = _static_files().get(name)
    if content is None:
        return not_found(request)
    caching = FOR_EVER if version == _static_version() else "no-cache"
    return _respond(request, content, CONTENT_TYPES[Path(name).suffix], caching=caching)


@_read("/picture/{name}.svg")
async def picture(request: Request, name: str) -> Response:
    """The picture of a game."""
    try:
        game = find(name)
    except UnknownGame:
        return not_found(request)
    return _respond(request, _picture(game.id), CONTENT_TYPES[".svg"])


@_read("/favicon.ico")
async def icon(request: Request) -> Response:
    """The icon, at the address where browsers look for it by themselves."""
    return await static(request, "favicon.svg")


def _of_game(request: Request, name: str, page: Callable[[str], bytes]) -> Response:
    """A page about a game, or that there is no such game."""
    try:
        return _respond(request, page(find(name).id))
    except UnknownGame:
        return not_found(request)


@_read("/rules/{name}")
async def rules(request: Request, name: str) -> Response:
    """The rules of a game."""
    return _of_game(request, name, _rules_page)


@_read("/learn/{name}")
async def lesson(request: Request, name: str) -> Response:
    """The lesson of a game."""
    return _of_game(request, name, _lesson_page)


@_read("/play/{id}")
async def play(request: Request, id: str) -> Response:
    """A game, if there is one. Where the database is away the page waits for it by itself."""
    try:
        await request.app.state.service.look(id, None)
    except NoGame:
        return not_found(request)
    except Unavailable:
        pass
    return _respond(request, _page("play.html"))


def _add_page(path: str, template: str) -> None:
    async def page(request: Request) -> Response:
        return _respond(request, _page(template, path))

    _read(path)(page)


for _path, _template in PAGES.items():
    _add_page(_path, _template)
