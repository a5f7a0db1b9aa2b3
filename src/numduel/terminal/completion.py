"""What bash needs to complete ``n=12``, which it takes for three words."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO

VARIABLE = "_NUMDUEL_COMPLETE"
"""The environment variable by which a shell asks for completions."""


@contextmanager
def words_joined() -> Iterator[None]:
    """Join what bash has split at equals signs before the body completes it, and print only what
    follows the sign, because bash replaces only that."""
    text = os.environ.get("COMP_WORDS", "")
    if os.environ.get(VARIABLE) != "complete_bash" or "=" not in text:
        yield
        return
    separator = "\n" if "\n" in text else " "
    words, at = joined(text.split(separator), int(os.environ.get("COMP_CWORD", "0")))
    os.environ |= {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(at)}
    typed = words[at] if at < len(words) else ""
    if typed.startswith("-"):  # --set=n=12: what is offered is without the name of the option
        typed = typed.partition("=")[2]
    before = "".join(typed.rpartition("=")[:2])
    said = StringIO()
    try:
        with redirect_stdout(said):
            yield
    finally:
        print(*(line.removeprefix(before) for line in said.getvalue().split()), sep="\n")


def joined(words: list[str], at: int) -> tuple[list[str], int]:
    """Words joined at equals signs, and the new place of the word at `at`."""
    found: list[str] = []
    place = 0
    for number, word in enumerate(words):
        if found and (word == "=" or found[-1].endswith("=")) and (word or number == at):
            found[-1] += word
        else:
            found.append(word)
        if number == at:
            place = len(found) - 1
    return found, max(place, at - len(words) + len(found))
