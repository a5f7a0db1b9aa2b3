"""The command ``numduel join``: a game on a server, in the app."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Annotated

import typer

from numduel.client import read_link
from numduel.core.errors import BadVariant, NumduelError
from numduel.tui import full_screen, run

EVENT = re.compile(r".*/(join|arena)(/.*)?")
"""A page of an event."""


def join(
    link: Annotated[
        str,
        typer.Argument(
            metavar="[LINK]",
            help="The link to a game, or an invitation. Without one, the app asks for it.",
        ),
    ] = "",
    name: Annotated[
        str, typer.Option(metavar="NAME", help="Your name; without it, the one you had last.")
    ] = "",
) -> None:
    """Play or watch a game on a server, by its link, in the full-screen app."""
    if _is_event(link.strip()):
        raise BadVariant(
            "That is an event, which is played in a browser: open the address that its host shows."
        )
    address = read_link(link).text if link else ""
    if not full_screen():
        told = "The app needs a terminal; open your link in a browser."
        if link:
            told = f"The app needs a terminal; open this link in a browser: {address}"
        raise BadVariant(told)
    run(address, name)


def _is_event(text: str) -> bool:
    """Whether a text is the address of an event, or its code."""
    from numduel.events.names import read_code

    with suppress(NumduelError):
        return bool(read_code(text))
    return EVENT.fullmatch(text) is not None
