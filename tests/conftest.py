"""What all tests share."""

import os
import tempfile

import pytest
from hypothesis import settings

settings.register_profile("numduel", deadline=None, max_examples=150, derandomize=True)
settings.load_profile("numduel")

# No test may ever touch the games of the person who runs it.
os.environ["XDG_DATA_HOME"] = tempfile.mkdtemp(prefix="numduel-tests-")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite", action="store_true", help="Write the transcripts anew.")
