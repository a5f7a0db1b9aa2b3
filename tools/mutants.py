"""Break lines of the code on purpose, one at a time, and say which of them no test notices.

    python -m tools.mutants                       # sixty lines over all packages
    python -m tools.mutants --count 20 web/live   # twenty of files whose path contains this

Each change is made in a copy of the project, where first the tests nearest to the changed file run
and then, if these have noticed nothing, all others of `make test`. A run that was interrupted goes
on, unless something was changed meanwhile.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.plugins.proof import ROOT, stamp
from tools.mutating import Mutation, mutations

PACKAGE = ROOT / "src" / "numduel"
KEPT = ROOT / ".venv" / "mutants.json"
LEFT_OUT = ("migrations",)
"""What is not broken: it ran once, and is never changed again."""
NEAR_LIMIT, WHOLE_LIMIT = 600, 1800
"""Seconds after which tests that hang have noticed something; much longer than they take."""
UNNOTICED = 0
"""What pytest exits with if nothing has failed."""
NO_TESTS = (4, 5)
"""What it exits with if there is no such folder, or no test in it."""


def chosen(count: int, seed: int, part: str) -> list[Mutation]:
    """Some changes, of as many packages, files and lines as there can be."""
    luck, packages = Random(seed), dict[str, list[Path]]()
    for path in sorted(PACKAGE.rglob("*.py")):
        name = str(path.relative_to(PACKAGE))
        if part in name and not any(word in path.parts for word in LEFT_OUT):
            packages.setdefault(name.partition("/")[0], []).append(path)
    found: list[Mutation] = []
    queues = {name: _of_package(paths, luck) for name, paths in packages.items()}
    while queues and len(found) < count:
        for name in luck.sample([*queues], len(queues)):
            mutation = next(queues[name], None)
            if mutation is None:
                del queues[name]
            elif len(found) < count:
                found.append(mutation)
    return found


def _of_package(paths: list[Path], luck: Random) -> Iterator[Mutation]:
    """Changes to the files of a package: larger ones more often, and no line twice."""
    lines: dict[tuple[str, int], list[Mutation]] = {}
    for path in paths:
        for mutation in mutations(path.read_text("utf-8"), str(path.relative_to(ROOT))):
            lines.setdefault((mutation.file, mutation.line), []).append(mutation)
    for at in luck.sample([*lines], len(lines)):
        yield luck.choice(lines[at])


def nearest(mutation: Mutation) -> list[str]:
    """The tests of the package or module that is changed, as `tests/` mirrors them."""
    inside = Path(mutation.file).relative_to("src/numduel")
    module = Path("tests", f"test_{inside.name}")
    return [str(module if len(inside.parts) == 1 else Path("tests", inside.parts[0]))]


def notices(copy: Path, tests: list[str], limit: int) -> bool:
    """Whether some test fails in a copy of the project, or there is no end to it."""
    words = [sys.executable, "-m", "pytest", "-x", "-n", str(os.cpu_count()), f"--limit={limit}"]
    paths = [str(copy / "src")]
    done = subprocess.run(
        [*words, *tests], cwd=copy, env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    return done.returncode not in (UNNOTICED, *NO_TESTS)


def tried(copy: Path, mutation: Mutation) -> str:
    """How a change was noticed: by the tests near to it, by others, or not at all."""
    place = copy / mutation.file
    place.write_text(mutation.source, "utf-8")
    try:
        if notices(copy, nearest(mutation), NEAR_LIMIT):
            return "near"
        return "elsewhere" if notices(copy, [], WHOLE_LIMIT) else "not noticed"
    finally:
        place.write_text((ROOT / mutation.file).read_text("utf-8"), "utf-8")


def copied(folder: Path) -> Path:
    """A copy of the project, with what was compiled."""
    copy = folder / "numduel"
    ignored = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis")
    shutil.copytree(ROOT, copy, ignore=ignored)
    (copy / ".venv").mkdir()
    if (compiled := ROOT / ".venv" / "test-cache").exists():
        shutil.copytree(compiled, copy / ".venv" / "test-cache")
    return copy


def main() -> None:
    """Try all, one after the other, and print what becomes of them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("part", nargs="?", default="", help="files whose path contains this")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    known = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    results: dict[str, str] = known.get("results", {}) if known.get("stamp") == stamp() else {}
    todo = chosen(options.count, options.seed, options.part)
    with tempfile.TemporaryDirectory(prefix="numduel-mutants-") as folder:
        copy = copied(Path(folder))
        for number, mutation in enumerate(todo, 1):
            started = time.monotonic()
            if str(mutation) not in results:
                results[str(mutation)] = tried(copy, mutation)
                kept = {"stamp": stamp(), "results": results}
                KEPT.write_text(json.dumps(kept, indent=1), "utf-8")
            took = time.monotonic() - started
            print(f"{number:3} {results[str(mutation)]:11} {took:5.0f} s  {mutation}", flush=True)
    missed = [one for one in todo if results[str(one)] == "not noticed"]
    print(f"\n{len(todo) - len(missed)} of {len(todo)} were noticed. Not noticed:")
    print(*missed, sep="\n")


if __name__ == "__main__":
    main()
