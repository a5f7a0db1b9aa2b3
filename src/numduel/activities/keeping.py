"""What an activity carries from one time to the next, in small files of this user."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from random import SystemRandom
from typing import Generic, TypeVar

from numduel.activities.base import Activity
from numduel.activities.lesson import Lessons
from numduel.activities.puzzle import SEEDS, Puzzles
from numduel.learn import streaks
from numduel.learn.lesson import progress

Some = TypeVar("Some", bound=Activity)


class Kept(Generic[Some]):
    """An activity as it begins, and what keeps it whenever there is something new. If that cannot
    be done it is said once, and the activity goes on."""

    def __init__(
        self,
        activity: Some,
        carried: Callable[[Some], object],
        save: Callable[[Some], None],
        sentence: str,
    ) -> None:
        self.activity = activity
        self.complain: Callable[[str], object] = print
        self._carried, self._save, self._sentence = carried, save, sentence
        self._failed = False

    def keep(self, activity: Some) -> None:
        """Keep what is new."""
        before, self.activity = self.activity, activity
        if self._carried(before) == self._carried(activity):
            return
        try:
            self._save(activity)
        except (OSError, RuntimeError) as error:
            why = getattr(error, "strerror", None) or "there is no place for it"
            if not self._failed:
                self.complain(f"{self._sentence}: {why}.")
            self._failed = True


def unkept(activity: Some) -> Kept[Some]:
    """An activity that carries nothing."""
    return Kept(activity, lambda _: None, lambda _: None, "")


def puzzles() -> Kept[Puzzles]:
    """Puzzles of today, and the streaks so far."""
    seed = int(SystemRandom().random() * SEEDS)
    begun = Puzzles(date.today().isoformat(), seed=seed, streaks=streaks.load())
    return Kept(
        begun,
        lambda puzzles: puzzles.streaks,
        lambda puzzles: streaks.save(puzzles.streaks),
        "The streak could not be kept",
    )


def lessons(game: str) -> Kept[Lessons]:
    """The lesson of a game, and the steps that are done."""
    return Kept(
        Lessons(game=game, done=tuple(sorted(progress.read().get(game, ())))),
        lambda lesson: lesson.done,
        lambda lesson: progress.add(game, *lesson.done),
        "Your progress cannot be kept",
    )
