"""Which steps somebody has done, kept in one small file."""

from __future__ import annotations

from collections.abc import Mapping

from numduel.files import read_json, write_json

FILE = "lessons.json"
Progress = Mapping[str, frozenset[int]]
"""The numbers of the steps that are done, by the name of the game."""


def read() -> Progress:
    """What is done so far; a file that is missing or damaged tells nothing."""
    found = read_json(FILE)
    if not isinstance(found, dict):
        return {}
    return {
        name: frozenset(number for number in steps if type(number) is int)
        for name, steps in found.items()
        if isinstance(steps, list)
    }


def add(name: str, *steps: int) -> None:
    """Keep that steps are done; raises OSError if that is not possible."""
    known = read()
    done = {**known, name: known.get(name, frozenset()) | {*steps}}
    write_json(FILE, {game: sorted(steps) for game, steps in sorted(done.items())})
