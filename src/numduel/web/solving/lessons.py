"""Lessons as plain data, for the solving processes. The answers stay on the server: a client only
learns whether a move was right."""

from __future__ import annotations

from typing import Annotated

from typing_extensions import TypedDict

from numduel.activities.lesson import ended, replied, step_of
from numduel.games import game as find
from numduel.learn.lesson import Step, lesson, lessons
from numduel.web.http.described import about
from numduel.web.positions import Called, Position, position

Text = Annotated[list[str | tuple[str, ...]], about("Paragraphs; a list is a numbered list.")]


class LessonSummary(TypedDict):
    """A lesson, and how many steps it has."""

    name: str
    title: str
    called: Called
    steps: int


class LessonStep(TypedDict):
    """A step of a lesson: one thing to do in a position."""

    title: str
    text: Text
    task: str
    seat: Annotated[int, about("Your seat.")]
    game: Annotated[bool, about("Whether it is a whole game against the computer.")]
    state: Position


class Lesson(TypedDict):
    """A game learnt step by step."""

    name: str
    title: str
    text: Text
    steps: list[LessonStep]


class LessonHint(TypedDict):
    """A hint in a lesson."""

    lines: list[str]
    moves: Annotated[list[str], about("The right moves, where the lines name them.")]


class Try(TypedDict):
    """The result of a move in a step of a lesson."""

    right: Annotated[bool, about("Whether the step is done.")]
    said: str
    state: Position


def lesson_list() -> list[LessonSummary]:
    """All lessons, and how long they are."""
    return [
        {
            "name": one.game.name,
            "title": one.title,
            "called": one.game.display_name,
            "steps": len(one.steps),
        }
        for one in lessons()
    ]


def lesson_data(name: str) -> Lesson:
    """A lesson without its answers."""
    found = lesson(find(name))
    return {
        "name": found.game.name,
        "title": found.title,
        "text": list(found.text),
        "steps": [_step_data(step) for step in found.steps],
    }


def lesson_answer(name: str, number: int, moves: str, move: str) -> Try:
    """The result of a move. In a whole game, `moves` are the moves so far, and the computer
    answers; without a move, the game begins."""
    step = step_of(name, number)
    if step.kind == "beat":
        return _whole_game(step, moves, move)
    answer = step.answer(move)
    return {"right": answer.right, "said": answer.said, "state": position(answer.state)}


def _step_data(step: Step) -> LessonStep:
    return {
        "title": step.title,
        "text": list(step.text),
        "task": step.goal,
        "seat": step.seat,
        "game": step.kind == "beat",
        "state": position(step.state),
    }


def _whole_game(step: Step, moves: str, move: str) -> Try:
    state = step.state.game.replay(moves, first=step.state.to_move)
    if move:
        state = state.revealed(move).play(move)
    state = replied(step, state)
    right = state.winner == step.seat
    return {"right": right, "said": ended(step, state), "state": position(state)}
