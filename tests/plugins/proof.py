"""Two runs of one suite: `make test` is everything that a change can break, `make proof` the rest.

A test that takes long to say what a shorter one says of less is marked `proof`: larger boards, more
kills, more races. `--proof` runs those, and the properties with many more examples. It may take
hours, so what has passed is kept, and a run that was interrupted goes on from there, unless
something was changed meanwhile.
"""

from __future__ import annotations

import json
from hashlib import sha256
from itertools import compress
from operator import not_
from pathlib import Path
from typing import Any

import hypothesis
import pytest

ROOT = Path(__file__).parents[2]
KEPT = ROOT / ".venv" / "proof.json"
SOURCES = (
    "src",
    "tests",
    "docs",
    "examples",
    "environments",
    "pyproject.toml",
    "requirements.lock",
)

hypothesis.settings.register_profile(
    "test", deadline=None, max_examples=30, suppress_health_check=[hypothesis.HealthCheck.too_slow],
    print_blob=True,
)  # fmt: skip
hypothesis.settings.register_profile(
    "proof", hypothesis.settings.get_profile("test"), max_examples=1000
)


def stamp() -> str:
    """A digest of everything that a test can depend on."""
    found = sha256()
    for source in SOURCES:
        paths = [ROOT / source, *sorted((ROOT / source).rglob("*"))]
        for path in paths:
            if path.is_file() and "__pycache__" not in path.parts:
                found.update(f"{path.relative_to(ROOT)} {path.stat().st_size}\n".encode())
                found.update(path.read_bytes())
    return found.hexdigest()


def belongs_to_proof(item: pytest.Item) -> bool:
    """Whether a test has something to say in the long run: it is marked, or tries examples."""
    examples = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
    return item.get_closest_marker("proof") is not None or bool(examples)


class Passed:
    """The tests that have passed with these sources, on disk."""

    def __init__(self) -> None:
        self.tests: list[str] = []
        self._stamp = stamp()
        self._failed: set[str] = set()
        if KEPT.exists():
            kept = json.loads(KEPT.read_text("utf-8"))
            self.tests = kept["passed"] if kept["stamp"] == self._stamp else []

    def pytest_configure_node(self, node: Any) -> None:
        """Tell a worker of pytest-xdist what need not be run again."""
        node.workerinput["passed"] = self.tests

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed.add(report.nodeid)
        elif report.when == "teardown" and report.nodeid not in self._failed:
            self.tests.append(report.nodeid)
            KEPT.write_text(json.dumps({"stamp": self._stamp, "passed": self.tests}), "utf-8")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--proof", action="store_true", help="Run what takes long, and nothing else.")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "proof: takes long; runs in `make proof` only")
    hypothesis.settings.load_profile("proof" if config.getoption("proof") else "test")
    if config.getoption("proof") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Passed(), "passed")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    proof, controller = config.getoption("proof"), config.pluginmanager.get_plugin("passed")
    told = getattr(config, "workerinput", {}).get("passed", ())
    passed = {*(controller.tests if controller else told)}
    wanted = [
        belongs_to_proof(item) and item.nodeid not in passed
        if proof
        else item.get_closest_marker("proof") is None
        for item in items
    ]
    config.hook.pytest_deselected(items=[*compress(items, map(not_, wanted))])
    items[:] = compress(items, wanted)
