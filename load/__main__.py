"""A crowd that plays hundreds of games on one server, which is killed at the end:
``python -m load``; or a class that plays a lesson: ``python -m load --class``.

Only an error or a lost move is a failure; being slow is not.
"""

import argparse
import asyncio
import os
import sys

from rich.console import Console

from load.classroom import measure_class
from load.crowd import Effort, measure_crowd


def main() -> None:
    """Measure what was asked for, and print what was found."""
    parser = argparse.ArgumentParser(prog="load", description=__doc__.partition("\n\n")[0])
    parser.add_argument("--class", action="store_true", dest="lesson", help="a class of 30")
    parser.add_argument("--games", type=int, default=300, help="games at once")
    parser.add_argument("--rate", type=float, default=60, help="moves a second, in all of them")
    parser.add_argument("--seconds", type=float, default=20, help="how long that pace is kept")
    options = parser.parse_args()
    print(f"Load average before: {os.getloadavg()[0]:.2f} on {os.cpu_count()} processors")
    if options.lesson:
        rows, errors = asyncio.run(measure_class())
    else:
        effort = Effort(options.games, options.rate, options.seconds)
        rows, errors = asyncio.run(measure_crowd(effort))
    for what, measured in rows.items():
        print(f"{what:45} {measured}")
    for what, count in errors.items():
        Console().print(f"{count} × {what}", markup=False, style="red")
    sys.exit(bool(errors))


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
