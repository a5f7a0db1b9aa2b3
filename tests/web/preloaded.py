"""The process whose forks solve for the servers of tests: what they need is imported here once."""

import ctypes
import signal
import sys

import numduel.solver.claims
import numduel.solver.compiled
import numduel.solver.decks
import numduel.solver.search
import numduel.solver.strong
import numduel.web.solving.solvers
import numduel.web.solving.tasks
from numduel.system import PR_SET_PDEATHSIG


def end_with_parent() -> None:
    """End with the process that was forked, which ends with the one that asked it to."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


numduel.web.solving.solvers.end_with_parent = end_with_parent  # type: ignore[attr-defined]
