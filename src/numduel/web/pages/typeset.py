"""How texts are set on a page: with typographic apostrophes, whatever they were written for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

APOSTROPHE = re.compile(r"(?<=[^\W_]|\))'(?=[^\W\d_])")


def typeset(value: object) -> object:
    """A value for a template: a plain text with typographic apostrophes."""
    return APOSTROPHE.sub("’", value) if type(value) is str else value


def markdown() -> MarkdownIt:
    """A reader of Markdown with tables; HTML in it is escaped."""
    from markdown_it import MarkdownIt

    options = {"html": False, "typographer": True, "quotes": '""‘’'}
    return MarkdownIt("commonmark", options).enable(["table", "smartquotes"])
