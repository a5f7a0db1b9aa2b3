"""The seats of this user on servers."""

from __future__ import annotations

from numduel.client import Link
from numduel.files import read_json, write_json

FILE = "online.json"
"""The seats, by the address of the game: each with its token and invitation."""
MAX_SEATS = 50
"""Seats that are remembered, the latest."""


def seats() -> dict[str, dict[str, str]]:
    """The seats of this user, the latest last: tokens and invitations by the address."""
    found = read_json(FILE)
    if not isinstance(found, dict):
        return {}
    return {
        key: {str(name): str(text) for name, text in value.items()}
        for key, value in found.items()
        if isinstance(value, dict)
    }


def keep_seat(link: Link, **what: str) -> None:
    """Remember a seat; raises OSError if that is not possible."""
    known = seats()
    seat = known.pop(link._replace(secret="").text, {}) | what
    known[link._replace(secret="").text] = seat
    write_json(FILE, dict(list(known.items())[-MAX_SEATS:]))
