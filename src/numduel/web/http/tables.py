"""Tables of numbers that the processes of a server share."""

from __future__ import annotations

import mmap
import os
import time
from collections.abc import Callable
from hashlib import blake2b, sha256
from math import inf
from pathlib import Path
from secrets import token_bytes
from struct import Struct
from typing import NamedTuple

SLOT = Struct("=Qdd")
"""The hash of a text, its number when it was last used, and when that was."""
MAX_TEXTS = 1 << 16
"""Texts in a table."""
WAYS = 4
"""Places in a table where a text may be."""
ROW = Struct("=" + WAYS * "Qdd")
"""These places, one after the other."""
TABLE_SIZE = MAX_TEXTS * SLOT.size


class Found(NamedTuple):
    """What a table has of a text."""

    place: int
    """Where the text is, or will be: in the place of one that was not used for long."""
    hashed: int
    number: float | None
    """None if the table does not have the text."""
    idle: float
    """The seconds since it was last used."""
    now: float


class Table:
    """A number for each text, and when it was last used. The texts that were used last stay.

    Processes share a table without a lock: if two use one text at the same moment, only one of them
    may be noted.
    """

    def __init__(
        self,
        memory: memoryview | None = None,
        secret: bytes = b"",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._memory = memoryview(bytearray(TABLE_SIZE)) if memory is None else memory
        self._secret = secret
        """Decides where in the table each text is."""
        self._clock = clock

    def find(self, text: str) -> Found:
        """Look for a text; it does not count as used."""
        digest = blake2b(text.encode(errors="replace"), digest_size=8, key=self._secret).digest()
        now, hashed = self._clock(), int.from_bytes(digest)
        first = hashed % (MAX_TEXTS // WAYS) * ROW.size
        row = ROW.unpack_from(self._memory, first)
        owners = row[::3]
        if hashed in owners:
            way = owners.index(hashed)
            number, used = row[3 * way + 1], row[3 * way + 2]
            return Found(first + way * SLOT.size, hashed, number, max(0.0, now - used), now)
        times = row[2::3]
        return Found(first + times.index(min(times)) * SLOT.size, hashed, None, inf, now)

    def note(self, found: Found, number: float) -> None:
        """Use a text that was looked for, with a new number."""
        SLOT.pack_into(self._memory, found.place, found.hashed, number, found.now)


class Recent(Table):
    """A set of texts. It is as large as its table: the ones that were used last stay in it."""

    def __contains__(self, text: str) -> bool:
        """Whether a text is in the set; it then counts as used."""
        found = self.find(text)
        if found.number is not None:
            self.note(found, 0.0)
        return found.number is not None

    def add(self, text: str) -> None:
        """Add a text, perhaps in the place of one that was not used for long."""
        self.note(self.find(text), 0.0)


class TokenBuckets(Table):
    """A bucket for each key, whose tokens are spent and return at a steady rate."""

    def __init__(
        self,
        rate: float,
        capacity: float,
        memory: memoryview | None = None,
        secret: bytes = b"",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(memory, secret, clock)
        self._rate = rate
        self._capacity = capacity

    def spend(self, key: str, cost: float, times: float = 1.0) -> float:
        """Take tokens from a bucket, perhaps several times as many, and return 0, or return the
        seconds until it has enough. What costs more than a bucket holds takes a full one: even at a
        low rate everything can be done now and then."""
        found = self.find(key)
        left = self._left(found)
        missing = min(cost, self._capacity) * times - left
        self.note(found, -missing if missing <= 0 else left)
        return max(0.0, missing / self._rate)

    def has(self, key: str, cost: float) -> bool:
        """Whether a bucket has so many tokens; takes none."""
        return self._left(self.find(key)) >= cost

    def _left(self, found: Found) -> float:
        """The tokens in a bucket."""
        if found.number is None:
            return self._capacity
        return min(self._capacity, found.number + found.idle * self._rate)


def shared_tables(folder: str, name: str, count: int) -> list[memoryview]:
    """Some empty tables, the same for all processes that name the same folder."""
    size = count * TABLE_SIZE
    if not folder:
        whole = memoryview(bytearray(size))
    else:
        with Path(folder, name).open("a+b") as file:
            os.ftruncate(file.fileno(), size)
            whole = memoryview(mmap.mmap(file.fileno(), size))
    return [whole[start : start + TABLE_SIZE] for start in range(0, size, TABLE_SIZE)]


def table_secret(folder: str) -> bytes:
    """The secret that decides where texts are in these tables. It is random, or follows from the
    random name of the shared folder, so that nobody can find texts that meet in one place."""
    return sha256(folder.encode()).digest() if folder else token_bytes(32)
