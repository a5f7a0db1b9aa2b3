"""Take a picture of every screen of the page, for the README and the documentation.

``python -m tools.pictures [NAME…]`` writes ``docs/pictures/*.png``: all of them, or those that are
named. A real server and a real Chromium; decks, days and moves are always the same. A new screen is
a function below that leads somebody there.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, Self
from unittest import mock

import httpx
from PIL import Image
from playwright.sync_api import Browser, sync_playwright
from tests.games import NAMES
from tests.page.browser import ARGUMENTS, Guest
from tests.web.site import served

import numduel
from numduel.play.players import player
from numduel.web.solving.solvers import Solvers
from numduel.web.solving.tasks import warm

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
TODAY = date(2026, 11, 15)
LINK = "https://games.example.org/play/V3b1tq0k9Zfx#q2yVh0C0aJv2v1mB3m1D3g"
"""What an invitation looks like."""
SEED = 3
LUCK = random.Random()
"""Shuffles the decks on the server."""
PUPILS = ("Ada", "Boris", "Chloë", "Daisy", "Emir", "Fritz", "Greta", "Hana")
LUCKY = SimpleNamespace(choice=LUCK.choice, randbelow=LUCK.randrange)
"""Chooses the codes of events."""
TIMEOUT = 300.0
"""Seconds that the first answer of the solver may take."""
COLOURS = 96
"""Colours of a picture: so few make a small file, and nobody sees it."""


class Look(NamedTuple):
    """A kind of screen."""

    suffix: str
    width: int
    height: int
    dark: bool = False
    phone: bool = False


DESK = Look("", 1280, 800)
DARK = Look("-dark", 1280, 800, dark=True)
PHONE = Look("-phone", 390, 844, phone=True)
SMALL = Look("-small-phone", 390, 664, phone=True)
NIGHT = Look("-phone-dark", 390, 844, dark=True, phone=True)
WALL = Look("", 1280, 720)

Way = Callable[[Guest], None]
SCREENS: dict[str, tuple[Way, tuple[Look, ...]]] = {}
"""How to get to each screen, and on which kinds of screens it is shown."""


def screen(name: str, *looks: Look) -> Callable[[Way], Way]:
    """Name the screen to which a function leads."""

    def named(way: Way) -> Way:
        SCREENS[name] = way, looks or (DESK,)
        return way

    return named


# -- games that are always the same -----------------------------------------------------------


def line_of(name: str) -> list[str]:
    """The moves of a whole game between two who are not bad."""
    who, state = player("medium", seed=SEED), numduel.game(name).start(seed=SEED)
    assert who is not None
    while state.winner is None:
        state = state.play("pass" if state.forced_pass else who.choose(state.public))
    return [str(move) for move in state.moves]


def middle_of(name: str) -> str:
    """The moves of a game until it has become interesting, and Player 1 is to move."""
    moves, game = line_of(name), numduel.game(name)
    states = [(count, game.replay(moves[:count])) for count in range(len(moves))]
    turns = [count for count, state in states if state.to_move == 1]
    return " ".join(moves[: turns[len(turns) * 2 // 3]])


def play_out(one: Guest, room: str, invite: str) -> None:
    """Have two people play a game on the server to its end."""
    other = one.context.browser
    assert other is not None
    two = Guest(other.new_context(), one.url)
    two.post(f"/api/v1/games/{room}/join", invite=invite, name="Bo", cookie=True)
    people, who = {1: one, 2: two}, player("medium", seed=SEED)
    assert who is not None
    while (told := one.get(f"/api/v1/games/{room}")["game"])["to_move"]:
        state = numduel.game(told["name"], **told["variant"]).replay(told["text"])
        people[told["to_move"]].post(
            f"/api/v1/games/{room}/moves", move=str(who.choose(state)), after=told["number"]
        )
    two.context.close()


# -- the screens ------------------------------------------------------------------------------


@screen("lobby", DESK, DARK, SMALL)
def lobby(one: Guest) -> None:
    one.go("/")
    one.sees("#theme")


def playing(name: str) -> Way:
    def way(one: Guest) -> None:
        one.start(name, "medium", name="Ada", moves=middle_of(name))
        one.on_turn()

    return way


def ended(name: str) -> Way:
    def way(one: Guest) -> None:
        room, invite = one.create(name, name="Ada")
        play_out(one, room, invite)
        one.open(room)
        one.sees("#chart svg")

    return way


for _name in NAMES:
    screen(f"{_name}-playing", DESK, SMALL, NIGHT)(playing(_name))
    screen(f"{_name}-ended", DESK)(ended(_name))


@screen("invitation", DESK, PHONE)
def invitation(one: Guest) -> None:
    one.go("/")
    one.find('[data-play="friend"]').first.click()
    one.link()
    one.find("#invite-link").evaluate("(field, link) => { field.value = link; }", LINK)


@screen("qr-code", PHONE)
def qr_code(one: Guest) -> None:
    invitation(one)
    link = json.dumps({"link": LINK})
    one.page.route("**/api/v1/qr", lambda route: route.continue_(post_data=link))
    one.find("#show-qr").click()
    one.sees(".qr")


@screen("analysis", DESK, DARK, PHONE)
def analysis(one: Guest) -> None:
    name = NAMES[-1]
    one.go(f"/analyse?game={name}&moves={middle_of(name)}")
    one.sees("[data-best]")


@screen("report", DESK)
def report(one: Guest) -> None:
    ended(NAMES[0])(one)
    one.page.evaluate("document.getElementById('after').scrollIntoView()")


@screen("puzzle", DESK, SMALL)
def puzzle(one: Guest) -> None:
    one.go(f"/puzzles?date={TODAY}")
    one.sees("#board .player")


@screen("learn", DESK)
def learn(one: Guest) -> None:
    one.go("/learn")
    one.sees("[data-game]")


@screen("lesson", DESK, PHONE)
def lesson(one: Guest) -> None:
    one.go(f"/learn/{NAMES[0]}")
    one.sees("#board .cells")


@screen("rules", DESK)
def rules(one: Guest) -> None:
    one.go(f"/rules/{NAMES[1]}")


# -- events -----------------------------------------------------------------------------------


@screen("teach", DESK)
def teach(one: Guest) -> None:
    one.go("/teach")


def class_of(one: Guest) -> tuple[httpx.Client, str, dict[str, str]]:
    """A class before its event begins: its host, its code, and the tokens of the pupils."""
    http = httpx.Client(base_url=f"{one.url}/api/v1", trust_env=False)
    event = http.post("/events", json={"games": [{"game": NAMES[1]}], "legs": 1}).json()
    code = event["code"]
    tokens = {
        name: str(http.post(f"/events/{code}/join", json={"nickname": name}).json()["token"])
        for name in PUPILS
    }
    http.headers["Authorization"] = f"Bearer {event['host']}"
    return http, code, tokens


@screen("event-door", WALL)
def event_door(one: Guest) -> None:
    _, code, _ = class_of(one)
    one.go(f"/arena/{code}/wall")
    one.sees("#qr svg")
    one.sees("#here li", times=len(PUPILS))


def begun(one: Guest) -> tuple[str, str]:
    """An event in which some games are over: its code, and the host's secret."""
    http, code, tokens = class_of(one)
    http.post(f"/events/{code}/host/start", json={}).raise_for_status()
    pupils: list[Any] = []
    while not pupils or not all(pupil["game"] for pupil in pupils):
        pupils = http.get(f"/events/{code}").json()["event"]["players"]
    for pupil in pupils[::3]:
        game = f"/games/{pupil['game']}"
        proof = {"Authorization": f"Bearer {tokens[pupil['nickname']]}"}
        number = http.get(game).json()["game"]["number"]
        http.post(f"{game}/resign", json={"after": number}, headers=proof)
    return code, http.headers["Authorization"].removeprefix("Bearer ")


@screen("event-wall", WALL)
def event_wall(one: Guest) -> None:
    code, _ = begun(one)
    one.go(f"/arena/{code}/wall")
    one.sees("#rows tr", times=len(PUPILS))
    one.sees("#board [data-cell]")


@screen("event-host", DESK)
def event_host(one: Guest) -> None:
    code, secret = begun(one)
    one.go(f"/arena/{code}/host#{secret}")
    one.sees("#people-rows tr", times=len(PUPILS))
    one.sees("#qr svg")


# -- taking them ------------------------------------------------------------------------------


class SameDay(date):
    """A calendar on which it is always the same day."""

    @classmethod
    def today(cls) -> Self:
        """That day."""
        return cls.fromisoformat(str(TODAY))


class SameMoves(Solvers):
    """Solvers with whom a computer makes the same move in the same position."""

    async def ask(self, task: str, *arguments: Any, seat: str = "") -> Any:
        """The result of a task."""
        if task != "choose":
            return await super().ask(task, *arguments, seat=seat)
        who = player(arguments[0], seed=SEED)
        assert who is not None
        return str(who.choose(arguments[1])), False


@contextmanager
def always_the_same() -> Iterator[str]:
    """The address of a server on which nothing happens by chance."""
    with (
        tempfile.TemporaryDirectory() as home,
        mock.patch("numduel.web.games.service._system_random", LUCK),
        mock.patch("numduel.web.games.rows._system_random", LUCK),
        mock.patch("numduel.web.pages.routes.date", SameDay),
        mock.patch("numduel.web.app.Solvers", SameMoves),
        mock.patch("numduel.web.solving.solvers.TASK_TIMEOUT", TIMEOUT),  # also while it compiles
        mock.patch("numduel.events.names.secrets", LUCKY),
        served(Path(home, "games.db"), near="http://192.168.1.20:8000") as site,
    ):
        for name in NAMES:
            warm(name)  # so that no screen has to wait for a compiler
        site.http.get(f"/api/v1/puzzle?date={TODAY}", timeout=TIMEOUT).raise_for_status()
        yield site.url


def take(browser: Browser, url: str, way: Way, look: Look) -> bytes:
    """The picture of a screen, as a small PNG file."""
    options: dict[str, Any] = {"is_mobile": look.phone, "has_touch": look.phone}
    context = browser.new_context(
        viewport={"width": look.width, "height": look.height},
        color_scheme="dark" if look.dark else "light",
        reduced_motion="reduce",
        **options,
    )
    LUCK.seed(SEED)
    one = Guest(context, url)
    way(one)
    one.page.wait_for_load_state("networkidle")
    taken = one.page.screenshot()
    context.close()
    file = BytesIO()
    picture = Image.open(BytesIO(taken)).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


def main() -> None:
    """Take the pictures that were asked for."""
    wanted = sys.argv[1:] or list(SCREENS)
    if unknown := [name for name in wanted if name not in SCREENS]:
        sys.exit(f"There is no screen {unknown[0]!r}; there are {', '.join(SCREENS)}.")
    FOLDER.mkdir(exist_ok=True)
    with always_the_same() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM"), args=ARGUMENTS
        )
        for name in wanted:
            way, looks = SCREENS[name]
            for look in looks:
                picture = take(browser, url, way, look)
                (FOLDER / f"{name}{look.suffix}.png").write_bytes(picture)
                print(f"{name}{look.suffix}.png: {len(picture) // 1000} KB", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
