"""Puzzles as an activity: what is said, counted and offered, whatever door they are solved at."""

import re
from dataclasses import replace
from datetime import date

import pytest
from pydantic import TypeAdapter

import numduel
from numduel.activities import Puzzles, performed
from numduel.core.errors import BadVariant, NumduelError
from numduel.games import offered
from numduel.learn.puzzle import daily, puzzle
from numduel.learn.streaks import Streaks
from numduel.play.record import parse
from tests.games import NAMES

DUEL = "game=duel&seed=9&grade=3"
"""A puzzle in which 3 is right, and every other number wrong."""
TODAY = "2026-11-15"


def begun(link: str = DUEL, *actions: str, streaks: Streaks | None = None) -> Puzzles:
    """After some actions; what is none of the choices is a move."""
    puzzles = performed(Puzzles(TODAY, seed=5, streaks=streaks or Streaks()), "begin", link)
    for action in actions:
        word = action in ("hint", "show", "next", "leave")
        puzzles = performed(puzzles, action if word else "move", "" if word else action)
    return puzzles


def told(puzzles: Puzzles, kind: str = "") -> list[str]:
    return [said.text for said in puzzles.scene.said if kind in ("", said.kind)]


def today_s_answer() -> str:
    return str(daily(date.fromisoformat(TODAY)).solution)


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
    for few in (4, 2, 2):
        puzzles = performed(puzzles, "hint")
        assert left >= len(puzzles.candidates) == few
        assert "3" in puzzles.candidates
        left = len(puzzles.candidates)
    assert told(puzzles) == ["The answer is 1 or 3."]
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
    anything = performed(puzzles, "next", "game=&grade=&theme=")
    assert anything.wish == ""
    zero = begun("game=duel&seed=0", "next")
    assert zero.posed
    assert "seed=1&" in zero.posed.link
    drawn = begun("", "next")
    assert drawn.posed
    assert "seed=5&" in drawn.posed.link  # the one that was drawn for whoever began


def test_first_tries_in_a_row_end_with_a_second_try_a_hint_and_a_puzzle_that_was_left() -> None:
    two = begun("game=duel&seed=9&grade=3", "3", "next", "7")
    assert two.streaks.first_tries == 2
    assert told(two, "share")[0].endswith("solved on try 1 · 2 first tries in a row")
    assert "first tries in a row: 2" in two.scene.notes[1]
    third = performed(two, "next")
    assert performed(third, "next").streaks.first_tries == 2  # only looked at
    for action, given in (("move", "1"), ("hint", "")):
        assert performed(performed(third, action, given), "next").streaks.first_tries == 0
    assert performed(third, "show").streaks.first_tries == 0


def test_no_puzzle_counts_twice_and_a_second_time_says_so() -> None:
    again = performed(begun(DUEL, "3"), "begin", DUEL)
    assert told(again) == ["You have done this one before: it does not count again."]
    assert performed(again, "move", "3").streaks == again.streaks


def test_today_s_puzzle_makes_a_streak_and_can_be_shared_again() -> None:
    yesterday, found = Streaks(date(2026, 11, 14), days=4), daily(date.fromisoformat(TODAY))
    refused, wrong = found.state.moves[0], found.options[-1].move
    solved = begun("", str(refused), today_s_answer(), streaks=yesterday)
    what = f"{found.state.game.display_name} · grade {found.grade}"
    line = f"numduel daily 2026-11-15 · {what} · solved on try 1 · streak 5"
    assert told(solved, "share") == [line]
    again = performed(solved, "begin")
    assert told(again)[0] == "You have solved today’s puzzle on try 1."
    assert told(again, "share") == [line]
    assert again.scene.notes[0] == ""
    more = performed(performed(again, "move", str(wrong)), "move", today_s_answer())
    assert told(more, "share") == [line]
    assert "streak" not in told(begun("date=2020-02-02", "show"), "share")


def test_today_s_puzzle_can_be_left_and_come_back_to() -> None:
    left = begun("", "hint", "next", streaks=Streaks(first_tries=4))
    assert left.streaks == Streaks()
    back = performed(left, "begin")
    assert performed(back, "move", today_s_answer()).streaks.days == 1


def test_a_puzzle_of_another_day_is_no_streak() -> None:
    answer = str(daily(date(2026, 11, 14)).solution)
    solved = begun("date=2026-11-14", answer)
    assert (solved.streaks.days, solved.streaks.solved) == (0, 1)
    assert "streak" not in told(solved, "share")[0]


def test_leaving_sums_up_the_puzzles() -> None:
    assert told(begun(DUEL, "3", "leave")) == []
    ended = begun(DUEL, "3", "next", "1", "leave")
    assert told(ended)[0] == "The puzzle is left unsolved."
    assert told(ended)[1] == "1 of 2 puzzles solved, 1 on the first try."
    assert ended.streaks.first_tries == 0


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ("game=chess&seed=1", "There is no game 'chess'"),
        ("grade=6&seed=1", "grade must be a whole number from 1 to 5, not '6'."),
        ("seed=99999999999", "seed must be a whole number"),
        ("date=tomorrow", "A date is written 2026-11-15, not 'tomorrow'."),
        ("theme=fork", "A theme belongs to a game"),
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
