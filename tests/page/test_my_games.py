"""One's own games in a real browser: found again after lost answers, listed, and carried to another
device."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.page.browser import BROKEN, Guest, Invite, refusal
from tests.web.site import served

PHONE = {"width": 390, "height": 664, "has_touch": True}
CUT = """() => [...document.querySelectorAll("#over .mine > *")]
  .filter((part) => part.clientHeight > 60
    || part.getBoundingClientRect().right > part.parentNode.getBoundingClientRect().right)
  .map((part) => part.textContent)"""
"""The texts of a game in the list that have no room, such as a name with a letter on each line."""


def lose(one: Guest, path: str) -> None:
    """Have the next answer of the server to a request lost, and what it would leave here."""

    def lost(route: Route) -> None:
        route.fetch(max_retries=0)
        one.context.clear_cookies()
        route.abort()

    one.allow(BROKEN, "net::ERR_FAILED")
    one.page.route(re.compile(f"{path}$"), lost, times=1)


@pytest.mark.proof
def test_an_answer_that_was_lost_costs_neither_a_game_nor_a_seat(guest: Invite) -> None:
    one, two = guest(), guest()
    lose(one, "/api/v1/games")
    one.go("/")
    button = one.find('[data-game="duel"] [data-play="friend"]')
    button.click()
    one.reads('[data-game="duel"] .alert', re.compile("cannot be reached"))
    button.click()
    link = one.link()
    assert one.get("/api/v1/games")["total"] == 1, "the same game, not a second"
    two.page.goto(link)
    two.sees("#join")
    lose(two, "/join")
    lose(two, "/key")
    two.find("#join").click()
    two.reads("#error", re.compile("cannot be reached"))
    two.page.reload()
    two.note(2, "here")
    two.sees("#actions")
    assert two.page.evaluate("Object.keys(localStorage).includes('numduel.key')") is False
    # Whoever was not meant gives the seat back.
    one.find("#offer-again").click()
    one.answer("Offer the seat again")
    two.reads("#watching", re.compile("waiting for a second player"))
    assert one.link() != link
    one.misses("#offer")


def test_the_games_of_one_device_come_to_another_by_a_link_that_works_once(guest: Invite) -> None:
    desk, phone = guest(), guest(**PHONE)
    begun = {"name": "Ann", "moves": "4 6 5 1"}
    rooms = [desk.create("duel", "random", **begun)[0] for _ in range(20)]
    waiting, _ = desk.create("capture", name="Ann")
    desk.post(f"/api/v1/games/{rooms[-1]}/resign", after=4)
    phone.create("line", "here", name="Bob", name2="Cy")
    desk.go("/games")
    desk.page.evaluate("localStorage.setItem('numduel.lesson.duel', '[1, 2]')")
    desk.reads("#count", "The latest 20 games.")
    desk.find("#more").click()
    desk.reads("#count", "21 games.")
    desk.misses("#more")
    desk.sees("#open .mine", times=20)
    desk.reads(
        "#over .mine",
        re.compile(r"Sequence Duel\s+with Computer \(random\)\s+✗ You lost, with help\s+4 moves"),
    )
    for width in (1280, 800, 641):
        desk.page.set_viewport_size({"width": width, "height": 600})
        assert desk.page.evaluate(CUT) == [], "no text is squeezed or leaves its row"
    desk.find("#device summary").click()
    desk.find("#make-link").click()
    desk.sees("#link-code .qr")
    link = desk.find("#link").input_value()
    # The other device.
    phone.page.goto(link)
    phone.sees("#taking")
    assert phone.page.url == f"{phone.url}/games", "the secret does not stay in the address"
    phone.find("#leave").click()
    phone.misses("#taking")
    phone.reads("#count", "")  # nobody has moved in the only one
    phone.page.goto(link)
    phone.find("#take").click()
    phone.reads("#taken", "Your games are on this device too.")
    phone.reads("#count", "The latest 19 games.")
    assert phone.page.evaluate("localStorage.getItem('numduel.lesson.duel')") == "[1,2]"
    phone.find(f'[data-id="{waiting}"] a').click()
    assert f"/play/{waiting}#" in phone.link(), "also the link for the friend"
    move = {"move": "2", "after": phone.get(f"/api/v1/games/{rooms[0]}")["game"]["number"]}
    phone.post(f"/api/v1/games/{rooms[0]}/moves", **move)
    # The list on the desk, all of it, knows soon, or as soon as it is looked at.
    desk.page.evaluate("dispatchEvent(new Event('focus'))")
    desk.sees(f'#open li:first-child[data-id="{rooms[0]}"]')
    desk.sees(".mine", times=21)
    # Nobody else.
    phone.context.clear_cookies()
    phone.allow(refusal(403))
    phone.page.goto(link)
    phone.find("#take").click()
    phone.reads("#error", re.compile("has been used"))
    assert phone.context.cookies() == []


def test_links_made_at_the_server_itself_are_for_other_devices_or_say_that_they_are_not(
    guest: Invite, new_guest: Callable[..., Guest], tmp_path: Path
) -> None:
    """The link for a friend and the one for another device of one's own."""

    def made(one: Guest) -> tuple[str, str]:
        one.go("/")
        one.find('[data-game="duel"] [data-play="friend"]').click()
        invitation = one.link()
        told.append(one.find("#unreachable").is_visible())
        one.go("/games")
        one.find("#device summary").click()
        one.find("#make-link").click()
        one.sees("#link-code .qr")
        told.append(one.find("#unreachable").is_visible())
        return invitation, one.find("#link").input_value()

    told: list[bool] = []
    alone = guest()
    for link in made(alone):
        assert link.startswith(f"{alone.url}/")
    alone.reads("#unreachable", re.compile("^Only this computer can reach this address.* --host"))
    assert told == [True, True]
    told.clear()
    near = "http://192.0.2.7:8000"
    with served(tmp_path / "games.db", near=near) as site:
        for link in made(new_guest(site.url)):
            assert link.startswith(f"{near}/")
    assert told == [False, False]


def test_on_a_phone_every_way_to_invite_says_when_only_this_computer_is_reached(
    guest: Invite,
) -> None:
    """Its invitation has no room for the warning before a button is pressed."""
    one = guest(**PHONE, permissions=["clipboard-read", "clipboard-write"])
    one.go("/")
    one.find('[data-game="duel"] [data-play="friend"]').click()
    for button in ("#copy", "#copy-watch", "#share", "#show-qr"):
        one.sees("#invitation")
        expect(one.find("#unreachable")).to_be_hidden()
        one.page.evaluate("() => document.getElementById('share').removeAttribute('hidden')")
        one.page.evaluate("() => { navigator.share = async () => {}; }")
        one.find(button).click()
        told = "dialog .alert" if button == "#show-qr" else "#error"
        one.reads(told, re.compile("Only this computer can reach this address"))
        expect(one.find(told)).to_be_in_viewport(ratio=1)
        one.page.reload()
