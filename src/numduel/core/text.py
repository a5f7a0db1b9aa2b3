"""Read what people type without trusting it, and word numbers, lists and times."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from numduel.core.errors import BadVariant
from numduel.core.language import ENGLISH, N_, _, language, number, pgettext, plural

if TYPE_CHECKING:
    from datetime import date, datetime

HUMAN = "human"
"""The kind of player who is a person and is asked for every move."""
DEFAULT_NAMES = ("Player 1", "Player 2")
BYTE_UNITS = " kmgt"
"""The first letters of the units of bytes, each 1,024 times the one before."""
MAX_NAME = 40
BLANKS = " \t\r\n"
BLANK = dict.fromkeys(map(ord, "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"), " ")
"""Spaces of French sentences, which Python does not call printable."""
"""Characters stripped around a move; other control characters are not accepted."""
MAX_DIGITS = 9
"""More digits are not read as a number: converting them could take long."""
MAX_SEED = 10**MAX_DIGITS - 1


def whole_number(text: str) -> int | None:
    """The whole number in a text, or None: an optional sign and at most `MAX_DIGITS` ASCII
    digits."""
    text = text.strip(BLANKS)
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MAX_DIGITS):
        return None
    return int(text)


def in_range(name: str, text: str | None, low: int, high: int) -> int | None:
    """A whole number in a range, if one is given."""
    if text is None:
        return None
    found = whole_number(text)
    if found is None or not low <= found <= high:
        raise BadVariant(
            _(
                "{name} must be a whole number from {low} to {high}, not {given!r}.",
                name=name, low=low, high=high, given=printable(text, 20),
            )
        )  # fmt: skip
    return found


def listed(values: Iterable[object]) -> str:
    """``1, 2, 3``, or ``None``."""
    return ", ".join(map(str, values)) or pgettext("an empty list of numbers", "None")


def counted(count: int, noun: str) -> str:
    """``1 move``, ``12 moves``, ``1,200 moves``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def signed(value: float, form: str = "") -> str:
    """``+3``, or ``−3`` with the minus that people read."""
    return number(value, f"+{form}").replace("-", "−")


def percentage(share: float, digits: int = 0) -> str:
    """``60 %``, or ``60.0 %`` with a digit behind the point."""
    return _("{number} %", number=number(100 * share, f".{digits}f"))


NUMERALS = (
    *(N_("no"), N_("one"), N_("two"), N_("three"), N_("four"), N_("five"), N_("six"), N_("seven")),
    *(N_("eight"), N_("nine"), N_("ten"), N_("eleven"), N_("twelve")),
)


def in_words(count: int, noun: str = "") -> str:
    """``four``, or ``four moves``; beyond twelve in digits."""
    numeral = _(NUMERALS[count]) if count < len(NUMERALS) else number(count, ",")
    return f"{numeral} {noun}{'' if count == 1 else 's'}" if noun else numeral


def byte_size(size: int) -> str:
    """A number of bytes with a unit: ``1.5 MiB``."""
    power = min(max(size.bit_length() - 1, 0) // 10, len(BYTE_UNITS) - 1)
    if not power:
        return plural("{n} bytes", "{n} bytes", size)
    told = number(size / 1024**power, ",.1f")
    return _("{size} {unit}iB", size=told, unit=BYTE_UNITS[power].upper())


MONTHS = (
    N_("January"), N_("February"), N_("March"), N_("April"),
    N_("May"), N_("June"), N_("July"), N_("August"),
    N_("September"), N_("October"), N_("November"), N_("December"),
)  # fmt: skip


def day_told(day: date, *, year: bool = True) -> str:
    """A day as people write it: ``15 November 2026``, or without its year."""
    number = pgettext("the first day of a month, as in 1 May", "1") if day.day == 1 else day.day
    month = _(MONTHS[day.month - 1])
    if not year:
        return _("{day} {month}", day=number, month=month)
    return _("{day} {month} {year}", day=number, month=month, year=str(day.year))


def ago(date: datetime, now: datetime) -> str:
    """How long ago something was: ``5 min ago``; a long time ago, the day."""
    minutes = (now - date).total_seconds() // 60
    if minutes < -1 or minutes >= 60 * 24 * 30:
        return f"{date:%Y-%m-%d}"
    if minutes < 1:
        return _("just now")
    if minutes < 60:
        return _("{minutes} min ago", minutes=int(minutes))
    if minutes < 60 * 24:
        return _("{hours} h ago", hours=int(minutes // 60))
    days = int(minutes // (60 * 24))
    return _("yesterday") if days < 2 else plural("{n} day ago", "{n} days ago", days)


def either(values: Iterable[object]) -> str:
    """``1, 2 or 3``."""
    *some, last = map(str, values)
    return _("{some} or {last}", some=", ".join(some), last=last) if some else last


def both(values: Iterable[object]) -> str:
    """``1, 2 and 3``."""
    *some, last = map(str, values)
    return _("{some} and {last}", some=", ".join(some), last=last) if some else last


def capital(text: str) -> str:
    """A sentence with a capital first letter; a move such as a3 stays as it is."""
    word = re.match(r"\w*", text)[0]  # type: ignore[index]
    is_word = word.isalpha() and (len(word) > 1 or not word.isascii() or text[1:2] == "’")
    return text[:1].upper() + text[1:] if is_word else text


class Clause(str):
    """A clause or a sentence that is put into a text. There, ``{why:capital}`` begins with a
    capital letter and ``{rule:small}`` with a small one: after a colon, languages differ."""

    __slots__ = ()

    def __format__(self, form: str) -> str:
        if form == "capital":
            return capital(str(self))
        return self[:1].lower() + self[1:] if form == "small" else str(self)


CLOSE = 0.7
"""How much of two words must agree for one to be meant by the other: ``quit`` is not ``audit``."""


def similar(word: str, known: Iterable[str]) -> str | None:
    """The known word that somebody may have meant, if there is one."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word[:MAX_NAME], list(known), 1, CLOSE)), None)


def is_slug(text: object) -> bool:
    """Whether a text can name a game: a-z, 0-9 and single hyphens, beginning with a letter."""
    return isinstance(text, str) and re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", text) is not None


def read_settings(pairs: Iterable[str]) -> dict[str, object]:
    """The settings of a variant that are written ``KEY=VALUE``."""
    settings: dict[str, object] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise BadVariant(
                _("A setting is written KEY=VALUE, such as n=12, not {given!r}.", given=pair[:40])
            )
        settings[key.strip()] = value.strip()
    return settings


def printable(text: str, limit: int = 80) -> str:
    """A text that is safe to show: no control characters, and not too long."""
    told = text[: limit + 1].translate(BLANK)
    clean = "".join(char if char.isprintable() else "?" for char in told)
    return clean if len(clean) <= limit else clean[:limit] + "…"


def file_name(path: object) -> str:
    """The name of a file, safe to show: it may be long, but has no escape codes."""
    return printable(str(path), 4096)


def player_name(name: str, seat: int) -> str:
    """A name fit for a board: printable, one line, not too long; empty means the default."""
    clean = " ".join(name.split())
    if len(clean) > MAX_NAME or not clean.isprintable():
        raise BadVariant(
            _(
                "The name of Player {seat} must be at most {most} printable characters.",
                seat=seat,
                most=MAX_NAME,
            )
        )
    return clean or DEFAULT_NAMES[seat - 1]


def name_told(name: str) -> str:
    """A name as it is shown: those that nobody gave, such as ``Player 1`` and ``Computer (hard)``,
    in the language spoken. Records and programs have them in English."""
    if language() == ENGLISH or not name.startswith(("Player ", "Computer (")):
        return name
    if name in DEFAULT_NAMES:
        return _("Player {seat}", seat=name[-1])
    level = name.removeprefix("Computer (").removesuffix(")")
    return _("Computer ({level})", level=_(level)) if name == f"Computer ({level})" else name


def titled(title: object, text: object) -> str:
    """What something is called, and what it is: ``Discard pile: 3, 4``."""
    return _("{title}: {text}", title=title, text=text)


def player_names(one: str, two: str) -> tuple[str, str]:
    """The names of both players, which must not be the same."""
    names = player_name(one, 1), player_name(two, 2)
    if names[0].casefold() == names[1].casefold():
        raise BadVariant(_("The two players need different names."))
    return names
