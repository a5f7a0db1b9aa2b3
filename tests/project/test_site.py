"""The site of the documentation is whole: every page, link and picture, without another host."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import markdown
import pytest
from markdown_it import MarkdownIt
from tools import pages

import numduel
from numduel.core.language import languages
from tests.project.test_docs import PAGES

ROOT = Path(__file__).parents[2]
LINK = re.compile(r'\s(?:href|src|srcset)="?([^"\s>]+)')
ANCHOR = re.compile(r'\s(?:id|name)="?([^"\s>]+)')
LOADED = re.compile(r"<(?:script|link|img|source|iframe|object)\s[^>]*>")
ELSEWHERE = re.compile(r"^(?:[a-z]+:|//)")


def test_the_site_is_built_without_a_warning_and_leads_nowhere_else(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", tmp_path],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    built = {path: path.read_text("utf-8") for path in tmp_path.rglob("*.html")}
    assert loaded_from_elsewhere(built, tmp_path) == []
    assert dead_links(built) == []
    assert [name for name in numduel.__all__ if not documented(name, built)] == []
    assert unread(built[tmp_path / "plans" / "line.html"]) == []
    assert led_to_by_none(built, tmp_path / "index.html") == {tmp_path / "404.html"}
    spoken = {path: text.partition('<html lang="')[2][:2] for path, text in built.items()}
    translated = {path for path in built if path.parent.name in languages()}
    assert {path for path, code in spoken.items() if code != "en"} == translated
    assert all(spoken[path] == path.parent.name for path in translated)
    assert "Du bist dran" in built[tmp_path / "lessons" / "de" / "duel.html"]
    searched = json.loads((tmp_path / "search" / "search_index.json").read_text("utf-8"))["docs"]
    last = {one["location"].partition("#")[0] for one in searched if one.get("boost", 1) < 1}
    assert {tmp_path / name for name in last} == {tmp_path / "changelog.html", *translated}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_site_has_the_lists_and_tables_that_others_read_in_a_page(path: Path) -> None:
    text = path.read_text("utf-8").removeprefix("---\n").rpartition("\n---\n")[2]
    read = MarkdownIt("commonmark").enable("table").render(text)
    told = pages.outside_fences(pages.indented, text)
    extensions = ["tables", "sane_lists", "pymdownx.superfences"]
    assert parts(markdown.markdown(told, extensions=extensions)) == parts(read)


def parts(html: str) -> Counter[str]:
    return Counter(re.findall(r"<(li|ul|ol|table|tr|blockquote|h\d|img|a)\b", html))


def loaded_from_elsewhere(pages: dict[Path, str], folder: Path) -> list[str]:
    """What a browser would fetch from another host to show the site."""
    tags = [tag for text in pages.values() for tag in LOADED.findall(text)]
    found = [target for tag in tags for target in LINK.findall(tag)]
    for path in folder.rglob("*.css"):
        found += re.findall(r"""url\(["']?([^"')]+)""", path.read_text("utf-8"))
        found += re.findall(r"""@import ["']([^"']+)""", path.read_text("utf-8"))
    return [one for one in found if ELSEWHERE.match(one) and not one.startswith("data:")]


def dead_links(pages: dict[Path, str]) -> list[str]:
    """The links and pictures that lead nowhere, each with the page it is on."""
    anchors = {page: {*map(unescape, ANCHOR.findall(text))} for page, text in pages.items()}
    dead = []
    for path, text in pages.items():
        for link in {unescape(link) for link in LINK.findall(text)}:
            if ELSEWHERE.match(link) or path.name == "404.html":  # that one is for no page
                continue
            name, _, anchor = unquote(link).partition("#")
            target = (path.parent / name).resolve() if name else path
            if not target.is_file() or (anchor and anchor not in anchors.get(target, {anchor})):
                dead.append(f"{path.name}: {link}")
    return sorted(dead)


def led_to_by_none(pages: dict[Path, str], start: Path) -> set[Path]:
    """The pages that nobody finds who follows links."""
    found, waiting = set(), [start]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            links = {unescape(link).partition("#")[0] for link in LINK.findall(pages[path])}
            waiting += {(path.parent / unquote(link)).resolve() for link in links} & pages.keys()
    return pages.keys() - found


def documented(name: str, pages: dict[Path, str]) -> bool:
    """Whether a public name stands in the reference."""
    here = (f'id="numduel.{name}"', f'id="numduel.games.{name}"')
    return any(anchor in text for text in pages.values() for anchor in here)


def unread(plan: str) -> list[str]:
    """What only the tests read, and a door draws."""
    return re.findall(r"id=\"checked\"|game: line", plan)
