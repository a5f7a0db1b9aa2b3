"""On how many days in a row somebody has solved the puzzle of the day, and the best storms of
puzzles, kept in small files."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from datetime import date, timedelta

from numduel.files import read_json, write_json

FILE, STORM_FILE = "puzzles.json", "storm.json"
RIGHT, HINTED, WRONG = MARKS = "rhw"
"""What becomes of a move of a daily puzzle: right, right after a hint, or wrong."""


@dataclass(frozen=True)
class Streak:
    """The daily puzzles that somebody has finished in a row, and how far the latest one is."""

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

    def on(self, today: date) -> int:
        """The days in a row on a day: they last until a whole day is missed."""
        return self.days if self.day is not None and today - self.day <= timedelta(1) else 0

    def made(self, day: date) -> str:
        """What became of the moves of the daily puzzle of a day, if it was begun on that day."""
        return self.marks if self.begun == day else ""

    def after_moves(self, day: date, marks: str, *, hinted: bool = False) -> Streak:
        """After some moves of the daily puzzle of a day, or a hint for the next."""
        return replace(self, begun=day, marks=marks, hinted=hinted)

    def after_daily(self, day: date) -> Streak:
        """After the puzzle of a day is finished on that day, however many moves were wrong."""
        if self.day is not None and day <= self.day:
            return self
        return replace(self, day=day, days=self.on(day) + 1)


def load() -> Streak:
    """The days in a row of this user; a file that is missing or damaged is a fresh start."""
    data = read_json(FILE)
    try:
        return Streak(
            _day(data["day"]),
            _count(data["days"]),
            _day(data.get("begun")),
            "".join(mark for mark in str(data.get("marks", "")) if mark in MARKS),
            data.get("hinted") is True,
        )
    except (ValueError, TypeError, KeyError):
        return Streak()


def save(streak: Streak) -> None:
    """Keep the days in a row; raises OSError if that is not possible."""
    days = {"day": streak.day, "begun": streak.begun}
    write_json(FILE, asdict(streak) | {key: day and day.isoformat() for key, day in days.items()})


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
