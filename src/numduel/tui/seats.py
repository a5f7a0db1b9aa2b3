"""The seats of this user in games on servers."""

from __future__ import annotations

from numduel.client import Link
from numduel.files import read_json, write_json

FILE = "online.json"
"""The seats by the address of the game, each with its token and invitation."""
MAX_SEATS = 50
"""How many seats are kept, the latest."""


def seats() -> dict[str, dict[str, str]]:
    """Tokens and invitations by the address of the game, the latest last."""
    found = read_json(FILE)
    if not isinstance(found, dict):
        return {}
    return {
        key: {str(name): str(text) for name, text in value.items()}
        for key, value in found.items()
        if isinstance(value, dict)
    }


def keep_seat(link: Link, **what: str) -> None:
    """Keep a seat; raises OSError if that is not possible."""
    known, address = seats(), link._replace(secret="").text
    known[address] = known.pop(address, {}) | what
    write_json(FILE, dict(list(known.items())[-MAX_SEATS:]))
