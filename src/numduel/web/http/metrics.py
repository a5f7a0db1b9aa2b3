"""The server's metrics, for Prometheus."""

from __future__ import annotations

import os
from functools import cache

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import REGISTRY

GAMES = Counter("numduel_games", "Games that were created.")
MOVES = Counter("numduel_moves", "Moves that were stored.", ["game"])
WATCHERS = Gauge(
    "numduel_watchers", "Open live channels.", multiprocess_mode="livesum"
)  # fmt: skip
GAMES_IN_MEMORY = Gauge("numduel_rooms", "Games in memory.", multiprocess_mode="livesum")
REQUESTS = Counter("numduel_requests", "Requests that were answered.", ["method", "status"])
SECONDS = Histogram(
    "numduel_request_seconds",
    "From a request to its answer.",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)


@cache
def moves_of(game: str) -> Counter:
    """The counter of the moves in a game."""
    return MOVES.labels(game)


def shared_folder() -> str | None:
    """The folder of the processes that serve together; None if there is one process."""
    return os.environ.get("PROMETHEUS_MULTIPROC_DIR")


def registry() -> CollectorRegistry:
    """The metrics of all processes that serve together."""
    if shared_folder() is None:
        return REGISTRY
    found = CollectorRegistry()
    MultiProcessCollector(found)  # type: ignore[no-untyped-call]
    return found


def serve(host: str, port: int) -> None:
    """Serve the metrics to Prometheus, at an address of their own, until this process ends."""
    start_http_server(port, host, registry())
