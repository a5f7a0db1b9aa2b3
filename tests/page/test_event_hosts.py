"""Holding an event: somebody makes it, directs it, shows it on the wall, and prints the class."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Route, expect

from numduel.events.friendly import WORDS
from tests.page.browser import Guest, Invite, refusal
from tests.page.event_people import Crowd, Hosting
from tests.page.test_pages import PHONE, is_for_everybody
from tests.web.site import Process, until

BROKEN = """words => words.filter((word) => {
  const step = document.querySelector("#podium li:last-child .step-names").cloneNode(true);
  const [name] = step.children;
  name.textContent = word;
  name.style.setProperty("--letters", word.length);
  document.querySelector("#podium li:last-child").prepend(step);
  const lines = new Range();
  lines.selectNodeContents(name);
  const broken = lines.getClientRects().length > 1;
  step.remove();
  return broken;
})"""
"""Those of some words that are broken on the podium."""
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
APART = """selectors => {
  const [one, other] = selectors.map((selector) =>
    document.querySelector(selector)?.getBoundingClientRect());
  return one?.height > 0 && other?.height > 0 && one.bottom <= other.top;
}"""
"""Whether something ends above something else; not before both are there."""
TORN = """selector => [...document.querySelectorAll(selector)].flatMap(({ firstChild }) =>
  [...firstChild.data.matchAll(/\\S+/g)].filter((word) => {
    const letters = new Range();
    letters.setStart(firstChild, word.index);
    letters.setEnd(firstChild, word.index + word[0].length);
    return letters.getClientRects().length > 1;
  })).map(([word]) => word)"""
"""The words in some elements that are broken, or stand in two lines."""
LINES = """selector => {
  const letters = new Range();
  letters.selectNodeContents(document.querySelector(selector));
  return letters.getClientRects().length;
}"""
"""In how many lines a text stands."""
LONG_NAMES = [f"{quality} {animal}" for quality, animal in zip(
    ["Brave", "Playful", "Cheerful", "Friendly", "Adventurous"] * 2,
    ["Giraffe", "Badger", "Falcon", "Hedgehog", "Salmon", "Squirrel", "Turtle", "Wombat",
     "Raccoon", "Parrot"], strict=True)]  # fmt: skip
READ_FROM_THE_BACK = 28
"""Pixels of a letter, of the 720 of a wall, that are still seven at a quarter of the size."""


def host_link(one: Guest) -> str:
    """What the button of the host's link copies."""
    one.find("#copy-host").click()
    one.reads("#copy-host", "Copied")
    return str(one.page.evaluate("navigator.clipboard.readText()"))


def manage(one: Guest, nickname: str) -> None:
    """Open what can be done for somebody."""
    one.find(f'[aria-label="Options for {nickname}"]:visible').click()
    one.reads("#manage-title", nickname)


def add_missed(route: Route) -> None:
    """Tell that somebody has missed an idea, without having every game judged."""
    route.fulfill(json={**route.fetch().json(), "missed": [MISSED]})


# -- making one -----------------------------------------------------------------------------


def test_an_event_is_one_press_away(guest: Invite, server: Process) -> None:
    """With a game for classes, as an arena of twenty minutes; and its secret is sent to nobody."""
    one = guest(permissions=["clipboard-read", "clipboard-write"])
    asked = one.listen()
    one.go("/arena")
    one.find("#open").click()
    one.sees("#qr svg")
    code = one.find("#code").inner_text()
    one.reads("#what", "Juniper Green (even first number) · Arena, 20 minutes")
    one.reads("#join-address", f"{server.url.partition('//')[2]}/join")
    link = host_link(one)
    address, _, secret = link.partition("#")
    assert len(secret) == 43
    assert not any(secret in path for path in asked)
    assert secret not in server.log.read_text()
    # Nobody reads it off a screen that the whole class sees.
    assert one.page.url == address
    # A closed tab is no loss: the event is found again where it was made.
    one.page.close()
    one.page = one.context.new_page()
    one.go("/arena")
    one.find("#hosted a").click()
    one.sees("#start")
    # Nobody else directs it, unless they have the link: that works on any device, and leaves the
    # address there, too.
    other = guest()
    other.allow(refusal(403))
    other.go(f"/arena/{code}/host")
    other.sees("#stranger")
    other.go("/arena")
    other.go(f"/arena/{code}/host#wrong")
    other.reads("#error", "Only the host can do this; open the host's link.")
    other.sees("#stranger")
    other.misses("#host")
    other.page.evaluate("secret => { location.hash = secret; }", secret)
    other.sees("#start")
    assert other.page.url == address
    one.find(".host-more summary").click()
    one.find("#delete").click()
    one.answer("Delete it")
    one.page.wait_for_url("**/arena")
    one.sees("#open")
    one.misses("#hosted")


def test_the_plan_of_a_lesson_makes_its_events(guest: Invite) -> None:
    one = guest()
    for plan, which, told in (
        ("factors", "first", "Juniper Green · Arena, 12 minutes · Forgiving"),
        ("factors", "second", "Juniper Green (even first number) · Arena, 12 minutes · Forgiving"),
        ("duel", "second", "Sequence Duel (the size of the pool: 12) · Arena, 9 minutes"),
    ):
        one.go(f"/teach/{plan}")
        one.page.get_by_role("link", name=f"Make the {which} event").click()
        expect(one.find("#forgiving")).to_be_checked(checked=plan == "factors")
        one.find("#open").click()
        one.reads("#what", told)


def test_what_makes_no_sense_is_said_where_it_is(guest: Invite) -> None:
    one = guest(**PHONE)
    one.allow(refusal(422))
    one.go("/arena")
    one.find("#more summary").click()
    is_for_everybody(one)
    one.find("#more summary").click()
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
    one.reads(
        "#what", re.compile(r"^Juniper Green \(even.*\), Sequence Duel \(.*12\) · Swiss, 3 rounds$")
    )
    event = one.get(f"/api/v1/events/{one.find('#code').inner_text()}")["event"]
    assert (event["level"], event["rounds"]) == ("hard", 3)
    one.go("/arena")
    expect(one.find("#format")).to_have_value("swiss")  # What was chosen last is kept.


# -- directing it ---------------------------------------------------------------------------


def test_a_host_leads_a_class_from_the_code_to_the_printed_page(
    guest: Invite, host: Hosting, crowd: Crowd, tmp_path: Path
) -> None:
    """On pages that are for everybody, whatever happens."""
    event = host()
    crowd(event.code, "Ada", "Bob")
    one, wall = guest(**PHONE), guest(**PHONE)
    one.go(event.page)
    wall.go(f"/arena/{event.code}/wall")
    wall.sees("#qr svg")
    wall.reads("#code", f"{event.code[:3]} {event.code[3:]}")
    expect(wall.find("#here li")).to_have_text(["Ada", "Bob"])
    wall.find("#code").evaluate("code => { code.textContent = 'WWW WWW'; }")  # the widest there is
    is_for_everybody(wall)
    expect(one.find(".person:visible")).to_have_text(["Ada", "Bob"])
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
    one.reads(".personal", re.compile(r"^New four digits for Bo: \d{4}$"))
    is_for_everybody(one)
    one.press("Escape")
    one.find("#lock").check()
    wall.reads("#here-title", "2 here. The door is locked.")
    # Now they play.
    one.find("#start").click()
    expect(one.find("#phase")).to_be_focused()
    one.reads("#clock", re.compile(r"^(1\d:\d\d|20:00)$"))
    wall.misses("#door", "#late")
    wall.sees("#board [data-cell]", times=9)
    is_for_everybody(wall)
    expect(one.find(".doing").first).to_have_text("playing Bo")
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
    one.find(".host-more summary").click()
    is_for_everybody(one)
    # The host decides who plays whom.
    one.find(".pair button").click()
    one.answer("Let them play")
    one.find(".pair button").click()
    (first,) = event.does("check")["pairings"]
    one.answer("Cancel the pairing")

    def anew() -> list[str]:
        now = event.does("check")["pairings"]
        return [pair["id"] for pair in now if pair["number"] != first["number"]]

    until(lambda: anew() != [], "they are paired anew")
    one.sees(f'.pair a[href="/play/{anew()[0]}"]')
    manage(one, "Ada")
    one.find("dialog").get_by_role("button", name="Give the game to Bo").click()
    one.find("#yes").click()
    one.misses("dialog")
    expect(wall.find("#rows td:nth-child(3)")).to_have_text(["1", "0"])
    one.find("#lock").uncheck()
    one.find("#added-level").select_option("easy")
    one.find("#adding button").click()
    expect(one.find(".person:visible")).to_have_count(3)
    one.page.route("**/class", add_missed)
    one.find("#end").click()
    one.answer("End it")
    # What is left of it.
    wall.reads("#what", "The event is over")
    wall.sees("#podium li strong")
    assert wall.page.evaluate(BROKEN, [*{*" ".join(WORDS["en"].every_name()).split()}]) == []
    is_for_everybody(wall)
    expect(one.find("#class-rows tr")).to_have_count(3)
    one.reads("#missed li", re.compile("^Win at once .* Sequence Duel: 3 times, by 1 player"))
    expect(one.find("#missed a")).to_have_attribute("href", "/learn/duel#2")
    is_for_everybody(one)
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


# -- on the wall ----------------------------------------------------------------------------


def looks(wall: Guest, letters: str, shown: str) -> None:
    """All that is shown is on the screen, whatever its size, and these letters are large."""
    for height in (1080, 720):
        wall.page.set_viewport_size({"width": height * 16 // 9, "height": height})
        wall.page.wait_for_function(FITS, arg=[f"{shown}, .wall-tools *", height])
        # The board follows the screen a frame later.
        least = READ_FROM_THE_BACK * height / 720
        wall.page.wait_for_function(
            f"([chosen, least]) => Math.min(...({SIZES})(chosen)) >= least", arg=[letters, least]
        )


def test_a_wall_is_read_from_the_back_row(guest: Invite, host: Hosting, crowd: Crowd) -> None:
    event, wall = host(games=[{"game": "factors"}]), guest(**WALL)
    crowd(event.code, *CLASS)
    wall.go(f"/arena/{event.code}/wall")
    wall.sees("#here li", times=len(CLASS))
    looks(wall, ".wall-door :is(h2, p, li)", ".wall-door *")
    assert min(wall.page.evaluate(SIZES, "#code")) >= 100
    event.does("start")
    wall.sees("#board [data-cell]")
    wall.sees("#rows tr", times=len(CLASS))
    event.does("broadcast", text="Two minutes left")
    wall.sees("#message:not(:empty)")
    wall.page.wait_for_function(FITS, arg=["[data-cell]", WALL["height"]])  # It makes room.
    told = "#clock, #rows :is(td, th), #message, #status, .cell .number"
    looks(wall, told, "#rows tr, [data-cell], #board :is(p, li)")
    event.does("end")
    wall.reads("#what", "The event is over")
    looks(wall, "#rows :is(td, th)", "#rows tr")


def test_nothing_on_the_wall_covers_anything_else_and_no_word_is_broken(
    guest: Invite, host: Hosting, crowd: Crowd
) -> None:
    event, wall = host(teams=True, format="swiss", move_seconds=600), guest(**WALL)
    crowd(event.code, *LONG_NAMES)
    wall.go(f"/arena/{event.code}/wall")
    wall.sees("#here li", times=len(LONG_NAMES))
    wall.page.wait_for_function(APART, arg=[".wall-tools", "#qr svg"])
    wall.page.wait_for_function(APART, arg=["#qr svg", "#here-title"])
    event.does("start")
    wall.sees("#board [data-cell]")
    names = "#board .player-name, #rows th"
    wall.page.wait_for_function(f"names => !({TORN})(names).length", arg=names)
    expect(wall.find("#teams")).to_have_text("● Blue 0 : 0 Orange ◆")
    wall.page.wait_for_function(f"teams => ({LINES})(teams) === 1", arg="#teams")


def test_two_are_paired_by_hand_whatever_way_their_names_are_written(
    guest: Invite, host: Hosting, crowd: Crowd
) -> None:
    event, one = host(format="swiss"), guest()
    crowd(event.code, "Ada", "דניאל 7", "Cem", "נועה")
    event.does("start")
    one.go(event.page)
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
