"""A profile: what somebody's games, puzzles and lessons add up to, and what to do next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, ClassVar, Self

from numduel.activities.base import Activity, Choice, Place, Scene
from numduel.activities.tables import Row, Table
from numduel.core.errors import NumduelError
from numduel.core.language import N_, _, class_text, plural
from numduel.core.text import name_told
from numduel.games import game as find
from numduel.games import games, offered
from numduel.learn.coach import report
from numduel.learn.lesson import lessons
from numduel.learn.streaks import Streak
from numduel.play.accuracy import Accuracy, read_accuracy, risk, total
from numduel.play.players import COMPUTERS
from numduel.play.record import parse
from numduel.play.statistics import Played, Statistics, Tally

LADDER = tuple(kind for kind in COMPUTERS if kind != "random")
"""The levels to beat in each game, one after the other."""
STUCK = 3
"""After so many losses at a level, and no win, the lesson comes first."""
AT_ONCE = 4
"""Games that are judged in one step."""
NEXT = Choice("next", N_("Do that now"), "n", N_("What to do next"))
NO_GAMES, NO_STREAK = Statistics(), Streak()
ALL = N_("All games")
HELP = N_("With hints, values or undo")


@dataclass(frozen=True)
class Profile(Activity):
    """Somebody looks at what they have done."""

    NAME: ClassVar = "profile"
    TITLE: ClassVar = class_text("Profile")
    CHOICES: ClassVar = (NEXT,)

    statistics: Statistics = NO_GAMES
    """What the games add up to."""
    accuracy: dict[str, Accuracy | None] = field(default_factory=dict)
    """How well the person chose in each game that was judged; None where nothing could be."""
    streak: Streak = NO_STREAK
    best: dict[str, int] = field(default_factory=dict)
    """The best storms of puzzles, by game."""
    done: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """The steps that are done, by the name of the lesson."""
    steps: dict[str, int] = field(default_factory=dict)
    """How many steps each lesson has."""

    # -- acting -----------------------------------------------------------------------------

    def act(self, action: str, given: str = "") -> Self:
        """Begin; then judge the latest games, a few at a time. What comes `next` is another
        activity, which the door opens."""
        if action == "begin":
            return replace(self, statistics=self.statistics.known())._wait(
                "lesson_sizes", told=_("Looking at what you did")
            )
        if action == "judge" and self.work is None and self._unjudged:
            some = self._unjudged[:AT_ONCE]
            records = tuple((one.record, one.seat) for one in some)
            return self._wait("judge_games", records, told=_("Judging the latest games"))
        return replace(self, work=None) if action == "leave" else self

    def fed(self, result: Any) -> Self:
        """How many steps lessons have, or the accuracy of some games."""
        waited, done = self.work, replace(self, work=None)
        if waited is None:
            return self
        if waited.task == "lesson_sizes":
            return replace(done, steps=result)
        judged = zip(self._unjudged, map(read_accuracy, result), strict=False)
        return replace(done, accuracy=self.accuracy | {one.id: found for one, found in judged})

    @property
    def _unjudged(self) -> list[Played]:
        return [one for one in self.statistics.latest if one.id not in self.accuracy]

    # -- showing ----------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        """The sums, and what to do next."""
        if not self.steps:
            return Scene()
        goal, place = self._next
        return Scene(
            goal=goal,
            link=self.NAME,
            text=self._sums,
            tables=tuple(table for table in self._tables() if table.rows or table.levels),
            choices=(NEXT,),
            leads=place,
            then="judge" if self._unjudged else "",
        )

    @property
    def _sums(self) -> tuple[str, ...]:
        found = self.statistics
        alone, helped = found.total(), found.total(helped=True)
        won = [_("Against the computer: {text}.", text=alone.text)] if alone.games else []
        told = N_("With hints, values or undo, counted apart: {text}.")
        apart = [_(told, text=helped.text)] if helped.games else []
        return (f"{found.text}.", " ".join([*won, *apart])) if won or apart else (f"{found.text}.",)

    def _tables(self) -> Iterator[Table]:
        found = self.statistics
        yield self._accuracy
        yield self._by_game_and_level
        helped = found.by_game(helped=True)
        yield Table(_(HELP), rows=tuple(_row(name, tally) for name, tally in helped.items()))
        by_seat = sorted(found.by_seat().items())
        yield Table(
            _("By seat"),
            rows=tuple(_row(name[:1].upper() + name[1:], one) for name, one in by_seat),
        )
        yield Table(_("Streaks"), rows=tuple(Row(*row) for row in self._streaks()))
        yield Table(
            _("Lessons"),
            rows=tuple(
                Row(
                    find(name).display_name,
                    (_("{done} of {steps} steps", done=done, steps=steps),),
                    done / steps,
                )
                for name, (done, steps) in self._lessons.items()
                if done
            ),
        )
        yield Table(
            _("Between people"),
            rows=tuple(_row(name_told(name), tally) for name, tally in found.names),
        )

    @property
    def _accuracy(self) -> Table:
        """The latest games that could be judged, the oldest first."""
        latest = [self.accuracy.get(one.id) for one in reversed(self.statistics.latest)]
        known = [found for found in latest if found is not None and found.choices]
        if not known:
            return Table(_("Accuracy"))
        told = plural(
            "{accuracy} in the latest game",
            "{accuracy} in the latest {n} games, newest last",
            len(known),
            accuracy=total(known).text,
        )
        shares = tuple(found.share or 0.0 for found in known)
        return Table(_("Accuracy"), rows=(Row(told), Row(risk(total(known)))), levels=shares)

    @property
    def _by_game_and_level(self) -> Table:
        """Wins without help: a row for each game, a column for each level."""
        found = self.statistics
        cells = found.by(lambda count: f"{count.game} {count.level}")
        played = found.by(lambda count: count.game)
        levels = [level for level in COMPUTERS if level in found.by_level()]
        rows = [
            Row(
                find(game).display_name,
                tuple(_short(cells.get(f"{game} {level}")) for level in levels),
                tally.share,
            )
            for game, tally in played.items()
        ]
        if len(rows) > 1:
            by_level = found.by_level()
            total = tuple(_short(by_level[level]) for level in levels)
            rows.append(Row(_(ALL), total, found.total().share))
        return Table(_("Won, of games played"), tuple(map(_, levels)), tuple(rows))

    def _streaks(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        found = self.statistics
        days = self.streak.on(date.fromisoformat(self.today)) if self.today else 0
        if days:
            yield _("Daily puzzle"), (plural("{n:,} day in a row", "{n:,} days in a row", days),)
        if found.longest:
            yield (
                _("Wins without help"),
                (_("{n} in a row, {longest} at most", n=found.streak, longest=found.longest),),
            )
        if best := max(self.best.values(), default=0):
            yield _("Best puzzle storm"), (_("{n} solved", n=best),)

    @property
    def _lessons(self) -> dict[str, tuple[int, int]]:
        """The steps that are done, and that there are, by lesson."""
        return {
            name: (len({*self.done.get(name, ())} & {*range(1, steps + 1)}), steps)
            for name, steps in self.steps.items()
        }

    # -- what to do next --------------------------------------------------------------------

    @property
    def _next(self) -> tuple[str, Place]:
        """What to do next, in words, and where: the level above the highest that was beaten without
        help, in the game that was played last, or else in the next game that has one."""
        found = self.statistics.by(lambda count: f"{count.game} {count.level}")
        played = [count.game for count in self.statistics.counts]
        for game in dict.fromkeys((*played, *(kind.name for kind in games()))):
            tallies = {level: found.get(f"{game} {level}", Tally()) for level in LADDER}
            beaten = [rung for rung, level in enumerate(LADDER, 1) if tallies[level].won]
            for level in LADDER[max(beaten, default=0) :][:1]:
                return self._challenge(game, level, tallies[level])
        if self.streak.day is None or self.streak.day.isoformat() != self.today:
            return _("Next: solve today's puzzle."), Place("puzzle")
        return _("Next: solve as many puzzles as you can in a storm."), Place("storm")

    def _challenge(self, game: str, level: str, tally: Tally) -> tuple[str, Place]:
        called = find(game).display_name
        done, steps = self._lessons.get(game, (0, 0))
        if tally.games >= STUCK and done < steps:
            return _("Next: learn how {game} is won, step by step.", game=called), Place(
                "lesson", game
            )
        return _(
            "Next: beat the computer ({level}) at {game}.", level=_(level), game=called
        ), Place("play", game, level, offered(game).settings)


def _row(name: str, tally: Tally) -> Row:
    return Row(name, (tally.text,), tally.share)


def _short(tally: Tally | None) -> str:
    return f"{tally.won}/{tally.games}" if tally else ""


# -- what is computed -----------------------------------------------------------------------


def lesson_sizes() -> dict[str, int]:
    """How many steps the lesson of each game has."""
    return {lesson.game.name: len(lesson.steps) for lesson in lessons()}


def judge_games(some: list[tuple[str, int]]) -> list[Accuracy | None]:
    """How well a seat chose in each record; None where nothing could be judged."""
    return [_judged(record, seat) for record, seat in some]


def _judged(record: str, seat: int) -> Accuracy | None:
    try:
        found = report(parse(record), seat).accuracy(seat)
    except NumduelError:
        return None
    return found if found.moves else None


TASKS = (lesson_sizes, judge_games)
