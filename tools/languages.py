"""Bring ``src/numduel/languages/*.po`` up to date with the texts of the source: ``make languages``.

Translations are kept. A text whose English was changed a little is marked fuzzy: mend the
translation, and remove the line ``#, fuzzy``. ``make languages ARGS="nl Nederlands"`` begins a
language.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from babel.messages import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

Keywords = dict[str, Any]
SOURCE = Path(__file__).parents[1] / "src" / "numduel"
FOLDER = SOURCE / "languages"
PYTHON: Keywords = {
    "_": None,
    "N_": None,
    "class_text": None,
    "plural": (1, 2),
    "pgettext": ((1, "c"), 2),
}
MODULES: Keywords = {"t": None, "plural": (1, 2), "pgettext": ((1, "c"), 2), "N_": None}
"""The functions that texts are given to, in Python and templates, and in the page's modules."""
OPTIONS = {"parse_template_string": True}
"""Look into a module's template strings, too."""
IN_ENGLISH = ("terminal/", "tui/")
"""The prompt and the app speak English alone."""
METHODS: dict[str, tuple[str, Keywords]] = {
    ".py": ("python", PYTHON),
    ".html": ("jinja2.ext:babel_extract", PYTHON),
    ".js": ("javascript", MODULES),
}


def template() -> Catalog:
    """Every text of the source that is translated, in the order of its files."""
    found = Catalog(charset="utf-8")
    for path in sorted(path for path in SOURCE.rglob("*") if path.suffix in METHODS):
        method, keywords = METHODS[path.suffix]
        place = (path.relative_to(SOURCE).as_posix(), 0)
        if place[0].startswith(IN_ENGLISH):
            continue
        for _line, message, comments, context in extract_from_file(
            method, path, keywords, comment_tags=["Translators:"], options=OPTIONS
        ):
            if place not in getattr(found.get(message, context), "locations", ()):
                found.add(message, locations=[place], auto_comments=comments, context=context)
    for one in found:
        one.flags -= {"python-format", "python-brace-format"}
    return found


def updated(text: str, code: str, source: Catalog) -> str:
    """The text that a file should have: today's messages, with the translations that it has."""
    head, _, _ = text.partition("\n\n")
    found = read_po(io.BytesIO(text.encode()), locale=code)
    found.update(source)
    for one in found:
        one.flags -= {"python-format", "python-brace-format"}
        one.flags -= set() if _whole(one.string) else {"fuzzy"}
    file = io.BytesIO()
    write_po(
        file, found, width=100, omit_header=True, include_lineno=False, ignore_obsolete=True,
    )  # fmt: skip
    return f"{head}\n\n{file.getvalue().decode().strip()}\n"


def files() -> Iterator[tuple[str, Path]]:
    """The file of each language."""
    return ((path.stem, path) for path in sorted(FOLDER.glob("*.po")))


def begun(code: str, name: str) -> str:
    """The file of a language that nobody has translated anything into."""
    plurals = Catalog(locale=code).plural_forms
    return (
        'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n'
        f'"Language: {code}\\n"\n"Plural-Forms: {plurals}\\n"\n"X-Name: {name}\\n"\n\n'
    )


def begin(code: str, *words: str) -> None:
    """Begin the file of a language, whose name has one word or several."""
    if not re.fullmatch("[a-z]{2,8}", code):
        sys.exit(
            "The code of a language has two small letters or a few more, and no country,"
            f" not {code!r}."
        )
    if not words:
        sys.exit(f'The name of the language comes after its code: make languages ARGS="{code} …"')
    try:
        with (FOLDER / f"{code}.po").open("x", encoding="utf-8") as file:
            file.write(begun(code, " ".join(words)))
    except FileExistsError:
        sys.exit(f"{code}.po is there already; make languages brings it up to date.")


def main() -> None:
    if sys.argv[1:]:
        begin(*sys.argv[1:])
    source = template()
    for code, path in files():
        path.write_text(updated(path.read_text("utf-8"), code, source), "utf-8")
        found = read_po(io.BytesIO(path.read_bytes()), locale=code)
        left = sum(not _whole(one.string) for one in found if one.id)
        fuzzy = sum(one.fuzzy for one in found if one.id)
        print(f"{path.name}: {len(found)} texts, {left} not translated, {fuzzy} fuzzy")


def _whole(told: object) -> bool:
    return all(told) if isinstance(told, tuple | list) else bool(told)


if __name__ == "__main__":
    main()
