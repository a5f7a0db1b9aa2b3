"""Taking part in an event: from the code on the board to the second game, and what one learns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from tests.page.browser import Guest, Invite, refusal
from tests.page.test_pages import PHONE, is_for_everybody
from tests.web.site import Process

SMALL_PHONE = {"width": 320, "height": 640, "has_touch": True, "is_mobile": True}
WITH_A_MISTAKE = "1 5 4 9 7"
"""A game of duel that seat 1 wins, because seat 2 makes a mistake at move 4."""
WHOLE = """() => {
  const lines = document.querySelector(".lines");
  return lines.scrollHeight <= lines.clientHeight;
}"""
"""Whether all that is said above the board is seen."""
UNCOVERED = """() => {
  const [board, bar] = [".cells", "#end"].map((selector) =>
    document.querySelector(selector).getBoundingClientRect());
  return board.bottom + scrollY <= bar.top;
}"""
"""Whether the bar of a phone leaves the whole board to be seen."""


class Host:
    """Who holds an event, over the API."""

    def __init__(self, url: str, **wishes: Any) -> None:
        self.http = httpx.Client(base_url=url, trust_env=False)
        made = self.http.post("/api/events", json={"games": [{"game": "duel"}], **wishes}).json()
        self.code = str(made["code"])
        self.http.headers["Authorization"] = f"Bearer {made['host']}"

    def does(self, action: str, **body: Any) -> Any:
        """Do something as the host; the event then."""
        answer = self.http.post(f"/api/events/{self.code}/host/{action}", json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()["event"]

    def delete(self) -> None:
        """Have nothing left of the event."""
        assert self.http.delete(f"/api/events/{self.code}").status_code == 204


Hosting = Callable[..., Host]


@pytest.fixture
def host(server: Process) -> Iterator[Hosting]:
    """Have an event made."""
    with ExitStack() as hosts:

        def make(**wishes: Any) -> Host:
            made = Host(server.url, **wishes)
            hosts.callback(made.http.close)
            return made

        yield make


def join(one: Guest, code: str, nickname: str) -> str:
    """Come in by the link with the code; the four digits, which are written down."""
    one.go(f"/join/{code}")
    one.find("#nickname").fill(nickname)
    one.find("#enter").click()
    one.reads("#digits", re.compile(r"^\d{4}$"))
    digits = one.find("#digits").inner_text()
    one.find("#written").click()
    one.misses("#personal")
    return digits


def seated(*guests: Guest) -> dict[int, Guest]:
    """Wait until everybody sits before their board; those of one game by their seats."""
    for one in guests:
        one.page.wait_for_url("**/play/*")
        one.sees("#event-game")
        expect(one.find("#status")).not_to_be_empty()
    return {one.get(f"/api/games/{one.room}")["you"]: one for one in guests}


def go_on(*guests: Guest) -> None:
    """Have everybody press what leads on from their board, and leave it."""
    for one in guests:
        board = one.page.url
        one.settled()
        one.find("#onward").click()
        expect(one.page).not_to_have_url(board)


def act(one: Guest, action: str, **body: Any) -> None:
    """Do something in a game as its page would."""
    one.post(f"/api/games/{one.room}/{action}", after=one.game()["number"], **body)


def play(seats: dict[int, Guest], moves: str) -> None:
    for number, move in enumerate(moves.split()):
        act(seats[1 + number % 2], "moves", move=move)


# -- the door -------------------------------------------------------------------------------


def test_a_code_and_a_nickname_are_all_it_takes(guest: Invite, host: Hosting) -> None:
    """What is wrong is said in one sentence, beside the field that it is about."""
    event = host()
    one, two = guest(**SMALL_PHONE), guest(**SMALL_PHONE)
    one.allow(refusal(404), refusal(422))
    one.go("/join")
    expect(one.find("#code")).to_be_focused()
    one.find("#enter").tap()
    one.reads("#wrong-code", "Type the code: six letters and digits.")
    one.find("#code").fill("333 333")
    one.find("#nickname").fill("Ada")
    one.find("#enter").tap()
    one.reads("#wrong-code", "There is no such event.")
    expect(one.find("#code")).to_have_attribute("aria-invalid", "true")
    join(two, event.code, "ada")
    one.find("#code").fill(f"{event.code[:3]}-{event.code[3:]}".lower())
    one.find("#enter").tap()
    expect(one.find("#nickname")).to_be_focused()
    one.reads("#wrong-code", "")
    one.reads("#wrong-nickname", "Somebody here has that nickname; choose another.")
    event.does("lock", locked=True)
    one.find("#nickname").fill("Ada Two")
    one.find("#enter").tap()
    one.reads("#wrong-nickname", "")
    one.reads("#wrong-code", re.compile(r"\w.*\.$"))
    event.does("lock", locked=False)
    one.press("Enter")
    # The digits stay until they are written down, and are not shown again.
    one.reads("#digits", re.compile(r"^\d{4}$"))
    digits = one.find("#digits").inner_text()
    one.page.reload()
    one.reads("#digits", digits)
    one.find("#written").tap()
    one.misses("#personal")
    one.page.reload()
    one.reads("#now-title", "You are Ada Two")
    one.misses("#personal")
    for person in (one, two):
        expect(person.find("#who li")).to_have_text(["ada", "Ada Two"])
    # Who takes part already is not asked again.
    one.go(f"/join/{event.code}")
    one.reads("#now-title", "You are Ada Two")


def test_four_digits_bring_a_player_to_another_browser(guest: Invite, host: Hosting) -> None:
    event = host()
    one, other = guest(), guest()
    other.allow(refusal(403))
    digits = join(one, event.code, "Ada")
    other.go(f"/arena/{event.code}")
    other.reads("#now-title", "You do not take part here")
    other.find("#before").click()
    other.find("#nickname").fill("Ada")
    other.find("#enter").click()
    other.reads("#wrong-digits", "Type the four digits that you were given.")
    other.find("#digits").fill(f"{(int(digits) + 1) % 10_000:04}")
    other.find("#enter").click()
    other.reads("#wrong-digits", re.compile("do not belong together"))
    other.find("#digits").fill(digits)
    other.press("Enter")
    other.reads("#now-title", "You are Ada")
    other.misses("#personal")
    one.reads("#reason", re.compile("^You go on in another browser."))
    one.misses("#go")
    # There are no hints in an event, even against the computer.
    event.does("add", level="easy", nickname="Robo")
    event.does("start")
    seated(other)
    other.reads("#event-game", "Game 1 of 2 with Robo")
    other.sees("#resign")
    other.misses("#undo", "#hint", "#values-row")
    event.does("remove", player=1)
    other.reads("#status", "You do not play here any more.")
    other.find("#onward").click()
    other.reads("#reason", "The host has removed you from this event.")
    other.page.reload()
    other.reads("#reason", "The host has removed you from this event.")
    event.delete()
    other.reads("#error", re.compile("no such event"))


# -- playing --------------------------------------------------------------------------------


def test_from_the_door_to_the_second_game(guest: Invite, host: Hosting) -> None:
    event = host()
    one, two = guest(**SMALL_PHONE), guest()
    for person, name in ((one, "Ada"), (two, "Bo")):
        join(person, event.code, name)
    one.reads("#clock", "20:00")
    event.does("start")
    seats = seated(one, two)
    one.reads("#event-game", "Game 1 of 2 with Bo")
    one.reads("#event-clock", re.compile(r"^(1\d:\d\d|20:00)$"))
    one.misses("#undo", "#hint", "#values-row", "#onward")
    one.sees("#resign")
    board = one.place(".cells")
    line = (
        "Two minutes left, and whoever is done looks at the table." + " Then be quiet, please." * 2
    )
    event.does("broadcast", text=line)
    for person in (one, two):
        person.reads("#event-line", line)
        person.sees("#goal")
        person.page.wait_for_function(WHOLE)
    assert one.place(".cells") == board
    for number, move in enumerate(WITH_A_MISTAKE.split()):
        mover = seats[1 + number % 2]
        mover.on_turn()
        mover.click(move)
        for person in (one, two):
            person.has_more_than(number)
    seats[1].reads("#result", "You won!")
    one.reads("#onward", "Next game: Bo")
    one.misses("#rematch", "#next", ".retry")
    first = two.room
    go_on(one, two)
    one.reads("#event-game", "Game 2 of 2 with Bo")
    assert seated(two, one)[1] is seats[2], "the seats are exchanged"
    # A look at the table, and back to the board.
    one.find("#event-table").tap()
    expect(one.find("#standings tr")).to_have_count(2)
    one.find("#go").tap()
    seated(one)
    event.does("pause")
    one.reads("#event-clock", "Paused")
    act(one, "resign")
    two.reads("#onward-text", "The host has paused the event.")
    go_on(two)
    two.reads("#reason", "The host has paused the event.")
    # From the waiting room everybody is taken to the next board by themselves.
    event.does("resume")
    event.does("pair")
    seated(two)
    one.reads("#onward", "Next game: Bo")
    two.page.reload()
    two.reads("#event-game", "Game 1 of 2 with Ada")
    two.open(first)  # a match that is over
    two.reads("#event-game", "Game 1 of 2 with Ada")
    two.open(one.room)
    two.reads("#event-game", "Game 2 of 2 with Ada")


def test_a_game_that_is_taken_off_the_board_says_so_and_leads_on(
    guest: Invite, host: Hosting
) -> None:
    games = [{"game": "factors", "variant": {"first": "even"}}]
    event = host(legs=1, games=games, format="swiss", rounds=3)
    one, two, watcher, wall = guest(**SMALL_PHONE), guest(), guest(), guest()
    for person, name in ((one, "Ada"), (two, "Bo")):
        join(person, event.code, name)
    event.does("start")
    seats = seated(one, two)
    one.reads("#event-game", "Game with Bo")
    event.does("forfeit", player=1)
    one.reads("#status", "This game was given to Bo.")
    two.reads("#status", "This game was given to you.")
    one.misses("#resign")
    expect(one.find(".turn")).to_have_text(["", ""])
    one.reads("#onward", "Next game: Bo")
    one.reads("#event-clock", "Round 1 of 3")  # That of the game that is still looked at.
    go_on(one, two)
    seats = seated(one, two)
    one.reads("#event-clock", "Round 2 of 3")
    (pairing,) = event.does("check")["pairings"]
    watcher.open(one.room)
    wall.go(f"/arena/{event.code}/wall")
    for looker in (one, watcher, wall):  # Which numbers can be taken is for the players to find.
        looker.sees('[data-cell][data-state="free"]', times=20)
    watcher.misses("#end")
    event.does("cancel", pairing=pairing["number"])
    one.reads("#status", "This game was called off.")
    watcher.reads("#status", "This game goes on no more.")
    watcher.reads("#onward", "To the event")
    seats[1].settled()
    seats[1].find('[data-cell="5"]').click(force=True)
    seats[1].reads("#error", "This game was called off.")
    event.does("end")
    one.reads("#onward", "See how you did")


# -- after the end --------------------------------------------------------------------------


def test_after_the_end_everybody_sees_what_they_did(guest: Invite, host: Hosting) -> None:
    event = host()
    one, two = guest(**PHONE), guest(**PHONE)
    one.go("/join")
    is_for_everybody(one)
    for person, name in ((one, "Ada"), (two, "Bo")):
        join(person, event.code, name)
    is_for_everybody(one)
    event.does("start")
    event.does("broadcast", text="Good luck!")
    seats = seated(one, two)
    play(seats, WITH_A_MISTAKE)
    winner, loser = seats[1], seats[2]
    loser.reads("#result", "You lost this one.")
    loser.reads("#report", re.compile("when the whole match is over"))
    loser.misses("#learn", "#analyse")
    is_for_everybody(loser)
    # A class asks all at once, and some are refused: they are not left without their page.
    loser.allow(refusal(429))
    busy = {"error": "Too many requests."}
    loser.page.route("**/me", lambda route: route.fulfill(status=429, json=busy), times=1)
    event.does("end")
    loser.reads("#learn", "Learn from my mistakes")
    loser.reads("#onward-text", "The event is over.")
    loser.page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    loser.page.wait_for_function(UNCOVERED)
    go_on(winner)
    loser.page.clock.install()
    with loser.page.expect_response("**/me"):
        go_on(loser)
    loser.page.clock.run_for(5000)
    winner.reads("#own-place-title", "Place 1 of 2")
    loser.reads("#own-place-title", "Place 2 of 2")
    loser.reads("#own-games .mine-state >> nth=0", "You lost")
    loser.reads("#own-games .mine-state >> nth=1", "Not played")
    lesson = loser.find("#own-missed .button")
    expect(lesson).to_have_attribute("href", re.compile("^/learn/duel"))
    loser.reads("#own-place p >> nth=1", "50 % good choices: 1 of 2 choices gave nothing away.")
    is_for_everybody(loser)
    loser.find("#own-slips a").first.click()
    loser.reads("#status", "Looking at move 4.")
    loser.sees("#retry")
    loser.misses("#onward")
    loser.page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    loser.page.wait_for_function(UNCOVERED)
    loser.find("#to-end").click()
    loser.sees("#onward")
