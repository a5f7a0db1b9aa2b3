"""Where things are kept on this machine, and how a file is replaced as a whole."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4


def cache_folder() -> Path:
    """Where this user's caches are: what is there can be made again."""
    from platformdirs import user_cache_path

    return user_cache_path("numduel", appauthor=False)


def replace(path: Path, parts: Iterable[Any]) -> None:
    """Write a file beside its place, down to the disk, and then put it there: whoever reads it
    sees the old one or the new one. Raises OSError if that is not possible, and changes nothing."""
    part = path.with_name(f".{path.name}.{uuid4().hex[:12]}.part")
    try:
        with open(part, "xb") as file:
            for data in parts:
                file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise
