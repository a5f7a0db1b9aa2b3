"""Kernels that are not compiled: the same functions, run by Python.

To compile the kernels of a game takes seconds, and every game has its own. Where a test is about
what they find on a small board, one game without points, one with them and one with cards are
compiled, and the others are not; that their rules mean the same when compiled is said by
`numduel.testing.check_game`. The proof compiles them all, but for the commands of a package.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from numduel.solver import compiled

STATEMENT = "from numba import config; config.DISABLE_JIT = 1"
"""For a process that is to compile nothing."""
COMPILED = ("duel", "capture", "build")
"""Games of each kind."""


@contextmanager
def interpreted() -> Iterator[None]:
    """No kernel of a game is compiled here. Hashes wrap around, which NumPy would warn of."""
    with pytest.MonkeyPatch.context() as patch, np.errstate(over="ignore"):
        patch.setattr("numba.config.DISABLE_JIT", 1)
        patch.setattr(compiled, "_KERNELS", {})
        yield
