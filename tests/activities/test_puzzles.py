"""Puzzles as an activity: what is said, counted and offered, whatever door they are solved at."""

import re
from dataclasses import replace
from datetime import date

import pytest
from pydantic import TypeAdapter

import numduel
from numduel.activities import Puzzles, performed
from numduel.activities.base import record_of
from numduel.activities.puzzle import LAST_HINT, Posed, judge_daily
from numduel.core.errors import BadVariant, NumduelError
from numduel.games import offered
from numduel.learn.daily import daily
from numduel.learn.puzzle import puzzle
from numduel.learn.streaks import Streak
from numduel.play.record import parse
from tests.games import NAMES

DUEL = "game=duel&seed=9&grade=3"
"""A puzzle in which 3 is right, and every other number wrong."""
TODAY = "2026-11-17"


def begun(link: str = DUEL, *actions: str, streak: Streak | None = None) -> Puzzles:
    """After some actions; what is none of the choices is a move."""
    puzzles = performed(Puzzles(TODAY, seed=5, streak=streak or Streak()), "begin", link)
    for action in actions:
        word = action in ("hint", "show", "next", "leave")
        puzzles = performed(puzzles, action if word else "move", "" if word else action)
    return puzzles


def told(puzzles: Puzzles, kind: str = "") -> list[str]:
    return [said.text for said in puzzles.scene.said if kind in ("", said.kind)]


def answers(day: str = TODAY) -> list[str]:
    """The right moves of a daily puzzle."""
    return [str(one.solution) for one in daily(date.fromisoformat(day)).puzzles]


@pytest.mark.parametrize("game", NAMES)
def test_what_is_shown_travels_as_json_and_never_holds_the_answer(game: str) -> None:
    link, kind = f"game={game}&seed=3", TypeAdapter(Puzzles)
    found = puzzle(offered(game), 3)
    asked = begun(link)
    wrong = next(move for move in found.state.legal_moves if move != found.solution)
    for puzzles in (asked, performed(asked, "move", str(wrong)), performed(asked, "hint")):
        assert kind.validate_json(kind.dump_json(puzzles)) == puzzles
        assert parse(puzzles.scene.at).state.public == found.state.public
        assert puzzles.scene.line == ()
        assert str(found.solution) in puzzles.candidates
        assert len(puzzles.candidates) == len(found.options)
    solved = performed(asked, "move", str(found.solution))
    assert [parse(at).state.text for at in solved.scene.line] == [s.text for s in found.line()]


def test_a_move_with_a_card_is_named_by_what_is_done_with_it() -> None:
    link = "game=build&seed=3"
    found = puzzle(numduel.game("build"), 3)
    move = found.state.game.subject(found.solution)
    assert re.fullmatch(r"(adding \d+ at the \w+|discarding \d+)", move)
    assert told(begun(link, "show"), "answer") == [f"The answer is {move}."]
    assert told(begun(link, str(found.solution)), "right") == [f"{move.capitalize()} is right."]


def test_the_first_card_of_a_row_is_put_at_no_end() -> None:
    state = numduel.game("build", n=5, k=3).replay("5x 4")
    asked = Posed(record_of(state), "", "", "", "", 1, "", ())
    assert [asked.named(move) for move in ("4e", "4x")] == ["starting with 4", "discarding 4"]
    day = "2026-08-30"
    told_of_day = judge_daily(day, 0, answers(day)[0], TODAY)["told"]
    assert told_of_day.startswith("Player 1 starts with 8, Player 2 discards 2")


def test_a_wrong_move_is_a_try_and_what_is_no_move_is_none() -> None:
    puzzles = begun(DUEL, "4")
    assert told(puzzles, "wrong") == ["4 is not it."]
    assert puzzles.scene.notes[0] == "Try 2"
    refused = performed(puzzles, "move", "6")
    assert [said.kind for said in refused.scene.said] == ["error"]
    assert refused.scene.notes == puzzles.scene.notes


def test_what_becomes_of_a_wrong_move_is_said_unless_it_tells_the_answer() -> None:
    asked = begun("game=line&seed=3")
    wrong = [performed(asked, "move", move) for move in asked.candidates]
    assert sum(bool(told(one, "why")) for one in wrong if not one.over) == 1
    assert told(begun(DUEL, "4"), "why") == []  # it loses in 3, which is the answer


def test_nudges_come_one_after_the_other_and_then_moves_are_ruled_out() -> None:
    puzzles, left = begun(), 7
    nudges = puzzles.posed.nudges if puzzles.posed else ()
    for nudge in nudges:
        puzzles = performed(puzzles, "hint")
        assert told(puzzles) == [nudge]
    assert told(performed(puzzles, "move", "4"), "hint") == ["Try again, or ask for a hint."]
    for few, said in ((4, "The answer is"), (2, "The answer is"), (2, "That was the last hint")):
        puzzles = performed(puzzles, "hint")
        assert left >= len(puzzles.candidates) == few
        assert "3" in puzzles.candidates
        left = len(puzzles.candidates)
        assert told(puzzles)[0].startswith(said)
    assert told(puzzles) == [LAST_HINT.format(moves="1 or 3")]
    assert "solved on try 1 with 4 hints" in told(performed(puzzles, "move", "3"), "share")[0]


def test_a_puzzle_that_is_over_offers_another_and_nothing_else() -> None:
    for action in ("3", "show"):
        puzzles = begun(DUEL, action)
        assert [choice.action for choice in puzzles.scene.choices] == ["next"]
        assert not puzzles.scene.moves
        for later in ("hint", "show", "move"):
            assert puzzles.act(later, "4") == puzzles


def test_while_a_result_is_awaited_the_only_action_is_to_begin_again() -> None:
    waiting = begun(DUEL, "hint").act("move", "4")
    assert waiting.work
    assert waiting.said == (), "what was said before is over"
    for action in ("move", "hint", "show", "nonsense"):
        assert waiting.act(action, "3") == waiting
    assert waiting.act("begin", "seed=4").work != waiting.work


def test_the_next_puzzle_is_of_the_same_kind_and_has_the_next_number() -> None:
    puzzles = begun("game=duel&seed=9&grade=3", "next", "next")
    assert puzzles.posed
    assert puzzles.posed.link == "game=duel&seed=11&grade=3"
    other = performed(puzzles, "next", "game=capture")
    assert other.posed
    assert other.posed.link.startswith("game=capture&seed=12&")
    anything = performed(puzzles, "next", "game=&grade=")
    assert anything.wish == ""
    zero = begun("game=duel&seed=0", "next")
    assert zero.posed
    assert "seed=1&" in zero.posed.link
    drawn = begun("", "next")
    assert drawn.posed
    assert "seed=5&" in drawn.posed.link  # the one that was drawn for whoever began


WRONG = "5"
"""A first move of today's puzzle, whose answers are 20, 12 and 9."""


def test_today_s_puzzle_has_one_try_for_each_move_and_goes_on_with_the_right_one() -> None:
    first = begun("")
    assert first.scene.notes[0] == "Move 1 of 3"
    assert [choice.action for choice in first.scene.choices] == ["hint", "next"]
    wrong = performed(first, "move", WRONG)
    assert told(wrong) == [
        "5 is wrong: 20 was right.",
        "After 20 the numbers can be paired off so that you have a partner for every answer.",
        "The right move is made; go on. Player 2 plays 4.",
    ]
    assert wrong.scene.notes[0] == "Move 2 of 3 🟥"
    assert wrong.scene.goal.endswith(" There is one try for each move.")
    assert wrong.scene.moves
    assert [parse(at).state.text.split()[-1] for at in wrong.scene.line] == ["20", "4"]
    right = performed(wrong, "move", "12")
    assert (told(right)[0], told(right)[-1]) == ("12 is right.", "Player 2 plays 3.")
    refused = performed(right, "move", "12")
    assert [said.kind for said in refused.scene.said] == ["error"]
    assert refused.scene.notes[0] == "Move 3 of 3 🟥🟩"


def test_a_finished_line_has_a_result_a_text_to_share_and_a_next_day() -> None:
    yesterday = Streak(date(2026, 11, 16), days=4)
    ended = begun("", "hint", *answers(), streak=yesterday)
    share = "numduel 17 November · Juniper Green\n🟨🟩🟩 3 of 3 · 5 days in a row"
    assert told(ended, "share") == [share]
    assert (ended.scene.goal, told(ended, "note")) == ("3 of 3 right.", [])
    assert ended.scene.notes == ("🟨🟩🟩", "")
    assert ended.scene.next_day == "2026-11-18"
    assert not ended.scene.moves
    assert (ended.streak.days, ended.solved) == (5, 1)
    again = performed(replace(begun(DUEL), streak=ended.streak), "begin", "")
    assert told(again)[0] == "You have finished today's puzzle."
    assert told(again, "share") == [share]
    assert again.act("move", "20") == again, "there is no second try"


def test_what_was_made_of_today_s_puzzle_is_there_after_a_reload() -> None:
    made = begun("", WRONG, "hint")
    back = performed(Puzzles(TODAY, streak=made.streak), "begin", "")
    assert back.scene.notes[0] == "Move 2 of 3 🟥"
    assert performed(back, "move", "12").scene.notes[0] == "Move 3 of 3 🟥🟨", "the hint counts"
    left = performed(back, "leave")
    assert told(left) == ["Today's puzzle waits at move 2 of 3."]


def test_a_hint_does_not_play_out_the_last_moves_again() -> None:
    right = begun("", "20")
    assert right.scene.line
    assert not performed(right, "hint").scene.line


def test_a_move_that_was_made_in_another_window_is_not_made_again() -> None:
    here = begun("")
    there = performed(here, "move", "20")
    stale = replace(here, streak=there.streak)
    assert performed(stale, "move", WRONG).scene.notes[0] == "Move 2 of 3 🟩"


def test_a_line_travels_as_json_without_the_answers() -> None:
    kind, asked = TypeAdapter(Puzzles), begun("", WRONG, "hint")
    assert kind.validate_json(kind.dump_json(asked)) == asked
    assert asked.posed
    assert parse(asked.posed.at).state == daily(date.fromisoformat(TODAY)).puzzles[1].state


def test_a_puzzle_of_another_day_is_no_streak_and_that_of_tomorrow_is_not_there() -> None:
    right = answers("2026-11-13")
    solved = begun("date=2026-11-13", *right)
    assert (solved.streak.days, solved.solved) == (0, 1)
    assert told(solved, "share")[0].endswith(f"{len(right)} of {len(right)}")
    assert solved.scene.next_day == ""
    with pytest.raises(BadVariant, match="The puzzle of 18 November 2026 is not there yet"):
        begun("date=2026-11-18")


def test_leaving_sums_up_the_puzzles() -> None:
    assert told(begun(DUEL, "3", "leave")) == []
    ended = begun(DUEL, "3", "next", "1", "leave")
    assert told(ended)[0] == "The puzzle is left unsolved."
    assert told(ended)[1] == "1 of 2 puzzles solved."


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ("game=chess&seed=1", "There is no game 'chess'"),
        ("grade=6&seed=1", "grade must be a whole number from 1 to 5, not '6'."),
        ("seed=99999999999", "seed must be a whole number"),
        ("date=tomorrow", "A date is written 2026-11-15, not 'tomorrow'."),
    ],
)
def test_a_link_that_names_no_puzzle_is_one_sentence(link: str, sentence: str) -> None:
    with pytest.raises(NumduelError, match=sentence):
        begun(link)


def test_a_position_that_is_no_puzzle_is_refused() -> None:
    asked = begun()
    assert asked.posed
    start = "Game: duel\n\n\n"
    other = replace(asked, posed=replace(asked.posed, at=start))
    with pytest.raises(BadVariant, match="is not a puzzle"):
        performed(other, "show")
