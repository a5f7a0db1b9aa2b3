"""What is installed is what the lock names, file by file."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
ENTRY = re.compile(
    r"([\w-]+)==[\w.+-]+( ; .*?)? \\\n(    --hash=sha256:[0-9a-f]{64}( \\)?\n)+    # .*\n"
)


def test_every_package_of_the_lock_has_a_version_and_hashes_and_no_address() -> None:
    text = (ROOT / "requirements.lock").read_text("utf-8")
    assert ENTRY.sub("", text) == ""
    assert "://" not in text


def needed(name: str, extras: frozenset[str]) -> set[str]:
    """The packages that an installed one needs here, and all that these need."""
    found: set[str] = set()
    waiting = [(name, extras)]
    seen = set()
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        found.add(canonicalize_name(one[0]))
        try:
            lines = requires(one[0]) or []
        except PackageNotFoundError:
            continue
        for line in map(Requirement, lines):
            if any(
                line.marker is None or line.marker.evaluate({"extra": extra})
                for extra in (*one[1], "")
            ):
                waiting.append((line.name, frozenset(line.extras)))
    return found - {"numduel"}


@pytest.mark.parametrize("extras", ["", "dev"])
def test_the_part_of_the_lock_for_some_extras_is_whole(extras: str) -> None:
    command = [sys.executable, str(ROOT / "tools" / "locked"), extras]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    names = {match[1] for match in ENTRY.finditer(told)}
    assert needed("numduel", frozenset(extras.split())) | needed("hatchling", frozenset()) <= names
    assert "fastapi" in names, "the server is no extra"
    assert ("mypy" in names) == (extras == "dev")


def test_the_lock_is_for_every_python_that_numduel_is_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    makefile = (ROOT / "Makefile").read_text("utf-8")
    (oldest,) = re.findall(r"--python-version (\S+)", makefile)
    assert project["requires-python"] == f">={oldest}", "Debian 12 has Python 3.11.2"
