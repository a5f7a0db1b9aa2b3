"""A lesson as an activity: one thing to do at each step, and what has been done is kept."""

from collections.abc import Callable

import pytest
from pydantic import TypeAdapter

import numduel
from numduel.activities import Lessons, performed
from numduel.core.errors import BadVariant
from numduel.learn.lesson import lesson
from numduel.play.record import parse
from tests.games import NAMES


def begun(link: str, *actions: str, done: tuple[int, ...] = ()) -> Lessons:
    """After some actions; a number is a move."""
    taken = performed(Lessons(done=done), "begin", link)
    for action in actions:
        word = not action.isdigit()
        taken = performed(taken, action if word else "move", "" if word else action)
    return taken


def told(taken: Lessons) -> list[tuple[str, str]]:
    return [(said.kind, said.text) for said in taken.scene.said]


def offered(taken: Lessons) -> list[str]:
    return [choice.action for choice in taken.scene.choices]


@pytest.mark.parametrize("name", NAMES)
def test_every_step_of_a_lesson_can_be_done_and_travels_as_json(name: str) -> None:
    *steps, _ = lesson(numduel.game(name)).steps
    taken, kind = begun(name), TypeAdapter(Lessons)
    done: list[int] = []
    for number, step in enumerate(steps, 1):
        assert taken.scene.title == f"{number} of {len(steps) + 1}: {step.title}"
        assert kind.validate_json(kind.dump_json(taken)) == taken
        if step.kind == "beat":
            taken = performed(taken, "skip")
            continue
        if step.answers:
            assert (taken.scene.at, taken.scene.moves) == ("", False)
            taken = performed(taken, str(step.right_answer))
        else:
            assert parse(taken.scene.at).state.public == step.state.public
            taken = performed(taken, "move", str(step.moves[0]))
        assert told(taken)[0][0] == "right"
        assert offered(taken)[0] == "next"
        taken = performed(taken, "next")
        done.append(number)
    assert taken.done == tuple(done)


def test_a_question_has_no_board_and_an_answer_for_each_of_its_numbers() -> None:
    question = begun("line 9")
    assert question.scene.text[-1] == lesson(numduel.game("line")).steps[8].answers
    assert question.scene.goal == "Which answer is right?"
    assert offered(question) == ["hint", "1", "2", "3", "skip", "previous"]
    assert question.act("4") == question.act("move", "2") == question
    wrong = performed(question, "1")
    assert told(wrong)[0][0] == "wrong"
    assert told(performed(wrong, "hint")) == [("hint", "Answer 2 is right.")]
    right = performed(wrong, "2")
    assert (told(right)[0][0], right.done, offered(right)[0]) == ("right", (9,), "next")
    assert right.act("1") == right


def test_on_a_board_the_number_of_an_answer_is_no_answer() -> None:
    assert begun("line").act("1") == begun("line")


def test_a_wrong_move_says_why_and_the_hint_after_it_is_the_answer() -> None:
    wrong = begun("line", "2")
    assert told(wrong) == [("wrong", "Not 2. Look for a move that wins at once.")]
    hint = performed(wrong, "hint")
    assert (told(hint), hint.scene.advised) == ([("hint", "The answer is 8.")], ("8",))
    assert performed(hint, "move", "2").scene.advised == ()
    refused = performed(wrong, "move", "9")
    assert told(refused) == [("error", "9 is already claimed.")]


def test_the_first_hint_says_what_to_look_at() -> None:
    hint = begun("line", "hint")
    assert told(hint) == [("hint", "Look for a move that wins at once.")]
    assert hint.scene.advised == ()


def test_a_lesson_begins_at_a_step_or_at_the_first_that_is_not_done() -> None:
    assert begun("line 5").number == 5
    assert begun("line", done=(1, 2, 4)).number == 3
    assert begun("line", done=tuple(range(1, 14))).number == 1
    with pytest.raises(BadVariant, match="This lesson has steps 1 to 13"):
        begun("line 14")


def test_the_way_on_leaves_out_what_is_done() -> None:
    assert begun("line", "8", "next", done=(2, 3)).number == 4
    assert begun("line 2", "skip", done=tuple(range(3, 14))).number == 3
    assert begun("line 2", "previous").number == 1
    assert begun("line", "previous").number == 1
    assert performed(begun("line"), "step", "99").number == 1


@pytest.mark.parametrize(
    ("name", "choose"), [("capture", max), ("duel", max), ("build", lambda moves: moves[-1])]
)
def test_the_last_step_is_a_game_that_the_computer_answers(
    name: str, choose: Callable[[tuple[numduel.core.state.Move, ...]], object]
) -> None:
    last = len(lesson(numduel.game(name)).steps)
    taken = begun(f"{name} {last}")
    began = len(parse(taken.at).state.moves)
    assert began == (name != "build"), "the computer begins"
    while taken.scene.moves:
        state = parse(taken.at).state
        assert state.to_move == 1
        taken = performed(taken, "move", str(choose(state.legal_moves)))
    won = parse(taken.at).state.winner == 1
    assert told(taken)[0][0] == ("right" if won else "wrong")
    assert (last in taken.done, taken.solved) == (won, won)
    assert ("again" in offered(taken)) != won
    again = performed(taken, "again")
    assert again.scene.moves
    assert len(parse(again.at).state.moves) == began


def test_after_a_step_nothing_is_tried_any_more() -> None:
    done = begun("line", "8")
    assert not done.scene.moves
    assert done.act("move", "2") == done.act("hint") == done


def test_a_game_of_another_board_is_not_played_on() -> None:
    from dataclasses import replace

    taken = replace(begun("duel 8"), at="Game: duel\nVariant: n=40\n\n\n")
    with pytest.raises(BadVariant, match="another game"):
        performed(taken, "move", "3")


def test_at_the_end_of_a_lesson_there_is_nothing_left_to_do() -> None:
    from dataclasses import replace

    last = replace(begun("duel 13"), solved=True)
    assert last.scene.choices == ()
    assert "previous" in offered(replace(last, solved=False, over=True))
    assert performed(begun("line", "2"), "leave").scene.said == ()
