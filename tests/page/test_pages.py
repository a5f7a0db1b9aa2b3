"""Every page by itself: what can be learnt there, at every size, with every kind of eyes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Route, expect

import numduel
from numduel.learn.lesson import lesson as lesson_of
from tests.games import NAMES
from tests.page.browser import BOARDS, PLAYABLE, Guest, Invite, refusal

MIDDLE = dict.fromkeys(NAMES, "") | {
    "line": "5 6 4 3",
    "factors": "6 12 4 8",
    "capture": "11 5 20 8",
    "build": "7e 5x 8e 2e",
    "duel": "1 5 4 9",
}
"""Moves after which every game goes on, and seat 1 is to move; in duel it can win at once."""


def address(game: str, moves: str = "", **parts: str) -> str:
    """The analysis board with a position on it."""
    return "/analyse?" + urlencode({"game": game, **parts, "moves": moves})


TEMPLATES = Path(numduel.__file__).parent / "web" / "pages" / "templates"


@pytest.mark.parametrize("path", sorted(TEMPLATES.glob("*.html")), ids=lambda path: path.stem)
def test_a_number_is_asked_for_by_the_browser_if_it_is_left_out(path: Path) -> None:
    for field in re.findall(r"<input\b[^>]*>", path.read_text("utf-8")):
        assert 'type="number"' not in field or " required" in field, field


# -- after the game -------------------------------------------------------------------------


def owners(guest: Guest) -> dict[str, str]:
    """Which tiles are whose, as the page shows them."""
    return dict(guest.find("[data-cell][data-owner]").evaluate_all(
        "all => all.map(({ dataset }) => [dataset.cell, dataset.owner])"
    ))  # fmt: skip


def test_a_finished_game_is_looked_at_passed_on_and_tried_again(
    guest: Invite, tmp_path: Path
) -> None:
    one = guest(permissions=["clipboard-read", "clipboard-write"])
    names = ["Ada & <b>Eve</b>", "Computer (random)"]
    room = one.start("duel", "random", moves="1 5 4 9", name=names[0])
    one.click("7")
    one.sees("#chart svg")
    # The report leads to every position of the game and back.
    report = one.get(f"/api/v1/games/{room}/report")
    assert one.find("#report").locator("h3").first.inner_text() == report["title"]
    one.sees("#chart [data-ply]", times=6)
    mistakes = [ply for ply in report["plies"] if ply["mistake"]]
    assert mistakes
    slips = [report["plies"][number - 1] for number in report["slips"]]
    own = [ply for ply in slips if ply["number"] in report["asked"]]
    one.reads("#mistakes p", [ply["headline"] for ply in own])
    assert all(", your mistake: " in ply["headline"] for ply in own)
    one.find("#everything").click()
    one.misses("#everything")
    one.reads("#mistakes p", [ply["told"] for ply in slips])
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
    one.reads("#told", slips[0]["told"])
    assert owners(one) == {"1": "1"}
    one.find("#chart [data-ply='0']").click()
    one.reads("#status", "Looking at the start.")
    assert owners(one) == {}
    one.find("#moves li").nth(2).locator("button").click()
    one.reads("#status", "Looking at move 3.")
    one.find("#mistakes").get_by_role("button", name="Show move").first.click()
    one.reads("#told", slips[0]["told"])
    assert len(owners(one)) == slips[0]["number"]
    one.find("#moves li").nth(4).locator("button").click()
    one.misses("#back")
    assert owners(one) == end

    # The game is passed on as a file and as a link, which keeps the names.
    with one.page.expect_download() as started:
        one.find("#record").click()
    started.value.save_as(tmp_path / "game.duel")
    told = one.ask(f"/api/v1/games/{room}/record").text()
    assert (tmp_path / "game.duel").read_text() == told
    assert told.splitlines()[-1].startswith("1 5 4 9 7")
    with one.still():
        one.find("#share-game").click()
        one.reads("#share-game", "Copied")
    link = str(one.page.evaluate("() => navigator.clipboard.readText()"))
    assert link == one.url + str(one.find("#analyse").get_attribute("href"))
    one.page.goto(link)
    one.reads("#moves .ply", list(end))
    assert owners(one) == end
    expect(one.find(".player-name")).to_have_text(names)
    one.reads("#status", f"{names[0]} wins the game!")
    one.find("#show-report").click()
    one.sees("#chart svg")
    one.find('#chart [data-ply="2"]').click()
    expect(one.find("[data-cell][data-owner]")).to_have_count(2)
    one.reads("#status", f"{names[0]} to move.")
    one.page.reload()
    expect(one.find(".player-name")).to_have_text(names)
    # A mistake can be tried again, by who made it.
    one.open(room)
    one.find("#everything").click()
    one.find('#mistakes [data-ply="4"]').get_by_role("button", name="Try again").click()
    one.page.wait_for_url(lambda url: "/play/" in url and room not in url)
    one.on_turn()
    one.reads("#moves .ply", ["1", "5", "4"])
    game = one.game()
    assert game["players"] == ["random", "human"]
    assert game["to_move"] == 2, "who made the mistake has the turn again"
    one.click("7")
    one.has_more_than(4)


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


LINES = """tile => {
  const { borderStyle, borderWidth, outlineStyle, outlineWidth } = getComputedStyle(tile);
  return [`${borderStyle} ${borderWidth}`, `${outlineStyle} ${outlineWidth}`];
}"""
"""The border and the outline of a tile, whatever their colours are."""


def test_in_forced_colours_the_lines_around_a_tile_tell_players_hint_and_win_apart(
    guest: Invite,
) -> None:
    one = guest(forced_colors="active")
    one.start("duel", "easy", moves="1 5 4 9")
    one.on_turn()
    for _ in range(2):
        one.find("#hint").click()
        one.reads("#hint-lines", re.compile(r"[^…]$"))
    one.sees("[data-advised]", times=1)

    def lines(tile: str) -> tuple[str, str]:
        border, outline = one.find(f'[data-cell="{tile}"]').evaluate(LINES)
        return border, outline

    yours, theirs, free, last, hint = map(lines, ("1", "5", "2", "9", "7"))
    one.click("7")
    one.sees('.cell[data-state="winning"]', times=3)
    win = lines("7")
    borders = [found[0] for found in (yours, theirs, free, hint)]
    assert len({*borders}) == len(borders), borders
    outlines = [found[1] for found in (free, last, hint, win)]
    assert len({*outlines}) == len(outlines), outlines
    for seat, mark in enumerate(one.find(".players .mark").all(), 1):
        expect(mark).to_have_text(f"P{seat}")
        assert mark.evaluate("mark => getComputedStyle(mark).clipPath") == "none", "a whole mark"


# -- the analysis board ---------------------------------------------------------------------


def test_a_game_is_set_up_for_analysis_with_values_and_its_place_in_the_address(
    guest: Invite,
) -> None:
    one = guest()
    one.allow(refusal(422))
    one.go(address("capture", "21 18", variant="n=12", first="2"))
    one.reads("#error", re.compile("21"))
    one.go("/analyse")
    one.find('[data-tab="capture"]').click()
    one.sees("[data-cell]", times=21)
    one.find("summary").click()
    one.find('[data-parameter="n"]').fill("12")
    one.find("#first").select_option("2")
    one.find("#set").click()
    one.sees("[data-cell]", times=12)
    one.reads("#status", "Player 2 to move.")
    one.settled()
    one.click("12")
    one.settled()
    one.click("9")
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
        "game": ["capture"], "variant": ["n=12 gaps=none"], "first": ["2"],
        "moves": ["12 9 5"],
    }  # fmt: skip
    expect(one.find('[data-cell="5"]')).to_have_attribute("data-owner", "2")
    one.find('[data-step="back"]').click()
    expect(one.find('[data-cell="5"]')).not_to_have_attribute("data-owner", re.compile(""))
    one.find('[data-step="on"]').click()
    expect(one.find('[data-cell="5"]')).to_have_attribute("data-owner", "2")
    expect(one.find('[data-step="on"]')).to_have_attribute("aria-disabled", "true")
    one.find('[data-step="back"]').click()
    expect(one.find('[data-step="on"]')).not_to_have_attribute("aria-disabled", "true")
    one.click("6")
    expect(one.find('[data-cell="6"]')).to_have_attribute("data-owner", "2")
    expect(one.find('[data-step="on"]')).to_have_attribute("aria-disabled", "true")
    assert asked.count("/api/v1/activities/analysis") == 5, "one for each press, none for values"
    before = owners(one)
    one.page.reload()
    one.has_more_than(2)
    one.reads("#moves .ply", ["12", "9", "5", "6"])  # the other line is kept
    assert owners(one) == before
    one.sees(".cell[data-best]")
    one.find('[data-step="start"]').click()
    expect(one.find("[data-owner].cell")).to_have_count(0)
    one.find('[data-step="on"]').click()
    expect(one.find("[data-owner].cell")).to_have_count(1)
    one.find("#play-here").click()
    one.page.wait_for_url(re.compile("/play/"))
    one.on_turn()
    one.reads("#moves .ply", ["12"])
    assert one.game()["variant"] == {"n": 12, "gaps": "none"}


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
    one.find('[data-step="back"]').click()
    one.find('[data-step="back"]').click()
    one.sees('[data-draw="7"]')
    one.page.reload()
    one.sees("[data-draw]", times=10)
    one.reads("#moves .ply", ["starts with 7", "discards 7"])  # the line that was left is kept


# -- lessons --------------------------------------------------------------------------------


def take(one: Guest, name: str, make: Callable[[str], None], go_on: Callable[[], None]) -> None:
    """Take the first two steps of a lesson, with one wrong try where there can be one."""
    steps = lesson_of(numduel.game(name)).steps
    for number, step in enumerate(steps[:2], 1):
        one.reads("#step-title", f"{number} of {len(steps)}: {step.title}")
        wrong = [str(move) for move in step.state.legal_moves if move not in step.moves]
        for move in wrong[:1]:
            make(move)
            one.sees("#result[data-right=false]")
        make(str(step.moves[-1]))
        one.sees("#result[data-right=true]")
        go_on()


def test_a_lesson_is_taken_with_the_keyboard_alone(guest: Invite) -> None:
    one = guest()
    pressable = []

    def begin(route: Route) -> None:
        if (route.request.post_data_json or {})["action"] == "next":
            pressable.append(one.options())
        route.continue_()

    one.page.route(re.compile("/api/v1/activities/lesson"), begin)
    one.go("/learn/capture")

    def make(move: str) -> None:
        one.settled()
        one.key(move, arrows=False)

    def go_on() -> None:
        # Who has done a step goes on with Enter.
        one.focuses("[data-action=next]")
        one.press("Enter")

    take(one, "capture", make, go_on)
    one.focuses("#step-title")
    one.find("#steps li:nth-child(8) button").press("Enter")
    one.reads("#step-title", "8 of 12: Why not 20?")
    one.misses(".cell")
    one.find('[data-action="1"]').press("Enter")
    one.sees("#result[data-right=false]")
    one.find('[data-action="2"]').press("Enter")
    one.sees("#result[data-right=true]")
    one.find("#steps li:nth-child(7) button").press("Enter")
    one.reads("#step-title", "7 of 12: Beat medium")
    make("21")
    assert pressable == 2 * [[]], "no press is lost while the next step is on its way"
    while one.find("[data-action=next]:visible").count() == 0:
        one.on_turn()
        held = one.find('[data-owner="1"].cell').count()
        make(max(one.options(), key=int))
        expect(one.find('[data-owner="1"].cell')).not_to_have_count(held)
    one.reads("#result", re.compile("^You have beaten medium"))
    one.go("/learn")
    one.reads('[data-game="capture"] p', "4 of 12 steps done")
    one.reads('[data-game="duel"] p', "0 of 13 steps done")


@pytest.mark.proof
def test_a_lesson_goes_on_where_it_was_left_and_helps_when_asked(guest: Invite) -> None:
    one = guest()
    one.go("/learn/build")
    one.click("4e")
    one.sees("#result[data-right=true]")
    one.go("/learn")
    one.find('a[href="/learn/build"]').click()
    one.reads("#step-title", "2 of 12: Your turn")
    one.go("/learn/build#5")
    one.page.reload()
    one.reads("#step-title", "5 of 12: Which end?")
    one.find("[data-action=hint]").click()
    one.reads("#result", "Count the undrawn cards that would still fit.")
    one.find("[data-action=hint]").click()
    one.reads("#result", "The answer is adding 2 at the end.")
    one.find("[data-action=skip]").click()
    one.reads("#step-title", "6 of 12: The last card")
    one.find("#steps li:nth-child(7) button").click()
    one.sees(".choice")
    one.find("[data-action=hint]").click()
    one.reads("#result", re.compile("^While your row is empty, keep 4, 5, 6, 7, 8 or 9"))


# -- puzzles --------------------------------------------------------------------------------


def solution(guest: Guest, state: Any) -> str:
    """The right move, as the server gives it away to who asks."""
    variant = " ".join(f"{name}={value}" for name, value in state["variant"].items())
    question = {
        "game": state["name"], "variant": variant, "first": state["first"],
        "moves": state["text"], "move": state["legal"][0]["move"], "reveal": "true",
    }  # fmt: skip
    return str(guest.get(f"/api/v1/puzzle/answer?{urlencode(question)}")["solution"]["move"])


def wrong_move(guest: Guest, right: str) -> str:
    return next(move for move in guest.options() if move != right)


def spoken(state: Any, move: str) -> str:
    """A move as part of a sentence."""
    return numduel.game(state["name"]).subject(move)


def test_today_s_puzzle_has_one_try_for_each_move_and_then_there_are_others(
    guest: Invite,
) -> None:
    one = guest()
    one.go("/puzzles")
    puzzle = one.get("/api/v1/puzzle")
    one.reads("#task", f"{puzzle['task']} There is one try for each move.")
    one.reads("#puzzle-title", re.compile("^" + re.escape(puzzle["title"])))
    one.reads("#grade", re.compile(f"^Grade {puzzle['grade']} of 5"))
    count, state, moves = puzzle["moves"], puzzle["state"], True
    assert set(one.options()) == {option["move"] for option in state["legal"]}
    wrong = wrong_move(one, solution(one, state))
    for number in range(1, count + 1):
        one.reads("#tries", re.compile(f"^Move {number} of {count}"))
        one.misses("#copy")
        one.settled()
        right = solution(one, state)
        with one.page.expect_response(re.compile("/api/v1/activities/puzzle")) as answered:
            one.click(wrong if number == 1 else right)
        verdict = "is right." if number > 1 else f"is wrong: {spoken(state, right)} was right."
        one.reads("#result", re.compile(re.escape(verdict)))
        scene = answered.value.json()["scene"]
        state, moves = scene["state"], scene["moves"]
    assert not moves
    marks = "🟥" + "🟩" * (count - 1)
    shared = f"{puzzle['label']}\n{marks} {count - 1} of {count} · 1 day in a row"
    one.reads("#share-line", shared)  # and nothing of the moves
    one.reads("#next-daily", re.compile(r"^Next puzzle in \d+:\d\d:\d\d$"))
    one.reads("#tries", marks)
    one.reads("#solved", "")  # the line to share has the row
    assert one.options() == []
    one.page.reload()
    one.reads("#result", "You have finished today's puzzle.")
    place = str(one.find("#analyse").get_attribute("href"))
    # There is always another one, of the game and the grade one wants.
    one.find("#game").select_option("duel")
    one.find("#wanted-grade").select_option("1")
    with one.page.expect_response(re.compile("/api/v1/activities/puzzle")) as answered:
        one.find("#next").click()
    puzzle = answered.value.json()["scene"]
    one.reads("#puzzle-title", re.compile(r"^Puzzle \d+: Sequence Duel$"))
    one.reads("#grade", re.compile("^Grade 1 of 5"))
    assert one.page.url.endswith(f"/puzzles?{puzzle['link']}")
    right = solution(one, puzzle["state"])
    one.click(right)
    one.reads("#result", f"{right} is right.")
    one.find("#today").click()
    one.reads("#puzzle-title", re.compile("^Puzzle of "))
    one.page.go_back()
    one.reads("#puzzle-title", puzzle["title"])
    one.reads("#tries", "Try 1")
    one.allow(refusal(422))
    one.go("/puzzles?seed=abc&game=zzz")
    one.reads("#error", "There is no such puzzle. Here is today’s instead.")
    one.reads("#puzzle-title", re.compile("^Puzzle of "))
    one.find("#analyse").click()
    one.page.wait_for_url(one.url + place)
    expect(one.find("#status")).not_to_be_empty()


# -- pages to read --------------------------------------------------------------------------


def test_every_game_has_its_rules_a_click_away(guest: Invite) -> None:
    """Also from a page that is not there."""
    one = guest()
    one.allow(refusal(404))
    one.go("/nothing")
    one.reads("h1", "There is nothing here")
    one.find(".brand").click()
    one.misses("#recent")
    links = one.find("[data-game]").get_by_role("link", name="Rules")
    expect(links).to_have_count(len(NAMES))
    paths = links.evaluate_all("all => all.map((link) => link.getAttribute('href'))")
    assert sorted(paths) == sorted(f"/rules/{name}" for name in NAMES)
    links.first.click()
    one.page.wait_for_url(re.compile("/rules/"))
    one.reads(".brief", re.compile("in short"))


# -- every size, every kind of eyes ---------------------------------------------------------


Place = Callable[[Guest], Iterator[None]]
"""Goes to a page, and stops wherever it is to be looked at."""


def refused_option(one: Guest) -> Iterator[None]:
    one.go("/")
    card = one.find('[data-game="factors"]')
    card.locator("summary").click()
    card.locator('[data-parameter="n"]').fill("0")
    card.locator('[data-play="friend"]').click()
    expect(card.locator(".wrong").first).not_to_be_empty()
    yield


def host(one: Guest) -> Iterator[None]:
    """Somebody who has invited a friend, and whom others ask."""
    one.go("/")
    one.find('[data-game="duel"] [data-play="friend"]').click()
    one.link()
    yield
    cookies = one.context.cookies()
    one.context.clear_cookies()
    for name in ("Bob", "A name of thirty-six letters and more"):
        one.post(f"/api/v1/games/{one.room}/requests", name=name)
    one.context.add_cookies(cookies)  # type: ignore[arg-type]
    one.sees(".asker", times=2)
    yield


def visitor(one: Guest) -> Iterator[None]:
    """Somebody with an invitation, which turns out to be none."""
    room, _ = one.create("duel")
    one.context.clear_cookies()
    one.allow(refusal(403))
    one.go(f"/play/{room}#{'A' * 22}")
    one.sees("#join")
    yield
    one.find("#join").click()
    one.reads("#error", re.compile("ask for the link again"))
    one.misses("#joining")
    one.sees("#ask-to-play")
    yield


def my_games(one: Guest) -> Iterator[None]:
    for number, opponent in enumerate(("random", "here", "friend")):
        name = "A name of thirty-six letters and more"
        room, _ = one.create("duel", opponent, name=name, moves="4 6 5 1")
        if number:
            one.post(
                f"/api/v1/games/{room}/resign",
                after=one.get(f"/api/v1/games/{room}")["game"]["number"],
            )
    one.go(f"/games#{'A' * 22}")
    one.sees(".mine", times=3)
    one.find("#device summary").click()
    one.find("#make-link").click()
    one.sees("#link-code .qr")
    yield


def playing(game: str) -> Place:
    def place(one: Guest) -> Iterator[None]:
        one.start(game, "easy", moves=MIDDLE[game])
        one.on_turn()
        one.find("#values").check()
        one.sees("[data-best]")
        one.find("#hint").click()
        one.reads("#hint-lines", re.compile(r"[^…]$"))
        one.find("#hint").click()
        one.reads("#hint-lines", re.compile(r"\. \S"))
        yield

    return place


def asked(one: Guest) -> Iterator[None]:
    """In a game of spokes, with a question about a wrong number."""
    yield from playing("factors")(one)
    one.find("[data-cell='5']").click(force=True)
    one.sees("dialog[open]")
    yield


def over(one: Guest) -> Iterator[None]:
    """In a game on a square, until its end and back."""
    yield from playing("duel")(one)
    one.click("7")
    one.sees("#chart svg")
    one.find('#chart [data-ply="2"]').click()
    one.sees("#back")
    yield


def large(game: str, variant: str, moves: str) -> Place:
    def place(one: Guest) -> Iterator[None]:
        one.go(address(game, moves, variant=variant))
        one.sees(".cell[data-best]")
        yield

    return place


def estimates(one: Guest) -> Iterator[None]:
    """A board that is too large to be exact; to estimate it would take seconds. With long names,
    and two lines that were tried."""
    options = [
        {
            "move": str(n), "label": str(n), "worth": "about 100.0 %", "short": "~100.0 %",
            "best": n == 7, "exact": False,
        }
        for n in range(1, 41)
    ]  # fmt: skip
    found = {"options": options, "legend": "Estimates of the chance to win.", "evaluation": None}
    shown: dict[str, Any] = {}

    def perform(route: Route) -> None:
        if (route.request.post_data_json or {})["action"] == "value":
            scene = shown["scene"] | {"values": found, "then": ""}
            route.fulfill(json=shown | {"scene": scene})
        else:
            answer = route.fetch()
            shown.update(answer.json())
            route.fulfill(response=answer)

    one.page.route("**/api/v1/activities/analysis", perform)
    name = "A name of thirty-six letters and more"
    one.go(address("line", "20 21", variant="n=40 k=4", name1=name))
    one.sees('[data-cell="21"][data-owner]')
    one.find('[data-step="back"]').click()
    one.sees('[data-cell="21"]:not([data-owner])')
    one.settled()
    one.click("22")
    one.sees(".instead")
    one.sees(".cell[data-best]")
    yield


def cards(one: Guest) -> Iterator[None]:
    one.go(address("build", MIDDLE["build"]))
    one.sees("[data-draw]")
    one.find("#show-report").click()
    one.sees("#chart svg")
    one.find("aside summary").click()
    yield


def puzzle(one: Guest) -> Iterator[None]:
    one.go("/puzzles?game=duel&seed=1")
    one.reads("#grade", re.compile("Grade"))
    one.find("[data-action=show]").click()
    one.sees("#why p:last-child")
    yield


def storm(one: Guest) -> Iterator[None]:
    one.go("/storm")
    one.find("#game").select_option("capture")
    one.find("#start").click()
    one.sees(".player[data-turn]")
    yield
    one.find(PLAYABLE).first.click()
    one.sees("#result[data-right]")
    one.find("#start").click()
    one.sees("#had li")
    yield


def strategy(one: Guest) -> Iterator[None]:
    one.go("/strategy/factors")
    one.sees("#sentences li")
    yield


def lessons(one: Guest) -> Iterator[None]:
    one.go("/learn")
    one.sees("[data-game]")
    yield


def lesson(one: Guest) -> Iterator[None]:
    one.go("/learn/line#7")
    one.sees(".cell")
    one.click("9")
    one.reads("#result", re.compile("^Not 9"))
    yield


def teach(one: Guest) -> Iterator[None]:
    for path in ("/teach", "/teach/duel", "/teach/classroom"):
        one.go(path)
        yield


def rules(one: Guest) -> Iterator[None]:
    one.go("/rules/factors")
    yield


def missing(one: Guest) -> Iterator[None]:
    one.allow(refusal(404))
    one.go("/nothing")
    yield


PLACES: dict[str, Place] = {
    "host": host,
    "my games": my_games,
    "rows": playing(BOARDS["rows"]),
    "spokes": asked,
    "square": over,
    "puzzle": puzzle,
    "strategy": strategy,
    "lesson": lesson,
    "rules": rules,
    "teach": teach,
}
OTHER_PLACES: dict[str, Place] = {
    "path": playing(BOARDS["path"]),
    "storm": storm,
    "refused option": refused_option,
    "visitor": visitor,
    "line of 40": estimates,
    "cards": cards,
    "lessons": lessons,
    "missing": missing,
    "factors up to 100": large("factors", "n=100", "2 6 12"),
    **{game: playing(game) for game in NAMES if game not in BOARDS.values()},
}
"""For the proof: they are made of the same parts."""
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = {"type": "rule", "values": ["color-contrast"]}
"""What can be different in the dark."""
SMALL = """(least) => [...document.querySelectorAll("button, select, input, summary, a, g[role]")]
  .filter((node) => node.checkVisibility({ visibilityProperty: true }))
  .filter((node) => !node.closest(".prose, .skip") || node.matches(".button"))
  .map((node) => [node, (node.matches("input[type=checkbox]") ? node.closest("label") : node)
    .getBoundingClientRect()])
  .filter(([node, box]) => {
    const free = node.matches("g[role]") || getComputedStyle(node).display === "inline";
    return Math.min(box.width, box.height) < (free ? 24 : least) - 0.01;
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

PHONE = {"width": 375, "height": 800, "has_touch": True, "is_mobile": True}


@pytest.mark.parametrize(
    "place",
    [
        *PLACES.values(),
        *(pytest.param(place, marks=pytest.mark.proof) for place in OTHER_PLACES.values()),
    ],
    ids=[*PLACES, *OTHER_PLACES],
)
def test_a_page_is_for_everybody(place: Place, guest: Invite) -> None:
    """For who cannot see it, in light and in the dark: no rule of WCAG 2.2 AA is broken that a
    program can check. On phones, zoomed in and with large letters nothing is beside the screen,
    and everything is large enough for a finger."""
    one = guest(**PHONE)
    for _ in place(one):
        is_for_everybody(one)
        one.page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})


def is_for_everybody(one: Guest) -> None:
    """The page that somebody looks at on a phone serves them, whoever they are."""
    for width, letters in ((390, "100%"), (320, "100%"), (640, "200%")):
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


@pytest.mark.parametrize("width", [320, 375])
@pytest.mark.proof
def test_a_game_is_played_with_a_finger(width: int, guest: Invite) -> None:
    options = {"width": width, "height": 640, "has_touch": True, "is_mobile": True}
    one = guest(**options)
    room, _ = one.create("duel", "here", moves="4 6")
    one.open(room)
    for made, move in enumerate(("5", "7", "3"), 2):
        one.settled()
        one.option(move).tap()
        one.has_more_than(made)
    one.sees("#chart svg")
    one.find('#chart [data-ply="1"]').tap()
    expect(one.find(".cell[data-owner]")).to_have_count(1)
    one.find("#back").tap()
    expect(one.find(".cell[data-owner]")).to_have_count(5)
    one.find("#rematch").tap()
    one.page.wait_for_url(lambda url: "/play/" in url and room not in url)
    one.sees(".player[data-turn]")
