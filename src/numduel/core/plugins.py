"""Classes that other packages register as entry points."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from numduel.core.text import is_slug

Kind = TypeVar("Kind")


def registered(
    group: str,
    base: type[Kind],
    names: Callable[[type[Kind]], set[str]],
    taken: Callable[[], set[str]],
    fault: Callable[[type[Kind]], str] = lambda _: "",
) -> Iterator[type[Kind]]:
    """The classes that are registered under a group. One that cannot be loaded, whose name is taken
    or that has a `fault` is left out with a warning; `taken` is asked only if there is one."""
    from importlib.metadata import entry_points

    entries = entry_points(group=group)
    known = {*taken()} if entries else set()
    for entry in entries:
        try:
            kind = entry.load()
            if not (isinstance(kind, type) and issubclass(kind, base)):
                raise TypeError(f"it is not a subclass of {base.__name__}")
            if names(kind) & known:
                raise ValueError(f"another {base.__name__.lower()} has that name already")
            if not all(map(is_slug, names(kind))):
                raise ValueError("its id and name must be made of a-z, 0-9 and hyphens")
            if wrong := fault(kind):
                raise ValueError(wrong)
        except Exception as error:  # whatever another package does wrong
            import logging

            logging.getLogger(__name__).warning(
                "numduel: the %s %s (%s) is left out: %s: %s",
                base.__name__.lower(), entry.name, entry.value, type(error).__name__, error,
            )  # fmt: skip
            continue
        known |= names(kind)
        yield kind
