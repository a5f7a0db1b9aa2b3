"""The translations into one language: gettext's ``.po`` file, read without compiling it."""

from __future__ import annotations

import re
from collections.abc import Callable

from numduel.core.language import FOLDER

CONTEXT = "\x04"
"""Stands between a context and its message, as in gettext."""
TABLE = 200
"""Which plural form numbers have: larger ones have that of their last two digits."""
QUOTED = r'[ \t]*(".*"(?:\s*\n".*")*)\s*\n'
ENTRY = re.compile(
    rf"((?:^#(?!~).*\n)*)(?:^msgctxt{QUOTED})?^msgid{QUOTED}(?:^msgid_plural{QUOTED})?"
    rf"((?:^msgstr(?:\[\d+\])?{QUOTED.replace('(', '(?:', 1)})+)"
    r"|^[ \t]*([^\s#].*)",
    re.MULTILINE,
)
"""The comments, the context, the English, its plural and the forms of a message, or a line that is
of none. One pattern reads all of a file: line by line would take as long as all else at the start
of the prompt."""
FORM = re.compile(rf"^msgstr(?:\[(\d+)\])?{QUOTED}", re.MULTILINE)
LINES = re.compile(r'"\s*\n"')
ESCAPED = re.compile(r"\\(.)")
FUZZY = re.compile("^#,.*fuzzy", re.MULTILINE)
"""Marks a translation that is not ready; other programs write other flags beside it."""
PAGED = re.compile(r"^#: .*\.js", re.MULTILINE)
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
        self.messages: dict[str, str | tuple[str, ...]] = {}
        """The forms of each message, by its English and its context: as the file writes them, and
        read once they are asked for."""
        self.paged: set[str] = set()
        """Those that the modules of the page have."""
        self.plurals: dict[str, str] = {}
        """The English plural of each that has one."""

    def text(self, message: str, context: str = "") -> str:
        """A message that has one form."""
        forms = self._forms(f"{context}{CONTEXT}{message}" if context else message)
        return forms[0] if forms else message

    def plural_text(self, one: str, many: str, n: int) -> str:
        """The form of a message for a number of things."""
        forms = self._forms(one) if one in self.plurals else ()
        if not forms:
            return one if n == 1 else many
        return forms[min(self.form(n), len(forms) - 1)]

    def _forms(self, key: str) -> tuple[str, ...]:
        """The forms of a message; none if one is missing."""
        told = self.messages.get(key, ())
        if isinstance(told, str):
            forms = sorted(FORM.findall(told), key=lambda form: int(form[0] or 0))
            read = tuple(_joined(form) for _number, form in forms)
            told = self.messages[key] = read if all(read) else ()
        return told

    def for_page(self) -> dict[str, object]:
        """What the page's modules need: the messages, and the form for each number of things."""
        messages = {key: forms for key in sorted(self.paged) if (forms := self._forms(key))}
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
    """The catalogue in the text of a ``.po`` file, without messages that are fuzzy or empty.

    Of what such a file may have, it reads what `make languages` writes, and refuses all else:
    lines that are indented, and comments inside of an entry.
    """
    from gettext import c2py

    found = Catalogue("", lambda _: 0)
    for comments, context, message, many, told, strange in ENTRY.findall(f"{text}\n"):
        if strange:
            raise ValueError(f"This line belongs to no message: {strange}")
        key = f"{_joined(context)}{CONTEXT}{_joined(message)}" if context else _joined(message)
        if not key:
            told = _joined(told.removeprefix("msgstr"))
            head = dict(line.split(": ", 1) for line in told.splitlines() if ": " in line)
            found.name = head["X-Name"]
            rule = head["Plural-Forms"].partition("plural=")[2].rstrip(";")
            found.form = c2py(rule)
        elif not ("fuzzy" in comments and FUZZY.search(comments)):
            found.messages[key] = told
            if many:
                found.plurals[key] = _joined(many)
            if ".js" in comments and PAGED.search(comments):
                found.paged.add(key)
    return found


def _joined(told: str) -> str:
    """A text that may stand on several lines, each in quotes."""
    text = told.strip()[1:-1]
    if "\n" in text:
        text = LINES.sub("", text)
    return ESCAPED.sub(_unescaped, text) if "\\" in text else text


def _unescaped(found: re.Match[str]) -> str:
    return {"n": "\n", "t": "\t"}.get(found[1], found[1])
