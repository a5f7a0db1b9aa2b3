"""Links by which the keys of a browser go to another device: once, and within minutes.

The server knows keys by their hashes alone. While a link waits it keeps the keys themselves, sealed
with the secret of the link, which it does not keep: neither the database nor the link alone is
enough. The device that used a link may ask again, should the answer have been lost.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from base64 import b64decode, b64encode
from contextlib import suppress
from hashlib import shake_256
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from numduel.web.http.errors import Forbidden, Refusal
from numduel.web.people.keys import MAX_KEYS, Proof, digest, read_keys, write_keys
from numduel.web.storage.database import Database
from numduel.web.storage.schema import device_links

LINK_SECONDS = 600
"""How long a link works."""
USED_UP = "This link has been used or is too old; make another on the other device."


class DeviceLinks:
    """The links that wait to be used, at most one for each key."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def make(self, keys: Proof) -> str:
        """The secret of a new link to these keys; an earlier link to them works no more."""
        secret = secrets.token_urlsafe(16)
        row = {
            "owner": digest(keys[0]),
            "secret": digest(secret),
            "sealed": _seal(secret, keys),
            "until": time.time() + LINK_SECONDS,
        }

        def write(connection: Connection) -> None:
            connection.execute(_DELETE, {"mine": row["owner"]})
            connection.execute(insert(device_links), row)

        await self._database.write("", write)
        return secret

    async def use(self, secret: str, known: Proof, new: str) -> Proof:
        """The keys of a browser after it has used a link: those of the other device, and those it
        had before. A `new` key says who it is, if it had none. Raises `Forbidden` if another
        browser was first, or it is too late."""
        user = digest(known[0] if known else new)
        values = {"hashed": digest(secret), "now": time.time(), "user": user}

        def write(connection: Connection) -> Proof | None:
            sealed: Any = connection.execute(_SEALED, values).scalar()
            if sealed is None:
                return None
            keys = tuple(dict.fromkeys((*_open(secret, sealed), *known)))
            if len(keys) <= MAX_KEYS:
                connection.execute(_USE, values)
            return keys

        keys = await self._database.write("", write)
        if keys is None:
            raise Forbidden(USED_UP)
        if len(keys) > MAX_KEYS:
            raise Forbidden("This browser has taken over the games of too many devices.")
        return keys


async def delete_old_links(database: Database) -> None:
    """Every few minutes, delete the links that are too old."""
    while True:
        await asyncio.sleep(LINK_SECONDS)
        with suppress(Refusal):  # The next time is soon enough.
            await database.write(
                "", lambda connection: connection.execute(_DELETE_OLD, {"now": time.time()})
            )


def _seal(secret: str, keys: Proof) -> str:
    return b64encode(_padded(secret, write_keys(keys).encode())).decode()


def _open(secret: str, sealed: str) -> Proof:
    return read_keys(_padded(secret, b64decode(sealed)).decode())


def _padded(secret: str, text: bytes) -> bytes:
    """A text under a one-time pad, or out of it: each secret seals one text, once."""
    pad = shake_256(f"device link {secret}".encode()).digest(len(text))
    return bytes(one ^ other for one, other in zip(text, pad, strict=True))


_DELETE = delete(device_links).where(device_links.c.owner == bindparam("mine"))
_DELETE_OLD = delete(device_links).where(device_links.c.until < bindparam("now"))
_FRESH = (device_links.c.secret == bindparam("hashed")) & (device_links.c.until >= bindparam("now"))
_USE = update(device_links).where(_FRESH).values(used_by=bindparam("user"))
_SEALED = (
    select(device_links.c.sealed)
    .where(_FRESH, func.coalesce(device_links.c.used_by, bindparam("user")) == bindparam("user"))
    .with_for_update()
)
