"""Getting to the board: on the smallest phone, and with the keyboard."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests.page.browser import Guest, Invite

SMALLEST: dict[str, Any] = {"width": 320, "height": 568, "has_touch": True, "is_mobile": True}


def in_view(one: Guest, selector: str) -> None:
    """Wait until something is on the screen, at least in part."""
    expect(one.find(selector).first).to_be_in_viewport()


def test_a_number_goes_to_the_board_from_anywhere_and_the_first_tab_leads_there(
    guest: Invite,
) -> None:
    one = guest()
    one.start("duel", "easy")
    one.on_turn()
    one.press("7")
    assert one.focus() == "7"
    one.page.reload()
    one.on_turn()
    one.press("Tab", "Enter", "Tab")
    assert one.find("[data-cell]:focus").count() == 1


def test_on_a_phone_a_lesson_begins_with_its_board_and_a_puzzle_brings_it_back(
    guest: Invite,
) -> None:
    one = guest(**SMALLEST)
    one.go("/learn/duel")
    one.sees(".cell")
    assert one.place("#board")[1] < one.place("#text")[1]
    in_view(one, ".cell")
    one.go("/puzzles?game=duel&seed=3")
    one.sees(".cell")
    one.find("#next").scroll_into_view_if_needed()
    expect(one.find("#status")).not_to_be_in_viewport()
    one.find("#next").click()
    in_view(one, "#status")
