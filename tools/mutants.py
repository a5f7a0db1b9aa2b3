"""Break lines of the code on purpose, one at a time, and say which of them no test notices.

    python -m tools.mutants                       # sixty lines over all packages
    python -m tools.mutants --count 20 web/live   # twenty of files whose path contains this

Each change is made in a copy of the project. First the tests nearest to the changed files run, for
all changes; then, for those that these have not noticed, the tests that import the file, and all
others of `make test`. A run that was interrupted goes on, unless something was changed meanwhile.
"""

from __future__ import annotations

import argparse
import json
import os
import re
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
NEAR_LIMIT, LIMIT = 600, 3600
"""Seconds after which tests that hang count as failed: those near the change, and all others. They
take much less."""
UNNOTICED = 0
"""pytest's exit code if nothing failed."""
NO_TESTS = 5
"""pytest's exit code if there was no test to run."""
NOTHING = "nothing"
"""Stands for the test where no test has noticed a change."""
NOT_NEAR = "no test near to it"
"""The same while only the nearest tests have run."""


def chosen(count: int, seed: int, part: str) -> list[Mutation]:
    """Some changes, spread over packages, files and lines."""
    luck, packages = Random(seed), dict[str, list[Path]]()
    for path in sorted(PACKAGE.rglob("*.py")):
        name = str(path.relative_to(PACKAGE))
        if part in name:
            packages.setdefault(name.rpartition("/")[0].partition("/")[0], []).append(path)
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
    """Changes to the files of a package, larger files more often, and no line twice."""
    lines: dict[tuple[str, int], list[Mutation]] = {}
    for path in paths:
        for mutation in mutations(path.read_text("utf-8"), str(path.relative_to(ROOT))):
            lines.setdefault((mutation.file, mutation.line), []).append(mutation)
    for at in luck.sample([*lines], len(lines)):
        yield luck.choice(lines[at])


def nearest(mutation: Mutation) -> list[str]:
    """The tests of the changed package or module: `tests/` mirrors the source."""
    inside = Path(mutation.file).relative_to("src/numduel")
    name = f"test_{inside.name}" if len(inside.parts) == 1 else inside.parts[0]
    return [f"tests/{name}"] if (ROOT / "tests" / name).exists() else []


def importing(mutation: Mutation) -> list[str]:
    """The test files that import the changed module."""
    module = Path(mutation.file).relative_to("src").with_suffix("")
    package, name = ".".join(module.parts[:-1]), module.name
    if name == "__init__":
        package, _, name = package.rpartition(".")
    imported = re.compile(
        rf"import {package}\.{name}\b|from {package}\.{name} import"
        rf"|from {package} import (\([^)]*|[^(\n]*)\b{name}\b"
    )
    return [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        if imported.search(path.read_text("utf-8"))
    ]


def noticed_by(copy: Path, words: list[str], limit: int) -> str:
    """The first test that fails in a copy of the project; an empty text if none does."""
    command = [sys.executable, "-m", "pytest", "-x", "-n", str(os.cpu_count())]
    env = {"PYTHONPATH": str(copy / "src"), "NUMDUEL_TESTS_SECONDS": str(limit)}
    done = subprocess.run(
        [*command, *words], cwd=copy, env=os.environ | env,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace",
    )  # fmt: skip
    if done.returncode in (UNNOTICED, NO_TESTS):
        return ""
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    return failed[1] if failed else "no test: it cannot be imported, or there is no end to it"


def tried(copy: Path, mutation: Mutation, *, near: bool) -> str:
    """The test that notices a change, of those near it or of all others; or that none does."""
    place = copy / mutation.file
    place.write_text(mutation.source, "utf-8")
    beside, users = nearest(mutation), importing(mutation)
    close = [path for path in users if path.startswith((*beside,))]
    far = [path for path in users if path not in close]
    rest = ["tests", *_without(beside), *_without(users)]
    try:
        for tests in (close, beside and [*beside, *_without(close)]) if near else (far, rest):
            if tests and (test := noticed_by(copy, tests, NEAR_LIMIT if near else LIMIT)):
                return test
        return NOT_NEAR if near else NOTHING
    finally:
        place.write_text((ROOT / mutation.file).read_text("utf-8"), "utf-8")


def _without(paths: list[str]) -> list[str]:
    return [f"--ignore={path}" for path in paths]


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
    """Try all changes, one after the other, and print which test notices each."""
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
        for near in (True, False):
            for number, mutation in enumerate(todo, 1):
                started = time.monotonic()
                if results.get(str(mutation)) in ((None,) if near else (NOT_NEAR,)):
                    results[str(mutation)] = tried(copy, mutation, near=near)
                    kept = {"stamp": stamp(), "results": results}
                    KEPT.write_text(json.dumps(kept, indent=1), "utf-8")
                elif not near:
                    continue
                took = time.monotonic() - started
                print(f"{number:3} {took:5.0f} s  {mutation}", flush=True)
                print(f"{'':12}{results[str(mutation)]}", flush=True)
    missed = [one for one in todo if results[str(one)] == NOTHING]
    print(f"\n{len(todo) - len(missed)} of {len(todo)} were noticed. Not noticed:")
    print(*missed, sep="\n")


if __name__ == "__main__":
    main()
