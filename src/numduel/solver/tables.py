"""Solved games on disk, in the platform's cache folder: checked when read, replaced atomically.

A table is a header, one line of JSON, and then the values. One that is damaged, of another format
or variant, or made by other rules or another solver, is ignored and made again. `exists` needs
neither NumPy nor the compiler.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from zlib import crc32

from numduel.core.game import Game
from numduel.files import cache_folder, is_private, make_private, remove_abandoned, replace

FORMAT = 2
MAX_HEADER = 4096
BLOCK = 1 << 24


def folder() -> Path:
    """Where the tables of this user are kept."""
    return cache_folder() / "tables"


def path(game: Game) -> Path:
    """The file of a game in its variant."""
    return folder() / f"{game.slug}.table"


def exists(game: Game) -> bool:
    """Whether there is a table; it may be damaged or out of date."""
    try:
        return path(game).exists()
    except OSError:
        return False


def save(game: Game, values: Any) -> None:
    """Save the values of a game; raises OSError on failure, and keeps the old file."""
    place = path(game)
    make_private(place.parent)
    remove_abandoned(place.parent)
    data = _bytes(values)
    header = json.dumps(_header(game, values, _sum(data))).encode()
    replace(place, [header, b"\n", data])


def load(game: Game, kind: Any, shape: tuple[int, ...] | None = None) -> Any:
    """The saved values of a game; None if they are missing, damaged or of another shape, or if
    others can write to the folder."""
    import numpy as np

    if not is_private(folder()):
        return None
    try:
        with open(path(game), "rb") as file:
            header = json.loads(file.readline(MAX_HEADER))
            start, size = file.tell(), os.fstat(file.fileno()).st_size
            shape = shape or tuple(map(int, header["shape"]))
            values = np.memmap(file, kind, "r", start, shape)
        if size != start + values.nbytes:
            return None
        expected = _header(game, values, _sum(_bytes(values)))
    except (OSError, ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return None
    return values if header == expected else None


def _header(game: Game, values: Any, checksum: int) -> dict[str, object]:
    from numduel.solver.digests import stamp

    return {
        "format": FORMAT,
        "game": game.id,
        "variant": game.settings,
        "sources": stamp(type(game)),
        "type": str(values.dtype),
        "shape": list(values.shape),
        "checksum": checksum,
    }


def _bytes(values: Any) -> Any:
    import numpy as np

    return np.ascontiguousarray(values).reshape(-1).view(np.uint8)


def _sum(data: Any) -> int:
    total = 0
    for begin in range(0, len(data), BLOCK):
        total = crc32(data[begin : begin + BLOCK], total)
    return total
