"""What people type to take part in an event: its code, a nickname, a personal code."""

from __future__ import annotations

import re
import secrets
import unicodedata

from numduel.core.errors import BadEvent
from numduel.core.text import printable

CODE_LETTERS = "34679CDFGHJKMNPQRTWXY"
"""The characters of a code. None looks like another (0 and O, 1 and I and L, 2 and Z, 5 and S,
8 and B, U and V), and without A and E no code is a word."""
CODE_LENGTH = 6
PERSONAL_DIGITS = 4
MAX_NICKNAME = 20
"""The longest nickname, in characters: it has to be read from the back row."""
MAX_LINE = 120
"""The longest line that a host can broadcast, in characters."""
PUNCTUATION = " -'._"
MAX_MARKS = 2
"""Accents that may follow each other on one letter."""
INVISIBLE = re.compile("VARIATION SELECTOR|FILLER|GRAPHEME JOINER|VOWEL INHERENT|BLANK")
"""In the Unicode names of letters and marks that nobody can see. (Python does not know which
characters are ignorable by default; all others of these are of a category that is refused.)"""
RESERVED = "computer"
"""How no nickname begins, since the table marks the computer by it."""


def new_code() -> str:
    """A code for a new event, which nobody can foresee."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def read_code(text: str) -> str:
    """The code that somebody typed, in small or capital letters, with blanks or hyphens or
    without."""
    code = re.sub(r"[\s-]", "", text[:40]).upper()
    if len(code) != CODE_LENGTH or not set(code) <= set(CODE_LETTERS):
        raise BadEvent(
            f"{printable(text, 20)!r} is not a code: it has six characters, such as K7M4QX."
        )
    return code


def new_personal_code() -> str:
    """Four digits by which somebody comes back in another browser, beside their nickname."""
    return f"{secrets.randbelow(10**PERSONAL_DIGITS):0{PERSONAL_DIGITS}}"


def nickname(text: str) -> str:
    """A nickname in its one spelling: compatible characters and blanks are made the same.

    Raises `BadEvent` if it is empty or too long, or has other characters than letters, digits
    and a few that join them.
    """
    if len(text) > 4 * MAX_NICKNAME:
        raise BadEvent(_EXPECTED)
    clean = " ".join(unicodedata.normalize("NFKC", text).split())
    if not 1 <= len(clean) <= MAX_NICKNAME or not all(map(_allowed, clean)):
        raise BadEvent(_EXPECTED)
    if not (clean[0].isalnum() and _marked_lightly(clean)):
        raise BadEvent(_EXPECTED)
    if _without_marks(nickname_key(clean)).startswith(RESERVED):
        raise BadEvent(f"{clean} is not a nickname that somebody can have; choose another.")
    return clean


_EXPECTED = (
    f"A nickname begins with a letter or digit and has at most {MAX_NICKNAME} characters, which are"
    " letters, digits, blanks, and - ' . _ alone."
)


def nickname_key(name: str) -> str:
    """What two nicknames have in common that could be mistaken for each other: they differ in
    capitals, blanks or punctuation alone."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(char for char in folded if char not in PUNCTUATION and not char.isspace())


def broadcast_line(text: str) -> str:
    """A line that a host tells everybody; empty takes the last one away."""
    clean = " ".join(text.split())
    if len(clean) > MAX_LINE or not clean.isprintable():
        raise BadEvent(f"A message is one line of at most {MAX_LINE} printable characters.")
    return clean


def _allowed(char: str) -> bool:
    kind = unicodedata.category(char)
    if kind[0] in "LM":
        return kind != "Me" and not INVISIBLE.search(unicodedata.name(char, ""))
    return char in PUNCTUATION or kind == "Nd"


def _without_marks(name: str) -> str:
    """A name without accents."""
    parts = unicodedata.normalize("NFKD", name)
    return "".join(char for char in parts if unicodedata.category(char)[0] != "M")


def _marked_lightly(name: str) -> bool:
    """Whether no letter has a tower of accents on it."""
    run = 0
    for char in name:
        run = run + 1 if unicodedata.category(char)[0] == "M" else 0
        if run > MAX_MARKS:
            return False
    return True
