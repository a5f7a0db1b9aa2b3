"""Is everything true that a lesson says?

The accepted moves of a step must be exactly the right ones, an idea must find exactly these, the
board must be the one that the prompt shows, and a strategy must win against every answer, whichever
of the moves that it leaves is made. Of the text, these sentences are claims, each about the
position of its step, with "you" to move:

- ``If you claim 4, they win with 7 or 8.`` or ``they win at once with``, or ``they can pick only``;
- ``You can pick only 2 or 3.`` and ``No move wins any more.``
- ``You own 5, 6 and 7.`` and ``They own 1.``, or hold: all that lies before a player;
- ``The current number is 12.``, ``Your total score is 21.``, ``Their …``: a fact of the view.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from numduel.core.errors import NumduelError
from numduel.core.game import Game
from numduel.core.state import Move, State
from numduel.core.text import either, listed
from numduel.core.view import view
from numduel.learn.ideas import preferred, reason, winning
from numduel.learn.lesson.steps import Claim, Lesson, Step, fail

IF = re.compile(
    r"If you \w+ (\w+), they (win with|win at once with|can \w+ only) (.+?)(?:, for example)?\."
)
ONLY = re.compile(r"You can \w+ only (.+)\.")
LOST = "No move wins any more."
OWN = re.compile(r"(You|They) (?:own|hold) (.+)\.")
PROMISES = ("You own", "You hold", "They own", "They hold")
"""A sentence that begins like this has to be a claim."""
FACT = re.compile(r"(The|Your|Their) ([a-z ]+) is (.+)\.")


def check(lesson: Lesson) -> None:
    """Raise `BadLesson` with the first thing in a lesson that is not true."""
    for step in lesson.steps:
        _check_moves(lesson.game, step)
        _check_idea(lesson.game, step)
        _check_board(lesson.game, step)
        _check_plan(lesson.game, step)
        for claim in step.claims:
            _check_claim(lesson.game, step, claim)


def right_moves(state: State) -> set[Move]:
    """The moves that win or, where luck decides, have the best chance."""
    from numduel.solver import analyse

    options = [option for option in analyse(state) if option.exact]
    wins = {option.move for option in options if option.win_probability == 1}
    return wins or {option.move for option in options if option.best and state.game.has_deck}


def _check_moves(game: Game, step: Step) -> None:
    if step.kind in ("beat", "answer"):
        return
    legal, found = set(step.state.legal_moves), set(step.moves)
    right = legal if step.kind == "legal" else right_moves(step.state)
    if step.kind == "prefer" and found < legal and found <= right:
        return
    if found != right:
        fail(game, step.line, f"{step.kind} should be {_spoken(right)}, not {_spoken(found)}")
    if step.kind != "legal" and right == legal:
        fail(game, step.line, "every move is right here, so there is nothing to find")


def _check_idea(game: Game, step: Step) -> None:
    if step.idea is None:
        return
    found = preferred(step.state, step.idea)
    if set(found) != set(step.moves):
        fail(game, step.line, f"{step.idea.name} finds {_spoken(found)}")
    for move in step.moves:
        if not step.right and reason(step.idea, step.state, move) is None:
            fail(game, step.line, f"{step.idea.name} says nothing for {move}")


def _check_board(game: Game, step: Step) -> None:
    shown = tuple(step.state.game.board(view(step.state)))
    if step.board is not None and step.board != shown:
        fail(game, step.line, f"the board should be {shown}")


def _check_plan(game: Game, step: Step) -> None:
    plan = step.plan
    if plan is None:
        return
    told = [item for block in step.text if isinstance(block, tuple) for item in block]
    opening = plan.opening if isinstance(plan.opening, tuple) else (plan.opening,)
    if plan.opening is not None and either(opening) not in "".join(told[:1]):
        fail(game, step.line, f"the list begins with {either(opening)}")
    if not (plan.tree or plan.game.has_deck):
        from numduel.learn.strategies.lists import play_out

        if not play_out(plan)[0]:
            fail(game, step.line, "this strategy does not always win")


# -- sentences ------------------------------------------------------------------------------


def _check_claim(game: Game, step: Step, claim: Claim) -> None:
    future, only, own, fact = (form.fullmatch(claim.sentence) for form in (IF, ONLY, OWN, FACT))
    if future is not None:
        true = _true_future(game, step, claim, future)
    elif only is not None:
        true = {str(move) for move in step.state.legal_moves} == set(_numbers(only[1]))
    elif claim.sentence == LOST:
        true = not right_moves(step.state)
    elif own is not None:
        seat = step.seat if own[1] == "You" else 3 - step.seat
        true = _numbers(own[2]) == [*map(str, view(step.state).hand(seat))]
    elif fact is not None:
        true = _true_fact(step.state, fact, step.seat)
    else:
        true = not claim.sentence.startswith(PROMISES)
    if not true:
        fail(game, claim.line, f"{claim.sentence!r} is not true, or not understood")


def _true_future(game: Game, step: Step, claim: Claim, found: re.Match[str]) -> bool:
    """Whether a move lets them do what a sentence says: all of it, unless it is an example."""
    move, what, some = found.groups()
    try:
        after = step.state.play(move)
    except NumduelError as error:
        fail(game, claim.line, str(error).rstrip("."))
    if what == "win with":
        able = right_moves(after)
    elif what == "win at once with":
        able = set(after.game.moves(winning(after.game, after.position), after))
    else:
        able = set(after.legal_moves)
    told, example = set(_numbers(some)), claim.sentence.endswith(", for example.")
    known = {str(move) for move in able}
    return told <= known if example else told == known


def _true_fact(state: State, found: re.Match[str], you: int) -> bool:
    """Whether a fact is as a sentence says; a sentence about no fact claims nothing."""
    seat = {"The": None, "Your": you, "Their": 3 - you}[found[1]]
    return all(
        fact.text == found[3]
        for fact in view(state).facts
        if (fact.label.lower(), fact.seat) == (found[2], seat)
    )


def _numbers(text: str) -> list[str]:
    """``5, 6 and 7`` or ``5, 6 or 7`` as its parts."""
    return re.split(r", | and | or ", text) if text != "nothing" else []


def _spoken(moves: Iterable[Move]) -> str:
    """Moves in order: shorter texts first, so that 9 comes before 10."""
    texts = sorted(map(str, moves), key=lambda text: (len(text), text))
    return listed(texts)
