"""A class that lasts: a teacher makes it, prints its codes, and sees who has done the homework."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.page.browser import Guest, Invite
from tests.page.test_pages import PHONE, is_for_everybody

SOLVED = """async () => {
  const perform = async (state, action, given) => (await (await fetch("/api/v1/activities/lesson", {
    method: "POST", headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ state, action, given }),
  })).json()).state;
  let state = await perform({}, "begin", "duel 2");
  for (const _ of [1, 2]) state = await perform(state, "hint", "");
  return (await perform(state, "move", state.advised[0])).solved;
}"""
"""Do a step of a lesson, as the page of the lesson does."""


def make_class(teacher: Guest, pupils: int) -> str:
    """Make a class; its code."""
    teacher.go("/teach")
    teacher.find('a[href="/class"]').click()
    teacher.find("#pupils").fill(str(pupils))
    teacher.find("#label").fill("7b, Tuesday")
    teacher.find("#make").click()
    teacher.sees("#pupil-rows tr", times=pupils)
    return teacher.find("#code").inner_text()


def test_a_class_from_its_slips_to_its_homework(guest: Invite) -> None:
    """Pupils type the code of their slip once; the teacher sees who has done what."""
    teacher, pupil = guest(), guest(**PHONE)
    asked = teacher.listen()
    code = make_class(teacher, 3)
    assert teacher.page.url.endswith(f"/class/{code}")
    teacher.find("#slips").click()
    teacher.sees(".slip .qr", times=3)
    slip = teacher.texts(".slip-code")[0]
    assert re.fullmatch(rf"{code} \w{{5}}", slip)
    assert teacher.broken() == []
    teacher.find("#back").click()
    teacher.reads("#class-label", ": 7b, Tuesday")
    teacher.find("#more > summary").click()
    teacher.find("#game").select_option("duel")

    pupil.go("/join")
    pupil.find("#code").fill(slip.lower())
    pupil.misses("#nickname")  # A pupil of a class has one.
    pupil.find("#enter").click()
    pupil.sees("#inside")
    nickname = pupil.find("#me").inner_text().removeprefix("You are ")
    assert pupil.page.url.endswith(f"/c/{code}")  # The code has left the address.
    pupil.reads("#nothing", "Nothing to do just now.")

    # The teacher's page follows by itself, and what was chosen there stays.
    came = teacher.find("#pupil-rows tr").filter(has_text=nickname).locator("td").nth(1)
    expect(came).not_to_have_text("not yet")
    teacher.find("#set").click()
    teacher.reads("#homework strong", "Do the lesson: Sequence Duel.")
    assert teacher.broken() == []

    pupil.reads("#homework .state", re.compile("^0 of "))
    assert pupil.broken() == []
    for page in ("/join", "/"):  # The browser knows the way back.
        pupil.go(page)
        pupil.reads("#own-class-text", "1 homework task to do")
        assert pupil.broken() == []
    pupil.find("#own-class-link").click()
    pupil.reads("#homework .state", re.compile("^0 of "))
    pupil.find("#homework a").tap()
    pupil.sees("#board .cell")
    assert pupil.page.evaluate(SOLVED)
    pupil.reads(".homework-note", re.compile(r"^Homework: 1 of \d+\.$"))
    is_for_everybody(pupil)
    pupil.find(".homework-note a").tap()
    pupil.reads("#homework .state", re.compile("^1 of "))
    teacher.find("#homework summary").click()
    teacher.reads("#homework .columns li >> nth=0", re.compile(f"^{nickname}: 1 of "))

    teacher.find("#new-event").click()
    teacher.find("#open").click()
    teacher.find("#to-class").click()
    teacher.reads("#events", re.compile("^Juniper Green .* going on"))
    pupil.reads("#events", "Join the event")

    teacher.find(".host-more > summary").click()
    teacher.find("#delete").click()
    teacher.find("#yes").click()
    teacher.sees("#making")
    pupil.reads("#error", "There is no such class. It may have been deleted.")
    pupil.allow("404")
    pupil.go("/?level=hard")
    pupil.page.wait_for_function("() => !localStorage['numduel.class']")
    pupil.misses("#own-class")
    assert pupil.find("#level").input_value() == "hard"  # Homework asks for a level.
    personal = slip[-5:]
    assert not any(personal in path for path in asked)
