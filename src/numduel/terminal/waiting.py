"""Telling people why nothing happens yet."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

SOON = 2.5
"""Seconds that nobody asks about: with compiled code at hand, answers come sooner."""
NOTICE = "This takes a moment: the first time the rules are compiled, and large boards take longer."


@contextmanager
def waiting(*, quiet: bool = False) -> Iterator[None]:
    """Say on standard error what is happening if it takes longer than a person expects; if quiet,
    only to a person who watches."""
    if quiet and not sys.stderr.isatty():
        yield
        return
    timer = Timer(SOON, lambda: print(NOTICE, file=sys.stderr, flush=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
