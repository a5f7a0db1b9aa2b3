"""Codes of events that somebody may only have guessed."""

from __future__ import annotations

from typing import Generic

from numduel.core.language import N_
from numduel.web.http.errors import Damaged, NoGame, TooSoon
from numduel.web.http.middleware.client import AddressBuckets, at_this_address, current_address
from numduel.web.http.tables import Recent, shared_tables, table_secret
from numduel.web.live.live import L, Locked
from numduel.web.live.registry import Registry
from numduel.web.people.keys import Proof, digest
from numduel.web.people.known import KnownKeys

WRONG_CODES = 40.0
"""Codes that do not exist, of which one address may try so many at once: a class mistypes some."""
WRONG_RATE = 1 / 10
"""How many a second after that."""
TOO_MANY = N_("Too many wrong codes were typed in your network; wait a minute, then try again.")


class CodeGuesses:
    """Counts wrong codes. An address that has tried too many is no longer told whether a code
    exists, unless it was right there before, or one of their keys belongs to it: so whoever guesses
    in a school's network stops no class that is already there."""

    def __init__(self, known: KnownKeys, folder: str = "") -> None:
        self._known = known
        wrong, right = shared_tables(folder, "guesses", 2)
        secret = table_secret(folder)
        self._wrong = AddressBuckets(WRONG_RATE, WRONG_CODES, wrong, secret)
        """The wrong codes that are left to each address, in all processes together."""
        self._right = Recent(right, secret)
        """Codes with the addresses and keys that have had them right."""

    def guarded(self, registry: Registry[L], code: str, proof: Proof) -> Guarded[L]:
        """What a code stands for, with its lock held, for somebody who may have guessed the code.
        Raises `TooSoon` if they may not be told whether it exists."""
        self.check(code, proof)
        return Guarded(registry.locked(code), code, self)

    def check(self, code: str, proof: Proof) -> None:
        """Raise `TooSoon` if somebody may not be told whether a code exists."""
        here = current_address.get()
        known = any(f"{code} {one}" in self._right for one in (here, *proof))
        if not known and not self._wrong.has(here, 1.0):
            raise TooSoon(TOO_MANY)

    def right(self, code: str) -> None:
        """Somebody has asked for a code that exists."""
        self._right.add(at_this_address(code))

    def proved(self, code: str, key: str) -> None:
        """Somebody has proved a key that belongs to a code: a player's or a host's."""
        self._known.remember(digest(key), code)
        self._right.add(f"{code} {key}")

    def wrong(self, code: str) -> None:
        """Somebody has asked for a code that does not exist. If it did once, nobody guessed it."""
        if at_this_address(code) not in self._right:
            self._wrong.spend(current_address.get(), 1.0)


class Guarded(Generic[L]):
    """Holds the lock of what a code stands for, and counts wrong codes."""

    def __init__(self, locked: Locked[L], code: str, guesses: CodeGuesses) -> None:
        self._locked = locked
        self._code = code
        self._guesses = guesses

    async def __aenter__(self) -> L:
        try:
            live = await self._locked.__aenter__()
        except Damaged:
            self._guesses.right(self._code)
            raise
        except NoGame:
            self._guesses.wrong(self._code)
            raise
        self._guesses.right(self._code)
        return live

    async def __aexit__(self, *error: object) -> None:
        await self._locked.__aexit__(*error)
