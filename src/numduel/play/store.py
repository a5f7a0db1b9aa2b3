"""Where games are saved: one file each, written after every move so that nothing is ever lost."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from numduel.core.errors import BadRecord
from numduel.core.text import printable
from numduel.files import data_folder, lock, remove_abandoned, replace, unlock
from numduel.play.record import UNFINISHED, Record, read

if TYPE_CHECKING:
    from filelock import BaseFileLock

Game = TypeVar("Game")


class SaveFile:
    """A game on disk. Until it is closed, only this process can play it; others can read it.

    Each save writes a new file, which then takes the place of the old one: a reader sees a whole
    record, even if the process is killed in the middle.
    """

    def __init__(
        self, path: Path, lock: BaseFileLock | None = None, *, on_disk: bool = False
    ) -> None:
        self.path = path.resolve()
        self.on_disk = on_disk
        """Whether there is a file yet."""
        self._lock = lock

    def save(self, record: Record) -> None:
        """Write the record; raises OSError if that is not possible, and changes nothing then."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if self._lock is None:
            self._lock = lock(self.path)
        replace(self.path, [record.text().encode("utf-8")], locked=True)
        self.on_disk = True

    def close(self) -> None:
        """Let other processes play the game."""
        if self._lock is not None:
            unlock(self._lock)
            self._lock = None


def folder() -> Path:
    """The folder of this user's games."""
    return data_folder() / "games"


def new_save(record: Record) -> SaveFile:
    """A save file for a new game, under a new name; nothing is written yet."""
    remove_abandoned(folder())
    stamp = f"{datetime.now():%Y-%m-%d-%H%M%S}-{record.game.name}-{os.urandom(4).hex()}.duel"
    return SaveFile(folder() / stamp)


def open_save(path: Path) -> SaveFile:
    """The save file of a game to continue; `BadRecord` if another process is playing it. Read the
    record after this: before, another process may still add moves."""
    name = printable(path.name)
    try:
        path = path.resolve()
        with open(path, "r+b", buffering=0):
            pass
    except (OSError, RuntimeError, ValueError) as error:
        why = getattr(error, "strerror", None) or "that is not a file name"
        raise BadRecord(f"{name} cannot be opened: {why}.") from None
    try:
        return SaveFile(path, lock(path), on_disk=True)
    except BlockingIOError:
        raise BadRecord(f"{name} is being played in another window.") from None
    except OSError:
        # Where no lock can be written, no window can save the game either.
        return SaveFile(path, on_disk=True)


def remove(path: Path) -> None:
    """Remove a saved game; `BadRecord` if another process is playing it."""
    with closing(open_save(path)):
        try:
            path.unlink()
        except OSError as error:
            why = error.strerror or str(error)
            name = printable(path.name)
            raise BadRecord(f"{name} cannot be removed: {why}.") from None


def saved_games(*, finished: bool) -> list[tuple[Path, Record]]:
    """The finished or the unfinished games of this user that are listed, the latest first."""
    listed = worth_listing(all_games(), lambda saved: saved[1])
    return [saved for saved in listed if (saved[1].result != UNFINISHED) == finished]


def worth_listing(
    games: Iterable[Game], record: Callable[[Game], Record], *, from_latest: bool = True
) -> Iterator[Game]:
    """The games of a list, the latest first, without those that nobody misses: games in which no
    person has moved, and games against the computer that were left after one move, unless that is
    the latest of all."""
    latest = from_latest
    for game in games:
        told = record(game)
        if told.unplayed or (told.abandoned and not latest):
            continue
        latest = False
        yield game


def all_games() -> list[tuple[Path, Record]]:
    """The games of this user, the latest first, without broken files."""
    found = []
    try:
        paths = list(folder().glob("*.duel"))
    except OSError as error:
        raise BadRecord(f"The folder of saved games cannot be read: {error.strerror}.") from None
    for path in paths:
        with suppress(BadRecord):
            found.append((path, read(path)))
    return sorted(found, key=lambda pair: (str(pair[1].date or ""), pair[0].name), reverse=True)
