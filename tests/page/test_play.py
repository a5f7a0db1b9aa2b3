"""People in browsers of their own: they come, play, lose the connection, and come back."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import APIResponse, Route, expect

from numduel.play.record import parse
from tests.games import NAMES
from tests.page.browser import (
    BOARDS,
    BROKEN,
    LAID_OUT,
    OFFLINE,
    PLAYABLE,
    SOME_BOARDS,
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
MARKUP = "<b>x</b><img src=x>"
"""A name like any other."""


# -- whole games ----------------------------------------------------------------------------


def ends_alike(guests: dict[int, Guest]) -> None:
    """Both pages say what the server's record says about the end."""
    one, two = guests[1], guests[2]
    record = parse(one.ask(f"/api/v1/games/{one.room}/record").text())
    game, worded = one.game(), record.game.worded_moves(record.state)
    for seat, guest in guests.items():
        guest.sees("#after")
        guest.reads("#moves .ply", [*map(record.game.label_played, worded)])
        guest.reads("#reason", game["outcome"]["reasons"][seat])
        guest.sees(f'.player[data-winner][data-seat="{record.state.winner}"]', times=1)
        guest.misses(PLAYABLE, ".choice", ".card.back", "#undo", "#resign")
        guest.sees("#chart svg")
    for seat, guest in guests.items():
        won = seat == record.state.winner
        for part in ("#result", "#status"):
            guest.reads(part, "You won!" if won else "You lost this one.")
        for everything in guest.find("#everything").all():
            everything.click()
    winner = guests[record.state.winner or 0]
    loser = two if winner is one else one
    expect(loser.find(".report-lines li").last).to_have_text(re.compile("Next time: "))
    assert loser.texts(".report-lines li")[:2] == winner.texts(".report-lines li")[:2]
    numbers = [guest.find("#mistakes [data-ply]").evaluate_all(
        "all => all.map(({ dataset }) => dataset.ply)"
    ) for guest in (one, two)]  # fmt: skip
    assert sorted(numbers[0]) == sorted(numbers[1]), "each has their own mistakes first"


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        (BOARDS["spokes"], opening(BOARDS["spokes"])),
        *((game, "") for game in NAMES),
    ],
)
@pytest.mark.proof
def test_two_friends_play_to_the_end_with_the_mouse(game: str, moves: str, guest: Invite) -> None:
    """A name is shown as it was typed: markup is no markup, in no sentence and in no report."""
    one, two = guest(), guest()
    guests = {1: one, 2: two}
    sit(one, two, game, moves=moves, name=MARKUP)
    play_out(guests, Guest.click, Random(f"mouse {game}"))
    ends_alike(guests)
    for person in guests.values():
        expect(person.find(".player-name").first).to_have_text(MARKUP)
        assert MARKUP in person.find("#report").inner_text()
        assert not person.find('main b, main img[src="x"]').count()


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
    assert two.page.url == f"{two.url}/play/{one.room}", "the secret is gone from the address"
    finish_with_the_keyboard({1: one, 2: two})


@pytest.mark.proof
def test_cards_are_played_with_the_keyboard_alone(guest: Invite) -> None:
    one, two = guest(), guest()
    sit(one, two, BOARDS["rows"], moves=opening(BOARDS["rows"]))
    finish_with_the_keyboard({1: one, 2: two})


# -- the board stays where it is ------------------------------------------------------------

SIZES = [(1280, 800), (320, 640)]
AT_SIZES = pytest.mark.parametrize(
    "sizes",
    [SIZES, pytest.param([(390, 844), (390, 664)], marks=pytest.mark.proof)],
    ids=["the largest and the smallest", "between"],
)
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
    """The place of somebody's board, at some sizes, which nothing may change."""

    def __init__(self, guest: Guest, sizes: list[tuple[int, int]]) -> None:
        self.guest = guest
        self.sizes = sizes
        self.places = self.measure()

    def measure(self) -> list[dict[str, list[float]]]:
        found = []
        self.guest.page.mouse.move(0, 0)  # a tile under the mouse is lifted
        for width, height in self.sizes:
            self.guest.page.set_viewport_size({"width": width, "height": height})
            found.append(self.guest.page.evaluate(BOARD))
        return found

    def after(self, what: str) -> None:
        """Nothing has moved; what is not there any more has not."""
        for size, before, now in zip(self.sizes, self.places, self.measure(), strict=True):
            moved = {name: (before[name], now[name]) for name in before.keys() & now.keys()
                     if before[name] != now[name]}  # fmt: skip
            assert not moved, (what, size, moved)


def above(guest: Guest, part: str, bar: str) -> None:
    """A bar of buttons covers nothing of this, once the board has found its size."""
    guest.page.evaluate(LAID_OUT)
    box = guest.find(part).bounding_box()
    assert box
    assert box["y"] + box["height"] <= guest.place(bar)[1]


@pytest.mark.parametrize("game", SOME_BOARDS)
@AT_SIZES
def test_nothing_that_appears_moves_the_board(
    sizes: list[tuple[int, int]], game: str, guest: Invite
) -> None:
    one = guest()
    one.start(game, "easy", forgiving=True)
    board = Still(one, sizes)
    one.click(one.options()[-1])
    one.has_more_than(1)
    one.on_turn()
    board.after("the first moves")
    one.find("#values").check()
    one.sees("[data-best]")
    for _ in range(2):
        one.find("#hint").click()
        one.reads("#hint-lines", re.compile(r"[^…]$"))
    board.after("values and a hint")
    for tile in one.find(".cell[data-owner='1']").all():
        tile.click(force=True)
        one.reads("#error", re.compile(r"^\d+ (is|has) already"))
    board.after("a sentence about a move")
    one.find("#undo").click()
    one.sees("#moves li", times=0)
    one.find("#resign").click()
    one.sees("dialog[open]")
    board.after("taking back, and a question")
    one.answer("Resign")
    one.sees("#chart svg")
    board.after("the end")


@AT_SIZES
def test_a_friend_who_comes_asks_and_offers_moves_no_board(
    sizes: list[tuple[int, int]], guest: Invite
) -> None:
    """Nor does the loss of the connection."""
    one, two = guest(), guest()
    one.go("/")
    one.find('[data-game="duel"] [data-play="friend"]').click()
    two.page.goto(one.link())
    two.sees("#join")
    boards = Still(one, sizes), Still(two, sizes)

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
    two.reads("#banner", re.compile("did not let you"))
    two.allow(OFFLINE, BROKEN)
    two.context.set_offline(True)
    two.reads("#banner", re.compile("Connection lost"))
    two.find("#undo").click()
    two.reads("#error", re.compile("That did not get through"))
    happened("a refusal, and the loss of the connection")
    two.context.set_offline(False)
    two.reads("#error", "")
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
    one.post(f"/api/v1/games/{room}/moves", move="5", after=0)
    one.reads("#hint-lines", "")
    assert one.page.evaluate(top) == before


@pytest.mark.proof
def test_what_is_pressed_just_after_a_change_is_ignored(guest: Invite) -> None:
    """It was meant for what was there before: with the mouse, a finger and the keyboard."""
    one, two = guest(), guest(has_touch=True, is_mobile=True)
    two.page.clock.install()
    asked = two.listen()
    room = sit(one, two, "duel")
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
    assert f"/api/v1/games/{room}/moves" not in asked
    two.page.clock.run_for(1)
    two.find('[data-cell="7"]').press("Enter")
    two.has_more_than(1)
    assert one.game()["moves"] == ["4", "7"]
    assert f"/api/v1/games/{room}/events" not in asked, (
        "a WebSocket is followed for as long as it lasts"
    )


# -- sitting down ---------------------------------------------------------------------------


def test_the_choices_of_the_lobby_are_the_game_s_if_it_allows_them(guest: Invite) -> None:
    one = guest()
    one.go("/")
    one.find("#name").fill("Ada")
    one.find("#level").select_option("easy")
    one.find("#who").select_option("them")
    card = one.find('[data-game="factors"]')
    card.locator("summary").click()
    card.locator('[data-parameter="n"]').fill("12")
    card.locator('[data-parameter="first"]').select_option("even")
    card.locator('[data-option="forgiving"]').check()
    card.locator('[data-play="computer"]').click()
    one.has_more_than(0)
    game = one.game()
    assert game["variant"] == {"n": 12, "first": "even"}
    assert (game["first"], game["strict"]) == (2, False)
    assert game["names"] == ["Ada", "Computer (easy)"]
    one.sees("[data-cell]", times=12)
    one.go("/")
    expect(one.find("#name")).to_have_value("Ada")
    expect(one.find("#level")).to_have_value("easy")
    expect(one.find("#who")).to_have_value("them")
    expect(card.locator('[data-parameter="n"]')).to_have_value("12")
    said = "The size of the pool: 12"
    expect(card.locator(".changed")).to_have_text(said)
    expect(card.locator('[data-option="forgiving"]')).to_be_checked()
    # What no game allows is not sent: the browser points at the field.
    card.locator("summary").click()
    card.locator('[data-parameter="n"]').fill("0")
    card.locator("summary").click()
    card.locator('[data-play="computer"]').click()
    expect(card.locator('[data-parameter="n"]')).to_be_focused()
    assert one.page.url == f"{one.url}/"


@pytest.mark.proof
def test_what_is_wrong_with_an_option_is_said_beside_it(guest: Invite) -> None:
    """Whether the browser knows it or the server alone; and before any game is made of it."""
    one = guest()
    one.go("/")
    one.page.set_viewport_size({"width": 1200, "height": 600})
    card = one.find('[data-game="line"]')
    said, field = card.locator(".wrong").nth(1), card.locator('[data-parameter="k"]')
    fit = re.compile(
        "^11 in a row do not fit on a line of 10: choose 1 to 10 in a row, or a longer"
    )
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
    expect(card.locator(".changed")).to_have_text("How many in a row: 5")
    # What is wrong otherwise is said on the same card.
    one.allow(refusal(422) + ".*/api/v1/games")
    one.find("#name").fill("Player 2")
    card.locator('[data-play="friend"]').click()
    expect(card.locator(".alert")).to_have_text(re.compile("The other player has that name"))
    assert one.page.url == f"{one.url}/"


@pytest.mark.proof
def test_a_friend_who_opens_the_link_takes_the_seat_and_whoever_comes_later_watches(
    guest: Invite,
) -> None:
    one, two = guest(permissions=["clipboard-read", "clipboard-write"]), guest()
    late, watcher = guest(), guest()
    one.go("/")
    one.find("#name").fill("<b>Ada</b>")
    one.find('[data-game="line"] [data-play="friend"]').click()
    one.note(2, "not here yet")
    link = one.link()
    one.click("5")
    one.reads("#status", "Waiting for the other player to join.")
    one.page.reload()
    expect(one.find("#invite-link")).to_have_value(link)
    # There is a link that is only for watching, too.
    with one.still():
        one.find("#copy-watch").click()
        one.reads("#copy-watch", "Copied")
    watcher.page.goto(str(one.page.evaluate("() => navigator.clipboard.readText()")))
    watcher.reads("#watching", "You are only watching this game.")
    watcher.misses("#asking", "#joining")
    late.page.goto(link)
    late.sees("#join")
    two.page.goto(link)
    two.reads("#joining-text", re.compile("^<b>Ada</b> invites you"))
    two.reads("#status", "<b>Ada</b> invites you to play.")
    two.find("#join-name").fill("Bob")
    two.find("#join").click()
    two.misses("#joining", "#watching")
    assert two.page.url == f"{one.url}/play/{one.room}", "the secret is gone from the address"
    for player in (one, two):
        expect(player.find(".player-name")).to_have_text(["<b>Ada</b>", "Bob"])
        player.note(2, "here")
    one.misses("#invitation")
    make({1: one, 2: two}, "6")
    # Who was too late is told so, and watches.
    used = "This invitation has been used. <b>Ada</b> and Bob are playing; you are only watching."
    late.reads("#watching", used)
    for other in (late, watcher):
        other.has_more_than(1)
        other.misses("#joining", "#actions", PLAYABLE)
        other.settled()
        other.find('[data-cell="7"]').click(force=True)
        other.reads("#error", "You are only watching this game.")
    one.on_turn()
    assert one.moves() == two.moves() == watcher.moves() == ["5", "6"]


def test_who_opens_the_address_of_a_game_asks_to_play_and_is_let_in_or_not(guest: Invite) -> None:
    one, two, declined = guest(), guest(), guest()
    room, _ = one.create("duel", name="Ada")
    one.open(room)
    declined.ask_to_play(room, "Dan")
    one.find('.asker:has-text("Dan") [data-say="refuse"]').click()
    declined.reads("#asking-text", "Ada would rather not play now. You can watch.")
    two.open(room)
    two.reads("#watching", "Ada’s game of Sequence Duel, waiting for a second player.")
    two.reads("#status", "Waiting for a second player.")
    for person in (one, two):
        person.page.set_viewport_size({"width": 390, "height": 664})
        above(person, "[data-cell='9']", ".bar:visible")
    places = one.place(".cells"), two.place(".cells")
    two.find("#asking-name").fill("Bob")
    two.find("#ask-to-play").click()
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
    two.reads("#watching", "Ada said yes: you are playing.")
    two.misses("#asking")
    assert two.place(".cells") == places[1]
    for person in (one, two):
        expect(person.find(".player-name")).to_have_text(["Ada", "Bob"])
        person.note(2, "here")
    make({1: one, 2: two}, "5")
    declined.reads("#watching", "You are only watching this game.")
    declined.has_more_than(0)
    declined.misses("#asking-form", "#actions", PLAYABLE)
    two.go("/")
    two.find(f'[href="/play/{room}"]').click()
    two.has_more_than(0)
    two.misses("#watching")
    make({1: one, 2: two}, "6")


# -- coming back ----------------------------------------------------------------------------


@pytest.mark.proof
def test_a_game_goes_on_after_closing_the_page_and_without_a_connection(guest: Invite) -> None:
    one, two = guest(), guest()
    guests = {1: one, 2: two}
    room = sit(one, two, "capture", moves="21 18")
    one.note(1, "you")
    two.note(2, "you")
    one.misses('.player [data-note="away"]')
    make(guests, "5")
    one.page.close()
    two.note(1, "away")
    two.click("7")
    two.reads("#status", "Waiting for Player 1 to come back.")
    one.page = one.context.new_page()
    one.go("/")
    one.reads("#recent-text", "Number Capture · your turn · with Player 2")
    one.find("#recent-link").click()
    one.has_more_than(3)
    two.note(1, "here")
    two.reads("#status", "Player 1 to move.")
    make(guests, "10")
    # Who was offline catches up, and is told.
    one.allow(OFFLINE, BROKEN)
    one.context.set_offline(True)
    one.reads("#banner", re.compile("Connection lost"))
    two.on_turn()
    two.click("1")
    two.has_more_than(5)
    assert len(one.moves()) == 5
    one.context.set_offline(False)
    one.reads("#banner", "Connected again.")
    one.has_more_than(5)
    one.reads("#banner", "")
    # What is pressed without a connection is not lost silently, nor made twice later.
    one.context.set_offline(True)
    one.reads("#banner", re.compile("Connection lost"))
    one.click("12")
    one.reads("#error", re.compile("That did not get through"))
    one.context.set_offline(False)
    one.reads("#banner", "Connected again.")
    one.reads("#error", "")
    make(guests, "14")
    made = ["21", "18", "5", "7", "10", "1", "14"]
    assert one.moves() == two.moves() == one.get(f"/api/v1/games/{room}")["game"]["moves"] == made


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
        one = new_guest(first.url)
        one.allow(BROKEN)
        one.page.clock.install()
        room, _ = one.create("capture", "here")
        one.open(room)

        def make(move: str) -> None:
            one.settled()
            made = len(one.moves())
            one.click(move)
            one.has_more_than(made)

        for move in ("21", "18", "5"):
            make(move)
        end(first)
        one.reads("#banner", re.compile("Connection lost"))
    with server_in(tmp_path, port=first.port) as again:
        again.ready()
        one.page.clock.fast_forward(LATER)
        one.reads("#banner", re.compile("Connected again|^$"))
        for move in ("7", "10"):
            make(move)
        assert one.moves() == one.game()["moves"] == ["21", "18", "5", "7", "10"]


def test_without_websockets_events_are_followed_and_where_nothing_lasts_the_page_keeps_asking(
    guest: Invite,
) -> None:
    one, two = guest(), guest()
    for person in (one, two):
        person.context.route_web_socket("**/live", lambda socket: socket.close())
    two.context.route("**/events", lambda route: route.abort())
    two.allow(r"net::ERR_FAILED")
    heard, asked = one.listen(), two.listen()
    room, invite = one.create("duel")
    two.post(f"/api/v1/games/{room}/join", invite=invite, cookie=True)
    one.open(room)
    two.open(room)
    for move in ("4", "6"):
        make({1: one, 2: two}, move)
    one.reads("#banner", re.compile("Connected again|^$"))
    assert f"/api/v1/games/{room}/events" in heard
    assert f"/api/v1/games/{room}" not in heard, "nothing was asked for again and again"
    assert f"/api/v1/games/{room}" in asked


# -- taking back, giving up, again ----------------------------------------------------------


def test_two_people_take_back_give_up_and_play_again(guest: Invite) -> None:
    one, two, watcher = guest(width=320, height=640), guest(), guest()
    guests = {1: one, 2: two}
    room = sit(one, two, "duel")
    watcher.open(room)
    for person in guests.values():  # and nobody helps them
        person.misses("#hint", "#values", "#values-row", "#after", "#report")
    expect(one.find("#undo")).to_have_attribute("aria-disabled", "true")
    one.find("#talk").click()
    expect(one.find("#talk-menu [data-remark]")).to_have_count(7)
    one.find('[data-remark="Good luck!"]').click()
    one.misses("#talk-menu")
    two.reads("#announcer", "Player 1: Good luck!")
    make(guests, "4")
    expect(one.find("#undo")).not_to_have_attribute("aria-disabled", "true")
    expect(two.find("#undo")).to_have_attribute("aria-disabled", "true")
    make(guests, "6")
    two.find("#undo").click()
    two.reads("#undo-text", re.compile("Waiting for an answer"))
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
    two.reads("#banner", "Player 1 did not let you take back the move.")
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
    one.find("#undo").click()
    two.find("#refuse").click()
    one.reads("#banner", "Player 2 did not let you take back the move.")
    # Who gives up is asked, on any board, and need not have the turn.
    one.tab_to("#resign")
    one.press("Enter")
    one.sees("dialog[open]")
    one.focuses("#no")  # the careful answer
    one.press("Escape")
    one.misses("dialog")
    one.focuses("#resign")
    one.find("#resign").click()
    one.sees("dialog[open]")
    make(guests, "1")
    one.answer("Play on")
    one.on_turn()
    two.find("#resign").click()
    two.answer("Resign")
    one.reads("#status", "You won!")
    two.reads("#status", "You lost this one.")
    two.sees(":focus")
    one.reads("#banner", [""])  # nothing older covers how it ended
    one.reads("#reason", "Player 2 resigned.")
    two.reads("#reason", "You resigned.")
    for person in guests.values():
        person.sees('.cell[data-state="free"]', times=5)  # free numbers stay free
        person.reads("#moves .ply", ["4", "9", "5", "1", "resigns"])
    # In a rematch the other one begins.
    one.find("#rematch").click()
    one.reads("#rematch-text", "Waiting for Player 2 to accept.")
    two.reads("#rematch-text", "Player 1 offers a rematch.")
    two.reads("#rematch", "Accept the rematch")
    two.find("#rematch").click()
    for person in guests.values():
        person.page.wait_for_url(lambda url: not url.endswith(room))
        person.reads(".player[data-turn] .player-name", "Player 2")
        person.reads(".player[data-seat='1'] .notes :last-child", "1 won")
        person.reads(".player[data-seat='2'] .notes :last-child", "0 won")
    assert one.room == two.room != room
    make(guests, "5")
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
    one.reads("#hint-lines", "Which move brings the most points now?")
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
    answer = one.get(f"/api/v1/games/{one.room}/values")
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


# -- rules ----------------------------------------------------------------------------------


@pytest.mark.proof
def test_breaking_a_rule_of_a_strict_game_is_warned_of_and_then_lost(guest: Invite) -> None:
    one = guest()
    room, _ = one.create("factors", "here", moves="6")
    one.open(room)
    one.settled()
    one.find('[data-cell="5"]').click()
    why = "5 is neither a factor nor a multiple of 6."
    one.reads("#question", f"{why} By the rulebook this loses the game.")
    one.answer("Go back")
    one.focuses('[data-cell="5"]')
    one.settled()
    assert one.game()["moves"] == ["6"], "nothing has happened"
    one.press("Enter")
    one.answer("Play anyway")
    one.reads("#status", re.compile("^Player 1 wins"))
    one.reads("#goal", re.compile("5"))
    one.misses("#reason")  # it is said once
    one.reads(".hub", "6")
    one.reads("#moves .ply", ["6", "breaks a rule with 5"])


@pytest.mark.proof
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
    asked = one.listen()
    # A second click upon a blocked number plays no other, either.
    one.find('[data-cell="6"]').dblclick(force=True, delay=0)
    one.reads("#error", "6 is blocked: it is next to your 5.")
    one.find('[data-cell="7"]').click(force=True)
    one.reads("#error", "7 is already claimed.")
    assert f"/api/v1/games/{one.room}/moves" not in asked
