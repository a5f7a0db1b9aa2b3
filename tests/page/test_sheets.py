"""The style sheets say nothing about what no page has, and every token has its one place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from numduel.web.pages import routes as pages
from numduel.web.pages import static

SHEETS = sorted(static.FOLDER.rglob("*.css"))
SCRIPTS = "\n".join(path.read_text("utf-8") for path in static.FOLDER.rglob("*.js"))
TEMPLATES = "\n".join(path.read_text("utf-8") for path in pages.TEMPLATES.glob("*.html"))
SERVER = "\n".join(
    path.read_text("utf-8") for path in Path(pages.__file__).parents[1].rglob("*.py")
)
WORD = re.compile(r"[\w-]+")
QUOTED = re.compile(r'"([a-z][a-z0-9 -]*)"|`([a-z][a-z0-9 -]*)[$`]')
"""A name, or several, in a module: no sentence."""
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
NAME = re.compile(r'([.#])([a-z][\w-]*)|\[([a-z-]+)(?:[$^*~|]?="([^"]*)")?\]')
"""What a selector asks for: classes, ids, attributes and their values."""


def words(*texts: str) -> frozenset[str]:
    """The words in some texts; ``data-owner`` is one."""
    return frozenset(word for text in texts for word in WORD.findall(text))


def named(script: str) -> frozenset[str]:
    """The names that a module writes down."""
    return words(*(one or other for one, other in QUOTED.findall(script)))


IN_SCRIPTS = named(SCRIPTS)
CLASSES = named(re.sub(r'byId\("[^"]*"\)|id: "[^"]*"', "", SCRIPTS)) | words(
    *re.findall(r'class="([^"]*)"', TEMPLATES)
)
IDS = IN_SCRIPTS | words(*re.findall(r'id="([^"]*)"', TEMPLATES))
ATTRIBUTES = IN_SCRIPTS | words(*re.findall(r'([\w-]+)(?:="|[ >\n])', TEMPLATES))
DATASET = frozenset(re.findall(r"dataset\.(\w+)", SCRIPTS))
VALUES = words(SCRIPTS, TEMPLATES, SERVER)


def selectors(sheet: str) -> list[str]:
    """The selectors of a style sheet: what stands before a brace and is no at-rule."""
    found = re.findall(r"([^{};]+)\{", COMMENT.sub("", sheet))
    return [text.strip() for text in found if not text.strip().startswith("@")]


def unknown(selector: str) -> list[str]:
    """What a selector asks for and no template, module or server code has."""
    missing = []
    for sign, name, attribute, value in NAME.findall(selector):
        if name and name not in (CLASSES if sign == "." else IDS):
            missing.append(sign + name)
        if attribute and attribute not in ATTRIBUTES:
            part, *parts = attribute.removeprefix("data-").split("-")
            if part + "".join(each.capitalize() for each in parts) not in DATASET:
                missing.append(attribute)
        missing += [f'"{each}"' for each in words(value) - VALUES]
    return missing


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.name)
def test_every_rule_is_about_something_that_pages_have(path: Path) -> None:
    found = selectors(path.read_text("utf-8"))
    assert found
    dead = {selector: missing for selector in found if (missing := unknown(selector))}
    assert dead == {}


@pytest.mark.parametrize(
    ("rule", "missing"),
    [
        (".nobody-has-this a:hover", [".nobody-has-this"]),
        (".button, #nobody-has-this", ["#nobody-has-this"]),
        (".cell[data-nobody-has-this]", ["data-nobody-has-this"]),
        ('.cell[data-state="nobody-has-this"]', ['"nobody-has-this"']),
        ('.cell[data-owner="1"]:not([aria-disabled])', []),
    ],
)
def test_a_dead_rule_is_found(rule: str, missing: list[str]) -> None:
    assert unknown(rule) == missing


def given(path: Path) -> set[str]:
    """The custom properties that a sheet sets."""
    sheet = COMMENT.sub("", path.read_text("utf-8"))
    return set(re.findall(r"^\s*(--[\w-]+):", sheet, re.MULTILINE))


def test_every_size_or_colour_that_is_used_is_given_and_the_other_way_round() -> None:
    sheets = "\n".join(COMMENT.sub("", path.read_text("utf-8")) for path in SHEETS)
    used = set(re.findall(r"var\((--[\w-]+)", sheets))
    set_by_sheets = set().union(*map(given, SHEETS))
    set_by_scripts = set(re.findall(r'"(--[\w-]+)"', SCRIPTS))
    assert used - set_by_sheets - set_by_scripts == set()
    assert set_by_sheets - used - words(SCRIPTS) == set()


def test_tokens_have_one_place() -> None:
    tokens, *others = sorted(SHEETS, key=lambda path: path.name != "tokens.css")
    assert tokens.name == "tokens.css"
    assert [(path.name, name) for path in others for name in given(path) & given(tokens)] == []
