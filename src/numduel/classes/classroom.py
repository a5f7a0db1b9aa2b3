"""A class, as the fold of its log.

Everything that happens in a class is an entry of its log, as in an event. Nobody has a name here: a
pupil is a number with a friendly nickname, and a code on a slip of paper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from numduel.classes.homework import Homework, Task
from numduel.core.errors import NumduelError
from numduel.events.settings import called, read_game

KINDS = (
    "create", "pupil", "enter", "code", "remove", "event", "result", "homework", "withdraw", "done",
)  # fmt: skip
"""The kinds of entries. The first is always ``create``; ``enter`` is a browser in which a pupil has
typed their code, ``code`` a new one, ``result`` what became of an event, and ``done`` a part of
some homework."""
MAX_BROWSERS = 4
"""Browsers in which a pupil is known at once: at school, at home, on a phone. The oldest goes."""


class Entry(NamedTuple):
    """One entry of a class's log."""

    number: int
    kind: str
    """One of `KINDS`."""
    pupil: int
    """The pupil it is about; 0 is the class itself."""
    data: Mapping[str, Any]
    """Everything else, as JSON."""
    at: float
    token: str | None = None
    """The hash of the key of a browser, in an ``enter``."""


@dataclass
class Pupil:
    """Somebody in the class."""

    number: int
    nickname: str
    code: str
    """The hash of the personal code."""
    renewals: int
    """How many codes came before it."""
    renewed: float = 0.0
    """When the teacher gave them another code; 0 if they have the first one."""
    tokens: list[str] = field(default_factory=list)
    """The hashes of the keys of their browsers, the latest last."""
    entered: float | None = None
    """When they last typed their code."""
    visits: int = 0
    """How often they have typed this one."""


class Code(NamedTuple):
    """A personal code, of which only the hash is kept, and how many came before it."""

    hashed: str
    renewals: int = 0


class Sums(NamedTuple):
    """What somebody did in an event."""

    games: int
    wins: int
    kept: int
    """Choices that mattered and gave nothing away."""
    choices: int


@dataclass
class ClassEvent:
    """An event of the class."""

    code: str
    nonce: str
    """What the host's secret follows from, besides the teacher's."""
    at: float
    games: tuple[str, ...] = ()
    """What was played, with its settings; older logs say what people called it, in English."""
    results: dict[int, Sums] | None = None
    """What each pupil did; None while it goes on."""

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.results is not None

    @property
    def called(self) -> list[str]:
        """What was played, as people call it."""
        return [*map(_called, self.games)]


def _called(text: str) -> str:
    try:
        return called(read_game(text))
    except NumduelError:
        return text


class Classroom:
    """The state of a class."""

    def __init__(self, created: Entry) -> None:
        if (created.number, created.kind) != (1, "create"):
            raise ValueError("the first entry of a class creates it")
        self.number = 1
        """The number of the last entry."""
        self.created = created.at
        self.host: str = created.data["host"]
        """The hash of the secret of the teacher's link."""
        self.ends: str = created.data["ends"]
        """The last day, as ``2027-02-12``."""
        self.added = 0
        """How many pupils there have ever been: no number is used again."""
        self.pupils: dict[int, Pupil] = {}
        """Those who are in the class, by their numbers."""
        self.events: dict[str, ClassEvent] = {}
        """By their codes, in the order in which they were made."""
        self.homework: dict[int, Homework] = {}
        """What was set and not withdrawn, by the numbers of the entries."""

    def apply(self, entry: Entry) -> None:
        """Apply the next entry of the log."""
        if entry.number != self.number + 1:
            raise ValueError(f"entry {entry.number} does not follow {self.number}")
        _APPLY[entry.kind](self, entry)
        self.number = entry.number

    def pupil_with(self, tokens: Iterable[str]) -> Pupil | None:
        """The pupil to whom one of these browsers belongs."""
        found = set(tokens)
        return next((one for one in self.pupils.values() if found & set(one.tokens)), None)

    def event_made_with(self, nonce: str) -> ClassEvent | None:
        """The event that was made with a nonce."""
        return next((one for one in self.events.values() if one.nonce == nonce), None)

    def results_of(self, pupil: int) -> list[tuple[ClassEvent, Sums]]:
        """The events in which a pupil took part and which are over, in order."""
        return [
            (one, one.results[pupil])
            for one in self.events.values()
            if one.results is not None and pupil in one.results
        ]

    # -- entries, kind by kind --------------------------------------------------------------

    def _pupil(self, entry: Entry) -> None:
        self.added = entry.pupil
        data = entry.data
        self.pupils[entry.pupil] = Pupil(
            entry.pupil, data["nickname"], data["code"], data["renewals"]
        )

    def _enter(self, entry: Entry) -> None:
        """A browser belongs to the pupil who last typed a code in it."""
        token = entry.token or ""
        for other in self.pupils.values():
            other.tokens = [one for one in other.tokens if one != token]
        one = self.pupils[entry.pupil]
        one.tokens = [*one.tokens, token][-MAX_BROWSERS:]
        one.entered, one.visits = entry.at, one.visits + 1

    def _code(self, entry: Entry) -> None:
        """A new code; whoever came in with the old one has to type it."""
        one = self.pupils[entry.pupil]
        one.code, one.renewals = entry.data["code"], entry.data["renewals"]
        one.renewed = entry.at
        one.tokens, one.visits = [], 0

    def _remove(self, entry: Entry) -> None:
        del self.pupils[entry.pupil]

    def _event(self, entry: Entry) -> None:
        code = entry.data["event"]
        games = tuple(entry.data.get("games", ()))
        self.events[code] = ClassEvent(code, entry.data["nonce"], entry.at, games)

    def _result(self, entry: Entry) -> None:
        found = entry.data["pupils"].items()
        results = {int(pupil): Sums(*sums) for pupil, sums in found}
        self.events[entry.data["event"]].results = results

    def _homework(self, entry: Entry) -> None:
        task, until = Task.parse(entry.data["task"]), entry.data["until"]
        self.homework[entry.number] = Homework(entry.number, task, until)

    def _withdraw(self, entry: Entry) -> None:
        del self.homework[entry.data["homework"]]

    def _done(self, entry: Entry) -> None:
        homework = self.homework[entry.data["homework"]]
        homework.done.setdefault(entry.pupil, {})[entry.data["item"]] = entry.at


_APPLY: dict[str, Callable[[Classroom, Entry], None]] = {
    kind: getattr(Classroom, f"_{kind}") for kind in KINDS if kind != "create"
}


def fold(log: Iterable[Entry]) -> Classroom:
    """The class described by a log."""
    created, *following = log
    classroom = Classroom(created)
    for entry in following:
        classroom.apply(entry)
    return classroom
