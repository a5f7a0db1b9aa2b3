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

# No test may ever touch the games of the person who runs it, nor read what an earlier session has
# solved or compiled. The workers of one session share what they solve and compile: files are put in
# place as a whole, so they cannot disturb each other.
if "PYTEST_XDIST_WORKER" not in os.environ:
    folder = tempfile.mkdtemp(prefix="numduel-tests-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["XDG_CACHE_HOME"] = str(Path(folder, "cache"))
    os.environ["XDG_DATA_HOME"] = str(Path(folder, "data"))
# Without a GPU, Numba's simulator stands in for it; Numba looks at this when it is imported.
if not Path("/dev/nvidiactl").exists():
    os.environ["NUMBA_ENABLE_CUDASIM"] = "1"
os.environ["XDG_DATA_HOME"] = tempfile.mkdtemp(dir=Path(os.environ["XDG_DATA_HOME"]).parent)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite", action="store_true", help="Write the transcripts anew.")


@pytest.fixture
def quick_estimates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Estimates that take no time, and are worth accordingly."""
    from numduel.solver.mcts import MonteCarlo

    defaults = MonteCarlo.__init__.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "seconds", 0.001)
