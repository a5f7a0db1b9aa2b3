"""Parse text that people typed, without trusting it, and make it safe to show."""

from __future__ import annotations

from collections.abc import Iterable

from numduel.core.errors import BadVariant

HUMAN = "human"
"""The kind of player who is a person and is asked for every move."""
DEFAULT_NAMES = ("Player 1", "Player 2")
MAX_NAME = 40
BLANKS = " \t\r\n"
"""Characters stripped around a move; other control characters are not accepted."""
MAX_DIGITS = 9
"""A longer run of digits is not a number: converting it could take long."""


def whole_number(text: str) -> int | None:
    """The whole number in a text, or None: an optional sign and at most `MAX_DIGITS` ASCII
    digits."""
    text = text.strip(BLANKS)
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MAX_DIGITS):
        return None
    return int(text)


def listed(values: Iterable[object]) -> str:
    """``1, 2, 3``, or ``None``."""
    return ", ".join(map(str, values)) or "None"


def printable(text: str, limit: int = 80) -> str:
    """A text that is safe to show: no control characters, and not too long."""
    clean = "".join(char if char.isprintable() else "?" for char in text[: limit + 1])
    return clean if len(clean) <= limit else clean[:limit] + "…"


def player_name(name: str, seat: int) -> str:
    """A name fit for a board: printable, one line, not too long; empty means the default."""
    clean = " ".join(name.split())
    if len(clean) > MAX_NAME or not clean.isprintable():
        raise BadVariant(
            f"The name of Player {seat} must be at most {MAX_NAME} printable characters."
        )
    return clean or DEFAULT_NAMES[seat - 1]


def player_names(one: str, two: str) -> tuple[str, str]:
    """The names of both players, which must not be the same."""
    names = player_name(one, 1), player_name(two, 2)
    if names[0].casefold() == names[1].casefold():
        raise BadVariant("The two players need different names.")
    return names
