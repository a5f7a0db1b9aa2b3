"""Tasks that run in the background until the server ends."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from contextvars import copy_context
from typing import Any

from numduel.core.language import ENGLISH, speak

log = logging.getLogger(__name__)


class Background:
    """Tasks that no request waits for."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something in the background, and log it if it fails."""
        context = copy_context()
        context.run(speak, ENGLISH)  # No person reads what it says.
        task = asyncio.get_running_loop().create_task(work, context=context)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("failed in the background", exc_info=task.exception())

    async def close(self) -> None:
        """Cancel everything; what was acknowledged is durable already."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
