"""What a class looks at: a mistake on the wall, the first places, and a puzzle while it waits."""

from __future__ import annotations

import re
from collections.abc import Sequence

from playwright.sync_api import expect

from tests.page.browser import Invite
from tests.page.event_people import Ask, Crowd, Host, Hosting
from tests.page.test_event_hosts import WALL
from tests.page.test_event_players import WITH_A_MISTAKE, join, seated
from tests.page.test_pages import PHONE, is_for_everybody
from tests.web.site import until

IN_ITS_BOX = """() => {
  const edge = (selector) => document.querySelector(selector).getBoundingClientRect().right;
  return edge("#class table") < edge("#class");
}"""
"""Whether the table of the class is no wider than the box around it."""


def play(event: Host, players: Sequence[Ask]) -> None:
    """Let the first two who joined play a game, which the one who begins wins."""
    (pairing,) = until(lambda: event.does("check")["pairings"], "a pairing")
    path = f"/api/v1/games/{pairing['id']}"
    for ply, move in enumerate(WITH_A_MISTAKE.split()):
        mover = players[pairing["players"][ply % 2] - 1]
        after = event.http.get(path).json()["game"]["number"]
        mover(f"{path}/moves", {"move": move, "after": after})
    until(lambda: any(one["wins"] for one in event.does("check")["players"]), "the result")


def test_a_mistake_of_the_class_is_discussed_on_the_wall(
    guest: Invite, host: Hosting, crowd: Crowd
) -> None:
    event, desk, wall = host(), guest(), guest(**WALL)
    players = crowd(event.code, "Fearless Camel", "Quiet Turtle")
    event.does("start")
    play(event, players)
    event.does("end")
    desk.go(event.page)
    desk.sees("#class-rows tr", times=2)
    for width in (1280, 1024, 961, 800, 390):
        desk.page.set_viewport_size({"width": width, "height": 800})
        desk.page.wait_for_function(IN_ITS_BOX)
    wall.go(f"/arena/{event.code}/wall")
    wall.sees("#rows tr", times=2)

    def press(label: str) -> None:
        desk.find("#missed").get_by_role("button", name=label).first.click()

    press("Show on the wall")
    wall.reads("#shown-title", "What would you play?")
    wall.sees("#shown-board [data-cell]")
    wall.misses("#playing")
    wall.reads("#shown-told", "")
    is_for_everybody(wall)
    press("Show the answer")
    told = desk.find("#missed .example p").first.inner_text()
    assert re.match(r"Somebody played \d\. .* would have", told)
    wall.reads("#shown-told", told)
    expect(wall.find("#shown-idea")).not_to_be_empty()
    is_for_everybody(wall)
    press("Take it off the wall")
    wall.misses("#shown")
    wall.sees("#rows tr", times=2)


def test_only_the_host_sees_who_comes_last(guest: Invite, host: Hosting, crowd: Crowd) -> None:
    event, desk, wall, phone = host(), guest(), guest(**WALL), guest(**PHONE)
    (winner,) = crowd(event.code, "Ada")  # who came first begins
    join(phone, event.code, "Bo")
    event.does("start")
    seated(phone)
    play(event, [winner, lambda path, wish: phone.post(path, **wish)])
    desk.go(event.page)
    wall.go(f"/arena/{event.code}/wall")
    expect(wall.find("#rows th")).to_have_text(["Ada", "Bo"])
    desk.find("#top-only").check()
    expect(wall.find("#rows th")).to_have_text(["Ada"])
    expect(desk.find("#people-rows tr")).to_have_text(
        [re.compile("^1Ada.*1 of 1"), re.compile("^2Bo.*0 of 1")]
    )
    is_for_everybody(desk)
    event.does("end")  # nobody is called to another game any more
    phone.go(f"/arena/{event.code}#table")
    expect(phone.find("#standings tr")).to_have_text(
        [re.compile("^1Ada1 of 1"), re.compile("^2Bo you0 of 1")]
    )
    phone.sees("#first-places")
    is_for_everybody(phone)
    phone.reads("#own-place-title", "Place 2 of 2")
    desk.sees("#class-rows tr", times=2)
    desk.find("#top-only").uncheck()
    expect(wall.find("#rows th")).to_have_text(["Ada", "Bo"])


def test_who_waits_reads_what_is_unusual_in_the_game(guest: Invite, host: Hosting) -> None:
    even = {"game": "factors", "variant": {"first": "even"}}
    event, one = host(games=[even, {"game": "duel"}]), guest(**PHONE)
    join(one, event.code, "Ada")
    expect(one.find("#rules ul").first.locator("li").last).to_have_text(
        "In this game: even first number."
    )
    expect(one.find("#rules ul").last).not_to_contain_text("In this game")


def test_a_puzzle_passes_the_time_until_the_start(
    guest: Invite, host: Hosting, crowd: Crowd
) -> None:
    event, one = host(), guest(**PHONE)
    join(one, event.code, "Ada")
    one.find("#practise").tap()
    one.sees("#practice [data-cell]")
    one.reads("#scene-title", re.compile("Sequence Duel, grade 1 of 5$"))
    is_for_everybody(one)
    one.find("[data-action=show]").tap()
    one.reads("#why", re.compile("^The answer is "))
    before = one.find("#scene-title").inner_text()
    one.find("[data-action=next]").tap()
    expect(one.find("#scene-title")).not_to_have_text(before)
    is_for_everybody(one)
    crowd(event.code, "Bo")
    event.does("start")
    seated(one)
