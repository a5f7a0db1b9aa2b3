"""The flow of a game in the browser: the heading and the rules, the end and what comes after it,
looking back, two people on one screen, and what people say and hear."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

import numduel
from tests.page.browser import BROKEN, LAID_OUT, OFFLINE, Guest, Invite, make, sit

PHONE = {"width": 390, "height": 664, "has_touch": True, "is_mobile": True}
WON = {"game": "duel", "opponent": "easy", "moves": "1 5 4 9"}
"""A game that seat 1 wins with 7; its first move was a mistake."""


def board(guest: Guest) -> tuple[float, ...]:
    """Where the board is on the page."""
    return box(guest, ".cells")


def box(guest: Guest, selector: str) -> tuple[float, ...]:
    """Where an element is on the page, and how large."""
    found = guest.find(selector).evaluate(
        "node => { const { x, y, width, height } = node.getBoundingClientRect();"
        " return [x, y + scrollY, width, height]; }"
    )
    return tuple(found)


def inside(guest: Guest, *selectors: str) -> None:
    """Nothing of this is cut off by the edge of its lines."""
    _, top, _, height = box(guest, ".lines")
    for selector in selectors:
        _, y, _, tall = box(guest, selector)
        assert top <= y <= y + tall <= top + height, selector


def seen_at_once(guest: Guest, *selectors: str) -> None:
    """All of this is on the screen, without scrolling."""
    for selector in selectors:
        expect(guest.find(selector)).to_be_in_viewport(ratio=1)


def bare(guest: Guest, *selectors: str) -> None:
    """All of this is on the screen, and nothing lies upon it."""
    guest.settled()
    seen_at_once(guest, *selectors)
    for selector in selectors:
        top = guest.find(selector).evaluate(
            "node => { const { x, y, width, height } = node.getBoundingClientRect();"
            " return [0.1, 0.5, 0.9].every((part) => node.contains("
            "document.elementFromPoint(x + width / 2, y + height * part))); }"
        )
        assert top, selector


# -- heading and rules ----------------------------------------------------------------------


def test_the_heading_says_what_is_unusual_and_the_rules_open_beside_the_board(
    guest: Invite,
) -> None:
    """On a phone and on a desk; they close with Escape."""
    one = guest(**PHONE)
    one.start("capture", "easy", variant={"n": 12})
    game = numduel.game("capture", n=12)
    one.reads("h1", game.display_name)
    one.reads("#variant", f"T{game.changes[0][1:]}")
    for width, height in ((PHONE["width"], PHONE["height"]), (1280, 800)):
        one.page.set_viewport_size({"width": width, "height": height})
        one.page.evaluate(LAID_OUT)
        before = board(one)
        one.tab_to("#rules")
        one.press("Enter")
        one.reads("#brief p", [*game.brief, f"In this game: {game.changes[0]}."])
        seen_at_once(one, "#drawer", "#brief .picture")
        expect(one.find("#whole-rules")).to_have_attribute("href", "/rules/capture")
        assert board(one) == before
        assert not one.broken()
        one.press("Escape")
        one.misses("#drawer")
        one.focuses("#rules")


# -- the end --------------------------------------------------------------------------------


def test_the_end_is_in_words_and_leads_on_without_scrolling(guest: Invite) -> None:
    one = guest(**PHONE)
    one.start(**WON)
    one.settled()
    one.reads("#goal", "Get three evenly spaced numbers. Yours: 1 and 4.")
    one.reads("#goal strong", ["1", "4"])
    before = board(one)
    one.option("7").tap()
    one.reads("#status", re.compile("You won!"))
    one.reads("#goal", "You have 1, 4, 7.")
    one.reads("#goal strong", ["1", "4", "7"])
    one.sees('.cell[data-state="winning"]', times=3)
    one.reads("#next", "Next opponent: medium")
    one.sees("#learn:not([data-vacant])")
    bare(one, '[data-cell="7"]', "#status", "#goal", "#rematch", "#learn", "#next")
    one.misses("#actions")
    assert board(one) == before
    # A mistake is asked on the board before it is told, and all of it is on the screen together.
    one.find("#learn").tap()
    one.reads("#told", "At move 1, you played 1. Find a better move.")
    expect(one.find("#status")).to_be_visible()
    one.reads("#status", re.compile("^Mistake 1 of "))
    bare(one, '[data-cell="7"]', "#told", "[data-action=hint]", "[data-action=show]", "#to-end")
    assert board(one) == before
    one.option("1").tap()
    one.reads("#told", re.compile(r"^No\. 1 .* Try again\.$"))
    one.option("5").tap()
    one.reads("#told", re.compile(r"^Right\. 5 "))
    one.sees('[data-cell="5"][data-owner="1"]')
    one.reads("#retry", "Try again from move 1")
    bare(one, '[data-cell="7"]', "#told", "#retry", "#learn", "#to-end")
    assert board(one) == before
    one.find("#to-end").tap()
    one.reads("#status", "You won!")
    one.misses("#told", "#retry")
    one.find("#learn").tap()
    one.find("[data-action=show]").tap()
    one.find("#to-end").tap()
    one.reads("#learn", "Learn from my mistakes")  # more are left
    one.find("#after-title").scroll_into_view_if_needed()
    one.find('#mistakes [data-ply="4"]').get_by_text("Show move 4").tap()
    one.reads("#told", re.compile("^Move 4, a mistake by Computer"))
    bare(one, '[data-cell="7"]', "#told", "#retry")
    one.reads("#learn", "Learn from my mistakes")


COLOUR = "node => getComputedStyle(node).color"


def ended(one: Guest, verdict: str, *, last: Callable[[], None]) -> int:
    """Wait for the end of a game after its last move; how much confetti there is."""
    one.settled()
    with one.still():
        last()
        one.reads("#status", verdict)
        one.reads("#result", verdict)
        return one.find(".party i").count()


def test_a_win_is_lit_and_celebrated_and_a_loss_says_what_to_try_next_time(guest: Invite) -> None:
    one = guest()
    one.page.emulate_media(reduced_motion="no-preference")
    one.start(**WON)
    words = one.find("#status")
    usual = words.evaluate(COLOUR)
    assert ended(one, "You won!", last=lambda: one.click("7")) > 0
    assert words.evaluate(COLOUR) != usual
    lit = {
        str(tile.get_attribute("data-cell")) for tile in one.find("[data-cell]").all()
        if "★" in tile.evaluate("tile => getComputedStyle(tile, '::after').content")
    }  # fmt: skip
    assert lit == {"1", "4", "7"}
    one.misses(".party")  # it has come down

    def resign() -> None:
        one.find("#resign").click()
        one.answer("Resign")

    one.start(**WON)
    assert ended(one, "You lost this one.", last=resign) == 0
    assert words.evaluate(COLOUR) == usual
    one.reads("#afterwards", re.compile("^Next time: "))
    one.page.emulate_media(reduced_motion="reduce")
    one.start(**WON)
    assert ended(one, "You won!", last=lambda: one.click("7")) == 0


@pytest.mark.proof
def test_a_button_that_says_copied_keeps_its_width(guest: Invite) -> None:
    one = guest(permissions=["clipboard-write"])
    won = one.start(**WON, name="Charlotte")
    one.click("7")
    one.sees("#chart svg")
    before = box(one, "#share-game"), box(one, "#analyse")
    with one.still():
        for _ in range(2):  # Pressed again, it says so for as long again.
            one.find("#share-game").click()
            one.reads("#share-game", "Copied")
            one.page.clock.run_for(1999)
            one.reads("#share-game", ["Copied"])
            assert (box(one, "#share-game"), box(one, "#analyse")) == before
    one.reads("#share-game", "Copy link to this game")
    # Names and scores are whole in the next game, too.
    one.find("#rematch").click()
    one.page.wait_for_url(lambda url: not url.endswith(won))
    one.reads(".player[data-seat='1'] .notes :last-child", "1 won")
    cut = "all => all.filter((node) => node.scrollWidth > node.clientWidth).length"
    for width in (390, 320):
        one.page.set_viewport_size({"width": width, "height": 640})
        assert not one.find(".player-name, .notes").evaluate_all(cut), width


# -- two people -----------------------------------------------------------------------------


@pytest.mark.proof
def test_nothing_that_two_people_do_moves_what_they_press(guest: Invite) -> None:
    """Stepping, looking back, being asked for a move back, having no connection, and saying
    something to each other: one at a desk, the other one with a phone."""
    one, two = guest(width=1366, height=768), guest(**PHONE)
    room = sit(one, two, "duel", name="Class 5b")

    def places(person: Guest) -> list[tuple[float, ...]]:
        return [box(person, part) for part in (".cells", "#steps")]

    def buttons() -> list[object]:
        # Those of a phone stay at the edge of the screen, wherever the page is.
        return [(places(person), person.place("#playing .actions")) for person in (one, two)]

    before = {person: places(person) for person in (one, two)}
    make({1: one, 2: two}, "4")
    for person in (one, two):
        expect(person.find('[data-step="on"]')).to_have_attribute("aria-disabled", "true")
        person.find('[data-step="start"]').click()
        person.sees("#back")
        person.sees(".board[data-past]")
        inside(person, "#back")
        back = box(person, "#back")
        person.settled()
        person.option("7").click(force=True)
        person.reads("#error", "This is an earlier position.")
        assert (box(person, "#back"), places(person)) == (back, before[person])
        inside(person, "#back", "#error")
        person.find("#back").click()
    asked = "#undo-text", "#accept", "#refuse"
    for asks, answers in ((one, two), (two, one)):
        there = buttons()
        asks.find("#undo").click()
        answers.sees("#accept")
        inside(answers, *asked)
        assert buttons() == there
        answers.find("#refuse").click()
        answers.misses(*asked)
        if asks is one:
            make({1: one, 2: two}, "7")
    # What is said is heard by the other one.
    there = buttons()
    one.tab_to("#talk")
    one.press("Enter")
    expect(one.find("#talk-menu [data-remark]")).to_have_count(7)
    assert not one.broken()
    one.find('[data-remark="Good luck!"]').click()
    one.misses("#talk-menu")
    two.reads('.player[data-seat="1"] .remark', "Good luck!")
    two.reads("#announcer", "Class 5b: Good luck!")
    one.reads("#announcer", "You: Good luck!")
    assert buttons() == there
    # Without a connection.
    make({1: one, 2: two}, "5")
    two.on_turn()
    two.allow(OFFLINE, BROKEN)
    two.context.set_offline(True)
    two.note(2, "offline")
    two.misses('[data-note="here"]')
    two.click("9")
    two.reads("#error", re.compile("^That did not get through.*please try again.$"))
    inside(two, "#error")
    two.context.set_offline(False)
    two.note(1, "here")
    # Who has pressed a tile with the mouse steps back with the arrows; meanwhile the game goes on.
    one.press("ArrowLeft")
    one.reads("#status", "Looking at move 2.")
    two.on_turn()
    two.click("9")
    one.has_more_than(3)
    one.reads("#status", "Looking at move 2. Your turn.")
    expect(one.find("[data-owner].cell")).to_have_count(2)
    # Everybody wants to see the end. Given up out of turn: the column tells who it was.
    two.find("#resign").click()
    two.answer("Resign")
    one.reads("#result", "You won!")
    one.misses("#back")
    one.reads('#moves [data-seat="2"]:last-child', "resigns")
    assert one.get(f"/api/v1/games/{room}")["game"]["moves"][-1] == "resign2"


def test_two_people_play_on_one_screen_and_are_called_by_their_names(guest: Invite) -> None:
    one = guest(**PHONE)
    room, _ = one.create("duel", "here", name="Ada", name2="Bo", moves="4 6 5")
    one.open(room)
    one.settled()
    before = board(one)
    one.reads("#status", "Bo, your turn.")
    one.misses("#talk", '[data-note="you"]', '[data-note="away"]')
    one.option("9").tap()
    one.reads("#status", "Ada, your turn.")
    one.settled()
    one.find("#undo").tap()
    one.reads("#status", "Bo, your turn.")
    one.reads("#moves .ply", ["4", "6", "5"])
    one.find("#hint").tap()
    one.reads("#hint-lines", re.compile(r"[^…]$"))
    one.settled()
    one.find("#resign").tap()
    one.reads("#question", "Bo, do you want to give up this game?")
    one.answer("Play on")
    one.option("7").tap()
    one.reads("#status", "Ada, your turn.")
    one.settled()
    one.option("3").tap()
    one.reads("#result", "Ada wins the game!")
    one.reads("#learn", "See the report")  # There is nothing that was given away.
    bare(one, "#status", "#goal", "#rematch", "#learn", "#next")
    assert board(one) == before
    one.settled()
    one.find("#rematch").tap()
    one.page.wait_for_url(lambda url: "/play/" in url and room not in url)
    one.reads("#status", "Bo, your turn.")
    one.reads(".player[data-seat='1'] .notes", "1 won")


# -- what people hear -----------------------------------------------------------------------

SIGNALS = """
window.given = [];
window.AudioContext = class {
  currentTime = 0;
  destination = {};
  resume() {}
  createGain() { return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} },
    connect: (other) => other }; }
  createOscillator() { return { frequency: {}, connect: (other) => other, stop() {},
    start: () => given.push("sound") }; }
};
navigator.vibrate = () => given.push("vibration");
window.Notification = class {
  static permission = "default";
  static requestPermission = async () => {
    given.push("asked");
    return (Notification.permission = window.allowed ? "granted" : "denied");
  };
  constructor(title, { body }) { given.push(body); }
};
Object.defineProperty(document, "hidden", { get: () => window.away ?? false });
"""


def test_sound_vibration_and_notifications_are_off_until_switched_on(guest: Invite) -> None:
    one = guest()
    one.context.add_init_script(SIGNALS)
    one.start("duel", "random")

    def given() -> list[str]:
        return list(dict.fromkeys(one.page.evaluate("given.splice(0)")))

    def moves(count: int) -> None:
        one.on_turn()
        one.click(one.options()[0])
        one.has_more_than(count)

    moves(1)
    assert given() == []
    one.find('.tools [popovertarget="settings"]').click()
    seen_at_once(one, "#settings")
    assert not one.broken()
    box = '[data-signal="{}"] input'
    one.find(box.format("notification")).click()
    one.reads("#settings-note", "The browser does not allow notifications.")
    expect(one.find(box.format("notification"))).not_to_be_checked()
    one.page.evaluate("allowed = true")
    for name in ("notification", "sound", "vibration"):
        one.find(box.format(name)).check()
    assert given() == ["asked", "sound", "vibration"]
    one.misses('[data-signal="mute"]')
    one.press("Escape")
    one.page.evaluate("away = true")
    moves(3)
    assert given() == ["sound", "vibration", "Your turn."]
    one.page.reload()
    one.on_turn()
    expect(one.find(box.format("sound"))).to_be_checked()
