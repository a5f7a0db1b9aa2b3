"""People in browsers of their own: they come, play, lose the connection, and come back."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import APIResponse, Route, WebSocketRoute, expect

from numduel.players import ESTIMATES
from numduel.record import parse
from tests.games import NAMES
from tests.page.browser import (
    BOARDS,
    BROKEN,
    EVERY_BOARD,
    OFFLINE,
    PLAYABLE,
    Guest,
    Invite,
    make,
    opening,
    play_out,
    refusal,
    server_in,
    sit,
)
from tests.web.site import Process

LATER = 30_000
"""Milliseconds that the clock of a page may be put forward: longer than it ever waits."""


# -- whole games ----------------------------------------------------------------------------


def ends_alike(guests: dict[int, Guest]) -> None:
    """Both pages say what the server's record says about the end."""
    one, two = guests[1], guests[2]
    record = parse(one.ask(f"/api/games/{one.room}/record").text())
    game = one.game()
    for guest in guests.values():
        guest.sees("#after")
        guest.reads("#moves .ply", [record.game.made(move) for move in record.state.moves])
        guest.reads("#reason", game["outcome"]["reason"])
        guest.sees(f'.player[data-winner][data-seat="{record.state.winner}"]', times=1)
        guest.misses(PLAYABLE, ".choice", ".card.back", "#undo", "#resign")
        guest.sees("#chart svg")
    for seat, guest in guests.items():
        won = seat == record.state.winner
        for part in ("#result", "#status"):
            guest.reads(part, "You won!" if won else "You lost this one.")
    one.reads(".report-lines li", two.texts(".report-lines li"))
    numbers = [guest.find("#mistakes [data-ply]").evaluate_all(
        "all => all.map(({ dataset }) => dataset.ply)"
    ) for guest in (one, two)]  # fmt: skip
    assert sorted(numbers[0]) == sorted(numbers[1]), "each has their own mistakes first"


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, marks=[] if game == BOARDS["spokes"] else pytest.mark.proof)
        for game in NAMES
    ],
)
def test_two_friends_play_a_whole_game_with_the_mouse(game: str, guest: Invite) -> None:
    one, two = guest(), guest()
    one.go("/")
    one.find(f'[data-game="{game}"] [data-play="friend"]').click()
    two.page.goto(one.link())
    two.find("#join").click()
    guests = {1: one, 2: two}
    one.note(2, "here")
    two.note(2, "here")
    play_out(guests, Guest.click, Random(f"mouse {game}"))
    ends_alike(guests)


def finish_with_the_keyboard(guests: dict[int, Guest]) -> None:
    """Play to the end with the keyboard alone; the focus never gets lost."""
    luck = Random("keyboard")

    def chosen(mover: Guest, move: str) -> None:
        for person in guests.values():
            if person.moves():
                person.sees(":focus")
        mover.key(move, arrows=luck.random() < 0.5)
        assert mover.focus() in (move, "status"), "the last button goes with the game"

    for seat, person in guests.items():
        person.tab_to(".choice, [data-cell]" if seat == person.to_move() else "[data-cell], #rules")
    play_out(guests, chosen, luck)
    for person in guests.values():
        person.sees(":focus")
    ends_alike(guests)


def test_two_friends_play_a_whole_game_with_the_keyboard_alone(guest: Invite) -> None:
    """From the lobby to the end."""
    one, two = guest(), guest()
    one.go("/")
    one.sees("[data-play]")
    one.tab_to(f'[data-game="{BOARDS["path"]}"] [data-play="friend"]')
    one.press("Enter")
    one.sees("#invitation")
    two.page.goto(one.link())
    two.sees("#joining")
    two.tab_to("#join-name")
    two.page.keyboard.type("Bob")
    two.press("Enter")
    one.note(2, "here")
    two.note(2, "here")
    finish_with_the_keyboard({1: one, 2: two})


def test_cards_are_played_with_the_keyboard_alone(guest: Invite) -> None:
    one, two = guest(), guest()
    sit(one, two, BOARDS["rows"], moves=opening(BOARDS["rows"]))
    finish_with_the_keyboard({1: one, 2: two})


def test_a_number_that_was_played_is_not_the_beginning_of_the_next(guest: Invite) -> None:
    """1, Enter, and at once 2: that is not 12."""
    one = guest()
    one.go("/analyse?game=capture&variant=n%3D21")
    one.tab_to("[data-cell]")
    one.press("1", "Enter")
    one.has_more_than(0)
    one.press("2")
    assert one.focus() == "2"
    one.press("1")
    assert one.focus() == "21"
    one.press("ArrowLeft", "1")
    assert one.focus() == "1"


# -- the board stays where it is ------------------------------------------------------------

SIZES = [(1280, 800), (390, 844), (390, 664), (320, 640)]
BOARD = """async () => {
  for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
  const shown = [...document.querySelectorAll(
    ".players, .cells, .cell, .sequence, .middle, .choices")]
    .filter((node) => node.checkVisibility() && (node.children.length || node.matches(".choices")));
  return Object.fromEntries(shown.map((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    const box = node.matches(".choices") ? [x, y] : [x, y, width, height];
    const name = node.dataset.cell ?? node.dataset.hand ?? node.className;
    return [name, [box[0], box[1] + scrollY, ...box.slice(2)]];
  }));
}"""
"""Where the panels, the tiles, the cards and the buttons for moves are on the page."""


class Still:
    """The place of somebody's board, at every size, which nothing may change."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.places = self.measure()

    def measure(self) -> list[dict[str, list[float]]]:
        found = []
        self.guest.page.mouse.move(0, 0)  # a tile under the mouse is lifted
        for width, height in SIZES:
            self.guest.page.set_viewport_size({"width": width, "height": height})
            found.append(self.guest.page.evaluate(BOARD))
        return found

    def after(self, what: str) -> None:
        """Nothing has moved; what is not there any more has not."""
        for size, before, now in zip(SIZES, self.places, self.measure(), strict=True):
            moved = {name: (before[name], now[name]) for name in before.keys() & now.keys()
                     if before[name] != now[name]}  # fmt: skip
            assert not moved, (what, size, moved)


def above(guest: Guest, part: str, bar: str) -> None:
    """A bar of buttons covers nothing of this."""
    box = guest.find(part).bounding_box()
    assert box
    assert box["y"] + box["height"] <= guest.place(bar)[1]


@pytest.mark.parametrize("game", EVERY_BOARD)
def test_nothing_that_appears_moves_the_board(game: str, guest: Invite) -> None:
    one = guest()
    one.allow(OFFLINE, BROKEN)
    one.start(game, "easy", forgiving=True)
    board = Still(one)
    one.click(one.options()[-1])
    one.has_more_than(1)
    one.on_turn()
    board.after("the first moves")
    one.find("#values").check()
    one.sees("[data-best]")
    board.after("values")
    for _ in range(2):
        one.find("#hint").click()
        one.reads("#hint-lines", re.compile(r"[^…]$"))
    board.after("a hint")
    for tile in one.find(".cell[data-owner='1']").all():
        tile.click(force=True)
        one.reads("#error", re.compile(r"^\d+ (is|has) already"))
    one.context.set_offline(True)
    one.reads("#banner", re.compile("Connection lost"))
    one.find("#undo").click()
    one.reads("#error", re.compile("That did not get through"))
    board.after("the loss of the connection")
    one.context.set_offline(False)
    one.reads("#error", "")
    one.find("#undo").click()
    one.sees("#moves li", times=0)
    board.after("taking back")
    one.find("#resign").click()
    one.sees("dialog[open]")
    board.after("a question")
    one.answer("Resign")
    one.sees("#chart svg")
    board.after("the end")


def test_a_friend_who_comes_asks_and_offers_moves_no_board(guest: Invite) -> None:
    one, two = guest(), guest()
    one.go("/")
    one.find('[data-game="duel"] [data-play="friend"]').click()
    two.page.goto(one.link())
    two.sees("#join")
    boards = Still(one), Still(two)

    def happened(what: str) -> None:
        for board in boards:
            board.after(what)

    two.find("#join-name").fill("Bartholomew the Third of Long Names, Jr.")
    two.find("#join").click()
    one.note(2, "here")
    two.note(2, "here")
    one.misses("#invitation")
    two.misses("#joining")
    happened("a friend")
    for move in ("4", "6"):
        make({1: one, 2: two}, move)
    two.find("#undo").click()
    one.sees("#accept")
    happened("a request")
    one.find("#refuse").click()
    two.reads("#banner", re.compile("refused"))
    happened("a refusal")
    two.find("#resign").click()
    two.answer("Resign")
    one.find("#rematch").click()
    two.reads("#rematch-text", "Player 1 offers a rematch.")
    happened("a rematch that is offered")
    two.find("#moves button").first.click()
    two.sees("#back")
    happened("looking back")


def test_who_has_scrolled_to_the_end_keeps_the_board_in_place(guest: Invite) -> None:
    """A hint that goes makes the page no shorter."""
    one = guest(width=390, height=664)
    room = one.start("duel", "easy")
    one.find("#hint").click()
    one.reads("#hint-lines", re.compile(r"[^…]$"))
    one.page.evaluate("() => scrollTo(0, document.documentElement.scrollHeight)")
    top = "() => document.querySelector('.cells').getBoundingClientRect().y"
    before = one.page.evaluate(top)
    one.post(f"/api/games/{room}/moves", move="5", after=0)
    one.reads("#hint-lines", "")
    assert one.page.evaluate(top) == before


def test_a_second_click_upon_a_blocked_number_plays_no_other(guest: Invite) -> None:
    one = guest()
    one.start("capture", "hard")  # its answer is always 1
    one.click("21")
    one.has_more_than(1)
    one.on_turn()
    one.find('[data-cell="20"]').dblclick(force=True, delay=0)
    one.reads("#error", "20 is blocked: it is next to your 21.")
    assert len(one.game()["moves"]) == 2


def test_what_is_pressed_just_after_a_change_is_ignored(guest: Invite) -> None:
    """It was meant for what was there before: with the mouse, a finger and the keyboard."""
    one, two = guest(), guest(has_touch=True)
    room = sit(one, two, "duel")
    two.page.clock.install()
    two.open(room)
    two.page.clock.pause_at(datetime.now() + timedelta(hours=1))
    one.click("4")
    two.has_more_than(0)
    two.find('[data-cell="6"]').click(force=True)
    two.find('[data-cell="6"]').tap(force=True)
    two.find('[data-cell="7"]').press("Enter")
    two.find("#resign").click(force=True)
    two.misses("dialog")
    two.page.clock.run_for(299)
    two.find('[data-cell="7"]').press("Enter")
    assert f"/api/games/{room}/moves" not in two.asked
    two.page.clock.run_for(1)
    two.find('[data-cell="7"]').press("Enter")
    two.has_more_than(1)
    assert one.game()["moves"] == ["4", "7"]


# -- sitting down ---------------------------------------------------------------------------


def test_the_choices_of_the_lobby_are_the_game_s_and_are_remembered(guest: Invite) -> None:
    one = guest()
    one.go("/")
    one.find("#name").fill("Ada")
    one.find("#level").select_option("easy")
    one.find("#who").select_option("them")
    card = one.find('[data-game="factors"]')
    card.locator("summary").click()
    card.locator('[data-parameter="n"]').fill("12")
    card.locator('[data-parameter="first"]').select_option("even")
    card.locator('[data-option="pie"]').check()
    card.locator('[data-option="forgiving"]').check()
    card.locator('[data-play="computer"]').click()
    one.has_more_than(0)
    game = one.game()
    assert game["variant"] == {"n": 12, "first": "even"}
    assert (game["first"], game["pie"], game["strict"]) == (2, True, False)
    assert game["names"] == ["Ada", "Computer (easy)"]
    one.sees("[data-cell]", times=12)
    one.go("/")
    expect(one.find("#name")).to_have_value("Ada")
    expect(one.find("#level")).to_have_value("easy")
    expect(one.find("#who")).to_have_value("them")
    expect(card.locator('[data-parameter="n"]')).to_have_value("12")
    said = "The size of the pool: 12; the first number: even; pie rule"
    expect(card.locator(".changed")).to_have_text(said)
    expect(card.locator('[data-option="forgiving"]')).to_be_checked()
    # What no game allows is not sent: the browser points at the field.
    card.locator("summary").click()
    card.locator('[data-parameter="n"]').fill("0")
    card.locator("summary").click()
    card.locator('[data-play="computer"]').click()
    expect(card.locator('[data-parameter="n"]')).to_be_focused()
    assert one.page.url == f"{one.url}/"


def test_what_is_wrong_with_an_option_is_said_beside_it(guest: Invite) -> None:
    """Whether the browser knows it or the server alone; and before any game is made of it."""
    one = guest(height=600)
    one.go("/")
    card = one.find('[data-game="line"]')
    said, field = card.locator(".wrong").nth(1), card.locator('[data-parameter="k"]')
    fit = re.compile("^11 in a row cannot .* the length 10: choose 1 to 10 in a row, or a longer")
    for length, sentence in (("11", fit), ("121", re.compile("120"))):
        if not card.locator("[open]").count():
            card.locator("summary").click()
        field.fill(length)
        card.locator("summary").click()
        card.locator('[data-play="computer"]').click()
        expect(said).to_have_text(sentence)
        expect(said).to_be_in_viewport()
        expect(field).to_be_focused()
        expect(card.locator(".changed")).to_be_empty()
    here = one.place('[data-game="line"] summary')
    card.locator("summary").click()
    assert one.place('[data-game="line"] summary') == here, "a second press closes them"
    card.locator("summary").click()
    place = one.place('[data-game="line"] [data-parameter="k"]')
    field.fill("11")
    expect(said).to_have_text(fit)
    assert one.place('[data-game="line"] [data-parameter="k"]') == place
    field.fill("5")
    expect(said).to_be_empty()
    expect(card.locator(".changed")).to_have_text("How many in a row win: 5")
    # What is wrong otherwise is said on the same card.
    one.allow(refusal(422) + ".*/api/games")
    one.find("#name").fill("Player 2")
    card.locator('[data-play="friend"]').click()
    expect(card.locator(".alert")).to_have_text(re.compile("name of the other player"))
    assert one.page.url == f"{one.url}/"


def test_a_friend_who_opens_the_link_takes_the_seat_and_whoever_comes_later_watches(
    guest: Invite,
) -> None:
    one, two, late, watcher = guest(), guest(), guest(), guest()
    one.go("/")
    one.find("#name").fill("Ada")
    one.find('[data-game="line"] [data-play="friend"]').click()
    one.note(2, "not here yet")
    link = one.link()
    one.click("5")
    one.reads("#status", "Waiting for the other player to come.")
    one.page.reload()
    expect(one.find("#invite-link")).to_have_value(link)
    late.page.goto(link)
    late.sees("#join")
    two.page.goto(link)
    two.reads("#joining-text", re.compile("Ada invites you"))
    two.reads("#status", "Ada invites you to play.")
    two.find("#join-name").fill("Bob")
    two.find("#join").click()
    two.misses("#joining", "#watching")
    assert two.page.url == f"{one.url}/play/{one.room}", "the secret is gone from the address"
    for player in (one, two):
        expect(player.find(".player-name")).to_have_text(["Ada", "Bob"])
        player.note(2, "here")
    one.misses("#invitation")
    make({1: one, 2: two}, "6")
    # Who was too late is told so, and watches; so does whoever has the same link.
    late.misses("#joining")
    watcher.page.goto(link)
    for other in (late, watcher):
        other.sees("#watching")
        other.has_more_than(1)
        other.misses("#joining", "#actions", PLAYABLE)
        other.settled()
        other.find('[data-cell="7"]').click(force=True)
        other.reads("#error", "You are only watching this game.")
        used = "This invitation has been used: Ada and Bob play here. You are only watching."
        other.reads("#watching", used)
    one.on_turn()
    assert one.moves() == two.moves() == watcher.moves() == ["5", "6"]


def test_an_invitation_works_once(guest: Invite) -> None:
    """Even for a page that has not heard yet that the seat is taken."""
    one, two, late = guest(), guest(), guest()
    room, invite = one.create("duel")
    late.context.route_web_socket("**/live", hear_once)
    late.allow(refusal(409))
    late.go(f"/play/{room}#{invite}")
    late.sees("#join")
    two.post(f"/api/games/{room}/join", invite=invite, cookie=True)
    late.find("#join").click()
    late.reads("#error", re.compile("The seat is taken"))
    assert late.get(f"/api/games/{room}")["you"] is None


def test_who_opens_the_address_of_a_game_asks_to_play_and_is_let_in(guest: Invite) -> None:
    one, two = guest(), guest()
    one.go("/")
    one.find("#name").fill("Ada")
    one.find('[data-game="duel"] [data-play="friend"]').click()
    one.link()
    two.open(one.room)
    two.reads("#watching", "Ada’s game of Sequence Duel, waiting for a second player.")
    two.reads("#status", "Waiting for a second player.")
    for person in (one, two):
        person.page.set_viewport_size({"width": 390, "height": 664})
        above(person, "[data-cell='9']", ".bar:visible")
    places = one.place(".cells"), two.place(".cells")
    two.ask_to_play(one.room, "Bob")
    two.reads("#asking-text", "You have asked Ada to play. Wait here for the answer.")
    two.page.reload()
    two.reads("#asking-text", "You have asked Ada to play. Wait here for the answer.")
    one.reads(".asker", re.compile("^Bob asks to play."))
    one.reads("#announcer", "Bob asks to play.")
    for person in (one, two):
        expect(person.find("#asking")).to_be_in_viewport(ratio=1)
        above(person, "[data-cell='9']", ".bar:visible")
    assert (one.place(".cells"), two.place(".cells")) == places, "nothing has moved the board"
    # That the friend is here may be told before the answer to who let them in.
    held: list[tuple[Route, APIResponse]] = []
    one.page.route("**/requests/*", lambda route: held.append((route, route.fetch())))
    one.find('.asker [data-say="accept"]').click()
    one.note(2, "here")
    with one.page.expect_response("**/requests/*"):
        held[0][0].fulfill(response=held[0][1])
    one.misses("#asking", "#invitation")
    one.focuses("#status")
    two.reads("#watching", "Ada lets you play.")
    two.misses("#asking")
    assert two.place(".cells") == places[1]
    for person in (one, two):
        expect(person.find(".player-name")).to_have_text(["Ada", "Bob"])
        person.note(2, "here")
    make({1: one, 2: two}, "5")
    make({1: one, 2: two}, "6")
    two.page.reload()
    two.misses("#watching")
    make({1: one, 2: two}, "1")
    two.go("/")
    two.sees(f'[href="/play/{one.room}"]')


def test_of_those_who_ask_to_play_one_is_let_in_and_the_others_are_told(guest: Invite) -> None:
    one, declined, two, late = (guest() for _ in range(4))
    room, _ = one.create("duel", name="Ada")
    one.open(room)
    for person, name in ((declined, "Dan"), (late, "Liz"), (two, "Bob")):
        person.ask_to_play(room, name)
    one.sees(".asker", times=3)
    one.find('.asker:has-text("Dan") [data-say="refuse"]').click()
    declined.reads("#asking-text", "Ada would rather not play now. You can watch.")
    one.sees(".asker", times=2)
    one.find('.asker:has-text("Bob") [data-say="accept"]').click()
    two.note(2, "you")
    late.reads("#asking-text", "Somebody else has the seat now. You can watch.")
    make({1: one, 2: two}, "5")
    for other in (declined, late):
        other.reads("#watching", "You are only watching this game.")
        other.has_more_than(0)
        other.misses("#asking-form", "#actions", PLAYABLE)


def test_an_invitation_to_nowhere_can_be_asked_for_again(guest: Invite) -> None:
    one, two = guest(), guest()
    room, _ = one.create("duel")
    two.allow(refusal(403))
    two.go(f"/play/{room}#{'A' * 22}")
    two.find("#join").click()
    two.reads("#error", re.compile("ask for the link again"))
    two.misses("#joining")
    two.sees("#ask-to-play")


def test_a_link_to_watch_is_only_for_watching(guest: Invite) -> None:
    one, watcher = guest(permissions=["clipboard-read", "clipboard-write"]), guest()
    one.go("/")
    one.find('[data-game="duel"] [data-play="friend"]').click()
    one.link()
    with one.still():
        one.find("#copy-watch").click()
        one.reads("#copy-watch", "Copied")
    watcher.page.goto(str(one.page.evaluate("() => navigator.clipboard.readText()")))
    watcher.reads("#watching", "You are only watching this game.")
    watcher.misses("#asking", "#joining")
    one.click("5")
    watcher.has_more_than(0)


def test_a_move_that_crosses_with_the_coming_of_the_friend_is_made(guest: Invite) -> None:
    """Who may move before the friend comes need not press again because the friend just came."""
    one, two = guest(), guest()
    room, invite = one.create("duel")
    one.context.route_web_socket("**/live", hear_once)
    one.allow(refusal(409))
    one.open(room)
    two.post(f"/api/games/{room}/join", invite=invite, name="Bob", cookie=True)
    one.click("5")
    one.has_more_than(0)
    one.reads("#error", "")
    two.open(room)
    two.on_turn()
    assert one.moves() == two.moves() == ["5"]


def hear_once(socket: WebSocketRoute) -> None:
    """Let one message of the server through."""
    server = socket.connect_to_server()
    heard: list[str | bytes] = []

    def pass_on(message: str | bytes) -> None:
        if not heard:
            socket.send(message)
        heard.append(message)

    server.on_message(pass_on)


def test_a_name_is_shown_as_it_was_typed(guest: Invite) -> None:
    """Markup is no markup: not in the panels, the sentences, the report or the invitation."""
    one, two = guest(), guest()
    name, other = "<b>x</b>", '"><img src=x onerror=alert(1)>'
    room, invite = one.create("duel", name=name, moves="4 6 5 7")
    one.open(room)
    two.go(f"/play/{room}#{invite}")
    two.reads("#joining-text", f"{name} invites you to play Sequence Duel.")
    two.find("#join-name").fill(other)
    two.find("#join").click()
    one.note(2, "here")
    guests = {1: one, 2: two}
    make(guests, "3")
    for player in guests.values():
        expect(player.find(".player-name")).to_have_text([name, other])
        player.sees("#chart svg")
        assert name in player.find("#report").inner_text()
        assert not player.find("main b, main img").count()
    assert f"taken by {name} (P1)" in str(one.find('[data-cell="4"]').get_attribute("aria-label"))


# -- coming back ----------------------------------------------------------------------------


def test_a_game_goes_on_after_a_reload_and_after_closing_the_page(guest: Invite) -> None:
    one, two = guest(), guest()
    guests = {1: one, 2: two}
    sit(one, two, "capture", moves="21 18")
    one.page.reload()
    assert one.find(".player[data-turn]").get_attribute("data-seat") == "1"
    make(guests, "5")
    one.page.close()
    two.note(1, "away")
    two.click("7")
    one.page = one.context.new_page()
    one.go("/")
    one.reads("#recent-text", "Number Capture · your turn · with Player 2")
    one.find("#recent-link").click()
    one.has_more_than(3)
    two.note(1, "here")
    make(guests, "10")
    assert one.moves() == two.moves() == one.game()["moves"] == ["21", "18", "5", "7", "10"]


def test_who_was_offline_catches_up_and_is_told(guest: Invite) -> None:
    one, two = guest(), guest()
    guests = {1: one, 2: two}
    sit(one, two, "capture")
    make(guests, "21")
    one.allow(OFFLINE, BROKEN)
    one.context.set_offline(True)
    one.reads("#banner", re.compile("Connection lost"))
    two.on_turn()
    two.click("18")
    two.has_more_than(1)
    one.reads("#moves .ply", ["21"])
    one.context.set_offline(False)
    one.reads("#banner", "Connected again.")
    one.has_more_than(1)
    one.reads("#banner", "")
    # What is pressed without a connection is not lost silently, nor made twice later.
    one.context.set_offline(True)
    one.reads("#banner", re.compile("Connection lost"))
    one.click("10")
    one.reads("#error", re.compile("That did not get through"))
    one.context.set_offline(False)
    one.reads("#banner", "Connected again.")
    one.reads("#error", "")
    make(guests, "5")
    assert one.moves() == two.moves() == one.game()["moves"] == ["21", "18", "5"]


@pytest.mark.parametrize(
    "end",
    [Process.kill, pytest.param(Process.stop, marks=pytest.mark.proof)],
    ids=["SIGKILL", "SIGTERM"],
)
def test_nothing_is_lost_when_the_server_is_started_again(
    end: Callable[[Process], object], new_guest: Callable[..., Guest], tmp_path: Path
) -> None:
    with server_in(tmp_path) as first:
        first.ready()
        one, two = new_guest(first.url), new_guest(first.url)
        guests = {1: one, 2: two}
        for person in guests.values():
            person.allow(BROKEN)
            person.page.clock.install()
        sit(one, two, "capture")
        for move in ("21", "18", "5"):
            make(guests, move)
        end(first)
        for person in guests.values():
            person.reads("#banner", re.compile("Connection lost"))
    with server_in(tmp_path, port=first.port) as again:
        again.ready()
        for person in guests.values():
            person.page.clock.fast_forward(LATER)
            person.reads("#banner", re.compile("Connected again|^$"))
        for move in ("7", "10"):
            make(guests, move)
        assert one.moves() == two.moves() == one.game()["moves"] == ["21", "18", "5", "7", "10"]
        # Whatever way they found at first, it is the best one in the end: both are seen again.
        for person in guests.values():
            person.page.clock.fast_forward(LATER)
        for person in guests.values():
            person.note(1, "here")
            person.note(2, "here")


def block_sockets(guest: Guest) -> None:
    guest.context.route_web_socket("**/live", lambda socket: socket.close())


def block_events(guest: Guest) -> None:
    guest.context.route("**/events", lambda route: route.abort())


def test_without_websockets_the_game_is_followed_over_server_sent_events(guest: Invite) -> None:
    one, two = guest(), guest()
    block_sockets(two)
    room = sit(one, two, "duel")
    for move in ("4", "6", "5"):
        make({1: one, 2: two}, move)
    assert f"/api/games/{room}/events" in two.asked
    assert f"/api/games/{room}/events" not in one.asked
    two.reads("#banner", re.compile("Connected again|^$"))
    assert f"/api/games/{room}" not in two.asked, "nothing was asked for again and again"


def test_where_nothing_lasts_the_page_keeps_asking(guest: Invite) -> None:
    one, two = guest(), guest()
    block_sockets(two)
    block_events(two)
    two.allow(r"net::ERR_FAILED")
    room, invite = one.create("duel")
    one.open(room)
    two.go(f"/play/{room}#{invite}")
    two.find("#join").click()
    expect(one.find('.player [data-note="not here yet"]')).to_have_count(0)
    for move in ("4", "6"):
        make({1: one, 2: two}, move)
    assert f"/api/games/{room}" in two.asked


def test_who_is_there_and_who_is_away_can_be_seen(guest: Invite) -> None:
    one, two = guest(), guest()
    room = sit(one, two, "duel")
    one.misses('.player [data-note="away"]')
    two.page.close()
    one.note(2, "away")
    one.reads("#status", "Your turn.")
    one.click("5")
    one.reads("#status", "Waiting for Player 2 to come back.")
    two.page = two.context.new_page()
    two.open(room)
    one.note(2, "here")
    one.reads("#status", "Player 2 to move.")
    one.note(1, "you")
    two.note(2, "you")


# -- taking back, giving up, again ----------------------------------------------------------


def test_a_friend_is_asked_before_a_move_is_taken_back(guest: Invite) -> None:
    one, two = guest(width=320, height=640), guest()
    guests = {1: one, 2: two}
    sit(one, two, "duel")
    expect(one.find("#undo")).to_have_attribute("aria-disabled", "true")
    make(guests, "4")
    expect(one.find("#undo")).not_to_have_attribute("aria-disabled", "true")
    expect(two.find("#undo")).to_have_attribute("aria-disabled", "true")
    make(guests, "6")
    two.find("#undo").click()
    two.reads("#undo-text", re.compile("Waiting for the answer"))
    two.misses("#undo-answer")
    one.reads("#undo-text", "Player 2 asks to take back the last move.")
    for part in ("#undo-text", "#refuse"):
        box, lines = (one.find(which).bounding_box() for which in (part, ".lines"))
        assert box
        assert lines
        assert lines["y"] <= box["y"] <= box["y"] + box["height"] <= lines["y"] + lines["height"]
    one.find("#refuse").click()
    for person in guests.values():
        person.reads("#undo-text", "")
        person.misses("#undo-answer")
        person.reads("#moves .ply", ["4", "6"])
    two.reads("#banner", "Player 1 refused to take back the move.")
    one.reads("#banner", "")
    two.find("#undo").click()
    one.find("#accept").click()
    for person in guests.values():
        person.sees("#moves li", times=1)
        person.reads("#undo-text", "")
    two.on_turn()
    assert "6" in two.options()
    make(guests, "9")
    # A move is an answer too: then there is nothing to answer any more.
    two.find("#undo").click()
    one.sees("#accept")
    make(guests, "5")
    one.misses("#undo-answer")
    assert one.moves() == two.moves() == ["4", "9", "5"]
    one.find("#undo").click()
    two.find("#refuse").click()
    one.reads("#banner", "Player 2 refused to take back the move.")
    two.find("#resign").click()
    two.answer("Resign")
    one.sees("#rematch")
    one.reads("#banner", [""])  # nothing older covers how it ended


def test_resigning_is_asked_about_and_ends_the_game(guest: Invite) -> None:
    one, two = guest(), guest()
    sit(one, two, "duel")
    one.on_turn()
    one.tab_to("#resign")
    one.press("Enter")
    one.sees("dialog[open]")
    one.focuses("#no")  # the careful answer
    one.press("Escape")
    one.misses("dialog")
    one.focuses("#resign")
    one.find("#resign").click()
    one.answer("Play on")
    one.on_turn()
    one.find("#resign").click()
    one.answer("Resign")
    one.reads("#status", "You lost this one.")
    two.reads("#status", "You won!")
    for person in (one, two):
        person.reads("#reason", "Player 1 resigns.")
    one.sees(":focus")


def test_who_is_not_on_turn_can_resign_too(guest: Invite) -> None:
    """Even if the other one moves while the question is asked; free numbers stay free."""
    one, two = guest(), guest()
    sit(one, two, "duel")
    two.find("#resign").click()
    two.sees("dialog[open]")
    one.click("5")
    two.has_more_than(0)
    two.answer("Play on")
    two.on_turn()
    one.find("#resign").click()
    one.answer("Resign")
    for person in (one, two):
        person.reads("#reason", "Player 1 resigns.")
        person.sees('.cell[data-state="free"]', times=8)
    assert one.moves() == two.moves() == ["5", "resign"]


def test_a_rematch_takes_both_to_a_new_game_that_the_other_begins(guest: Invite) -> None:
    one, two, watcher = guest(), guest(), guest()
    room = sit(one, two, "duel", moves="4 6 5 7")
    watcher.open(room)
    make({1: one, 2: two}, "3")
    one.find("#rematch").click()
    one.reads("#rematch-text", "Rematch offered.")
    two.reads("#rematch-text", "Player 1 offers a rematch.")
    two.reads("#rematch", "Accept the rematch")
    two.find("#rematch").click()
    for person in (one, two):
        person.page.wait_for_url(lambda url: not url.endswith(room))
        person.reads(".player[data-turn] .player-name", "Player 2")
        person.reads(".player[data-seat='1'] .notes :last-child", "1 won")
        person.reads(".player[data-seat='2'] .notes :last-child", "0 won")
    assert one.room == two.room != room
    make({1: one, 2: two}, "5")
    assert one.game()["first"] == 2
    assert one.moves() == two.moves() == ["5"]
    expect(watcher.find("#next-game")).to_have_attribute("href", f"/play/{one.room}")


# -- against the computer -------------------------------------------------------------------


def test_the_computer_lets_moves_be_taken_back_and_helps_when_asked(guest: Invite) -> None:
    one = guest()
    one.start("capture", "easy")
    one.click("3")
    one.has_more_than(1)
    one.on_turn()
    one.find("#undo").click()
    one.sees("#moves li", times=0)
    one.on_turn()
    below = one.place("#values-row")
    one.find("#hint").click()
    one.reads("#hint-lines", "What brings the most points now?")
    one.reads("#hint", "Show a move")
    assert one.place("#values-row") == below
    status, hint = (one.find(box).bounding_box() for box in ("#status", "#hint-lines"))
    assert status
    assert hint
    assert status["y"] + status["height"] <= hint["y"] + 1, "whose turn it is stays in view"
    one.find("#hint").click()
    one.reads("#hint-lines", re.compile(r"^21 brings the most points now\. So choose 21\. 21 wins"))
    one.find("#values").check()
    one.sees("[data-cell][data-best]", times=1)
    worths = one.find("[data-cell] .worth[data-text]")
    assert worths.count() == 21
    answer = one.get(f"/api/games/{one.room}/values")
    best = next(option for option in answer["options"] if option["best"])
    tile = one.find(f'[data-cell="{best["move"]}"]')
    expect(tile.locator(".worth")).to_have_attribute("data-text", best["short"])
    label = str(tile.get_attribute("aria-label"))
    assert label.endswith(", +11 points, best"), label
    expect(tile).to_have_attribute("data-result", "win")
    one.sees("[data-cell][data-result=loss]")
    one.reads("#legend", answer["legend"])
    one.click(best["move"])
    one.has_more_than(1)
    one.on_turn()
    one.reads("#hint-lines", "")
    # Looking back, the values are those of what is seen, and a hint would not be.
    one.press("ArrowLeft")
    expect(worths).to_have_count(20)
    expect(one.find("#hint")).to_have_attribute("aria-disabled", "true")
    one.find("#back").click()
    one.find("#hint").click()
    one.reads("#hint-lines", re.compile(r"^(?!Best).*\S"))
    free = one.find("[data-cell]:not([aria-disabled])").count()
    expect(worths).to_have_count(free)
    one.find("#values").uncheck()
    expect(worths).to_have_count(0)
    one.reads("#legend", "")
    # On a screen that shows everything at twice its size, help is beside the board.
    one.page.set_viewport_size({"width": 640, "height": 400})
    one.page.evaluate("scrollTo(0, 0)")
    for place in ("#undo", "#hint", '[data-cell="1"]'):
        expect(one.find(place)).to_be_in_viewport(ratio=1)


def test_nobody_helps_while_two_people_play(guest: Invite) -> None:
    """Neither with values nor with hints, nor with a report, until the game is over."""
    one, two = guest(), guest()
    room = sit(one, two, "duel", moves="4 6 5 7")
    for person in (one, two):
        person.misses("#hint", "#values", "#values-row", "#after", "#report")
        assert not person.find(".worth[data-text]").count()
        for what in ("values", "hint", "report"):
            answer = person.ask(f"/api/games/{room}/{what}")
            assert answer.status == 403
    make({1: one, 2: two}, "3")
    for person in (one, two):
        person.sees("#chart svg")


def test_a_computer_that_estimates_says_so(guest: Invite) -> None:
    one = guest()
    one.start("capture", "perfect", variant={"n": 99})
    one.find("#estimated").wait_for(state="hidden")
    one.click("3")
    one.has_more_than(1)
    one.reads("#estimated", ESTIMATES)
    one.reads("#announcer", re.compile(re.escape(ESTIMATES)))


def test_the_computer_begins_if_it_should_and_plays_to_the_end(guest: Invite) -> None:
    one = guest()
    one.start("duel", "random", first=2)
    luck = Random(7)
    while one.game()["to_move"] is not None:
        one.on_turn()
        made = len(one.moves())
        one.click(luck.choice(one.options()))
        one.has_more_than(made)
        one.page.wait_for_selector('#after:visible, .player[data-seat="1"][data-turn]')
    one.sees("#chart svg")
    assert one.moves() == one.game()["moves"]
    one.find("#rematch").click()
    one.page.wait_for_url(lambda url: "/play/" in url)
    one.reads("#status", "Your turn.")
    assert one.game()["first"] == 1


# -- rules ----------------------------------------------------------------------------------


def test_breaking_a_rule_of_a_strict_game_is_warned_of_and_then_lost(guest: Invite) -> None:
    one, two = guest(), guest()
    sit(one, two, "factors")
    make({1: one, 2: two}, "6")
    two.on_turn()
    tile = two.find('[data-cell="5"]')
    tile.click()
    why = "5 is neither a factor nor a multiple of 6."
    two.reads("#question", f"{why} By the rulebook this loses the game.")
    two.answer("Go back")
    two.focuses('[data-cell="5"]')
    two.on_turn()
    assert two.game()["moves"] == ["6"], "nothing has happened"
    two.press("Enter")
    two.answer("Play anyway")
    one.reads("#status", "You won!")
    two.reads("#status", "You lost this one.")
    for person in (one, two):
        person.reads("#goal", re.compile("5"))
        person.misses("#reason")  # it is said once
        person.reads(".hub", "6")
        person.reads("#moves .ply", ["6", "5!"])


def test_a_forgiving_game_says_why_not_and_goes_on(guest: Invite) -> None:
    one, two = guest(), guest()
    sit(one, two, "factors", forgiving=True)
    make({1: one, 2: two}, "6")
    two.on_turn()
    two.find('[data-cell="5"]').click(force=True)
    two.reads("#error", "5 is neither a factor nor a multiple of 6.")
    two.misses("dialog")
    make({1: one, 2: two}, "12")
    two.reads("#error", "")
    two.reads("#moves .ply", ["6", "12"])


def test_who_is_not_on_turn_is_told_so(guest: Invite) -> None:
    one, two = guest(), guest()
    sit(one, two, "capture")
    two.misses(PLAYABLE)
    two.settled()
    two.find('[data-cell="5"]').click(force=True)
    two.reads("#error", "Player 1 to move.")
    make({1: one, 2: two}, "5")
    two.reads("#error", "")
    make({1: one, 2: two}, "7")
    one.on_turn()
    made = len(one.asked)
    one.find('[data-cell="6"]').click(force=True)
    one.reads("#error", "6 is blocked: it is next to your 5.")
    one.find('[data-cell="7"]').click(force=True)
    one.reads("#error", "7 is already claimed.")
    assert f"/api/games/{one.room}/moves" not in one.asked[made:]


def test_under_the_pie_rule_the_second_player_may_take_over_the_first_move(guest: Invite) -> None:
    one, two = guest(), guest()
    guests = {1: one, 2: two}
    sit(one, two, "capture", pie=True)
    one.reads("#variant", "Pie rule")
    assert "swap" not in one.options()
    make(guests, "21")
    two.on_turn()
    assert "swap" in two.options()
    make(guests, "swap")
    for person in guests.values():
        expect(person.find('[data-cell="21"]')).to_have_attribute("data-owner", "2")
        person.reads('[data-holding="2"] .hand', "Player 2 has 21")
    make(guests, "18")
    assert one.moves() == two.moves() == ["21", "swap", "18"]
    assert "swap" not in two.options()
    two.find("#undo").click()
    one.find("#accept").click()
    two.sees("#moves li", times=1)
    expect(two.find('[data-cell="21"]')).to_have_attribute("data-owner", "1")
