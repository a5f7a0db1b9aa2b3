"""Getting to the board: on the smallest phone, on its side, and with the keyboard."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import FloatRect, expect

from tests.games import NAMES
from tests.page.browser import Guest, Invite, sit

OPEN = "[data-cell]:not([aria-disabled])"
THINKING = """() => {
  const [status, said] = ["#status", "#said"].map((name) => document.querySelector(name));
  status.dataset.busy = "";
  [status.textContent, said.textContent] = ["Computer is thinking…", "Player 1 plays 2"];
}"""
"""Shows what is seen while the computer thinks, for as long as the test looks."""
CROWDED = """() => {
  const seen = (selector) => [...document.querySelectorAll(selector)]
    .filter((node) => node.checkVisibility({ visibilityProperty: true })
      && node.getBoundingClientRect().height);
  const edge = (selector, side) => seen(selector).map((node) => node.getBoundingClientRect()[side]);
  const stays = (node) => getComputedStyle(node).position === "fixed";
  const fixed = seen(".bar, .actions").filter(stays);
  const bar = Math.min(innerHeight, ...fixed.map((node) => node.getBoundingClientRect().top));
  const told = seen(".lines, .advice > *");
  return [
    edge("#board > :is(.cells, .cards)", "bottom").some((bottom) => bottom > bar) && "board below",
    edge(".advice > *", "top").some((top) => top < edge(".players", "bottom")[0]) && "players",
    told.some((node) => node.scrollHeight > node.clientHeight) && "cut off",
    edge(".advice > *", "top").some((top) => edge(".status, .said", "bottom")
      .some((bottom) => top < bottom - 1)) && "a sentence behind another",
    seen(".player-name").some((node) => node.scrollHeight > node.clientHeight) && "names",
    seen(".notes").some((node) => [node, ...node.children].some((part) =>
      part.scrollWidth > part.clientWidth && part.clientWidth)) && "notes",
    edge(".tools .button", "top").some((top) => top < 4) && "top edge",
    seen("#table button, #table button *, .player *").some((node) => node.textContent.trim()
      && parseFloat(getComputedStyle(node).fontSize) < 12) && "small letters",
  ].filter(Boolean);
}"""
"""What there is no room for: the board above the buttons, players and sentences that are covered or
cut off, buttons away from the edge of the screen, letters of twelve pixels. It looks once, so a
test that uses it never waits for room."""
TALKATIVE = {"capture": "1 21 3 18", "duel": "1 3 2 6", "line": "1 5 2 6"}
"""Moves after which hints are long."""
SMALLEST: dict[str, Any] = {"width": 320, "height": 568, "has_touch": True, "is_mobile": True}


def in_view(one: Guest, selector: str) -> None:
    """Wait until something is on the screen, at least in part."""
    expect(one.find(selector).first).to_be_in_viewport()


def box(one: Guest, selector: str) -> FloatRect:
    """Where something is that is there already, and how large."""
    found = one.find(selector).bounding_box()
    assert found is not None
    return found


def test_a_number_goes_to_the_board_from_anywhere_and_the_first_tab_leads_there(
    guest: Invite,
) -> None:
    one = guest()
    room, _ = one.create("duel", "easy")
    for path in (
        f"/play/{room}", "/learn/duel", "/puzzles?game=duel&seed=3", "/analyse?game=duel",
    ):  # fmt: skip
        one.go(path)
        one.sees(OPEN)
        one.press("7")
        assert one.focus() == "7", path
        if (values := one.find("#values:visible")).count():
            values.click()
            one.press("4")
            assert one.focus() == "4", path
        one.page.reload()
        one.sees(OPEN)
        one.press("Tab", "Enter", "Tab")
        assert one.find("[data-cell]:focus").count() == 1, path
    one.go("/storm")  # has no board yet
    one.press("Tab", "Enter", "Tab")
    assert one.find("#set-up :focus").count() == 1


def test_on_a_phone_a_lesson_begins_with_its_board_and_a_puzzle_brings_it_back(
    guest: Invite,
) -> None:
    one = guest(**SMALLEST)
    one.go("/learn/duel")
    one.sees(".cell")
    said, task, board, text = (
        one.place(part)[1] for part in ("#about", "#task", "#board", "#text")
    )
    assert said < task < board < text
    in_view(one, ".cell")
    one.go("/puzzles?game=duel&seed=3")
    one.sees(".cell")
    one.find("#next").scroll_into_view_if_needed()
    expect(one.find("#status")).not_to_be_in_viewport()
    one.find("#next").click()
    in_view(one, "#status")
    in_view(one, "#task")


def test_on_the_smallest_phone_what_leads_through_the_moves_is_above_the_bar(
    guest: Invite,
) -> None:
    one = guest(**SMALLEST)
    room, _ = one.create("duel", "here", moves="4 6 5 7")
    one.open(room)
    one.click("3")
    one.find('.chart-point[data-ply="2"]').press("Enter")
    one.reads("#status", "Looking at move 2.")
    steps, bar = box(one, "#steps"), box(one, "#end")
    assert steps["y"] + steps["height"] <= bar["y"] < SMALLEST["height"]
    one.go("/analyse?game=factors&moves=12+6")
    one.sees(".worth[data-text]")
    steps = box(one, "#travel")
    assert round(steps["y"] + steps["height"]) == SMALLEST["height"]


@pytest.mark.parametrize(("width", "height"), [(664, 390), (568, 320)])
@pytest.mark.parametrize(
    "path",
    [
        "/puzzles?game=line&seed=3",
        "/puzzles?game=factors&seed=3",
        "/learn/line",
        "/learn/build#2",
        "/learn/factors#2",
    ],
)
def test_on_a_phone_on_its_side_the_whole_board_is_beside_its_task_and_buttons(
    guest: Invite, path: str, width: int, height: int
) -> None:
    one = guest(width=width, height=height)
    one.go(path)
    one.sees("[data-action=hint]")
    tiles, task, buttons = (
        box(one, part) for part in ("#board > :is(.cells, .cards):visible", "#task", "#choices")
    )
    for part in (tiles, task, buttons):
        assert part["y"] >= 0
        assert part["y"] + part["height"] <= height
    assert max(task["x"], buttons["x"]) >= tiles["x"] + tiles["width"]


@pytest.mark.parametrize("game", NAMES)
def test_on_the_smallest_phone_a_game_its_hint_and_its_end_are_on_the_screen(
    guest: Invite, game: str
) -> None:
    one = guest(**SMALLEST)
    room = one.start(game, "medium", moves=TALKATIVE.get(game, ""))
    one.on_turn()
    assert one.page.evaluate(CROWDED) == []
    one.page.set_viewport_size({"width": 800, "height": 600})  # an old projector, or half a screen
    one.page.wait_for_function(f"() => !({CROWDED})().length")
    one.page.set_viewport_size({"width": 320, "height": 568})
    one.find("#banner").evaluate("node => node.append('The 5 was discarded for you.')")
    for button in ("Hint", "Show a move"):
        one.reads("#hint", button)
        one.find("#hint").click()
        one.reads("#hint-lines", re.compile(r"[^…]$"))
        expect(one.find("#hint-lines")).to_be_visible()
        assert one.page.evaluate(CROWDED) == []
    one.post(f"/api/v1/games/{room}/resign", after=one.game()["number"])
    one.sees("#end")
    assert one.page.evaluate(CROWDED) == []
    one.page.set_viewport_size({"width": 568, "height": 320})
    lacking = f'() => ({CROWDED})().some((what) => ["cut off", "names", "notes"].includes(what))'
    one.page.wait_for_function(f"() => !({lacking})()")
    noted = 'node => getComputedStyle(node, "::before").content'
    assert one.find(".notes > :visible").first.evaluate(noted) == "none", "a dot before nothing"


def test_on_the_smallest_phone_the_goal_is_whole_while_the_computer_thinks(guest: Invite) -> None:
    one = guest(**SMALLEST)
    one.start("capture", "medium", moves="2 20")
    one.on_turn()
    one.page.evaluate(THINKING)
    assert one.page.evaluate(CROWDED) == []
    whole = "() => (({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight)"
    assert one.page.evaluate(f'{whole}(document.querySelector(".lines"))')


@pytest.mark.parametrize(("game", "moves"), [("line", "5 3 7 2 10 9"), ("capture", "18 12")])
def test_on_the_smallest_phone_two_at_one_screen_read_their_whole_goal(
    guest: Invite, game: str, moves: str
) -> None:
    one = guest(**SMALLEST)
    one.start(game, "here", moves=moves, name="Christopher")
    one.reads("#status", re.compile("your turn"))
    one.find("#said").evaluate('node => node.textContent = "Christopher plays 9"')
    assert one.page.evaluate(CROWDED) == []


def test_on_the_smallest_phone_a_long_name_in_one_piece_does_not_widen_the_board(
    guest: Invite,
) -> None:
    one, two = guest(**SMALLEST), guest(**SMALLEST)
    sit(one, two, "duel", moves="5 1", name="W" * 40)
    for person in (one, two):
        wide = "[...document.querySelectorAll('#board *')].filter((node) => "
        wide += "node.getBoundingClientRect().right > 320 && node.checkVisibility()).length"
        assert not person.page.evaluate(wide)


def test_on_the_smallest_phone_a_puzzle_of_cards_shows_both_rows_and_what_was_discarded(
    guest: Invite,
) -> None:
    one = guest(**SMALLEST)
    one.go("/puzzles?game=build&seed=3")
    one.sees("[data-action=hint]")
    assert one.page.evaluate(CROWDED) == []
    one.find(".pile .choice").click()
    one.sees("#why p")
    assert one.page.evaluate(CROWDED) == []
    expect(one.find(".pile > .card")).to_have_text("2")
    expect(one.find(".pile .choice")).to_have_css("background-color", "rgba(0, 0, 0, 0)")


@pytest.mark.parametrize(("width", "height"), [(320, 568), (390, 844), (1280, 800)])
def test_a_hint_of_a_puzzle_is_read_whole(guest: Invite, width: int, height: int) -> None:
    one = guest(width=width, height=height)
    one.go("/puzzles?game=line&grade=3&seed=4")  # whose goal needs two rows
    for hint in ("After which move", "The answer is", "That was the last hint"):
        one.find("[data-action=hint]").click()
        one.reads("#words", re.compile(hint))
        lines = one.find(".lines")
        assert lines.evaluate("({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight")


def test_on_the_smallest_phone_a_profile_and_what_was_left_off_are_read_whole(
    guest: Invite,
) -> None:
    one = guest(**SMALLEST)
    room = one.start("duel", "medium", moves="1 3")
    one.on_turn()
    number = one.game()["number"]
    one.go("/")
    one.reads("#recent-text", re.compile("with Computer"))
    cut = """all => all.filter((node) => node.scrollWidth > node.clientWidth
      || node.scrollHeight > node.clientHeight).length"""
    assert not one.find(".strip-text:visible").evaluate_all(cut)
    one.post(f"/api/v1/games/{room}/resign", after=number)
    one.go("/profile")
    one.sees(".numbers table")
    assert not one.find(".numbers").evaluate_all(cut)


def test_on_the_smallest_phone_a_storm_is_stopped_beside_its_clock(guest: Invite) -> None:
    one = guest(**SMALLEST)
    one.go("/storm")
    one.find("#start").click()
    one.sees("[data-storm] #board")
    stop, clock = (box(one, part) for part in ("#start", ".clock"))
    assert clock["x"] + clock["width"] <= stop["x"]
    assert stop["y"] < clock["y"] + clock["height"]


@pytest.mark.parametrize("game", ["capture", "duel", "factors"])
def test_on_a_phone_the_way_back_through_the_moves_is_above_the_bar(
    guest: Invite, game: str
) -> None:
    one = guest(**(SMALLEST | {"width": 390, "height": 664}))
    one.start(game, "easy")
    one.on_turn()
    way, bar = (box(one, part) for part in (".stepper", ".actions"))
    assert way["y"] + way["height"] <= bar["y"]
    one.find("#values").check()
    expect(one.find(".players")).to_be_in_viewport(ratio=1)
