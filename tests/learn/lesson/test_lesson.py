"""Lessons: what they say is true, what they ask can be answered, and nothing is lost."""

import doctest
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from numduel_examples.pile import Pile
from numduel_examples.reach import Reach
from typer.testing import CliRunner

import numduel
from numduel.activities.lesson import hint_step
from numduel.core.errors import BadLesson, BadVariant, IllegalMove
from numduel.core.language import ENGLISH, languages, speaking
from numduel.core.state import Move
from numduel.core.text import either
from numduel.files import data_folder
from numduel.learn.ideas import preferred, reason
from numduel.learn.lesson import Step, lesson, lessons, parse, progress
from numduel.terminal.learn import learn
from numduel.web.solving.lessons import lesson_answer, lesson_data, lesson_list
from tests.games import NAMES
from tests.learn.strategies.test_strategies import wins

app = typer.Typer()
app.command()(learn)
LINE = numduel.game("line")
PAGE = LINE.lesson or ""
LESSONS = Path(numduel.__file__).parent / "games" / "lessons"
STEPS = [
    pytest.param(step, id=f"{name} {number}")
    for name in NAMES
    for number, step in enumerate(lesson(numduel.game(name)).steps, 1)
    if step.moves
]
QUESTIONS = [
    pytest.param(step, id=f"{name} {number}")
    for name in NAMES
    for number, step in enumerate(lesson(numduel.game(name)).steps, 1)
    if step.answers
]


def right(step: Step) -> str:
    """The first right answer to a step that is no whole game."""
    return str(step.right_answer or step.moves[0])


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nobody has learnt anything yet."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


def said(*words: str, typed: str = "") -> str:
    result = CliRunner().invoke(app, words, input=typed)
    if result.exception is not None:
        raise result.exception
    return result.stdout


def words(step: Step) -> list[str]:
    return " ".join(map(str, step.text)).split()


def test_the_example_of_the_module_runs() -> None:
    assert doctest.testmod(numduel.learn.lesson).failed == 0


# -- the pages ------------------------------------------------------------------------------


def right_moves(state: numduel.State) -> set[Move]:
    """The moves that win or, where luck decides, have the best chance."""
    options = numduel.analyse(state)
    assert all(option.exact for option in options)
    wins = {option.move for option in options if option.win_probability == 1}
    return wins or {option.move for option in options if option.best and state.game.has_deck}


@pytest.mark.parametrize("step", STEPS)
def test_the_accepted_moves_are_exactly_the_right_ones_and_those_that_its_idea_finds(
    step: Step,
) -> None:
    legal, accepted = set(step.state.legal_moves), set(step.moves)
    right = legal if step.kind == "legal" else right_moves(step.state)
    if step.kind == "prefer":
        assert accepted < legal
        assert accepted <= right
    else:
        assert accepted == right
        assert step.kind == "legal" or right != legal, "there is something to find"
    if step.idea is not None:
        assert set(preferred(step.state, step.idea)) == accepted
        assert step.right or all(reason(step.idea, step.state, move) for move in step.moves)
    shown = tuple(step.state.game.board(numduel.view(step.state)))
    assert step.board in (None, shown)


PLANS = [
    pytest.param(step.plan, step.text[-1], id=f"{name} {number}")
    for name in NAMES
    for number, step in enumerate(lesson(numduel.game(name)).steps, 1)
    if step.plan
]


@pytest.mark.parametrize(("plan", "told"), PLANS)
def test_the_list_of_a_lesson_begins_as_its_strategy_does_and_wins(
    plan: numduel.Strategy, told: tuple[str, ...]
) -> None:
    opening = plan.opening if isinstance(plan.opening, tuple) else (plan.opening,)
    assert either(opening) in told[0]
    known = numduel.strategy(plan.game)
    if plan.game.has_deck:
        assert (plan.opening, plan.ideas) == (known.opening, known.ideas)
    else:
        assert wins(plan)[0]


@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_leads_from_the_goal_to_a_won_game(name: str) -> None:
    steps = lesson(numduel.game(name)).steps
    assert steps[0].title == "The goal"
    assert next(step.level for step in steps if step.kind == "beat") == "medium"
    for step in steps:
        assert len(words(step)) <= (120 if step.answers else 80), step.title


@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_goes_on_to_why_and_the_harder_seat(name: str) -> None:
    steps = lesson(numduel.game(name)).steps
    *_, won, why, proof, size, elsewhere, seat = steps
    assert [step for step in steps if step.kind == "beat"] == [won, seat]
    assert (won.level, won.title) == ("medium", "Beat medium")
    assert [step for step in steps if step.kind == "answer"] == [why, proof, elsewhere]
    assert "?" in why.title
    assert size.state.game != steps[-1].state.game
    assert seat.title == ("A harder computer" if name == "build" else "The harder seat")
    for step in steps:
        assert len(words(step)) >= 5, step.title
        assert (step.board is None) == (step.kind in ("beat", "answer")), step.title


@pytest.mark.parametrize("step", QUESTIONS)
def test_one_answer_to_a_question_is_right_and_every_other_is_told_what_to_look_at(
    step: Step,
) -> None:
    for number in range(1, len(step.answers) + 1):
        answer = step.answer(number)
        assert answer.right == (number == step.right_answer)
        assert answer.said.startswith("Right. " if answer.right else f"Not {number}. ")
        assert (step.nudge in answer.said) != answer.right
    assert step.hint() == step.nudge
    assert step.hint(2) == f"Answer {step.right_answer} is right."
    for nonsense in ("0", "5", "x", ""):
        with pytest.raises(IllegalMove, match=r"Please choose 1(, 2)? or [23]\."):
            step.answer(nonsense)


def test_the_right_answer_is_not_always_in_the_same_place() -> None:
    places = [param.values[0].right_answer for param in QUESTIONS]  # type: ignore[union-attr]
    assert {places.count(place) > 1 for place in (1, 2, 3)} == {True}


TRANSLATED = [
    pytest.param(name, code, id=f"{code} {name}")
    for name in NAMES
    for code in languages()
    if code != ENGLISH and (LESSONS / code / f"{name}.md").is_file()
]


@pytest.mark.parametrize(("name", "code"), TRANSLATED)
def test_a_lesson_in_another_language_asks_what_the_english_one_does(name: str, code: str) -> None:
    english = lesson(numduel.game(name))
    asked = [kept(step) for step in english.steps]
    with speaking(code):
        found = lesson(numduel.game(name))
        assert found.title != english.title
        for step, wanted in zip(found.steps, asked, strict=True):
            assert kept(step) == wanted, step.title
            told = [item for block in step.text if isinstance(block, tuple) for item in block]
            if step.plan and isinstance(step.plan.opening, int):
                assert str(step.plan.opening) in told[0]
            assert len(words(step)) <= (150 if step.answers else 100), step.title
            assert step.hint(2) if step.moves or step.answers else step.level
    assert lesson(numduel.game(name)) == english


def kept(step: Step) -> tuple[object, ...]:
    """What a translation leaves as it is."""
    return (
        step.state, step.kind, step.moves, step.idea, step.level, step.plan, step.right_answer,
        len(step.answers), step.board is None,
    )  # fmt: skip


BROKEN = {
    "empty": ("", 1, "a lesson begins with # and its title"),
    "no step": ("# Title\n\nText.\n", 1, "a lesson has at least one step"),
    "no title": ("Text.\n", 1, "a lesson begins with # and its title"),
    "not numbered": ("# T\n## The goal\n", 2, "is written ## 1. and a title"),
    "wrong number": ("# T\n\n## 2. The goal\n", 3, "is written ## 1. and a title"),
    "no position": ("# T\n## 1. G\n\nText.\n", 2, "a step ends with a position"),
    "open": ("# T\n## 1. G\n```duel\n", 3, "a fence is not closed"),
    "text after": ("# T\n## 1. G\n```duel\n```\nMore.\n", 5, "stands before its position"),
    "two boards": ("# T\n## 1. G\n```\n```\n```\n```\n```duel\n```\n", 5, "at most one board"),
    "in the title": ("# T\n```duel\n```\n## 1. G\n", 2, "a position belongs to a step"),
}
FIELDS = {
    "an unknown key": ("task: T\nsolve: 3", 5, "'solve: 3' is not one of variant, first, after"),
    "no value": ("task:\nwin: 3", 4, "is not one of"),
    "twice": ("task: T\ntask: T\nwin: 3", 5, "task is given twice"),
    "no task": ("legal: 3", 3, "a step has a task"),
    "no kind": ("task: T", 3, "a step has one of legal, win, best, prefer, beat"),
    "two kinds": ("task: T\nwin: 3\nlegal: 3", 3, "a step has one of"),
    "no nudge": ("task: T\nwin: 3", 3, "a step names an idea, or has a nudge"),
    "no such idea": ("task: T\nidea: luck\nwin: 3", 5, "there is no idea 'luck'; there are win"),
    "no such move": ("task: T\nlegal: 3 11", 5, "11 is out of range"),
    "an impossible game": ("after: 3 3\ntask: T\nlegal: 3", 4, "3 is already claimed"),
    "an impossible size": ("variant: n=x\ntask: T\nlegal: 3", 4, "n"),
    "nobody first": ("task: T\nfirst: 3\nlegal: 3", 5, "The first player is 1 or 2"),
    "a finished game": ("after: 1 5 2 6 3 7 4\ntask: T\nlegal: 8", 4, "here is no move to make"),
    "nobody to beat": ("task: T\nbeat: everybody", 5, "whom to beat is one of easy"),
    "an impossible opening": ("task: T\nbeat: easy\nstrategy: 11", 6, "nobody can open with 11"),
    "a strategy": ("task: T\nlegal: 3\nstrategy: win", 6, "a strategy is for a whole game"),
    "a preference": ("task: T\nnudge: N\nprefer: 3", 3, "prefer needs an idea"),
    "no answers": ("task: T\nnudge: N\nanswer: 1", 6, "a question ends with a list of 2 to 4"),
}
ANSWERS = {
    "one answer": ("1. A", "answer: 1", "a question ends with a list of 2 to 4 answers"),
    "no such answer": ("1. A\n2. B", "answer: 3", "the right answer is one of 1 to 2"),
    "no number": ("1. A\n2. B", "answer: B", "the right answer is one of 1 to 2"),
    "a position": ("1. A\n2. B", "answer: 1\nafter: 3", "a question has no board"),
    "a board": ("1. A\n2. B\n```\n1 2\n```", "answer: 1", "a question has no board"),
}
BROKEN |= {
    name: (f"# T\n## 1. G\n{text}\n```duel\ntask: T\nnudge: N\n{answer}\n```\n", line, why)
    for name, (text, answer, why) in ANSWERS.items()
    for line in [6 + len(text.splitlines())]
}
BROKEN |= {
    name: (f"# T\n## 1. G\n```duel\n{fields}\n```\n", line, why)
    for name, (fields, line, why) in FIELDS.items()
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_not_written_as_it_should_be_is_named_with_its_line(name: str) -> None:
    page, line, why = BROKEN[name]
    with pytest.raises(BadLesson) as caught:
        parse(LINE, page)
    assert str(caught.value).startswith(f"The lesson line.md, line {line}: ")
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_broken_lesson_keeps_no_other_from_being_taught(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken(Pile):
        lesson = "Nothing."

    monkeypatch.setattr("numduel.learn.lesson.games", lambda: (Broken, Reach, type(LINE)))
    assert [found.game for found in lessons()] == [LINE]
    assert "The lesson pile.md, line 1: " in caplog.text


def test_a_game_without_a_page_has_no_lesson() -> None:
    with pytest.raises(BadLesson, match=r"^There is no lesson for Reach the Target\.$"):
        lesson(Reach())


# -- a step ---------------------------------------------------------------------------------


@pytest.mark.parametrize("step", STEPS)
def test_exactly_the_right_moves_are_accepted(step: Step) -> None:
    for move in step.state.legal_moves:
        answer = step.answer(move)
        assert answer.right == (move in step.moves)
        assert answer.said.startswith("Right" if answer.right else "Not ")
        assert answer.said.endswith((".", "?"))
        assert answer.state == (step.state.play(move) if answer.right else step.state)
        if not answer.right:
            assert step.nudge in answer.said


@pytest.mark.parametrize("step", STEPS)
def test_the_first_hint_does_not_tell_the_move_and_the_second_does(step: Step) -> None:
    if step.nudge:
        assert step.hint() == step.nudge
    game, legal = step.state.game, step.kind == "legal"
    told = either(map(game.label if legal else game.subject, step.moves))
    assert step.hint(2) == (f"You can choose {told}." if legal else f"The answer is {told}.")


@pytest.mark.parametrize("step", STEPS)
def test_a_wrong_try_is_told_what_they_would_do_but_not_the_answer(step: Step) -> None:
    right = {str(move) for move in step.moves}
    for move in set(step.state.legal_moves) - set(step.moves):
        told = re.search(r"They would answer (\w+), and win", step.answer(move).said)
        assert told is None or told[1] not in right


def test_a_wrong_try_is_told_that_they_would_win() -> None:
    step = lesson(LINE).steps[3]
    assert step.answer(1).said == (
        "Not 1. They would win at once. After which of your moves could they win at once?"
    )
    with pytest.raises(IllegalMove, match="8 is already claimed"):
        step.answer(8)


# -- at the prompt ----------------------------------------------------------------------------


def test_lessons_are_listed_with_what_is_done() -> None:
    assert "  line      Four in a Row   0 of 13 steps done\n" in said()
    said("line", typed="8\n\nskip\n7\nquit\n")
    assert "  line      Four in a Row   2 of 13 steps done\n" in said()
    assert {entry["name"]: entry["done"] for entry in json.loads(said("--json"))}["line"] == [1, 3]
    assert json.loads(said("line", "--json"))["done"] == [1, 3]


def test_only_enter_goes_on_in_a_lesson() -> None:
    out = said("line", typed="8\nbanana\n\nquit\n")
    assert "Please press Enter, or type quit.\nEnter: next step, or type quit > \n" in out
    assert "\n2 of 13: Your turn\n" in out


def test_help_says_what_can_be_typed_and_not_the_answer() -> None:
    out = said("line", "--step", "4", typed="help\n?\nquit\n")
    assert out.count("Or type hint, skip, previous or quit.") == 3
    assert "It is" not in out
    assert "What would they play" not in out


def test_the_end_of_input_leaves_cleanly() -> None:
    assert said("duel").endswith("Continue whenever you like: numduel learn duel\n")
    assert progress.read() == {}


@pytest.mark.parametrize("name", NAMES)
def test_a_whole_lesson_can_be_taken(name: str) -> None:
    steps = lesson(numduel.game(name)).steps
    games = [number for number, step in enumerate(steps, 1) if step.kind == "beat"]
    typed = "".join(
        "skip\n" if step.kind == "beat" else f"{right(step)}\n\n" for step in steps[:-1]
    )
    out = said(name, typed=typed + "quit\n")
    assert out.count("\nRight") == len(steps) - len(games)
    assert f"\n{len(steps)} of {len(steps)}: " in out
    assert progress.read()[name] == {*range(1, len(steps) + 1)} - {*games}


class Smallest:
    """Always takes the smallest number."""

    def choose(self, state: numduel.State) -> Move:
        return state.legal_moves[0]


def follow(step: Step, choose: Callable[[numduel.State], object]) -> list[str]:
    """What wins the game of a step against that."""
    state, mine = step.state, []
    while state.winner is None:
        if state.to_move == step.seat:
            mine.append(str(choose(state)))
            state = state.play(mine[-1])
        else:
            state = state.play(Smallest().choose(state))
    assert state.winner == step.seat
    return mine


def test_the_step_is_done_when_its_game_is_won(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numduel.activities.lesson.player", lambda _: Smallest())
    step = lesson(numduel.game("duel")).steps[7]
    wins = "\n".join(follow(step, lambda state: numduel.analyse(state)[0].move))
    out = said("duel", "--step", "8", typed=f"9\n8\n6\n\n{wins}\n")
    assert "Not this time. Look at the list, and try again." in out
    assert out.count("8 of 13: ") == 1, "the game is another one, and the step the same"
    assert "You have beaten medium. Any first number from 3 to 7 works as well. " in out
    assert progress.read() == {"duel": {8}}
    assert "You have beaten" not in said("duel", "--step", "8", typed="3\nquit\n")


@pytest.mark.parametrize(
    "damage", ["", "x", "[1]", '{"line": 3}', '{"line": ["1", true]}', "[" * 9999]
)
def test_a_damaged_file_is_no_trouble(damage: str) -> None:
    folder = data_folder()
    folder.mkdir(parents=True)
    (folder / progress.FILE).write_text(damage)
    assert "  line      Four in a Row   0 of 13 steps done\n" in said()
    said("line", typed="8\n\nquit\n")
    assert progress.read() == {"line": {1}}
    assert [path.name for path in folder.iterdir()] == ["lessons.json"]


def test_progress_that_cannot_be_saved_is_reported_once(home: Path) -> None:
    (home / "numduel").write_text("in the way")
    out = said("line", typed="8\n\n1\n\nquit\n")
    assert out.count("Your progress cannot be saved: ") == 1
    assert "3 of 13: A full line" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("chess",), "There is no game 'chess'"),
        (("line", "--step", "14"), "--step must be a whole number from 1 to 13, not '14'"),
        (("line", "--step", "x"), "--step must be a whole number from 1 to 13, not 'x'"),
    ],
)
def test_wrong_input_is_one_sentence(words: tuple[str, ...], message: str) -> None:
    with pytest.raises(numduel.NumduelError, match=re.escape(message)):
        said(*words)


# -- for the page -----------------------------------------------------------------------------


def test_the_page_is_not_told_what_is_right() -> None:
    assert [entry["name"] for entry in lesson_list()] == list(NAMES)
    for name in NAMES:
        for step in lesson_data(name)["steps"]:
            assert set(step) == {"title", "text", "task", "seat", "game", "state"}


def test_the_page_is_told_what_became_of_a_try() -> None:
    wrong, right = lesson_answer("line", 1, "", "2"), lesson_answer("line", 1, "", "8")
    assert (wrong["right"], right["right"]) == (False, True)
    assert wrong["state"]["text"] == "9 1 10 3 7 6"
    assert right["state"]["text"] == "9 1 10 3 7 6 8"
    assert hint_step("line", 1, 1)["lines"] == ["Look for a move that wins at once."]
    assert hint_step("line", 8, 1)["lines"][0] == "Open with 1."
    assert [lesson_answer("line", 9, "", given)["right"] for given in "123"] == [False, True, False]
    with pytest.raises(BadVariant, match="This lesson has steps 1 to 13"):
        lesson_answer("line", 14, "", "1")
    with pytest.raises(IllegalMove):
        lesson_answer("line", 1, "", "9")


def smallest(state: Any) -> str:
    return str(min((option["move"] for option in state["legal"]), key=int))


def discard(state: Any) -> str:
    return str(state["legal"][-1]["move"])


@pytest.mark.parametrize(("name", "choose"), [("capture", smallest), ("build", discard)])
def test_the_page_plays_a_whole_game(name: str, choose: Callable[[Any], str]) -> None:
    last = len(lesson(numduel.game(name)).steps) - 5
    answer = lesson_answer(name, last, "", "")
    state = answer["state"]
    while state["outcome"] is None:
        assert state["to_move"] == 1
        assert (answer["right"], answer["said"]) == (False, "")
        answer = lesson_answer(name, last, " ".join(state["moves"]), choose(state))
        state = answer["state"]
    assert answer["right"] == (state["outcome"]["winner"] == 1)
    assert answer["said"].startswith("You have beaten medium" if answer["right"] else "Not this")
