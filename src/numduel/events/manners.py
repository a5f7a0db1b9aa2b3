"""Rude words in nicknames: the obvious ones, in several spellings.

The list is short on purpose. A word counts however it is spelled: with accents, capitals, digits
for letters, letters repeated or apart. Words that are part of ordinary names (Scunthorpe,
Cassandra, Ishita, Siriporn) count only where they stand alone. A person whose name is refused all
the same can be given it by the host.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

ANYWHERE = (
    "arschloch", "arsehole", "asshole", "bastard", "bitch", "blowjob", "bollocks", "cocksuck",
    "connard", "connasse", "couille", "dickhead", "encule", "enfoire", "faggot", "fickdich",
    "filsdepute", "fotze", "fuck", "fukyou", "gangbang", "hitler", "hurensohn", "masturb",
    "missgeburt", "nigga", "nigger", "niquetamere", "porno", "pussy", "putain", "salope",
    "scheisse", "schlampe", "spasti", "tagueule", "wanker", "whore", "wichser",
)  # fmt: skip
"""Rude wherever they are, also across blanks: no ordinary name has them in it."""
ALONE = (
    "anal", "anus", "arsch", "arse", "ass", "batard", "bite", "boobs", "cock", "con", "conne",
    "cul", "cum", "cunt", "dick", "dildo", "fag", "fck", "fcuk", "fdp", "fick", "ficken", "fuq",
    "homo", "hure", "kacke", "kkk", "merde", "nazi", "neger", "negre", "nique", "niquer", "ntm",
    "nutte", "pd", "pede", "penis", "phuck", "piss", "porn", "prick", "pute", "rape", "rapist",
    "retard", "salaud", "sex", "sexy", "shit", "shithead", "shitty", "slut", "spast", "stfu",
    "tapette", "tits", "titten", "twat", "vagina", "wank", "wtf",
)  # fmt: skip
"""Rude as words of their own, also with a number behind them."""
FIRST_NAMES = frozenset({"dick"})
"""Also first names: these are taken for one at the beginning, if they are spelled as one."""
LOOKS = {
    "a": "a4аα", "b": "b8", "c": "cс", "e": "e3еε", "g": "g69", "h": "hн", "i": "i1lіι",
    "k": "kκк", "l": "l1", "n": "nη", "o": "o0оο", "p": "pр", "s": "s5z", "t": "t7τ",
    "u": "uvυ", "x": "xх", "y": "yу",
}  # fmt: skip
"""What is written for a letter: digits, and letters of other alphabets that look like it."""


def is_rude(name: str) -> bool:
    """Whether a rude word is in a name."""
    words = words_of(name)
    together = "".join(words)
    if _ANYWHERE.search(together):
        return True
    return any(
        _ALONE.fullmatch(word)
        for place, word in enumerate(with_spelled_out(words))
        if place or word not in FIRST_NAMES
    )


def words_of(name: str) -> list[str]:
    """The words of a name, without capitals and accents; ``BigBird`` is two."""
    apart = re.sub(r"(?<=[a-zß-ÿ])(?=[A-ZÀ-Þ])", " ", name)
    parts = unicodedata.normalize("NFKD", apart).casefold()
    plain = "".join(char for char in parts if unicodedata.category(char)[0] != "M")
    return re.findall(r"[^\W_]+", plain)


def with_spelled_out(words: list[str]) -> list[str]:
    """The words, and those whose letters stand apart: ``a s s``."""
    letters = re.findall(r"(?:(?<= )\S ){2,}", f" {' '.join(words)} ")
    return [*words, *(run.replace(" ", "") for run in letters)]


def spelled(words: Iterable[str]) -> str:
    """A pattern that matches any of some words, in any spelling."""
    return "|".join(map(_pattern, words))


def _pattern(word: str) -> str:
    """A word in any spelling: each letter as often as it should be, or more often."""
    runs = re.finditer(r"(.)\1*", word)
    return "".join(f"[{re.escape(LOOKS.get(run[1], run[1]))}]{{{len(run[0])},}}" for run in runs)


_ANYWHERE = re.compile(spelled(ANYWHERE))
_ALONE = re.compile(rf"(?:{spelled(ALONE)})[s5z]?\d*")
