"""How well somebody chose, counted over the choices in which something could go wrong."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from numduel.core.language import _, plural
from numduel.core.text import percentage


class Accuracy(NamedTuple):
    """The choices of a player in one game, or in several."""

    kept: int = 0
    """Choices that mattered and gave nothing away."""
    choices: int = 0
    """Choices that mattered: another move, or this one, would have given something away."""
    moves: int = 0
    """All moves that could be judged; 0 where they were not counted."""

    @property
    def share(self) -> float | None:
        """The share of the choices that gave nothing away; None if none mattered."""
        return self.kept / self.choices if self.choices else None

    @property
    def text(self) -> str:
        """``83 % (5 of 6 choices that mattered)``"""
        if self.share is None:
            return _("no choice that mattered")
        return plural(
            "{share} ({kept} of {n:,} choice that mattered)",
            "{share} ({kept} of {n:,} choices that mattered)",
            self.choices, share=percentage(self.share), kept=self.kept,
        )  # fmt: skip


NONE_YET = Accuracy()


def total(some: Iterable[Accuracy]) -> Accuracy:
    """Several counts as one."""
    columns = [*zip(*some, strict=True)]
    return Accuracy(*map(sum, columns)) if columns else NONE_YET


def risk(found: Accuracy) -> str:
    """How many of the moves mattered, which says what "mattered" means."""
    if not found.moves or found.choices > found.moves:
        return ""
    return plural(
        "In {choices} of {n:,} move something could go wrong.",
        "In {choices} of {n:,} moves something could go wrong.",
        found.moves, choices=found.choices,
    )  # fmt: skip


def read_accuracy(data: object) -> Accuracy | None:
    """What was saved of a game; None if it is damaged, or from a time when every move counted."""
    if not isinstance(data, (list, tuple)) or len(data) != len(Accuracy._fields):
        return None
    kept, choices, moves = data
    whole = all(type(number) is int for number in data)
    return Accuracy(kept, choices, moves) if whole and 0 <= kept <= choices <= moves else None
