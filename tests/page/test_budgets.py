"""What a page may cost on a slow network: few requests, the shape of the board at once, and nothing
that moves when the rest comes. Bytes are counted in `test_lobby`."""

from __future__ import annotations

import pytest
from numduel_examples.pawns import Pawns
from numduel_examples.pile import Pile
from playwright.sync_api import Route, expect

import numduel
from numduel.core.game import Game
from numduel.web.pages.outline import GAP, outlines
from numduel.web.positions import position
from tests.games import NAMES
from tests.page.browser import LAID_OUT, SHIFTS, Invite

NEAR = 12
"""Pixels between where a tile is expected and where it is."""
MOST = {"/": 14, "/puzzles": 7, "/learn/line": 6, "/analyse": 9}
"""Requests of a page, with its pictures and what it asks the server."""
BOX = "node => { const { x, y, width } = node.getBoundingClientRect(); return [x, y, width]; }"

STYLED = "() => document.querySelector('link[rel=stylesheet]')?.sheet"
"""Whether the style sheet has come: nothing is painted before."""


@pytest.mark.parametrize(
    ("width", "height", "game"),
    [(390, 664, "factors"), (390, 664, "build"), (320, 568, "line"), (1280, 800, "capture")],
)
def test_the_shape_of_the_board_comes_first_and_nothing_moves(
    guest: Invite, width: int, height: int, game: str
) -> None:
    one = guest(width=width, height=height)
    room, _ = one.create(game, "easy")
    held: list[Route] = []
    one.page.route("**/play/play.js", lambda route: held.append(route))
    asked = one.listen()
    one.page.goto(f"{one.url}/play/{room}", wait_until="commit")
    one.page.wait_for_function(STYLED)
    one.sees("rect:visible")
    one.reads("#title", numduel.game(game).display_name)
    first = one.find("rect:visible").first.evaluate(BOX)
    one.misses("#table", ".bottom")
    held[0].continue_()
    one.sees("#table")
    one.misses("#outline")
    if one.find(".cell").count():
        there = one.find(".cell").first.evaluate(BOX)
        assert all(abs(here - now) <= NEAR for here, now in zip(first, there, strict=True))
    assert one.page.evaluate(SHIFTS) == []
    assert len(asked) <= 6, asked


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 664), (320, 568)])
def test_nothing_moves_on_a_page_to_study_when_its_first_scene_comes(
    guest: Invite, width: int, height: int
) -> None:
    one = guest(width=width, height=height)
    drawn = {
        "/puzzles?date=2020-02-02": ".player[data-turn]",  # Juniper Green
        "/puzzles?date=2020-02-04": ".player[data-turn]",  # Sequence Duel
        "/learn": "[data-game]",
        "/learn/line": ".cell",
        "/analyse": ".cell[data-best]",
        "/analyse?game=build": "[data-draw]",
        "/storm": "#game option:nth-child(3)",
        "/profile": "#task:not(:empty)",
        "/games": "#none",
    }
    for path, sign in drawn.items():
        one.go(path)
        expect(one.find(sign).first).to_be_attached()
        one.misses("main > .pending")
        one.page.wait_for_load_state("networkidle")
        assert one.page.evaluate(SHIFTS) == [], path


def test_nothing_moves_when_a_long_list_of_games_comes_late(guest: Invite) -> None:
    one = guest(width=390, height=664)
    for _ in range(8):
        one.create("duel")

    def late(route: Route) -> None:
        one.page.evaluate(LAID_OUT)
        route.continue_()

    one.page.route("**/api/v1/games?*", late)
    one.go("/games")
    one.sees("#open > li", times=8)
    one.sees(".bottom")
    assert one.page.evaluate(SHIFTS) == []


def test_a_page_asks_for_little(guest: Invite) -> None:
    one = guest()
    for path, most in MOST.items():
        asked = one.listen()
        one.go(path)
        one.page.wait_for_load_state("networkidle")
        assert len(asked) <= most, asked


@pytest.mark.parametrize("game", [*map(numduel.game, NAMES), Pawns(), Pile()])
def test_a_shape_has_every_tile_once_and_inside(game: Game) -> None:
    told = position(game.start())
    for shape in outlines(told):
        assert len(set(shape.places)) == len(shape.places)
        assert len(shape.places) == (len(told["cells"]) or len(shape.places))
        for x, y in shape.places:
            assert 0 <= x <= shape.width - shape.size
            assert 0 <= y <= shape.height - shape.size
        for x, y in shape.places:
            near = {(left, top) for left, top in shape.places if abs(left - x) < shape.size + GAP}
            assert all(abs(top - y) >= shape.size + GAP for _, top in near - {(x, y)})
