"""Lessons as plain data, for the solving processes. Answers stay on the server: the page is told
what became of a try, and no more."""

from __future__ import annotations

from typing import Any

from numduel.activities.lesson import ended, replied, step_of
from numduel.games import game as find
from numduel.learn.lesson import Step, lesson, lessons
from numduel.web.positions import position


def lesson_list() -> list[dict[str, Any]]:
    """Every lesson, and how long it is."""
    return [
        {
            "name": one.game.name,
            "title": one.title,
            "called": one.game.display_name,
            "steps": len(one.steps),
        }
        for one in lessons()
    ]


def lesson_data(name: str) -> dict[str, Any]:
    """A lesson without its answers."""
    found = lesson(find(name))
    return {
        "name": found.game.name,
        "title": found.title,
        "text": list(found.text),
        "steps": [_step_data(step) for step in found.steps],
    }


def lesson_answer(name: str, number: int, moves: str, move: str) -> dict[str, Any]:
    """What became of a try. In a whole game, `moves` were made before, and the computer answers;
    without a move the game begins."""
    step = step_of(name, number)
    if step.kind == "beat":
        return _whole_game(step, moves, move)
    answer = step.answer(move)
    return {"right": answer.right, "said": answer.said, "state": position(answer.state)}


def _step_data(step: Step) -> dict[str, Any]:
    return {
        "title": step.title,
        "text": list(step.text),
        "task": f"{step.you} {step.task}",
        "seat": step.seat,
        "game": step.kind == "beat",
        "state": position(step.state),
    }


def _whole_game(step: Step, moves: str, move: str) -> dict[str, Any]:
    state = step.state.game.replay(moves, first=step.state.to_move)
    if move:
        state = state.revealed(move).play(move)
    state = replied(step, state)
    right = state.winner == step.seat
    return {"right": right, "said": ended(step, state), "state": position(state)}
