"""Text that breaks between words, never between a number and its unit."""

from __future__ import annotations

import re
from typing import Any

from textual.content import Content
from textual.geometry import Size
from textual.widgets import Static

UNIT = re.compile(r"\xa0|(?<=\d) (?=%|(?:s|min|h|days?|moves?|points?|games?)\b)")
GLUE = "\ue000"
"""Stands for a blank at which no line may break; Textual breaks even at a no-break space."""


class Paragraph(Static):
    """A text in lines; if it has to be cut, it says which key shows all of it."""

    def __init__(self, text: str | Content = "", **kwargs: Any) -> None:
        super().__init__(text, markup=False, **kwargs)

    @property
    def whole(self) -> Content:
        """The text, whether it fits or not."""
        return self.visual if isinstance(self.visual, Content) else Content()

    @property
    def clipped(self) -> bool:
        """Whether some of it cannot be seen."""
        width, height = self.content_size
        return width > 0 and len(self._broken(width)) > height

    def render(self) -> Content:
        """As many lines as there is room for."""
        width, height = self.content_size
        if not self.clipped:
            return Content("\n").join(self._broken(width))
        *lines, last = self._broken(width)[: max(1, height)]
        more = " … space"
        words = last.wrap(max(1, width - len(more)))[0]
        return Content("\n").join([*lines, Content.assemble(words.rstrip(), (more, "dim"))])

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The lines of the whole text."""
        return len(self._broken(width))

    def _broken(self, width: int) -> list[Content]:
        """The text in lines that are not wider."""
        text = self.whole
        glued = Content(UNIT.sub(GLUE, text.plain), [*text.spans])
        lines = glued.wrap(max(1, width))
        return [Content(line.plain.replace(GLUE, " "), [*line.spans]) for line in lines]
