"""The seats of this user in games on servers, and copies of these games among the saved ones."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.screen import Screen

from numduel import files
from numduel.activities.keeping import resumed
from numduel.core.errors import BadRecord
from numduel.play.record import NO_HELP, UNFINISHED, Record, read
from numduel.play.store import all_games, folder, worth_listing

if TYPE_CHECKING:
    from numduel.client import Link

FILE = "online.json"
"""The seats by the address of the game: the token, the invitation for a friend, and whether the
game is on the server of this app itself."""
MAX_SEATS = 50
"""How many seats are kept, the latest."""
LOCK_TIMEOUT = 2.0
"""Seconds to wait while another app keeps a seat."""


def seats() -> dict[str, dict[str, str]]:
    """What is known of each seat by the address of its game, the latest last."""
    found = files.read_json(FILE)
    if not isinstance(found, dict):
        return {}
    return {
        key: {str(name): str(text) for name, text in value.items()}
        for key, value in found.items()
        if isinstance(value, dict)
    }


def keep_seat(link: Link, **what: str) -> None:
    """Keep a seat; raises OSError if that is not possible."""
    path = files.data_folder() / FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    held = files.lock(path, LOCK_TIMEOUT)
    try:
        known = seats()
        known[link.address] = known.pop(link.address, {}) | what
        files.write_json(FILE, dict(list(known.items())[-MAX_SEATS:]))
    finally:
        files.unlock(held)


# -- copies ---------------------------------------------------------------------------------


def copy_of(link: Link) -> Record | None:
    """The game as it was when it was last seen here."""
    with suppress(BadRecord):
        return read(_path(link))
    return None


def save_copy(link: Link, record: Record) -> None:
    """Save a game among the others of this user; raises OSError if that is not possible."""
    before = copy_of(link)
    date = before.date if before else datetime.now().replace(microsecond=0)
    helped = record.help | (before.help if before else NO_HELP)
    path = _path(link)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = replace(record, online=link.address, date=date, help=helped).text()
    files.replace(path, [text.encode("utf-8")])


def _path(link: Link) -> Path:
    """The file of a game; a server cannot choose its name."""
    return folder() / f"online-{sha256(link.address.encode()).hexdigest()[:16]}.duel"


def continued(path: Path) -> Screen[Any]:
    """The screen on which a saved game goes on: at this keyboard, or on its server."""
    record = read(path)
    if record.online:
        from numduel.client import read_link
        from numduel.tui.remote import seated

        return seated(read_link(record.online))
    from numduel.tui.play import Play

    return Play(resumed(path))


def unfinished_games() -> list[tuple[Path, Record]]:
    """The saved games to go on with, the latest first, without those online that nobody has moved
    in, such as a rematch that was left: unless a friend is invited, or it is the latest of all."""
    known, listed = seats(), worth_listing(all_games(), lambda saved: saved[1])
    return [
        (path, record)
        for place, (path, record) in enumerate(listed)
        if record.result == UNFINISHED
        and (
            place == 0
            or record.state.moves
            or not record.online
            or known.get(record.online, {}).get("invite")
        )
    ]
