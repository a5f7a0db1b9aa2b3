"""The threads that compute or fetch answers, so that the screen never waits.

The solver answers one question at a time, so questions queue; the network has a queue of its own.
The threads die with the process, so that leaving never waits for a long question.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

Found = TypeVar("Found")
Question = tuple[Callable[[], Any], "asyncio.Future[Any]"]


async def compute(work: Callable[[], Found], lane: str = "solver") -> Found:
    """The result of some work, or the error that it raises, without blocking the screen. Work in
    the same lane is done one after the other."""
    future: asyncio.Future[Found] = asyncio.get_running_loop().create_future()
    _questions(lane).put((work, future))
    return await future


@cache
def _questions(lane: str) -> SimpleQueue[Question]:
    """The queue of a lane, and a thread that serves it."""
    queue: SimpleQueue[Question] = SimpleQueue()
    Thread(target=_answer, args=(queue,), name=lane, daemon=True).start()
    return queue


def _answer(queue: SimpleQueue[Question]) -> None:
    while True:
        work, future = queue.get()
        if future.cancelled():
            continue
        settle: Callable[[Any], None] = future.set_result
        try:
            found = work()
        except Exception as error:  # whoever asked is told
            settle, found = future.set_exception, error
        with suppress(RuntimeError):  # the app has been left meanwhile
            future.get_loop().call_soon_threadsafe(_settle, future, settle, found)


def _settle(future: asyncio.Future[Any], settle: Callable[[Any], None], found: object) -> None:
    if not future.done():
        settle(found)
