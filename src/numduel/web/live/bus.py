"""News between the processes that serve one database: what each writes, and who is connected."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from numduel.web.http.errors import GOING_DOWN, Unavailable
from numduel.web.live.background import Background
from numduel.web.live.presence import LEASE_SECONDS, Presence
from numduel.web.live.uptime import Uptime
from numduel.web.people.known import KnownKeys
from numduel.web.storage.database import Database

if TYPE_CHECKING:
    from numduel.web.live.registry import Registry

log = logging.getLogger(__name__)
LOADED_AT_ONCE = 4
"""Games or events that are loaded again at once: people's requests must not wait for all."""


class Bus:
    """What the registries of a process share."""

    def __init__(self, database: Database, known: KnownKeys | None = None) -> None:
        self.database = database
        self.known = KnownKeys() if known is None else known
        self.background = Background()
        self.presence = Presence(database)
        self.uptime = Uptime(database)
        self.registries: dict[str, Registry[Any]] = {}
        """By kind; every notification except those of leases and of the clock has an id under one
        of the kinds."""
        self.loading = asyncio.Semaphore(LOADED_AT_ONCE)
        """Held while something is loaded again that no request waits for."""
        self.ending = False

    async def open(self) -> None:
        """Start the writer, and listen to the other processes."""
        self.database.open(self._on_notification, self._on_missed_notifications)
        await self.uptime.load()
        if self.database.postgresql:
            await self.presence.renew_lease([])
            self.background.spawn(self._renew_leases())

    def end_channels(self) -> None:
        """Close all live channels, and open no more: the server is shutting down."""
        self.ending = True
        for registry in self.registries.values():
            registry.end_channels(Unavailable(GOING_DOWN))

    async def close(self) -> None:
        """End the background tasks, and tell the other processes that nobody is here."""
        await self.background.close()
        if self.database.postgresql:
            with suppress(Unavailable):
                await self.presence.release_lease()

    def _on_notification(self, payload: dict[str, Any]) -> None:
        """Handle what another process wrote, or who came or went there."""
        if "uptime" in payload:
            self.uptime.reach(payload["uptime"])
        if "lease" in payload:
            self._presence_changed(self.presence.on_notification(payload, self._knows))
        for kind, registry in self.registries.items():
            if kind in payload:
                registry.on_notification(payload[kind], payload)

    def _on_missed_notifications(self) -> None:
        """The connection to the other processes was interrupted: what is in memory may be old."""
        for registry in self.registries.values():
            registry.on_missed_notifications()

    def _knows(self, id: str) -> bool:
        return any(id in registry for registry in self.registries.values())

    # -- presence ---------------------------------------------------------------------------

    def _presence_changed(self, ids: Iterable[str], *, elsewhere: bool = True) -> None:
        """Show who is connected to other processes now; `elsewhere` if one of them has told it."""
        for id in ids:
            for registry in self.registries.values():
                registry.on_presence(id, elsewhere=elsewhere)

    async def _renew_leases(self) -> None:
        """Renew the lease of this process, and notice when that of another expires."""
        while True:
            await asyncio.sleep(LEASE_SECONDS / 4)
            here = [one for registry in self.registries.values() for one in registry.present()]
            with suppress(Unavailable):
                await self.presence.renew_lease(here)
            self._presence_changed(self.presence.expired(), elsewhere=False)
