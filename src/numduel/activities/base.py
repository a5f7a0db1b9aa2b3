"""What an activity is: a state with a scene to show, actions, and a computation it may wait for."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from datetime import datetime
from math import ceil
from typing import Any, ClassVar, Literal, Self

from numduel.activities.tables import Table
from numduel.core.errors import IllegalMove
from numduel.core.language import _
from numduel.core.state import State
from numduel.core.text import DEFAULT_NAMES, either, is_slug, titled
from numduel.play.record import Record, parse

Text = tuple[str | tuple[str, ...], ...]
"""Paragraphs; a list is a tuple of its items. Notation stands between backquotes."""
Kind = Literal["right", "wrong", "answer", "why", "hint", "note", "move", "share", "error"]


@dataclass(frozen=True)
class Sentence:
    """A sentence, and what kind it is."""

    kind: Kind
    text: str


@dataclass(frozen=True)
class Choice:
    """An action other than a move."""

    action: str
    label: str
    key: str
    told: str
    """What it does, in a few words."""

    def __getattribute__(self, name: str) -> Any:
        """Its texts, marked by `N_` where it is made, are read in the language spoken."""
        value = super().__getattribute__(name)
        return _(value) if name in ("label", "told") and value else value


@dataclass(frozen=True)
class Work:
    """A computation that an activity waits for."""

    task: str
    arguments: tuple[Any, ...]
    told: str
    """What is being done, for those who wait; empty if nobody does."""


@dataclass(frozen=True)
class Mark:
    """One step of a lesson, in the list of its steps."""

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
class Place:
    """Another activity that a door can open: which one, the game and its settings, and the level
    of the computer, as far as it needs them."""

    activity: Literal["play", "lesson", "puzzle", "storm"]
    game: str = ""
    level: str = ""
    variant: dict[str, int | str] = field(default_factory=dict)


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
    """What is shown beside it: the number of the try, days in a row, progress."""
    choices: tuple[Choice, ...] = ()
    """What else can be done; the first is the main thing where no move can be made."""
    line: tuple[str, ...] = ()
    """Positions to show one after the other."""
    link: str = ""
    """What stands for it in an address."""
    text: Text = ()
    """The text to read first."""
    advised: tuple[str, ...] = ()
    """The moves that were recommended."""
    steps: tuple[Mark, ...] = ()
    tree: tuple[Ply, ...] = ()
    """The moves that were made or tried, each after the one that it follows."""
    lines: str = ""
    """What `tree` adds to an address, so that a shared link shows all of it; empty if the address
    of the position shows it already."""
    values: dict[str, Any] | None = None
    """What the moves are worth, as the server says it."""
    tables: tuple[Table, ...] = ()
    leads: Place | None = None
    """What the choice `next` opens; doors do that themselves."""
    then: str = ""
    """The action to perform once this is shown, because it may take long, or after a pause."""
    pause: float = 0.0
    """Seconds to show this before performing that action."""
    clock: float | None = None
    """Seconds left, if there is a clock; it stands still during a pause."""
    next_day: str = ""
    """The day that brings something new: doors show the time until it begins where they are."""


@dataclass(frozen=True)
class Activity(ABC):
    """The state of what somebody does: plain data."""

    NAME: ClassVar[str] = ""
    """The name by which doors know it."""
    TITLE: ClassVar[str] = ""
    ABOUT: ClassVar[str] = ""
    """What it is, in a few words. Activities without them are not listed, but have a place of
    their own."""
    CHOICES: ClassVar[tuple[Choice, ...]]
    """Every choice there may be."""

    today: str = ""
    """The day, as the door knows it."""
    said: tuple[Sentence, ...] = ()
    """What is said about the last action."""
    work: Work | None = None
    """The computation it waits for; until the result is there, the only thing to do is to begin
    something else, unless nobody waits for it."""

    @property
    @abstractmethod
    def scene(self) -> Scene:
        """What is shown now."""

    @property
    def heading(self) -> str:
        """The title with that of the scene: ``Guess the winner: Position 1``."""
        now = ", ".join(filter(None, (self.scene.title, self.scene.grade)))
        return titled(self.TITLE, now) if self.TITLE and now else self.TITLE or now

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
        return replace(self, work=Work(task, arguments, told), said=())


KEYS = {"?": "help", "h": "hint", "q": "quit", "r": "rules", "t": "text", "v": "values"}
"""The keys that doors use themselves, and what for."""
ARROWS = ("left", "right", "up", "down", "home", "end")
"""Keys that are not letters."""
WORDS = ("begin", "move", "tick", "leave", "help", "quit", "exit")
"""Actions that doors use themselves."""


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
    """A text without backquotes, its moves listed as people write them."""
    return re.sub("`([^`]*)`", lambda found: ", ".join(found[1].split()), text)


def noted(scene: Scene) -> str:
    """The time and the notes of a scene, in one line."""
    return " · ".join(filter(None, (time_left(scene), *scene.notes)))


def time_left(scene: Scene) -> str:
    """The time that is left: ``2:59 left``; empty if there is no clock."""
    if scene.clock is None:
        return ""
    minutes, seconds = divmod(ceil(scene.clock), 60)
    return _("{time} left", time=f"{minutes}:{seconds:02}")


def until_next(next_day: str, now: datetime) -> str:
    """How long it is from now, as the door knows it, until a day begins: ``5:12:33``."""
    left = ceil((datetime.fromisoformat(next_day) - now).total_seconds())
    minutes, seconds = divmod(max(0, left), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


def refused(at: str, move: str) -> Sentence | None:
    """Why a move cannot be made in a position, if it cannot."""
    try:
        parse(at).state.play(move)
    except IllegalMove as refusal:
        return Sentence("error", str(refusal))
    return None


def record_of(state: State, names: tuple[str, str] = DEFAULT_NAMES) -> str:
    """A position as a record, which is how it travels."""
    return Record((state,), names=names, date=None).text()
