"""Help in a position: first the idea alone, then the move and why; or the value of every move."""

from __future__ import annotations

from typing import NamedTuple

from numduel.core.ideas import Idea
from numduel.core.language import N_, _, plural
from numduel.core.state import Move, State
from numduel.core.text import DEFAULT_NAMES, Clause, both, capital, in_words
from numduel.learn.coach import words
from numduel.learn.coach.explain import Advice, advise, idea_and_course, why
from numduel.learn.coach.words import LOOK_AHEAD, WIDTH, percent
from numduel.learn.ideas import WIN, subject
from numduel.solver import analyse

MOST_NAMED = 4
"""How many equally good moves are named one by one."""


class Hint(NamedTuple):
    """Help in a position, in two steps."""

    move: Move
    """The recommended move."""
    ideas: tuple[Idea, ...]
    """The ideas that lead to it, applied in turn; none where no idea does."""
    nudge: str
    """What to look at, without the move."""
    lines: tuple[str, ...]
    """The move, and why: what the ideas say comes first, and how the game goes on last."""


def hint(state: State, names: tuple[str, str] = DEFAULT_NAMES) -> Hint:
    """What to look at in a position, and a best move with its reason. Of equally good moves it is
    the one that leaves the opponent the most ways to go wrong."""
    advice = advise(state)
    option, ideas = advice.option, advice.ideas
    nudge, head = _told(advice)
    if head is not None:
        lines = head, why(advice.state, option, names, ideas)
        return Hint(option.move, ideas, nudge, lines)
    idea, course = idea_and_course(advice.state, option, names, ideas)
    steps = idea, _advised(advice, so=bool(idea)), course
    return Hint(option.move, ideas, nudge, tuple(filter(None, steps)))


def _advised(advice: Advice, *, so: bool) -> str:
    """The move as it is recommended, and others that are as good: ``So choose 5.``"""
    game, alike = advice.state.game, _alike(advice)
    said = Clause(game.advice(game.worded(advice.option.move, advice.state)))
    if so and alike:
        return _("So {advice}; {alike}.", advice=said, alike=alike)
    if so:
        return _("So {advice}.", advice=said)
    return capital(_("{advice}; {alike}.", advice=said, alike=alike) if alike else f"{said}.")


def table(state: State, width: int = WIDTH) -> list[str]:
    """Every legal move by what it is worth, best first, and what that means."""
    return words.table(state.game, analyse(state), width)


def _told(advice: Advice) -> tuple[str, str | None]:
    """The nudge, and what is said before the move; None where the idea is said instead."""
    options, option = advice.options, advice.option
    name, look = subject(advice.state, option.move), _nudge(advice)
    if len(options) == 1:
        return _("There is only one move."), capital(_("{move} is the only move.", move=name))
    if not advice.exact:
        return _estimated(advice)
    chances = {o.win_probability for o in options}
    if chances == {1.0}:
        return _all_win(advice, name, look)
    if chances == {0.0}:
        return _all_lose(advice, name, look)
    if len(advice.equal) == len(options):
        told = _(
            "Every move keeps your chance to win at {share}", share=percent(option.win_probability)
        )
        return f"{told}.", _with_ways(told, _most_ways(advice, name))
    return look, None


def _estimated(advice: Advice) -> tuple[str, str | None]:
    """The same where some values are estimates; a certain win is not."""
    option, alike = advice.option, _alike(advice)
    if option.exact and option.win_probability == 1:
        return WIN.nudge if option.plies == 1 else _(LOOK_AHEAD), None
    best = subject(advice.state, option.move)
    if alike:
        return _(LOOK_AHEAD), _("Probably the best is {move}; {alike}.", move=best, alike=alike)
    return _(LOOK_AHEAD), _("Probably the best is {move}.", move=best)


def _nudge(advice: Advice) -> str:
    return " ".join(idea.nudge for idea in advice.ideas) or _(LOOK_AHEAD)


def _alike(advice: Advice) -> str:
    """That other moves are as good: ``3 and 4 are just as good``, or, where they are many, ``seven
    other moves are just as good``; empty where there are none."""
    option = advice.option
    others = [subject(advice.state, o.move) for o in advice.equal if o.move != option.move]
    if len(others) > MOST_NAMED:
        return plural(
            "one other move is just as good",
            "{count} other moves are just as good",
            len(others), count=in_words(len(others)),
        )  # fmt: skip
    if not others:
        return ""
    return plural(
        "{moves} is just as good", "{moves} are just as good", len(others), moves=both(others)
    )


def _all_win(advice: Advice, name: str, look: str) -> tuple[str, str]:
    if len(advice.equal) == len(advice.options):
        return _("Every move wins here."), _("Every move wins here: choose any you like.")
    if advice.option.margin is not None:
        nudge = _("Every move wins here, some by more points than others.")
        told = _("Every move wins here; {move} wins by the most points.", move=name)
    else:
        nudge = _("Every move wins here, some sooner than others.")
        told = _("Every move wins here; {move} wins soonest.", move=name)
    return f"{nudge} {look}", told


def _all_lose(advice: Advice, name: str, look: str) -> tuple[str, str]:
    if len(advice.equal) == len(advice.options):
        every, most = _("Every move loses against best play"), _most_ways(advice, name)
        ask = _("Which one leaves them the most ways to go wrong?") if most else ""
        return f"{every}. {ask}".rstrip(), _with_ways(every, most)
    if advice.option.margin is None:
        nudge = _("Every move loses against best play. Which one holds out longest?")
        told = _("Every move loses against best play; {move} holds out longest.", move=name)
        return f"{nudge} {look}", told
    nudge = _("Every move loses against best play, some by fewer points than others.")
    fewest = (
        N_("Every move loses against best play; {move} loses by the fewest points.")
        if advice.option.margin
        else N_("Every move loses against best play; {move} loses only the tie.")
    )
    return f"{nudge} {look}", _(fewest, move=name)


def _with_ways(told: str, most: str) -> str:
    """A clause with what `_most_ways` says, if it says something."""
    return _("{told}; {more}.", told=told, more=most) if most else f"{told}."


def _most_ways(advice: Advice, name: str) -> str:
    """That a move leaves the opponent the most ways to go wrong, and how many; empty where no
    answer goes wrong, or where moves were not compared."""
    ways = advice.ways.get(advice.option.move)
    if ways is None or not ways.wrong:
        return ""
    if advice.state.game.has_deck:
        return _("{move} leaves them the most ways to go wrong", move=name)
    wrong, answers = int(ways.wrong), int(ways.answers)
    if advice.option.margin is not None:
        return plural(
            "{move} leaves them the most ways to go wrong: {n} of their {answers} answers gives"
            " points away",
            "{move} leaves them the most ways to go wrong: {n} of their {answers} answers give"
            " points away",
            wrong, move=name, answers=answers,
        )  # fmt: skip
    return plural(
        "{move} leaves them the most ways to go wrong: {n} of their {answers} answers lets you win",
        "{move} leaves them the most ways to go wrong: {n} of their {answers} answers let you win",
        wrong, move=name, answers=answers,
    )  # fmt: skip
