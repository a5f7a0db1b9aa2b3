"""Is everything true that a lesson says?

The accepted moves of a step must be exactly the right ones, an idea must find exactly these, the
board must be the one that the prompt shows, and a strategy must win against every answer, whichever
of the moves that it leaves is made. Of the text, the sentences that `claims` understands are
checked: ``If you claim 4, they win with 7 or 8.``, ``You own 5, 6 and 7.``
"""

from __future__ import annotations

from collections.abc import Iterable

from numduel.core.errors import NumduelError
from numduel.core.game import Game
from numduel.core.state import Move, State
from numduel.core.text import either, listed
from numduel.core.view import view
from numduel.learn.ideas import preferred, reason, winning
from numduel.learn.lesson.claims import Said, promises, understood
from numduel.learn.lesson.steps import Claim, Lesson, Step, fail


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
    said = understood(claim.sentence)
    true = not promises(claim.sentence) if said is None else _true(game, step, claim, said)
    if not true:
        fail(game, claim.line, f"{claim.sentence!r} is not true, or not understood")


def _true(game: Game, step: Step, claim: Claim, said: Said) -> bool:
    """Whether what a sentence says is true of the position of its step."""
    seats = {"mine": step.seat, "theirs": 3 - step.seat}
    if said.kind in seats:
        return said.numbers == [*map(str, view(step.state).hand(seats[said.kind]))]
    if said.kind == "lost":
        return not right_moves(step.state)
    if said.kind == "only moves":
        return {str(move) for move in step.state.legal_moves} == set(said.numbers)
    if "fact" in said.fields:
        return _true_fact(step, said)
    return _true_future(game, step, claim, said)


def _true_future(game: Game, step: Step, claim: Claim, said: Said) -> bool:
    """Whether a move lets them do what a sentence says: all of it, unless it is an example."""
    try:
        after = step.state.play(said.fields["move"])
    except NumduelError as error:
        fail(game, claim.line, str(error).rstrip("."))
    if said.kind == "wins":
        able = right_moves(after)
    elif said.kind == "wins at once":
        able = set(after.game.moves(winning(after.game, after.position), after))
    else:
        able = set(after.legal_moves)
    told, known = set(said.numbers), {str(move) for move in able}
    return told <= known if said.example else told == known


def _true_fact(step: Step, said: Said) -> bool:
    """Whether a fact is as a sentence says; a sentence about no fact claims nothing."""
    seat = {"fact": None, "my fact": step.seat, "their fact": 3 - step.seat}[said.kind]
    name, value = (said.fields[field].casefold() for field in ("fact", "value"))
    return all(
        fact.text.casefold() == value
        for fact in view(step.state).facts
        if (fact.label.casefold(), fact.seat) == (name, seat)
    )


def _spoken(moves: Iterable[Move]) -> str:
    """Moves in order: shorter texts first, so that 9 comes before 10."""
    texts = sorted(map(str, moves), key=lambda text: (len(text), text))
    return listed(texts)
