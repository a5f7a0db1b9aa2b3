"""What only POSIX systems have: Linux, macOS and others, but not Windows.

No other module asks the system for any of it, and here stands what is done, or said, without it.
What takes a moment to import is imported where it is used: the prompt needs none of it.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from numduel.core.errors import BadVariant
from numduel.core.language import _

POSIX = os.name == "posix"
NO_WAIT = getattr(os, "O_NONBLOCK", 0)
"""Added to the flags of a file so that opening a pipe that nobody writes to does not block."""
UNLIMITED = sys.maxsize
PR_SET_PDEATHSIG = 1
AUTOGROUP = "/proc/self/autogroup"
AUTOGROUP_SECONDS, AUTOGROUP_TRIES = 0.1, 50
"""Linux takes one change there in so many seconds, of all users together; and how often to try."""


def require(told: str) -> None:
    """Raise `BadVariant` with a sentence, marked by `N_`, where a system is not POSIX."""
    if not POSIX:
        raise BadVariant(_(told))


def quoted(word: str) -> str:
    """A word as it is typed on a command line."""
    if POSIX:
        from shlex import quote

        return quote(word)
    from subprocess import list2cmdline

    return list2cmdline([word])


# -- files ----------------------------------------------------------------------------------


def is_for_me_alone(found: os.stat_result) -> bool:
    """Whether only this user can write to a file or folder. Windows keeps a user's folders for that
    user."""
    return not POSIX or (found.st_uid == os.geteuid() and not found.st_mode & 0o022)


def file_limits() -> tuple[int, int]:
    """How many files this process may have open, and how many it may ask for."""
    if not POSIX:
        return UNLIMITED, UNLIMITED
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    return UNLIMITED if soft == unlimited else soft, UNLIMITED if hard == unlimited else hard


def allow_files(count: int) -> None:
    """Let this process have so many files open, which must not be more than it may ask for."""
    if POSIX:
        import resource

        resource.setrlimit(
            resource.RLIMIT_NOFILE, (count, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
        )


# -- memory and processor -------------------------------------------------------------------


def physical_memory() -> int | None:
    """Bytes of memory of this machine; None if the system does not say."""
    if POSIX:
        with suppress(OSError, ValueError):
            return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return None


def resident_memory() -> int:
    """Bytes of memory of this process; 0 if the system does not say."""
    with suppress(OSError), open("/proc/self/statm") as file:
        pages = int(file.read().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") if POSIX else 0
    return 0


def limit_memory(size: int) -> None:
    """Let this process have so many bytes of addresses, where there is such a limit."""
    if POSIX:
        import resource

        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (size, size))


def step_back(niceness: int, *, idle: bool = False) -> None:
    """Let others have the processor first and, if `idle`, have it only when nobody else wants it.
    If memory runs out, the kernel of Linux kills this process first."""
    if POSIX:
        os.nice(niceness)
    if sys.platform == "linux":
        _step_back_as_session(niceness)
        with suppress(OSError):
            if idle:
                os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")


def _step_back_as_session(niceness: int) -> None:
    """Give way to other sessions, too: Linux may share the processor among sessions first
    (autogroup), and then niceness counts only within one."""
    with suppress(OSError), open(AUTOGROUP, "wb", buffering=0) as group:
        os.setsid()
        for _ in range(AUTOGROUP_TRIES):
            if group.write(f"{niceness}".encode()) is not None:
                return
            time.sleep(AUTOGROUP_SECONDS)


# -- processes ------------------------------------------------------------------------------


def end_with_parent() -> None:
    """Let the kernel kill this process when its parent dies. Only Linux can; elsewhere the process
    notices at the end of its task. The thread that started this process counts as its parent."""
    import ctypes
    from multiprocessing import parent_process

    parent = parent_process()
    if sys.platform != "linux" or parent is None:
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent.pid:  # It has died already.
        os._exit(1)


@contextmanager
def ending_is_ctrl_c() -> Iterator[None]:
    """Have whatever asks this process to end, such as a terminal that is closed, interrupt it as
    Ctrl-C does. What the process ignores stays ignored, as under nohup."""
    found = [getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP")]
    heard = [one for one in found if one and signal.getsignal(one) is signal.SIG_DFL]
    for one in heard:
        signal.signal(one, signal.default_int_handler)
    try:
        yield
    finally:
        for one in heard:
            signal.signal(one, signal.SIG_DFL)


# -- the terminal ---------------------------------------------------------------------------


def can_be_drawn_on() -> bool:
    """Whether the terminal says that a whole screen can be drawn on it. Windows' consoles do not
    say what they are, and all can."""
    return os.environ.get("TERM", "dumb" if POSIX else "") != "dumb"


def forget_typed() -> None:
    """Drop what was typed ahead, which a pager would take for commands."""
    if POSIX:
        import termios

        with suppress(OSError, termios.error):
            termios.tcflush(sys.stdin, termios.TCIFLUSH)


def suspend() -> None:
    """Stop this process, and what started it in the same group, until the shell goes on with it.

    SIGCONT is ignored because Textual resumes on it, too: then two threads would read the keys, and
    every other key would be lost."""
    if POSIX:
        going_on = signal.signal(signal.SIGCONT, signal.SIG_IGN)
        os.killpg(0, signal.SIGSTOP)
        signal.signal(signal.SIGCONT, going_on)
