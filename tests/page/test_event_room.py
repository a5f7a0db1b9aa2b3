"""What hurts in a room full of people: somebody who dreams, and everybody when the host speaks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.page.browser import Guest
from tests.page.event_people import Host
from tests.page.test_event_players import join, seated
from tests.page.test_pages import PHONE, is_for_everybody
from tests.web.site import Process, until

FELT = "() => { navigator.vibrate = (beat) => { window.felt = beat; return true; }; }"
LOOKED_AT = """visible => {
  Object.defineProperty(document, "hidden", { get: () => !visible, configurable: true });
  document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
}"""
"""Show the page of a browser, or another tab."""
ABOVE_THE_BOARD = """() => {
  const [nudge, cell] = ["#nudge", "[data-cell]"].map((selector) =>
    document.querySelector(selector).getBoundingClientRect());
  return nudge.height && nudge.bottom <= cell.top;
}"""
"""Whether a reminder covers no number."""


class Room:
    """A host's page, and the phones of two pupils who play."""

    def __init__(self, host: Host, desk: Guest, pupils: tuple[Guest, Guest]) -> None:
        self.host = host
        self.desk = desk
        self.pupils = dict(zip(("Ada", "Bo"), pupils, strict=True))

    @property
    def mover(self) -> str:
        """Who is to move."""
        one = self.pupils["Ada"]
        expect(one.find("#status")).to_have_text(re.compile(r"^(Your turn|Bo to move)\.$"))
        return "Ada" if one.find("#status").inner_text() == "Your turn." else "Bo"

    def players(self) -> tuple[Guest, str, Guest, str]:
        """The one to move and the one who waits, each with the name."""
        mover = self.mover
        other = "Bo" if mover == "Ada" else "Ada"
        return self.pupils[mover], mover, self.pupils[other], other


Play = Callable[..., Room]


@pytest.fixture(scope="module")
def hasty(
    executable: str,  # noqa: ARG001  (nobody needs a server who has no browser)
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Process]:
    """A server that calls everybody idle who is to move, soon notices who leaves, and counts from
    the first second."""
    home = tmp_path_factory.mktemp("hasty")
    with Process(
        home, "--rate", "0", "--database", f"sqlite:///{home}/games.db",
        events__runner__IDLE_SECONDS=0.0, events__runner__AWAY_SECONDS=0.3,
        events__runner__TICK_SECONDS=0.1, events__live__TABLE_SECONDS=0.1,
        numduel__events__clock__FREE_SECONDS=-7.0,
    ) as server:  # fmt: skip
        yield server.ready()


@pytest.fixture
def play(hasty: Process, new_guest: Callable[..., Guest]) -> Iterator[Play]:
    """Have two play an event."""
    with ExitStack() as stack:

        def begin(**wishes: Any) -> Room:
            host = Host(hasty.url, **wishes)
            stack.callback(host.http.close)
            desk = new_guest(hasty.url)
            pupils = new_guest(hasty.url, **PHONE), new_guest(hasty.url, **PHONE)
            for pupil, name in zip(pupils, ("Ada", "Bo"), strict=True):
                join(pupil, host.code, name)
            host.does("start")
            until(lambda: host.does("check")["pairings"], "a pairing")
            host.does("pause")  # No clock runs while pages are loaded.
            for pupil in pupils:
                seated(pupil)
            desk.go(host.page)
            if not wishes:
                desk.find("#resume").click()
            return Room(host, desk, pupils)

        yield begin


def listed(desk: Guest, text: str) -> None:
    """Wait until the host reads of somebody whom an opponent waits for."""
    expect(desk.find("#stalled-rows li").filter(has_text=re.compile(text))).to_have_count(1)


def test_whoever_does_not_move_is_named_reminded_and_loses_in_the_end(play: Play) -> None:
    room = play()
    desk, (dreamer, name, waiting, other) = room.desk, room.players()
    listed(desk, rf"^{name}no move for \d:\d\d, {other} is waiting")
    is_for_everybody(desk)
    dreamer.page.evaluate(FELT)
    dreamer.find("#event-clock").tap()
    desk.page.get_by_role("button", name=f"Nudge {name}").click()
    dreamer.reads("#nudge", f"It is your turn! {other} is waiting for you.")
    listed(room.desk, r"is waiting, nudged 0:\d\d ago")
    assert dreamer.page.evaluate("window.felt") == [400, 150, 400, 150, 400]
    is_for_everybody(dreamer)
    dreamer.page.set_viewport_size({"width": 568, "height": 320})
    dreamer.page.wait_for_function(ABOVE_THE_BOARD)
    dreamer.find("[data-cell]").first.tap()
    dreamer.reads("#nudge", "")
    listed(desk, rf"^{other}no move")
    # Now the other one looks at the table: that is not the board.
    slow, lone = waiting, dreamer
    slow.find("#event-table").tap()
    slow.reads("#reason", re.compile(rf"^It is your turn\. .* goes to {name}\.$"))
    listed(desk, rf"^{other}.*not at the board: {name} wins in [12]:\d\d")
    lone.reads("#turn-clock", re.compile(rf"^Yours in [12]:\d\d: {other} is away$"))
    slow.find("#go").tap()
    seated(slow)
    lone.reads("#turn-clock", "")
    # Nor is another tab.
    slow.page.evaluate(LOOKED_AT, False)
    lone.reads("#status", f"Waiting for {other} to come back.")
    listed(desk, rf"^{other}.*not at the board")
    slow.page.evaluate(LOOKED_AT, True)
    lone.reads("#status", f"{other} to move.")
    listed(desk, rf"^{other}.* {name} is waiting")
    desk.page.get_by_role("button", name=f"Give the game to {name}").click()
    desk.answer("Give it")
    slow.reads("#status", f"This game was given to {name}.")
    lone.reads("#status", "This game was given to you.")


def test_a_pause_and_a_message_take_over_the_phones(play: Play) -> None:
    room = play()
    desk, (mover, _, waiting, _) = room.desk, room.players()
    desk.find("#line").fill("Look up, please!")
    desk.press("Enter")
    for phone in (mover, waiting):
        phone.reads("#veil-title", "Look up, please!")
        is_for_everybody(phone)
    mover.find("#veil-close").tap()
    mover.misses(".veil")
    mover.reads("#event-line", "Look up, please!")
    mover.page.reload()
    seated(mover)
    mover.misses(".veil")
    desk.find("#pause").click()
    for phone in (mover, waiting):
        phone.reads("#veil-title", "Paused by your teacher")
        phone.reads(".veil p", "Look up, please!")
        is_for_everybody(phone)
    mover.press("Escape")
    mover.sees(".veil")
    desk.find("#resume").click()
    for phone in (mover, waiting):
        phone.misses(".veil")
    mover.find("[data-cell]").first.tap()
    waiting.reads("#status", "Your turn.")


def test_a_clock_is_seen_by_both_and_its_end_is_told_kindly(play: Play) -> None:
    room = play(move_seconds=10)
    slow, _, other, name = room.players()
    room.desk.find("#resume").click()
    slow.reads("#turn-clock", re.compile(r"^Your move: 0:0\d$"))
    slow.reads("#status", f"Your time ran out, so {name} wins this game.")
    other.reads("#status", re.compile("ran out of time: you win this game"))
    slow.sees("#onward")
    is_for_everybody(slow)
