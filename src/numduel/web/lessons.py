"""Lessons as plain data, for the solving processes. Answers stay on the server: the page is told
what became of a try, and no more."""

from __future__ import annotations

import random
from typing import Any

from numduel.core.errors import BadVariant
from numduel.core.state import State
from numduel.games import game as find
from numduel.lesson import Step, lesson, lessons
from numduel.players import player
from numduel.web.serialise import position


def lesson_list() -> list[dict[str, Any]]:
    """Every lesson, and how long it is."""
    return [
        {
            "name": one.game.name,
            "title": one.title,
            "called": one.game.called,
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


def lesson_hint(name: str, number: int, count: int) -> dict[str, Any]:
    """A hint to a step; the second one tells the answer."""
    step = _step(name, number)
    if step.kind == "beat":
        told = step.text[-1]
        return {"lines": [told] if isinstance(told, str) else list(told), "moves": []}
    line = step.hint(count)
    named = [] if line == step.nudge else [str(move) for move in step.moves]
    return {"lines": [line], "moves": named}


def lesson_answer(name: str, number: int, moves: str, move: str) -> dict[str, Any]:
    """What became of a try. In a whole game, `moves` were made before, and the computer answers;
    without a move the game begins."""
    step = _step(name, number)
    if step.kind == "beat":
        return _whole_game(step, moves, move)
    answer = step.answer(move)
    return {"right": answer.right, "said": answer.said, "state": position(answer.state)}


def _step(name: str, number: int) -> Step:
    found = lesson(find(name))
    if not 1 <= number <= len(found.steps):
        raise BadVariant(f"This lesson has the steps 1 to {len(found.steps)}.")
    return found.steps[number - 1]


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
    state = _answered(step, state)
    said = ""
    if state.winner == step.seat:
        said = f"You have beaten {step.level}. {step.right}".rstrip()
    elif state.winner is not None:
        said = "Not this time. Look at the list, and try again."
    return {"right": state.winner == step.seat, "said": said, "state": position(state)}


def _answered(step: Step, state: State) -> State:
    """The state when the learner is to move again, or the game is over."""
    opponent = player(step.level)
    if opponent is None:
        raise BadVariant("A lesson is played against the computer.")
    while state.winner is None:
        if state.draws:
            state = state.draw(state.pick_card(random.random()))
        elif state.forced_pass:
            state = state.play("pass")
        elif state.to_move == step.seat:
            break
        else:
            state = state.play(opponent.choose(state))
    return state
