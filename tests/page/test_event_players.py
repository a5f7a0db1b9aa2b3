"""Taking part in an event: from the code on the board to the last game, and what one learns."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.page.browser import Guest, Invite, refusal
from tests.page.event_people import Crowd, Hosting
from tests.page.test_pages import PHONE, is_for_everybody

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


def join(one: Guest, code: str, nickname: str) -> None:
    """Come in as the door would have it, without pressing anything, and wait for a game."""
    one.post(f"/api/v1/events/{code}/join", nickname=nickname, cookie=True)
    one.go(f"/arena/{code}")
    one.reads("#now-title", f"You are {nickname}")


def seated(one: Guest) -> None:
    """Wait until somebody sits before their board."""
    one.page.wait_for_url("**/play/*")
    one.sees("#event")
    expect(one.find("#status")).not_to_be_empty()


def go_on(one: Guest) -> None:
    """Press what leads on from a board, and leave it."""
    board = one.page.url
    one.settled()
    one.find("#onward").click()
    expect(one.page).not_to_have_url(board)


# -- the door -------------------------------------------------------------------------------


def test_a_code_and_a_nickname_are_all_it_takes(guest: Invite, host: Hosting, crowd: Crowd) -> None:
    """What is wrong is said in one sentence, beside the field that it is about."""
    event = host()
    crowd(event.code, "ada")
    one = guest(**PHONE)
    one.allow(refusal(404), refusal(422))
    one.go("/join")
    is_for_everybody(one)
    one.page.set_viewport_size({"width": 320, "height": 640})
    expect(one.find("#code")).to_be_focused()
    one.find("#enter").tap()
    one.reads("#wrong-code", re.compile("^Type the six letters and digits of the event"))
    one.find("#code").fill("333 333")
    one.find("#enter").tap()
    one.reads("#wrong-code", "There is no such event.")
    one.misses("#nickname")
    expect(one.find("#code")).to_have_attribute("aria-invalid", "true")
    one.find("#code").fill(f"{event.code[:3]}-{event.code[3:]}".lower())
    one.find("#nickname").fill("Ada")
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
    expect(one.find("#who li")).to_have_text(["ada", "Ada Two"])
    one.sees("#rules li", times=3)
    # Who takes part already is not asked again.
    one.go(f"/join/{event.code}")
    one.reads("#now-title", "You are Ada Two")
    one.misses("#personal")
    is_for_everybody(one)


def test_four_digits_bring_a_player_to_another_browser(guest: Invite, host: Hosting) -> None:
    event = host()
    told = event.http.post(f"/api/v1/events/{event.code}/join", json={"nickname": "Ada"}).json()
    digits = told["code"]
    one = guest()
    one.allow(refusal(403))
    one.go(f"/arena/{event.code}")
    one.reads("#now-title", "You are not taking part")
    one.find("#before").click()
    one.find("#nickname").fill("Ada")
    one.find("#enter").click()
    one.reads("#wrong-digits", "Type the four digits you were given.")
    one.find("#digits").fill(f"{(int(digits) + 1) % 10_000:04}")
    one.find("#enter").click()
    one.reads("#wrong-digits", re.compile("do not match"))
    one.find("#digits").fill(digits)
    one.press("Enter")
    one.reads("#now-title", "You are Ada")
    one.misses("#personal")
    # There are no hints in an event, even against the computer.
    event.does("add", level="easy", nickname="Robo")
    event.does("start")
    seated(one)
    one.reads("#event-game", "Game with Robo")
    one.sees("#resign")
    one.misses("#undo", "#hint", "#values-row")
    event.does("remove", player=told["player"])
    one.reads("#status", "You are not playing here any more.")
    one.find("#onward").click()
    one.reads("#reason", "The host has taken you out of this event. You can watch the table.")
    event.delete()
    one.reads("#error", re.compile("no such event"))


# -- playing --------------------------------------------------------------------------------


def test_from_the_door_to_the_next_game(guest: Invite, host: Hosting, crowd: Crowd) -> None:
    event = host()
    one = guest(**SMALL_PHONE)
    join(one, event.code, "Ada")  # who came first begins
    (rival,) = crowd(event.code, "Bo")
    one.reads("#clock", "20:00")
    event.does("start")
    seated(one)
    one.reads("#event-game", "Game with Bo")
    one.reads("#event-clock", re.compile(r"^(1\d:\d\d|20:00)$"))
    one.misses("#undo", "#hint", "#values-row", "#onward")
    one.sees("#resign")
    assert one.place("#title")[0] == one.place("#event")[0]  # no gap for a mark that is not there
    board = one.place(".cells")
    line = (
        "Two minutes left, and whoever is done looks at the table." + " Then be quiet, please." * 2
    )
    event.does("broadcast", text=line)
    one.reads("#veil-title", line)
    one.find("#veil-close").tap()
    one.reads("#event-line", line)
    one.sees("#goal")
    one.page.wait_for_function(WHOLE)
    assert one.place(".cells") == board
    one.page.set_viewport_size({"width": 1200, "height": 900})
    one.page.wait_for_function(WHOLE)
    one.page.set_viewport_size({"width": 320, "height": 640})
    for number, move in enumerate(WITH_A_MISTAKE.split()):
        if number % 2:
            wish = {"move": move, "after": one.game()["number"]}
            rival(f"/api/v1/games/{one.room}/moves", wish)
        else:
            one.on_turn()
            one.option(move).tap()
        one.has_more_than(number)
    one.reads("#result", "You won!")
    one.reads("#onward", "Next game: Bo")
    one.misses("#rematch", "#next", ".retry")
    go_on(one)
    one.reads("#event-game", "Game with Bo")
    assert one.get(f"/api/v1/games/{one.room}")["you"] == 2, "the seats are exchanged"
    # A look at the table, and back to the board.
    one.find("#event-table").tap()
    expect(one.find("#standings tr")).to_have_count(2)
    one.find("#go").tap()
    seated(one)
    event.does("pause")
    one.reads("#event-clock", "Paused")
    event.does("resume")
    second = one.room
    rival(f"/api/v1/games/{second}/resign", {"after": one.game()["number"]})
    one.reads("#onward", "Next game: Bo")
    # From the waiting room everybody is taken to the next board by themselves.
    one.go(f"/arena/{event.code}")
    seated(one)
    assert one.room != second
    (pairing,) = event.does("check")["pairings"]
    one.reads("#event-game", "Game with Bo")
    # What the host takes off the board says so, and leads on.
    event.does("cancel", pairing=pairing["number"])
    one.reads("#status", "This game was cancelled.")
    one.misses("#resign")
    one.settled()
    one.option("5").click(force=True)
    one.reads("#error", "This game was cancelled.")
    event.does("end")
    one.reads("#onward", "See how you did")


# -- after the end --------------------------------------------------------------------------


def test_after_the_end_everybody_sees_what_they_did(
    guest: Invite, host: Hosting, crowd: Crowd
) -> None:
    event = host()
    (rival,) = crowd(event.code, "Bo")  # who came first begins
    one = guest(**PHONE)
    join(one, event.code, "Ada")
    event.does("start")
    event.does("broadcast", text="Good luck!")
    seated(one)
    one.find("#veil-close").tap()
    for number, move in enumerate(WITH_A_MISTAKE.split()):
        wish = {"move": move, "after": one.game()["number"]}
        if number % 2:
            one.post(f"/api/v1/games/{one.room}/moves", **wish)
        else:
            rival(f"/api/v1/games/{one.room}/moves", wish)
    one.reads("#result", "You lost this one.")
    one.misses("#learn", "#analyse")
    is_for_everybody(one)
    event.does("end")
    one.reads("#learn", "Learn from my mistakes")
    one.reads("#onward-text", "The event is over.")
    one.page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    one.page.wait_for_function(UNCOVERED)
    go_on(one)
    one.reads("#own-place-title", "Place 2 of 2")
    one.reads("#own-games .mine-state >> nth=0", "You lost")
    lesson = one.find("#own-missed .button")
    expect(lesson).to_have_attribute("href", re.compile("^/learn/duel"))
    one.reads("#own-place p >> nth=1", re.compile(r"Accuracy: \d+ % .* that mattered"))
    is_for_everybody(one)
    one.find("#own-slips a").first.click()
    one.reads("#told", "At move 4, you played 9. Find a better move.")
    one.find("[data-action=show]").click()
    one.sees("#retry")
    one.misses("#onward")
    one.page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    one.page.wait_for_function(UNCOVERED)
    one.find("#to-end").click()
    one.sees("#onward")
