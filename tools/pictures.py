"""Take the pictures of the page that README and documentation show.

``python -m tools.pictures [NAME…]`` writes ``docs/pictures/*.png``: all of them, or those that are
named. A real server and a real Chromium; decks and moves are always the same. A new screen is
a function below that leads somebody there.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any
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


Way = Callable[[Guest], None]
DESK, SMALLER, WALL = (1280, 800), (1000, 642), (1280, 720)
"""Sizes of screens; the smaller one stands beside another picture."""
SCREENS: dict[str, tuple[Way, tuple[int, int]]] = {}
"""How to get to each screen, and its size."""


def screen(name: str, size: tuple[int, int] = DESK) -> Callable[[Way], Way]:
    """Name the screen to which a function leads."""

    def named(way: Way) -> Way:
        SCREENS[name] = way, size
        return way

    return named


# -- the screens ------------------------------------------------------------------------------


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


@screen("values", SMALLER)
def values(one: Guest) -> None:
    one.start("factors", "medium", name="Ada", variant={"first": "even"}, moves="12 6 3 18")
    one.on_turn()
    one.find("#values").check()
    one.sees("[data-best]")


@screen("capture-ended")
def ended(one: Guest) -> None:
    room, invite = one.create("capture", name="Ada")
    play_out(one, room, invite)
    one.open(room)
    one.sees("#chart svg")


@screen("lesson")
def lesson(one: Guest) -> None:
    one.go(f"/learn/{NAMES[0]}")
    one.sees("#board .cells")


# -- events -----------------------------------------------------------------------------------


@screen("teach")
def teach(one: Guest) -> None:
    one.go("/teach")


def class_of(one: Guest) -> tuple[httpx.Client, str, dict[str, str]]:
    """A class before its event begins: its host, its code, and the tokens of the pupils."""
    http = httpx.Client(base_url=f"{one.url}/api/v1", trust_env=False)
    event = http.post("/events", json={"games": [{"game": NAMES[1]}]}).json()
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


@screen("event-host")
def event_host(one: Guest) -> None:
    code, secret = begun(one)
    one.go(f"/arena/{code}/host#{secret}")
    one.sees("#people-rows tr", times=len(PUPILS))
    one.sees("#qr svg")


# -- taking them ------------------------------------------------------------------------------


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
        mock.patch("numduel.web.app.Solvers", SameMoves),
        mock.patch("numduel.web.solving.solvers.TASK_TIMEOUT", TIMEOUT),  # also while it compiles
        mock.patch("numduel.events.names.secrets", LUCKY),
        served(Path(home, "games.db"), near="http://192.168.1.20:8000") as site,
    ):
        for name in NAMES:
            warm(name)  # so that no screen has to wait for a compiler
        yield site.url


def take(browser: Browser, url: str, way: Way, size: tuple[int, int]) -> bytes:
    """The picture of a screen, as a small PNG file."""
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height}, reduced_motion="reduce"
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
    with always_the_same() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM"), args=ARGUMENTS
        )
        for name in wanted:
            picture = take(browser, url, *SCREENS[name])
            (FOLDER / f"{name}.png").write_bytes(picture)
            print(f"{name}.png: {len(picture) // 1000} KB", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
