"""The templates and how Jinja2 fills them in."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from numduel.core.text import printable

if TYPE_CHECKING:
    from jinja2 import Environment

LONGEST = 2000
"""The most characters of a text that a page or picture shows."""


def render(template: str, **values: object) -> str:
    """A template filled in; every text is escaped."""
    return _environment().get_template(template).render(values)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("numduel.lab.figures"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_clean,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _clean(value: object) -> object:
    """A text without control characters, which XML cannot hold; rendered markup stays."""
    return printable(value, LONGEST) if type(value) is str else value
