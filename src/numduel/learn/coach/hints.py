"""Help in a position: first the idea alone, then the move and why; or the value of every move."""

from __future__ import annotations

from typing import NamedTuple

from numduel.core.ideas import Idea
from numduel.core.state import Move, State
from numduel.core.text import DEFAULT_NAMES, both, in_words
from numduel.learn.coach import words
from numduel.learn.coach.explain import Advice, advise, idea_and_course, why
from numduel.learn.coach.words import LOOK_AHEAD, WIDTH, capital, percent
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
    game, move = advice.state.game, option.move
    advised = f"{game.advice(game.worded(move, advice.state))}{_alike(advice)}."
    steps = idea, f"So {advised}" if idea else capital(advised), course
    return Hint(option.move, ideas, nudge, tuple(filter(None, steps)))


def table(state: State, width: int = WIDTH) -> list[str]:
    """Every legal move by what it is worth, best first, and what that means."""
    return words.table(state.game, analyse(state), width)


def _told(advice: Advice) -> tuple[str, str | None]:
    """The nudge, and what is said before the move; None where the idea is said instead."""
    options, option = advice.options, advice.option
    name, look = subject(advice.state, option.move), _nudge(advice)
    if len(options) == 1:
        return "There is only one move.", capital(f"{name} is the only move.")
    if not advice.exact:
        return _estimated(advice)
    chances = {o.win_probability for o in options}
    if chances == {1.0}:
        return _all_win(advice, name, look)
    if chances == {0.0}:
        return _all_lose(advice, name, look)
    if len(advice.equal) == len(options):
        told = f"Every move keeps your chance to win at {percent(option.win_probability)}"
        return f"{told}.", f"{told}{_most_ways(advice, name)}."
    return look, None


def _estimated(advice: Advice) -> tuple[str, str | None]:
    """The same where some values are estimates; a certain win is not."""
    option = advice.option
    if not (option.exact and option.win_probability == 1):
        best = subject(advice.state, option.move)
        return LOOK_AHEAD, f"Probably the best is {best}{_alike(advice)}."
    return WIN.nudge if option.plies == 1 else LOOK_AHEAD, None


def _nudge(advice: Advice) -> str:
    return " ".join(idea.nudge for idea in advice.ideas) or LOOK_AHEAD


def _alike(advice: Advice) -> str:
    """That other moves are as good: ``; 3 and 4 are just as good``, or, where they are many,
    ``; seven other moves are just as good``; empty where there are none."""
    option = advice.option
    others = [subject(advice.state, o.move) for o in advice.equal if o.move != option.move]
    if len(others) > MOST_NAMED:
        return f"; {in_words(len(others))} other moves are just as good"
    are = "is" if len(others) == 1 else "are"
    return f"; {both(others)} {are} just as good" if others else ""


def _all_win(advice: Advice, name: str, look: str) -> tuple[str, str]:
    if len(advice.equal) == len(advice.options):
        return "Every move wins here.", "Every move wins here: choose any you like."
    more, most = "sooner", "soonest"
    if advice.option.margin is not None:
        more, most = "by more points", "by the most points"
    return (
        f"Every move wins here, some {more} than others. {look}",
        f"Every move wins here; {name} wins {most}.",
    )


def _all_lose(advice: Advice, name: str, look: str) -> tuple[str, str]:
    every = "Every move loses against best play"
    if len(advice.equal) < len(advice.options):
        if advice.option.margin is None:
            told = f"{every}. Which one holds out longest? {look}"
            return told, f"{every}; {name} holds out longest."
        fewest = "by the fewest points" if advice.option.margin else "only the tie"
        told = f"{every}, some by fewer points than others. {look}"
        return told, f"{every}; {name} loses {fewest}."
    most = _most_ways(advice, name)
    ask = " Which one leaves them the most ways to go wrong?" if most else ""
    return f"{every}.{ask}", f"{every}{most}."


def _most_ways(advice: Advice, name: str) -> str:
    """That a move leaves the opponent the most ways to go wrong, and how many; empty where no
    answer goes wrong, or where moves were not compared."""
    ways = advice.ways.get(advice.option.move)
    if ways is None or not ways.wrong:
        return ""
    most = f"; {name} leaves them the most ways to go wrong"
    if advice.state.game.has_deck:
        return most
    s = "s" if ways.wrong == 1 else ""
    lets = f"give{s} points away" if advice.option.margin is not None else f"let{s} you win"
    return f"{most}: {ways.wrong} of their {ways.answers} answers {lets}"
