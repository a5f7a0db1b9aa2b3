"""What pupils type: the code of their class, and their own."""

from __future__ import annotations

import re
import secrets

from numduel.core.errors import BadClass
from numduel.core.language import _
from numduel.core.text import printable
from numduel.events.names import CODE_LETTERS

CLASS_LENGTH = 5
"""Characters of the code of a class: one less than an event has, so that nobody mixes them up."""
PERSONAL_LENGTH = 5
"""Characters of a personal code. There are four million, and few wrong ones may be tried."""


def new_class_code() -> str:
    """A code for a new class that nobody can guess."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CLASS_LENGTH))


def personal_code(number: int) -> str:
    """The personal code that stands for a large number."""
    letters = []
    for _place in range(PERSONAL_LENGTH):
        number, place = divmod(number, len(CODE_LETTERS))
        letters.append(CODE_LETTERS[place])
    return "".join(letters)


def read_code(text: str, length: int = CLASS_LENGTH) -> str:
    """The code that somebody typed, in any case, with or without blanks and hyphens."""
    code = re.sub(r"[\s-]", "", text[:40]).upper()
    if len(code) != length or not set(code) <= set(CODE_LETTERS):
        raise BadClass(
            _(
                "{text!r} is not such a code: it has five letters and digits.",
                text=printable(text, 20),
            )
        )
    return code
