"""The translations into one language: gettext's ``.po`` file, read without compiling it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

from numduel.core.language import FOLDER

CONTEXT = "\x04"
"""Stands between a context and its message, as in gettext."""
FIELD = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr)(?:\[\d+\])? +(".*")')
TABLE = 200
"""Which plural form numbers have: larger ones have that of their last two digits."""
FUZZY = re.compile("#,.*fuzzy")
"""Marks a translation that is not ready; other programs write other flags beside it."""
EXAMPLE = "de"
"""A language that has every message."""
KEPT = re.compile(r"(\{[^{}]*\}|<[^<>]*>|&\w+;|`[^`]*`|\bhttps?://\S+|\s+)")
"""What a translation keeps as it is: fields to fill, markup, and what is typed."""
ACCENTS = str.maketrans("aeiouyAEIOUYcnszCNSZ", "áéíóúýÁÉÍÓÚÝçñšžÇÑŠŽ")


class Catalogue:
    """The messages of a language. What is not translated stays English."""

    def __init__(self, name: str, form: Callable[[int], int]) -> None:
        self.name = name
        """What the language calls itself."""
        self.form = form
        """Which form a number of things has."""
        self.messages: dict[str, tuple[str, ...]] = {}
        """The forms of each message, by its English and its context."""
        self.paged: set[str] = set()
        """Those that the modules of the page have."""
        self.plurals: dict[str, str] = {}
        """The English plural of each that has one."""

    def text(self, message: str, context: str = "") -> str:
        """A message that has one form."""
        key = f"{context}{CONTEXT}{message}" if context else message
        return self.messages.get(key, (message,))[0]

    def plural_text(self, one: str, many: str, n: int) -> str:
        """The form of a message for a number of things."""
        if one not in self.plurals:
            return one if n == 1 else many
        return self.messages[one][self.form(n)]

    def for_page(self) -> dict[str, object]:
        """What the page's modules need: the messages, and the form for each number of things."""
        messages = {key: self.messages[key] for key in sorted(self.paged & self.messages.keys())}
        return {"messages": messages, "forms": [self.form(n) for n in range(TABLE)]}


class Pseudo(Catalogue):
    """English with accents, in brackets, and with words 40 % longer."""

    def __init__(self) -> None:
        super().__init__("Pseudo", lambda n: int(n != 1))

    def text(self, message: str, context: str = "") -> str:
        """The message itself, made strange."""
        return f"⟦{''.join(map(_strange, KEPT.split(message)))}⟧"

    def plural_text(self, one: str, many: str, n: int) -> str:
        """The form of English, made strange."""
        return self.text(one if n == 1 else many)

    def for_page(self) -> dict[str, object]:
        """The messages of the page's modules in another language, made strange."""
        other = load(EXAMPLE)
        made = {
            key: tuple(
                self.text(form.rpartition(CONTEXT)[2])
                for form in (key, other.plurals.get(key, key))
            )
            for key in sorted(other.paged)
        }
        return {"messages": made, "forms": [self.form(n) for n in range(TABLE)]}


def _strange(part: str) -> str:
    if KEPT.fullmatch(part):
        return part
    return re.sub(r"[^\W\d_]+", lambda word: _longer(word[0].translate(ACCENTS)), part)


def _longer(word: str) -> str:
    return word + word[-1] * round(0.4 * len(word))


def load(code: str) -> Catalogue:
    """The catalogue of a language, from its file."""
    with open(f"{FOLDER}/{code}.po", encoding="utf-8") as file:
        return parse(file.read())


def parse(text: str) -> Catalogue:
    """The catalogue in the text of a ``.po`` file, without messages that are fuzzy or empty."""
    from gettext import c2py

    found = Catalogue("", lambda _: 0)
    for context, message, many, forms, comments in _entries(text):
        if not message:
            head = dict(line.split(": ", 1) for line in forms[0].splitlines() if ": " in line)
            found.name = head["X-Name"]
            rule = head["Plural-Forms"].partition("plural=")[2].rstrip(";")
            found.form = c2py(rule)
        elif all(forms) and not any(map(FUZZY.match, comments)):
            key = f"{context}{CONTEXT}{message}" if context else message
            found.messages[key] = forms
            found.plurals |= {key: many} if many else {}
            if any(line.startswith("#: ") and ".js" in line for line in comments):
                found.paged.add(key)
    return found


def _entries(text: str) -> Iterator[tuple[str, str, str, tuple[str, ...], list[str]]]:
    """The context, the English, its plural, the forms and the comments of each message."""
    for block in re.split(r"\n\s*\n", text):
        comments = [line for line in block.splitlines() if line.startswith("#")]
        fields: list[tuple[str, str]] = []
        for line in block.splitlines():
            if begins := FIELD.fullmatch(line.strip()):
                fields.append((begins[1], json.loads(begins[2])))
            elif line.startswith('"'):
                fields[-1] = fields[-1][0], fields[-1][1] + json.loads(line)
        if fields:
            words = dict(fields)
            forms = tuple(value for name, value in fields if name == "msgstr")
            context, many = words.get("msgctxt", ""), words.get("msgid_plural", "")
            yield context, words["msgid"], many, forms, comments
