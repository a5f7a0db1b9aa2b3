"""The flow of a game in the browser: the heading and the rules, the computer's pace, the end and
what comes after it, looking back, two people on one screen, and what people say and hear."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import APIResponse, Route, WebSocketRoute, expect

import numduel
from tests.games import NAMES
from tests.page.browser import BROKEN, OFFLINE, Guest, Invite, make, sit

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


def test_the_heading_says_what_people_call_the_game_and_what_is_unusual(guest: Invite) -> None:
    one = guest()
    games = map(numduel.game, NAMES)
    for game in {game.called == game.title: game for game in games}.values():
        one.start(game.name, "easy")
        one.reads("h1", game.called)
        one.reads("#rulebook", "" if game.called == game.title else game.title)
        one.reads("#variant", "")
    unusual = numduel.game("capture", n=12)
    one.start("capture", "easy", variant={"n": 12}, pie=True)
    one.reads("#variant", f"T{unusual.changes[0][1:]}, pie rule")


@pytest.mark.parametrize("size", [{"width": 1280, "height": 800}, PHONE], ids=["desk", "phone"])
def test_the_rules_open_beside_the_board_and_close_with_escape(
    size: dict[str, Any], guest: Invite
) -> None:
    one = guest(**size)
    one.start("capture", "easy", variant={"n": 12})
    before = board(one)
    one.tab_to("#rules")
    one.press("Enter")
    game = numduel.game("capture", n=12)
    expect(one.find("#brief p")).to_have_text([*game.brief, f"Here: {game.changes[0]}."])
    seen_at_once(one, "#drawer", "#brief .picture")
    expect(one.find("#whole-rules")).to_have_attribute("href", "/rules/capture")
    assert board(one) == before
    assert not one.broken()
    one.press("Escape")
    one.misses("#drawer")
    one.focuses("#rules")


# -- the computer's pace --------------------------------------------------------------------


def test_the_computer_takes_half_a_second(guest: Invite) -> None:
    """Also where its answer overtakes the acknowledgement of the move that it answers: that move is
    seen first."""
    one = guest()
    room, _ = one.create("duel", "random")
    held: list[tuple[Route, APIResponse]] = []
    answers: list[str | bytes] = []

    def without_acknowledgement(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def heard(message: str | bytes) -> None:
            if '"moves":["5"]' not in str(message):
                answers.append(message)
                socket.send(message)

        server.on_message(heard)

    def later(moves: list[str]) -> None:
        """In half a second, not before, the computer's move is there."""
        one.page.clock.run_for(499)
        assert one.moves() == moves
        one.page.clock.run_for(1)
        one.has_more_than(len(moves))
        assert one.moves() == one.game()["moves"]

    one.context.route_web_socket("**/live", without_acknowledgement)
    one.page.route("**/moves", lambda route: held.append((route, route.fetch())))
    one.page.clock.install()
    one.open(room)
    one.page.clock.pause_at(datetime.now() + timedelta(hours=1))
    one.click("5")
    while len(answers) < 2 or not held:
        assert one.moves() == []
    held[0][0].fulfill(response=held[0][1])
    one.has_more_than(0)
    later(["5"])
    one.page.unroute("**/moves")
    one.page.clock.run_for(300)
    one.click(one.options()[0])
    one.has_more_than(2)
    made = one.moves()
    while len(one.game()["moves"]) < 4:
        assert one.moves() == made
    later(made)


# -- the end --------------------------------------------------------------------------------


def test_the_end_is_in_words_and_leads_on_without_scrolling(guest: Invite) -> None:
    one = guest(**PHONE)
    room = one.start(**WON)
    one.settled()
    before = board(one)
    one.option("7").tap()
    one.reads("#status", re.compile("You won!"))
    one.reads("#goal", re.compile("1, 4, 7"))
    one.reads("#next", "Next opponent: medium")
    bare(one, '[data-cell="7"]', "#status", "#goal", "#rematch", "#learn", "#next")
    one.misses(".party", "#actions")
    assert board(one) == before
    # The sentence about a mistake and the position are on the screen together.
    one.find("#learn").tap()
    one.reads("#told", re.compile("^Move 1, your mistake"))
    bare(one, '[data-cell="7"]', "#told", "#retry", "#to-end")
    assert board(one) == before
    one.find("#to-end").tap()
    one.reads("#status", "You won!")
    one.misses("#told", "#retry")
    one.find("#learn").tap()
    one.reads("#learn", "See the report")
    one.find("#learn").tap()
    expect(one.find("#after-title")).to_be_in_viewport()
    one.find('#mistakes [data-ply="4"]').get_by_text("Show move 4").tap()
    one.reads("#told", re.compile("^Move 4, a mistake of Computer"))
    bare(one, '[data-cell="7"]', "#told", "#retry")
    one.reads("#learn", "Learn from my mistakes")
    one.find("#learn").tap()
    one.reads("#retry", "Try again from move 1")
    one.find("#retry").tap()
    one.page.wait_for_url(lambda url: "/play/" in url and room not in url)
    one.on_turn()
    assert (one.moves(), one.game()["players"]) == ([], ["human", "easy"])
    one.open(room)
    one.find("#next").tap()
    one.page.wait_for_url(lambda url: "/play/" in url and room not in url)
    one.on_turn()
    assert one.game()["players"] == ["human", "medium"]


def test_who_wins_is_celebrated_unless_things_should_not_move(guest: Invite) -> None:
    one = guest()
    one.page.emulate_media(reduced_motion="no-preference")
    room = one.start(**WON)
    one.click("7")
    one.sees(".party i")
    one.open(room)
    one.reads("#result", "You won!")
    one.misses(".party")
    lost = one.start("capture", "easy", name="Charlotte")
    one.find("#resign").click()
    one.answer("Resign")
    one.reads("#result", "You lost this one.")
    one.misses(".party")
    one.reads("#next", "Easier opponent: random")
    one.find("#rematch").click()
    one.page.wait_for_url(lambda url: not url.endswith(lost))
    one.reads(".player[data-seat='2'] .notes :last-child", "1 won")
    cut = "all => all.filter((node) => node.scrollWidth > node.clientWidth).length"
    for width in (390, 320):
        one.page.set_viewport_size({"width": width, "height": 640})
        assert not one.find(".player-name, .notes").evaluate_all(cut), "names and scores are whole"


# -- looking back ---------------------------------------------------------------------------


def test_looking_back_does_not_disturb_a_running_game(guest: Invite) -> None:
    one, two = guest(), guest()
    sit(one, two, "duel", moves="4 6 5 7")
    one.settled()
    before = board(one)
    expect(one.find('#moves [data-seat="1"]')).to_have_text(["4", "5"])
    expect(one.find('#moves [data-seat="2"]')).to_have_text(["6", "7"])
    expect(one.find('[data-step="on"]')).to_have_attribute("aria-disabled", "true")
    one.press("ArrowLeft", "ArrowLeft")
    one.reads("#status", "Looking at move 2. Your turn.")
    expect(one.find("#moves [aria-current]")).to_have_text("6")
    one.find('[data-step="first"]').click()
    one.reads("#status", "Looking at the start. Your turn.")
    expect(one.find('[data-step="back"]')).to_have_attribute("aria-disabled", "true")
    assert board(one) == before
    one.find("#back").click()
    one.on_turn()
    one.click("9")
    # Who has pressed a tile with the mouse steps back with the arrows; meanwhile the game goes on.
    one.has_more_than(4)
    one.press("ArrowLeft")
    one.reads("#status", "Looking at move 4.")
    two.on_turn()
    two.click("1")
    one.has_more_than(5)
    one.reads("#status", "Looking at move 4. Your turn.")
    expect(one.find("[data-owner].cell")).to_have_count(4)
    assert board(one) == before
    one.find('[data-step="last"]').click()
    one.on_turn()
    # What is looked at is taken back: the newest move is shown.
    one.find('[data-step="back"]').click()
    one.sees("#back")
    two.find("#undo").click()
    one.find("#accept").click()
    one.misses("#back")
    one.reads("#status", "Player 2 to move.")
    # And everybody wants to see the end.
    one.find('[data-step="back"]').click()
    one.sees("#back")
    two.find("#resign").click()
    two.answer("Resign")
    one.reads("#result", "You won!")
    one.misses("#back")


@pytest.mark.parametrize("size", [{"width": 1366, "height": 768}, PHONE], ids=["desk", "phone"])
def test_what_is_pressed_again_is_still_under_the_pointer(
    size: dict[str, Any], guest: Invite
) -> None:
    """Stepping, looking back, being asked for a move back, and no connection move no button."""
    one, two = guest(**size), guest(**size)
    room = sit(one, two, "duel", name="Class 5b")
    steps = box(one, "#steps")
    make({1: one, 2: two}, "4")
    assert box(one, "#steps") == steps
    one.find('[data-step="first"]').click()
    one.sees("#back")
    one.sees(".board[data-past]")
    inside(one, "#back")
    back = box(one, "#back")
    one.settled()
    one.option("7").click(force=True)
    one.reads("#error", "This is an earlier position.")
    assert (box(one, "#back"), box(one, "#steps")) == (back, steps)
    inside(one, "#back", "#error")
    one.find("#back").click()
    actions = "#playing .actions"
    own, before = box(one, actions), (box(two, actions), box(two, "#steps"), board(two))
    one.find("#undo").click()
    two.reads("#undo-text", "Class 5b asks to take back the last move.")
    inside(two, "#undo-text", "#accept", "#refuse")
    assert (box(two, actions), box(two, "#steps"), board(two)) == before
    assert box(one, actions) == own
    two.find("#refuse").click()
    two.misses("#undo-text", "#accept", "#refuse")
    two.allow(OFFLINE, BROKEN)
    two.context.set_offline(True)
    two.note(2, "offline")
    two.misses('[data-note="here"]')
    two.click("7")
    two.reads("#error", re.compile("^That did not get through.*please try again.$"))
    inside(two, "#error")
    two.context.set_offline(False)
    two.note(1, "here")
    # Given up out of turn: the column tells who it was.
    one.find("#resign").click()
    one.answer("Resign")
    one.reads('#moves [data-seat="1"]:last-child', "resign")
    assert one.get(f"/api/games/{room}")["game"]["moves"][-1] == "resign1"


def test_a_button_that_says_copied_keeps_its_width(guest: Invite) -> None:
    one = guest(permissions=["clipboard-write"])
    one.start(**WON)
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


# -- two people on one screen ---------------------------------------------------------------


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
    one.reads("#learn", "Learn from the mistakes")
    bare(one, "#status", "#goal", "#rematch", "#learn", "#next")
    assert board(one) == before
    one.settled()
    one.find("#rematch").tap()
    one.page.wait_for_url(lambda url: "/play/" in url and room not in url)
    one.reads("#status", "Bo, your turn.")
    one.reads(".player[data-seat='1'] .notes", "1 won")


# -- what people say and hear ---------------------------------------------------------------


def test_players_say_a_few_things_to_each_other_and_nothing_moves(guest: Invite) -> None:
    one, two = guest(), guest(**PHONE)
    sit(one, two, "duel", name="Ada", moves="4 6")
    before = board(one), board(two)
    one.tab_to("#talk")
    one.press("Enter")
    expect(one.find("#talk-menu [data-remark]")).to_have_count(7)
    assert not one.broken()
    one.find('[data-remark="Good luck!"]').click()
    one.misses("#talk-menu")
    two.reads('.player[data-seat="1"] .remark', "Good luck!")
    two.reads("#announcer", "Ada: Good luck!")
    one.reads("#announcer", "You: Good luck!")
    assert (board(one), board(two)) == before
    # What was said before somebody came is not said to them again.
    two.page.reload()
    two.note(2, "here")
    assert not two.find(".remark").count()
    # Who does not want to hear the other one hears nothing.
    one.find('.tools [popovertarget="settings"]').click()
    one.find('[data-signal="mute"] input').check()
    one.press("Escape")
    two.find("#talk").tap()
    two.find('[data-remark="😀"]').tap()
    two.reads('.player[data-seat="2"] .remark', "😀")
    make({1: one, 2: two}, "5")
    assert not one.find('.player[data-seat="2"] .remark').count()


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
