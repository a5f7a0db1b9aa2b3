"""Docstrings as Markdown, for the reference on the site (`extensions` in mkdocs.yml)."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

DIALOGUE = re.compile(r"^([ ]*)>>> .*(?:\n\1\S.*)*", re.MULTILINE)
"""A dialogue with Python, up to the next empty line."""


class Markdown(Extension):
    """Dialogues become blocks of code, and `::` before indented lines a colon."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Rewrite a docstring as soon as it is read."""
        if obj.docstring is not None:
            text = DIALOGUE.sub(lambda found: f"```pycon\n{found[0]}\n```", obj.docstring.value)
            obj.docstring.value = re.sub(r"::$", ":", text, flags=re.MULTILINE)
