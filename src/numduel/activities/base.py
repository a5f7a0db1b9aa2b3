"""What a door needs of an activity: its scene, and what it waits for."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from math import ceil
from typing import Any, ClassVar, Literal, Self

from numduel.core.errors import IllegalMove
from numduel.core.state import State
from numduel.core.text import DEFAULT_NAMES, either, is_slug
from numduel.play.record import Record, parse

Text = tuple[str | tuple[str, ...], ...]
"""Paragraphs; a list is a tuple of its items. What stands between backquotes is in the notation."""
Kind = Literal["right", "wrong", "answer", "why", "hint", "note", "move", "share", "error"]


@dataclass(frozen=True)
class Sentence:
    """Something that is said, and as what."""

    kind: Kind
    text: str


@dataclass(frozen=True)
class Choice:
    """Something that can be done, apart from a move."""

    action: str
    label: str
    key: str
    told: str
    """What it does, in a few words."""


@dataclass(frozen=True)
class Work:
    """A computation that is waited for."""

    task: str
    arguments: tuple[Any, ...]
    told: str
    """What is done, for who waits; empty if nobody does."""


@dataclass(frozen=True)
class Mark:
    """One of the steps that something consists of."""

    title: str
    done: bool
    current: bool


@dataclass(frozen=True)
class Ply:
    """A move that was made or tried."""

    move: str
    label: str
    seat: int
    """Who made it; 0 if it is a card that was drawn."""
    before: int
    """The number of the one before it, from 0; -1 if it is the first."""
    followed: bool
    """Whether it is on the line that is followed."""
    here: bool
    """Whether it is the last one on the board."""


@dataclass(frozen=True)
class Scene:
    """What is shown, and what can be done now."""

    title: str = ""
    grade: str = ""
    goal: str = ""
    at: str = ""
    """The position, as a record; empty if there is none yet."""
    moves: bool = False
    """Whether a move can be made."""
    said: tuple[Sentence, ...] = ()
    notes: tuple[str, ...] = ()
    """What stands beside it: which try it is, what has been reached."""
    choices: tuple[Choice, ...] = ()
    """What else can be done; the first is the main thing where no move can be made."""
    line: tuple[str, ...] = ()
    """Positions that are played out, one after the other."""
    link: str = ""
    """What names it in an address."""
    text: Text = ()
    """What is to be read first."""
    advised: tuple[str, ...] = ()
    """The moves that were recommended."""
    steps: tuple[Mark, ...] = ()
    tree: tuple[Ply, ...] = ()
    """Lines of moves; each comes after the one before it."""
    values: dict[str, Any] | None = None
    """What the moves are worth, as the server says it."""
    then: str = ""
    """What is to be done once this is shown, because it may take long, or after a pause."""
    pause: float = 0.0
    """The seconds for which this is shown before that is done."""
    clock: float | None = None
    """The seconds that are left, if there is a clock; it stands still during a pause."""


@dataclass(frozen=True)
class Activity(ABC):
    """A state of what somebody does: plain data."""

    NAME: ClassVar[str] = ""
    """What names it to doors."""
    TITLE: ClassVar[str] = ""
    ABOUT: ClassVar[str] = ""
    """What one does, in a few words: doors that list activities list those with such words. The
    others have a place of their own there."""
    CHOICES: ClassVar[tuple[Choice, ...]]
    """All that there ever is to do."""

    today: str = ""
    """The day, as the door knows it."""
    said: tuple[Sentence, ...] = ()
    """What is to be said since the last action."""
    work: Work | None = None
    """The computation that is waited for; until its result is there, nothing can be done but begin
    something else."""

    @property
    @abstractmethod
    def scene(self) -> Scene:
        """What is shown now."""

    @property
    def heading(self) -> str:
        """What is done, and with what just now: ``Guess the winner: Position 1``."""
        now = ", ".join(filter(None, (self.scene.title, self.scene.grade)))
        return ": ".join(filter(None, (self.TITLE, now)))

    @abstractmethod
    def act(self, action: str, given: str = "") -> Self:
        """The state after an action; the same one if it cannot be done now."""

    def after(self, seconds: float) -> Self:
        """The state when so many seconds have passed; the same one if no clock runs. Doors measure
        the time; when none is left, they say ``tick``."""
        return self

    @abstractmethod
    def fed(self, result: Any) -> Self:
        """The state after the computation that it waits for."""

    def _wait(self, task: str, *arguments: Any, told: str) -> Self:
        """Wait for a computation."""
        return replace(self, work=Work(task, arguments, told), said=())


KEYS = {"?": "help", "h": "hint", "q": "quit", "r": "rules", "t": "text", "v": "values"}
"""The keys that doors have, and what each is for."""
ARROWS = ("left", "right", "up", "down", "home", "end")
"""Keys that are no letters."""
WORDS = ("begin", "move", "tick", "leave", "help", "quit", "exit")
"""Actions that doors have."""


def fault(kind: type[Activity]) -> str:
    """What is wrong with how an activity is declared, in one sentence; empty if nothing is."""
    if kind.ABOUT and not kind.TITLE:
        return f"{kind.__name__} is listed, but has no TITLE."
    if not hasattr(kind, "CHOICES"):
        return f"{kind.__name__} has no CHOICES; without any, they are ()."
    for choice in kind.CHOICES:
        who = f"the choice {choice.action!r} of {kind.__name__}"
        if choice.action in WORDS or not (is_slug(choice.action) or choice.action.isdecimal()):
            return f"{who} needs another word: a word of a-z or a number, and not {either(WORDS)}."
        if KEYS.get(choice.key, choice.action) != choice.action:
            return f"{who} has the key {choice.key}, which is for {KEYS[choice.key]} everywhere."
        if len(choice.key) != 1 and choice.key not in ARROWS:
            return f"{who} has the key {choice.key!r}: use one letter or digit, or an arrow."
    return ""


def plain(text: str) -> str:
    """A text without the marks around its moves, which are listed as a person would write them."""
    return re.sub("`([^`]*)`", lambda found: ", ".join(found[1].split()), text)


def noted(scene: Scene) -> str:
    """What stands beside a scene, in one line."""
    return " · ".join(filter(None, (time_left(scene), *scene.notes)))


def time_left(scene: Scene) -> str:
    """The time that is left: ``2:59 left``; empty if there is no clock."""
    if scene.clock is None:
        return ""
    minutes, seconds = divmod(ceil(scene.clock), 60)
    return f"{minutes}:{seconds:02} left"


def refused(at: str, move: str) -> Sentence | None:
    """Why a move cannot be made in a position, if it cannot."""
    try:
        parse(at).state.play(move)
    except IllegalMove as refusal:
        return Sentence("error", str(refusal))
    return None


def record_of(state: State, names: tuple[str, str] = DEFAULT_NAMES) -> str:
    """A position as it travels: in the notation."""
    return Record((state,), names=names, date=None).text()
