"""Playing numduel in a real browser, with as many people as a test needs.

A plugin of pytest: the test modules that name it have its fixtures. (PYTEST_DONT_REWRITE: they
import it as well.)
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Literal, Protocol

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import (
    APIResponse,
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    Request,
    ViewportSize,
    expect,
    sync_playwright,
)

import numduel
from numduel.core.language import PSEUDO
from numduel.web.pages.typeset import typeset
from tests.plugins.limit import RUN_LIMIT
from tests.web.site import Process

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
AXE = Axe()
BOARDS = {kind().layout.kind: kind.name for kind in reversed(numduel.games())}
"""A game of each kind of board: a path, spokes, rows of cards, a square."""
SOME_BOARDS = [
    pytest.param(
        kind.name,
        marks=[] if kind.name in (BOARDS["path"], BOARDS["rows"]) else pytest.mark.proof,
    )
    for kind in numduel.games()
]
"""All games; those with a path or rows of cards have least in common, and the others are for the
proof."""
SCREEN: ViewportSize = {"width": 1200, "height": 900}
PLAYABLE = "[data-cell]:not([aria-disabled]), .choice:not([aria-disabled], [data-wrong])"
"""What can be pressed on a board without a question: tiles and buttons."""
OFFLINE = r"net::ERR_INTERNET_DISCONNECTED"
BROKEN = (
    r"WebSocket connection to .* failed"
    r"|net::ERR_(CONNECTION_|CONTENT_LENGTH_|INCOMPLETE_|EMPTY_)"
)
"""What Chromium itself says about a server that has gone away."""
SHIFTS = """() => new Promise((tell) => {
  new PerformanceObserver((list) => tell(list.getEntries().map(({ sources }) =>
    sources.map(({ node }) => node?.outerHTML?.slice(0, 80))))).observe(
      { type: "layout-shift", buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => tell([])));
})"""
"""What has moved by itself since the page was opened."""
LAID_OUT = "async () => { for (const _ of [1, 2]) await new Promise(requestAnimationFrame); }"
"""Returns when the page has followed a change of its size."""

AS_NEW = r"""() => {
  localStorage.clear();
  sessionStorage.clear();
  return Object.getOwnPropertyNames(window).every((name) => typeof window[name] !== "function"
    || Function.prototype.toString.call(window[name]).includes("[native code]"));
}"""
"""Forget what pages have kept; whether no test has put anything in the place of what browsers
have, such as their clock, for all pages to come."""

BY_HAND = "if (location.host) localStorage['numduel.discard'] ??= 'false';"
"""Nothing is played by itself while a test thinks."""

expect.set_options(timeout=1000 * RUN_LIMIT)


def refusal(status: int) -> str:
    """What Chromium itself says about an answer that is a refusal."""
    return rf"Failed to load resource: the server responded with a status of {status} "


# -- the server ------------------------------------------------------------------------------


def server_in(home: Path, port: int = 0, **env: str) -> Process:
    """`numduel serve` with its games in a folder."""
    database = f"sqlite:///{home}/games.db"
    return Process(home, "--rate", "0", "--database", database, port=port, env=env)


# -- one person -----------------------------------------------------------------------------


class Guest:
    """Somebody with a browser of their own, at the one page they look at."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.context = context
        self.url = url
        self.allowed: list[str] = []
        self.troubles: list[str] = []
        self._hearing: list[Callable[[Request], None]] = []
        context.set_default_timeout(1000 * RUN_LIMIT)
        context.add_init_script(BY_HAND)
        context.on("console", self._console)
        context.on("weberror", lambda error: self.troubles.append(f"thrown: {error.error}"))
        self.page: Page = context.new_page()
        self._tab = self.page

    def arrive(
        self, size: ViewportSize, scheme: Literal["light", "dark"], permissions: Sequence[str]
    ) -> None:
        """Have a screen of this size, such colours, and what pages may do."""
        if size != self.page.viewport_size:
            self.page.set_viewport_size(size)
        self.page.emulate_media(media="null", color_scheme=scheme, reduced_motion="reduce")
        if permissions:
            self.context.grant_permissions(permissions)

    def leave(self) -> bool:
        """Leave the browser as somebody else would find a new one; whether that can be done."""
        if self.context.pages != [self._tab]:
            return False
        self.page = self._tab
        try:
            self.page.unroute_all()
            self.context.unroute_all()
            for hear in self._hearing:
                self.context.remove_listener("request", hear)
            self.page.goto(f"{self.url}/api/v1/health/live")  # where no script runs
            new = self.page.evaluate(AS_NEW)
        except Error:  # The server is gone.
            return False
        self.context.clear_cookies()
        self.context.clear_permissions()
        for kept in (self.allowed, self.troubles, self._hearing):
            kept.clear()
        return bool(new)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            where = message.location.get("url", "")
            self.troubles.append(f"{message.type}: {message.text} ({where})")

    def listen(self) -> list[str]:
        """The path of every request of a page from now on: a list that grows. To hear of them costs
        a tenth of every page, so only those listen who want to know."""
        asked: list[str] = []

        def hear(request: Request) -> None:
            if request.resource_type != "other":  # the icon of a tab: not every browser has tabs
                asked.append(request.url.removeprefix(self.url))

        self.context.on("request", hear)
        self._hearing.append(hear)
        return asked

    def allow(self, *patterns: str) -> None:
        """Expect the browser to complain so, because the test provokes it."""
        self.allowed += patterns

    def unexpected(self) -> list[str]:
        """What went wrong, apart from what the test provokes."""
        return [
            trouble
            for trouble in self.troubles
            if not any(re.search(pattern, trouble) for pattern in self.allowed)
        ]

    # -- looking ----------------------------------------------------------------------------

    def go(self, path: str) -> None:
        """Open an address of the server, which is well."""
        answer = self.page.goto(self.url + path)
        assert answer is None or answer.status < 500, answer.text()

    def find(self, selector: str) -> Locator:
        """An element of the page."""
        return self.page.locator(selector)

    def reads(self, selector: str, text: str | re.Pattern[str] | list[str]) -> None:
        """Wait until an element is there with this text, or all of them with these, set as on a
        page."""
        told = [*map(typeset, text)] if isinstance(text, list) else typeset(text)
        expect(self.find(selector)).to_have_text(told, use_inner_text=True)  # type: ignore[arg-type]

    def sees(self, selector: str, *, times: int | None = None) -> None:
        """Wait until an element is seen, or so many of them."""
        if times is None:
            expect(self.find(selector).first).to_be_visible()
        else:
            expect(self.find(selector)).to_have_count(times)

    def misses(self, *selectors: str) -> None:
        """Wait until none of these is seen."""
        for selector in selectors:
            expect(self.find(f"{selector}:visible")).to_have_count(0)

    def texts(self, selector: str) -> list[str]:
        """What stands in the elements of a kind."""
        return self.find(selector).all_inner_texts()

    def focuses(self, selector: str) -> None:
        """Wait until an element has the focus."""
        expect(self.find(selector)).to_be_focused()

    def focus(self) -> str:
        """Which element has the focus: what it plays, its id, or its kind."""
        return str(
            self.page.evaluate(
                "() => { const { dataset, id, tagName } = document.activeElement;"
                " return dataset.cell ?? dataset.move ?? (id || tagName); }"
            )
        )

    def broken(self, **options: Any) -> list[tuple[str, list[str]]]:
        """The rules of accessibility that the page breaks, and where; of all that axe knows, if
        not otherwise said."""
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE.axe_script)
        run = "options => axe.run(options).then(({ violations }) => violations)"
        found = self.page.evaluate(run, {"resultTypes": ["violations"], **options})
        return [
            (rule["id"], [node["html"] + node["failureSummary"] for node in rule["nodes"]])
            for rule in found
        ]

    # -- sitting down -----------------------------------------------------------------------

    def post(self, path: str, **body: Any) -> Any:
        """Ask the server for something as the page would, without pressing anything."""
        response = self.context.request.post(self.url + path, data=body, max_retries=3)
        assert response.ok, response.text()
        return response.json()

    def ask(self, path: str) -> APIResponse:
        """What the server answers this person."""
        return self.context.request.get(self.url + path, max_retries=3)

    def get(self, path: str) -> Any:
        """What the server tells this person."""
        response = self.ask(path)
        assert response.ok, response.text()
        return response.json()

    def create(self, game: str, opponent: str = "friend", **wishes: Any) -> tuple[str, str]:
        """Create a game as the lobby would: its id and the invitation."""
        made = self.post("/api/v1/games", game=game, opponent=opponent, cookie=True, **wishes)
        return str(made["id"]), str(made["invite"])

    def start(self, game: str, opponent: str, **wishes: Any) -> str:
        """Sit before a new game against a computer; its id."""
        room, _ = self.create(game, opponent, **wishes)
        self.open(room)
        return room

    def open(self, room: str) -> None:
        """Sit before a game."""
        self.go(f"/play/{room}")
        expect(self.find("#status")).not_to_be_empty()

    def ask_to_play(self, room: str, name: str) -> None:
        """Come to a game without an invitation, and ask for the free seat."""
        self.open(room)
        self.find("#asking-name").fill(name)
        self.find("#ask-to-play").click()
        self.sees("#asking-text")

    def place(self, selector: str) -> tuple[float, float]:
        """Where an element is on the page."""
        box = self.find(selector).bounding_box()
        assert box is not None
        return box["x"], box["y"]

    def link(self) -> str:
        """The link for a friend, which has to appear."""
        expect(self.find("#invitation")).to_be_visible()
        return self.find("#invite-link").input_value()

    @property
    def room(self) -> str:
        """The id of the game before which this person sits."""
        return self.page.url.rpartition("/play/")[2].partition("#")[0]

    def game(self) -> Any:
        """The game as the server tells it to this person."""
        return self.get(f"/api/v1/games/{self.room}")["game"]

    # -- playing ----------------------------------------------------------------------------

    def on_turn(self) -> None:
        """Wait for the turn, until a press is not too soon."""
        self.reads("#status", "Your turn.")
        self.settled()

    def settled(self) -> None:
        """Wait until what is pressed is not ignored any more."""
        expect(self.find("[data-settling]")).to_have_count(0)

    def options(self) -> list[str]:
        """The moves that can be pressed just now, and are allowed where the page does not tell."""
        shown = [str(move) for move in self.find(PLAYABLE).evaluate_all(
            "all => all.map(({ dataset }) => dataset.cell ?? dataset.move)"
        )]  # fmt: skip
        if not self.in_pairs and not self.find("[data-hidden]").count():
            return shown
        legal = [str(option["move"]) for option in self.game()["legal"]]
        return legal if self.in_pairs else [move for move in shown if move in legal]

    @property
    def in_pairs(self) -> bool:
        """Whether moves lead from one tile to another, which are pressed one after the other."""
        return self.find("[data-cell][aria-pressed]").count() > 0

    def option(self, move: str) -> Locator:
        """What is pressed to make a move."""
        return self.find(f'[data-cell="{move}"], .choice[data-move="{move}"]')

    def parts(self, move: str) -> list[str]:
        """What is pressed for a move, one after the other."""
        if not self.in_pairs:
            return [move]
        cells = self.find("[data-cell]").evaluate_all("all => all.map(one => one.dataset.cell)")
        pairs = [[one, move.removeprefix(one)] for one in cells if move.startswith(one)]
        return next(pair for pair in pairs if pair[1] in cells)

    def click(self, move: str) -> None:
        """Make a move with the mouse."""
        for part in self.parts(move):
            self.option(part).click()

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def tab_to(self, selector: str) -> None:
        """Press Tab until something has the focus: all around the page, if need be."""
        expect(self.find(selector).first).to_be_attached()
        here = "selector => document.activeElement.matches(selector)"
        for _ in range(150):
            if self.page.evaluate(here, selector):
                return
            self.press("Tab")
        raise AssertionError(f"Tab never gets to {selector}")

    def key(self, move: str, *, arrows: bool) -> None:
        """Make a move with the keyboard alone; a tile is found with the arrows or by typing."""
        for part in self.parts(move):
            choice = f'.choice[data-move="{part}"]'
            if self.find(choice).count():
                self.tab_to(choice)
            else:
                self.tab_to("[data-cell]")
                if arrows:
                    self._walk(part)
                else:
                    self.press(*part)
            assert self.focus() == part
            self.press("Enter")

    def _walk(self, label: str) -> None:
        """Go to a tile with the arrows: first to its row, then along it."""
        x, y = self.place(f'[data-cell="{label}"]')
        while (here := self.place("[data-cell]:focus")) != (x, y):
            if here[1] != y:
                self.press("ArrowDown" if here[1] < y else "ArrowUp")
            else:
                self.press("ArrowRight" if here[0] < x else "ArrowLeft")

    @contextmanager
    def still(self) -> Iterator[None]:
        """Meanwhile the clock of the page stands still: what is shown for a moment stays."""
        self.page.clock.pause_at(self.page.evaluate("Date.now() / 1000 + 1"))
        yield
        self.page.clock.resume()

    def moves(self) -> list[str]:
        """The moves in the list."""
        return self.texts("#moves .ply")

    def has_more_than(self, moves: int) -> None:
        """Wait until the list of moves is longer than it was."""
        self.sees(f"#moves li:nth-child({moves + 1})")

    def to_move(self) -> int | None:
        """The seat whose turn the page says it is."""
        panel = self.find(".player[data-turn]")
        return int(panel.get_attribute("data-seat") or 0) if panel.count() else None

    def note(self, seat: int, text: str) -> None:
        """Wait for a note in the panel of a player, such as "away"."""
        self.sees(f'.player[data-seat="{seat}"] [data-note="{text}"]')

    def answer(self, label: str) -> None:
        """Answer the question that has come up."""
        self.find("dialog[open]").get_by_role("button", name=label).click()
        self.misses("dialog")


class Invite(Protocol):
    """Have somebody come with a browser of their own."""

    def __call__(self, **options: Any) -> Guest: ...


def sit(one: Guest, two: Guest, game: str, **wishes: Any) -> str:
    """Have two people sit before the same game, the first in seat 1; its id."""
    room, invite = one.create(game, **wishes)
    two.post(f"/api/v1/games/{room}/join", invite=invite, cookie=True)
    one.open(room)
    two.open(room)
    for guest in (one, two):
        guest.note(1, "here")
        guest.note(2, "here")
    return room


def opening(game: str, *, left: int = 4) -> str:
    """The moves of a game that was played blindly, but the last ones."""
    luck, state = Random(game), numduel.game(game).start(seed=1)
    while not state.outcome:
        state = state.play(luck.choice(state.legal_moves))
    return " ".join(map(str, state.moves[:-left]))


def make(guests: Mapping[int, Guest], move: str) -> None:
    """Have a move made with the mouse by whoever has the turn, and seen by both."""
    made = len(guests[1].moves())
    mover = guests[guests[1].to_move() or 0]
    mover.on_turn()
    mover.click(move)
    for guest in guests.values():
        guest.has_more_than(made)


def play_out(
    guests: Mapping[int, Guest], chosen: Callable[[Guest, str], None], luck: Random
) -> None:
    """Play blindly to the end; `chosen` makes a move on the page of whoever has the turn."""
    while (seat := guests[1].to_move()) is not None:
        made, mover = len(guests[1].moves()), guests[seat]
        mover.on_turn()
        chosen(mover, luck.choice(mover.options()))
        for guest in guests.values():
            guest.has_more_than(made)


# -- fixtures -------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def executable() -> str:
    """The Chromium of this system."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if found is None:
        pytest.skip("There is no Chromium here: tools/browser says how to get one.")
    return found


@pytest.fixture(scope="session")
def server(
    executable: str,  # noqa: ARG001  (nobody needs a server who has no browser)
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Process]:
    """The server that the tests of one process share. It tells the language for tests, too."""
    with server_in(tmp_path_factory.mktemp("served"), NUMDUEL_LANG=PSEUDO) as server:
        yield server.ready()


@cache
def launched(config: pytest.Config, executable: str) -> Browser:
    """The browser that all tests of this process share, until the run ends."""
    playwright = sync_playwright().start()
    loop = asyncio.get_running_loop()
    browser = playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)

    def end() -> None:
        asyncio._set_running_loop(loop)
        browser.close()
        playwright.stop()

    config.add_cleanup(end)
    return browser


@cache
def idle(_: Browser) -> defaultdict[object, list[Guest]]:
    """Those whose test is over, by what is special about their browsers for good: to load a page is
    half as much work for a browser that has been to the server."""
    return defaultdict(list)


@pytest.fixture
def chromium(executable: str, request: pytest.FixtureRequest) -> Iterator[Browser]:
    """The browser. Only while a test uses it Playwright's loop of asyncio counts as running: other
    tests of the same process run loops of their own."""
    browser = launched(request.config, executable)
    asyncio._set_running_loop(browser._loop)
    yield browser
    asyncio._set_running_loop(None)


@pytest.fixture
def new_guest(
    chromium: Browser, request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[Callable[..., Guest]]:
    """People with nothing in their browsers, before any server. Whatever goes wrong in a page
    that the test has not provoked fails it; of a test that fails there are pictures."""
    guests: list[tuple[object, Guest]] = []
    failed = request.session.testsfailed

    def come(
        url: str, *, height: int = SCREEN["height"], width: int = SCREEN["width"],
        color_scheme: Literal["light", "dark"] = "light", permissions: Sequence[str] = (),
        **options: Any,
    ) -> Guest:  # fmt: skip
        kind = url, repr(sorted(options.items()))
        if idle(chromium)[kind]:
            guest = idle(chromium)[kind].pop()
        else:
            context = chromium.new_context(viewport=SCREEN, reduced_motion="reduce", **options)
            guest = Guest(context, url)
        guest.arrive({"width": width, "height": height}, color_scheme, permissions)
        guests.append((kind, guest))
        return guest

    yield come
    troubles = [trouble for _, guest in guests for trouble in guest.unexpected()]
    well = request.session.testsfailed == failed
    for number, (kind, guest) in enumerate(guests, 1):
        if not well and not guest.page.is_closed():
            picture = tmp_path / f"guest-{number}.png"
            guest.page.screenshot(path=picture, full_page=True)
            print(f"{picture}: {guest.page.url}")
        if well and not troubles and guest.leave():
            idle(chromium)[kind].append(guest)
        else:
            guest.context.close()
    assert not troubles, troubles


@pytest.fixture
def guest(server: Process, new_guest: Callable[..., Guest]) -> Invite:
    """People with nothing in their browsers, who come to the server of all tests."""
    return lambda **options: new_guest(server.url, **options)
