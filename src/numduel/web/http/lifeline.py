"""A process that ends with its parent, however that ends."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from multiprocessing import parent_process

PR_SET_PDEATHSIG = 1


def end_with_parent() -> None:
    """Let the kernel kill this process when its parent dies. Only Linux can; elsewhere the process
    notices at the end of its task. The thread that started this process counts as its parent."""
    parent = parent_process()
    if sys.platform != "linux" or parent is None:
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent.pid:  # It has died already.
        os._exit(1)
