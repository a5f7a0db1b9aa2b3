"""Sentences of a lesson that can be checked: how they are written, in the language spoken.

Each is about the position of its step, with "you" to move. A lesson in another language says them
as they are translated here.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from numduel.core.language import N_, _, cached, pgettext

FORMS = (
    ("wins", N_("If you {pick} {move}, they win with {moves}, for example.")),
    ("wins", N_("If you {pick} {move}, they win with {moves}.")),
    ("wins at once", N_("If you {pick} {move}, they win at once with {moves}.")),
    ("only answers", N_("If you {pick} {move}, they can {choose} only {moves}.")),
    ("only moves", N_("You can {pick} only {moves}.")),
    ("lost", N_("No move wins any more.")),
    ("mine", N_("You own {numbers}.")),
    ("mine", N_("You hold {numbers}.")),
    ("theirs", N_("They own {numbers}.")),
    ("theirs", N_("They hold {numbers}.")),
    ("my fact", N_("Your {fact} is {value}.")),
    ("their fact", N_("Their {fact} is {value}.")),
    ("fact", N_("The {fact} is {value}.")),
)
"""What a sentence says, and its words; the first form that fits counts. ``{pick}`` and ``{choose}``
are verbs, ``{numbers}`` all that lies before a player, ``{fact}`` a fact of the view by its name.
"""
EXAMPLE = FORMS[0][1]
FIELDS = {"pick": r"\w+", "choose": r"\w+", "move": r"\w+", "fact": r"[^.]+?"}
BEGINS = re.compile(r"(?:\{\w+\})?[^{.]*")
"""How much of a form tells that a sentence may have it."""


class Said(NamedTuple):
    """A sentence that was understood."""

    kind: str
    fields: dict[str, str]
    example: bool = False
    """Whether there may be more than it says."""

    @property
    def numbers(self) -> list[str]:
        """Its numbers or moves: ``5, 6 and 7`` or ``5, 6 or 7`` as parts."""
        told = self.fields.get("moves") or self.fields.get("numbers") or ""
        if not told or told == _nothing():
            return []
        joints = (_("{some} and {last}", some="", last=""), _("{some} or {last}", some="", last=""))
        return re.split("|".join([", ", *map(re.escape, joints)]), told)


def understood(sentence: str) -> Said | None:
    """What a sentence says; None if it has none of the forms."""
    for kind, words, form in _forms():
        if found := form.fullmatch(sentence):
            return Said(kind, found.groupdict(), words == EXAMPLE)
    return None


def found_in(text: str) -> list[str]:
    """The sentences of a text that begin like one of the forms."""
    found: list[str] = _beginnings().findall(text)
    return found


def promises(sentence: str) -> bool:
    """Whether a sentence has to be understood: it begins like one that tells a player's numbers."""
    kinds = ("mine", "theirs")
    return any(re.match(rf"{_begins(words)}\d", sentence) for kind, words in FORMS if kind in kinds)


@cached()
def _forms() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    return tuple((kind, words, _form(words)) for kind, words in FORMS)


def _form(words: str) -> re.Pattern[str]:
    """What matches a sentence, with a group for each field."""
    parts = re.split(r"\{(\w+)\}", _(words))
    fields = {**FIELDS, "numbers": rf"\d.*?|{re.escape(_nothing())}"}
    return re.compile(
        "".join(
            f"(?P<{part}>{fields.get(part, '.+?')})" if at % 2 else re.escape(part)
            for at, part in enumerate(parts)
        )
    )


def _nothing() -> str:
    return pgettext("instead of numbers", "nothing")


@cached()
def _beginnings() -> re.Pattern[str]:
    begins = {_begins(words) for _kind, words in FORMS}
    return re.compile(rf"\b(?:{'|'.join(sorted(begins))}).*?\.(?= |$)")


def _begins(words: str) -> str:
    """What matches the beginning of a sentence of a form."""
    return re.sub(r"\\{\w+\\}", r"\\w+", re.escape(BEGINS.match(_(words))[0]))  # type: ignore[index]
