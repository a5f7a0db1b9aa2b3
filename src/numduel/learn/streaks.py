"""Streaks of puzzles: days in a row, and first tries in a row, and the best storms of puzzles, kept
in small files."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from datetime import date, timedelta

from numduel.files import read_json, write_json

FILE, STORM_FILE = "puzzles.json", "storm.json"
RIGHT, HINTED, WRONG = MARKS = "rhw"
"""What becomes of a move of a daily puzzle: right, right after a hint, or wrong."""
MAX_DONE = 120
"""Puzzles that are remembered, so that none counts twice; few enough to travel with a request."""


@dataclass(frozen=True)
class Streaks:
    """What somebody has solved so far."""

    day: date | None = None
    """The day of the last daily puzzle that was finished on its day."""
    days: int = 0
    """For how many days in a row that was so."""
    begun: date | None = None
    """The day of the daily puzzle that was begun last, on its day."""
    marks: str = ""
    """What became of each of its moves so far: see `RIGHT`, `HINTED` and `WRONG`."""
    hinted: bool = False
    """Whether there was a hint for its next move."""
    first_tries: int = 0
    """How many puzzles in a row were solved on the first try."""
    solved: int = 0
    """How many were solved in all."""
    done: tuple[str, ...] = ()
    """The links of the latest puzzles that were solved or given up, the newest last."""

    def on(self, today: date) -> int:
        """The streak of days on a day: it lasts until a whole day is missed."""
        return self.days if self.day is not None and today - self.day <= timedelta(1) else 0

    def made(self, day: date) -> str:
        """What became of the moves of the daily puzzle of a day, if it was begun on that day."""
        return self.marks if self.begun == day else ""

    def after_moves(self, day: date, marks: str, *, hinted: bool = False) -> Streaks:
        """After some moves of the daily puzzle of a day, or a hint for the next."""
        return replace(self, begun=day, marks=marks, hinted=hinted)

    def after_daily(self, link: str, marks: str, day: date | None = None) -> Streaks:
        """After a daily puzzle is finished, if it counts: none counts twice. A day is given with
        that of today: it makes the streak longer, however many moves were wrong."""
        counted = self
        if link not in self.done:
            spotless = set(marks) == {RIGHT}
            counted = self._with(link, self.first_tries + 1 if spotless else 0)
            counted = replace(counted, solved=self.solved + (WRONG not in marks))
        if day is None or (self.day is not None and day <= self.day):
            return counted
        return replace(counted, day=day, days=self.on(day) + 1)

    def after_solving(self, link: str, *, first_try: bool) -> Streaks:
        """After a puzzle is solved: on the first try, or after a wrong one or a hint, which made it
        a missed one. None counts twice."""
        if first_try and link in self.done:
            return self
        counted = self._with(link, self.first_tries + 1) if first_try else self
        return replace(counted, solved=self.solved + 1)

    def after_missing(self, link: str) -> Streaks:
        """After a puzzle is given up."""
        return self if link in self.done else self._with(link, 0)

    def _with(self, link: str, first_tries: int) -> Streaks:
        return replace(self, first_tries=first_tries, done=(*self.done, link)[-MAX_DONE:])


def load() -> Streaks:
    """The streaks of this user; a file that is missing or damaged is a fresh start."""
    data = read_json(FILE)
    try:
        return Streaks(
            _day(data["day"]),
            _count(data["days"]),
            _day(data.get("begun")),
            "".join(mark for mark in str(data.get("marks", "")) if mark in MARKS),
            data.get("hinted") is True,
            _count(data["first_tries"]),
            _count(data.get("solved", 0)),
            tuple(map(str, data["done"]))[-MAX_DONE:],
        )
    except (ValueError, TypeError, KeyError):
        return Streaks()


def save(streaks: Streaks) -> None:
    """Keep the streaks; raises OSError if that is not possible."""
    days = {"day": streaks.day, "begun": streaks.begun}
    write_json(FILE, asdict(streaks) | {key: day and day.isoformat() for key, day in days.items()})


def load_best() -> dict[str, int]:
    """The most puzzles that this user has solved in a storm, by game."""
    data = read_json(STORM_FILE)
    found = data.items() if isinstance(data, dict) else ()
    return {name: solved for name, solved in found if type(solved) is int and solved > 0}


def save_best(best: dict[str, int]) -> None:
    """Keep the best storms; raises OSError if that is not possible."""
    write_json(STORM_FILE, best)


def _day(value: str | None) -> date | None:
    return None if value is None else date.fromisoformat(value)


def _count(value: object) -> int:
    if type(value) is not int or value < 0:
        raise ValueError
    return value
