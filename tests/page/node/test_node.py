"""The page's modules in Node, without a browser: what the files here say that end in .test.js."""

import subprocess
from pathlib import Path

import pytest
from playwright._impl._driver import compute_driver_executable

from tests.plugins.limit import remaining

HERE = Path(__file__).parent
TESTS = sorted(str(path.relative_to(HERE)) for path in HERE.rglob("*.test.js"))


@pytest.mark.parametrize("name", TESTS)
def test_the_page_keeps_its_promises(name: str) -> None:
    node, _ = compute_driver_executable()  # the same Node for everybody
    told = subprocess.run(
        [node, "--test-reporter=dot", HERE / name],
        capture_output=True,
        text=True,
        timeout=remaining(),
    )
    assert told.returncode == 0, told.stdout + told.stderr
