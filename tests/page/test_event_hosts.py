"""Holding an event: somebody makes it, directs it, shows it on the wall, and prints the class."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Route, expect

from tests.page.browser import Guest, Invite, refusal
from tests.page.test_event_players import go_on, join, seated
from tests.page.test_pages import PHONE, is_for_everybody
from tests.web.site import Process

WALL = {"width": 1280, "height": 720}
CLASS = ("Ada", "Bo", "Cem", "Dilara", "Emil", "Fatima", "Gökhan", "Hannah", "Ivo", "Jana")
MISSED = {
    "game": "Sequence Duel",
    "idea": "win",
    "instruction": "Win at once if you can.",
    "times": 3,
    "players": 1,
    "lesson": "sequence-duel",
    "name": "duel",
    "step": 2,
}
SIZES = """selector => [...document.querySelectorAll(selector)]
  .filter((node) => node.checkVisibility() && node.innerText.trim())
  .map((node) => parseFloat(getComputedStyle(node).fontSize))"""
"""How large the letters of some elements are."""
LEFT = """nodes => nodes.map((node) => {
  const range = document.createRange();
  range.selectNodeContents(node);
  return Math.round(range.getBoundingClientRect().left);
})"""
"""Where the letters of some elements begin."""
FITS = """([selector, height]) => [...document.querySelectorAll(selector)]
  .every((node) => node.getBoundingClientRect().bottom <= height)"""
"""Whether some elements end above a height."""
READ_FROM_THE_BACK = 28
"""Pixels of a letter, of the 720 of a wall, that are still seven at a quarter of the size."""


def open_event(one: Guest, *games: str, how: str = "arena") -> str:
    """Make an event with the usual choices, and perhaps other games; its code."""
    one.go("/arena")
    one.find("#format").select_option(how)
    for box in one.find("[name=game]").all():
        if games:
            box.set_checked(box.get_attribute("value") in games)
    one.find("#open").click()
    one.sees("#qr svg")
    return one.find("#code").inner_text()


def host_link(one: Guest) -> str:
    """What the button of the host's link copies."""
    one.find("#copy-host").click()
    one.reads("#copy-host", "Copied")
    return str(one.page.evaluate("navigator.clipboard.readText()"))


def manage(one: Guest, nickname: str) -> None:
    """Open what can be done for somebody."""
    one.find(f'[aria-label="Look after {nickname}"]:visible').click()
    one.reads("#manage-title", nickname)


Crowd = Callable[[str, tuple[str, ...]], None]


@pytest.fixture
def crowd(server: Process) -> Iterator[Crowd]:
    """Have some join over the API, and stay: who has no channel is away after a while."""
    with ExitStack() as stack:
        http = stack.enter_context(httpx.Client(base_url=server.url, timeout=None, trust_env=False))

        def join(code: str, names: tuple[str, ...]) -> None:
            for name in names:
                path = f"/api/events/{code}"
                told = http.post(f"{path}/join", json={"nickname": name}).json()
                headers = {"Authorization": f"Bearer {told['token']}"}
                stack.enter_context(http.stream("GET", f"{path}/events", headers=headers))

        yield join


def add_missed(route: Route) -> None:
    """Tell that somebody has missed an idea, without having every game judged."""
    route.fulfill(json={**route.fetch().json(), "missed": [MISSED]})


# -- making one -----------------------------------------------------------------------------


def test_an_event_is_one_press_away(guest: Invite, server: Process) -> None:
    """With a game for classes, as an arena of twenty minutes; and its secret is sent to nobody."""
    one = guest(permissions=["clipboard-read", "clipboard-write"])
    code = open_event(one)
    one.reads("#what", "Juniper Green · Arena, 20 minutes")
    one.reads("#join-address", f"{server.url.partition('//')[2]}/join")
    link = host_link(one)
    address, _, secret = link.partition("#")
    assert len(secret) == 43
    assert not any(secret in path for path in one.asked)
    assert secret not in server.log.read_text()
    # Nobody reads it off a screen that the whole class sees.
    assert one.page.url == address
    one.page.reload()
    one.sees("#start")
    # A closed tab is no loss: the event is found again where it was made.
    one.page.close()
    one.page = one.context.new_page()
    one.go("/arena")
    one.find("#hosted a").click()
    one.sees("#start")
    # The link works on any device, and leaves the address there, too.
    elsewhere = guest()
    elsewhere.go(link.removeprefix(server.url))
    elsewhere.sees("#start")
    assert elsewhere.page.url == address
    # Nobody else directs it.
    other = guest()
    other.allow(refusal(403))
    for end in ("#wrong", ""):
        other.go(f"/arena/{code}/host{end}")
        other.reads("#error", "Only the host can do this: open the host's link.")
        other.misses("#host")
        other.go("/")
    one.find("summary").click()
    one.find("#delete").click()
    one.answer("Delete it")
    one.page.wait_for_url("**/arena")
    one.sees("#open")
    one.misses("#hosted")
    other.allow(refusal(404))
    other.go(f"/arena/{code}/wall")
    other.sees("text=There is nothing here")


def test_what_makes_no_sense_is_said_where_it_is(guest: Invite) -> None:
    one = guest()
    one.allow(refusal(422))
    one.go("/arena")
    one.find("[value=factors]").uncheck()
    one.find("#open").click()
    one.reads("#no-game", "Choose at least one game.")
    one.find("[value=factors]").check()
    one.find("[value=duel]").check()
    one.find("#minutes").fill("0")
    one.find("#open").click()
    expect(one.find("#minutes")).to_be_focused()
    one.reads("#wrong-minutes", re.compile("1"))
    one.find("#minutes").fill("4")
    one.reads("#wrong-minutes", "")
    one.find("#minutes").fill("0")
    # A length that is not asked for is not in the way.
    one.find("#format").select_option("swiss")
    one.find("#rounds").fill("3")
    one.find("#more summary").click()
    one.misses('fieldset[data-game="line"]')
    size = one.find('fieldset[data-game="duel"] [data-parameter=n]')
    size.fill("1")
    one.find("#more summary").click()
    one.find("#open").click()
    expect(size).to_be_focused()
    size.fill("12")
    one.find("#level").select_option("hard")
    one.find("#open").click()
    one.reads("#what", re.compile(r"^Juniper Green, Sequence Duel \(.*12.*\) · Swiss, 3 rounds$"))
    event = one.get(f"/api/events/{one.find('#code').inner_text()}")["event"]
    assert (event["level"], event["rounds"]) == ("hard", 3)
    one.go("/arena")
    expect(one.find("#format")).to_have_value("swiss")  # What was chosen last is kept.


# -- directing it ---------------------------------------------------------------------------


def test_a_host_leads_a_class_from_the_code_to_the_printed_page(
    guest: Invite, tmp_path: Path
) -> None:
    one, ada, bo = guest(), guest(), guest()
    wall = guest(**WALL)
    code = open_event(one, "duel")
    wall.go(f"/arena/{code}/wall")
    wall.sees("#qr svg")
    wall.reads("#code", f"{code[:3]} {code[3:]}")
    for person, name in ((ada, "Ada"), (bo, "Bob")):
        join(person, code, name)
    expect(wall.find("#here li")).to_have_text(["Ada", "Bob"])
    expect(one.find(".person")).to_have_text(["Ada", "Bob"])
    one.allow(refusal(422))
    manage(one, "Bob")
    rename = one.find(".manage form").first
    rename.get_by_role("textbox").fill("ada")
    one.press("Enter")
    one.reads(".manage .alert", re.compile("nickname"))
    rename.get_by_role("textbox").fill("Bo")
    one.press("Enter")
    one.misses("dialog")
    expect(wall.find("#here li")).to_have_text(["Ada", "Bo"])
    manage(one, "Bo")
    one.find("dialog").get_by_role("button", name="New four digits").click()
    one.reads(".personal", re.compile(r"^New four digits of Bo: \d{4}$"))
    one.press("Escape")
    one.find("#lock").check()
    wall.reads("#here-title", "2 here. The door is locked.")
    # Now they play.
    one.find("#start").click()
    expect(one.find("#phase")).to_be_focused()
    one.reads("#clock", re.compile(r"^(1\d:\d\d|20:00)$"))
    seated(ada, bo)
    wall.misses("#door", "#late")
    wall.sees("#board [data-cell]", times=9)
    expect(one.find(".doing").first).to_have_text("plays Bo")
    one.find("#line").fill("Think first!")
    one.press("Enter")
    wall.reads("#message", "Think first!")
    one.find("#untell").click()
    wall.reads("#message", "")
    one.find("#pause").click()
    wall.reads("#what", "Paused")
    one.find("#resume").dispatch_event("click", {"detail": 2})  # That was a double click.
    one.find("#extend").click()
    one.reads("#clock", re.compile("^2[1-5]:"))
    one.find("#resume").click()
    # The host decides who plays whom.
    one.find(".pair button").click()
    one.answer("Let them play")
    one.find(".pair button").click()
    one.answer("Cancel the pairing")
    ada.reads("#status", "This game was called off.")
    go_on(ada, bo)
    seated(ada, bo)  # they are paired anew
    manage(one, "Ada")
    one.find("dialog").get_by_role("button", name="The games go to Bo").click()
    one.find("#yes").click()
    one.misses("dialog")
    expect(wall.find("#rows td:nth-child(3)")).to_have_text(["2", "0"])
    one.find("#lock").uncheck()
    one.find("summary").click()
    one.find("#added-level").select_option("easy")
    one.find("#adding button").click()
    expect(one.find(".person")).to_have_count(3)
    one.page.route("**/class", add_missed)
    one.find("#end").click()
    one.answer("End it")
    # What is left of it.
    wall.reads("#what", "The event is over")
    wall.sees("#podium li strong")
    expect(one.find("#class-rows tr")).to_have_count(3)
    one.reads("#missed li", re.compile("^Win at once .* Sequence Duel: 3 times, by 1 player"))
    expect(one.find("#missed a")).to_have_attribute("href", "/learn/duel#2")
    with one.page.expect_download() as saved:
        one.find("#csv").click()
    saved.value.save_as(tmp_path / "table.csv")
    assert {"Ada", "Bo"} <= set(re.findall(r"\w+", (tmp_path / "table.csv").read_text("utf-8")))
    manage(one, "Ada")
    one.find("dialog").get_by_role("button", name="Remove").click()
    one.find("#yes").click()
    expect(one.find("#class-rows tr")).to_have_count(2)
    one.page.emulate_media(media="print")
    one.sees("#missed li")
    one.misses(".host-side", ".button", "#people-part", ".top")
    # The tab knows the event still; who comes to the browser later does not.
    one.page.reload()
    expect(one.find("#class-rows tr")).to_have_count(2)
    one.page.close()
    one.page = one.context.new_page()
    one.allow(refusal(403))
    one.go(f"/arena/{code}/host")
    one.sees("#stranger")
    one.go("/arena")
    one.sees("#open")
    one.misses("#hosted")


# -- on the wall ----------------------------------------------------------------------------


def looks(wall: Guest, phase: str, letters: str, shown: str) -> None:
    """All that is shown is on the screen, whatever its size, and these letters are large."""
    for height in (1080, 720):
        wall.page.set_viewport_size({"width": height * 16 // 9, "height": height})
        wall.page.wait_for_function(FITS, arg=[f"{shown}, .wall-tools *", height])
        sizes = wall.page.evaluate(SIZES, letters)
        assert min(sizes) >= READ_FROM_THE_BACK * height / 720, (phase, height, sizes)


def test_a_wall_is_read_from_the_back_row(guest: Invite, crowd: Crowd) -> None:
    one, wall = guest(), guest(**WALL)
    code = open_event(one, "factors")
    crowd(code, CLASS)
    wall.go(f"/arena/{code}/wall")
    wall.sees("#here li", times=len(CLASS))
    looks(wall, "open", ".wall-door :is(h2, p, li)", ".wall-door *")
    assert min(wall.page.evaluate(SIZES, "#code")) >= 100
    one.find("#start").click()
    wall.sees("#board [data-cell]")
    wall.sees("#rows tr", times=9)
    one.find("#line").fill("Two minutes left")
    one.press("Enter")
    wall.sees("#message:not(:empty)")
    wall.page.wait_for_function(FITS, arg=["[data-cell]", WALL["height"]])  # It makes room.
    told = "#clock, #rows :is(td, th), #message, #status, .cell .number"
    looks(wall, "running", told, "#rows tr, [data-cell], #board :is(p, li)")
    one.find("#end").click()
    one.answer("End it")
    wall.reads("#what", "The event is over")
    looks(wall, "ended", "#rows :is(td, th)", "#rows tr")


def test_the_rest_of_the_table_and_other_boards_come_in_turn(guest: Invite, crowd: Crowd) -> None:
    one, wall = guest(), guest(**WALL)
    code = open_event(one, "factors", "duel")
    crowd(code, CLASS)
    one.find("#start").click()
    wall.page.clock.install()
    wall.go(f"/arena/{code}/wall")
    wall.sees("#board [data-cell]")
    wall.page.clock.pause_at(wall.page.evaluate("Date.now() / 1000 + 1"))
    first, players = wall.texts("#rows th"), wall.texts("#board .player-name")
    wall.page.clock.run_for(8000)
    expect(wall.find("#board .player-name").first).not_to_have_text(players[0])
    second = wall.texts("#rows th")
    assert second[:3] == first[:3], "the leaders stay"
    assert set(first) | set(second) == set(CLASS)
    wall.find("#hold").click()
    wall.page.clock.run_for(8000)
    assert wall.texts("#rows th") == second
    # Whoever is removed is gone from the wall at once, whatever it holds.
    removed = wall.find("#board .player-name").first.inner_text()
    manage(one, removed)
    one.find("dialog").get_by_role("button", name="Remove").click()
    one.find("#yes").click()
    expect(wall.find("#board .player-name").first).not_to_have_text(removed)
    wall.sees("#board [data-cell]")


def test_two_are_paired_by_hand_whatever_way_their_names_are_written(
    guest: Invite, crowd: Crowd
) -> None:
    one = guest()
    code = open_event(one, "duel", how="swiss")
    crowd(code, ("Ada", "דניאל 7", "Cem", "נועה"))
    one.find("#start").click()
    one.sees(".pair", times=2)
    assert len(set(one.find(".person").evaluate_all(LEFT))) == 1, "they stand in one column"
    cancelled = one.texts(".pair strong")[0]
    one.find(".pair button").first.click()
    one.answer("Cancel the pairing")
    one.sees(".pair", times=1)
    # Pressed twice it is done once.
    manage(one, re.split(" – ", cancelled)[0].strip("\u2068\u2069"))
    one.find("dialog").get_by_role("button", name="Pair them").dblclick()
    one.misses("dialog")
    one.sees(".pair", times=2)
    assert one.texts(".pair strong")[1] == cancelled
    one.page.reload()
    one.sees(".pair", times=2)


# -- for everybody --------------------------------------------------------------------------


def test_the_pages_of_a_host_are_for_everybody(guest: Invite, crowd: Crowd) -> None:
    one = guest(**PHONE)
    one.go("/arena")
    one.find("#more summary").click()
    is_for_everybody(one)
    code = open_event(one, "duel")
    crowd(code, CLASS[:3])
    wall = guest(**PHONE)
    wall.go(f"/arena/{code}/wall")
    wall.sees("#here li", times=3)
    is_for_everybody(wall)
    one.find("#start").click()
    one.find("summary").click()
    one.sees(".pair")
    is_for_everybody(one)
    wall.sees("#board [data-cell]")
    is_for_everybody(wall)
    manage(one, "Cem")
    is_for_everybody(one)
    one.press("Escape")
    one.find("#end").click()
    one.answer("End it")
    expect(one.find("#class-rows tr")).to_have_count(3)
    is_for_everybody(one)
    wall.reads("#what", "The event is over")
    is_for_everybody(wall)
