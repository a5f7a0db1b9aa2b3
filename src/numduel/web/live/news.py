"""What the processes that serve one database tell each other about entries."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

MAX_NEWS = 5_500
"""Characters of one notification: PostgreSQL takes 8,000 bytes in all, and sealing adds a third.
Other processes read what is longer from the database."""


def news(kind: str, id: str, what: str, rows: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """The notifications of some rows, each as long as fits. A row that is too long alone makes an
    empty one: the other processes then read from the database."""
    some: list[Any] = []
    length = 0
    for row in rows:
        size = len(json.dumps(row)) + 2
        if some and length + size > MAX_NEWS:
            yield {kind: id, what: some}
            some, length = [], 0
        if size > MAX_NEWS:
            yield {kind: id, what: []}
        else:
            some.append(row)
            length += size
    if some:
        yield {kind: id, what: some}
