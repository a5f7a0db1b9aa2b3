"""A message for when an answer takes long."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

NOTICE_DELAY = 2.5
"""Seconds before the message; with compiled code at hand, answers come sooner."""
NOTICE = "This takes a moment: the first time the rules are compiled, and large boards take longer."


@contextmanager
def waiting(*, quiet: bool = False) -> Iterator[None]:
    """Print a message on standard error if the body takes long; if quiet, only on a terminal."""
    if quiet and not sys.stderr.isatty():
        yield
        return
    timer = Timer(NOTICE_DELAY, lambda: print(NOTICE, file=sys.stderr, flush=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
