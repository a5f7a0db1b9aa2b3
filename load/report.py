"""The results, as rows beside the aims."""

from statistics import median, quantiles

from bench.table import Row

from load.drive import Paced
from load.measure import Effort, Found

P99 = 250.0
"""Milliseconds within which 99 moves in 100 should have arrived."""
EFFORT = 2.5
"""How many times the bare server's processor time a move may take."""
MEMORY = 40.0
"""KiB that a live game may take."""
ATTACKED = 2.0
"""How much longer moves may take while somebody attacks the server."""
SUSTAINED = 0.99
"""The share of the moves that must have arrived for a pace to count as kept."""


def rows(found: Found, effort: Effort) -> list[Row]:
    """The figures of a set-up, the most important first."""
    driven = found.paced
    half, late = spread(driven)
    bare_half, bare_late = spread(found.yardstick.paced)
    return [
        at_least("live games held", driven.held, effort.games, effort.games),
        at_least("moves a second, paced", driven.rate, effort.rate, effort.rate * SUSTAINED),
        compared("to the opponent, p50", half, bare_half, "ms"),
        compared("to the opponent, p99", late, bare_late, "ms")._replace(
            goal=f"under {P99:g} ms", ok=late < P99
        ),
        Row("  the same, since sent", 1000 * percentile(driven.tally.from_sent, 99), None, "ms"),
        *under_attack(found, late),
        compared("moves a second, flat out", found.flat_out, found.yardstick.flat_out, "/s"),
        *efforts(found),
        *beginnings(found),
        at_most("memory a live game", found.memory / found.begun / 1024, MEMORY, "KiB"),
        Row("server afterwards", found.memory_afterwards / 2**20, None, "MiB"),
        Row("sockets of each process", " + ".join(map(str, found.sockets))),
        Row("stopping, starting", f"{found.seconds_to_stop:.1f}, {found.seconds_to_start:.1f} s"),
        Row("channels told of restart", f"{found.told_of_restart} of {found.channels}"),
        nothing("errors", found.errors.total()),
        nothing("acknowledged moves lost", found.lost),
        nothing("  after a restart", found.lost_after_restart),
        Row("  looked at", f"{found.moves} moves, {found.looked_at} games"),
    ]


def efforts(found: Found) -> list[Row]:
    """Processor time while the moves were paced."""
    moves, bare = len(found.paced.tally.from_due), found.yardstick
    taken = compared(
        "processor time a move",
        1000 * found.busy.server / max(moves, 1),
        1000 * bare.busy.server / max(len(bare.paced.tally.from_due), 1),
        "ms",
    )
    ratio = taken.ratio or 0.0
    return [
        taken._replace(goal=f"{EFFORT:g} times", ok=ratio <= EFFORT),
        *(
            Row(f"  {who} busy", f"{100 * seconds / found.paced.seconds:.0f} % of a core")
            for who, seconds in found.busy._asdict().items()
        ),
    ]


def beginnings(found: Found) -> list[Row]:
    """How fast games were begun, before the moves and as rematches."""
    again = found.paced.tally.begun_again
    rematches = [Row("rematches while paced", len(again) / found.paced.seconds, None, "/s")]
    if again:
        rematches.append(Row("  each, with 2 channels", 1000 * median(again), None, "ms"))
    return [Row("games begun", found.begun / found.seconds_to_begin, None, "/s"), *rematches]


def under_attack(found: Found, quiet: float) -> list[Row]:
    """The delay under attack, beside that before, and what the attacker did."""
    _, late = spread(found.attacked)
    beside = compared("  under attack, p99", late, quiet, "ms")
    told = ", ".join(f"{count} {what}" for what, count in found.attacks.items())
    return [
        beside._replace(goal=f"{ATTACKED:g} times", ok=late <= ATTACKED * quiet),
        Row("  attacked with", told),
    ]


def spread(side: Paced) -> tuple[float, float]:
    """The 50th and the 99th percentile in milliseconds, from when moves were due."""
    return 1000 * percentile(side.tally.from_due, 50), 1000 * percentile(side.tally.from_due, 99)


def percentile(values: list[float], part: int) -> float:
    """The value that `part` percent do not exceed."""
    return quantiles(values, n=100)[part - 1] if len(values) > 1 else float("inf")


def compared(what: str, measured: float, yardstick: float, unit: str) -> Row:
    """A figure beside that of the bare server."""
    return Row(what, measured, yardstick, unit, measured / yardstick if yardstick else None)


def at_least(what: str, measured: float, aim: float, enough: float) -> Row:
    """A figure that should be reached."""
    return Row(what, measured, goal=f"{aim:g}", ok=measured >= enough)


def at_most(what: str, measured: float, aim: float, unit: str) -> Row:
    """A figure that should not be exceeded."""
    return Row(what, measured, None, unit, goal=f"{aim:g} {unit}", ok=measured <= aim)


def nothing(what: str, count: int) -> Row:
    """A count that should be zero."""
    return Row(what, str(count), goal="0", ok=count == 0)
