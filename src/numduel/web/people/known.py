"""What the server remembers of those it knows, in tables that its processes share."""

from __future__ import annotations

from itertools import chain

from numduel.web.http.middleware.client import at_this_address
from numduel.web.http.tables import Recent, TokenBuckets, shared_tables, table_secret
from numduel.web.people.keys import Proof, digest, page_key

NEWCOMERS_AT_ONCE = 80.0
"""Keys of one address that are remembered at once in each event, and of all who play
outside those: a large class, its host, and some who come back in another browser."""
NEWCOMERS_RATE = 1 / 20
"""How many a second after that."""


class KnownKeys:
    """The keys that have proved something lately: a seat, a player, or a host. An invented key
    never does, and nobody can have endless ones remembered."""

    def __init__(self, folder: str = "") -> None:
        keys, newcomers = shared_tables(folder, "known", 2)
        secret = table_secret(folder)
        self._keys = Recent(keys, secret)
        self._newcomers = TokenBuckets(NEWCOMERS_RATE, NEWCOMERS_AT_ONCE, newcomers, secret)

    def first_of(self, proof: Proof, pages: Proof = ()) -> str:
        """The page key of the first that is known of some keys, or the first of some page keys;
        empty if none is."""
        own = (page_key(digest(key)) for key in proof)
        return next((page for page in chain(own, pages) if page in self._keys), "")

    def remember(self, token: str, group: str = "") -> str:
        """Remember the key with this hash, which has just proved something, perhaps in a group of
        people: the id of an event. Many keys in one group take no room from other
        groups. Returns its page key; empty if too many are new."""
        page = page_key(token)
        if page not in self._keys:
            if self._newcomers.spend(at_this_address(group), 1.0):
                return ""
            self._keys.add(page)
        return page
