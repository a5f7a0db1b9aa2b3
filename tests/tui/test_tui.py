"""The full-screen app, by keys and by mouse."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import sys
import time
from dataclasses import replace
from datetime import date
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from textual.color import Color
from textual.events import Key
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, Select, Static

import numduel
from numduel.activities.keeping import new_game
from numduel.activities.mistakes import to_try
from numduel.activities.play import UNDO
from numduel.core.state import State
from numduel.games import offered
from numduel.learn import streaks
from numduel.learn.coach import Hint, hint, report
from numduel.learn.daily import Daily, daily
from numduel.learn.lesson import lesson
from numduel.play.match import begin, resume
from numduel.play.record import Record, parse, read
from numduel.tui import full_screen
from numduel.tui.after import After, Retry, played
from numduel.tui.after import drawn as chart_drawn
from numduel.tui.app import FILE, NumduelApp
from numduel.tui.board import Board, SmallBoard
from numduel.tui.colours import BEHIND, ON, anywhere, contrast
from numduel.tui.footer import Footer
from numduel.tui.games import Games
from numduel.tui.home import Card, Home, fitted
from numduel.tui.keys import working
from numduel.tui.lessons import ChooseLesson, learn
from numduel.tui.page import Drawer, Waiting
from numduel.tui.paragraph import Paragraph
from numduel.tui.play import Play
from numduel.tui.profile import show_profile
from numduel.tui.seats import continued
from numduel.tui.setup import Setup
from numduel.tui.study import Study
from numduel.tui.words import shown_names
from tests.cli import Tmux, keep, records
from tests.games import NAMES, or_else
from tests.plugins.limit import remaining
from tests.tui.driving import (
    LARGE,
    LOST,
    PHONE,
    USUAL,
    Slow,
    drawn,
    opened,
    running,
    settled,
    shown,
    told,
    two_people,
    typed,
    until,
)

SMALL: dict[str, dict[str, int]] = or_else(
    {"line": {"n": 6, "k": 3}, "factors": {"n": 8}, "capture": {"n": 7}, "build": {"n": 4, "k": 3}},
    {},
)
"""Settings that make whole games short."""


def first(*names: str) -> list[Any]:
    """All games; those that are played as one of these is are for the proof."""
    return [pytest.param(name, marks=[] if name in names else pytest.mark.proof) for name in NAMES]


# -- whole games -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", first("capture", "build"))
def test_a_whole_game_by_keys(name: str, home: Path) -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        play = two_people(name, **SMALL[name])
        await app.push_screen(play)
        await settled(app)
        while play.match.state.outcome is None:
            state = play.match.state
            if len(state.moves) % 2:
                spoken = state.game.label(state.legal_moves[0])
                await pilot.press(*typed(spoken if spoken.isdigit() else spoken[:1]))
            else:
                board = play.query_one(Board)
                spots = [spot.move for spot in board.spots]
                await pilot.press("right")
                while spots[board.cursor] != str(state.legal_moves[0]):
                    await pilot.press("right")
                await pilot.press("enter")
            assert read(records(home)[0]).state.text == play.match.state.text
        await settled(app)
        assert play.match.view.status in won(app)[0]

    running(steps)


@pytest.mark.parametrize("name", first("line", "build"))
def test_a_whole_game_by_mouse(name: str) -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        play = two_people(name, **SMALL[name])
        await app.push_screen(play)
        await settled(app)
        board = play.query_one(Board)
        while play.match.state.outcome is None:
            move = str(play.match.state.legal_moves[0])
            at = next(at for at, spot in enumerate(board.spots) if spot.move == move)
            x, y = board.regions[at].center
            await pilot.click(Board, offset=(int(x), int(y)))
        assert play.match.view.status in won(app)[0]

    running(steps)


def test_the_computer_answers_and_its_answer_can_be_undone(home: Path) -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        match = begin(numduel.game("duel"), players=("human", "easy"), seed=1)
        play = Play(new_game(match, 1))
        await app.push_screen(play)
        await pilot.press("5", "enter")
        await settled(app)
        assert len(play.match.state.moves) == 2
        assert "Computer (easy) plays" in told(app)
        await pilot.press("u")
        assert not play.match.state.moves
        assert told(app) == "The last 2 moves are taken back. Your turn."
        assert read(records(home)[0]).state.moves == ()
        assert UNDO not in play.activity.scene.choices, "there is nothing left to take back"
        await pilot.press("escape")
        await settled(app)
        assert not records(home)

    running(steps)


def test_a_rule_that_costs_the_game_must_be_broken_twice() -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        play = two_people("factors")
        await app.push_screen(play)
        await pilot.press(*typed("8 9"))
        assert play.match.state.moves == (8,)
        assert "Breaking a rule loses the game" in told(app)
        await pilot.press(*typed("9"))
        assert play.match.state.winner == 1

    running(steps)


def test_nonsense_changes_nothing() -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        play = two_people("duel")
        await app.push_screen(play)
        for nonsense in ("99", "0" * 39):
            await pilot.press(*typed(nonsense))
            assert play.match.state.moves == ()
            assert told(app).startswith(f"! {nonsense}")
        await pilot.press("5", "h")
        keys = working(app, play)
        assert (keys["Clear what you typed"], keys["Play what you typed"]) == ("esc", "enter")
        assert not {"h", "v"} & {*keys.values()}
        await pilot.press("escape")
        assert play.query_one(Board).typed == ""
        assert "h" in working(app, play).values()
        await pilot.press(*typed("22"))
        await pilot.resize_terminal(20, 6)
        await pilot.resize_terminal(200, 60)
        assert app.screen is play

    running(steps)


def test_enter_plays_only_what_was_chosen() -> None:
    answers = {"": "Please type", "zzz": "Please type", "95": "95 is out of range"}

    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        play = two_people("line")
        await app.push_screen(play)
        for text, answer in answers.items():
            await pilot.press(*text, "enter")
            assert told(app).startswith(f"! {answer}")
        assert play.match.state.text == ""
        await pilot.press("right", "enter", "enter")
        assert play.match.state.text == "1"

    running(steps)


@pytest.mark.usefixtures("painted")
def test_a_card_that_does_not_fit_is_refused_and_not_discarded() -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        play = Play(new_game(resume(parse("Game: sequence-build\n\n7e 5e 2\n"))))
        await app.push_screen(play)
        assert "Type discard ·" in drawn(app)
        await pilot.press("e")
        assert "> e" in drawn(app)
        await pilot.press("enter", "enter")
        assert len(play.match.state.moves) == 2
        await pilot.press(*typed("discard"), "u")
        shuffled = "The undrawn cards are shuffled again."
        assert told(app).startswith(f"The last move is taken back. {shuffled} ")

    running(steps)


def test_what_is_typed_while_the_computer_thinks_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow()
    monkeypatch.setattr("numduel.activities.play.player", lambda *_: slow)

    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        match = begin(numduel.game("capture"), first=2, players=("human", "easy"), seed=1)
        play = Play(new_game(match, 1))
        await app.push_screen(play)
        await pilot.press(*typed("9"))
        assert told(app) == "! It is Computer (easy)'s turn."
        slow.may_go.set()
        await settled(app)
        await pilot.press("enter")
        assert play.match.state.moves[:2] == (1, 9)
        await settled(app)

    running(steps)


def test_a_pending_hint_is_not_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, may_go = [], Event()

    def slow(state: State, names: tuple[str, str]) -> Hint:
        asked.append(state)
        may_go.wait(remaining())
        return hint(state, names)

    monkeypatch.setattr("numduel.learn.coach.hint", slow)

    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await app.push_screen(two_people("duel"))
        await pilot.press("h", "h", "h")
        may_go.set()
        await settled(app)
        await pilot.press("h")
        await settled(app)
        assert len(asked) == 2

    running(steps)


def won(app: NumduelApp) -> tuple[str, bool, bool]:
    """What stands above the board, and whether it is in the colour of a win or of a loss."""
    goal = str(app.screen.query_one("#goal", Static).content)
    return goal, app.screen.has_class("won"), app.screen.has_class("lost")


@pytest.mark.parametrize(
    ("first", "end"),
    [(1, ("★ You won! ★", True, False)), (2, ("You lost this one.", False, True))],
    ids=["won", "lost"],
)
def test_one_person_is_told_whether_they_won_and_after_a_loss_what_to_try(
    first: int, end: tuple[str, bool, bool]
) -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        match = begin(numduel.game("duel"), players=("human", "hard"), first=first)
        for move in (1, 9, 2, 8):
            match.play(move)
        await app.push_screen(Play(new_game(match)))
        await settled(app)
        if first == 1:
            await pilot.press(*typed("3"))
            await settled(app)
        assert won(app) == end
        assert ("Next time: " in told(app)) == (first == 2)
        await pilot.press("u")
        await settled(app)
        assert won(app)[1:] == (False, False)

    running(steps)


@pytest.mark.parametrize("ends", ["resign", "e"])
def test_enter_opens_the_report_of_every_game(ends: str) -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        record = parse("Game: sequence-build\nVariant: n=2 k=2\n\n1e 1e 2\n")
        play = Play(new_game(resume(record)))
        await app.push_screen(play)
        await pilot.press(*(["g", "down", "enter"] if ends == "resign" else typed(ends)))
        await settled(app)
        assert play.match.state.winner
        await opened(After, app, pilot, "enter")

    running(steps)


@pytest.mark.usefixtures("painted")
def test_after_giving_up_no_cell_can_be_chosen_and_none_has_a_value() -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await app.push_screen(two_people("duel"))
        await pilot.press("v")
        await settled(app)
        assert "*wins in" in drawn(app)
        await pilot.press("g", "y")
        await settled(app)
        assert "resigns" in drawn(app)
        assert "wins in" not in drawn(app)
        assert "╭" not in drawn(app)

    running(steps)


def test_only_what_can_begin_a_move_is_typed() -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await app.push_screen(two_people("duel"))
        board = app.screen.query_one(Board)
        await pilot.press("x", "5", "x", "u", "6")
        assert board.typed == "56"
        await pilot.press("question_mark")
        assert isinstance(app.screen, Drawer), "the keys can be asked for meanwhile"
        await app.push_screen(two_people("build"))
        await settled(app)
        board = app.screen.query_one(Board)
        await pilot.press(*"obegx")  # the "or" between the words is no move
        assert board.typed == "beg"

    running(steps)


def test_a_key_that_was_meant_for_a_dialog_is_not_typed() -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        play = two_people("duel")
        await app.push_screen(play)
        board = play.query_one(Board)
        await pilot.press("g")
        board.post_message(Key("5", "5"))
        await settled(app)
        assert board.typed == ""

    running(steps)


LONG = "A sentence that needs more than a line, with a number in it: 100 %. " * 9


async def place(app: NumduelApp) -> tuple[object, ...]:
    """Where the board, its first line (if anything is on it) and its cells are."""
    await settled(app)
    board = app.screen.query_one(Board)
    lines = str(board.render()).split("\n")
    top = next((at for at, line in enumerate(lines) if line.strip()), board.above)
    return (board.region, top, *board.regions[: sum(spot.cell for spot in board.spots)])


MOVING = (("line", USUAL), ("duel", PHONE), ("capture", PHONE), ("build", PHONE))
"""A game of each kind of board, mostly where there is little room; the others are for the proof."""


@pytest.mark.parametrize(
    ("name", "size"),
    [
        pytest.param(name, size, marks=[] if (name, size) in MOVING else pytest.mark.proof)
        for name in NAMES
        for size in (USUAL, PHONE, LARGE)
    ],
)
def test_the_board_stays_where_it_is_whatever_happens(name: str, size: tuple[int, int]) -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        play = two_people(name)
        await app.push_screen(play)
        places = {await place(app)}
        play.tell(LONG)
        places.add(await place(app))
        for key in ("h", "h", "v", "5", "x", "enter", "v", "right"):
            await pilot.press(key)
            places.add(await place(app))
        await play.query_one(Footer).mount(Waiting("Thinking"))
        while play.match.state.outcome is None:
            play.chosen(str(play.match.state.legal_moves[-1]))
            places.add(await place(app))
        assert len(places) == 1

    running(steps, size)


@pytest.mark.usefixtures("painted")
def test_a_long_message_is_cut_between_words_and_can_be_read_in_full() -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await app.push_screen(two_people("duel"))
        play = app.screen
        assert isinstance(play, Play)
        play.tell("Short.")
        await pilot.press("space")
        assert app.screen is play
        play.tell(LONG, "The end.")
        await settled(app)
        assert "The end." not in drawn(app)
        assert "… space" in drawn(app)
        assert not [line for line in drawn(app).split("\n") if line.strip().startswith("%")]
        await pilot.press("space", *["pagedown"] * 9)
        await settled(app)
        assert "The end." in drawn(app)

    running(steps, (40, 12))


def test_a_number_keeps_its_unit() -> None:
    text = "It won 100 % of 12 games in 7.5 s, 3 days ago."
    for width in range(8, len(text) + 2):
        lines = [line.plain.strip() for line in Paragraph(text)._broken(width)]
        assert " ".join(lines) == text
        assert not [line for line in lines if line.endswith(("100", "12", "7.5", "3"))]


@pytest.mark.usefixtures("painted")
def test_a_board_larger_than_the_screen_scrolls_to_the_cursor() -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        play = two_people("line", n=900, k=5)
        await app.push_screen(play)
        await pilot.press("left", "left", "enter")
        await settled(app)
        assert play.match.state.moves == (900,)
        assert "X900◂" in drawn(app)

    running(steps, (40, 12))


def test_a_rematch_is_begun_by_the_other_one_and_the_score_is_kept() -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await app.push_screen(two_people("duel"))
        await pilot.press(*typed("4 6 5 7 3"), "n")
        await settled(app)
        again = app.screen
        assert isinstance(again, Play)
        assert again.match.state.first == 2
        assert again.activity.score == (1, 0)

    running(steps)


@pytest.mark.usefixtures("painted")
def test_the_score_of_a_game_that_is_over_counts_it() -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await app.push_screen(two_people("duel"))
        await pilot.press(*typed("4 6 5 7 3"), "n")
        await settled(app)
        assert "Sequence Duel · Player 1 1 : 0 Player 2" in drawn(app)
        await pilot.press(*typed("4 6 5 7 3"))
        await settled(app)
        assert "Sequence Duel · Player 1 1 : 1 Player 2" in drawn(app)

    running(steps)


@pytest.mark.usefixtures("painted")
def test_nothing_is_asked_while_the_computer_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow()
    monkeypatch.setattr("numduel.activities.play.player", lambda *_: slow)

    async def steps(app: NumduelApp, _: Pilot[None]) -> None:
        match = begin(numduel.game("build"), first=2, players=("human", "easy"), seed=1)
        await app.push_screen(Play(new_game(match, 1)))
        await until(app, lambda: "is thinking" in drawn(app))
        assert "Type " not in drawn(app)
        assert "╌ discard ╌" in drawn(app).replace("╎", "╌"), "its button cannot be pressed"
        slow.may_go.set()
        await settled(app)
        assert "Type " in drawn(app)
        assert "│ discard │" in drawn(app)

    running(steps)


@pytest.mark.usefixtures("painted")
@pytest.mark.parametrize(
    ("size", "lines"),
    [
        (USUAL, ["   Cards left: 6 · Discard pile: 9, 6, 3, 10, 4,", "   6, 7, 1, 2, 3, 8, 1"]),
        (LARGE, ["    Cards left: 6 · Discard pile: 9, 6, 3, 10, 4, 6, 7, 1, 2, 3, 8, 1", ""]),
    ],
)
def test_a_long_pile_of_discards_is_seen_whole(
    size: tuple[int, int], lines: list[str], home: Path
) -> None:
    text = "Game: sequence-build\n\n9x 8e 6x 3x 10x 4x 6x 7x 1x 2x 3x 8x 1x 2\n"
    kept = keep(home, "pile.build", text)

    async def steps(app: NumduelApp, _: Pilot[None]) -> None:
        for screen in (Study(parse(text), end=True), continued(kept)):
            await app.push_screen(screen)
            await settled(app)
            seen = [line.partition("▏")[0].rstrip() for line in drawn(app).splitlines()]
            at = next(at for at, line in enumerate(seen) if "Cards left" in line)
            assert seen[at : at + 2] == lines, "broken for the width that it has, and indented"

    running(steps, size)


@pytest.mark.usefixtures("painted")
@pytest.mark.parametrize(
    ("size", "told"),
    [(USUAL, {"*win 1", "win 3", "loss 2"}), (LARGE, {"*wins at once", "wins in 3", "loses in 2"})],
)
def test_all_cells_tell_values_in_the_same_way(size: tuple[int, int], told: set[str]) -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await app.push_screen(two_people("duel"))
        await pilot.press(*typed("4 6 5 7"), "v")
        await settled(app)
        assert set(re.findall(r"\*?(?:win|los)\w* (?:\w+ )?(?:once|\d)", drawn(app))) == told

    running(steps, size)


@pytest.mark.usefixtures("painted")
@pytest.mark.parametrize("size", [LARGE, (160, 45), USUAL])
def test_the_numbers_of_a_long_line_tell_their_points_on_screens_of_every_width(
    size: tuple[int, int],
) -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await app.push_screen(two_people("capture"))
        await pilot.press(*typed("21 19"), "v")
        await settled(app)
        assert drawn(app).count("╰+11") == 18, "each on its cell, not only a plus"
        await pilot.press(*typed("1"))
        await settled(app)
        assert re.search(r"╰─?−\d", drawn(app)), "behind"

    running(steps, size)


@pytest.mark.usefixtures("painted")
def test_the_key_of_the_values_says_that_it_hides_them() -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        for screen in (two_people("duel"), Study(parse(LOST))):
            await app.push_screen(screen)
            for told_before, told_after in (("Values", "Hide values"), ("Hide values", "Values")):
                await settled(app)
                assert f" v {told_before} " in drawn(app)
                await pilot.press("v")
                await settled(app)
                assert f" v {told_after} " in drawn(app)

    running(steps)


def test_the_number_of_a_move_finds_it_in_the_list() -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        study = Study(Record((numduel.game("line", n=30, k=9).start(),)))
        await app.push_screen(study)
        await pilot.press(*typed(" ".join(map(str, range(1, 13)))), "m", "3", "1", "1", "enter")
        assert len(shown(study).split()) == 11
        await pilot.press("m", "9", "enter")
        assert len(shown(study).split()) == 9

    running(steps)


def test_the_arrows_step_through_a_game_whose_board_is_larger_than_the_screen() -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        study = Study(Record((numduel.game("line", n=90, k=5).start(),)))
        await app.push_screen(study)
        await pilot.press(*typed("3 7 9"), "home", "right", "right")
        assert shown(study) == "3 7"
        await pilot.press("end")
        assert shown(study) == "3 7 9"

    running(steps, (40, 12))


# -- looking back ----------------------------------------------------------------------------


@pytest.mark.usefixtures("painted")
def test_the_report_says_all_and_a_mistake_can_be_tried_again_and_played_on() -> None:
    named = replace(parse(LOST), names=shown_names(parse(LOST)))

    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        after = After(parse(LOST))
        await app.push_screen(after)
        await settled(app)
        lines = after.query_one("#lines", Static)
        assert str(lines.content) == "\n".join(report(named).lines(slips=False))
        await pilot.press("enter")
        await settled(app)
        retry = app.screen
        assert isinstance(retry, Retry)
        wrong = to_try(report(parse(LOST)))[0]
        right = next(str(option.move) for option in wrong.options if wrong.better(option))
        bad = next(str(option.move) for option in wrong.options if not wrong.better(option))
        await pilot.press(*typed(bad))
        await settled(app)
        assert told(app).startswith("✗ No.")
        await pilot.press(*typed(right))
        await settled(app)
        assert told(app).startswith("✓ Right.")
        assert f"Better: {right}." in drawn(app)
        assert "Enter: back" in drawn(app)
        await opened(After, app, pilot, "enter")
        assert str(lines.content) == "\n".join(report(named).lines()), "it was tried"
        await pilot.press("enter")
        await settled(app)
        match = (await opened(Play, app, pilot, "p")).match
        assert match.state == wrong.state
        assert match.help == {"undo"}, "it counts as a game with help"

    running(steps)


def test_what_was_to_be_drawn_of_a_screen_that_is_left_is_dropped() -> None:
    async def steps(app: NumduelApp, _: Pilot[None]) -> None:
        for turns in range(9):
            after = After(parse(LOST))
            await app.push_screen(after)
            await settled(app)
            left = app.pop_screen()
            for _turn in range(turns):
                await asyncio.sleep(0)
            after.on_resize()
            await left
            await settled(app)
            assert isinstance(app.screen, Home)

    running(steps)


@pytest.mark.usefixtures("painted")
def test_the_report_tells_better_moves_to_those_who_ask() -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await app.push_screen(After(parse(LOST)))
        await settled(app)
        assert "would have" not in drawn(app)
        await pilot.press("e")
        await settled(app)
        assert "would have" in drawn(app), "it is scrolled to"
        assert "Show everything" not in drawn(app)

    running(steps, size=(60, 20))


SECOND_SEAT = LOST.replace("Player 2: hard\nName 1: Ada", "Player 1: hard\nName 2: Ada")


@pytest.mark.parametrize(("record", "title"), [(LOST, "Ada: chance"), (SECOND_SEAT, "Ada: chance")])
def test_the_chart_of_a_report_is_its_readers_in_their_colour(record: str, title: str) -> None:
    found = report(replace(parse(record), names=shown_names(parse(record))))
    drawing = chart_drawn(found.chart, 60)
    assert drawing.plain.startswith(title)
    line = {str(span.style) for span in drawing.spans if str(span.style).startswith("$")}
    assert line == {("$text-primary", "$text-warning")[found.chart.seat - 1]}
    assert found.chart.seat == parse(record).person
    ended = found.chart.levels[-1]
    assert ended == (found.record.state.winner == found.chart.seat)


@pytest.mark.parametrize("width", [20, 40, 77, 117])
def test_a_report_lists_every_move_with_its_mark_and_its_chart_takes_the_whole_width(
    width: int,
) -> None:
    found = report(parse(LOST))
    moves = played(found, width).plain
    assert " ".join(moves.split()) == "1 ● 1 ✗ 2 ○ 5 3 ● 9 4 ○ 4 5 ● 8 6 ○ 6"
    lines = chart_drawn(found.chart, width).plain.split("\n")[1:]
    assert width - len(found.plies) - 3 <= max(map(len, lines[:-1])) <= width


BROKEN_RULE = """Game: sequence-build
Player 2: medium

4e 3e 8b!
"""


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (60, 20)])
def test_the_chart_of_a_report_fits_beside_its_scroll_bar(size: tuple[int, int]) -> None:
    async def steps(app: NumduelApp, _: Pilot[None]) -> None:
        after = After(parse(BROKEN_RULE))
        await app.push_screen(after)
        await settled(app)
        chart = after.query_one("#chart", Static)
        await until(app, lambda: "start … move 3" in str(chart.content))
        widest = max(map(len, str(chart.content).split("\n")))
        assert widest <= chart.content_size.width
        assert widest >= chart.content_size.width - 4, "it takes the whole width"

    running(steps, size=size)


def test_a_long_move_of_a_report_goes_on_below_its_words() -> None:
    moves = played(report(parse(BROKEN_RULE)), 36).plain
    assert "  3 ● breaks a rule by adding 8\n      at the beginning ✗" in moves


def test_cards_to_draw_are_shown_only_where_one_is_chosen() -> None:
    waiting = parse("Game: sequence-build\n\n4e\n").state

    async def steps(app: NumduelApp, _: Pilot[None]) -> None:
        board = Board()
        await app.screen.mount(board)
        board.show(waiting)
        assert [spot.label for spot in board.spots] == [str(card) for card in range(1, 11)]
        board.ask(False)
        assert board.spots == ()
        board.ask(True)
        assert len(board.spots) == 10

    running(steps)


def test_of_several_notices_the_last_is_shown() -> None:
    async def steps(app: NumduelApp, _: Pilot[None]) -> None:
        page, first, second = Games(), Waiting("Thinking"), Waiting("Looking")
        await app.push_screen(page)
        page._wait(first)
        page._wait(second)
        await until(app, lambda: second.is_attached)
        assert (first.display, second.display) == (False, True)
        second.end()
        assert first.display

    running(steps)


@pytest.mark.parametrize(
    ("room", "shown"),
    [(40, "Duel · medium · 4 moves"), (15, "Duel · medium"), (12, "Duel"), (2, "Duel")],
)
def test_a_row_of_the_first_screen_leaves_out_what_does_not_fit(room: int, shown: str) -> None:
    assert fitted("Duel · medium · 4 moves", room) == shown


def test_branches_are_kept_and_the_game_is_found_again() -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        study = Study(parse(LOST))
        await app.push_screen(study)
        await pilot.press("right", *typed("3 7"))
        assert shown(study) == "1 3 7"
        await pilot.press("g")
        assert shown(study) == "1"
        await pilot.press("end")
        assert shown(study) == "1 5 9 4 8 6"
        await pilot.press("home", "right", "right", "down", "end")
        assert shown(study) == "1 3 7"
        await pilot.press("m", "home", "down", "enter")
        await settled(app)
        assert shown(study) == "1"

    running(steps)


def test_moves_are_listed_with_who_made_them_and_the_card() -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        game = numduel.game("build")
        study = Study(Record((game.start().public,)))
        await app.push_screen(study)
        await pilot.press(*typed("6 e 7 e"))
        rows = study.query_one("#moves", OptionList).options
        assert [str(row.prompt).split()[1:] for row in rows[1:]] == [
            ["●", "starts", "with", "6"],
            ["○", "starts", "with", "7"],
        ]
        await pilot.press(*typed("9"))
        assert str(study.query_one("#moves", OptionList).options[-1].prompt) == "  3 ? 9"
        await pilot.press("left", "left", "left")
        assert shown(study) == "6e"

    running(steps)


@pytest.mark.usefixtures("painted")
def test_a_solved_puzzle_counts_and_the_daily_one_is_of_today(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = daily(date(2026, 11, 17))

    def of_day(day: date) -> Daily:
        return found._replace(puzzles=tuple(one._replace(day=day) for one in found.puzzles))

    monkeypatch.setattr("numduel.activities.puzzle.daily", of_day)

    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await pilot.press("d")
        await settled(app)
        await pilot.press("h", *typed("5"))
        await settled(app)
        assert told(app).startswith("✗ 5 is wrong: 20 was right. ")
        await pilot.press(*typed("12"))
        await settled(app)
        assert told(app).startswith("✓ 12 is right. ")
        await pilot.press("h", *typed("9"))
        await settled(app)
        assert "🟥🟩🟨 2 of 3 · 1 day in a row" in told(app)
        assert re.search(r"^ Next (puzzle )?in .*grade \d of 5", drawn(app)), "nothing is cut"
        assert streaks.load().on(date.today()) == 1
        await pilot.press("escape")
        await settled(app)
        assert "   1 day in a row  " in drawn(app), "the time until the next has no room here"
        monkeypatch.setattr(streaks, "load", lambda: pytest.fail("a second is not worth a file"))
        app.screen._tick()  # type: ignore[attr-defined]

    running(steps)


@pytest.mark.usefixtures("painted")
def test_the_steps_of_a_lesson_are_kept() -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        found = lesson(numduel.game("duel"))
        await app.push_screen(learn("duel", 1))
        await settled(app)
        await pilot.press(*typed(str(found.steps[0].moves[0])))
        await settled(app)
        assert told(app).startswith("✓")
        await pilot.press("enter")
        await settled(app)
        assert "2 of" in drawn(app)
        await app.push_screen(ChooseLesson())
        await settled(app)
        assert "1 of 13 steps done" in drawn(app)

    running(steps)


# -- the app ---------------------------------------------------------------------------------


def test_a_theme_and_a_name_are_remembered(home: Path) -> None:
    async def choose(app: NumduelApp, pilot: Pilot[None]) -> None:
        app.theme = "nord"
        await pilot.press("p")
        await settled(app)
        app.screen.query_one("#name1", Input).value = "Ada"
        app.screen.query_one("#opponent", Select).value = "human"
        play = await opened(Play, app, pilot, "ctrl+s")
        assert play.names == ("Ada", "Player 2")

    async def look(app: NumduelApp, pilot: Pilot[None]) -> None:
        assert app.theme == "nord"
        await pilot.press("p")
        await settled(app)
        assert app.screen.query_one("#name1", Input).value == "Ada"

    running(choose)
    running(look)
    (home / "numduel" / FILE).write_text("[")
    running(nothing)


async def nothing(app: NumduelApp, _: Pilot[None]) -> None:
    """The app starts."""
    await settled(app)
    assert isinstance(app.screen, Home)


THEMES = sorted(name for name in NumduelApp().available_themes if "ansi" not in name)


@pytest.mark.parametrize("theme", THEMES)
def test_texts_and_marks_can_be_read_in_every_theme(theme: str) -> None:
    app = NumduelApp()
    app.theme = theme
    found = app.get_css_variables()
    pairs = [(text, behind) for text, many in BEHIND.items() for behind in many] + [*ON.items()]
    for text, behind in pairs:
        under = Color.parse(found["background"]) + Color.parse(found[behind])
        least = 4 if text in ON else 4.4  # black or white on a full colour cannot be moved
        assert anywhere(Color.parse(found[text]), under) >= least, (text, behind)
    muted = Color.parse(found["background"]).get_contrast_text(0.6)
    assert contrast(Color.parse(found["background"]) + muted, Color.parse(found["background"])) > 4


def at(app: NumduelApp) -> str | None:
    """The row of a list that the cursor is on."""
    row = app.screen.query_one(OptionList).highlighted_option
    return row.id if row else None


def test_a_new_user_is_in_a_game_within_one_key() -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await settled(app)
        assert at(app) == "play"
        await pilot.press("5")
        await settled(app)
        play = app.screen
        assert isinstance(play, Play)
        assert play.match.record.game.name == numduel.games()[4].name
        assert play.match.record.players == ("human", "medium")

    running(steps)


def test_a_number_starts_a_game_with_the_last_opponent_and_a_click_on_a_board_too() -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        app.remember("rival", "human")
        await pilot.click(Card)
        await settled(app)
        assert isinstance(app.screen, Play)
        assert app.screen.match.record.game.name == numduel.games()[0].name
        assert app.screen.match.record.players == ("human", "human")

    running(steps)


def test_home_begins_at_the_unfinished_game_and_every_row_has_a_letter(home: Path) -> None:
    keep(home, "open.duel", "Game: sequence-capture-line\n\n10\n")

    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await settled(app)
        rows = app.screen.query_one(OptionList)
        assert at(app) == "continue"
        letters = [str(row.prompt).split()[0] for row in rows.options]
        assert all(len(letter) == 1 for letter in letters)
        assert len({*letters}) == len(letters)
        await pilot.press("j", "j", "k")
        assert rows.highlighted == 1
        await opened(ChooseLesson, app, pilot, "l")

    running(steps)


@pytest.mark.usefixtures("painted")
def test_home_shows_a_board_of_every_game_with_its_key_or_else_its_name_in_the_list() -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await settled(app)
        for board in app.screen.query(SmallBoard):
            assert str(board.render()).strip(), "a picture of a game, from whatever package"
        cards = [(str(card.border_title), card.game) for card in app.screen.query(Card)]
        assert [game.name for _, game in cards] == [kind.name for kind in numduel.games()]
        for title, game in cards:
            key, name = title.split(" ", 1)
            assert name == game.display_name
            assert title in drawn(app)
            play = await opened(Play, app, pilot, key)
            assert play.match.record.game.name == game.name
            app.pop_screen()
            await settled(app)
        await pilot.resize_terminal(*PHONE)
        await settled(app)
        assert "2 Juniper Green" in drawn(app)

    running(steps)


def test_settings_that_make_no_sense_are_refused_in_one_sentence() -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await pilot.press("p")
        await settled(app)
        app.screen.query_one("#set-n", Input).value = "many"
        await pilot.press("ctrl+s")
        setup = app.screen
        assert isinstance(setup, Setup)
        problem = app.screen.query_one("#problem", Static)
        assert "whole number" in str(problem.content)
        app.screen.query_one("#set-n", Input).value = "-7"
        await settled(app)
        assert "not '-7'" in str(problem.content), "what is still wrong"
        app.screen.query_one("#set-n", Input).value = "12"
        await settled(app)
        assert not str(problem.content)
        app.screen.query_one("#game", Select).value = "factors"
        setup.action_start()  # before the settings of that game are there
        await settled(app)
        assert isinstance(app.screen, Play)
        assert app.screen.match.record.game == offered("factors")

    running(steps)


def test_a_finished_game_opens_with_its_report_and_can_be_replayed(home: Path) -> None:
    keep(home, "lost.duel", LOST)

    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await app.push_screen(Games())
        await opened(After, app, pilot, "enter")
        await opened(Games, app, pilot, "escape")
        await opened(Study, app, pilot, "a")

    running(steps)


@pytest.mark.usefixtures("painted")
def test_a_profile_is_read_on_with_a_key_and_has_no_games_that_are_not_listed(home: Path) -> None:
    early = LOST.replace("2026-01-02", "2026-01-01").replace("1 5 9 4 8 6", "1 5")
    keep(home, "left.duel", early)
    keep(home, "lost.duel", LOST)

    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await app.push_screen(show_profile())
        await settled(app)
        await until(app, lambda: "space More" in drawn(app))
        assert "1 game: 1 against the computer." in drawn(app)
        await pilot.press("space")
        await settled(app)
        assert "1 game: 1 against the computer." not in drawn(app)

    running(steps, (60, 14))


@pytest.mark.usefixtures("painted")
def test_a_kept_game_is_removed_after_a_question(home: Path) -> None:
    keep(home, "lost.duel", LOST)

    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await app.push_screen(Games())
        await pilot.press("d", "enter")
        await pilot.press("d", "n")
        await pilot.press("d", "escape")
        assert records(home)
        await pilot.press("d", "y")
        await settled(app)
        assert not records(home)
        assert "No games yet." in drawn(app)

    running(steps)


def test_every_key_of_a_screen_is_in_the_command_palette() -> None:
    async def steps(app: NumduelApp, _: Pilot[None]) -> None:
        places = {command.title for command in app.get_system_commands(app.screen)}
        assert {"Play", "Learn", "Puzzles", "My games", "Profile", "Keys", "Leave"} <= places
        await app.push_screen(two_people("duel"))
        await settled(app)
        told = {command.title: command.help for command in app.get_system_commands(app.screen)}
        assert {"Hint", "Values", "Rules", "Resign", "Theme", "Leave"} <= {*told}
        assert told["Keys"].endswith("(?)")

    running(steps)


def test_n_goes_to_the_next_step_and_the_step_before_is_another_key() -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        taken = learn("duel", 1)
        await app.push_screen(taken)
        await settled(app)
        for key, number in (("n", 2), ("n", 3), ("N", 2)):
            await pilot.press(key)
            await settled(app)
            assert taken.activity.number == number

    running(steps)


def test_the_game_of_a_lesson_is_played_on_its_board() -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        taken = learn("duel", 8)
        await app.push_screen(taken)
        await settled(app)
        await pilot.press(*typed("5"))
        await settled(app)
        assert told(app).startswith("Player 2 plays ")
        assert len(parse(taken.activity.at).state.moves) == 2

    running(steps)


@pytest.mark.usefixtures("painted")
def test_a_question_of_a_lesson_has_no_board_and_is_answered_by_number() -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        taken = learn("line", 9)
        await app.push_screen(taken)
        await settled(app)
        assert "9 of 13: Why not three?" in drawn(app)
        assert "2. Three numbers in a row, without the 1" in drawn(app)
        assert "Player 1" not in drawn(app)
        await pilot.press("1")
        await settled(app)
        assert told(app).startswith("✗ Not 1.")
        await pilot.press("r", "v", "4", "2")
        await settled(app)
        assert told(app).startswith("✓ Right. 3, 4, 5")
        for key in ("enter", "1", "enter"):
            await pilot.press(key)
            await settled(app)
        assert taken.activity.number == 11
        assert "Player 1" in drawn(app)

    running(steps)


def test_without_a_whole_terminal_there_is_no_app(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    assert not full_screen()


def test_a_notice_of_waiting_that_comes_too_late_is_not_shown() -> None:
    async def steps(app: NumduelApp, _: Pilot[None]) -> None:
        page, notice = Games(), Waiting("Thinking")
        await app.push_screen(page)
        notice.end()
        page._wait(notice)
        await settled(app)
        assert not page.query(Waiting)

    running(steps)


class Shell(Tmux):
    """A shell in tmux, and the command that starts the app in it."""

    def __init__(self, home: Path) -> None:
        super().__init__(home, 80, 24, "sh")
        self._pid = home / "pid"
        app = f"echo $$ >{self._pid}; cd {os.getcwd()}; exec {sys.executable} -m numduel"
        self.command = f"sh -c '{app}'"
        self.ask("set-option", "-g", "remain-on-exit", "on")

    def until(self, *texts: str) -> None:
        """Wait until all texts are on the screen."""
        while not all(text in (shown := self.ask("capture-pane", "-p")) for text in texts):
            assert remaining(), shown
            time.sleep(0.05)

    def kill(self) -> None:
        """End the app without a warning, as a crash would."""
        os.kill(int(self._pid.read_text()), signal.SIGKILL)

    def again(self) -> None:
        """Start the app again, whatever state the old terminal is in."""
        self.ask("respawn-pane", "-k", self.command)


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
def test_in_tmux_a_game_is_suspended_resized_left_and_gone_on_with(home: Path) -> None:
    with Shell(home) as tmux:
        tmux.press(tmux.command, "Enter")
        tmux.until("Today's puzzle")
        tmux.press("p")
        tmux.until("Who begins")
        tmux.press("C-s")
        tmux.until("Your turn")
        tmux.press("5", "Enter")
        tmux.until("Computer (medium) plays", "5 X")
        tmux.press("C-z")
        tmux.until("Stopped")
        tmux.press("fg", "Enter")
        tmux.until("Computer (medium) plays", "5 X")
        tmux.ask("resize-window", "-x", "40", "-y", "12")
        tmux.until("X 5 ")
        tmux.press("C-c")
        tmux.until("The game is saved")
        tmux.press(tmux.command, "Enter")
        tmux.until("Continue")
        tmux.press("c")
        tmux.until("X 5 ")


@pytest.mark.proof
@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
def test_in_tmux_a_killed_app_loses_no_move(home: Path) -> None:
    with Shell(home) as tmux:
        keep(home, "open.duel", "Game: sequence-capture-line\n\n10\n")
        for move in ("5", "6"):
            tmux.again()
            tmux.until("Continue")
            tmux.press("c")
            tmux.until("to move")
            tmux.press(move, "Enter")
            tmux.until(f" plays {move}. ")
            tmux.kill()
    assert read(records(home)[0]).state.text == "10 5 6"
