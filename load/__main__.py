"""Hold thousands of live games and make moves in them: ``python -m load [--quick] [--json]``; or
have a class play a lesson: ``python -m load --class``; or attack the server in every way we know:
``python -m load --attack [--only NAME]``; or cut one of several machines off from the database:
``python -m load --machines 3``.

The server runs in processes of its own, on this machine: with SQLite, with PostgreSQL, and with
PostgreSQL behind two processes. A bare server under the same load is the yardstick. The same load
is measured again while an attacker at another address is busy. Only an error or a lost move is a
failure; being slow is not.
"""

import argparse
import json
import os
import resource
import signal
import sys
from collections import Counter
from collections.abc import Coroutine
from typing import Any, NamedTuple

import uvloop
from bench.table import Row, figure, table
from rich.console import Console

from load.attacked import Elsewhere, attacks_table, measure_attacks
from load.attacks import ATTACKS
from load.classroom import FACTOR, measure_class
from load.crowd import Failure
from load.events import ORDINARY, Classes, Figures, measure_events
from load.machines import Trial, measure_machines
from load.measure import Effort, SetUp, measure
from load.network import go_inside, inside
from load.refusals import measure_refusals, refusals_table
from load.report import rows
from load.servers import NotInstalled, NotThere, postgresql, sqlite
from load.stored import starting
from numduel.terminal.progress import ProgressBar

SET_UPS = {
    "sqlite": SetUp("SQLite, 1 process", sqlite, 1),
    "postgresql": SetUp("PostgreSQL, 1 process", postgresql, 1),
    "two": SetUp("PostgreSQL, 2 processes", postgresql, 2),
}
REFUSALS = "refusals"
"""What is measured with the attacks, besides them."""
WIDTH = 130
"""Columns of the tables where there is no terminal to fit them into."""
CAPTION = (
    "Yardstick: a bare server under the same load; under attack or with a machine cut off, the same"
    " without."
)
FILES = 16_384
"""Files that may be open at once: two channels a game, and some more."""


class Result(NamedTuple):
    """The results of a set-up."""

    title: str
    busy: str
    """How busy the machine was before."""
    rows: list[Row]
    errors: dict[str, int]
    note: str = ""
    """Why there are no figures."""

    @property
    def missed(self) -> list[str]:
        """The aims that were not met."""
        return [row.what.strip() for row in self.rows if row.ok is False]

    def as_json(self) -> dict[str, object]:
        """Everything, for programs."""
        marked = [row._asdict() | {"mark": row.mark} for row in self.rows]
        return self._asdict() | {"rows": marked, "missed": self.missed}


def main() -> None:
    """Measure every set-up that was asked for and print what was found."""
    options = arguments()
    if options.machines and not inside():
        sys.exit(go_inside())
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(FILES, hard), hard))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if options.attack:
        sys.exit(attack(options))
    with ProgressBar(threaded=False) as bar:
        chosen = {name: SET_UPS[name] for name in SET_UPS if options.only in (None, name)}
        results = []
        if options.lesson:
            title = f"A class, {FACTOR:g} times as fast as people"
            results.append(result(title, measure_class(bar), bar))
            chosen = {}
        if options.machines:
            title = f"{options.machines} machines, and a cable that is cut"
            results.append(result(title, measure_machines(trial(options), bar), bar))
            chosen = {}
        if not options.events:
            for one in chosen.values():
                results.append(result(one.title, measure_games(one, effort(options), bar), bar))
        if options.events or not options.quick:
            many = classes(options)
            for name, one in chosen.items():
                if name in (options.only, "sqlite", "two"):
                    title = f"{one.title}: {many.events} events"
                    for run in range(options.runs):
                        again = f", run {run + 1}" if options.runs > 1 else ""
                        measuring = measure_events(one, many, bar)
                        results.append(result(title + again, measuring, bar))
        if chosen and not (options.only or options.quick or options.events):
            results.append(Result("Start-up", _busy(), starting(bar), {}))
    if options.json:
        print(json.dumps([result.as_json() for result in results], indent=2))
    else:
        tell(results)
        if options.runs > 1:
            tell_together(results)
    sys.exit(any(result.errors for result in results))


def arguments() -> argparse.Namespace:
    """The options on the command line."""
    parser = argparse.ArgumentParser(prog="load", description="Live games, by the thousand.")
    parser.add_argument("--games", type=int, default=2_000, help="live games at once")
    parser.add_argument("--rate", type=float, default=500, help="moves a second")
    parser.add_argument("--seconds", type=float, default=20, help="how long that pace is kept")
    parser.add_argument(
        "--only",
        choices=[*SET_UPS, *ATTACKS, REFUSALS],
        metavar="NAME",
        help=f"one set-up, one attack, or {REFUSALS}: what refusing costs",
    )
    parser.add_argument("--events", action="store_true", help="only events: 30 classes of 30")
    parser.add_argument("--runs", type=int, default=1, help="how often events are measured")
    parser.add_argument(
        "--class", action="store_true", dest="lesson", help="only one class of 30, at human pace"
    )
    parser.add_argument("--attack", action="store_true", help="only attacks, one after the other")
    parser.add_argument(
        "--machines", type=int, default=0, metavar="N", help="only N machines with one database"
    )
    parser.add_argument("--quick", action="store_true", help="200 games, 3 seconds: to try it out")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    return parser.parse_args()


def attack(options: argparse.Namespace) -> bool:
    """Try attacks and print what they did; returns whether anything went wrong."""
    busy = _busy()
    with ProgressBar(threaded=False) as bar:
        names = [name for name in ATTACKS if options.only in (None, name)]
        hits, errors = uvloop.run(measure_attacks(names, bar))
        asked = options.only in (None, REFUSALS)
        costs = uvloop.run(measure_refusals(bar)) if asked else []
    if options.json:
        told = [*(hit.as_json() for hit in hits), *(cost.as_json() for cost in costs)]
        print(json.dumps(told, indent=2))
    else:
        console = _console()
        console.print(f"[bold]One attacker[/] (load average before: {busy})")
        if hits:
            console.print(attacks_table(hits))
        if costs:
            console.print(refusals_table(costs))
        for hit in hits:
            _tell_errors(console, hit.errors, f"{hit.name}: ")
        for cost in costs:
            _tell_errors(console, cost.errors, f"{cost.about}: ")
        _tell_errors(console, errors)
        missed = [hit.name for hit in hits if not hit.met]
        console.print(f"Aims missed: {', '.join(missed)}." if missed else "All aims met.")
    return bool(errors) or any(hit.errors for hit in hits) or any(cost.errors for cost in costs)


def effort(options: argparse.Namespace) -> Effort:
    """How much to measure."""
    if options.quick:
        return Effort(200, options.rate, 3, burst=1.5)
    return Effort(options.games, options.rate, options.seconds, burst=4)


def classes(options: argparse.Namespace) -> Classes:
    """How many classes play, beside how many games."""
    if options.quick:
        return Classes(3, 50, 20, 12)
    return Classes(30, ORDINARY, 100, options.seconds)


def trial(options: argparse.Namespace) -> Trial:
    """How much is played on several machines."""
    if options.quick:
        return Trial(options.machines, tables=30, think=1, seconds=4, cut=10)
    return Trial(options.machines, tables=150, think=1.5, seconds=15, cut=10)


async def measure_games(set_up: SetUp, effort: Effort, bar: ProgressBar) -> Figures:
    """Measure games on one set-up."""
    found = await measure(set_up, effort, bar)
    lost = Counter({"acknowledged moves lost": found.lost + found.lost_after_restart})
    return rows(found, effort), dict(found.errors + lost)


def result(title: str, measuring: Coroutine[Any, Any, Figures], bar: ProgressBar) -> Result:
    """The result of a measurement; if it is impossible, a line says why."""
    bar.title, busy = f"{title}: ", _busy()
    try:
        return Result(title, busy, *uvloop.run(measuring))
    except NotInstalled as missing:
        return Result(title, busy, [], {}, str(missing))
    except (NotThere, Failure) as failure:
        return Result(title, busy, [], {str(failure): 1}, "It could not be measured.")


def _busy() -> str:
    return f"{os.getloadavg()[0]:.2f} on {os.cpu_count()} processors"


def _console() -> Console:
    console = Console()
    if not console.is_terminal:
        console.width = WIDTH
    return console


def tell(results: list[Result]) -> None:
    """Print a table for each set-up, and whether the aims were met."""
    console = _console()
    for result in results:
        console.print(f"[bold]{result.title}[/] (load average before: {result.busy})")
        if result.rows:
            shown = table(result.rows)
            shown.caption = CAPTION
            console.print(shown)
        _tell_errors(console, result.errors)
        met = f"missed: {', '.join(result.missed)}" if result.missed else "all met"
        console.print(result.note or f"Aims {met}.", "", sep="\n")


def tell_together(results: list[Result]) -> None:
    """Print each figure that has an aim, of all runs together."""
    runs = [
        {row.what.strip(): row for row in result.rows if row.ok is not None} for result in results
    ]
    for what in {what: None for run in runs for what in run}:
        found = [run[what] for run in runs if what in run]
        figures = ", ".join(figure(row.measured, row.unit) for row in found)
        met = sum(bool(row.ok) for row in found)
        _console().print(f"{what}: {figures}; aim met in {met} of {len(runs)}.")


def _tell_errors(console: Console, errors: dict[str, int], where: str = "") -> None:
    for what, count in errors.items():
        console.print(f"{count} × {where}{what}", markup=False, style="red")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
    except (NotThere, Elsewhere) as wrong:
        sys.exit(str(wrong))
