"""Lessons: a game learnt in a few steps, each with a position and one thing to do.

>>> import numduel
>>> from numduel.learn.lesson import lesson
>>> step = lesson(numduel.game("line")).steps[0]
>>> step.title, step.moves
('The goal', (8,))
>>> step.answer("5").right
False

A lesson is a page of Markdown beside the rules page of its game, ``lessons/NAME.md``; `parse` says
how it is written. In another language it is in a folder of its own, ``lessons/de/NAME.md``.
"""

from __future__ import annotations

from numduel.core.errors import BadLesson
from numduel.core.game import Game
from numduel.core.language import _, cached
from numduel.games import games
from numduel.learn.lesson.parse import parse
from numduel.learn.lesson.steps import Answer, Lesson, Step

__all__ = ["Answer", "Lesson", "Step", "lesson", "lessons", "parse"]


@cached(64)
def lesson(game: Game) -> Lesson:
    """The lesson of a game, in the language spoken; `BadLesson` if it has none, or if its page is
    not written as it should be."""
    page = game.lesson
    if page is None:
        raise BadLesson(_("There is no lesson for {game}.", game=game.display_name))
    return parse(game, page)


def lessons() -> tuple[Lesson, ...]:
    """The lessons that there are, in the order of menus; a broken one is left out with a
    warning."""
    found = []
    for game in (kind() for kind in games()):
        if game.lesson is None:
            continue
        try:
            found.append(lesson(game))
        except BadLesson as error:
            import logging

            logging.getLogger(__name__).warning("numduel: %s", error)
    return tuple(found)
