"""Running numduel to its end on any system: with nothing that only POSIX has, and more slowly than
`tests.cli` does it on Linux."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

DATA_HOMES = {"posix": "XDG_DATA_HOME", "nt": "WIN_PD_OVERRIDE_LOCAL_APPDATA"}
DATA_HOME = DATA_HOMES[os.name]
"""The variable that names the folder where a user's games are; on Windows, the caches too."""


class Ran(NamedTuple):
    """What a finished process did."""

    code: int
    out: str
    err: str


def run(home: Path, *arguments: str, typed: str = "") -> Ran:
    """Run numduel with all of its input waiting in a pipe."""
    done = subprocess.run(
        [sys.executable, "-m", "numduel", *arguments],
        input=typed, capture_output=True, encoding="utf-8", cwd=home, check=False,
        env={**os.environ, "HOME": str(home), DATA_HOME: str(home), "PYTHONUTF8": "1"},
    )  # fmt: skip
    return Ran(done.returncode, done.stdout, done.stderr)
