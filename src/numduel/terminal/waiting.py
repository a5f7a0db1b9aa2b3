"""A message for when an answer takes long."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from shutil import get_terminal_size
from textwrap import fill
from threading import Timer

NOTICE_DELAY = 2.5
"""Seconds before the message; with compiled code at hand, answers come sooner."""
NOTICE = "This takes a moment; the first time, and on a large board, it takes longer."


@contextmanager
def waiting(*, quiet: bool = False) -> Iterator[None]:
    """Print a message on standard error if the body takes long; if quiet, only on a terminal."""
    if quiet and not sys.stderr.isatty():
        yield
        return
    timer = Timer(NOTICE_DELAY, _tell)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _tell() -> None:
    told = fill(NOTICE, get_terminal_size().columns) if sys.stderr.isatty() else NOTICE
    print(told, file=sys.stderr, flush=True)
