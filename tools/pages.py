"""What MkDocs needs to make a site of this repository, where it lies (`hooks` in mkdocs.yml).

Pages outside ``docs`` (README, CONTRIBUTING, …) and every file that a page links to are added, each
once, and all links lead there. CONTRIBUTING becomes a page for each of its parts. What other doors
draw from a page (tasks of lessons, events of plans) is written out, and rules get links.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from numduel.core import language
from numduel.core.language import ENGLISH, languages, speaking
from numduel.core.text import either

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
FAVICON = ROOT / "src" / "numduel" / "web" / "page" / "favicon.svg"
SPLIT = "CONTRIBUTING.md"
"""The page that has a page for each of its parts; in the nav it stands for all of them."""
UNREAD = "## Checked"
"""The heading of what only the tests read."""
UNSEARCHED = ("source/", "dataset/rules/")
"""Where code is, and the rules as agents are told them: whoever searches wants the others."""
LINK = re.compile(r"(?<=\]\()([^)\s:#]*)(#[^)\s]*)?(?=\))")
PICTURE = re.compile(r'(?:(?<= src=")|(?<= srcset="))([^":#]+)()(?=")')
FENCE = re.compile(r"^(`{3,})([^`\n]*)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
LANGUAGES = {".py": "python", ".yaml": "yaml", ".cff": "yaml", ".service": "ini"}


def slug(heading: str) -> str:
    """What stands behind the `#` in a link to a heading."""
    return re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-")


def parts() -> dict[str, str]:
    """The pages of CONTRIBUTING: the headings, and the text below each with its own heading."""
    first, *rest = re.split(r"^## (?=\S)", (ROOT / SPLIT).read_text("utf-8"), flags=re.MULTILINE)
    titles = {text.partition("\n")[0]: text for text in rest}
    return {"": first, **{title: f"# {text}" for title, text in titles.items()}}


def part_page(title: str) -> str:
    """Where a part of CONTRIBUTING is on the site."""
    return f"contribute/{slug(title)}.md" if title else "contribute/index.md"


def place(path: Path, anchor: str = "") -> str:
    """Where a file of the repository is on the site: the source of a page, and an anchor."""
    if path.is_relative_to(DOCS):
        return f"{path.relative_to(DOCS).as_posix()}{anchor}"
    name = path.relative_to(ROOT).as_posix()
    if name == SPLIT:
        found = [title for title in parts() if anchor and slug(title) == anchor[1:]]
        return part_page(found[0]) if found else f"{part_page('')}{anchor}"
    if path.suffix == ".md":
        return f"{'index.md' if name == 'README.md' else name.lower()}{anchor}"
    return f"source/{name}.md"


def linked(text: str, path: Path) -> list[Path]:
    """The files of the repository to which a page leads."""
    targets = [match[1] for pattern in (LINK, PICTURE) for match in pattern.finditer(text)]
    found = [Path(os.path.normpath(path.parent / target)) for target in targets]
    return [one for one in found if one.is_file() and one.is_relative_to(ROOT)]


def with_links(text: str, path: Path, here: str) -> str:
    """A page of the repository as it stands on the site at `here`."""

    def led(match: re.Match[str]) -> str:
        target = Path(os.path.normpath(path.parent / match[1])) if match[1] else path
        if not target.is_file() or not target.is_relative_to(ROOT):
            return match[0]
        return os.path.relpath(place(target, match[2] or ""), os.path.dirname(here) or ".")

    return PICTURE.sub(led, LINK.sub(led, text))


# -- the files -------------------------------------------------------------------------------


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the parts of CONTRIBUTING into the nav."""
    pages = [{title or "Overview": part_page(title)} for title in parts()]
    config.nav = [
        {name: pages if entry == SPLIT else entry for name, entry in section.items()}
        for section in config.nav or ()
    ]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of the repository, and all files to which a page leads."""
    waiting = [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]
    seen: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        if path.suffix == ".md":
            text = path.read_text("utf-8")
            waiting += linked(text, path)
        if path.is_relative_to(DOCS):
            continue
        if path == ROOT / SPLIT:
            for title, part in parts().items():
                add(files, config, part_page(title), with_links(part, path, part_page(title)))
        elif path.suffix == ".md":
            add(files, config, place(path), with_links(text, path, place(path)))
        else:
            add(files, config, place(path), source_page(path))
    files.append(File.generated(config, "favicon.svg", abs_src_path=str(FAVICON)))
    return files


def add(files: Files, config: MkDocsConfig, where: str, text: str) -> None:
    files.append(File.generated(config, where, content=text))


def source_page(path: Path) -> str:
    """A file that is not a page, as one."""
    name = path.relative_to(ROOT).as_posix()
    language = LANGUAGES.get(path.suffix, "text")
    return f"# `{name}`\n\n````{language}\n{path.read_text('utf-8')}````\n"


# -- the pages -------------------------------------------------------------------------------


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """A page as MkDocs reads it, where it differs from what others read."""
    here = page.file.src_uri
    folder, name = os.path.split(here)
    spoken = spoken_in(here)
    if page.file.generated_by is None:
        markdown = with_links(markdown, DOCS / here, here)
    if here == "index.md":  # the pictures have the whole width
        page.meta["hide"] = ["navigation", "toc"]
    if here.startswith(UNSEARCHED):
        page.meta["search"] = {"exclude": True}
    if here == "changelog.md":  # what is there comes before what was changed
        page.meta["search"] = {"boost": 0.1}
    if spoken != ENGLISH:  # who searches in English finds English first
        page.meta["search"] = {"boost": 0.5}
    if folder in FOLDERS:
        markdown = FOLDERS[folder](markdown, name.removesuffix(".md"))
    title, gap, text = markdown.partition("\n\n")
    markdown = title + in_other_languages(here) + gap + text
    with speaking(spoken):
        return outside_fences(indented, FENCE.sub(fence, markdown))


def on_post_page(output: str, page: Page, **_: object) -> str:
    """A page with its language, which screen readers and browsers need."""
    return output.replace('<html lang="en"', f'<html lang="{spoken_in(page.file.src_uri)}"', 1)


def spoken_in(here: str) -> str:
    """The language of a page: `plans/de/line.md` is German."""
    folder = os.path.basename(os.path.dirname(here))
    return folder if folder in languages() else ENGLISH


def in_other_languages(here: str) -> str:
    """Leads to a page in the other languages it has, if any, with an empty line before."""
    folder, name = os.path.split(here)
    home = folder if spoken_in(here) == ENGLISH else os.path.dirname(folder)
    told = []
    for code, title in languages().items():
        place = os.path.join(home, "" if code == ENGLISH else code, name)
        if (DOCS / place).is_file():
            link = os.path.relpath(place, folder or ".")
            told.append(title if place == here else f"[{title}]({link})")
    return "\n\n" + " · ".join(told) if len(told) > 1 else ""


def rules(text: str, name: str) -> str:
    """The rules, and what leads on from them."""
    told = {"lessons": "how to get better", "plans": "a lesson for a class"}
    more = [
        f"[{text.capitalize()}](../{folder}/{name}.md)"
        for folder, text in told.items()
        if (DOCS / folder / f"{name}.md").exists()
    ]
    return "\n\n".join([text.rstrip(), " · ".join(more)])


def plan(text: str, _: str) -> str:
    """A plan without what only the tests read."""
    sections = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    return "".join(one for one in sections if not one.startswith(UNREAD))


FOLDERS: dict[str, Callable[[str, str], str]] = {"rules": rules, "plans": plan}


def fence(match: re.Match[str]) -> str:
    """A block of code: tasks and events are written out, dialogues with Python are called so."""
    kind, inside = match.group(2, 3)
    if kind == "duel":
        return task(fields(inside))
    if kind == "event":
        return event(fields(inside))
    if kind == "python" and inside.lstrip().startswith(">>>"):
        return match[0].replace("python", "pycon", 1).replace("<BLANKLINE>", "")
    return match[0]


def fields(text: str) -> dict[str, str]:
    """The lines of a block, each with a name."""
    lines = (line.partition(": ") for line in text.splitlines())
    return {name: value for name, _, value in lines}


def task(told: dict[str, str]) -> str:
    """A task of a lesson, and the answer for those who open it."""
    lines = [f'!!! question "{language._("Your turn")}"', "", f"    {told['task']}", ""]
    moves = next((told[kind] for kind in ("win", "best", "prefer", "answer") if kind in told), None)
    if moves is not None:
        answer = either(f"**{move}**" for move in moves.split())
        lines += [f'??? success "{language._("Answer")}"', ""]
        lines += [f"    {answer}. {told.get('right', '')}", ""]
    return "\n".join(lines)


def event(chosen: dict[str, str]) -> str:
    """The choices for an event, which the page offers as a button."""
    title = language._(f"Make {chosen.pop('make')}")
    told = ", ".join(f"{name} *{value}*" for name, value in chosen.items())
    if language.language() == ENGLISH:
        told = f"On the page of a server this is a button, which chooses {told}."
    return f'!!! info "{title}"\n\n    {told}\n'


def outside_fences(change: Callable[[str], str], text: str) -> str:
    """A text changed wherever it is not code."""
    pieces, end = [], 0
    for match in FENCE.finditer(text):
        pieces += [change(text[end : match.start()]), match[0]]
        end = match.end()
    return "".join([*pieces, change(text[end:])])


def indented(text: str) -> str:
    """Paragraphs within a list as Python-Markdown wants them: four blanks, not two or three, and an
    empty line before the next item."""
    text = re.sub(r"(?<=\n\n) {2,3}(?=[^ \n])", "    ", text)
    return re.sub(r"(\n\n {4}\S.*(?:\n {2,4}\S.*)*\n)(?=(?:[0-9]+\.|-) )", r"\1\n", text)
