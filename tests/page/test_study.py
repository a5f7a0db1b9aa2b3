"""Studying in the browser: analysis, the report, puzzles, the storm, lessons, how to win."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Route, expect

import numduel
from tests.page.browser import Guest, Invite

MINUTE = 60_000


def analyse(one: Guest, game: str, moves: str = "", **parts: str) -> None:
    """Open the analysis board with a position on it."""
    one.go("/analyse?" + urlencode({"game": game, "moves": moves, **parts}))
    one.sees(".player[data-turn], .player[data-winner]")


def stands(one: Guest, moves: str) -> None:
    """Wait until the board and the address have the position after some moves."""
    made = rf"&moves={re.escape(moves.replace(' ', '+'))}(&lines=.*)?$"
    there = made if moves else "^((?!moves=).)*$"
    expect(one.page).to_have_url(re.compile(there))
    expect(one.find(".cell[data-owner]")).to_have_count(len(moves.split()))
    one.settled()


def answer(one: Guest, state: Any) -> str:
    """The right move of a puzzle, as the server gives it away to who asks."""
    variant = " ".join(f"{name}={value}" for name, value in state["variant"].items())
    question = {
        "game": state["name"], "variant": variant, "first": state["first"],
        "moves": state["text"], "move": state["legal"][0]["move"], "reveal": "true",
    }  # fmt: skip
    return str(one.get(f"/api/v1/puzzle/answer?{urlencode(question)}")["solution"]["move"])


# -- analysis -------------------------------------------------------------------------------


def test_what_was_tried_stays_beside_what_is_tried_next(guest: Invite) -> None:
    """Nothing moves, and a tile that cannot be pressed says why."""
    one = guest()
    analyse(one, "duel", "1 5 4")
    board = one.place(".cells")
    asked = one.listen()
    one.option("4").click(force=True)
    expect(one.find("#error")).to_contain_text("4")
    assert one.place(".cells") == board
    assert not [path for path in asked if path.startswith("/api/v1/activities")]
    one.find('[data-step="back"]').click()
    stands(one, "1 5")
    one.click("7")
    stands(one, "1 5 7")
    one.click("3")
    stands(one, "1 5 7 3")
    one.reads("#moves .ply", ["1", "5", "4", "7", "3"])
    one.reads(".instead .ply", ["7", "3"])
    one.find("#moves .ply").nth(2).click()
    stands(one, "1 5 4")
    one.reads("#moves [aria-current]", "4")
    # Who goes back and on again comes to where they were last.
    one.press("ArrowLeft")
    stands(one, "1 5")
    one.press("ArrowRight")
    stands(one, "1 5 4")
    one.find(".instead .ply").first.click()
    stands(one, "1 5 7")
    one.find('[data-step="start"]').click()
    stands(one, "")
    one.find('[data-step="end"]').click()
    stands(one, "1 5 7 3")
    assert one.place(".cells") == board
    one.go("/api/v1/health/live")
    one.page.go_back()
    stands(one, "1 5 7 3")
    one.reads("#moves .ply", ["1", "5", "4", "7", "3"])  # all lines are there again
    # With the keyboard among the tiles, the arrows go from tile to tile.
    one.tab_to("[data-cell]")
    one.press("ArrowLeft")
    stands(one, "1 5 7 3")
    # Who is sent the link has them, too.
    two = guest()
    two.go(one.page.url.removeprefix(one.url))
    two.reads("#moves .ply", ["1", "5", "4", "7", "3"])
    stands(two, "1 5 7 3")


def test_steps_that_are_pressed_faster_than_they_are_answered_are_all_made(guest: Invite) -> None:
    one = guest()
    analyse(one, "duel", "1 5 4 7 3")
    press = """(steps) => steps.forEach((step) =>
        document.querySelector(`[data-step=${step}]`).click())"""
    one.page.evaluate(press, ["back", "back", "back", "back"])
    stands(one, "1")
    one.page.evaluate(press, ["back", "start", "on", "on", "on"])
    stands(one, "1 5 4")


def test_each_game_has_a_tab_and_is_there_as_it_was_left(guest: Invite) -> None:
    one = guest(width=390, height=664)
    one.go("/analyse")
    one.sees(".cell[data-best]")
    kinds = [kind() for kind in numduel.games()]
    one.reads("#tabs a", [game.display_name for game in kinds])
    one.reads("#tabs [aria-current]", kinds[0].display_name)
    first = kinds[0].start().legal_moves[0]
    one.click(str(first))
    stands(one, str(first))
    last = one.find("#tabs a").last
    last.click()
    one.reads("#tabs [aria-current]", kinds[-1].display_name)
    expect(last).to_be_in_viewport()
    one.reads("#moves .ply", [])
    one.find("#tabs a").first.click()
    stands(one, str(first))
    one.page.go_back()
    one.reads("#tabs [aria-current]", kinds[-1].display_name)


def shares(one: Guest) -> list[float]:
    """How much of the evaluation bar is whose."""
    found = "all => all.map((part) => part.style.getPropertyValue('--share'))"
    return [round(float(share), 2) for share in one.find(".share").evaluate_all(found)]


@pytest.mark.proof
def test_the_bar_and_the_colours_say_who_wins_and_so_do_words(guest: Invite) -> None:
    one = guest()
    analyse(one, "duel", "1 5 7 8", name1="Ada")
    one.reads(".outlooks", "Ada wins at once")
    assert shares(one) == [1, 0]
    for tile, result, sign in (("4", "win", "win 1"), ("2", "win", "win 3"), ("9", "loss", "loss")):
        found = one.find(f'[data-cell="{tile}"]')
        expect(found).to_have_attribute("data-result", result)
        assert sign in str(found.locator(".worth").get_attribute("data-text"))
        expect(found).to_have_accessible_name(re.compile("wins" if result == "win" else "loses"))
    one.sees("[data-best]", times=1)
    board = one.place(".cells")
    one.find("#values").uncheck()
    one.misses(".outlooks", "[data-result]", "[data-best]")
    assert one.place(".cells") == board
    one.find("#values").check()
    one.click("4")
    one.reads(".outlooks", "Ada has won")
    # Before a card is drawn there is a value too: the chance over all cards.
    analyse(one, "build", variant="n=4 copies=1 k=3")
    chance = numduel.evaluate(numduel.game("build", n=4, copies=1, k=3).start()).win_probability
    one.reads(".outlooks", re.compile(rf"Player 1\s{100 * chance:.1f} %\s+Player 2"))
    assert shares(one) == [round(chance, 2), round(1 - chance, 2)]
    one.find('[data-draw="3"]').click()
    one.sees(".choice[data-result]")


@pytest.mark.proof
def test_mistakes_come_before_inaccuracies(guest: Invite) -> None:
    one = guest()
    analyse(one, "duel", "2 9 8")
    report = one.get("/api/v1/report?game=duel&moves=2+9+8")
    told = {
        kind: [ply["told"] for ply in report["plies"] if ply["slip"] == kind]
        for kind in ("mistake", "inaccuracy")
    }
    assert [ply["slip"] for ply in report["plies"]] == ["inaccuracy", "", "mistake"]
    one.find("#show-report").click()
    one.sees("#mistakes")
    expect(one.find("#chart")).to_be_in_viewport()
    one.reads("#announcer", "The chart and the mistakes are below the board.")
    one.reads("#mistakes p", told["mistake"])
    one.reads("#inaccuracies p", told["inaccuracy"])
    ply = next(ply for ply in report["plies"] if ply["slip"] == "mistake")
    one.find("#mistakes").get_by_role("button", name=f"Show move {ply['number']}").click()
    expect(one.find(".cell[data-owner]")).to_have_count(ply["number"])
    one.sees("#mistakes")
    expect(one.find("#mistakes").get_by_role("button", name="Try again")).to_have_count(1)


# -- puzzles --------------------------------------------------------------------------------


@pytest.mark.proof
def test_who_has_solved_today_s_puzzle_may_share_it_again_and_choose_another(
    guest: Invite,
) -> None:
    """Only themes and grades that a game has can be chosen."""
    one = guest(permissions=["clipboard-read", "clipboard-write"])
    one.go("/puzzles")
    puzzle = one.get("/api/v1/puzzle")
    state = puzzle["state"]
    for number in range(1, puzzle["moves"] + 1):
        one.reads("#tries", re.compile(f"^Move {number} of"))
        one.settled()
        with one.page.expect_response(re.compile("/api/v1/activities/puzzle")) as told:
            one.click(answer(one, state))
        one.sees("#result[data-right=true]")
        state = told.value.json()["scene"]["state"]
    one.page.reload()
    one.reads("#result", "You have finished today's puzzle.")
    line = str(one.find("#share-line").text_content())
    assert re.fullmatch(rf"{re.escape(puzzle['label'])}\n🟩+ (\d) of \1 · 1 day in a row", line)
    one.find("#copy").click()
    one.page.wait_for_function(
        "shared => navigator.clipboard.readText().then((text) => text === shared)",
        arg=f"{line}\n{one.url}/puzzles?{puzzle['link']}",
    )
    one.reads("#solved", "")  # the line to share has the row
    one.find("#game").select_option("duel")
    one.reads("#wanted-grade option", ["Any grade", "1, easy", "2", "3", "4", "5, hard"])
    expect(one.find("#wanted-grade")).to_have_value("")
    one.find("#wanted-grade").select_option("3")
    with one.page.expect_response(re.compile("/api/v1/activities/puzzle")) as answered:
        one.find("#next").click()
    puzzle = answered.value.json()["scene"]
    assert "grade=3" in puzzle["link"]
    one.reads("#puzzle-title", puzzle["title"])
    expect(one.find("#permalink")).to_have_attribute("href", f"/puzzles?{puzzle['link']}")
    assert one.get(f"/api/v1/puzzle?{puzzle['link']}")["state"] == puzzle["state"]
    one.find("[data-action=hint]").click()
    expect(one.find("#words")).not_to_be_empty()
    expect(one.find("#words")).to_have_css("position", "static")  # in its place above the board
    one.find("[data-action=show]").click()
    one.sees("#why p")
    assert "win next turn, whatever they answer" in one.find("#why").inner_text()


class Storm:
    """Somebody in a puzzle storm, who looks the answers up."""

    def __init__(self, one: Guest) -> None:
        self.one = one
        self.scenes: dict[str, Any] = {}
        self.asked: list[str] = []
        one.page.clock.install()
        one.page.route("**/api/v1/activities/storm", self._perform)
        one.go("/storm")
        one.find("#game").select_option("duel")

    def _perform(self, route: Route) -> None:
        """The puzzles are always the same ones."""
        body: Any = route.request.post_data_json
        self.asked.append(body["action"])
        if body["action"] == "start":
            body["state"]["seed"] = 1
        answer = route.fetch(post_data=body)
        scene = answer.json()["scene"]
        if scene["state"]:
            self.scenes[self._shown(scene["state"])] = scene["state"]
        route.fulfill(response=answer)

    @staticmethod
    def _shown(state: Any) -> str:
        return " ".join(f"{c['label']}{c['owner'] or ''}" for c in state["cells"])

    def move(self, *, right: bool) -> str:
        """A right or wrong move in the puzzle on the board."""
        self.one.settled()
        shown = self.one.find("[data-cell]").evaluate_all(
            "all => all.map(({ dataset: { cell, owner } }) => cell + (owner ?? '')).join(' ')"
        )
        state = self.scenes[shown]
        found = answer(self.one, state)
        return found if right else next(
            option["move"] for option in state["legal"] if option["move"] != found
        )  # fmt: skip


@pytest.mark.proof
def test_a_storm_counts_what_is_solved_in_time_and_keeps_the_best(guest: Invite) -> None:
    one = guest()
    storm = Storm(one)
    one.reads("#best", "0")
    one.find("#start").focus()
    one.press("Enter")
    one.sees(".player[data-turn]")
    expect(one.find(".cells :focus")).to_have_count(1)
    for width, height in ((390, 664), (1280, 800)):
        one.page.set_viewport_size({"width": width, "height": height})
        for needed in ("#clock", "#start", "#task", "#goal", ".cells"):
            expect(one.find(needed)).to_be_in_viewport(ratio=1)
        assert not one.page.evaluate("() => scrollY")
    board = one.place(".cells")
    move = storm.move(right=True)
    with one.still():
        one.key(move, arrows=False)
        one.reads("#solved", "1")
        one.reads("#result", "Right.")
    one.reads("#result", "")
    expect(one.find("#goal")).to_be_visible()
    right, wrong = (storm.move(right=which) for which in (True, False))
    with one.still():
        one.click(wrong)
        one.reads("#result", f"Wrong: it was {right}. That costs 10 seconds.")
        one.sees(f'[data-cell="{right}"][data-advised]')
    one.sees(".cell:not([aria-disabled])")
    one.misses("[data-advised]")
    one.reads("#solved", "1")
    assert one.place(".cells") == board
    one.reads("#clock", re.compile("^2:[45]"))
    assert storm.asked.count("more") > 1
    one.page.clock.run_for(3 * MINUTE)
    one.reads("#clock", "0:00")
    one.reads("#task", "The storm is over: 1 solved, your best.")
    one.misses(".cells")
    one.sees('#had [data-right="true"]', times=1)
    one.sees('#had [data-right="false"]', times=1)
    one.focuses("#start")
    one.reads("#best", "1")


# -- learning -------------------------------------------------------------------------------


def test_the_list_of_lessons_shows_how_far_one_has_come(guest: Invite) -> None:
    one = guest()
    one.go("/api/v1/health/live")  # where no script runs
    keep = "([name, kept]) => localStorage.setItem(`numduel.lesson.${name}`, kept)"
    for name, kept in (("duel", "[1, 2, 2, 99, -1]"), ("line", '{"1": 2}'), ("capture", "[")):
        one.page.evaluate(keep, [name, kept])
    one.go("/learn")
    steps = {lesson["name"]: lesson["steps"] for lesson in one.get("/api/v1/lessons")}
    one.reads('[data-game="duel"] p', f"2 of {steps['duel']} steps done")
    one.reads("#overall", f"2 of {sum(steps.values())} steps done")
    expect(one.find('[data-game="duel"] progress')).to_have_js_property("value", 2)
    expect(one.find('[data-game="line"] progress')).to_have_js_property("value", 0)
    assert one.find('[data-game="duel"] .strong').inner_text().startswith("Continue")


def test_how_to_win_a_game_is_told_on_a_page_that_prints_alone(guest: Invite) -> None:
    one = guest()
    assert 'href="/strategy/duel"' in one.ask("/rules/duel").text()
    one.go("/strategy/duel")
    found = numduel.strategy(numduel.game("duel"))
    one.reads("#sentences li", [*found.instructions()])
    one.reads("#proof", found.proof())
    one.page.emulate_media(media="print")
    one.misses("header", "footer", "button", "main a")
    one.sees("#sentences li")
    one.page.emulate_media(media="screen")
    one.go("/strategy/build")
    one.sees("#sentences li")
    one.reads("h1", numduel.game("build").display_name)


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_a_long_verdict_of_a_lesson_is_whole_on_a_phone(guest: Invite, language: str) -> None:
    one = guest(width=390, height=844)
    one.go(f"/?lang={language}")
    one.go("/learn/factors#7")
    one.click("17")
    one.sees("#result[data-right=true]")
    cut = "node => node.scrollHeight > node.clientHeight + 1"
    assert not one.find(".lines").first.evaluate(cut)


def test_on_a_phone_a_lesson_and_a_puzzle_are_whole(guest: Invite) -> None:
    one = guest(width=320, height=640)
    one.go("/learn/factors#1")
    one.sees("[data-cell]:not([aria-disabled])")
    last = one.find("#steps button").last
    last.click()
    expect(last).to_have_attribute("aria-current", "step")
    expect(last).to_be_in_viewport(ratio=1)
    one.find("#steps button").first.click()
    expect(one.find("#steps [aria-current]")).to_be_in_viewport(ratio=1)
    one.sees("[data-cell]:not([aria-disabled])")
    cut = "node => node.scrollHeight > node.clientHeight + 1"
    assert not one.find("#text").evaluate(cut), "no word of the lesson is hidden"
    one.page.set_viewport_size({"width": 390, "height": 664})
    one.click("9")
    one.sees("#result[data-right=true]")
    expect(one.find("#result")).to_be_in_viewport()
    expect(one.find("[data-action=next]")).to_be_in_viewport(ratio=1)
    one.focuses("[data-action=next]")
    one.go("/puzzles?date=2020-02-02")
    one.sees(".player[data-turn]")
    one.reads("#puzzle-title", "Puzzle of 2 February 2020: Juniper Green")
    one.reads("#task", re.compile("^You are Player 2"))
    board = one.place(".cells")
    assert board[1] < 400
    one.click("6")
    one.reads("#result", "6 is wrong: 9 was right.")
    for number, right in ((2, "15"), (3, "16")):
        one.reads("#tries", re.compile(f"^Move {number} of 3"))
        one.reads("#status", "Your turn.")
        one.settled()
        one.click(right)
    one.reads("#share-line", re.compile("2 of 3$"))
    for part in ("#why", "[data-action=next]", "#copy"):
        expect(one.find(part)).to_be_in_viewport(ratio=1)
    assert one.place(".cells") == board
