"""Lessons: a game learnt in a few steps, each with a position and one thing to do.

>>> import numduel
>>> from numduel.learn.lesson import lesson
>>> step = lesson(numduel.game("line")).steps[0]
>>> step.title, step.moves
('The goal', (8,))
>>> step.answer("5").right
False

A lesson is a page of Markdown beside the rules page of its game, ``lessons/NAME.md``; `parse` says
how it is written, and `check` that everything it says is true. In another language it is in a
folder of its own, ``lessons/de/NAME.md``, and is checked in the same way. A game that has no such
page gets a lesson that `generate` makes of its ideas.
"""

from __future__ import annotations

from numduel.core.errors import BadLesson
from numduel.core.game import Game
from numduel.core.language import cached
from numduel.games import games
from numduel.learn.lesson.check import check
from numduel.learn.lesson.generate import generate
from numduel.learn.lesson.parse import parse
from numduel.learn.lesson.steps import Answer, Lesson, Step

__all__ = ["Answer", "Lesson", "Step", "check", "generate", "lesson", "lessons", "parse"]


@cached(64)
def lesson(game: Game) -> Lesson:
    """The lesson of a game, in the language spoken: the one that it ships, or else one made of its
    ideas. `BadLesson` if its page is not written as it should be."""
    page = game.lesson
    return generate(game) if page is None else parse(game, page)


def lessons() -> tuple[Lesson, ...]:
    """The lessons of all games, in the order of menus; a broken one is left out with a warning."""
    found = []
    for kind in games():
        try:
            found.append(lesson(kind()))
        except BadLesson as error:
            import logging

            logging.getLogger(__name__).warning("numduel: %s", error)
    return tuple(found)
