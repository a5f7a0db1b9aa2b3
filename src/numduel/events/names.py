"""What people type to take part in an event: its code, a nickname and a personal code."""

from __future__ import annotations

import re
import secrets
import unicodedata
from functools import cache

from numduel.core.errors import BadEvent
from numduel.core.language import _, languages, speaking
from numduel.core.text import printable
from numduel.events.manners import is_rude, spelled, with_spelled_out, words_of
from numduel.play.players import COMPUTERS

CODE_LETTERS = "34679CDFGHJKMNPQRTWXY"
"""The characters of a code. None looks like another (0 and O, 1 and I and L, 2 and Z, 5 and S,
8 and B, U and V), and without A and E no code is a word."""
CODE_LENGTH = 6
PERSONAL_DIGITS = 4
MAX_NICKNAME = 20
"""Characters of the longest nickname: it has to be legible from the back row."""
MAX_LINE = 120
"""Characters of the longest line that a host can broadcast."""
PUNCTUATION = " -'._"
SAME_MARK = dict.fromkeys(map(ord, "’‘ʼʻʹ′`´＇"), "'") | dict.fromkeys(map(ord, "‐‑‒–—−－"), "-")
"""Apostrophes and hyphens as devices type them, and how they are kept."""
MAX_MARKS = 2
"""Accents that may follow each other on one letter."""
INVISIBLE = re.compile("VARIATION SELECTOR|FILLER|GRAPHEME JOINER|VOWEL INHERENT|BLANK")
"""Found in the Unicode names of invisible letters and marks. (Python does not know which characters
are ignorable by default; the others are in a category that is refused.)"""
COMPUTER = ("computer", "ordinateur")
"""No nickname begins like this: the table marks the computer by it."""
ROLES = (
    "teacher", "teachers", "host", "admin", "administrator", "moderator", "server", "numduel",
    "system", "referee", "lehrer", "lehrerin", "lehrkraft", "professeur", "maitre", "maitresse",
    "professor", "spielleiter", "spielleiterin", "spielleitung", "schiedsrichter", "animateur",
    "animatrice", "arbitre",
)  # fmt: skip
"""Words that no nickname chosen at the door has in it, in any spelling: they would speak for
somebody else."""


def new_code() -> str:
    """A code for a new event that nobody can guess."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def read_code(text: str) -> str:
    """The code that somebody typed, in any case, with or without blanks and hyphens."""
    code = re.sub(r"[\s-]", "", text[:40]).upper()
    if len(code) != CODE_LENGTH or not set(code) <= set(CODE_LETTERS):
        raise BadEvent(
            _(
                "{text!r} is not a code: a code has six characters, such as K7M4QX.",
                text=printable(text, 20),
            )
        )
    return code


def new_personal_code() -> str:
    """Four digits with which somebody returns in another browser, besides their nickname."""
    return f"{secrets.randbelow(10**PERSONAL_DIGITS):0{PERSONAL_DIGITS}}"


def nickname(text: str) -> str:
    """A nickname in its normal form: compatible characters, blanks, apostrophes and hyphens are
    made the same.

    Raises `BadEvent` if it is empty or too long, or has characters other than letters, digits and a
    few that join them.
    """
    if len(text) > 4 * MAX_NICKNAME:
        raise BadEvent(_expected())
    clean = " ".join(unicodedata.normalize("NFKC", text.translate(SAME_MARK)).split())
    if not 1 <= len(clean) <= MAX_NICKNAME or not all(map(_allowed, clean)):
        raise BadEvent(_expected())
    if not (clean[0].isalnum() and _marked_lightly(clean)):
        raise BadEvent(_expected())
    if _without_marks(nickname_key(clean)).startswith(COMPUTER):
        raise BadEvent(_nobody(clean))
    return clean


def chosen_nickname(text: str) -> str:
    """A nickname that somebody has chosen for themselves. Raises `BadEvent` also if it is rude, or
    is what somebody else is called here: the host, or a level of the computer."""
    clean = nickname(text)
    if is_rude(clean):
        raise BadEvent(
            _(
                "Please choose a nickname that hurts nobody. If this is your name, the host can"
                " give it to you."
            )
        )
    words = words_of(clean)
    if any(map(_ROLE.fullmatch, with_spelled_out(words))) or _level().fullmatch("".join(words)):
        raise BadEvent(_nobody(clean))
    return clean


_ROLE = re.compile(rf"\d*(?:{spelled(ROLES)})\d*")


@cache
def _level() -> re.Pattern[str]:
    """A level of the computer, which has its name in the language of whoever let it take part."""
    told = {"".join(words_of(name)) for code in languages() for name in _levels_in(code)}
    return re.compile(rf"\d*(?:{spelled(told)})\d*")


def _levels_in(code: str) -> list[str]:
    with speaking(code):
        return [_(level) for level in COMPUTERS]


def _nobody(name: str) -> str:
    return _("Nobody here can be called {name}; choose another nickname.", name=name)


def _expected() -> str:
    return _(
        "A nickname begins with a letter or digit and has at most {most} characters: only letters,"
        " digits, blanks and - ' . _ are allowed.",
        most=MAX_NICKNAME,
    )


def nickname_key(name: str) -> str:
    """The same for all nicknames that could be mistaken for each other: those that differ only in
    capitals, blanks or punctuation."""
    folded = unicodedata.normalize("NFKC", name.translate(SAME_MARK)).casefold()
    return "".join(char for char in folded if char not in PUNCTUATION and not char.isspace())


def broadcast_line(text: str) -> str:
    """A line that a host shows everyone; an empty one removes the last."""
    clean = " ".join(text.split())
    if len(clean) > MAX_LINE or not clean.isprintable():
        raise BadEvent(
            _("A message is one line of at most {most} printable characters.", most=MAX_LINE)
        )
    return clean


def _allowed(char: str) -> bool:
    kind = unicodedata.category(char)
    if kind[0] in "LM":
        return kind != "Me" and not INVISIBLE.search(unicodedata.name(char, ""))
    return char in PUNCTUATION or kind == "Nd"


def _without_marks(name: str) -> str:
    parts = unicodedata.normalize("NFKD", name)
    return "".join(char for char in parts if unicodedata.category(char)[0] != "M")


def _marked_lightly(name: str) -> bool:
    run = 0
    for char in name:
        run = run + 1 if unicodedata.category(char)[0] == "M" else 0
        if run > MAX_MARKS:
            return False
    return True
