"""The connections of one address or site, and which of them is closed when it has too many."""

from __future__ import annotations

from collections.abc import Hashable
from enum import IntEnum

MAX_KEPT = 8
"""Connections of one known key of which none is closed while it is in use: a browser has six, and
its live channels."""


class Use(IntEnum):
    """What a connection is used for, what matters least first."""

    NOTHING = 0
    """No request has arrived as a whole, or it is being refused."""
    ANSWER = 1
    CHANNEL = 2


OfKey = tuple[dict[Hashable, None], dict[Hashable, None], dict[Hashable, None]]
"""The connections of one key, a set in order for each use."""


class Connections:
    """The open connections of one address or site, by the known key that has come over each. All
    without one share the empty key."""

    def __init__(self) -> None:
        self._of_key: dict[str, OfKey] = {}
        """Of each use, the one that has been in it longest comes first."""
        self._places: dict[Hashable, tuple[str, Use]] = {}

    def __len__(self) -> int:
        return len(self._places)

    def put(self, connection: Hashable, key: str, use: Use) -> None:
        """Add a connection, or note that its key or its use has changed."""
        before = self._places.get(connection)
        if before is not None and before[0] == key:  # As with every request, and with its answer.
            of_key = self._of_key[key]
            del of_key[before[1]][connection]
        else:
            self.remove(connection)
            of_key = self._of_key.setdefault(key, ({}, {}, {}))
        self._places[connection] = key, use
        of_key[use][connection] = None

    def remove(self, connection: Hashable) -> None:
        """Forget a connection, if it is there."""
        if connection in self._places:
            key, use = self._places.pop(connection)
            of_key = self._of_key[key]
            del of_key[use][connection]
            if not any(of_key):
                del self._of_key[key]

    def least_needed(self) -> Hashable | None:
        """The connection to close so that somebody else can come. It is taken from the key that
        has the most: one that is not in use, or, of many, one that is. None if all are needed."""
        for of_key in sorted(self._of_key.values(), key=_size, reverse=True):
            closable = of_key if _size(of_key) > MAX_KEPT else of_key[: Use.ANSWER]
            for connections in closable:
                if connections:
                    return next(iter(connections))
        return None


def _size(of_key: OfKey) -> int:
    unused, answers, channels = of_key
    return len(unused) + len(answers) + len(channels)
