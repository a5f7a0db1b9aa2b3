"""A class, as the fold of its log.

Everything that happens in a class is an entry of its log, as in an event. Nobody has a name here: a
pupil is a number with a friendly nickname, and a code on a slip of paper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

KINDS = ("create", "pupil", "enter", "code", "remove")
"""The kinds of entries. The first is always ``create``; ``enter`` is a browser in which a pupil has
typed their code, and ``code`` a new one."""
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
    tokens: list[str] = field(default_factory=list)
    """The hashes of the keys of their browsers, the latest last."""
    entered: float | None = None
    """When they last typed their code."""


class Code(NamedTuple):
    """A personal code, of which only the hash is kept, and how many came before it."""

    hashed: str
    renewals: int = 0


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
        one.entered = entry.at

    def _code(self, entry: Entry) -> None:
        """A new code; whoever came in with the old one has to type it."""
        one = self.pupils[entry.pupil]
        one.code, one.renewals, one.tokens = entry.data["code"], entry.data["renewals"], []

    def _remove(self, entry: Entry) -> None:
        del self.pupils[entry.pupil]


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
