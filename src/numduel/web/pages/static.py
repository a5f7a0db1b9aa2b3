"""The static files. A script is sent joined with everything that it imports, and style sheets are
joined as a page names them: a page needs one request for each, and nothing is built.

Modules import names (`import { a, b as c } from "./x.js";`), export what they declare (`export
const`, `function` or `class`), and do not import each other in a circle. Whatever is written in
another way is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from posixpath import dirname, join, normpath

from numduel.core.language import ENGLISH, N_, _, catalogue, known, speaking
from numduel.core.language import FOLDER as LANGUAGES

FOLDER = Path(__file__).parents[1] / "page"
PNG = "image/png"
CONTENT_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".map": "application/json",
    ".png": PNG,
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
"""The files that are sent."""
MANIFEST = "manifest.webmanifest"
IN_MANIFEST = (
    N_("numduel: number games for two"),
    N_("Easy to learn, solved to the last move. Play the computer, or a friend."),
    *(N_("Today’s puzzle"), N_("My games"), N_("Learn")),
)
"""What people are shown of the file that makes the page an app."""
MAX_JOINED = 200
"""Joined files in memory."""
IMPORT = re.compile(r'^import (\{[\w\s,]*\}) from "(\.[^"]*)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:const|(?:async )?function|class) (\w+))", re.MULTILINE)
COMMENT = re.compile(r"^[ \t]*(?://.*|/\*(?:(?!\*/)[\s\S])*\*/[ \t]*)$", re.MULTILINE)
"""Comments on lines of their own, which are not sent: a quarter of all bytes."""
LEFT_OVER = re.compile(r"^(?:import|export)\b.*|\bimport\s*[(.].*", re.MULTILINE)
DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


class NotJoined(ValueError):
    """A module is written in a way that cannot be joined with others."""


@cache
def version() -> str:
    """The hash of all files and templates, and of the code that sends them. It is in the paths of
    static files, so that browsers can keep them for ever."""
    whole = sha256()
    for folder in (FOLDER, Path(__file__).parent, Path(LANGUAGES)):
        for path in sorted(folder.rglob("*.*")):
            if path.is_file() and path.suffix != ".pyc":
                content = path.read_bytes()
                whole.update(f"{path.relative_to(folder)} {len(content)} ".encode() + content)
    return whole.hexdigest()[:12]


def path_of(name: str) -> str:
    """Where a static file is."""
    if content(name) is None:
        raise KeyError(name)
    return f"/static/{version()}/{name}"


def sheets_path(names: list[str]) -> str:
    """Where some style sheets are, joined."""
    return path_of(f"css/{'+'.join(names)}")


@cache
def files() -> dict[str, bytes]:
    """All files as they are written: no path in a request is ever opened."""
    return {
        path.relative_to(FOLDER).as_posix(): path.read_bytes()
        for path in FOLDER.rglob("*")
        if path.suffix in CONTENT_TYPES
    }


@lru_cache(MAX_JOINED)
def content(name: str) -> bytes | None:
    """What is sent for a name; None if there is no such file."""
    if name.endswith(".css"):
        folder, _slash, last = name.rpartition("/")
        names = [f"{folder}/{part}" for part in last.split("+")]
        once = len(set(names)) == len(names) and files().keys() >= set(names)
        return "".join(map(_uncommented, map(_source, names))).encode() if once else None
    if name.endswith(f".{MANIFEST}"):
        code = name.removesuffix(f".{MANIFEST}")
        return _manifest(code).encode() if known(code) else None
    if name.startswith("languages/"):
        code = name.removeprefix("languages/").removesuffix(".js")
        there = name == f"languages/{code}.js" and known(code) and code != ENGLISH
        return _texts(code).encode() if there else None
    script = name.removesuffix(".map")
    if script not in files() or not script.endswith(".js"):
        return files().get(name)
    text, lines = joined(script)
    return (_source_map(lines) if name != script else text).encode()


def _manifest(code: str) -> str:
    """The file that makes the page an app, in a language."""
    text = _source(MANIFEST).replace('"lang": "en"', f'"lang": "{code}"')
    with speaking(code):
        for told in IN_MANIFEST:
            text = text.replace(f'"{told}"', f'"{_(told)}"')
    return text


def _texts(code: str) -> str:
    """The script that has the texts of the page's modules in a language."""
    found = json.dumps(catalogue(code).for_page(), ensure_ascii=False, separators=(",", ":"))
    return f"globalThis.texts={found};\n"


# -- scripts --------------------------------------------------------------------------------

Line = tuple[str, int] | None
"""The file and the number of a line in a joined script, if it is from a file."""


@lru_cache(MAX_JOINED)
def joined(entry: str) -> tuple[str, list[Line]]:
    """A script together with all that it imports, and where each line comes from. Every module
    keeps its own scope; the first one may wait (`await`) outside of functions."""
    order = list(dict.fromkeys(_needed(entry, ())))
    text, lines = [], list[Line]()
    for number, name in enumerate(order):
        body, exported = _scoped(name, order)
        last = name == entry
        text += ["{" if last else f"const module{number} = (() => {{", *body]
        text.append("}" if last else f"return {{ {', '.join(exported)} }};}})();")
        lines += [None, *((name, at) for at in range(len(body))), None]
    text.append(f"//# sourceMappingURL={entry.rpartition('/')[2]}.map")
    return "\n".join(text) + "\n", lines


def _source(name: str) -> str:
    return files()[name].decode()


def _uncommented(text: str) -> str:
    """A script or a style sheet without its comments; lines keep their numbers."""
    return COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), text)


def _imported(name: str, path: str) -> str:
    """The module that another one imports from a relative path."""
    found = normpath(join(dirname(name), path))
    if found not in files():
        raise NotJoined(f"{name} imports {path}, which does not exist.")
    return found


def _needed(name: str, importers: tuple[str, ...]) -> Iterator[str]:
    """The modules that a module needs, each after those that it needs itself, and then itself."""
    if name in importers:
        raise NotJoined(f"{' imports '.join([*importers, name])}: this is a circle.")
    for _names, path in IMPORT.findall(_source(name)):
        yield from _needed(_imported(name, path), (*importers, name))
    yield name


def _scoped(name: str, order: list[str]) -> tuple[list[str], list[str]]:
    """The lines of a module that takes its imports from the modules before it; what it exports."""

    def taken(found: re.Match[str]) -> str:
        names, path = found.groups()
        number = order.index(_imported(name, path))
        return f"const {names.replace(' as ', ': ')} = module{number};"

    source = _source(name)
    exported = EXPORT.findall(source)
    text = _uncommented(EXPORT.sub("", IMPORT.sub(taken, source)))
    if left := LEFT_OVER.search(text):
        raise NotJoined(f"{name} cannot be joined with others: {left[0]}")
    return text.splitlines(), exported


def _source_map(lines: list[Line]) -> str:
    """Where the lines of a joined script come from, for the tools of browsers."""
    sources = list(dict.fromkeys(line[0] for line in lines if line))
    mappings, before = [], (0, 0)
    for line in lines:
        mapping = ""
        if line:
            here = sources.index(line[0]), line[1]
            mapping = f"A{_digits(here[0] - before[0])}{_digits(here[1] - before[1])}A"
            before = here
        mappings.append(mapping)
    return json.dumps(
        {
            "version": 3,
            "sources": sources,
            "sourcesContent": [_source(name) for name in sources],
            "names": [],
            "mappings": ";".join(mappings),
        }
    )


def _digits(number: int) -> str:
    """A number as source maps write it: in base 64, the lowest five bits first."""
    rest, text = abs(number) << 1 | (number < 0), ""
    while True:
        digit, rest = rest & 31, rest >> 5
        text += DIGITS[digit | (32 if rest else 0)]
        if not rest:
            return text
