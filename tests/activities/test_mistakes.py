"""Mistakes tried again: asked before they are told, whatever door it is done at."""

import pytest
from pydantic import TypeAdapter

import numduel
from numduel.activities import Mistakes, performed
from numduel.activities.base import record_of
from numduel.activities.mistakes import find_mistakes
from numduel.core.errors import BadVariant
from numduel.learn.coach import report
from numduel.play.record import parse

LOST = "Game: sequence-duel\nName 1: Ada\nPlayer 2: perfect\n\n9 5 1 4 8 6\n"
"""In which Ada gave a won game away, more than once."""


def begun(record: str = LOST, *actions: str, **more: object) -> Mistakes:
    """After some actions; what is none of the choices is a move."""
    tried = performed(Mistakes(record=record, **more), "begin")  # type: ignore[arg-type]
    for action in actions:
        word = action in {choice.action for choice in Mistakes.CHOICES}
        tried = performed(tried, action if word else "move", "" if word else action)
    return tried


def told(tried: Mistakes, *kinds: str) -> list[str]:
    return [said.text for said in tried.scene.said if not kinds or said.kind in kinds]


def moves(tried: Mistakes) -> tuple[list[str], list[str]]:
    """The moves that are better than the mistake, and the others."""
    ply = report(parse(tried.record)).plies[tried.wrong[tried.place].number - 1]
    right = [str(option.move) for option in ply.options if ply.better(option)]
    return right, [str(option.move) for option in ply.options if str(option.move) not in right]


def test_there_is_something_to_try_in_the_sample() -> None:
    assert begun().wrong


def test_readers_are_asked_about_what_they_played_themselves_and_others_about_a_name() -> None:
    assert begun().scene.goal == "At move 1, you played 9. Find a better move."
    both = begun(LOST.replace("Player 2: perfect", "Name 2: Bo"))
    assert both.scene.goal == "At move 1, Ada played 9. Find a better move."


def test_a_better_move_is_praised_and_explained() -> None:
    tried = begun()
    right, _ = moves(tried)
    found = performed(tried, "move", right[0])
    assert told(found)[0] == "Right."
    assert not found.scene.moves
    assert found.scene.goal.endswith(f" Better: {right[0]}.")
    assert str(parse(found.at).state.moves[-1]) == right[0]


def test_a_move_that_is_no_better_may_be_tried_once_more_and_then_the_answer_is_shown() -> None:
    tried = begun()
    _, wrong = moves(tried)
    once = performed(tried, "move", wrong[0])
    assert (told(once)[0], told(once)[-1]) == ("No.", "Try again.")
    assert "would have" not in " ".join(told(once))
    twice = performed(once, "move", wrong[-1])
    assert told(twice)[0] == "No."
    assert told(twice)[1:] == told(begun(LOST, "show"))
    assert twice.scene.advised == begun(LOST, "show").scene.advised != once.scene.advised
    assert not twice.scene.moves
    assert told(performed(once, "move", "x")) != told(twice), "what is no move is no try"


def test_a_hint_nudges_first_and_then_names_the_move() -> None:
    first = begun(LOST, "hint")
    second = performed(first, "hint")
    assert "would have" not in " ".join(told(first))
    assert first.scene.moves
    assert told(begun(LOST, "show"), "answer") == told(second)


def test_a_mistake_that_let_the_opponent_win_at_once_is_told_with_the_move_that_wins() -> None:
    record = "Game: sequence-duel\nName 1: Ada\nName 2: Bo\n\n2 3 4 5 7 6 1\n"
    tried = begun(record, "next", "next", "show")
    assert told(tried) == ["7 let Bo win at once with 1; 6 would have won at once."]
    assert tried.scene.advised == ("6",), "the better move is lit"
    assert performed(tried, "previous").scene.advised == ()


def test_everything_is_told_at_once_to_those_who_ask() -> None:
    tried = begun(LOST, "everything")
    assert told(tried) == report(parse(LOST)).sentences(report(parse(LOST)).slips)
    assert (tried.scene.moves, tried.scene.choices) == (False, ())
    assert tried.told == tuple(wrong.number for wrong in begun().wrong)


def test_a_mistake_counts_as_told_when_its_better_move_was_found_or_shown() -> None:
    record = "Game: sequence-capture-factors\n\n14 5!\n"
    assert begun(record, "hint", "next").told == ()
    assert begun(record, "show", "next").told == (1,)
    assert begun(record, "next", "show", "previous").told == (2,)
    assert begun(record, "show", "next", "7").told == (1, 2)


def test_one_goes_from_mistake_to_mistake_and_not_beyond() -> None:
    tried = begun("Game: sequence-capture-factors\n\n14 5!\n")
    assert [wrong.number for wrong in tried.wrong] == [1, 2]
    assert tried.scene.goal == "At move 1, Player 1 played 14. Find a better move."
    second = performed(tried, "next")
    assert second.scene.goal.startswith("At move 2, Player 2 broke a rule with 5.")
    assert performed(second, "next") == second
    assert performed(second, "previous").scene == tried.scene
    assert performed(tried, "previous") == tried
    assert performed(tried, "begin", "2").place == 1
    assert performed(tried, "begin", "9").place == 1


def test_what_else_went_wrong_is_told_at_the_end() -> None:
    record = "Game: sequence-capture-factors\n\n14 5!\n"
    assert told(begun(record, "show"), "note") == []
    only_mine = performed(Mistakes(record=record, seat=1), "begin")
    ended = performed(only_mine, "show")
    assert any(sentence.startswith("Move 2, a mistake by Player 2: 5.") for sentence in told(ended))


def test_a_game_without_mistakes_says_so() -> None:
    record = "Game: sequence-capture-factors\n\n19 1 17\n"
    spotless = begun(record, seat=1)
    assert told(spotless)[0] == "You made no mistake."
    assert told(begun(record))[0].startswith("There is no mistake to try again. Player 1 was ")
    assert spotless.scene.choices == ()


def test_mistakes_travel_as_json_and_without_the_answer() -> None:
    tried, kind = begun(), TypeAdapter(Mistakes)
    assert kind.validate_json(kind.dump_json(tried)) == tried
    assert set(kind.dump_python(tried)["wrong"][0]) == {"number", "at", "played"}


def test_the_first_card_of_a_row_is_put_at_no_end() -> None:
    game = numduel.game("build", n=5, k=3)
    better = begun(record_of(game.replay("5x 4x")), "4e")
    assert better.scene.goal.endswith("discarded 4. Better: starting with 4.")
    worse = find_mistakes(record_of(game.replay("4x 5x 3x 1e")), None, everyone=True)
    assert worse["wrong"][-1]["played"] == "At move 4, Player 2 started with 1."


def test_a_move_that_is_no_mistake_is_refused() -> None:
    from dataclasses import replace

    tried = begun()
    other = replace(tried, wrong=(replace(tried.wrong[0], number=99),))
    with pytest.raises(BadVariant, match="no such mistake"):
        performed(other, "show")


def test_the_people_who_played_are_named() -> None:
    assert begun().scene.goal.split(",")[1].startswith(" you played ")
    assert parse(begun().scene.at).names[0] == "Ada"


def test_after_the_last_mistake_there_is_nothing_left_to_do() -> None:
    ended = begun("Game: sequence-capture-factors\n\n14 5!\n", "next", "show")
    assert ended.scene.choices == ()
    assert performed(ended, "leave").scene.said == ()
