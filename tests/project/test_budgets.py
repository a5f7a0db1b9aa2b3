"""How large each room may be: a room at its aim stays there, and a larger one may only shrink.

Who makes a room smaller lowers its figure here. Who raises an aim deletes as much somewhere else,
or says in the commit why the reader is better off.
"""

from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
STALE = 1.02
"""How much too high a figure may be before it has to be lowered."""


class Room(NamedTuple):
    """What counts are lines, comments included; for documents, bytes."""

    name: str
    aim: int
    now: int
    files: str
    without: str = "vendored"  # a folder that counts elsewhere


ROOMS = (
    Room("core", 700, 2_788, "src/numduel/core/**/*.py"),
    Room("games", 1_150, 1_999, "src/numduel/games/**/*.py"),
    Room("solver", 450, 2_357, "src/numduel/solver/**/*.py"),
    Room("play", 700, 1_525, "src/numduel/play/**/*.py"),
    Room("learn", 1_700, 4_138, "src/numduel/learn/**/*.py"),
    Room("activities", 2_200, 2_974, "src/numduel/activities/**/*.py"),
    Room("prompt", 900, 3_320, "src/numduel/terminal/**/*.py"),
    Room("app", 1_600, 4_932, "src/numduel/tui/**/*.py"),
    Room("events", 1_100, 4_742, "src/numduel/**/events/**/*.py"),
    Room("server", 2_900, 10_795, "src/numduel/web/**/*.py", "events"),
    Room("lab", 2_000, 3_190, "src/numduel/lab/**/*.py"),
    Room("agents", 1_100, 2_156, "src/numduel/agents/**/*.py"),
    Room("rest", 900, 1_540, "src/numduel/*.py"),
    Room("the whole package", 17_400, 46_472, "src/numduel/**/*.py"),
    Room("templates", 800, 1_249, "src/numduel/web/**/*.html"),
    Room("scripts", 500, 7_875, "src/numduel/web/**/*.js"),
    Room("styles", 1_200, 5_518, "src/numduel/web/**/*.css"),
    Room("tests", 13_000, 44_870, "tests/**/*.py"),
    Room("tests of scripts", 500, 5_256, "tests/**/*.js"),
    Room("tools, bench and load", 1_800, 2_977, "tools/* bench/* load/*"),
    Room("examples", 600, 702, "examples/**/*.py"),
    Room("environments", 150, 230, "environments/**/*.py"),
    Room("documents", 100_000, 105_987, "docs/*.md"),
)


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_a_room_is_no_larger_than_its_budget(room: Room) -> None:
    size = sum(
        len(path.read_bytes()) if path.suffix == ".md" else path.read_bytes().count(b"\n")
        for pattern in room.files.split()
        for path in ROOT.glob(pattern)
        if path.is_file() and room.without not in path.parts and path.suffix != ".pyc"
    )
    assert size <= max(room.aim, room.now), f"{room.name}: take something away first"
    assert room.now <= max(room.aim, size * STALE), f"{room.name}: lower its figure to {size}"
