"""The secrets that prove seats, and what follows from them.

A browser has one key for all its seats, and so may a program. The server stores only hashes. What
must be the same when a request is repeated (the id of a new game, an invitation) is derived from
the key, so that a lost answer can be given again and nothing has to be stored for it.
"""

from __future__ import annotations

import hmac
import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256

Proof = tuple[str, ...]
"""The secrets that somebody brings. The first one will prove the seats they take next."""

KEY = re.compile("[A-Za-z0-9_-]{43}")
"""What a key looks like: 256 random bits."""
MAX_KEYS = 8
"""Keys of one browser: its own, and those of other devices."""
SEPARATOR = "."
MAX_PAGE_KEYS = 10_000
"""Page keys in memory: each is asked for several times with every request."""


def new_key() -> str:
    """A key that nobody can guess."""
    return secrets.token_urlsafe(32)


def digest(secret: str) -> str:
    """The hash of a secret, as it is stored. Secrets have 128 random bits or more, so one round of
    hashing is enough."""
    return sha256(secret.encode()).hexdigest()


def derive(key: str, *words: str) -> str:
    """A secret that follows from a key and gives nothing of it away."""
    mac = hmac.digest(key.encode(), " ".join(words).encode(), "sha256")
    return urlsafe_b64encode(mac).decode().rstrip("=")


@lru_cache(MAX_PAGE_KEYS)
def page_key(token: str) -> str:
    """What follows from the hash of a key for requests that need no proof: pages and static files.
    It proves nothing, and tells only that somebody comes again."""
    return derive(token, "page")


def salted(short: str) -> str:
    """The salted hash of a short secret, such as a personal code."""
    salt = secrets.token_hex(8)
    return f"{salt} {digest(f'{salt} {short}')[:40]}"


def is_salted(short: str, hashed: str | None) -> bool:
    """Whether a short secret has this salted hash."""
    salt, _, expected = (hashed or "").partition(" ")
    return hmac.compare_digest(digest(f"{salt} {short}")[:40], expected)


def matching(proof: Proof, hashed: str | None) -> str | None:
    """The secret that has this hash, compared in constant time."""
    if hashed is not None:
        for one in proof:
            if hmac.compare_digest(digest(one), hashed):
                return one
    return None


def read_keys(text: str) -> Proof:
    """The keys in a cookie; none if anything is wrong with it."""
    found = tuple(text.split(SEPARATOR))
    valid = len(found) <= MAX_KEYS and all(map(KEY.fullmatch, found))
    return found if valid else ()


def write_keys(keys: Iterable[str]) -> str:
    """The text of a cookie with these keys."""
    return SEPARATOR.join(keys)
