"""Homework of a class: what is to be done, and who has done it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, NamedTuple, get_args

from numduel.core.errors import BadClass
from numduel.core.language import _
from numduel.play.players import COMPUTERS

Kind = Literal["lesson", "puzzles", "beat"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MAX_GOAL = 50


@dataclass(frozen=True)
class Task:
    """What is to be done."""

    kind: Kind
    game: str
    """The short name of the game."""
    goal: int
    """Steps of a lesson, puzzles to solve, or games to win."""
    grade: int = 0
    """The least grade of puzzles that count; 0 means any."""
    level: str = ""
    """The weakest level of the computer that counts when it is beaten."""

    def check(self) -> None:
        """Raise `BadClass` if it makes no sense. Only new homework is checked: what was set once
        can always be read again."""
        if self.kind not in KINDS or not 1 <= self.goal <= MAX_GOAL:
            raise BadClass(
                _("Homework is a lesson, or 1 to {most} puzzles or games.", most=MAX_GOAL)
            )
        if (self.kind == "beat") != (self.level in COMPUTERS):
            raise BadClass(_("A level is chosen for games against the computer, and only there."))
        if self.grade and self.kind != "puzzles":
            raise BadClass(_("A grade is chosen for puzzles, and only there."))

    def json(self) -> dict[str, Any]:
        """The task as plain data."""
        return asdict(self)

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> Task:
        """The task that `json` gave."""
        return cls(**data)

    def counts(self, done: Achievement) -> bool:
        """Whether something that was done counts."""
        if (done.kind, done.game) != (self.kind, self.game) or done.grade < self.grade:
            return False
        return not self.level or COMPUTERS.index(done.level) >= COMPUTERS.index(self.level)


class Achievement(NamedTuple):
    """Something that a pupil did, and the server has seen."""

    kind: Kind
    game: str
    item: str
    """The step, puzzle or game: each counts once."""
    grade: int = 0
    level: str = ""


@dataclass
class Homework:
    """A task with its deadline, and what each pupil has done of it."""

    number: int
    """The number of its entry."""
    task: Task
    until: float
    done: dict[int, dict[str, float]] = field(default_factory=dict)
    """When each pupil did each item, in order."""

    def count(self, pupil: int) -> int:
        """How much of it a pupil has done."""
        return len(self.done.get(pupil, ()))

    def finished(self, pupil: int) -> float | None:
        """When a pupil had done all of it."""
        times = list(self.done.get(pupil, {}).values())
        return times[self.task.goal - 1] if len(times) >= self.task.goal else None

    def late(self, pupil: int) -> bool:
        """Whether a pupil has done all of it, but after the deadline."""
        finished = self.finished(pupil)
        return finished is not None and finished > self.until

    def wants(self, pupil: int, done: Achievement) -> bool:
        """Whether something that a pupil did counts, and is new."""
        new = done.item not in self.done.get(pupil, ())
        return new and self.finished(pupil) is None and self.task.counts(done)
