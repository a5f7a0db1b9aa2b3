"""A browser that several tests use, one after the other."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.page.browser import SCREEN, Guest, Invite

KEPT = """async () => [localStorage.length, sessionStorage.length, innerWidth, innerHeight,
  matchMedia("(prefers-color-scheme: light)").matches,
  matchMedia("(prefers-reduced-motion: reduce)").matches, matchMedia("screen").matches,
  (await navigator.permissions.query({ name: "clipboard-read" })).state]"""
"""What pages could find of whoever was here before."""


def test_whoever_comes_later_finds_nothing_of_who_was_here_before(guest: Invite) -> None:
    one = guest(permissions=["clipboard-read"])
    asked = one.listen()
    one.create("duel")
    one.go("/")
    assert "/" in asked
    asked.clear()
    one.page.evaluate("() => { localStorage.left = sessionStorage.left = 1; }")
    one.page.emulate_media(color_scheme="dark", reduced_motion="no-preference", media="print")
    one.page.set_viewport_size({"width": 320, "height": 640})
    one.page.route("**/api/v1/rules", lambda route: route.abort())
    assert one.leave()
    one.arrive(SCREEN, "light", [])
    assert one.page.evaluate(KEPT) == [0, 0, *SCREEN.values(), True, True, True, "prompt"]
    assert one.context.cookies() == []
    assert one.page.evaluate("fetch('/api/v1/rules').then(({ ok }) => ok)")
    assert asked == []


def put_the_clock(one: Guest) -> None:
    one.page.clock.install()


def open_a_second_page(one: Guest) -> None:
    one.context.new_page()


def replace_sockets(one: Guest) -> None:
    one.context.route_web_socket("**/live", lambda socket: socket.close())


@pytest.mark.parametrize("change", [put_the_clock, open_a_second_page, replace_sockets])
def test_nobody_gets_a_browser_that_was_changed_for_good(
    change: Callable[[Guest], None], guest: Invite
) -> None:
    one = guest()
    change(one)
    one.go("/")
    assert not one.leave()
