"""Pages for teachers, which are those of the documentation: the plans of lessons, and what is good
to know (`*.md` beside this file)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode

from numduel.core.errors import UnknownGame
from numduel.core.game import Game
from numduel.core.language import N_, _, cached, language
from numduel.games import game as find
from numduel.games import games
from numduel.web.pages import static
from numduel.web.pages.typeset import markdown

if TYPE_CHECKING:
    from markdown_it.token import Token
    from markupsafe import Markup

FOLDER = Path(__file__).parent
GUIDES = {
    "classroom": (N_("In the classroom"), N_("How a lesson goes, from the code to the report.")),
    "curriculum": (N_("What each lesson is for"), N_("Topics and ages.")),
}
"""The pages that are not about one game, in the order in which a teacher needs them: title, and a
sentence about it."""
MAX_GUIDES = 64
"""Pages in memory; somebody may ask for any name."""
UNREAD = "Checked"
"""The heading of what only the tests read."""
EVENT = "event"
"""What a plan calls a block with the choices for an event."""
BUTTONS = N_("Make the first event"), N_("Make the second event")
"""What buttons of plans say; their blocks are the same in all languages."""
PLACES = {"rules": "rules", "lessons": "learn", "plans": "teach", "": "teach"}
"""Where the pages in a folder of the documentation are served."""
LINK = re.compile(r"(?:\.\./)*(?:(rules|lessons|plans)/)?(?:[a-z]{2}/)?(\w+)\.md(#.*)?")
PICTURE = re.compile(r"(?:\.\./)*pictures/([\w-]+\.png)")


class Guide(NamedTuple):
    """A page for teachers."""

    title: str
    about: str
    """Its first sentences, as a plain text."""
    body: Markup
    """Everything but the title, as HTML."""
    game: Game | None = None
    """The game of the lesson, if it is the plan of one."""

    @property
    def topic(self) -> str:
        """What a lesson is about: ``Pairs and proof``."""
        told = self.title.partition(": ")[2]
        return told[:1].upper() + told[1:]


@cached(MAX_GUIDES)
def guide(name: str) -> Guide | None:
    """The page of this name: one of `GUIDES`, or the plan of a lesson with a game. It is in the
    language spoken, if there is such a file."""
    if name in GUIDES:
        own = FOLDER / language() / f"{name}.md"
        path = own if own.is_file() else FOLDER / f"{name}.md"
        return _read(path.read_text("utf-8"))
    try:
        game = find(name)
    except UnknownGame:
        return None
    return _read(game.plan, game) if game.plan else None


def plans() -> list[Guide]:
    """The plans of all lessons."""
    return [page for kind in games() if (page := guide(kind.name))]


def _read(text: str, game: Game | None = None) -> Guide:
    """A page of Markdown. What only the tests read is left out."""
    from markupsafe import Markup

    sections = text.strip().split("\n## ")
    shown = "\n## ".join(part for part in sections if part.split("\n")[0] != UNREAD)
    heading, _line, body = shown.partition("\n")
    reader = markdown()
    tokens = reader.parse(body)
    _serve(tokens)
    html = Markup(reader.renderer.render(tokens, reader.options, {}))  # noqa: S704
    first = next(token.content for token in tokens if token.type == "inline")
    return Guide(heading.removeprefix("# "), _plain(first), html, game)


def _plain(markdown: str) -> str:
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", markdown).replace("*", "").replace("\n", " ")


def _serve(tokens: list[Token]) -> None:
    """Let links and pictures lead to where they are served, and headings be led to."""
    for at, token in enumerate(tokens):
        if token.type == "fence" and token.info == EVENT:
            token.type, token.content = "html_block", _button(token.content)
        if token.type == "heading_open":
            token.attrSet("id", anchor(tokens[at + 1].content))
        if token.children:
            token.children = list(_served(token.children))


def _button(text: str) -> str:
    """What makes an event with the choices that a plan names."""
    choices = event_choices(text)
    label = f"Make {choices.pop('make')}"
    return f'<p><a class="button" href="/arena#{urlencode(choices)}">{escape(_(label))}</a></p>\n'


def event_choices(text: str) -> dict[str, str]:
    """The lines of an event in a plan: the game, its settings, and those of the event."""
    lines = (line.partition(": ") for line in text.strip().split("\n"))
    return {name: value for name, _colon, value in lines}


def _served(tokens: list[Token]) -> Iterator[Token]:
    """Links to pages that are not served become plain texts."""
    leads = True
    for token in tokens:
        if token.type == "link_open":
            target = _target(str(token.attrs["href"]))
            leads = target is not None
            token.attrs["href"] = target or ""
        elif token.type == "image":
            _place_picture(token)
        if leads or not token.type.startswith("link_"):
            yield token


def _target(href: str) -> str | None:
    """Where a link of the documentation leads on the page; None if it does not."""
    if href.startswith(("#", "https://", "http://")):
        return href
    found = LINK.fullmatch(href)
    if found is None or (not found[1] and found[2] not in GUIDES):
        return None
    return f"/{PLACES[found[1] or '']}/{found[2]}{found[3] or ''}"


def _place_picture(token: Token) -> None:
    if found := PICTURE.fullmatch(str(token.attrs["src"])):
        token.attrs["src"] = static.path_of(found[1])


def anchor(heading: str) -> str:
    """What stands behind the `#` in a link to a heading."""
    return re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-")
