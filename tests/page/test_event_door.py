"""The door of an event in browsers: who comes in, who waits for the host, and who stays outside."""

from __future__ import annotations

import json
import re

from playwright.sync_api import WebSocketRoute, expect

from tests.page.browser import Guest, Invite, refusal
from tests.page.event_people import Crowd, Hosting
from tests.page.test_pages import PHONE, is_for_everybody


def choose(one: Guest, number: int) -> str:
    """Choose one of the nicknames that are offered, and join."""
    offer = one.find("#offered button").nth(number)
    name = offer.inner_text()
    offer.click()
    expect(offer).to_have_attribute("aria-pressed", "true")
    one.find("#enter").click()
    return name


def everybody_away(route: WebSocketRoute) -> None:
    """Tell that nobody is here, without waiting until nobody is."""

    def change(message: str | bytes) -> None:
        told = json.loads(message)
        for player in told.get("event", {}).get("players", ()):
            player["away"] = True
        route.send(json.dumps(told))

    route.connect_to_server().on_message(change)


def test_a_friendly_nickname_is_chosen_and_a_second_player_in_a_browser_waits(
    guest: Invite, host: Hosting
) -> None:
    event = host(own_names=False)
    one, teacher = guest(**PHONE), guest()
    teacher.go(event.page)
    one.go(f"/join/{event.code}")
    expect(one.find("#offered button")).to_have_count(3)
    is_for_everybody(one)
    one.misses("#nickname")
    one.find("#enter").click()
    one.reads("#wrong-nickname", "Choose a nickname.")
    before = one.find("#offered button").first.inner_text()
    one.find("#others").click()
    expect(one.find("#offered button").first).not_to_have_text(before)
    first = choose(one, 1)
    one.find("#written").click()
    one.reads("#now-title", f"You are {first}")
    # Somebody else takes the device, and asks.
    one.find("#another").click()
    expect(one.find("#offered button")).to_have_count(3)
    second = choose(one, 0)
    one.reads("#asked", re.compile(f"{second} has asked the host"))
    one.reads("#now-title", f"You are {first}")
    teacher.reads("#askers li", re.compile(f"{second} asks to join. {first} plays in the same"))
    is_for_everybody(teacher)
    teacher.find(f'[aria-label="Let in: {second}"]').click()
    teacher.misses("#asking-part")
    one.sees("#digits")
    one.reads("#now-title", f"You are {second}")
    expect(teacher.find("#people-rows tr")).to_have_count(2)


def test_a_host_lets_people_in_by_hand_and_takes_them_out_again(
    guest: Invite, host: Hosting
) -> None:
    event = host()
    teacher = guest()
    teacher.go(event.page)
    teacher.find("#approval").check()
    one, two = guest(), guest()
    for pupil, name in ((one, "O’Neil"), (two, "Bo")):
        pupil.allow(refusal(422))
        pupil.go(f"/join/{event.code}")
        pupil.find("#nickname").fill("Teacher")
        pupil.find("#enter").click()
        pupil.reads(
            "#wrong-nickname", "Nobody here can be called Teacher; choose another nickname."
        )
        pupil.find("#nickname").fill(name)
        pupil.find("#enter").click()
        pupil.reads("#now-title", "You are at the door")
    teacher.reads("#asking-title", "2 people at the door")
    teacher.find('[aria-label="Refuse: Bo"]').click()
    two.reads("#reason", "The host did not let you in. You can watch the table.")
    two.sees("#go")
    teacher.reads("#asking-title", "1 person at the door")
    teacher.find('[aria-label="Let in: O’Neil"]').click()
    one.find("#written").click()
    one.reads("#now-title", "You are O'Neil")
    event.does("remove", player=1)
    one.reads("#reason", "The host has taken you out of this event. You can watch the table.")
    one.misses("#go")
    one.go(f"/join/{event.code}")
    one.find("#nickname").fill("Eva")
    one.find("#enter").click()
    one.reads("#wrong-nickname", re.compile("^The host has taken you out of this event"))
    teacher.find("#removed-title").click()
    teacher.find('[aria-label="Let back in: O’Neil"]').click()
    one.go(f"/arena/{event.code}")
    one.reads("#now-title", "You are O'Neil")


def test_everybody_who_is_not_here_is_removed_after_one_question(
    guest: Invite, host: Hosting, crowd: Crowd
) -> None:
    event = host()
    crowd(event.code, "Ada", "Bo")
    teacher = guest()
    teacher.page.route_web_socket(re.compile("/live$"), everybody_away)
    teacher.go(event.page)
    teacher.find("#sweep").click()
    teacher.reads("#question", "2 players are not here, and will leave the event and the table.")
    with teacher.page.expect_request("**/host/sweep"):
        teacher.find("#yes").click()


def test_help_is_not_one_tab_away_and_the_host_sees_who_looked(
    guest: Invite, host: Hosting, crowd: Crowd
) -> None:
    event = host()
    one, teacher = guest(), guest()
    one.allow(refusal(403))
    one.post(f"/api/v1/events/{event.code}/join", nickname="Ada", cookie=True)
    crowd(event.code, "Bo")
    teacher.go(event.page)
    one.go("/analyse?game=duel&moves=5")
    one.sees(".worth >> nth=0")
    event.does("start")
    one.page.reload()
    told = "You are playing Sequence Duel in an event, so there is no help with it until the event"
    one.reads("#error", re.compile(f"^{told} is over.$"))
    expect(one.find("#error")).to_have_attribute("data-refused", "true")
    one.misses(".worth", "#evaluation", "[data-valued]")  # and no room is kept for values
    teacher.reads(".helped", re.compile(r"^asked for help at \d\d:\d\d$"))
    one.go("/strategy/duel")
    one.reads("#error", re.compile(f"^{told}"))
    event.does("end")
    one.page.reload()
    expect(one.find("#sentences li").first).to_be_visible()
