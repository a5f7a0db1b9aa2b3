"""The files of translations say what the source says, and each text of a finished part in full."""

import ast
import io
import json
import re
from collections import Counter
from pathlib import Path
from typing import cast

import pytest
from babel.messages import Catalog
from babel.messages.pofile import read_po
from tools import languages
from tools.languages import FOLDER, SOURCE, files, template, updated

import numduel
from numduel.core import catalogue
from numduel.core.language import speaking
from numduel.learn.puzzle import puzzle
from numduel.learn.strategies import strategy
from numduel.play.record import parse
from numduel.web.pages.guides import UNREAD

COMPLETE = ("de", "fr")
"""Languages in which nothing is missing."""
DOCS = SOURCE.parents[1] / "docs"
FIELDS = re.compile(r"\{(\w+[^{}]*?)(?::small|:capital|:de)?\}")
"""What a text is filled with, and its form; a clause and a name have that of the language."""
TAGS = re.compile(r"<[^<>]*>|&\w+;")
CODES = [code for code, _ in files()]


@pytest.fixture(scope="module")
def source() -> Catalog:
    return template()


def po(code: str) -> Catalog:
    return read_po(io.BytesIO((FOLDER / f"{code}.po").read_bytes()), locale=code)


@pytest.mark.parametrize("code", CODES)
def test_a_file_has_the_texts_of_the_source(code: str, source: Catalog) -> None:
    text = (FOLDER / f"{code}.po").read_text("utf-8")
    assert text == updated(text, code, source), "Run make languages, and translate what is new."


def test_a_language_is_begun_once_and_then_kept(
    source: Catalog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(languages, "FOLDER", tmp_path)
    languages.begin("nl", "Nederlands", "(België)")
    path = tmp_path / "nl.po"
    path.write_text(updated(path.read_text("utf-8"), "nl", source), "utf-8")
    found = catalogue.parse(path.read_text("utf-8"))
    assert (found.name, found.for_page()["messages"], found.form(1), found.form(2)) == (
        "Nederlands (België)", {}, 0, 1,
    )  # fmt: skip
    assert found.text("Values") == "Values"
    path.write_text("translations", "utf-8")
    for words, why in (
        (("nl", "Nederlands"), r"nl\.po is there already"),
        (("pt_BR", "Português"), "two small letters or a few more, and no country"),
        (("it",), "The name of the language comes after its code"),
    ):
        with pytest.raises(SystemExit, match=why):
            languages.begin(*words)
    assert path.read_text("utf-8") == "translations"


@pytest.mark.parametrize("code", CODES)
def test_every_message_of_a_file_is_read(code: str) -> None:
    found = catalogue.load(code)
    ready = [one for one in po(code) if one.id and not one.fuzzy]
    assert len(found.messages) == len(ready)
    for one in ready:
        told, (english, *_) = _forms(one.string), _forms(one.id)
        assert found.text(english, one.context or "") == (told[0] if all(told) else english)


@pytest.mark.parametrize("code", COMPLETE)
def test_nothing_is_missing_in_a_complete_language(code: str) -> None:
    missing = [
        one.id
        for one in po(code)
        if one.id and (one.fuzzy or not one.string or not all(_forms(one.string)))
    ]
    assert not missing


def test_the_form_of_a_number_is_that_of_its_english_and_the_form_of_a_clause_is_not() -> None:
    assert FIELDS.findall("{n:,} of {share:.1f}: {why!r}") == ["n:,", "share:.1f", "why!r"]
    assert FIELDS.findall("{rule:small} {rule:capital} {name:de}") == ["rule", "rule", "name"]


@pytest.mark.parametrize("code", CODES)
def test_a_translation_is_filled_with_what_its_english_is(code: str) -> None:
    for one in filter(lambda one: one.id, po(code)):
        english, forms = _forms(one.id), [form for form in _forms(one.string) if form]
        allowed = {field for form in english for field in FIELDS.findall(form)}
        for form in forms:
            fields = {*FIELDS.findall(form)}
            needed = {*FIELDS.findall(english[-1])} if form == forms[-1] else fields
            assert needed <= fields <= allowed, (one.id, form)
            assert code == "fr" or ":de}" not in form, (one.id, form)
            tags = sorted(TAGS.findall(form))
            assert tags in [sorted(TAGS.findall(ours)) for ours in english], (one.id, form)


def _forms(told: object) -> list[str]:
    """The forms of a message, if there are any."""
    return (
        [told] if isinstance(told, str) else [str(form) for form in cast("list[str]", told or ())]
    )


def test_every_marked_text_is_found(source: Catalog) -> None:
    """Babel does not look into f-strings, and finds only plain strings."""
    known = {one.id if isinstance(one.id, str) else one.id[0] for one in source}
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            if node.func.id in ("_", "N_", "class_text") and node.args:
                said = node.args[0]
                where = f"{path.name}:{node.lineno}"
                assert not isinstance(said, ast.JoinedStr), f"{where} translates an f-string"
                if isinstance(said, ast.Constant):
                    assert said.value in known, f"{where}: {said.value!r} is inside an f-string"


COUNTED = re.compile(r"\{n(?::[^{}]*)?\} (?:\w+ )?\w+s\b")
NOT_COUNTED = {
    "Whoever owns {n} wins, whatever else happens.",
    "Or type your own (up to {n} letters)",
    "Your nickname (up to {n} letters)",
}
"""Texts whose number never changes, or is one of the board."""


def test_what_counts_things_has_a_plural(source: Catalog) -> None:
    """Other languages may have more forms than one for all numbers from 2 on."""
    single = {one.id for one in source if isinstance(one.id, str) and COUNTED.search(one.id)}
    assert single == NOT_COUNTED


IN_MODULES = re.compile(r"""\b(?:t|N_|plural|pgettext)\(\s*("(?:[^"\\\n]|\\.)*")""")


def test_every_marked_text_of_a_module_is_found(source: Catalog) -> None:
    """Babel does not look into the arguments of another text, nor far into template strings."""
    ids = (one.id if isinstance(one.id, str) else one.id[0] for one in source)
    known = [*ids, *(one.context for one in source if one.context)]
    for path in sorted((SOURCE / "web" / "page").rglob("*.js")):
        code = re.sub(r"^ \*.*|^ *//.*", "", path.read_text("utf-8"), flags=re.MULTILINE)
        for said in map(json.loads, IN_MODULES.findall(code)):
            assert any(one.startswith(said) for one in known), f"{path.name}: {said!r} is not found"


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: path.name)
def test_nothing_else_is_called_what_translates(path: Path) -> None:
    """Where `_` is imported, a function that also binds it could not say anything any more."""
    text = path.read_text("utf-8")
    if not re.search(r"^from numduel.core.language import .*\b_\b", text, re.MULTILINE):
        return
    for function in ast.walk(ast.parse(text)):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
            bound = any(node.id == "_" and isinstance(node.ctx, ast.Store) for node in names)
            calls = any(
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "_"
                for node in ast.walk(function)
            )
            assert not (bound and calls), f"{function.name} binds _"


def test_what_programs_read_is_english_in_every_language() -> None:
    def told() -> list[object]:
        record = parse("Game: duel\n\n4 6 5 7 3\n")
        posed, best = puzzle(numduel.game("duel"), seed=3), strategy(numduel.game("capture"))
        return [record.json(), record.text(), posed.json(), best.json()]

    english = told()
    with speaking("de"):
        assert told() == english


# -- whole pages ----------------------------------------------------------------------------

PAGES = [
    pytest.param(path, id=path.relative_to(DOCS).as_posix())
    for folder in ("rules", "lessons", "plans", "")
    for code in CODES
    for path in sorted((DOCS / folder / code).glob("*.md"))
]
CODE, NUMBER = re.compile(r"`[^`\n]+`"), re.compile(r"\d+")
EVENT = re.compile(r"^```event\n.*?^```$", re.MULTILINE | re.DOTALL)


def sections(path: Path) -> list[str]:
    """The sections of a page; what only the tests read is not translated."""
    parts = path.read_text("utf-8").split("\n## ")
    return [part for part in parts if not part.startswith(f"{UNREAD}\n")]


@pytest.mark.parametrize("path", PAGES)
def test_a_translated_page_has_the_sections_the_code_and_the_numbers_of_the_english_one(
    path: Path,
) -> None:
    english, told = sections(path.parents[1] / path.name), sections(path)
    assert len(told) == len(english)
    for ours, theirs in zip(english, told, strict=True):
        for kind in (CODE, EVENT, NUMBER):
            assert Counter(kind.findall(theirs)) == Counter(kind.findall(ours)), theirs[:60]
