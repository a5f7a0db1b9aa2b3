"""The pages, their static files, and the pictures of games."""

from __future__ import annotations

import asyncio
import json
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import date, timedelta
from functools import cache, lru_cache, partial
from gzip import compress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from fastapi import APIRouter, Depends, Request, Response

from numduel.activities import Activity, activities, listed
from numduel.core.errors import BadLesson, UnknownGame
from numduel.core.game import Game
from numduel.core.language import (
    ENGLISH,
    N_,
    PSEUDO,
    _,
    cached,
    language,
    languages,
    pgettext,
    plural,
    translated,
)
from numduel.core.text import both, titled
from numduel.events.names import MAX_LINE, MAX_NICKNAME
from numduel.events.settings import MAX_MINUTES, MAX_ROUNDS
from numduel.events.settings import Settings as EventSettings
from numduel.games import game as find
from numduel.games import games as every_game
from numduel.learn.daily import daily_game
from numduel.learn.lesson import Step, lesson
from numduel.play.players import COMPUTERS, ESTIMATES
from numduel.play.turns import BEGINNERS
from numduel.web.games.bodies import Remark
from numduel.web.http.errors import Damaged, NoGame, TooSoon, Unavailable
from numduel.web.http.middleware.language import asked_for, cookie_with
from numduel.web.http.routes import Route
from numduel.web.pages import guides, static
from numduel.web.pages.about import (
    About,
    about_game,
    about_lesson,
    about_rules,
    about_strategy,
)
from numduel.web.pages.origins import Origins
from numduel.web.pages.outline import outlines
from numduel.web.pages.picture import picture as draw
from numduel.web.pages.typeset import markdown, typeset
from numduel.web.positions import largest

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

TEMPLATES = Path(__file__).parent / "templates"
HTML = "text/html; charset=utf-8"
ICON = "/favicon.ico"
"""Where browsers look for an icon."""
FOR_EVER = "public, max-age=31536000, immutable"
"""For what has its version in its path."""


@translated("title", "description")
class Page(NamedTuple):
    """A page that is the same for everybody."""

    template: str
    title: str
    description: str


PAGES = {
    "/": Page(
        "lobby.html",
        N_("Number games for two"),
        N_(
            "Easy to learn, solved to the last move. Play the computer, or a friend: with a link,"
            " or beside you. Free, no account needed."
        ),
    ),
    "/analyse": Page(
        "analyse.html",
        N_("Analysis board"),
        N_("Try out any move of a number game, and see exactly what it is worth."),
    ),
    "/puzzles": Page(
        "puzzles.html",
        N_("Puzzles"),
        N_(
            "Positions with one right answer: a new one every day, the same for everybody, and as"
            " many more as you like."
        ),
    ),
    "/storm": Page(
        "storm.html",
        N_("Puzzle storm"),
        N_("As many puzzles as you can solve in three minutes."),
    ),
    "/learn": Page(
        "lessons.html",
        N_("Learn"),
        N_("Every number game in a few short steps: from its goal to beating the computer."),
    ),
    "/teach": Page(
        "teach.html",
        N_("Teach"),
        N_(
            "Number games for a whole class: start an event, and prepare the lesson. No accounts,"
            " no real names."
        ),
    ),
    "/arena": Page(
        "arena.html",
        N_("Play with a class"),
        N_(
            "A whole class plays number games at once: show a code, everybody joins on their own"
            " device and meets one opponent after another. No accounts, nothing to install."
        ),
    ),
    "/arena/host": Page(
        "host.html",
        N_("Your event"),
        N_("Start it, pair the players, send them a line, and see how well they played."),
    ),
    "/arena/wall": Page(
        "wall.html",
        N_("Projector page"),
        N_("An event for everybody in the room: its code, the time, the table and the boards."),
    ),
    "/games": Page(
        "games.html",
        N_("My games"),
        N_("The games you have started or joined in this browser: continue them, or look back."),
    ),
    "/profile": Page(
        "profile.html",
        N_("Profile"),
        N_("Wins by game and level, accuracy, days in a row and lessons, and what to do next."),
    ),
    "/join": Page(
        "join.html",
        N_("Join an event"),
        N_("Type the code on the board and a nickname, and play. Free, no account needed."),
    ),
    "/arena/": Page(
        "waiting.html",
        N_("An event"),
        N_(
            "Many people play number games at once: who is here, the table, and your next opponent."
        ),
    ),
}
MISSING = Page(
    "missing.html",
    N_("There is nothing here"),
    N_("The address may be mistyped, or the game has been removed."),
)
REFUSED = Page(
    "refused.html",
    N_("Too much at once"),
    N_("Your network is asking for too much at once."),
)
LOOPBACK = re.compile(r"(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?")
"""The host in a request from the machine of the server itself."""
HOST = re.compile(r"(?:[A-Za-z0-9][A-Za-z0-9.-]{0,250}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?")
"""A proper host; nothing else that a request calls its host is repeated."""
MAX_PAGES = 300
"""Pages of each kind in memory: the ones that were asked for last stay."""


async def _loaded() -> None:
    """Wait until what pages need is loaded, which takes a while; other requests need not wait."""
    if not _load.cache_info().currsize:
        await asyncio.get_running_loop().run_in_executor(_loader, _load)


router = APIRouter(include_in_schema=False, dependencies=[Depends(_loaded)], route_class=Route)
_read = partial(router.api_route, methods=["GET", "HEAD"])
_loader = ThreadPoolExecutor(1, "loading")
"""Loads once, outside the event loop."""


def _render(template: str, about: About, origin: str, path: str = "", **more: Any) -> bytes:
    """A page. The link to its own path is marked as the current one."""
    context = {"about": about, "origin": origin, "path": path, **more}
    return _environment().get_template(template).render(context).encode()


@cache
def _environment() -> Environment:
    """The templates. Jinja is imported with the first of them: that saves a third of the time to
    start."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from numduel.activities.play import FORCED_PAUSE
    from numduel.activities.puzzle import SQUARES
    from numduel.activities.storm import RULES

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        finalize=typeset,
    )
    environment.globals.update(
        _=_html,
        plural=plural,
        pgettext=pgettext,
        language=language,
        languages=languages,
        estimates=ESTIMATES,
        levels=COMPUTERS,
        level_name=lambda level: _(level).capitalize(),
        linked_games=_linked_games,
        remarks=get_args(Remark),
        usual_event=EventSettings,
        max_minutes=MAX_MINUTES,
        max_rounds=MAX_ROUNDS,
        max_nickname=MAX_NICKNAME,
        max_line=MAX_LINE,
        every_game=_games,
        activities=lambda: {_place(kind): kind.TITLE for kind in listed()},
        guides=guides.GUIDES,
        plans=guides.plans,
        storm_rules=RULES,
        squares=SQUARES,
        forced_pause=FORCED_PAUSE,
        static=static.path_of,
        style=static.sheets_path,
    )
    return environment


def _html(message: str, /, **values: object) -> Markup:
    """A text in a template, which may have HTML in it; what it is filled with is escaped."""
    from markupsafe import Markup

    text = Markup(typeset(_(message)))  # noqa: S704
    return text.format(**{name: typeset(value) for name, value in values.items()})


def _linked_games() -> Markup:
    """The games, each with a link to its rules."""
    from markupsafe import Markup

    link = Markup('<a href="/rules/{}">{}</a>')
    return Markup(both([link.format(game.name, game.display_name) for game in _games()]))  # noqa: S704


def _games() -> list[Game]:
    return [kind() for kind in every_game()]


@cache
def _file_paths() -> frozenset[str]:
    pictures = {f"/picture/{name}.svg" for kind in every_game() for name in (kind.id, kind.name)}
    named = [_sheets(path.name) for path in TEMPLATES.glob("*.html")]
    sheets = {static.sheets_path([*dict.fromkeys(_sheets("layout.html") + one)]) for one in named}
    texts = {static.path_of(f"languages/{code}.js") for code in languages() if code != ENGLISH}
    apps = {static.path_of(f"{code}.{static.MANIFEST}") for code in languages()}
    files = map(static.path_of, static.files())
    return frozenset({*files, *sheets, *texts, *apps, *pictures, ICON})


def _sheets(template: str) -> list[str]:
    """The style sheets that a template names."""
    return re.findall(r'"([\w-]+\.css)"', (TEMPLATES / template).read_text("utf-8"))


def is_file(path: str) -> bool:
    """Whether a path is a static file or a picture, which browsers keep."""
    return path in _file_paths()


@cached(MAX_PAGES)
def _page(path: str, origin: str) -> bytes:
    """The page at a path, or the one for a wrong path."""
    page = PAGES.get(path, MISSING)
    about = About(page.title, page.description)
    return _render(page.template, about, origin, path)


@cached(MAX_PAGES)
def _play_page(told: str, origin: str) -> bytes:
    """The page of a game, from what spectators are told of it; if that is nothing, the page waits
    for it."""
    game = json.loads(told)["game"] if told else None
    nothing = PAGES["/"]
    about = about_game(game) if game else About(nothing.title, nothing.description)
    shapes = outlines(game) if game else []
    return _render("play.html", about, origin, game=game, outlines=shapes)


@cached(MAX_PAGES)
def _lobby_page(origin: str, today: date) -> bytes:
    """The lobby, which names the game of the day's puzzle."""
    page = PAGES["/"]
    about = About(page.title, page.description)
    return _render(
        page.template,
        about,
        origin,
        "/",
        games=_games(),
        beginners=BEGINNERS,
        dailies=_dailies(today),
    )


def _dailies(today: date) -> dict[str, str]:
    """The game of the puzzle of today, wherever somebody is: their day may be another one."""
    days = (today + timedelta(days) for days in (0, -1, 1))
    return {day.isoformat(): daily_game(day).display_name for day in days}


@cache
def _load() -> None:
    """Make a page, for what it needs."""
    _lobby_page("", date.today())


ABOUT_GAMES = {"rules": about_rules, "learn": about_lesson, "strategy": about_strategy}
"""What the pages about one game say about themselves, by the first part of their paths."""


@cached(MAX_PAGES)
def _page_of_game(kind: str, game_id: str, origin: str) -> bytes:
    """A page about a game. Lessons and strategies come through the API; what a lesson says can be
    read without it."""
    game = find(game_id)
    more: dict[str, Any] = {}
    if kind == "rules":
        more["rules"] = _rules(game)
    elif kind == "learn":
        more["reading"] = _reading(game)
    template = "lesson.html" if kind == "learn" else f"{kind}.html"
    return _render(template, ABOUT_GAMES[kind](game), origin, game=game, **more)


@cached(MAX_PAGES)
def _teaching_page(name: str, origin: str) -> bytes | None:
    guide = guides.guide(name)
    if guide is None:
        return None
    about = About(guide.title, guide.about)
    return _render("guide.html", about, origin, f"/teach/{name}", guide=guide)


def _reading(game: Game) -> tuple[Step, ...]:
    """The steps of a lesson, if there is one."""
    with suppress(BadLesson):
        return lesson(game).steps
    return ()


@cached(MAX_PAGES)
def _rules(game: Game) -> Markup:
    """The rules of a game as HTML."""
    from markupsafe import Markup

    where = _(
        "You can choose these on [the card of the game]({address}), or under Options there:",
        address=f"/#game-{game.name}",
    )
    page = game.page_at(where, lambda name: largest(game, name))
    return Markup(markdown().render(page))  # noqa: S704


def _place(kind: type[Activity]) -> str:
    """Where an activity is done."""
    return f"/{kind.NAME}" if f"/{kind.NAME}" in PAGES else f"/do/{kind.NAME}"


@cached(MAX_PAGES)
def _activity_page(name: str, origin: str) -> bytes:
    """The page of an activity; its scenes come through the API."""
    kind = activities()[name]
    about = About(kind.TITLE, titled(kind.TITLE, kind.ABOUT))
    return _render("activity.html", about, origin, kind=kind)


@cached(MAX_PAGES)
def _picture(game_id: str) -> bytes:
    return draw(find(game_id)).encode()


@lru_cache(2 * MAX_PAGES)
def _encoded(content: bytes, *, compressed: bool) -> tuple[bytes, str]:
    """What is sent of a content, and its ETag."""
    sent = compress(content, mtime=0) if compressed else content
    return sent, f'"{sha256(sent).hexdigest()[:20]}"'


def respond(
    request: Request,
    content: bytes,
    content_type: str = HTML,
    status: int = 200,
    caching: str = "no-cache",
) -> Response:
    """Content with its ETag, or 304 if the browser has it. Texts are compressed: none of them has a
    secret."""
    headers = {
        "Cache-Control": caching,
        "Cross-Origin-Resource-Policy": "same-origin",
        "Vary": "Accept-Encoding",
    }
    if content_type == HTML:
        headers["Vary"] += ", Accept-Language, Cookie"
        if (code := asked_for(request.scope)) and code != PSEUDO:
            headers["Set-Cookie"] = cookie_with(code)
    gzip = content_type != static.PNG and "gzip" in request.headers.get("accept-encoding", "")
    content, tag = _encoded(content, compressed=gzip)
    headers["ETag"] = tag
    if gzip:
        headers["Content-Encoding"] = "gzip"
    if status == 200 and request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, status, headers, media_type=content_type)


def _origin(request: Request) -> str:
    """The origin of the server as the client names it, for links; empty if that is not a proper
    host, or one of too many: anybody can invent ports, and pages are rendered for each. On the
    machine of the server itself, the address that other devices can use."""
    host = request.headers.get("host", "")
    near: str = request.app.state.near
    if near and LOOPBACK.fullmatch(host):
        return near
    origins: Origins = request.app.state.origins
    origin = f"{request.url.scheme}://{host.lower()}" if HOST.fullmatch(host) else ""
    return origin if origins.use(origin) else ""


def not_found(request: Request) -> Response:
    """The page for an address that leads nowhere."""
    return respond(request, _page("", _origin(request)), status=404)


@cached()
def refused() -> bytes:
    """The page for a browser that asks too much at once."""
    return _render(REFUSED.template, About(REFUSED.title, REFUSED.description), "")


def _file(name: str) -> bytes | None:
    """A static file; None if there is none. Style sheets are joined as the pages name them and in
    no other way: anybody could think of endless ones."""
    if "+" in name and not is_file(f"/static/{static.version()}/{name}"):
        return None
    return static.content(name)


@_read("/static/{name}")
@_read("/static/{version}/{name:path}")
async def static_file(request: Request, name: str, version: str = "") -> Response:
    """A style sheet, script or picture; cached for ever under the current version."""
    current = version == static.version()
    content = _file(name if current or not version else f"{version}/{name}")
    content = _file(name) if content is None else content
    if content is None:
        return not_found(request)
    caching = FOR_EVER if current else "no-cache"
    kind = static.CONTENT_TYPES[Path(name).suffix]
    return respond(request, content, kind, caching=caching)


@_read("/picture/{name}.svg")
async def picture(request: Request, name: str) -> Response:
    """The picture of a game."""
    try:
        game = find(name)
    except UnknownGame:
        return not_found(request)
    return respond(request, _picture(game.id), static.CONTENT_TYPES[".svg"])


@_read(ICON)
async def icon(request: Request) -> Response:
    """The icon, where browsers look for it."""
    return await static_file(request, "favicon.svg")


@_read("/rules/{name}")
@_read("/learn/{name}")
@_read("/strategy/{name}")
async def of_game(request: Request, name: str) -> Response:
    """A page about one game."""
    *_, kind, _ = request.scope["path"].split("/")
    try:
        return respond(request, _page_of_game(kind, find(name).id, _origin(request)))
    except UnknownGame:
        return not_found(request)


@_read("/teach/{name}")
async def teaching(request: Request, name: str) -> Response:
    """The plan of a lesson with a game, or another page for teachers."""
    page = _teaching_page(name, _origin(request))
    return not_found(request) if page is None else respond(request, page)


@_read("/do/{name}")
async def activity(request: Request, name: str) -> Response:
    """An activity that has no page of its own."""
    if f"/do/{name}" not in map(_place, listed()):
        return not_found(request)
    return respond(request, _activity_page(name, _origin(request)))


@_read("/")
async def lobby(request: Request) -> Response:
    """Every game, one press away from being played."""
    return respond(request, _lobby_page(_origin(request), date.today()))


# -- events ---------------------------------------------------------------------------------


@_read("/join")
@_read("/join/{code}")
async def join(request: Request) -> Response:
    """Where players join an event. The page itself says if the code is wrong."""
    return respond(request, _page("/join", _origin(request)))


@_read("/arena/{code}")
@_read("/arena/{code}/host")
@_read("/arena/{code}/wall")
async def event(request: Request, code: str) -> Response:
    """An event for a player, for the host, whose secret is not sent here, or on the wall. If the
    database cannot be reached, the page waits for it."""
    last = request.scope["path"].rpartition("/")[2]
    screen = "" if last == code else last
    with suppress(Unavailable, TooSoon):
        if not await request.app.state.events.exists(code):
            return not_found(request)
    return respond(request, _page(f"/arena/{screen}", _origin(request)))


@_read("/play/{id}")
async def play(request: Request, id: str) -> Response:
    """A game: the shape of its board; the rest follows. If the database cannot be reached, the page
    waits for it; if the game is damaged, the page says so."""
    try:
        told = await request.app.state.service.registry.look(id, ())
    except (Damaged, Unavailable):
        told = ""
    except NoGame:
        return not_found(request)
    return respond(request, _play_page(told, _origin(request)))


def _add_page(path: str) -> None:
    async def page(request: Request) -> Response:
        return respond(request, _page(path, _origin(request)))

    _read(path)(page)


for _path in ("/analyse", "/puzzles", "/storm", "/learn", "/games", "/profile", "/teach", "/arena"):
    _add_page(_path)
