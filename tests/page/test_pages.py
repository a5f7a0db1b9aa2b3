"""Every page by itself: what can be learnt there, at every size, with every kind of eyes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Route, expect

import numduel
from numduel.lesson import lesson as lesson_of
from tests.games import NAMES
from tests.page.browser import BOARDS, PLAYABLE, Guest, Invite, make, refusal, sit

MIDDLE = dict.fromkeys(NAMES, "") | {
    "line": "5 6 4 3",
    "factors": "6 12 4 8",
    "capture": "11 5 20 8",
    "build": "7e 5x 8e 2e",
    "duel": "4 6 5",
}
"""Moves after which every game goes on, and seat 1 may be to move or not."""


def address(game: str, moves: str = "", **parts: str) -> str:
    """The analysis board with a position on it."""
    return "/analyse?" + urlencode({"game": game, **parts, "moves": moves})


def won(one: Guest) -> str:
    """Sit before a game of duel that is over, with a mistake in it; its id."""
    room = one.start("duel", "random", moves="1 5 4 9")
    one.click("7")
    one.sees("#chart svg")
    return room


# -- after the game -------------------------------------------------------------------------


def owners(guest: Guest) -> dict[str, str]:
    """Which tiles are whose, as the page shows them."""
    return dict(guest.find("[data-cell][data-owner]").evaluate_all(
        "all => all.map(({ dataset }) => [dataset.cell, dataset.owner])"
    ))  # fmt: skip


def test_the_report_leads_to_every_position_of_the_game_and_back(guest: Invite) -> None:
    one = guest()
    room = won(one)
    report = one.get(f"/api/games/{room}/report")
    assert one.find("#report").locator("h3").first.inner_text() == report["title"]
    one.sees("#chart [data-ply]", times=6)
    mistakes = [ply for ply in report["plies"] if ply["mistake"]]
    assert mistakes
    slips = [report["plies"][number - 1] for number in report["slips"]]
    one.reads("#mistakes p", [ply["told"] for ply in slips])
    assert slips[0]["told"].split(". ")[0].endswith((", your mistake", ", your inaccuracy"))
    one.sees("#chart [data-mistake]", times=len(mistakes))
    end = {"1": "1", "5": "2", "4": "1", "9": "2", "7": "1"}
    assert owners(one) == end
    one.find('#chart [data-ply="2"]').click()
    one.reads("#status", "Looking at move 2.")
    assert owners(one) == {"1": "1", "5": "2"}
    one.reads(".turn", ["Moved next", ""])  # the game is over: it is nobody's turn
    one.settled()
    one.find('[data-cell="2"]').click(force=True)
    one.reads("#error", re.compile("earlier position"))
    one.find("#back").click()
    one.misses("#back")
    assert owners(one) == end
    # The keyboard gets there too, and so do the lists of moves and mistakes.
    one.find('#chart [data-ply="1"]').focus()
    one.press("Enter")
    one.reads("#status", "Looking at move 1.")
    assert owners(one) == {"1": "1"}
    one.find("#chart [data-ply='0']").click()
    one.reads("#status", "Looking at the start.")
    assert owners(one) == {}
    one.find("#moves li").nth(2).locator("button").click()
    one.reads("#status", "Looking at move 3.")
    one.find("#mistakes").get_by_role("button", name="Show move").first.click()
    one.reads("#status", f"Looking at move {slips[0]['number']}.")
    assert len(owners(one)) == slips[0]["number"]
    one.find("#moves li").nth(4).locator("button").click()
    one.misses("#back")
    assert owners(one) == end


def test_a_mistake_can_be_tried_again(guest: Invite) -> None:
    one = guest()
    room = won(one)
    one.find('#mistakes [data-ply="4"]').get_by_role("button", name="Try again").click()
    one.page.wait_for_url(lambda url: "/play/" in url and room not in url)
    one.on_turn()
    one.reads("#moves .ply", ["1", "5", "4"])
    game = one.game()
    assert game["players"] == ["random", "human"]
    assert game["to_move"] == 2, "who made the mistake has the turn again"
    one.click("7")
    one.has_more_than(4)


def test_a_finished_game_can_be_passed_on_as_a_link_and_as_a_file(
    guest: Invite, tmp_path: Path
) -> None:
    one, two = guest(permissions=["clipboard-read", "clipboard-write"]), guest()
    room = won(one)
    with one.still():
        one.find("#share-game").click()
        one.reads("#share-game", "Copied")
    link = str(one.page.evaluate("() => navigator.clipboard.readText()"))
    assert link == one.url + str(one.find("#analyse").get_attribute("href"))
    two.page.goto(link)
    two.has_more_than(4)
    assert two.moves() == one.moves()
    assert owners(two) == owners(one)
    two.find("#show-report").click()
    two.sees("#chart svg")
    two.find('#chart [data-ply="2"]').click()
    expect(two.find("[data-cell][data-owner]")).to_have_count(2)
    with one.page.expect_download() as started:
        one.find("#record").click()
    started.value.save_as(tmp_path / "game.duel")
    told = one.ask(f"/api/games/{room}/record").text()
    assert (tmp_path / "game.duel").read_text() == told
    assert told.splitlines()[-1].startswith("1 5 4 9 7")


def test_a_link_to_a_game_keeps_the_names(guest: Invite) -> None:
    one = guest()
    one.start("duel", "random", moves="1 5 4 9", name="Ada & <b>Eve</b>")
    one.click("7")
    one.sees("#after")
    one.find("#analyse").click()
    names = ["Ada & <b>Eve</b>", "Computer (random)"]
    expect(one.find(".player-name")).to_have_text(names)
    one.reads("#status", f"{names[0]} wins the game!")
    one.find("#undo").click()
    one.reads("#status", f"{names[0]} to move.")
    one.page.reload()
    expect(one.find(".player-name")).to_have_text(names)


def test_whose_a_tile_is_can_be_told_without_colours(guest: Invite) -> None:
    """In words for those who hear the page, and by a mark for those who see it."""
    one = guest()
    one.go(address("line", MIDDLE["line"]))
    one.has_more_than(3)
    for tile, seat, mark in (("5", 1, "X"), ("6", 2, "O"), ("4", 1, "X"), ("3", 2, "O")):
        found = one.find(f'[data-cell="{tile}"]')
        label = str(found.get_attribute("aria-label"))
        assert f"taken by Player {seat} ({mark})" in label
        drawn = "tile => getComputedStyle(tile.querySelector('.mark'), '::before').content"
        other = drawn.replace("before", "after")
        assert f'"{mark}"' in (found.evaluate(drawn), found.evaluate(other))
    assert "last move" in str(one.find('[data-cell="3"]').get_attribute("aria-label"))
    one.reads(".players .mark", ["X", "O"])


# -- the analysis board ---------------------------------------------------------------------


def test_the_analysis_board_shows_values_and_keeps_its_place_in_the_address(
    guest: Invite,
) -> None:
    one = guest()
    one.allow(refusal(422))
    one.go(address("capture", "21 18", variant="n=12", first="2"))
    one.reads("#error", re.compile("21"))
    one.go(address("capture", "12 9", variant="n=12", first="2"))
    one.has_more_than(1)
    worths = one.find(".cell .worth[data-text]")
    expect(worths).to_have_count(len(one.options()))
    one.sees(".cell[data-best]")
    one.find("#values").uncheck()
    expect(worths).to_have_count(0)
    asked = one.listen()
    one.click("5")
    one.has_more_than(2)
    assert parse_qs(urlsplit(one.page.url).query) == {
        "game": ["capture"], "variant": ["n=12"], "first": ["2"], "moves": ["12 9 5"],
    }  # fmt: skip
    expect(one.find('[data-cell="5"]')).to_have_attribute("data-owner", "2")
    one.find("#undo").click()
    expect(one.find('[data-cell="5"]')).not_to_have_attribute("data-owner", re.compile(""))
    one.find("#redo").click()
    expect(one.find('[data-cell="5"]')).to_have_attribute("data-owner", "2")
    expect(one.find("#redo")).to_have_attribute("aria-disabled", "true")
    one.find("#undo").click()
    expect(one.find("#redo")).not_to_have_attribute("aria-disabled", "true")
    one.click("6")
    expect(one.find('[data-cell="6"]')).to_have_attribute("data-owner", "2")
    expect(one.find("#redo")).to_have_attribute("aria-disabled", "true")
    assert not [path for path in asked if path.startswith("/api/values")]
    before = owners(one)
    one.page.reload()
    one.has_more_than(2)
    one.reads("#moves .ply", ["12", "9", "5", "6"])  # the other line is kept
    assert owners(one) == before
    one.sees(".cell[data-best]")
    one.find("#over").click()
    expect(one.find("[data-owner].cell")).to_have_count(0)
    one.find("#redo").click()
    expect(one.find("[data-owner].cell")).to_have_count(1)
    one.find("#play-here").click()
    one.page.wait_for_url(re.compile("/play/"))
    one.on_turn()
    one.reads("#moves .ply", ["12"])
    assert one.game()["variant"] == {"n": 12}


def test_another_game_can_be_set_up_for_analysis(guest: Invite) -> None:
    one = guest()
    one.go("/analyse")
    one.sees("[data-cell]")
    one.find('[data-tab="factors"]').click()
    one.sees("[data-cell]", times=20)
    one.find("summary").click()
    one.find('[data-parameter="n"]').fill("12")
    one.find("#first").select_option("2")
    one.find("#pie").check()
    one.find("#set").click()
    one.sees("[data-cell]", times=12)
    one.reads("#status", "Player 2 to move.")
    one.click("6")
    one.has_more_than(0)
    one.sees('.choice[data-move="swap"]')
    one.find("#show-report").click()
    one.sees("#chart svg")
    one.find('#chart [data-ply="0"]').click()
    expect(one.find("[data-owner].cell")).to_have_count(0)


def test_cards_are_drawn_by_hand_on_the_analysis_board(guest: Invite) -> None:
    one = guest()
    one.go("/analyse?game=build")
    one.sees("[data-draw]", times=10)
    one.page.set_viewport_size({"width": 1280, "height": 800})
    expect(one.find("#draw-cards")).to_be_in_viewport(ratio=1)
    expect(one.find('[data-draw="7"]')).to_have_accessible_name(re.compile("^Draw 7.*10 %$"))
    one.tab_to('[data-draw="7"]')
    one.press("Enter")
    one.reads("#drawn .card", "7")
    one.misses("#draws")
    assert one.focus() in one.options(), "the moves are what comes next"
    one.reads("#legend", re.compile(r"\S"))
    expect(one.find(".choice .worth")).to_have_text([re.compile("%")] * len(one.options()))
    one.find('.choice[data-label="end"]').click()
    one.reads('[data-hand="1"] .card', "7")
    one.find('[data-draw="7"]').click()
    one.reads('[data-fact="Cards left"]', re.compile(r"^Cards left\s*18$"))
    one.find('.choice[data-label="discard"]').click()
    one.reads('[data-fact="Discard pile"] .card', "7")
    one.misses('[data-draw="7"]')
    one.find("#undo").click()
    one.find("#undo").click()
    one.sees('[data-draw="7"]')
    one.page.reload()
    one.sees("[data-draw]", times=10)
    one.reads("#moves .ply", ["7 end", "7 discard"])  # the line that was left is kept


# -- lessons --------------------------------------------------------------------------------


def take(one: Guest, name: str, make: Callable[[str], None], go_on: Callable[[], None]) -> None:
    """Take every step of a lesson but the last, with one wrong try where there can be one."""
    *steps, _ = lesson_of(numduel.game(name)).steps
    for number, step in enumerate(steps, 1):
        one.reads("#step-title", f"{number}. {step.title}")
        wrong = [str(move) for move in step.state.legal_moves if move not in step.moves]
        for move in wrong[:1]:
            make(move)
            one.sees("#result[data-right=false]")
        make(str(step.moves[-1]))
        one.sees("#result[data-right=true]")
        go_on()


def test_a_lesson_is_taken_with_the_mouse(guest: Invite) -> None:
    one = guest()
    one.go("/")
    one.find('[data-game="factors"] a[href="/learn/factors"]').click()
    begun: list[Route] = []
    one.page.route(re.compile(r"/answer\?step=8$"), lambda route: begun.append(route))
    take(one, "factors", one.click, one.find("#next").click)
    one.reads("#step-title", "8. Beat medium")
    assert one.options() == [], "no press is lost while the game is being begun"
    begun[0].continue_()
    one.click("11")
    one.sees('[data-cell="1"][data-owner="2"]')
    one.click("13")
    one.reads("#result", re.compile("^You have beaten medium"))
    one.sees("#play")
    one.go("/learn")
    one.reads('[data-game="factors"] p', "8 of 8 steps done")
    one.reads('[data-game="duel"] p', "0 of 8 steps done")


def test_a_lesson_is_taken_with_the_keyboard_alone(guest: Invite) -> None:
    one = guest()
    one.go("/learn/capture")

    def make(move: str) -> None:
        one.settled()
        one.key(move, arrows=False)

    def go_on() -> None:
        # Who has done a step goes on with Enter.
        one.focuses("#next")
        one.press("Enter")

    take(one, "capture", make, go_on)
    one.reads("#step-title", "7. Beat medium")
    one.focuses("#step-title")
    make("21")
    while one.find("#play:visible").count() == 0:
        one.on_turn()
        held = one.find('[data-owner="1"].cell').count()
        make(min(one.options(), key=int))
        expect(one.find('[data-owner="1"].cell')).not_to_have_count(held)
    one.reads("#result", re.compile("^You have beaten medium"))


def test_a_lesson_goes_on_where_it_was_left_and_helps_when_asked(guest: Invite) -> None:
    one = guest()
    one.go("/learn/build")
    one.click("4e")
    one.sees("#result[data-right=true]")
    one.go("/learn")
    one.find('a[href="/learn/build"]').click()
    one.reads("#step-title", "2. Your turn")
    one.go("/learn/build#5")
    one.page.reload()
    one.reads("#step-title", "5. Which end?")
    one.find("#hint").click()
    one.reads("#result", "Count the undrawn cards that would still fit.")
    one.find("#hint").click()
    one.reads("#result", "It is end.")
    one.find("#skip").click()
    one.reads("#step-title", "6. The last card")
    one.find("#steps li:nth-child(7) button").click()
    one.sees(".choice")
    one.find("#hint").click()
    one.reads("#result", re.compile("^Begin with 4, 5, 6, 7, 8 or 9"))


# -- puzzles --------------------------------------------------------------------------------


def solution(guest: Guest, state: Any) -> str:
    """The right move, as the server gives it away to who asks."""
    variant = " ".join(f"{name}={value}" for name, value in state["variant"].items())
    question = {
        "game": state["name"], "variant": variant, "first": state["first"],
        "moves": state["text"], "move": state["legal"][0]["move"], "reveal": "true",
    }  # fmt: skip
    return str(guest.get(f"/api/puzzle/answer?{urlencode(question)}")["solution"]["move"])


def wrong_move(guest: Guest, right: str) -> str:
    return next(move for move in guest.options() if move != right)


def spoken(state: Any, move: str) -> str:
    """A move as the page says it."""
    return str(next(option["label"] for option in state["legal"] if option["move"] == move))


def test_today_s_puzzle_nudges_after_a_wrong_try_and_plays_the_right_one_out(
    guest: Invite,
) -> None:
    one = guest()
    one.go("/puzzles")
    puzzle = one.get("/api/puzzle")
    one.reads("#task", puzzle["task"])
    one.reads("#puzzle-title", re.compile("^" + re.escape(puzzle["title"])))
    one.reads("#grade", re.compile(f"^Grade {puzzle['grade']} of 5"))
    right = solution(one, puzzle["state"])
    assert set(one.options()) == {option["move"] for option in puzzle["state"]["legal"]}
    wrong = wrong_move(one, right)
    one.click(wrong)
    one.reads("#result", f"{spoken(puzzle['state'], wrong)} is not it.")
    expect(one.find("#nudge")).not_to_be_empty()
    one.reads("#tries", "Try 2")
    one.misses("#copy")
    one.reads("#solved", "Solved in this browser: 0")
    one.click(right)
    one.reads("#result", f"{spoken(puzzle['state'], right)} is right.")
    one.reads("#share-line", f"{puzzle['label']} · solved on try 2 · streak 1")
    one.reads("#solved", "Solved in this browser: 1")
    assert one.options() == []
    one.misses("#reveal")
    one.find("#analyse").click()
    one.page.wait_for_url(re.compile("/analyse"))
    expect(one.find("#status")).to_have_text(puzzle["state"]["status"])


def test_a_puzzle_counts_once(guest: Invite) -> None:
    one = guest()
    address = "/puzzles?game=duel&seed=9&grade=3"
    for had in ("", "You have had this one: it does not count again."):
        one.go(address)
        one.reads("#puzzle-title", "Puzzle 9: Sequence Duel")
        one.reads("#result", had)
        one.click("3")
        one.reads("#result", "3 is right.")
        one.reads("#solved", "Solved in this browser: 1")
        one.reads("#share-line", "numduel puzzle 9 · Sequence Duel · grade 3 · solved on try 1")
    one.go("/puzzles?game=duel&seed=8&grade=3")
    one.find("#reveal").click()
    one.reads("#result", "It is 7.")
    one.misses("#copy")
    one.reads("#solved", "Solved in this browser: 1")


def test_an_answer_to_a_puzzle_that_was_left_is_dropped(guest: Invite) -> None:
    one = guest()
    one.go("/puzzles?game=duel&seed=9&grade=3")
    one.reads("#puzzle-title", "Puzzle 9: Sequence Duel")
    held: list[Route] = []
    one.page.route("**/api/puzzle/answer?*", lambda route: held.append(route))
    with one.page.expect_request("**/api/puzzle/answer?*"):
        one.click("3")
    one.find("#today").click()
    one.reads("#puzzle-title", re.compile("^Puzzle of "))
    with one.page.expect_response("**/api/puzzle/answer?*"):
        held[0].continue_()
    one.page.unroute("**/api/puzzle/answer?*")
    state = one.get("/api/puzzle")["state"]
    wrong = wrong_move(one, solution(one, state))
    one.click(wrong)
    one.reads("#result", f"{spoken(state, wrong)} is not it.")
    one.reads("#solved", "Solved in this browser: 0")


def test_days_in_a_row_are_kept_and_what_makes_no_sense_is_a_fresh_start(guest: Invite) -> None:
    one = guest()
    puzzle = one.get("/api/puzzle")
    right = solution(one, puzzle["state"])
    today = date.fromisoformat(puzzle["date"])

    def days(kept: str) -> str:
        """The line to share after today's puzzle is solved with something kept."""
        one.page.evaluate("kept => localStorage.setItem('numduel.puzzles', kept)", kept)
        one.page.reload()
        one.click(right)
        one.reads("#result", f"{spoken(puzzle['state'], right)} is right.")
        return one.find("#share-line").inner_text().rpartition(" · ")[2]

    def kept(ago: int, **more: object) -> str:
        return json.dumps({"day": str(today - timedelta(ago)), "days": 4, **more})

    one.go("/puzzles")
    assert days(kept(1)) == "streak 5"
    assert days(kept(2)) == "streak 1"
    assert days(kept(0)) == "streak 4"
    assert days(kept(1, done=[puzzle["link"]])) == "streak 4"
    for damage in ("{", "7", "[]", "null", '{"day": "soon", "days": -3, "done": 1}'):
        assert days(damage) == "streak 1"


def test_there_is_always_another_puzzle_of_the_game_and_grade_one_wants(guest: Invite) -> None:
    one = guest()
    one.go("/puzzles")
    one.find("#game").select_option("duel")
    one.find("#wanted-grade").select_option("1")
    with one.page.expect_response(re.compile(r"/api/puzzle\?seed=")) as answered:
        one.find("#next").click()
    puzzle = answered.value.json()
    one.reads("#puzzle-title", re.compile(r"^Puzzle \d+: Sequence Duel$"))
    one.reads("#grade", re.compile("^Grade 1 of 5"))
    assert one.page.url.endswith(f"/puzzles?{urlsplit(answered.value.url).query}")
    right = solution(one, puzzle["state"])
    one.click(right)
    one.reads("#result", f"{right} is right.")
    one.find("#today").click()
    one.reads("#puzzle-title", re.compile("^Puzzle of "))
    one.page.go_back()
    one.reads("#puzzle-title", f"{puzzle['title']}: Sequence Duel")
    one.allow(refusal(422))
    one.go("/puzzles?seed=abc&game=zzz")
    one.reads("#error", "There is no such puzzle. This is today’s instead.")
    one.reads("#puzzle-title", re.compile("^Puzzle of "))


# -- pages to read --------------------------------------------------------------------------


def test_every_game_has_its_rules_a_click_away(guest: Invite) -> None:
    one = guest()
    one.go("/")
    one.sees("[data-game]", times=len(NAMES))
    for name in NAMES:
        game = numduel.game(name)
        one.find(f'[data-game="{name}"]').get_by_role("link", name="Rules").click()
        one.page.wait_for_url(f"{one.url}/rules/{name}")
        one.reads("h1", re.compile("^" + re.escape(game.title.partition(" (")[0])))
        one.reads(".brief", re.compile(f"^{game.called} in short.*{game.brief[-1]}", re.DOTALL))
        text = one.find("article").inner_text()
        assert len(text) > 400
        assert "--" not in text
        assert "numduel play" not in text
        size = next(iter(game.parameters.values()))
        assert re.search(f"{size.meaning[1:]}: from 1 to \\d+; usually \\d+", text)
        one.page.go_back()


def test_the_page_of_the_api_lists_every_operation(guest: Invite) -> None:
    one = guest()
    one.go("/api")
    paths = one.get("/api/openapi.json")["paths"]
    wanted = [
        f"{method.upper()} {path}"
        for path, item in paths.items()
        for method in ("get", "post", "delete")
        if method in item
    ]
    assert len(wanted) == sum(map(len, paths.values()))
    assert len(wanted) >= 18
    expect(one.find("#operations h2")).to_have_text(wanted)
    expect(one.find("#contents a")).to_have_text(wanted)
    one.find("#contents a").last.click()
    expect(one.find("#operations section").last).to_be_in_viewport()
    one.page.set_viewport_size({"width": 390, "height": 664})
    cut = "node => node.scrollWidth > node.clientWidth"
    assert not one.find("h1").evaluate(cut)
    text = one.find("#operations").inner_text()
    for word in ("invite", "forgiving", "after", "reveal", '"opponent": "friend"', "422"):
        assert word in text


def test_a_page_or_a_game_that_is_not_there_is_kindly_said_to_be_missing(guest: Invite) -> None:
    one = guest()
    one.allow(refusal(404))
    strange = ("/play/AAAAAAAAAAAA", "/play/x", "/play/a%20b%20c%20d")
    for path in ("/nothing", "/rules/chess", "/play/", "/static/nothing.js", *strange):
        answer = one.page.goto(one.url + path)
        assert answer is not None
        assert answer.status == 404
        one.reads("h1", "There is nothing here")
    one.find(".brand").click()
    one.sees("[data-game]")
    one.misses("#recent")


def test_without_javascript_a_page_says_what_is_missing(guest: Invite) -> None:
    one = guest(java_script_enabled=False)
    room, _ = one.create("duel")
    for path in ("/", f"/play/{room}", "/analyse", "/rules/duel"):
        one.go(path)
        one.reads("noscript p", re.compile("needs JavaScript"))


# -- every size, every kind of eyes ---------------------------------------------------------


def lobby(one: Guest) -> None:
    one.go("/")
    one.find('[data-game="factors"] summary').click()


def refused_option(one: Guest) -> None:
    lobby(one)
    card = one.find('[data-game="factors"]')
    card.locator('[data-parameter="n"]').fill("0")
    card.locator('[data-play="friend"]').click()
    expect(card.locator(".wrong").first).not_to_be_empty()


def invitation(one: Guest) -> None:
    one.go("/")
    one.find('[data-game="duel"] [data-play="friend"]').click()
    one.link()


def invited(one: Guest) -> None:
    room, invite = one.create("duel")
    one.context.clear_cookies()
    one.go(f"/play/{room}#{invite}")
    one.sees("#join")


def visiting(one: Guest) -> None:
    room, _ = one.create("duel")
    one.context.clear_cookies()
    one.open(room)
    one.sees("#ask-to-play")


def requests(one: Guest) -> None:
    invitation(one)
    cookies = one.context.cookies()
    one.context.clear_cookies()
    for name in ("Bob", "A name of thirty-six letters and more"):
        one.post(f"/api/games/{one.room}/requests", name=name)
    one.context.add_cookies(cookies)  # type: ignore[arg-type]
    one.sees(".asker", times=2)


def my_games(one: Guest) -> None:
    for number, opponent in enumerate(("random", "here", "friend")):
        room, _ = one.create("duel", opponent, name="A name of thirty-six letters and more")
        if number:
            one.post(f"/api/games/{room}/resign", after=0)
    one.go(f"/games#{'A' * 22}")
    one.sees(".mine", times=3)
    one.find("#device summary").click()
    one.find("#make-link").click()
    one.sees("#link-code .qr")


def playing(game: str) -> Callable[[Guest], None]:
    def place(one: Guest) -> None:
        one.start(game, "easy", seat=1 if game != "duel" else 2, moves=MIDDLE[game])
        one.on_turn()
        one.find("#values").check()
        one.sees("[data-best]")
        one.find("#hint").click()
        one.reads("#hint-lines", re.compile(r"[^…]$"))
        one.find("#hint").click()
        one.reads("#hint-lines", re.compile(r" \S+ .*\. "))

    return place


def asked(one: Guest) -> None:
    one.start("factors", "easy", moves="6 12")
    one.settled()
    one.find("[data-cell='5']").click(force=True)
    one.sees("dialog[open]")


def over(one: Guest) -> None:
    won(one)
    one.find('#chart [data-ply="2"]').click()
    one.sees("#back")


def large(game: str, variant: str, moves: str) -> Callable[[Guest], None]:
    def place(one: Guest) -> None:
        one.go(address(game, moves, variant=variant))
        one.sees(".cell[data-best]")

    return place


def estimates(one: Guest) -> None:
    """A board that is too large to be exact; to estimate it would take seconds."""
    options = [
        {
            "move": str(n), "label": str(n), "worth": "about 100.0 %", "short": "~100.0 %",
            "best": n == 7, "exact": False,
        }
        for n in range(1, 41)
    ]  # fmt: skip
    answer = {"options": options, "legend": "Estimates of the chance to win."}
    one.page.route("**/api/values?*", lambda route: route.fulfill(json=answer))
    large("line", "n=40 k=4", "20 21")(one)


def cards(one: Guest) -> None:
    one.go(address("build", MIDDLE["build"]))
    one.sees("[data-draw]")
    one.find("#show-report").click()
    one.sees("#chart svg")
    one.find("aside summary").click()


def puzzle(one: Guest) -> None:
    one.go("/puzzles")
    one.reads("#grade", re.compile("Grade"))
    one.find("#reveal").click()
    one.sees("#why p:last-child")


def lines(one: Guest) -> None:
    one.go(address("duel", "1 5 4", name1="A name of thirty-six letters and more"))
    one.sees('[data-cell="4"][data-owner]')
    one.find("#undo").click()
    one.sees('[data-cell="4"]:not([data-owner])')
    one.settled()
    one.click("7")
    one.sees(".instead")


def storm(one: Guest) -> None:
    one.go("/storm")
    one.find("#game").select_option("capture")
    one.find("#start").click()
    one.sees(".player[data-turn]")


def storm_over(one: Guest) -> None:
    storm(one)
    one.find(PLAYABLE).first.click()
    one.sees("#result[data-right]")
    one.find("#start").click()
    one.sees("#had li")


def strategy(one: Guest) -> None:
    one.go("/strategy/factors")
    one.sees("#sentences li")


def lessons(one: Guest) -> None:
    one.go("/learn")
    one.sees("[data-game]")


def lesson(one: Guest) -> None:
    one.go("/learn/line#7")
    one.sees(".cell")
    one.click("9")
    one.reads("#result", re.compile("^Not 9"))


def rules(one: Guest) -> None:
    one.go("/rules/factors")


def reference(one: Guest) -> None:
    one.go("/api")
    one.sees("#operations h2")


def part_of_the_reference(one: Guest) -> None:
    """Some operations of each kind: to check all of them takes long."""

    def leave_out(route: Route) -> None:
        told = route.fetch().json()
        some = {path: told["paths"][path] for path in ("/api/games", "/api/games/{id}/moves")}
        route.fulfill(json={**told, "paths": some})

    one.page.route("**/openapi.json", leave_out)
    reference(one)


def missing(one: Guest) -> None:
    one.allow(refusal(404))
    one.go("/nothing")


PLACES: dict[str, Callable[[Guest], None]] = {
    "refused option": refused_option,
    "invitation": invitation,
    "visiting": visiting,
    "requests": requests,
    "invited": invited,
    "my games": my_games,
    **{game: playing(game) for game in BOARDS.values()},
    "asked": asked,
    "over": over,
    "line of 40": estimates,
    "cards": cards,
    "puzzle": puzzle,
    "lines": lines,
    "storm": storm,
    "storm is over": storm_over,
    "strategy": strategy,
    "lessons": lessons,
    "lesson": lesson,
    "rules": rules,
    "part of the reference": part_of_the_reference,
    "missing": missing,
}
LARGER_PLACES: dict[str, Callable[[Guest], None]] = {
    "factors up to 100": large("factors", "n=100", "2 6 12"),
    "the whole reference": reference,
    **{game: playing(game) for game in NAMES if game not in BOARDS.values()},
}
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = {"type": "rule", "values": ["color-contrast"]}
"""What can be different in the dark."""
SMALL = """(least) => [...document.querySelectorAll("button, select, input, summary, a, g[role]")]
  .filter((node) => node.checkVisibility({ visibilityProperty: true }))
  .filter((node) => !node.closest(".prose, .skip, .contents") || node.matches(".button"))
  .map((node) => [node, (node.matches("input[type=checkbox]") ? node.closest("label") : node)
    .getBoundingClientRect()])
  .filter(([node, box]) => {
    const main = node.matches(".button:not(.small), .cell, .choice, .card");
    return Math.min(box.width, box.height) < (main ? least : 24) - 0.01;
  })
  .map(([node, { width, height }]) => `${node.outerHTML.slice(0, 80)} ${width}x${height}`)"""
"""Everything that can be pressed and is too small for a finger."""
WIDE = """async () => {
  for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
  const { scrollWidth, clientWidth } = document.documentElement;
  return [scrollWidth, [...document.querySelectorAll("main *")]
    .filter((node) => node.getBoundingClientRect().right > clientWidth + 1)
    .map((node) => node.outerHTML.slice(0, 80)).slice(0, 5)];
}"""
"""How wide the page is when it has settled, and what makes it so."""

PHONE = {
    "width": 375,
    "height": 800,
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}


@pytest.mark.parametrize(
    "place",
    [
        *PLACES.values(),
        *(pytest.param(place, marks=pytest.mark.proof) for place in LARGER_PLACES.values()),
    ],
    ids=[*PLACES, *LARGER_PLACES],
)
def test_a_page_is_for_everybody(place: Callable[[Guest], None], guest: Invite) -> None:
    """For who cannot see it, in light and in the dark: no rule of WCAG 2.2 AA is broken that a
    program can check. On phones, zoomed in and with large letters nothing is beside the screen,
    and everything is large enough for a finger."""
    one = guest(**PHONE)
    place(one)
    is_for_everybody(one)


def is_for_everybody(one: Guest) -> None:
    """The page that somebody looks at on a phone serves them, whoever they are."""
    for width, letters in ((375, "100%"), (320, "100%"), (640, "200%")):
        one.page.set_viewport_size({"width": width, "height": 640})
        one.page.evaluate("size => { document.documentElement.style.fontSize = size; }", letters)
        found, causes = one.page.evaluate(WIDE)
        assert found <= width, (width, letters, causes)
        assert not one.page.evaluate(SMALL, 44), width
    one.page.evaluate("() => { document.documentElement.style.fontSize = ''; }")
    one.page.set_viewport_size({"width": 1200, "height": 900})
    check = {"light": {"type": "tag", "values": TAGS}, "dark": COLOURS}
    for scheme, rules in check.items():
        one.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert not one.broken(runOnly=rules), scheme


@pytest.mark.parametrize("width", [320, pytest.param(375, marks=pytest.mark.proof)])
def test_a_game_is_played_with_a_finger(width: int, guest: Invite) -> None:
    options = {"width": width, "height": 640, "has_touch": True, "is_mobile": True}
    one, two = guest(**options), guest(**options)
    sit(one, two, "duel")
    for mover, move in ((one, "4"), (two, "6"), (one, "5"), (two, "7"), (one, "3")):
        mover.on_turn()
        made = len(mover.moves())
        mover.option(move).tap()
        for person in (one, two):
            person.has_more_than(made)
    for person in (one, two):
        person.sees("#chart svg")
        person.find('#chart [data-ply="1"]').tap()
        expect(person.find(".cell[data-owner]")).to_have_count(1)
        person.find("#back").tap()
        expect(person.find(".cell[data-owner]")).to_have_count(5)
    over = one.room
    one.find("#rematch").tap()
    two.find("#rematch").tap()
    for person in (one, two):
        person.page.wait_for_url(lambda url: "/play/" in url and over not in url)
        person.sees(".player[data-turn]")
    make({1: one, 2: two}, "5")
