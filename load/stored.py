"""How soon a server starts with a hundred thousand games in its database."""

import secrets
import sqlite3
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.table import Row

from load.servers import numduel
from numduel import games
from numduel.terminal.progress import ProgressBar
from numduel.web.storage.database import Database

STORED = 100_000
"""Games, each with two players and a few moves."""
MOVES = 6
ROUNDS = 3
LIMIT = 1.0
"""Seconds in which the server should have started."""


def starting(bar: ProgressBar) -> list[Row]:
    """The time from the command until the server can answer, with all these games and with none."""
    with TemporaryDirectory(prefix="numduel-load-") as folder:
        full, empty = Path(folder, "full.db"), Path(folder, "empty.db")
        for path in (full, empty):
            database = Database(f"sqlite:///{path}")
            database.migrate()
            database.close()
        _fill(full, bar)
        times: dict[Path, list[float]] = {full: [], empty: []}
        for _ in bar.track(range(ROUNDS), "starting"):
            for path, taken in times.items():
                server = numduel(f"sqlite:///{path}", 1)
                server.start()
                taken.append(server.seconds_to_start)
                server.stop()
    measured, yardstick = median(times[full]), median(times[empty])
    ratio = measured / yardstick
    return [
        Row(
            f"starting with {STORED:,} games", measured, yardstick, "s", ratio,
            f"under {LIMIT:g} s", measured < LIMIT,
        )
    ]  # fmt: skip


def _fill(path: Path, bar: ProgressBar) -> None:
    kinds = [kind().id for kind in games()]
    bar.begin("storing games", STORED)
    connection = sqlite3.connect(path)
    with connection:
        for count in range(STORED):
            id, now = secrets.token_urlsafe(9), time.time()  # noqa: A001
            connection.execute(
                "INSERT INTO games (id, game, variant, first, forgiving, deck, created)"
                " VALUES (?, ?, '', 1, FALSE, '', ?)",
                (id, kinds[count % len(kinds)], now),
            )
            connection.executemany(
                "INSERT INTO seats (game, seat, player, name) VALUES (?, ?, 'human', ?)",
                [(id, seat, f"Player {seat}") for seat in (1, 2)],
            )
            connection.executemany(
                "INSERT INTO log (game, number, seat, kind, text, at)"
                " VALUES (?, ?, ?, 'move', ?, ?)",
                [(id, ply, 2 - ply % 2, str(ply), now) for ply in range(1, MOVES + 1)],
            )
            bar.advance()
    connection.close()
