"""A lesson for a game that ships none, made of its ideas.

Positions are looked for in games that are played at random from a seed of the game's own, so that
a game always has the same lesson.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.ideas import Idea
from numduel.core.language import _
from numduel.core.state import Move, State, played_at_random
from numduel.learn.ideas import PATTERNS, WIN, preferred, vocabulary
from numduel.learn.lesson.check import right_moves
from numduel.learn.lesson.steps import Kind, Lesson, Step
from numduel.learn.strategies import Strategy, strategy

GAMES = 60
"""Games that are searched for positions."""
MOST_IDEAS = 6
"""Steps between the goal and the whole game."""
LEAD = 0.05
"""In a game with a deck, how much likelier to win the best moves are than any other."""
MOST_TOLD = 8
"""Instructions of a strategy that a lesson tells."""
LEVEL = "medium"


def generate(game: Game) -> Lesson:
    """A lesson for a game: its goal, an idea a step, and a whole game; of a game that is too large
    to be solved, the whole game alone."""
    from numduel.solver import evaluate

    if not evaluate(game.start()).exact:
        return _lesson(game, [_whole(game, None)])
    plan = _strategy(game)
    planned = plan.ideas if plan else ()
    # What a number looks like finds the right move of some position in any game: only a strategy
    # makes it worth a step.
    known = [idea for idea in vocabulary(game) if idea in planned or idea not in PATTERNS]
    others = [idea for idea in known if idea != WIN]
    found = _positions(game, [WIN, *others])
    goal, best = _("Make the move that wins at once."), _("Find the best move.")
    steps = [
        _found(idea.instruction.rstrip("."), (idea.nudge,), best, idea, found[idea.name])
        for idea in others
        if idea.name in found
    ][:MOST_IDEAS]
    if WIN.name in found:
        steps.insert(0, _found(_("The goal"), (), goal, WIN, found[WIN.name]))
    return _lesson(game, [*steps, _whole(game, plan)])


def _lesson(game: Game, steps: list[Step]) -> Lesson:
    return Lesson(game, _("Learn {game}", game=game.display_name), (game.summary,), tuple(steps))


def _strategy(game: Game) -> Strategy | None:
    """The strategy of a game, if there is one that is short enough for a lesson."""
    try:
        found = strategy(game)
    except BadVariant:
        return None
    return found if len(found.instructions()) <= MOST_TOLD else None


def _positions(game: Game, ideas: list[Idea]) -> dict[str, State]:
    """For every idea the first position found in which it prefers exactly the right moves. A
    position shows only the easiest idea that does."""
    found: dict[str, State] = {}
    for state in _visited(game):
        right = _right(state)
        for idea in ideas if right else ():
            if idea.name not in found and set(preferred(state, idea)) == right:
                found[idea.name] = state
                break
        if len(found) == len(ideas):
            break
    return found


def _visited(game: Game) -> Iterator[State]:
    """Positions of games that are played at random, their later ones first."""
    for number in range(GAMES):
        luck = random.Random(f"numduel lesson {game.id} {number}").random
        *states, _ = played_at_random(game, luck)
        yield from reversed(states)


def _right(state: State) -> set[Move]:
    """The right moves of a position, if there is something to find."""
    from numduel.solver import analyse

    right = right_moves(state)
    wrong = [option for option in analyse(state) if option.move not in right]
    clear = bool(wrong) and (not state.game.has_deck or wrong[0].loss >= LEAD)
    return right if clear else set()


def _found(title: str, text: tuple[str, ...], task: str, idea: Idea, state: State) -> Step:
    kind: Kind = "best" if state.game.has_deck else "win"
    return Step(title, text, task, state, kind, preferred(state, idea), idea, idea.nudge)


def _whole(game: Game, plan: Strategy | None) -> Step:
    told = tuple(plan.instructions()) if plan else ()
    begins = plan is None or plan.seat == 1
    return Step(
        _("Beat {level}", level=_(LEVEL)),
        (_("Now a whole game."), *([told] if told else [])),
        _("Win a game against the computer."),
        game.start(first=1 if begins else 2),
        "beat",
        level=LEVEL,
        plan=plan,
    )
