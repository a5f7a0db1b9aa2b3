"""Which steps somebody has done, kept in one small file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from numduel.files import data_folder, replace

Progress = Mapping[str, frozenset[int]]
"""The numbers of the steps that are done, by the name of the game."""


def path() -> Path:
    """The file of this user."""
    return data_folder() / "lessons.json"


def read() -> Progress:
    """What is done so far; a file that is missing or damaged tells nothing."""
    try:
        found = json.loads(path().read_bytes())
    except (OSError, RuntimeError, ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {
        name: frozenset(number for number in steps if type(number) is int)
        for name, steps in found.items()
        if isinstance(steps, list)
    }


def add(name: str, step: int) -> None:
    """Keep that a step is done; raises OSError if that is not possible."""
    known = read()
    done = {**known, name: known.get(name, frozenset()) | {step}}
    path().parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({game: sorted(steps) for game, steps in sorted(done.items())})
    replace(path(), [f"{text}\n".encode()])
