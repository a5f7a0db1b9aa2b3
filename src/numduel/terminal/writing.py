"""Files that commands write: none is replaced unless somebody says so."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from numduel.core.errors import BadVariant
from numduel.core.text import file_name
from numduel.files import refused, replace
from numduel.play.record import open_file

Force = Annotated[bool, typer.Option("--force", help="Replace a file that exists already.")]


def refuse_to_overwrite(
    path: str | Path | None, mark: str | None = None, *, force: bool = False
) -> None:
    """Refuse to replace a file, unless that is wanted, or it is an earlier report, which has a
    mark. A folder is never replaced."""
    if path is None or not os.path.lexists(path):
        return
    if os.path.isdir(path):
        raise BadVariant(refused(path, IsADirectoryError()))
    ours = force
    with suppress(OSError):
        if mark is not None:
            with open_file(path) as file:
                ours = ours or mark.encode() in file.read(1024)
    if not ours:
        raise BadVariant(f"{file_name(path)} exists already; --force replaces it.")


def write(path: str | Path, text: str) -> None:
    """Write a file, all of it or nothing."""
    try:
        replace(Path(path), [text.encode("utf-8")], private=False)
    except OSError as error:
        raise BadVariant(refused(path, error)) from None
