"""What all tests share."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("numduel", deadline=None, max_examples=150, derandomize=True)
settings.load_profile("numduel")

# No test may ever touch the games of the person who runs it. The tables that a few tests need
# are made once for all processes: a table is put in place as a whole, so they cannot disturb
# each other.
os.environ["XDG_DATA_HOME"] = tempfile.mkdtemp(prefix="numduel-tests-")
atexit.register(shutil.rmtree, os.environ["XDG_DATA_HOME"], ignore_errors=True)
os.environ["XDG_CACHE_HOME"] = str(Path(__file__).parent.parent / ".venv" / "cache")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite", action="store_true", help="Write the transcripts anew.")
