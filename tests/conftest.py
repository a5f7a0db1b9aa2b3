"""What all tests share."""

import atexit
import gc
import os
import shutil
import tempfile
from pathlib import Path

import pytest

from tests.everywhere import DATA_HOME

gc.disable()  # until all tests are collected
pytest_plugins = ("tests.plugins.limit", "tests.plugins.proof", "tests.plugins.spent")

# No test may ever touch the games of the person who runs it. What is compiled and solved is kept
# for the next run, as it is for people: a digest of everything that it depends on is in its name.
# All workers share it: one compiles a kernel, and others wait for its file, which is put in place
# as a whole.
ROOT = Path(__file__).parents[1]
if "PYTEST_XDIST_WORKER" not in os.environ:
    folder = tempfile.mkdtemp(prefix="numduel-tests-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["XDG_CACHE_HOME"] = str(ROOT / ".venv" / "test-cache")
    os.environ[DATA_HOME] = str(Path(folder, "data"))
# Without a GPU, Numba's simulator stands in for it; Numba looks at this when it is imported.
if not Path("/dev/nvidiactl").exists():
    os.environ["NUMBA_ENABLE_CUDASIM"] = "1"
os.environ[DATA_HOME] = tempfile.mkdtemp(dir=Path(os.environ[DATA_HOME]).parent)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite", action="store_true", help="Write the transcripts anew.")


def pytest_collection_finish() -> None:
    """What is imported and collected stays: it need not be looked through for garbage, and the rest
    less often than in a process that is to stay small."""
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture
def quick_estimates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Estimates that take no time, and are worth accordingly."""
    from numduel.solver.mcts import MonteCarlo

    defaults = MonteCarlo.__init__.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "seconds", 0.001)
