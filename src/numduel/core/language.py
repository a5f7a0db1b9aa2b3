"""The language that texts for people are in.

The English sentence in the code is what a translation is found by, in ``languages/de.po`` and its
like; CONTRIBUTING says how texts are written. English reads no file.

>>> with speaking("de"):
...     print(_("{name} wins the game!", name="Ada"), number(1234.5, ",.1f"))
Ada gewinnt! 1.234,5
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache, wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

if TYPE_CHECKING:
    from numduel.core.catalogue import Catalogue

ENGLISH = "en"
PSEUDO = "xx"
"""A language for tests: English with accents, in brackets, and with words 40 % longer."""
FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "languages")
MAX_CODES = 200
"""Codes that are remembered as known or not: a browser may ask for any."""
MAX_LANGUAGES = 50
Kind = TypeVar("Kind")
P = ParamSpec("P")
T = TypeVar("T")

_spoken: ContextVar[str] = ContextVar("language", default=ENGLISH)


# -- which language -------------------------------------------------------------------------


def language() -> str:
    """The language of this task: ``de``."""
    return _spoken.get()


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Speak a language for a while, in this task alone: for a request, or English for programs."""
    token = _spoken.set(code)
    try:
        yield
    finally:
        _spoken.reset(token)


def speak(code: str) -> None:
    """Speak a language until the end of this task, as the server does for a request."""
    _spoken.set(code)


@lru_cache(MAX_CODES)
def known(code: str) -> bool:
    """Whether there is a language of this code."""
    if code in (ENGLISH, PSEUDO):
        return True
    return code.isalpha() and code.islower() and os.path.isfile(f"{FOLDER}/{code}.po")


def languages() -> dict[str, str]:
    """Every language by its code, in its own words: ``{"de": "Deutsch", "en": "English", …}``."""
    codes = sorted(name[:-3] for name in os.listdir(FOLDER) if name.endswith(".po"))
    names = {code: catalogue(code).name for code in codes}
    return dict(sorted({ENGLISH: "English", **names}.items()))


def named(said: str) -> str:
    """The language that a person calls ``de-AT`` or ``de_AT``, if there is such."""
    code = re.split("[-_]", said.strip().lower())[0]
    return code if known(code) else ""


def negotiated(accepted: str) -> str:
    """The language that a browser would rather have, by its header ``Accept-Language``."""
    wanted: list[tuple[float, str]] = []
    for part in accepted.lower().split(","):
        tag, _semicolon, quality = part.partition(";")
        try:
            share = float(quality.strip().removeprefix("q=") or 1)
        except ValueError:
            share = 0.0
        wanted.append((-share, tag.strip().partition("-")[0]))
    found = (code for share, code in sorted(wanted, key=lambda one: one[0]) if share < 0)
    return next((code for code in found if known(code)), ENGLISH)


@cache
def catalogue(code: str) -> Catalogue:
    """The translations into a language, which are read when it is first spoken."""
    from numduel.core.catalogue import Pseudo, load

    return Pseudo() if code == PSEUDO else load(code)


def cached(most: int = MAX_LANGUAGES) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """A decorator that keeps what a function has returned, for each language: `most` of it all,
    what was asked for last."""

    def decorated(make: Callable[P, T]) -> Callable[P, T]:
        @lru_cache(most)
        def kept(_code: str, *arguments: Any, **named: Any) -> T:
            return make(*arguments, **named)

        @wraps(make)
        def found(*arguments: P.args, **named: P.kwargs) -> T:
            return kept(language(), *arguments, **named)  # type: ignore[arg-type]

        return found

    return decorated


# -- texts ----------------------------------------------------------------------------------


def _(message: str, /, **values: object) -> str:
    """A whole sentence, or a text that stands alone, in the language spoken, filled with values:
    ``_("{name} wins.", name="Ada")``."""
    code = _spoken.get()
    if code != ENGLISH:
        message, values = catalogue(code).text(message), _told(values)
    return message.format(**values) if values else message


def plural(one: str, many: str, n: int, /, **values: object) -> str:
    """The text for a number of things, which it calls ``{n}``: ``plural("{n} move", "{n} moves",
    5)``. Other languages may have more forms than these two."""
    code = _spoken.get()
    if code == ENGLISH:
        return (one if n == 1 else many).format(n=n, **values)
    return catalogue(code).plural_text(one, many, n).format(**_told({"n": n, **values}))


def pgettext(context: str, message: str, /, **values: object) -> str:
    """A text whose English has two meanings: the context says which, and is not shown."""
    code = _spoken.get()
    if code != ENGLISH:
        message, values = catalogue(code).text(message, context), _told(values)
    return message.format(**values) if values else message


def N_(message: str) -> str:  # noqa: N802 (what gettext calls it)
    """A text that is translated where it is read: by ``_(…)``, `translated` or `Texts`."""
    return message


def class_text(message: str) -> Any:
    """A text as an attribute of a class: who reads it gets it in the language spoken."""
    return _Text(message)


class _Text:
    def __init__(self, message: str) -> None:
        self.message = message

    def __get__(self, instance: object, owner: type) -> str:
        return _(self.message)


class Texts(Mapping[str, str]):
    """A mapping to texts, marked by `N_`, that are read in the language spoken."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.english = texts

    def __getitem__(self, key: str) -> str:
        return _(self.english[key])

    def __contains__(self, key: object) -> bool:
        return key in self.english  # what Mapping has would translate it

    def __iter__(self) -> Iterator[str]:
        return iter(self.english)

    def __len__(self) -> int:
        return len(self.english)


def translated(*names: str) -> Callable[[type[Kind]], type[Kind]]:
    """A class decorator: these fields of a named tuple are marked by `N_` where one is made, and
    read in the language spoken. Its items stay English."""

    def decorated(kind: type[Kind]) -> type[Kind]:
        for name in names:
            setattr(kind, name, property(_Field(vars(kind)[name])))
        return kind

    return decorated


class _Field:
    """Reads a field of a named tuple in the language spoken."""

    def __init__(self, field: Any) -> None:
        self.read = field.__get__

    def __call__(self, owner: object) -> Any:
        return _told_field(self.read(owner))


def _told_field(found: Any) -> Any:
    """A text, or several, in the language spoken."""
    if isinstance(found, str):
        return _(found) if found else found
    return tuple(map(_told_field, found)) if isinstance(found, tuple) else found


# -- numbers --------------------------------------------------------------------------------


def number(value: float, form: str = "") -> str:
    """A number as Python's `form` says, with the separators of the language spoken: ``1,234.5``."""
    written = format(value, form)
    code = _spoken.get()
    if code in (ENGLISH, PSEUDO):
        return written
    marks = {
        ",": pgettext("between thousands, as in 1,000", ","),
        ".": pgettext("between whole and decimal digits, as in 1.5", "."),
    }
    return "".join(marks.get(char, char) for char in written)


class _Number:
    """A number that a text is filled with."""

    def __init__(self, value: float) -> None:
        self.value = value

    def __format__(self, form: str) -> str:
        return number(self.value, form)


class _Name(str):
    """A text that a text is filled with. ``{name:de}`` is French for "of": de Zoé, d’Ada, de
    l’ordinateur."""

    __slots__ = ()

    def __format__(self, form: str) -> str:
        if form != "de":
            return super().__format__(form)
        if self.startswith("Ordinateur ("):
            return "de l’o" + self[1:]
        vowel = re.match("[aeiouàâäæéèêëîïôöœùûü]|y[^aeiouéèêë]", self, re.IGNORECASE)
        return ("d’" if vowel else "de ") + self


def _told(values: dict[str, Any]) -> dict[str, object]:
    return {name: _FILLED.get(type(value), _same)(value) for name, value in values.items()}


def _same(value: object) -> object:
    return value


_FILLED: dict[type, Callable[[Any], object]] = {int: _Number, float: _Number, str: _Name}
