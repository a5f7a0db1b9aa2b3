"""Links that bring the keys of a browser, and what it remembers, to another device: once, and
within minutes.

The server stores only the hashes of keys, and nothing of what a browser remembers. While a link
waits, it stores both, sealed with the secret of the link, which it does not store: neither the
database nor the link alone is enough. The device that used a link may ask again, in case the answer
was lost; minutes later all of it is deleted.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from base64 import b64decode, b64encode
from collections.abc import Mapping
from contextlib import suppress
from hashlib import shake_256
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, select, text, update

from numduel.core.language import N_
from numduel.web.http.errors import Forbidden, Refusal
from numduel.web.people.keys import MAX_KEYS, Proof, digest, read_keys, write_keys
from numduel.web.storage.database import Database
from numduel.web.storage.schema import device_links

LINK_SECONDS = 600
"""Seconds for which a link works."""
OTHER_CLOCKS = 60
"""Seconds by which the clock of another machine may be ahead. What is left of a link that works for
longer than that is from before somebody put the clock back."""
USED_UP = N_("This link has been used or is too old; make a new one on the other device.")


async def make_link(database: Database, keys: Proof, carried: Mapping[str, Any]) -> str:
    """The secret of a new link to these keys, and to what the browser remembers. An earlier link to
    them stops working."""
    secret = secrets.token_urlsafe(16)
    row = {
        "owner": digest(keys[0]),
        "secret": digest(secret),
        "sealed": _seal(secret, keys, carried),
        "until": time.time() + LINK_SECONDS,
    }

    await database.write("", lambda connection: connection.execute(_MAKE, row))
    return secret


async def use_link(
    database: Database, secret: str, known: Proof, new: str
) -> tuple[Proof, dict[str, Any]]:
    """The keys of a browser after it has used a link: those of the other device, and those it had
    before; and what the other one remembers. If it had none, the `new` key says which browser it
    is. Raises `Forbidden` if another browser was first, or it is too late."""
    user = digest(known[0] if known else new)
    now = time.time()
    latest = now + LINK_SECONDS + OTHER_CLOCKS
    values = {"hashed": digest(secret), "now": now, "latest": latest, "user": user}

    def write(connection: Connection) -> tuple[Proof, dict[str, Any]] | None:
        sealed: Any = connection.execute(_SEALED, values).scalar()
        if sealed is None:
            return None
        theirs, carried = _open(secret, sealed)
        keys = tuple(dict.fromkeys((*theirs, *known)))
        if len(keys) <= MAX_KEYS:
            connection.execute(_USE, values)
        return keys, carried

    found = await database.write("", write)
    if found is None:
        raise Forbidden(USED_UP)
    if len(found[0]) > MAX_KEYS:
        raise Forbidden(N_("This browser already has the games of too many devices."))
    return found


async def delete_old_links(database: Database) -> None:
    """Delete old links, every few minutes."""
    while True:
        await asyncio.sleep(LINK_SECONDS)
        with suppress(Refusal):  # The next time is soon enough.
            await database.write(
                "", lambda connection: connection.execute(_DELETE_OLD, {"now": time.time()})
            )


def _seal(secret: str, keys: Proof, carried: Mapping[str, Any]) -> str:
    text = f"{write_keys(keys)}\n{json.dumps(carried)}"
    return b64encode(_padded(secret, text.encode())).decode()


def _open(secret: str, sealed: str) -> tuple[Proof, dict[str, Any]]:
    """The keys, and what the browser remembers: nothing in a link of an earlier version."""
    keys, _, carried = _padded(secret, b64decode(sealed)).decode().partition("\n")
    return read_keys(keys), json.loads(carried or "{}")


def _padded(secret: str, text: bytes) -> bytes:
    """Adds a one-time pad, or removes it: each secret seals one text, once."""
    pad = shake_256(f"device link {secret}".encode()).digest(len(text))
    return bytes(one ^ other for one, other in zip(text, pad, strict=True))


_MAKE = text(
    "INSERT INTO device_links (owner, secret, sealed, until)"
    " VALUES (:owner, :secret, :sealed, :until) ON CONFLICT (owner) DO UPDATE SET"
    " secret = excluded.secret, sealed = excluded.sealed, until = excluded.until, used_by = NULL"
)
"""Another process may write a link to the same keys at this moment."""
_DELETE_OLD = delete(device_links).where(device_links.c.until < bindparam("now"))
_FRESH = (device_links.c.secret == bindparam("hashed")) & device_links.c.until.between(
    bindparam("now"), bindparam("latest")
)
_USE = update(device_links).where(_FRESH).values(used_by=bindparam("user"))
_SEALED = (
    select(device_links.c.sealed)
    .where(_FRESH, func.coalesce(device_links.c.used_by, bindparam("user")) == bindparam("user"))
    .with_for_update()
)
